"""Reading a `.model` file of SentencePiece with a BPE model.

The file holds pieces with scores and no pairs: of all neighbours, those that together are the piece of the highest
score are merged, the leftmost first. So pieces with different scores are ranks like tiktoken's, and each piece comes
from at most one pair. User-defined symbols are found before any merge and never merged.

Between pieces with the same score SentencePiece decides by their places. The models of Llama and Mistral have such
pieces, all of them runs of `▁`. While runs are merged, those in one place are `[stuck] [stuck] [growing] [1] [1] [1]`,
in order of their places: the last stuck with the growing, the growing with one more, one with one. That is their order
by length too, so that ranks by falling length make the same merges, if no run has another score: only then do runs of
several characters come from nowhere else, and grow in one place after the other.

What is refused: models of another kind; all other pieces with the same score; pieces that are marked as unused and are
one character, or made by merging, after which SentencePiece takes them apart again; a piece with a character that is no
piece itself; and what SentencePiece does not load either.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeVar

from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats.derivation import derive
from bpe_tui.formats.files import quoted
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.protobuf import Fields, Value, fields_of
from bpe_tui.formats.sentencepiece.dialect import SentencePieceDialect
from bpe_tui.formats.sentencepiece.normalizer import Normalizer, matcher

_KINDS: Final = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}
"""What `model_type` of the `trainer_spec` can be."""
_BPE: Final = 2
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = range(1, 7)
"""What the `type` of a piece can be."""
_MOST_WORK: Final = 1 << 32
"""Of the squares of the lengths of all pieces; some hundred times those of the largest known."""
T = TypeVar("T", int, float, bytes)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of the vocabulary, whose id is its place among all pieces."""

    id: int
    text: str
    score: float
    kind: int

    @property
    def is_plain(self) -> bool:
        """Whether merging could make it, or begins with it."""
        return self.kind in (_NORMAL, _UNUSED)


def load(path: str, data_of: Callable[[str], bytes], given: Mapping[str, Any]) -> TokenizerModel:
    """Read a file. Raises TokenizerFileError."""
    return read(data_of(path))


def read(data: bytes) -> TokenizerModel:
    """The model of a file. Raises TokenizerFileError, naming what can't be followed exactly."""
    model = fields_of(data)
    trainer, normalizer = _message(model, 2), _message(model, 3)
    kind = _value(trainer, 3, int, 1)
    if kind != _BPE:
        raise TokenizerFileError(
            _("a SentencePiece model of the kind {kind}; only those of the kind bpe are read").format(
                kind=_KINDS.get(kind, str(kind))
            )
        )
    if 4 in model:
        raise TokenizerFileError(_("it has samples to test itself with, which is not supported"))
    if _value(_message(model, 5), 2, bytes, b""):
        raise TokenizerFileError(_("its denormalizer rewrites characters, which is not supported"))
    pieces = _pieces(model)
    byte_fallback = bool(_value(trainer, 35, int, 0))
    unk = _check_pieces(pieces, byte_fallback)
    rules = Normalizer(
        charsmap=_value(normalizer, 2, bytes, b""),
        add_dummy_prefix=bool(_value(normalizer, 3, int, 1)),
        remove_extra_whitespaces=bool(_value(normalizer, 4, int, 1)),
        escape_whitespaces=bool(_value(normalizer, 5, int, 1)),
        treat_whitespace_as_suffix=bool(_value(trainer, 24, int, 0)),
        user_symbols=tuple(piece.text for piece in pieces if piece.kind == _USER_DEFINED),
    )
    rules.rules  # noqa: B018 - a broken map is found out now
    alphabet = tuple(piece.text for piece in pieces if piece.is_plain and len(piece.text) == 1)
    merges = _merges(pieces, alphabet, _made_by_merges(pieces, alphabet, rules))
    surface = _value(trainer, 44, bytes, " \u2047 ".encode()).partition(b"\0")[0]
    dialect = dialect_for(
        rules, alphabet, merges, byte_fallback, _text(surface, _("its unk_surface is not UTF-8 text"))
    )
    specials = tuple(piece.text for piece in pieces if piece.kind == _CONTROL)
    vocabulary = Vocabulary(
        tokens=tuple(piece.text for piece in pieces),
        specials=specials,
        alphabet=alphabet,
        merges=merges,
        ids={piece.text: piece.id for piece in pieces},
    )
    return TokenizerModel(
        vocabulary, options_for(unk, specials, len(merges)), "bytes" if byte_fallback else "fuse", (), dialect
    )


