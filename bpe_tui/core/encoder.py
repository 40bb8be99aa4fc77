"""Encoding text with learned merges, decoding ids, and the trace that shows how a text fell into its tokens.

A text is cut into words and symbols exactly as in training. Symbols that the base vocabulary lacks become unknown
before any merge; then, in each word, the pair with the lowest rank is merged, leftmost first, until no learned pair is
left. Words are cached, since texts repeat them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

import regex

from bpe_tui.core.decoder import Decoder
from bpe_tui.core.errors import EncodeError, OptionError
from bpe_tui.core.lexicon import FixedLexicon, FollowingLexicon, Lexicon
from bpe_tui.core.presets import UNKNOWN_POLICIES, Options
from bpe_tui.core.pretokenize import Span, make_pre_tokenizer
from bpe_tui.core.symbols import Speller, Units, joined
from bpe_tui.core.trainer import Trainer
from bpe_tui.core.vocabulary import Merge, Vocabulary
from bpe_tui.core.word_merges import UNKNOWN, Pieces

__all__ = ["UNKNOWN", "Encoder", "Token", "TraceRow"]

_CACHED_WORDS: Final = 1 << 16
_LONG: Final = 1_000
"""Words of more characters than this are not cached: they seldom come again."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an encoded text."""

    text: str
    """As it is shown; the unknown token's text for an unknown symbol."""
    id: int | None
    """None for an unknown symbol whose stand-in is not in the vocabulary."""
    start: int
    end: int
    """Where it stands in the text, in code points. A byte-level token may cover part of a character."""
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One merge that fired, and the whole text's tokens after it was made in all its places."""

    rank: int
    merge: Merge
    tokens: tuple[Token, ...]


