"""Reading a Hugging Face `tokenizer.json` with a BPE model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR
from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats.files import parse_json, quoted, text_of
from bpe_tui.formats.huggingface.added_tokens import read_added
from bpe_tui.formats.huggingface.components import options_for
from bpe_tui.formats.huggingface.decoders import check_decoder
from bpe_tui.formats.huggingface.dialect import FileDialect
from bpe_tui.formats.huggingface.post_processors import offset_trims, read_post_processor
from bpe_tui.formats.huggingface.schema import normalizer_of
from bpe_tui.formats.merges import HEADER
from bpe_tui.formats.model import TokenizerModel, assemble, check_ids, in_id_order

_PARTS: Final = (
    "version",
    "truncation",
    "padding",
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "post_processor",
    "decoder",
    "model",
)
_FLAGS: Final = ("fuse_unk", "byte_fallback", "ignore_merges")
_TEXTS: Final = ("unk_token", "continuing_subword_prefix", "end_of_word_suffix")
_FIELDS: Final = ("type", "dropout", *_TEXTS, *_FLAGS, "vocab", "merges")


def load(path: str, data_of: Callable[[str], bytes], given: Mapping[str, Any]) -> TokenizerModel:
    """Read a file. Raises TokenizerFileError."""
    return read(text_of(data_of(path)))


def read_file(text: str) -> dict[str, Any]:
    """The parts of a tokenizer.json of any model. Raises TokenizerFileError if it is none."""
    file = parse_json(text)
    if not isinstance(file, dict) or not isinstance(file.get("model"), dict):
        raise TokenizerFileError(_("not a tokenizer.json, it has no model"))
    for name in file:
        if name not in _PARTS:
            raise TokenizerFileError(_("it has {name}, which is not known").format(name=quoted(name)))
    if file.get("version", "1.0") != "1.0":
        raise TokenizerFileError(
            _("its version is {version}; only 1.0 is known").format(version=quoted(file["version"]))
        )
    return file


def read(text: str) -> TokenizerModel:
    """The model that `text` spells.

    Raises TokenizerFileError, naming the entry, for JSON that is malformed or contradicts itself, and naming the
    component for one that nothing can run.
    """
    file = read_file(text)
    fields = file["model"]
    _check_fields(file, fields)
    vocab = fields.get("vocab")
    if not isinstance(vocab, dict):
        raise TokenizerFileError(_("its model has no vocab that maps tokens to ids"))
    inside = check_ids(vocab)
    added = read_added(file.get("added_tokens", []), inside)
    ids = {**inside, **{token.content: token.id for token in added}}
    specials = sorted((token for token in added if token.special), key=lambda token: token.id)
    normalizer = normalizer_of(file)
    cut, byte_level = options_for(normalizer, file.get("pre_tokenizer"))
    prefix, suffix = (fields.get(name) or "" for name in _TEXTS[1:])
    merges, warnings = _read_merges(fields.get("merges"), inside, prefix)
    options = _options(fields, cut, byte_level, inside, tuple(token.content for token in specials), suffix, len(merges))
    before, after = read_post_processor(file.get("post_processor"), ids)
    check_decoder(file.get("decoder"))
    dialect = FileDialect(
        continuing_prefix=prefix,
        whole_words=bool(fields.get("ignore_merges")),
        every_token_is_a_symbol=True,
        outside=frozenset(token.content for token in added if token.content not in inside),
        before=before,
        after=after,
        offset_trims=offset_trims(file.get("post_processor")),
        normalizer=normalizer,
        pre_tokenizer=file.get("pre_tokenizer"),
        post_processor=file.get("post_processor"),
        decoder_component=file.get("decoder"),
        added=tuple(added),
        unk_token=fields.get("unk_token"),
        byte_level=byte_level,
    )
    dialect.own_splitter  # noqa: B018 - what cannot be run is found out now
    unknown = _policy(fields, inside, options, prefix)
    if unknown in ("token", "fuse") and not _cannot_be_unknown(inside, options, prefix):
        _refuse_merged_unknown(merges, str(fields["unk_token"]))
    if fields.get("dropout"):
        message = _("the file has dropout {dropout}, which is not applied here unless --dropout is given")
        warnings.append(message.format(dropout=fields["dropout"]))
    tokens = tuple(in_id_order(ids))
    vocabulary = Vocabulary(
        tokens=tokens,
        specials=tuple(token.content for token in specials),
        alphabet=tuple(token for token in tokens if token in inside and _is_symbol(token, prefix, suffix)),
        merges=merges,
        ids=ids,
    )
    return TokenizerModel(vocabulary, options, unknown, tuple(warnings), dialect)


def _check_fields(file: dict[str, Any], fields: dict[str, Any]) -> None:
    kind = fields.get("type")
    if kind != "BPE" and (kind is not None or not fields.keys() >= {"vocab", "merges"}):
        raise TokenizerFileError(
            _("its model is {kind}; only BPE is supported").format(kind=kind or _("of no known type"))
        )
    for name in ("truncation", "padding"):
        if file.get(name) is not None:
            raise TokenizerFileError(_("the {name} is not supported; set it to null").format(name=name))
    for name, value in fields.items():
        if name not in _FIELDS:
            raise TokenizerFileError(_("its model has {name}, which is not known").format(name=quoted(name)))
        if name in _TEXTS and value is not None and not isinstance(value, str):
            raise TokenizerFileError(_("{name} is {value} instead of a text").format(name=name, value=quoted(value)))
        if name in _FLAGS and value is not None and not isinstance(value, bool):
            raise TokenizerFileError(
                _("{name} is {value} instead of true or false").format(name=name, value=quoted(value))
            )
    dropout = fields.get("dropout")
    if dropout is not None and (isinstance(dropout, bool) or not isinstance(dropout, int | float)):
        raise TokenizerFileError(_("dropout is {dropout} instead of a number").format(dropout=quoted(dropout)))
    if dropout is not None and not 0 <= dropout <= 1:
        raise TokenizerFileError(
            _("dropout is {dropout}, which is not between 0 and 1").format(dropout=quoted(dropout))
        )


def _options(
    fields: dict[str, Any],
    cut: dict[str, Any],
    byte_level: bool,
    inside: Mapping[str, int],
    specials: tuple[str, ...],
    suffix: str,
    merges: int,
) -> Options:
    whole = byte_level and all(char in inside for char in BYTE_TO_CHAR)
    unk = fields.get("unk_token")
    return make_options(
        "huggingface",
        **cut,
        alphabet="all-bytes" if whole else "seen-bytes" if byte_level else "characters",
        raw_byte_ids=whole and all(inside.get(char) == byte for byte, char in enumerate(BYTE_TO_CHAR)),
        end_of_word=suffix,
        specials=specials,
        unk=unk if unk in inside else None,
        merges=merges,
    )


def _policy(fields: dict[str, Any], inside: Mapping[str, int], options: Options, prefix: str) -> str:
    """What the file makes of unknown symbols. Raises TokenizerFileError where that can't be followed."""
    if fields.get("byte_fallback"):
        bytes_of_bytes = options.alphabet != "characters" and not _cannot_be_unknown(inside, options, prefix)
        if any(text not in inside for text in BYTE_TOKENS) or bytes_of_bytes:
            raise TokenizerFileError(_("byte_fallback is supported only for characters, and with all 256 byte tokens"))
        return "bytes"
    unk = fields.get("unk_token")
    if unk is None:
        return "drop"
    if unk not in inside:
        return "drop" if _cannot_be_unknown(inside, options, prefix) else "error"
    return "fuse" if fields.get("fuse_unk") else "token"


