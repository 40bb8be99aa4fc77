"""Encoding text with learned merges, decoding ids, and the trace that shows how a text fell into its tokens.

A text is cut into words and symbols exactly as in training. Symbols that the base vocabulary lacks become unknown
before any merge; then, in each word, the pair with the lowest rank is merged, leftmost first, until no learned pair is
left. Words are cached, since texts repeat them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from bpe_tui.core import i18n as language
from bpe_tui.core.corpus.alphabet import alphabet_text
from bpe_tui.core.corpus.pretokenize import PlacedSpan, Span
from bpe_tui.core.encoding.dialect import PLAIN, Dialect
from bpe_tui.core.encoding.merge_ranks import UNKNOWN, Pieces
from bpe_tui.core.encoding.symbols import SymbolSplitter, Units, joined
from bpe_tui.core.encoding.token_table import FixedLexicon, FollowingLexicon, TokenTable
from bpe_tui.core.encoding.tokens import AS_TOKEN, Shape, Token, TraceRow, placed
from bpe_tui.core.encoding.word_cache import WordCache
from bpe_tui.core.errors import EncodeError, OptionError
from bpe_tui.core.gc_paused import gc_paused
from bpe_tui.core.i18n import _
from bpe_tui.core.options import UNKNOWN_POLICIES, Options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary

if TYPE_CHECKING:
    from bpe_tui.core.training.trainer import Trainer

__all__ = ["UNKNOWN", "Encoder", "Token", "TraceRow"]


class Encoder:
    """Encodes with a vocabulary and the options that it was trained with."""

    def __init__(self, vocabulary: Vocabulary, options: Options, dialect: Dialect = PLAIN) -> None:
        self._set_up(FixedLexicon(vocabulary, options, dialect), dialect)

    @classmethod
    def of(cls, trainer: Trainer) -> Encoder:
        """An encoder that follows `trainer`: it always uses the merges up to the moment where the trainer stands."""
        encoder = cls.__new__(cls)
        encoder._set_up(FollowingLexicon(trainer), PLAIN)
        return encoder

    def _set_up(self, lexicon: TokenTable, dialect: Dialect) -> None:
        self._lexicon = lexicon
        self._dialect = dialect
        self._cutter = dialect.cutter(lexicon)
        self._speller = SymbolSplitter(lexicon.letters, lexicon.byte_tokens, lexicon.options, dialect.continuing_prefix)
        self._decoder = dialect.decoder(lexicon)
        self._shapes = {policy: WordCache(partial(self._encode_word, policy)) for policy in UNKNOWN_POLICIES}
        self._ids = {policy: WordCache(partial(self._word_ids, policy)) for policy in UNKNOWN_POLICIES}

    @property
    def options(self) -> Options:
        """The options that it encodes with."""
        return self._lexicon.options

    def use(self, merges: int) -> None:
        """Use the first `merges` merges of a finished vocabulary; whoever follows a trainer moves the trainer."""
        assert isinstance(self._lexicon, FixedLexicon)
        self._lexicon.use(merges)

    def _follow(self) -> None:
        """Go to the moment where the trainer stands."""
        if self._lexicon.refresh():
            for policy in UNKNOWN_POLICIES:
                self._shapes[policy].clear()
                self._ids[policy].clear()

    def _ready(self, unknown: str) -> None:
        """`_follow`; raises `OptionError` if there is no such policy."""
        self._follow()
        if unknown not in UNKNOWN_POLICIES:
            raise OptionError(
                _("{flag} {value!r} is not one of {names}").format(
                    flag="--unknown", value=unknown, names=", ".join(UNKNOWN_POLICIES)
                )
            )

    # -- encoding ------------------------------------------------------------------------------------------------

    def encode(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[Token]:
        """The tokens of `text`. Special tokens in it are plain text unless `allow_special`.

        Raises `OptionError` for an unknown policy that does not exist, and `EncodeError` where the policy `error`
        meets an unknown symbol. The policy `bytes` leaves symbols unknown whose byte tokens the vocabulary lacks.
        """
        self._ready(unknown)
        with gc_paused():
            tokens = self._tokens_of(self._cutter.spans(text, allow_special), unknown)
            tokens[:0] = self._beside(self._dialect.before, 0)
            return tokens + self._beside(self._dialect.after, len(text)) if self._dialect.after else tokens

    def _tokens_of(self, spans: Sequence[Span], unknown: str) -> list[Token]:
        """The tokens of words where they stand in the text. Raises like `encode`."""
        encoded, make = self._shapes[unknown], tuple.__new__
        if unknown != "error" and self.options.pre_tokenizer != "metaspace" and set(map(type, spans)) <= {tuple}:
            # Words that are the text they cover: what `_placed` does, in one go.
            return [
                make(Token, (part, token, begin + start, begin + stop, is_unknown))
                for word, begin, _ in spans
                for part, token, start, stop, is_unknown in encoded[word]
            ]
        placed = (self._placed(self._token_itself(span) or encoded[span[0]], span, unknown) for span in spans)
        return list(map(AS_TOKEN, chain.from_iterable(placed)))

    def encode_ids(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[int]:
        """The ids of `encode`, several times as fast; `UNKNOWN` for an unknown symbol that has none. Raises alike."""
        if unknown == "error":
            tokens = self.encode(text, unknown=unknown, allow_special=allow_special)
            return [UNKNOWN if token.id is None else token.id for token in tokens]
        self._ready(unknown)
        encoded = self._ids[unknown]
        ids = list(self._dialect.before)
        for words in self._cutter.words(text, allow_special):
            if isinstance(words, int):
                ids.append(words)
            else:
                for word in words:
                    ids += encoded[word]
        ids += self._dialect.after
        return ids

    def by_word(
        self, text: str, *, unknown: str = "token", merged: bool = True, spans: Sequence[Span] | None = None
    ) -> Iterator[list[Token]]:
        """The tokens (or, without `merged`, the symbols) of one word after the other, each made when it is asked for.

        `spans` are the words as the pre-tokenizer finds them, or some of them. A word has no token at all if the
        policy dropped all of it. Raises like `encode`, when it comes to the word.
        """
        for span in self.spans(text) if spans is None else spans:
            self._ready(unknown)
            if merged:
                shape = self._token_itself(span) or self._shapes[unknown][span[0]]
                yield list(map(AS_TOKEN, self._placed(shape, span, unknown)))
            else:
                yield self._tokens(self._symbols(span, unknown), span, unknown)

    def spans(self, text: str, *, allow_special: bool = False) -> list[Span]:
        """The words of `text` and where they stand; special tokens are words of their own if `allow_special`."""
        return self._cutter.spans(text, allow_special)

    def around(self, length: int) -> tuple[list[Span], list[Span]]:
        """What every text of `length` begins and ends with, as words that are tokens by themselves."""
        before, after = self._dialect.before, self._dialect.after
        return (
            [PlacedSpan("", 0, 0, token=token) for token in before],
            [PlacedSpan("", length, length, token=token) for token in after],
        )

    def _symbols(self, span: Span, unknown: str) -> Units:
        """The symbols of a word; one that is a token whatever the merges would make of it is that from the start."""
        if isinstance(span, PlacedSpan) and span.token is not None:
            return [(span.token, 0, len(span[0]))]
        whole = self._whole(span[0])
        if whole is not None and self._merged(unknown, span[0]) != whole:
            return whole
        return self._speller.spell(span[0], unknown)

    def _merged(self, unknown: str, word: str) -> Units:
        symbols = self._speller.spell(word, unknown)
        return joined(symbols, self._lexicon.merges.pieces([symbol[0] for symbol in symbols]))

    def _encode_word(self, unknown: str, word: str) -> list[Shape]:
        whole = self._whole(word)
        symbols = self._speller.one_each(word) if whole is None else None
        if symbols is None:
            return self._shape(whole or self._merged(unknown, word), word, unknown)
        texts, start = self._lexicon.texts, 0
        shape: list[Shape] = []
        for token in self._lexicon.merges.merge(symbols):  # each as long as its text
            text = texts[token]
            shape.append((text, token, start, start := start + len(text), False))
        return shape

    def _token_itself(self, span: Span) -> list[Shape] | None:
        """The token that a word is by itself; None for a word to be encoded."""
        if not isinstance(span, PlacedSpan) or span.token is None:
            return None
        return [(self._lexicon.texts[span.token], span.token, 0, len(span[0]), False)]

    def _whole(self, word: str) -> Units | None:
        """The word as the one token that it is whatever the merges say, if it is one."""
        if not self._dialect.whole_words:
            return None
        token = self._lexicon.whole(alphabet_text(word, self.options))
        return None if token is None else [(token, 0, len(word))]

    def _word_ids(self, unknown: str, word: str) -> tuple[int, ...]:
        whole = self._whole(word)
        if whole is not None:
            return (whole[0][0],)
        ids = self._lexicon.merges.merge(self._speller.ids(word, unknown))
        own = self._lexicon.unknown_id
        return tuple(ids if own is None else [own if token == UNKNOWN else token for token in ids])

    def _shape(self, units: Units, word: str, unknown: str) -> list[Shape]:
        """The tokens of a word, their places counted from its start."""
        texts, unk, unk_id = self._lexicon.texts, self.options.unk, self._lexicon.unknown_id
        if unknown == "error" or (self._dialect.open_alphabet and unknown == "token"):
            return [
                (texts[unit], unit, start, stop, False)
                if unit != UNKNOWN
                else (self._speller.text(word, start, stop), None, start, stop, True)
                for unit, start, stop in units
            ]
        return [
            (texts[unit], unit, start, stop, False) if unit != UNKNOWN else (unk, unk_id, start, stop, True)
            for unit, start, stop in units
        ]

    def _placed(self, shape: list[Shape], span: Span, unknown: str) -> list[Shape]:
        """The tokens of a word where it stands in the text. Raises `EncodeError` if the policy is `error`."""
        shape = placed(shape, span)
        if unknown == "error":
            for text, _token, start, _stop, is_unknown in shape:
                if is_unknown:
                    what = text.removesuffix(self.options.end_of_word) or self.options.end_of_word
                    raise EncodeError(
                        _("{what!r} at character {place} is not in the alphabet").format(
                            what=what, place=language.number(start)
                        )
                    )
        return shape

    def _tokens(self, units: Units, span: Span, unknown: str) -> list[Token]:
        """Symbols or tokens of a word where it stands in the text. Raises like `_placed`."""
        return list(map(AS_TOKEN, self._placed(self._shape(units, span[0], unknown), span, unknown)))

    def _beside(self, ids: Sequence[int], place: int) -> list[Token]:
        """Tokens that stand for nothing of the text."""
        return [Token(self._lexicon.texts[token], token, place, place) for token in ids]

    # -- merges --------------------------------------------------------------------------------------------------

    def id_of(self, text: str) -> int | None:
        """The id of a token at this moment, if there is one with this text."""
        self._follow()
        return self._lexicon.id_of(text)

    def is_special(self, token: int) -> bool:
        """Whether this id is that of a special token."""
        return token in self._lexicon.specials.values()

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
        words = self._cutter.spans(text, allow_special)
        symbols = [self._symbols(span, unknown) for span in words]
        tokens = [self._tokens(units, span, unknown) for units, span in zip(symbols, words, strict=True)]
        coming = [iter(self.trace_word([unit[0] for unit in units])) for units in symbols]
        before, after = self._beside(self._dialect.before, 0), self._beside(self._dialect.after, len(text))
        start = [*before, *(token for word in tokens for token in word), *after]
        rows: list[TraceRow] = []
        waiting = {index: step for index, steps in enumerate(coming) if (step := next(steps, None)) is not None}
        while waiting:
            first = min((merge for merge, _ in waiting.values()), key=lambda merge: merge.rank)
            for index, (merge, pieces) in list(waiting.items()):
                if merge.rank != first.rank:
                    continue
                tokens[index] = self._tokens(joined(symbols[index], pieces), words[index], unknown)
                following = next(coming[index], None)
                if following is None:
                    del waiting[index]
                else:
                    waiting[index] = following
            now = (*before, *(token for word in tokens for token in word), *after)
            rows.append(TraceRow(first.rank, first, now))
        return start, rows

    # -- decoding ------------------------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`; bytes that make no character become U+FFFD. Raises `EncodeError` for an unknown id."""
        self._follow()
        return self._decoder.text(ids)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of the text of `ids`, exactly."""
        self._follow()
        return self._decoder.decode(ids)