class Encoder:
    """Encodes with a vocabulary and the options that it was trained with."""

    def __init__(self, vocabulary: Vocabulary, options: Options) -> None:
        self._set_up(FixedLexicon(vocabulary, options))

    @classmethod
    def of(cls, trainer: Trainer) -> Encoder:
        """An encoder that follows `trainer`: it always uses the merges up to the moment where the trainer stands."""
        encoder = cls.__new__(cls)
        encoder._set_up(FollowingLexicon(trainer))
        return encoder

    def _set_up(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._pre_tokenizer = make_pre_tokenizer(lexicon.options)
        self._speller = Speller(lexicon.letters, lexicon.byte_tokens, lexicon.options)
        self._decoder = Decoder(lexicon)
        longest_first = sorted(lexicon.specials, key=len, reverse=True)
        self._specials = regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None
        self._units = {policy: _WordCache(partial(self._encode_word, policy)) for policy in UNKNOWN_POLICIES}
        self._ids = {policy: _WordCache(partial(self._word_ids, policy)) for policy in UNKNOWN_POLICIES}

    @property
    def options(self) -> Options:
        """The options that it encodes with."""
        return self._lexicon.options

    def _follow(self) -> None:
        """Go to the moment where the trainer stands."""
        if self._lexicon.refresh():
            for policy in UNKNOWN_POLICIES:
                self._units[policy].clear()
                self._ids[policy].clear()

    def _ready(self, unknown: str) -> None:
        """`_follow`; raises `OptionError` if there is no such policy."""
        self._follow()
        if unknown not in UNKNOWN_POLICIES:
            raise OptionError(f"--unknown {unknown!r} is not one of {', '.join(UNKNOWN_POLICIES)}")

    # -- encoding ------------------------------------------------------------------------------------------------

    def encode(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[Token]:
        """The tokens of `text`. Special tokens in it are plain text unless `allow_special`.

        Raises `OptionError` for an unknown policy that does not exist, and `EncodeError` where the policy `error`
        meets an unknown symbol. The policy `bytes` leaves symbols unknown whose byte tokens the vocabulary lacks.
        """
        self._ready(unknown)
        encoded = self._units[unknown]
        tokens: list[Token] = []
        for span, special in self._words(text, allow_special):
            units = encoded[span[0]] if special is None else [(special, 0, len(span[0]))]
            tokens += self._tokens(units, span, unknown)
        return tokens

    def encode_ids(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[int]:
        """The ids of `encode`, several times as fast; `UNKNOWN` for an unknown symbol that has none. Raises alike."""
        if unknown == "error":
            tokens = self.encode(text, unknown=unknown, allow_special=allow_special)
            return [UNKNOWN if token.id is None else token.id for token in tokens]
        self._ready(unknown)
        split, encoded = self._pre_tokenizer.split, self._ids[unknown]
        ids: list[int] = []
        for start, end, special in self._parts(text, allow_special):
            if special is not None:
                ids.append(special)
            else:
                for word in split(text[start:end]):
                    ids += encoded[word]
        return ids

    def start(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[Token]:
        """The symbols of `text` before any merge."""
        self._ready(unknown)
        tokens: list[Token] = []
        for span, special in self._words(text, allow_special):
            tokens += self._tokens(self._symbols(span, special, unknown), span, unknown)
        return tokens

    def by_word(
        self, text: str, *, unknown: str = "token", merged: bool = True, spans: Sequence[Span] | None = None
    ) -> Iterator[list[Token]]:
        """The tokens (or, without `merged`, the symbols) of one word after the other, each made when it is asked for.

        `spans` are the words as the pre-tokenizer finds them, or some of them. A word has no token at all if the
        policy dropped all of it. Raises like `encode`, when it comes to the word.
        """
        for span in self.spans(text) if spans is None else spans:
            self._ready(unknown)
            units = self._units[unknown][span[0]] if merged else self._speller.spell(span[0], unknown)
            yield self._tokens(units, span, unknown)

    def spans(self, text: str) -> list[Span]:
        """The words of `text` and where they stand."""
        return self._pre_tokenizer.spans(text)

    def _parts(self, text: str, allow_special: bool) -> Iterator[tuple[int, int, int | None]]:
        """`text` cut at its special tokens: (start, end, id of the special token or None for text between them)."""
        begin = 0
        if allow_special and self._specials is not None:
            for match in self._specials.finditer(text):
                yield begin, match.start(), None
                yield match.start(), match.end(), self._lexicon.id_of(match.group())
                begin = match.end()
        yield begin, len(text), None

    def _words(self, text: str, allow_special: bool) -> Iterator[tuple[Span, int | None]]:
        """The words of `text` with their places in it; with an id, a special token that stands for itself."""
        for begin, end, special in self._parts(text, allow_special):
            if special is not None:
                yield (text[begin:end], begin, end), special
            else:
                for word, first, last in self._pre_tokenizer.spans(text[begin:end]):
                    yield (word, begin + first, begin + last), None

    def _symbols(self, span: Span, special: int | None, unknown: str) -> Units:
        return self._speller.spell(span[0], unknown) if special is None else [(special, 0, len(span[0]))]

    def _encode_word(self, unknown: str, word: str) -> Units:
        symbols = self._speller.spell(word, unknown)
        return joined(symbols, self._lexicon.merges.pieces([symbol[0] for symbol in symbols]))

    def _word_ids(self, unknown: str, word: str) -> tuple[int, ...]:
        ids = self._lexicon.merges.merge(self._speller.ids(word, unknown))
        own = self._lexicon.unknown_id
        return tuple(ids if own is None else [own if token == UNKNOWN else token for token in ids])

    def _tokens(self, units: Units, span: Span, unknown: str) -> list[Token]:
        """The tokens of a word where it stands in the text. Raises `EncodeError` if the policy is `error`."""
        word, begin, end = span
        shift = len(word) - (end - begin)
        if unknown == "error":
            self._refuse_unknown(units, word, begin - shift)
        if shift:  # a metaspace put before the text covers nothing of it
            units = [(unit, max(0, start - shift), max(0, stop - shift)) for unit, start, stop in units]
        texts, unk, unk_id = self._lexicon.texts, self.options.unk, self._lexicon.unknown_id
        return [
            Token(texts[unit], unit, begin + start, begin + stop)
            if unit != UNKNOWN
            else Token(unk, unk_id, begin + start, begin + stop, unknown=True)
            for unit, start, stop in units
        ]

    def _refuse_unknown(self, units: Units, word: str, begin: int) -> None:
        for unit, start, stop in units:
            if unit == UNKNOWN:
                what = word[start:stop] or self.options.end_of_word
                raise EncodeError(f"{what!r} at character {max(0, begin + start):,} is not in the alphabet")

    # -- merges --------------------------------------------------------------------------------------------------

    def merge_of(self, left_id: int, right_id: int) -> Merge | None:
        """The merge of two neighbours, if it is learned at this moment."""
        self._follow()
        rank = self._lexicon.merges.rank(left_id, right_id)
        return None if rank is None else self._lexicon.merge(rank)

    def id_of(self, text: str) -> int | None:
        """The id of a token at this moment, if there is one with this text."""
        self._follow()
        return self._lexicon.id_of(text)

    def trace_word(self, symbols: Sequence[int]) -> list[tuple[Merge, Pieces]]:
        """How the symbols of one word, given by their ids, merge: each merge that fires, and the tokens after it.

        A merge is made in all its places at once, unless it makes a token with which an earlier one can fire.
        """
        self._follow()
        return [(self._lexicon.merge(rank), pieces) for rank, pieces in self._lexicon.merges.trace(symbols)]

    def trace(
        self, text: str, *, unknown: str = "token", allow_special: bool = False
    ) -> tuple[list[Token], list[TraceRow]]:
        """The symbols before any merge, then one row for each merge that fires, in learned order.

        This is the slow, plain path: it applies merge after merge and agrees with `encode`.
        """
        self._ready(unknown)
        words = list(self._words(text, allow_special))
        symbols = [self._symbols(span, special, unknown) for span, special in words]
        tokens = [self._tokens(units, span, unknown) for units, (span, _) in zip(symbols, words, strict=True)]
        coming = [
            iter(self.trace_word([unit[0] for unit in units]) if special is None else [])
            for units, (_, special) in zip(symbols, words, strict=True)
        ]
        start = [token for word in tokens for token in word]
        rows: list[TraceRow] = []
        waiting = {index: step for index, steps in enumerate(coming) if (step := next(steps, None)) is not None}
        while waiting:
            first = min((merge for merge, _ in waiting.values()), key=lambda merge: merge.rank)
            for index, (merge, pieces) in list(waiting.items()):
                if merge.rank != first.rank:
                    continue
                tokens[index] = self._tokens(joined(symbols[index], pieces), words[index][0], unknown)
                following = next(coming[index], None)
                if following is None:
                    del waiting[index]
                else:
                    waiting[index] = following
            rows.append(TraceRow(first.rank, first, tuple(token for word in tokens for token in word)))
        return start, rows

    # -- decoding ------------------------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`; bytes that make no character become U+FFFD. Raises `EncodeError` for an unknown id."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of the text of `ids`, exactly."""
        self._follow()
        return self._decoder.decode(ids)


class _WordCache(dict[str, _Value]):
    """Words as they are encoded under one policy; a word that is missing is encoded when it is asked for."""

    def __init__(self, encode_word: Callable[[str], _Value]) -> None:
        super().__init__()
        self._encode_word = encode_word

    def __missing__(self, word: str) -> _Value:
        encoded = self._encode_word(word)
        if len(word) <= _LONG:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[word] = encoded
        return encoded
