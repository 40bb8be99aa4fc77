"""A tokenizer inside a session file: as a tokenizer.json if it came from one, else in words of our own."""

from __future__ import annotations

import dataclasses
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import PRESETS, UNKNOWN_POLICIES, Options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats import limits
from bpe_tui.formats.files import quoted
from bpe_tui.formats.gpt2 import Gpt2Dialect
from bpe_tui.formats.huggingface import read as hf_reading
from bpe_tui.formats.huggingface import write as huggingface
from bpe_tui.formats.huggingface.dialect import FileDialect
from bpe_tui.formats.minbpe import MinbpeDialect
from bpe_tui.formats.model import TokenizerModel, check_id
from bpe_tui.formats.sentencepiece.dialect import SentencePieceDialect
from bpe_tui.formats.sentencepiece.normalizer import Normalizer
from bpe_tui.formats.sentencepiece.read import dialect_for

_DIALECTS: Final[dict[str, type[Dialect]]] = {
    "plain": Dialect,
    "gpt2": Gpt2Dialect,
    "minbpe": MinbpeDialect,
    "sentencepiece": SentencePieceDialect,
}
_NEWER: Final = frozenset(("protected", "seed_tokens"))
"""Options that sessions of earlier versions do not have, and that are left out where they say nothing."""
_FLAGS: Final = ("whole_words", "open_alphabet", "at_once")
_NORMALIZER_FLAGS: Final = (
    "add_dummy_prefix",
    "remove_extra_whitespaces",
    "escape_whitespaces",
    "treat_whitespace_as_suffix",
)


def check_tokenizer(model: TokenizerModel) -> None:
    """Raises TokenizerFileError for a model that its own format cannot represent."""
    if isinstance(model.dialect, FileDialect):
        huggingface.check_model(model)
    else:
        limits.check_utf8(model)


def described(model: TokenizerModel) -> dict[str, Any]:
    """The model as JSON."""
    if isinstance(model.dialect, FileDialect):
        return {"tokenizer.json": json.loads(huggingface.write(model)[0])}
    vocabulary, dialect = model.vocabulary, model.dialect
    ids = sorted(vocabulary.texts if vocabulary.texts is not None else vocabulary.ids.values())
    kind = next(name for name, one in _DIALECTS.items() if type(dialect) is one)
    return {
        "unknown": model.unknown,
        "dialect": kind,
        **{flag: True for flag in _FLAGS if getattr(dialect, flag)},
        **({"pattern": dialect.pattern} if isinstance(dialect, MinbpeDialect) else {}),
        **({"sentencepiece": _settings(dialect)} if isinstance(dialect, SentencePieceDialect) else {}),
        "specials_in_order": [list(entry) for entry in dialect.specials_in_order],
        "specials": list(vocabulary.specials),
        **({"protected": list(vocabulary.protected)} if vocabulary.protected else {}),
        "alphabet": list(vocabulary.alphabet),
        "ids": None if ids == list(range(len(ids))) else ids,
        "tokens": list(vocabulary.tokens),
        "merges": [[merge.left_id, merge.right_id, merge.id] for merge in vocabulary.merges],
    }


def described_options(options: Options) -> dict[str, Any]:
    """The options as JSON, those of `_NEWER` only if they say anything."""
    usual = Options()
    values = {"preset": options.preset, **options.as_dict()}
    return {
        name: value
        for name, value in values.items()
        if name not in _NEWER or getattr(options, name) != getattr(usual, name)
    }


def read_options(value: Any) -> Options:
    """The options of a session. Raises TokenizerFileError for any that do not exist."""
    names = {field.name: field.type for field in dataclasses.fields(Options)}
    if not isinstance(value, dict) or not names.keys() - _NEWER <= value.keys() <= names.keys():
        raise TokenizerFileError(_("its options are not those of a session"))
    for name, one in value.items():
        if not _fits(one, str(names[name])):
            raise TokenizerFileError(
                _("its option {name} is {one}, which it cannot be").format(name=name, one=quoted(one))
            )
    if value["preset"] not in PRESETS:
        raise TokenizerFileError(_("its preset {preset} does not exist").format(preset=quoted(value["preset"])))
    try:
        given = {name: one for name, one in value.items() if name != "preset"}
        options = Options(preset=value["preset"]).replace(**given)
        if options.pre_tokenizer != "file":
            make_pre_tokenizer(options)
    except OptionError as error:
        raise TokenizerFileError(_("its options contradict each other: {reason}").format(reason=error)) from error
    return options


