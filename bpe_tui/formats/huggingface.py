"""Hugging Face `tokenizer.json` with a BPE model, as the `tokenizers` package reads and writes it.

What is written gives the same tokens and ids there, for every text without special tokens in it: that package always
takes special tokens in a text for themselves, as we do under `--allow-special`. What is read but can't be followed
exactly is refused by name.
"""

from __future__ import annotations

import re
from json.encoder import encode_basestring
from typing import Any, Final

from bpe_tui.core.alphabet import BYTE_TO_CHAR
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.presets import Options, make_options
from bpe_tui.core.pretokenize import METASPACE
from bpe_tui.core.vocabulary import Merge, Vocabulary
from bpe_tui.formats import hf_components
from bpe_tui.formats.files import parse_json, quoted
from bpe_tui.formats.model import TokenizerModel

_BPE_FIELDS: Final = {"vocab", "merges"}
_FLAGS: Final = ("single_word", "lstrip", "rstrip")
_POSSESSIVE: Final = re.compile(r"\{\d*,?\d*\}\+")
_LARGEST_ID: Final = 2**32 - 1


def recognises(text: str) -> bool:
    """Whether `text` is a tokenizer.json: a JSON object whose `model` is an object."""
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and isinstance(value.get("model"), dict)


# -- writing ----------------------------------------------------------------------------------------------------------


def check(options: Options) -> None:
    """Raises TokenizerFileError if the format has no way to say `options`."""
    if options.end_of_word and options.end_of_word_style == "symbol":
        raise TokenizerFileError(
            f"tokenizer.json cannot say that {options.end_of_word} is a symbol of its own at the end of a word; "
            "train with --end-of-word-style suffix",
        )
    if options.pre_tokenizer == "pattern" and _POSSESSIVE.search(options.pattern or ""):
        raise TokenizerFileError("tokenizer.json reads }+ in a pattern as repetition, not as possessive")


def write(model: TokenizerModel) -> tuple[bytes, list[str]]:
    """The bytes of the file, and notes for the user. Raises TokenizerFileError naming a token that UTF-8 can't say."""
    options, vocabulary = model.options, model.vocabulary
    ids = dict(vocabulary.ids)
    notes = []
    unk = options.unk if model.unknown in ("token", "fuse") and (options.unk in ids or _meets_unknowns(model)) else None
    if unk is not None and unk not in ids:
        ids[unk] = max(ids.values(), default=-1) + 1
        notes.append(f"in the file, {unk} has an id too, {ids[unk]}: this format needs one for unknown symbols")
    if options.pre_tokenizer == "pattern":
        notes.append("the pattern is written as it is; tokenizers reads it as an Oniguruma regular expression")
    entries = ",\n".join([f"      {encode_basestring(token)}: {number}" for token, number in _in_order(ids)])
    merges = ",\n".join(
        [f"      [{encode_basestring(merge.left)}, {encode_basestring(merge.right)}]" for merge in vocabulary.merges]
    )
    suffix = options.end_of_word or None
    fields = {
        "type": "BPE",
        "dropout": None,
        "unk_token": unk,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": suffix,
        "fuse_unk": model.unknown == "fuse",
        "byte_fallback": model.unknown == "bytes",
        "ignore_merges": False,
    }
    body = [*_lines(fields, "    "), f'    "vocab": {{\n{entries}\n    }}', f'    "merges": [\n{merges}\n    ]']
    head = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(special, ids[special]) for special in vocabulary.specials],
        "normalizer": None,
        "pre_tokenizer": hf_components.pre_tokenizer_for(options),
        "post_processor": None,
        "decoder": hf_components.decoder_for(options),
    }
    text = "{\n" + ",\n".join([*_lines(head, "  "), '  "model": {\n' + ",\n".join(body) + "\n  }"]) + "\n}\n"
    try:
        return text.encode(), notes
    except UnicodeEncodeError as error:
        key = text[text.rindex("\n", 0, error.start) + 1 : text.index("\n", error.start)].strip()
        raise TokenizerFileError(f"UTF-8 cannot say the lone surrogate in {key!a}") from error