def _cannot_be_unknown(inside: Mapping[str, int], options: Options, prefix: str) -> bool:
    if options.alphabet != "all-bytes":
        return False
    ending = options.end_of_word
    spellings = {("", ""), (prefix, ""), ("", ending), (prefix, ending)}
    return all(first + char + last in inside for char in BYTE_TO_CHAR for first, last in spellings)


def _refuse_merged_unknown(merges: tuple[Merge, ...], unk: str) -> None:
    for merge in merges:
        if unk in (merge.left, merge.right):
            raise TokenizerFileError(
                _("merge {number} merges the unknown token {unk}, which is not supported").format(
                    number=merge.rank + 1, unk=quoted(unk)
                )
            )


def _read_merges(entries: Any, ids: Mapping[str, int], prefix: str) -> tuple[tuple[Merge, ...], list[str]]:
    if not isinstance(entries, list):
        raise TokenizerFileError(_("its model has no list of merges"))
    kinds = set(map(type, entries))
    pairs: list[tuple[str, str]] = []
    if kinds == {str} and not any(entry.count(" ") != 1 or entry.startswith((" ", HEADER)) for entry in entries):
        pairs = [(left, right) for left, _, right in (entry.partition(" ") for entry in entries)]
    elif kinds == {list} and all(len(entry) == 2 for entry in entries):
        pairs = [(left, right) for left, right in entries]
    if len(pairs) < len(entries) or not all(type(part) is str and part for pair in pairs for part in pair):
        for place, entry in enumerate(entries, start=1):
            _check_pair(place, entry, type(entries[0]))
    places = dict(zip(pairs, range(1, len(pairs) + 1), strict=True))
    warnings = []
    if len(places) < len(pairs):
        places = {}
        for place, pair in enumerate(pairs, start=1):
            if pair in places:
                message = _("merge {number} is merge {first} again; the last one counts")
                warnings.append(message.format(number=place, first=places.pop(pair)))
            places[pair] = place
    numbers = list(places.values())
    return assemble(
        list(places), ids, lambda place: _("merge {number}").format(number=numbers[place]), prefix
    ), warnings


def _check_pair(place: int, entry: Any, kind: type) -> None:
    parts = entry.split(" ") if isinstance(entry, str) else entry
    if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) and part for part in parts):
        raise TokenizerFileError(_("merge {place} is {entry}, not two tokens").format(place=place, entry=quoted(entry)))
    if type(entry) is not kind:
        raise TokenizerFileError(
            _("merge {place} is {entry}, and others are written otherwise").format(place=place, entry=quoted(entry))
        )
    if isinstance(entry, str) and entry.startswith(HEADER):
        raise TokenizerFileError(
            _("merge {place} begins with {header}, and tokenizers skips such a line").format(place=place, header=HEADER)
        )


def _is_symbol(token: str, prefix: str, suffix: str) -> bool:
    """Whether a word can hold this token before any merge: one character, with what is before or behind it."""
    if len(token) == 1:
        return True
    bare = token.removeprefix(prefix)
    return len(bare) == 1 or len(bare.removesuffix(suffix)) == 1 or len(token.removesuffix(suffix)) == 1
