"""Our options as components of a Hugging Face `tokenizer.json`, and its components as options where they are some."""

from __future__ import annotations

import re
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, is_byte_level
from bpe_tui.core.corpus.pretokenize import METASPACE, PATTERNS, drops_text
from bpe_tui.core.options import Options
from bpe_tui.formats.huggingface import oniguruma
from bpe_tui.formats.huggingface.dialect import flat
from bpe_tui.formats.huggingface.schema import fields_of
from bpe_tui.formats.huggingface.steps import SPLIT_NAMES

_BYTES_ONLY: Final = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
_METASPACE: Final = {"type": "Metaspace", "replacement": METASPACE, "prepend_scheme": "always", "split": True}


def pre_tokenizer_for(options: Options) -> dict[str, Any] | None:
    """The component that cuts as `options` say, and turns text into byte characters for byte alphabets."""
    if options.pre_tokenizer == "gpt2" and is_byte_level(options):
        return {**_BYTES_ONLY, "use_regex": True}
    cutter = _cutter(options)
    if not is_byte_level(options):
        return cutter
    if cutter is None:
        return dict(_BYTES_ONLY)
    return {"type": "Sequence", "pretokenizers": [cutter, dict(_BYTES_ONLY)]}


def _cutter(options: Options) -> dict[str, Any] | None:
    name = options.pre_tokenizer
    if name == "none":
        return None
    if name == "whitespace":
        return {"type": "Whitespace"}
    if name == "metaspace":
        return dict(_METASPACE)
    if name == "spaces":
        return {"type": "Split", "pattern": {"String": " "}, "behavior": "Removed", "invert": False}
    if name == "pattern":
        source = oniguruma.spelt(options.pattern or "") or options.pattern
        return {"type": "Split", "pattern": {"Regex": source}, "behavior": "Removed", "invert": True}
    return {"type": "Split", "pattern": {"Regex": PATTERNS[name]}, "behavior": "Isolated", "invert": False}


def decoder_for(options: Options) -> dict[str, Any]:
    """The component that puts tokens together as our decoder does."""
    byte_level, metaspace = is_byte_level(options), options.pre_tokenizer == "metaspace"
    parts: list[dict[str, Any]] = []
    if options.end_of_word and not drops_text(options):  # the words hold the spaces between them
        ending = {"Regex": re.escape(options.end_of_word) + r"\z"}
        parts.append({"type": "Replace", "pattern": ending, "content": ""})
    elif options.end_of_word:
        parts.append({"type": "BPEDecoder", "suffix": options.end_of_word})
        if byte_level:  # the space that it puts is text, and must be written in byte characters like all text
            parts.append(_replace(" ", BYTE_TO_CHAR[ord(" ")]))
    if byte_level:
        parts.append({"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True})
    if metaspace and not byte_level:
        parts.append(dict(_METASPACE))
    elif metaspace:  # ByteLevel leaves one text, in which Metaspace would see one first token
        parts += [_replace(METASPACE, " "), {"type": "Strip", "content": " ", "start": 1, "stop": 0}]
    if not parts:
        return {"type": "Fuse"}
    return parts[0] if len(parts) == 1 else {"type": "Sequence", "decoders": parts}


def _replace(old: str, new: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"String": old}, "content": new}


def options_for(normalizer: Any, pre_tokenizer: Any) -> tuple[dict[str, Any], bool]:
    """The options that the components of a file stand for, and whether they end in writing bytes as characters.

    Where no option says what they do, the pre-tokenizer is called `file`. Raises TokenizerFileError for a component
    that is malformed.
    """
    parts = [fields_of(part, "pre-tokenizer") for part in flat(pre_tokenizer)]
    kinds = [part["type"] for part in parts]
    byte_level = bool(kinds) and kinds[-1] == "ByteLevel" and kinds.count("ByteLevel") == 1
    if byte_level:
        last = parts.pop()
        if last["add_prefix_space"] or (last["use_regex"] and parts):
            return {"pre_tokenizer": "file"}, True
        if last["use_regex"]:
            parts.append(last)
    found = {"pre_tokenizer": "none"} if not parts else _option(parts[0]) if len(parts) == 1 else None
    return found if found is not None and normalizer is None else {"pre_tokenizer": "file"}, byte_level


def _option(part: dict[str, Any]) -> dict[str, Any] | None:
    """The option that says what a pre-tokenizer does; None if there is none."""
    kind = part["type"]
    if kind == "ByteLevel":
        return {"pre_tokenizer": "gpt2"} if not part["add_prefix_space"] else None
    if kind == "Whitespace":
        return {"pre_tokenizer": "whitespace"}
    if kind == "WhitespaceSplit":
        return {"pattern": r"\S+"}
    if kind == "Metaspace":
        usual = part["replacement"] == METASPACE and part["prepend_scheme"] == "always" and part["split"]
        return {"pre_tokenizer": "metaspace"} if usual else None
    if kind == "Split":
        return _option_of_split(part["pattern"], part["behavior"], part["invert"])
    return None


def _option_of_split(pattern: dict[str, str], behavior: str, invert: bool) -> dict[str, Any] | None:
    if pattern == {"String": " "} and behavior == "Removed" and not invert:
        return {"pre_tokenizer": "spaces"}
    source = pattern.get("Regex")
    if source in SPLIT_NAMES and behavior == "Isolated":
        return {"pre_tokenizer": SPLIT_NAMES[source]}
    translated = oniguruma.compile_pattern(pattern, "Split") if source is not None else None
    if translated is not None and behavior == "Removed" and invert:
        return {"pattern": translated.compiled.pattern}
    return None