def dialect_for(
    normalizer: Normalizer, alphabet: Sequence[str], merges: Iterable[Merge], byte_fallback: bool, unk_surface: str
) -> SentencePieceDialect:
    """The dialect of a model with these settings, symbols and merges."""
    mark = normalizer.mark
    pairs = {pair for merge in merges if mark in merge.token for pair in pairwise(merge.token)}
    if normalizer.treat_whitespace_as_suffix:
        pairs = {(behind, before) for before, behind in pairs}
    return SentencePieceDialect(
        normalizer=normalizer,
        byte_fallback=byte_fallback,
        unk_surface=unk_surface,
        cuts_words=mark in alphabet,
        joined="".join(sorted(before for before, behind in pairs if behind == mark != before)),
    )


def options_for(unk: str, specials: tuple[str, ...], merges: int) -> Options:
    """The options of a model."""
    return make_options(
        "huggingface", pre_tokenizer="file", alphabet="characters", specials=specials, unk=unk, merges=merges
    )


# -- the messages of the file -----------------------------------------------------------------------------------------


def _pieces(model: Fields) -> list[_Piece]:
    """The pieces. Raises TokenizerFileError naming one that is malformed."""
    pieces = []
    for place, value in enumerate(model.get(1, [])):
        fields = fields_of(_as_bytes(value))
        text = _text(_value(fields, 1, bytes, b""), _("piece {number} is not UTF-8 text").format(number=place))
        kind = _value(fields, 3, int, _NORMAL)
        if not _NORMAL <= kind <= _BYTE:
            raise TokenizerFileError(
                _("piece {number}, {text}, is of a kind that is not known, {kind}").format(
                    number=place, text=quoted(text), kind=kind
                )
            )
        pieces.append(_Piece(place, text, _value(fields, 2, float, 0.0), kind))
    return pieces


def _message(fields: Fields, field: int) -> Fields:
    """The message in a field, which may come in several parts."""
    return fields_of(b"".join(map(_as_bytes, fields.get(field, []))))


def _value(fields: Fields, field: int, kind: type[T], otherwise: T) -> T:
    """The value of a field, the last one if there are several."""
    value = fields.get(field, [otherwise])[-1]
    if not isinstance(value, kind):
        raise _unexpected()
    return value