def _fits(value: Any, kind: str) -> bool:
    if kind == "tuple[str, ...]":
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if value is None:
        return kind.endswith("None")
    if kind == "bool":
        return isinstance(value, bool)
    wanted = int if kind.startswith("int") else str
    return isinstance(value, wanted) and not isinstance(value, bool)


def read_model(value: Any, options: Options) -> TokenizerModel:
    """The model that `value` describes. Raises TokenizerFileError naming the entry at fault."""
    if isinstance(value, dict) and value.keys() == {"tokenizer.json"}:
        model = hf_reading.read(json.dumps(value["tokenizer.json"]))
        return dataclasses.replace(model, options=_consistent(model.options, options))
    fields = {"unknown", "dialect", "specials_in_order", "specials", "alphabet", "ids", "tokens", "merges"}
    known = {*fields, *_FLAGS, "pattern", "protected", "sentencepiece"}
    if not isinstance(value, dict) or not fields <= value.keys() <= known:
        raise TokenizerFileError(_("its tokenizer is not that of a session"))
    tokens, ids = _tokens(value)
    texts = dict(zip(ids, tokens, strict=True))
    numbers: dict[str, int] = {}
    for number, text in texts.items():
        numbers.setdefault(text, number)
    repeats = len(numbers) < len(texts)
    if repeats and value["dialect"] != "minbpe":
        twice = next(text for number, text in texts.items() if numbers[text] != number)
        raise TokenizerFileError(_("the token {twice} is there twice").format(twice=quoted(twice)))
    for name in ("specials", "alphabet", "protected"):
        _check_texts(value.get(name, []), name, numbers)
    vocabulary = Vocabulary(
        tokens=tuple(tokens),
        specials=tuple(value["specials"]),
        alphabet=tuple(value["alphabet"]),
        merges=_merges(value["merges"], texts),
        ids=numbers,
        protected=tuple(value.get("protected", ())),
        texts=texts if value["dialect"] == "minbpe" else None,
    )
    if value["unknown"] not in UNKNOWN_POLICIES:
        raise TokenizerFileError(
            _("its policy for unknown symbols is {unknown}").format(unknown=quoted(value["unknown"]))
        )
    is_sentence_piece = value["dialect"] == "sentencepiece"
    if is_sentence_piece != (options.pre_tokenizer == "file"):
        raise TokenizerFileError(_("its pre-tokenizer is that of a file which it does not hold"))
    dialect = _sentence_piece(value, vocabulary) if is_sentence_piece else _dialect(value, texts)
    return TokenizerModel(vocabulary, options, value["unknown"], (), dialect)


def _consistent(own: Options, saved: Options) -> Options:
    """The options that the session names, if they encode as those of its tokenizer.json do."""
    for name in ("pre_tokenizer", "pattern", "alphabet", "end_of_word", "end_of_word_style", "unk", "specials"):
        if getattr(own, name) != getattr(saved, name):
            raise TokenizerFileError(_("its option {name} contradicts its tokenizer.json").format(name=name))
    return saved


def _tokens(value: dict[str, Any]) -> tuple[list[str], list[int]]:
    tokens, ids = value["tokens"], value["ids"]
    if not isinstance(tokens, list) or not all(isinstance(text, str) for text in tokens):
        raise TokenizerFileError(_("its tokens are no list of texts"))
    if ids is None:
        return tokens, list(range(len(tokens)))
    if not isinstance(ids, list) or len(ids) != len(tokens):
        raise TokenizerFileError(_("it does not have an id for every token"))
    for text, number in zip(tokens, ids, strict=True):
        check_id(text, number)
    if ids != sorted(set(ids)):
        raise TokenizerFileError(_("its ids do not ascend"))
    return tokens, ids


def _check_texts(value: Any, name: str, numbers: Mapping[str, int]) -> None:
    fits = isinstance(value, list) and all(isinstance(text, str) for text in value)
    if not fits or len(set(value)) < len(value):
        raise TokenizerFileError(_("its {name} are no list of different texts").format(name=name))
    for text in value:
        if text not in numbers:
            raise TokenizerFileError(_("{text}, one of its {name}, is no token").format(text=quoted(text), name=name))