def _in_order(ids: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(ids.items(), key=lambda entry: entry[1])


def _lines(fields: dict[str, Any], indent: str) -> list[str]:
    import json

    return [f"{indent}{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]


def _added(content: str, number: int) -> dict[str, Any]:
    flags = dict.fromkeys((*_FLAGS, "normalized"), False)
    return {"id": number, "content": content, **flags, "special": True}


def _meets_unknowns(model: TokenizerModel) -> bool:
    options, ids = model.options, model.vocabulary.ids
    if options.alphabet == "characters":
        return True
    endings = ("", options.end_of_word) if options.end_of_word else ("",)
    return any(char + ending not in ids for char in BYTE_TO_CHAR for ending in endings)


# -- reading ----------------------------------------------------------------------------------------------------------


def read(text: str) -> TokenizerModel:
    """The model that `text` spells.

    Raises TokenizerFileError, naming the entry, for JSON that is malformed or contradicts itself, and naming the
    component for one that we can't follow exactly.
    """
    file = parse_json(text)
    if not isinstance(file, dict) or not isinstance(file.get("model"), dict):
        raise TokenizerFileError("not a tokenizer.json, it has no model")
    fields = file["model"]
    _refuse_what_is_not_followed(file, fields)
    ids = _read_vocab(fields.get("vocab"))
    cut, byte_level = hf_components.read_pre_tokenizer(file.get("pre_tokenizer"))
    specials = _read_added(file.get("added_tokens", []), ids)
    suffix = _text(fields, "end_of_word_suffix") or ""
    unk = _text(fields, "unk_token")
    merges, warnings = _read_merges(fields.get("merges"), ids)
    raw = byte_level and all(ids.get(char) == byte for byte, char in enumerate(BYTE_TO_CHAR))
    whole = byte_level and all(char in ids for char in BYTE_TO_CHAR)
    options = make_options(
        "huggingface",
        **cut,
        alphabet="all-bytes" if whole else "seen-bytes" if byte_level else "characters",
        raw_byte_ids=raw,
        end_of_word=suffix,
        specials=specials,
        unk=unk,
        merges=len(merges),
    )
    if fields.get("byte_fallback"):
        _check_byte_fallback(ids, options)
    if fields.get("dropout"):
        warnings.append(f"dropout {fields['dropout']} is left out: encoding here is always the same")
    vocabulary = Vocabulary(
        tokens=tuple(token for token, _ in _in_order(ids)),
        specials=tuple(specials),
        alphabet=tuple(token for token, _ in _in_order(ids) if _is_symbol(token, suffix)),
        merges=tuple(merges),
        ids=ids,
    )
    return TokenizerModel(vocabulary, options, _policy(fields, unk), tuple(warnings))


def _policy(fields: dict[str, Any], unk: str | None) -> str:
    if fields.get("byte_fallback"):
        return "bytes"
    if unk is None:
        return "drop"
    return "fuse" if fields.get("fuse_unk") else "token"


def _refuse_what_is_not_followed(file: dict[str, Any], fields: dict[str, Any]) -> None:
    kind = fields.get("type")
    if kind != "BPE" and (kind is not None or not fields.keys() >= _BPE_FIELDS):
        raise TokenizerFileError(f"its model is {kind or 'of no known type'}; only BPE is supported")
    for name in ("truncation", "padding", "normalizer"):
        if file.get(name) is not None:
            raise TokenizerFileError(f"the {name} {_type_of(file[name])}is not supported")
    after = file.get("post_processor")
    if after is not None and _type_of(after) != "ByteLevel ":  # which only moves offsets
        raise TokenizerFileError(f"the post-processor {_type_of(after)}is not supported")
    if fields.get("continuing_subword_prefix"):
        raise TokenizerFileError(
            f"continuing_subword_prefix {quoted(fields['continuing_subword_prefix'])} is not supported"
        )
    if fields.get("ignore_merges"):
        raise TokenizerFileError("ignore_merges is not supported")


def _type_of(component: Any) -> str:
    return f"{component['type']} " if isinstance(component, dict) and "type" in component else ""


def _text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise TokenizerFileError(f"{name} is {quoted(value)} instead of a text")
    return value


def _read_vocab(vocab: Any) -> dict[str, int]:
    if not isinstance(vocab, dict):
        raise TokenizerFileError("its model has no vocab that maps tokens to ids")
    owners: dict[int, str] = {}
    for token, number in vocab.items():
        _check_token(token, number)
        if number in owners:
            raise TokenizerFileError(f"tokens {quoted(owners[number])} and {quoted(token)} have the same id {number}")
        owners[number] = token
    return vocab


def _check_token(token: str, number: Any) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= _LARGEST_ID:
        raise TokenizerFileError(f"the id of token {quoted(token)} is {quoted(number)}, not a whole number")
    try:
        token.encode()
    except UnicodeEncodeError:
        raise TokenizerFileError(f"the token {token!a} holds a lone surrogate, which is no character") from None


def _read_merges(entries: Any, ids: dict[str, int]) -> tuple[list[Merge], list[str]]:
    if not isinstance(entries, list):
        raise TokenizerFileError("its model has no list of merges")
    places: dict[tuple[str, str], int] = {}
    warnings = []
    for place, entry in enumerate(entries, start=1):
        left, right = _read_pair(place, entry)
        for part in (left, right, left + right):
            if part not in ids:
                raise TokenizerFileError(
                    f"merge {place}, {quoted(left)} + {quoted(right)}: {quoted(part)} is not in the vocab"
                )
        if (left, right) in places:
            first = places.pop((left, right))
            warnings.append(f"merge {place} is merge {first} again; the last one counts")
        places[left, right] = place
    merges = [
        Merge(left, right, left + right, ids[left], ids[right], ids[left + right], rank)
        for rank, (left, right) in enumerate(places)
    ]
    return merges, warnings


def _read_pair(place: int, entry: Any) -> tuple[str, str]:
    parts = entry.split(" ") if isinstance(entry, str) else entry
    if isinstance(parts, list) and len(parts) == 2 and all(isinstance(part, str) and part for part in parts):
        return parts[0], parts[1]
    raise TokenizerFileError(f"merge {place} is {quoted(entry)}, not two tokens")


def _read_added(entries: Any, ids: dict[str, int]) -> list[str]:
    """The special tokens in id order; those that the vocab lacks are added to `ids`."""
    if not isinstance(entries, list):
        raise TokenizerFileError("its added_tokens are no list")
    owners = {number: token for token, number in ids.items()}
    found: dict[str, int] = {}
    for entry in entries:
        content = entry.get("content") if isinstance(entry, dict) else None
        if not isinstance(content, str) or not content:
            raise TokenizerFileError(f"added token {quoted(entry)} has no content")
        number = entry.get("id")
        _check_token(content, number)
        if ids.get(content, number) != number:
            raise TokenizerFileError(f"added token {quoted(content)} has id {number}, but {ids[content]} in the vocab")
        if owners.get(number, content) != content:
            raise TokenizerFileError(f"added token {quoted(content)} has id {number}, as {quoted(owners[number])} has")
        if content in found:
            raise TokenizerFileError(f"added token {quoted(content)} is there twice")
        if not entry.get("special"):
            raise TokenizerFileError(f"added token {quoted(content)} is not special, which is not supported")
        for flag in _FLAGS:
            if entry.get(flag):
                raise TokenizerFileError(f"added token {quoted(content)} has {flag}, which is not supported")
        ids[content] = found[content] = number
        owners[number] = content
    return [token for token, _ in _in_order(found)]


def _is_symbol(token: str, suffix: str) -> bool:
    """Whether a word can begin as this token: one character, bare or with the word ending."""
    return len(token.removesuffix(suffix) if len(token) > 1 else token) == 1


def _check_byte_fallback(ids: dict[str, int], options: Options) -> None:
    """Raises TokenizerFileError where a symbol could fall back to other byte tokens than those of its character."""
    whole = all(f"<0x{byte:02X}>" in ids for byte in range(256))
    spaced = options.pre_tokenizer == "metaspace" and METASPACE not in ids
    if not whole or spaced or options.end_of_word or options.alphabet == "seen-bytes":
        raise TokenizerFileError(
            "byte_fallback is supported only for characters, without end_of_word_suffix, and with all 256 byte tokens"
        )