def _as_bytes(value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise _unexpected()
    return value


def _unexpected() -> TokenizerFileError:
    return TokenizerFileError(_("not a model of SentencePiece, a value is not of the kind that is expected"))


def _text(data: bytes, otherwise: str) -> str:
    """The text of some bytes. Raises TokenizerFileError with the sentence `otherwise` if they are none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise TokenizerFileError(otherwise) from None


# -- the pieces -------------------------------------------------------------------------------------------------------


def _check_pieces(pieces: Sequence[_Piece], byte_fallback: bool) -> str:
    """The text of the unknown piece. Raises TokenizerFileError naming a piece that cannot be, or is missing."""
    owners: dict[str, int] = {}
    for piece in pieces:
        text = piece.text
        if not text:
            raise TokenizerFileError(_("piece {number} is empty").format(number=piece.id))
        if owners.setdefault(text, piece.id) != piece.id:
            raise TokenizerFileError(
                _("pieces {first} and {second} are both {text}").format(
                    first=owners[text], second=piece.id, text=quoted(text)
                )
            )
        if piece.kind == _UNUSED and len(text) == 1:
            raise _used(piece)
        if piece.kind == _CONTROL and len(text) == 1:
            raise TokenizerFileError(_("the control symbol {text} is one character").format(text=quoted(text)))
        if piece.kind == _USER_DEFINED and "\0" in text:
            raise TokenizerFileError(_("the user-defined symbol {text} has a NUL in it").format(text=quoted(text)))
        if piece.kind == _BYTE and not (byte_fallback and text in BYTE_TOKENS):
            raise TokenizerFileError(
                _("{text} is called a byte, and byte_fallback is off").format(text=quoted(text))
                if text in BYTE_TOKENS
                else _("{text} is called a byte, and is written otherwise").format(text=quoted(text))
            )
    bytes_there = sum(piece.kind == _BYTE for piece in pieces)
    if byte_fallback and bytes_there < len(BYTE_TOKENS):
        raise TokenizerFileError(
            _("it has byte_fallback, and pieces for {count} of the 256 bytes").format(count=bytes_there)
        )
    unknown = [piece.text for piece in pieces if piece.kind == _UNKNOWN]
    if len(unknown) != 1:
        raise TokenizerFileError(_("it has {count} unknown pieces instead of one").format(count=len(unknown)))
    return unknown[0]


def _used(piece: _Piece) -> TokenizerFileError:
    message = _("the piece {text} is marked as unused, and would be used all the same, which is not supported")
    return TokenizerFileError(message.format(text=quoted(piece.text)))


def _made_by_merges(pieces: Iterable[_Piece], alphabet: Sequence[str], normalizer: Normalizer) -> list[_Piece]:
    """The pieces that merging may make, by rank. Raises TokenizerFileError if scores or characters forbid it.

    A piece with a user-defined symbol in it is never made, and neither is one with a space where there are marks.
    """
    symbols, letters = matcher(normalizer.user_symbols), set(alphabet)
    made = [
        piece
        for piece in pieces
        if piece.is_plain
        and len(piece.text) > 1
        and not (symbols is not None and symbols.search(piece.text))
        and not (normalizer.escape_whitespaces and " " in piece.text)
    ]
    if sum(len(piece.text) ** 2 for piece in made) > _MOST_WORK:
        raise TokenizerFileError(_("its pieces are too long"))
    for piece in made:
        if not math.isfinite(piece.score):
            raise TokenizerFileError(_("the score of {text} is no number").format(text=quoted(piece.text)))
        alien = next((char for char in piece.text if char not in letters), None)
        if alien is not None:
            raise TokenizerFileError(
                _("{text} is a piece, but its character {char} is none, which is not supported").format(
                    text=quoted(piece.text), char=quoted(alien)
                )
            )
    made.sort(key=lambda piece: (-piece.score, -len(piece.text)))
    runs = [piece for piece in made if len(set(piece.text)) == 1]
    for one, other in pairwise(made):
        if one.score == other.score and not (
            len({*one.text, *other.text}) == 1
            and all(run.score == one.score for run in runs if run.text[0] == one.text[0])
        ):
            raise TokenizerFileError(
                _("{one} and {other} have the same score, {score}, which is not supported").format(
                    one=quoted(one.text), other=quoted(other.text), score=f"{one.score:g}"
                )
            )
    return made


def _merges(pieces: Sequence[_Piece], alphabet: Sequence[str], made: Sequence[_Piece]) -> tuple[Merge, ...]:
    """The merges that make the pieces, by rank. Raises TokenizerFileError for one that is taken apart again."""
    ids = {piece.text: piece.id for piece in pieces}
    texts = [*alphabet, *(piece.text for piece in made)]
    pairs = derive(texts)
    merges: list[Merge] = []
    for piece, pair in zip(made, pairs[len(alphabet) :], strict=True):
        if pair is None:
            continue
        if piece.kind == _UNUSED:
            raise _used(piece)
        left, right = texts[pair[0]], texts[pair[1]]
        merges.append(Merge(left, right, piece.text, ids[left], ids[right], piece.id, len(merges)))
    return tuple(merges)


# -- writing ----------------------------------------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """Raises TokenizerFileError: there is no way to write the format."""
    raise TokenizerFileError(_("models of SentencePiece are only read; write a tokenizer.json or a session"))


def check_model(model: TokenizerModel) -> None:
    """Raises TokenizerFileError: there is no way to write the format."""
    check_options(model.options)
