"""Two tokenizers on one text: their tokens aligned by characters, and why they differ where they do.

Words with words cannot be compared, since each tokenizer may cut them in its own way; characters can. A span of the
text is where both have a boundary at its start and at its end, and not both have one inside: the shortest stretches
that can be compared at all. Where the two cover such a span with different tokens, the reason is the first of these
that holds: one leaves characters out, one has a token that is found before any merge, one does not know a symbol, the
pre-tokenizers cut the text in different places, and last, a merge that one has learned and the other has not.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bpe_tui.core.corpus.alphabet import bytes_to_chars, is_byte_level
from bpe_tui.core.corpus.pretokenize import METASPACE, PlacedSpan
from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.encoding.replay import WordReplay
from bpe_tui.core.encoding.tokenized_text import TokenizedText, finish, tokenize
from bpe_tui.core.i18n import _, number
from bpe_tui.core.readable import Notation
from bpe_tui.core.teaching.token_facts import token_bytes, unknown_sentence
from bpe_tui.core.training.trainer import Trainer

if TYPE_CHECKING:
    from bpe_tui.core.corpus.pretokenize import Span
    from bpe_tui.core.training.vocabulary import Merge

LONGEST_TRACED: Final = 3_000
"""Characters of a word beyond which no merge is looked for."""
LONGEST_QUOTED: Final = 24
"""Characters of the text that a sentence quotes."""


class DifferenceKind(StrEnum):
    """What makes the tokens of a span differ."""

    LEFT_OUT = "left-out"
    ADDED_TOKEN = "added-token"
    UNKNOWN = "unknown"
    PRE_TOKENIZER = "pre-tokenizer"
    MERGES = "merges"


@dataclass(frozen=True)
class ComparedTokenizer:
    """One of two tokenizers that are compared."""

    name: str
    """What it is called in sentences; safe to show."""
    encoder: Encoder
    notation: Notation
    """Shows its tokens."""
    unknown: str = "token"
    """Its policy for unknown symbols."""

    def tokenize(self, text: str, *, allow_special: bool = False) -> TokenizedText:
        """The text in its tokens; if the policy refuses the text, those of the policy `token`."""
        return finish(tokenize(self.encoder, text, self.unknown, allow_special=allow_special))


@dataclass(frozen=True, slots=True)
class AlignedSpan:
    """A shortest stretch of the text at whose ends both tokenizers have a boundary."""

    start: int
    end: int
    """In code points; the same as `start` for tokens that cover nothing."""
    tokens: tuple[range, range]
    """The tokens of either side, by number; one of them is empty where that side leaves characters out."""
    differs: bool


@dataclass(frozen=True, slots=True)
class TokenDifference:
    """Why the two cover a span with different tokens."""

    span: AlignedSpan
    kind: DifferenceKind
    sentences: tuple[str, ...]


def aligned_spans(first: Sequence[Token], second: Sequence[Token]) -> list[AlignedSpan]:
    """The tokens of two tokenizers for one text, in spans; all places untrimmed and in ascending order."""
    sides = (first, second)
    at = [0, 0]
    spans: list[AlignedSpan] = []
    while at[0] < len(first) or at[1] < len(second):
        begun = (at[0], at[1])
        if (length := _equal_run(first, second, *begun)) > 0:  # most tokens of similar tokenizers are alike
            for place in range(length):
                token, ours, theirs = first[begun[0] + place], begun[0] + place, begun[1] + place
                ranges = range(ours, ours + 1), range(theirs, theirs + 1)
                spans.append(AlignedSpan(token.start, token.end, ranges, False))
            at = [begun[0] + length, begun[1] + length]
            continue
        start = end = min(side[place].start for side, place in zip(sides, at, strict=True) if place < len(side))
        for own, side in enumerate(sides):  # tokens that cover nothing are a span of their own
            while at[own] < len(side) and side[at[own]].start == side[at[own]].end == start:
                at[own] += 1
        if (at[0], at[1]) == begun:
            end = start + 1  # no token that covers something covers less than a character
            grows = True
            while grows:
                grows = False
                for own, side in enumerate(sides):
                    while at[own] < len(side) and side[at[own]].start < end:
                        end = max(end, side[at[own]].end)
                        at[own] += 1
                        grows = True
        ranges = (range(begun[0], at[0]), range(begun[1], at[1]))
        covers = (
            [(token.start, token.end, token.unknown) for token in side[own.start : own.stop]]
            for side, own in zip(sides, ranges, strict=True)
        )
        spans.append(AlignedSpan(start, end, ranges, operator.ne(*covers)))
    return spans


def _equal_run(first: Sequence[Token], second: Sequence[Token], ours: int, theirs: int) -> int:
    """How many tokens from two places on cover the same characters each, none of them sharing any with others."""
    count = 0
    seen = -1
    for place in range(min(len(first) - ours, len(second) - theirs)):
        (_one, _id, start, end, is_unknown), other = first[ours + place], second[theirs + place]
        if (start, end, is_unknown) != other[2:] or start == end or start < seen:
            break
        seen = end
        count += 1
    # The last one may share its characters with the token after it on either side.
    if count and any(
        place + count < len(side) and side[place + count].start < seen
        for side, place in ((first, ours), (second, theirs))
    ):
        count -= 1
    return count


class SideBySide:
    """A text in the tokens of two tokenizers."""

    def __init__(
        self,
        text: str,
        sides: tuple[ComparedTokenizer, ComparedTokenizer],
        tokenized: tuple[TokenizedText, TokenizedText] | None = None,
        *,
        allow_special: bool = False,
    ) -> None:
        """`tokenized` is the text in the tokens of either side, if that is known. Raises like `tokenize`."""
        self.text = text
        self.sides = sides
        if tokenized is None:
            first, second = (side.tokenize(text, allow_special=allow_special) for side in sides)
            tokenized = first, second
        self.tokenized = tokenized
        self.tokens = tuple(_untrimmed(one) for one in tokenized)
        """The tokens of either side, with the places of all that they were made of."""
        self.spans = aligned_spans(*self.tokens)

    @cached_property
    def differing(self) -> list[AlignedSpan]:
        """The spans that the two cover with different tokens."""
        return [span for span in self.spans if span.differs]

    def tokens_of(self, side: int, span: AlignedSpan) -> list[Token]:
        """The tokens of one side (0 or 1) in a span."""
        own = span.tokens[side]
        return self.tokens[side][own.start : own.stop]

    def explain(self, span: AlignedSpan) -> TokenDifference:
        """Why the two differ in a span."""
        for kind, explained in (
            (DifferenceKind.LEFT_OUT, self._left_out(span)),
            (DifferenceKind.ADDED_TOKEN, self._added_token(span)),
            (DifferenceKind.UNKNOWN, self._unknown(span)),
            (DifferenceKind.PRE_TOKENIZER, self._cut_apart(span)),
        ):
            if explained:
                return TokenDifference(span, kind, (explained,))
        return TokenDifference(span, DifferenceKind.MERGES, tuple(self._merges(span)))

    def explanations(self, most: int) -> Iterator[TokenDifference]:
        """The first differences, explained."""
        return map(self.explain, self.differing[:most])

    # -- reasons ----------------------------------------------------------------------------------------------

    def _left_out(self, span: AlignedSpan) -> str:
        for side, own in enumerate(span.tokens):
            if not own:
                if span.start == span.end:
                    token = self.tokens_of(1 - side, span)[0]
                    return _("{name} puts {token} around every text; {other} does not.").format(
                        name=self.sides[1 - side].name,
                        token=self.sides[1 - side].notation.token(token.text),
                        other=self.sides[side].name,
                    )
                return _("{name} leaves {text} out.").format(name=self.sides[side].name, text=self._quoted(side, span))
        return ""

    def _added_token(self, span: AlignedSpan) -> str:
        for side in (0, 1):
            for word in self._words(side, span):
                if isinstance(word, PlacedSpan) and word.token is not None and word[2] > word[1]:
                    return _("{name} finds {token} in the text before any merge, as one token.").format(
                        name=self.sides[side].name, token=self.sides[side].notation.text(self.text[word[1] : word[2]])
                    )
        return ""

    def _unknown(self, span: AlignedSpan) -> str:
        for side in (0, 1):
            own, other = self.tokens_of(side, span), self.tokens_of(1 - side, span)
            unknown = next((token for token in own if token.unknown), None)
            if unknown is not None and not all(token.unknown for token in other):
                what = self.sides[side]
                return _("{name}: {unknown}.").format(
                    name=what.name,
                    unknown=unknown_sentence(what.encoder, self.text[unknown.start : unknown.end], what.notation),
                )
        return ""

    def _cut_apart(self, span: AlignedSpan) -> str:
        """The first place that only one of the pre-tokenizers cuts at, and the other has a token over."""
        cuts = [{word[1] for word in self._words(side, span) if span.start < word[1] < span.end} for side in (0, 1)]
        for place in sorted(cuts[0] ^ cuts[1]):
            side = 0 if place in cuts[0] else 1
            over = next((token for token in self.tokens_of(1 - side, span) if token.start < place < token.end), None)
            if over is None:
                continue
            words = [word for word in self._words(side, span) if word[2] > over.start and word[1] < over.end]
            begin = min(over.start, words[0][1])
            ends = [*(word[1] for word in words if word[1] > begin), max(over.end, words[-1][2])]
            notation = self.sides[side].notation
            sentence = _(
                "{name}: the pre-tokenizer cuts {words}, and no merge crosses a cut; {other} has {text} in one word."
            )
            return sentence.format(
                name=self.sides[side].name,
                words=" | ".join(notation.text(self._clipped(*piece)) for piece in pairwise([begin, *ends])),
                other=self.sides[1 - side].name,
                text=self.sides[1 - side].notation.text(self._clipped(over.start, over.end)),
            )
        return ""

    def _merges(self, span: AlignedSpan) -> list[str]:
        """Which merge one has made over a boundary of the other, and what became of it there."""
        ends = [{token.end for token in self.tokens_of(side, span)} for side in (0, 1)]
        place = min(ends[0] ^ ends[1], default=None)
        if place is None:  # the same characters in more and in fewer bytes
            joined = 0 if len(span.tokens[0]) < len(span.tokens[1]) else 1
            token = self.tokens_of(joined, span)[0]
        else:
            joined = 1 if place in ends[0] else 0
            over = [one for one in self.tokens_of(joined, span) if one.start < place < one.end]
            token = over[0] if over else self.tokens_of(joined, span)[0]
        side = self.sides[joined]
        found = self._merge_over(joined, token, place)
        if found is None:
            return [
                _("{name} has {token} as one token, whatever its merges make of the word.").format(
                    name=side.name, token=side.notation.token(token.text)
                )
            ]
        merge, made = found
        learned = _("{name} learned {pair} (merge {number}).").format(
            name=side.name, pair=side.notation.pair(merge.left, merge.right), number=number(merge.rank + 1)
        )
        return [learned, self._fate(joined, merge, made)]

    def _fate(self, joined: int, merge: Merge, made: Token) -> str:
        """Why a merge of one side, which made a token of this text, was not made by the other."""
        side, other = self.sides[joined], self.sides[1 - joined]
        name, timeline = other.name, other.encoder.timeline
        shown = [side.notation.token(text) for text in (merge.left, merge.right)]
        if isinstance(timeline, Trainer) and not _is_in_corpus(timeline, _bytes_of(side, merge.token)):
            return _("{name} has not seen {text} in one word.").format(name=name, text=side.notation.token(merge.token))
        left, right = (self._id_there(joined, text) for text in (merge.left, merge.right))
        if left is None or right is None:
            return _("{name} has no token {token}.").format(name=name, token=shown[0] if left is None else shown[1])
        known = other.encoder.merge_of(left, right)
        if known is not None and known.rank >= timeline.position:
            return _("{name} learns it later, as merge {number}.").format(name=name, number=number(known.rank + 1))
        if known is not None:
            first = self._fired_across(1 - joined, made)
            if first is None or first.rank > known.rank:
                return _("{name} knows it too, but here the two never occur side by side.").format(name=name)
            return _("{name} knows it too, but {merge} comes first (merge {number}).").format(
                name=name, merge=other.notation.merge(first.left, first.right), number=number(first.rank + 1)
            )
        if timeline.pair_frequency(left, right):
            return _("{name} has seen it too, but so far never as the most frequent pair.").format(name=name)
        first = self._fired_across(1 - joined, made)
        if first is None:
            return _("{name} never learned it.").format(name=name)
        return _("{name} never learned it; there {merge} comes first (merge {number}).").format(
            name=name, merge=other.notation.merge(first.left, first.right), number=number(first.rank + 1)
        )

    # -- what the reasons are read from -----------------------------------------------------------------------

    def _words(self, side: int, span: AlignedSpan) -> list[Span]:
        """The words of one side that share characters with a span."""
        tokenized = self.tokenized[side]
        if span.start == span.end:
            return []
        first = max(0, tokenized.word_at(span.start))
        last = tokenized.word_at(span.end - 1)
        return [word for word in tokenized.spans[first : last + 1] if word[1] < span.end and word[2] > span.start]

    def _word_at(self, side: int, place: int) -> Span | None:
        tokenized = self.tokenized[side]
        index = tokenized.word_at(place)
        return tokenized.spans[index] if index >= 0 else None

    def _traced(self, side: int, place: int) -> WordReplay | None:
        """How the word at a place merges; None if it does not, or is too long to say."""
        word = self._word_at(side, place)
        if word is None or len(word[0]) > LONGEST_TRACED or (isinstance(word, PlacedSpan) and word.token is not None):
            return None
        what = self.sides[side]
        policy = "token" if what.unknown == "error" else what.unknown
        symbols = what.encoder.symbols_of(word, unknown=policy)
        return WordReplay(symbols, list(what.encoder.trace_word(symbols)))

    def _merge_over(self, side: int, token: Token, place: int | None) -> tuple[Merge, Token] | None:
        """The merge that first joined what is before and after a place in a token, and what it made.

        Without a place it is the one that made the token; None if no merge did.
        """
        traced = self._traced(side, token.start)
        for count in range(1, len(traced or ()) + 1):
            assert traced is not None
            tokens = traced.tokens(count)
            for number_of in sorted(traced.made_by(count)):
                made = tokens[number_of]
                is_it = made.id == token.id if place is None else made.start < place < made.end
                if is_it and token.start <= made.start and made.end <= token.end:
                    return traced.merges[count - 1][0], made
        return None

    def _fired_across(self, side: int, made: Token) -> Merge | None:
        """The first merge of a side that joins characters of a token of the other side with those beside it."""
        traced = self._traced(side, made.start)
        for count in range(1, len(traced or ()) + 1):
            assert traced is not None
            tokens = traced.tokens(count)
            for number_of in sorted(traced.made_by(count)):
                own = tokens[number_of]
                if own.start < made.start < own.end or own.start < made.end < own.end:
                    return traced.merges[count - 1][0]
        return None

    def _id_there(self, side: int, text: str) -> int | None:
        """The token of the other side that stands for the same bytes as a token of this one; None without one."""
        plain, there = _bytes_of(self.sides[side], text), self.sides[1 - side].encoder
        if is_byte_level(there.options):
            return there.id_of(bytes_to_chars(plain))
        written = plain.decode("utf-8", "surrogateescape")
        return next((token for form in _forms(there, written) if (token := there.id_of(form)) is not None), None)

    def _quoted(self, side: int, span: AlignedSpan) -> str:
        return self.sides[side].notation.text(self._clipped(span.start, span.end))

    def _clipped(self, start: int, end: int) -> str:
        return (
            self.text[start:end] if end - start <= LONGEST_QUOTED else self.text[start : start + LONGEST_QUOTED] + "…"
        )


def _untrimmed(tokenized: TokenizedText) -> list[Token]:
    return [token for word in range(len(tokenized.spans)) for token in tokenized.word(word)]


def _bytes_of(side: ComparedTokenizer, text: str) -> bytes:
    """What a token stands for, whatever its alphabet, without the signs for where it stands in a word."""
    return token_bytes(side.encoder, Token(text, None, 0, 0), "")


def _forms(encoder: Encoder, text: str) -> list[str]:
    """How an alphabet of characters may write a token."""
    options, prefix = encoder.options, encoder.dialect.continuing_prefix
    forms = [text, text.replace(" ", METASPACE)]
    return [*forms, text + options.end_of_word, prefix + text]


def _is_in_corpus(trainer: Trainer, data: bytes) -> bool:
    """Does any word of a training hold these bytes? So it may seem where they are not whole characters."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    forms = {text, text.replace(" ", METASPACE)}
    return any(form in word for word in trainer.words.words for form in forms)