def _merges(value: Any, texts: Mapping[int, str]) -> tuple[Merge, ...]:
    if not isinstance(value, list):
        raise TokenizerFileError(_("its merges are no list"))
    merges = []
    for rank, entry in enumerate(value):
        known = isinstance(entry, list) and len(entry) == 3 and all(type(one) is int for one in entry)
        if not known or any(one not in texts for one in entry):
            raise TokenizerFileError(
                _("merge {number} is {entry}, not three ids of tokens").format(number=rank + 1, entry=quoted(entry))
            )
        left_id, right_id, number = entry
        left, right, token = texts[left_id], texts[right_id], texts[number]
        if left + right != token:
            raise TokenizerFileError(
                _("merge {number} makes {token} of {left} + {right}").format(
                    number=rank + 1, token=quoted(token), left=quoted(left), right=quoted(right)
                )
            )
        merges.append(Merge(left, right, token, left_id, right_id, number, rank))
    return tuple(merges)


def _dialect(value: dict[str, Any], texts: Mapping[int, str]) -> Dialect:
    kind = value["dialect"]
    if not isinstance(kind, str) or kind not in _DIALECTS or "sentencepiece" in value:
        raise TokenizerFileError(_("its dialect {kind} does not exist").format(kind=quoted(kind)))
    flags: dict[str, Any] = {name: value[name] for name in _FLAGS if name in value}
    if not all(isinstance(flag, bool) for flag in flags.values()):
        raise TokenizerFileError(_("a flag of its dialect is neither true nor false"))
    order = value["specials_in_order"]
    if not isinstance(order, list) or not all(_is_special(entry, texts) for entry in order):
        raise TokenizerFileError(_("its special tokens in order are no list of tokens and ids"))
    if "pattern" in value:
        if kind != "minbpe" or not isinstance(value["pattern"], str):
            raise TokenizerFileError(_("its dialect has a pattern where there is none"))
        flags["pattern"] = value["pattern"]
    return _DIALECTS[kind](**flags, specials_in_order=tuple((text, number) for text, number in order))


def _settings(dialect: SentencePieceDialect) -> dict[str, Any]:
    """What a model of SentencePiece does to a text, as JSON."""
    normalizer = dialect.normalizer
    return {
        "charsmap": b64encode(normalizer.charsmap).decode(),
        **{flag: getattr(normalizer, flag) for flag in _NORMALIZER_FLAGS},
        "user_symbols": list(normalizer.user_symbols),
        "byte_fallback": dialect.byte_fallback,
        "unk_surface": dialect.unk_surface,
    }


def _sentence_piece(value: dict[str, Any], vocabulary: Vocabulary) -> SentencePieceDialect:
    """The dialect that `_settings` describes."""
    settings = value.get("sentencepiece")
    kinds = {**dict.fromkeys((*_NORMALIZER_FLAGS, "byte_fallback"), bool), "user_symbols": list}
    kinds.update(charsmap=str, unk_surface=str)
    if (
        not isinstance(settings, dict)
        or settings.keys() != kinds.keys()
        or not all(type(settings[name]) is kind for name, kind in kinds.items())
        or any(value.get(name) for name in (*_FLAGS, "pattern", "specials_in_order"))
    ):
        raise TokenizerFileError(_("what it says of SentencePiece is not what a session says"))
    _check_texts(settings["user_symbols"], "user_symbols", vocabulary.ids)
    if settings["byte_fallback"] and not all(text in vocabulary.ids for text in BYTE_TOKENS):
        raise TokenizerFileError(_("byte_fallback is supported only for characters, and with all 256 byte tokens"))
    try:
        charsmap = b64decode(settings["charsmap"], validate=True)
    except ValueError:
        raise TokenizerFileError(_("its map of characters is broken")) from None
    normalizer = Normalizer(
        charsmap=charsmap,
        **{flag: settings[flag] for flag in _NORMALIZER_FLAGS},
        user_symbols=tuple(settings["user_symbols"]),
    )
    normalizer.rules  # noqa: B018 - a broken map is found out now
    return dialect_for(
        normalizer, vocabulary.alphabet, vocabulary.merges, settings["byte_fallback"], settings["unk_surface"]
    )


def _is_special(entry: Any, texts: Mapping[int, str]) -> bool:
    return (
        isinstance(entry, Sequence)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and bool(entry[0])
        and type(entry[1]) is int
        and texts.get(entry[1]) == entry[0]
    )
