"""Pre-tokenizers and decoders of a Hugging Face `tokenizer.json`, in both directions."""

from __future__ import annotations

import re
from typing import Any, Final

from bpe_tui.core.alphabet import BYTE_TO_CHAR, is_byte_level
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.presets import Options
from bpe_tui.core.pretokenize import METASPACE, PATTERNS, drops_text
from bpe_tui.formats.files import quoted

_SPLIT_NAMES: Final = {
    **{source: name for name, source in PATTERNS.items() if name in ("gpt2", "cl100k", "o200k")},
    # The same patterns as other tools spell them.
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": "gpt2",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+": "cl100k",
}
"""Patterns that, splitting with the behaviour Isolated, are a pre-tokenizer of ours."""

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
        return {"type": "Split", "pattern": {"Regex": options.pattern}, "behavior": "Removed", "invert": True}
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


def read_pre_tokenizer(component: Any) -> tuple[dict[str, Any], bool]:
    """The options that a `pre_tokenizer` stands for, and whether it turns text into byte characters.

    Raises TokenizerFileError, naming the component, for one that can't be followed exactly.
    """
    parts = _flat(component)
    byte_level = bool(parts) and parts[-1]["type"] == "ByteLevel"
    if byte_level:
        by_pattern = _read_byte_level(parts.pop())
        if by_pattern:
            parts.append({"type": "ByteLevel"})
    if not parts:
        return {"pre_tokenizer": "none"}, byte_level
    if len(parts) > 1:
        raise TokenizerFileError(
            f"the pre-tokenizer {' + '.join(part['type'] for part in parts)} is not supported; one split is"
        )
    return _read_cutter(parts[0]), byte_level


def _flat(component: Any) -> list[dict[str, Any]]:
    if component is None:
        return []
    if not isinstance(component, dict) or not isinstance(component.get("type"), str):
        raise TokenizerFileError(f"the pre-tokenizer {quoted(component)} has no type")
    if component["type"] != "Sequence":
        return [component]
    members = component.get("pretokenizers")
    if not isinstance(members, list):
        raise TokenizerFileError("the pre-tokenizer Sequence has no list of pre-tokenizers")
    return [part for member in members for part in _flat(member)]


def _read_byte_level(part: dict[str, Any]) -> bool:
    """Whether this ByteLevel also cuts by GPT-2's pattern."""
    if part.get("add_prefix_space", True):
        raise TokenizerFileError("the pre-tokenizer ByteLevel with add_prefix_space is not supported")
    return bool(part.get("use_regex", True))


def _read_cutter(part: dict[str, Any]) -> dict[str, Any]:
    kind = part["type"]
    if kind == "ByteLevel":
        return {"pre_tokenizer": "gpt2"}
    if kind == "Whitespace":
        return {"pre_tokenizer": "whitespace"}
    if kind == "WhitespaceSplit":
        return {"pattern": r"\S+"}
    if kind == "Metaspace":
        return _read_metaspace(part)
    if kind == "Split":
        return _read_split(part)
    raise TokenizerFileError(f"the pre-tokenizer {kind} is not supported")


def _read_metaspace(part: dict[str, Any]) -> dict[str, Any]:
    scheme = part.get("prepend_scheme", "always" if part.get("add_prefix_space", True) else "never")
    if part.get("replacement", METASPACE) != METASPACE or scheme != "always" or part.get("split", True) is not True:
        raise TokenizerFileError(
            f"the pre-tokenizer Metaspace is supported only with {METASPACE}, prepend_scheme always and split"
        )
    return {"pre_tokenizer": "metaspace"}


def _read_split(part: dict[str, Any]) -> dict[str, Any]:
    pattern, behaviour, invert = part.get("pattern"), part.get("behavior"), part.get("invert", False)
    if pattern == {"String": " "} and behaviour == "Removed" and not invert:
        return {"pre_tokenizer": "spaces"}
    source = pattern.get("Regex") if isinstance(pattern, dict) else None
    if source in _SPLIT_NAMES and behaviour == "Isolated":
        return {"pre_tokenizer": _SPLIT_NAMES[source]}
    if isinstance(source, str) and behaviour == "Removed" and invert:
        return {"pattern": source}
    raise TokenizerFileError(
        f"the pre-tokenizer Split by {quoted(pattern)} with behavior {quoted(behaviour)} is not supported"
    )
