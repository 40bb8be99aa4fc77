"""The layout of a text's chips in rows; free of widgets.

Widths are measured once for each distinct word; rows only hold which words are in them. The chips of a row are
made when it comes into view.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from bpe_tui.core.display import clip
from bpe_tui.ui.text import cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.core.encoding.encoder import Token
    from bpe_tui.core.encoding.tokenized_text import TokenizedText, TokenizedWord
    from bpe_tui.core.readable import Notation

NO_ID: Final = "–"
"""In place of the id of a token that has none."""
LEGEND_WORDS: Final = 400
"""Distinct words whose signs are explained."""
ROOMY: Final = 56
"""Width from which on chips have a blank on either side."""


class Chip(NamedTuple):
    """A token and its place in a row."""

    number: int
    """Its place among all tokens."""
    word: int
    """The word that it belongs to."""
    place: int
    """Its place within the word."""
    token: Token
    left: int
    """Cell of its left border."""
    width: int
    """Cells between its borders."""


class ChipLabel(NamedTuple):
    """Characters over the chips that share them: bytes of theirs, or unknown tokens in their place."""

    first: int
    """Place of the first chip in its row."""
    last: int
    """Place of the last one."""
    text: str
    """The characters, safe to show."""


class ChipRun(NamedTuple):
    """The tokens of one word within a row."""

    word: int
    start: int
    stop: int
    left: int


class ChipRow(NamedTuple):
    """A row of chips: a line of tokens, a line of ids, and above them the characters where they differ."""

    first: int
    """Number of its first token."""
    parts: tuple[ChipRun, ...]
    top: int
    """Its first line."""
    height: int
    """Two lines, or three with characters above the chips."""


class WordMeasures(NamedTuple):
    """What laying out a word needs to know of its tokens."""

    widths: tuple[int, ...]
    whole: int
    """Cells of all chips and their borders."""
    labels: tuple[bool, ...]
    """Which of the chips have characters above them."""
    has_label: bool


def chip_text(token: Token, notation: Notation) -> str:
    """The text on a chip; an unknown has brackets of its own, so that a typed `[UNK]` looks different."""
    return f"⟦{notation.text(token.text)}⟧" if token.unknown else notation.token(token.text)


def id_text(token: Token) -> str:
    """The id under a chip."""
    return NO_ID if token.id is None else str(token.id)


class ChipLayout:
    """The rows of all tokens of a text for one width."""

    def __init__(self, tokenized: TokenizedText, ends: Sequence[bool], width: int, notation: Notation) -> None:
        """Lay out a text in rows of `width` cells; `ends`: after which words a line of it ends."""
        self.width = max(width, 4)
        self.pad = 1 if width >= ROOMY else 0
        self.tokenized = tokenized
        self.notation = notation
        self.rows: list[ChipRow] = []
        self._measures: dict[int, WordMeasures] = {}
        self._lay_out(ends)
        self._tops = [row.top for row in self.rows]
        self._chips = lru_cache(maxsize=64)(self._make_chips)

    @cached_property
    def legend(self) -> tuple[str, ...]:
        """What the signs on the chips mean."""
        words = self.tokenized.distinct_words[:LEGEND_WORDS]
        texts = [token.text for word in words for token in word if not token.unknown]
        return self.notation.legend(texts, spaces=True)

    @property
    def height(self) -> int:
        """Lines in all, without a blank one at the end."""
        return self.rows[-1].top + self.rows[-1].height if self.rows else 0

    def row_at(self, line: int) -> int | None:
        """The place of the row on a line; None for the blank line between rows."""
        place = bisect_right(self._tops, line) - 1
        return place if place >= 0 and line < self._tops[place] + self.rows[place].height else None

    def row_of(self, number: int) -> int:
        """The place of the row that holds a token."""
        return bisect_right(self.rows, number, key=lambda row: row.first) - 1

    def chips(self, row: int) -> tuple[Chip, ...]:
        """The chips of a row."""
        return self._chips(row)

    def chip(self, number: int) -> Chip:
        """The chip of a token."""
        row = self.row_of(number)
        return self.chips(row)[number - self.rows[row].first]

    def nearest(self, row: int, cell: int) -> int:
        """The token of a row at a cell, or nearest to it."""
        found = min(self.chips(row), key=lambda chip: max(chip.left - cell, cell - chip.left - chip.width - 1, 0))
        return found.number

    def labels(self, row: int) -> list[ChipLabel]:
        """The labels above the chips of a row; chips that share characters have one in common."""
        chips = self.chips(row)
        labels: list[ChipLabel] = []
        place = 0
        while place < len(chips):
            first, token, word = place, chips[place].token, chips[place].word
            start, end = token.start, token.end
            while place + 1 < len(chips) and chips[place + 1].word == word and chips[place + 1].token.start < end:
                place += 1
                end = max(end, chips[place].token.end)
            covered = self.tokenized.text[start:end]
            if _is_labelled(token, covered, self.notation):
                room = chips[place].left + chips[place].width - chips[first].left
                labels.append(ChipLabel(first, place, clip(self.notation.text(covered), room)))
            place += 1
        return labels

    # -- rows -------------------------------------------------------------------------------------------------

    def _lay_out(self, ends: Sequence[bool]) -> None:
        parts: list[ChipRun] = []
        first = number = cell = line = 0
        has_label = False

        def end_row() -> None:
            nonlocal first, cell, line, has_label
            if parts:
                height = 3 if has_label else 2
                self.rows.append(ChipRow(first, tuple(parts), line, height))
                line += height + 1
                parts.clear()
            first, cell, has_label = number, 0, False

        for word, kind in enumerate(self.tokenized.kinds):
            measures = self._measure(word, kind)
            widths = measures.widths
            if parts and cell + 2 + measures.whole > self.width:
                end_row()
            elif parts and widths:
                cell += 2  # the closing border and a blank
            if cell + measures.whole <= self.width:
                if widths:
                    parts.append(ChipRun(word, 0, len(widths), cell))
                    cell += measures.whole - 1
                    number += len(widths)
                    has_label = has_label or measures.has_label
            else:
                start, left = 0, cell
                for place, width in enumerate(widths):
                    if place > start and cell + width + 2 > self.width:
                        parts.append(ChipRun(word, start, place, left))
                        end_row()
                        start, left = place, 0
                    cell += width + 1
                    number += 1
                    has_label = has_label or measures.labels[place]
                parts.append(ChipRun(word, start, len(widths), left))
            if ends[word]:
                end_row()
        end_row()

    def _make_chips(self, row: int) -> tuple[Chip, ...]:
        chips: list[Chip] = []
        number = self.rows[row].first
        for word, start, stop, left in self.rows[row].parts:
            tokens = self.tokenized.word(word)
            widths = self._measures[self.tokenized.kinds[word]].widths
            for place in range(start, stop):
                chips.append(Chip(number, word, place, tokens[place], left, widths[place]))
                left += widths[place] + 1
                number += 1
        return tuple(chips)

    def _measure(self, word: int, kind: int) -> WordMeasures:
        measures = self._measures.get(kind)
        if measures is None:
            _, begin, end = self.tokenized.spans[word]
            measures = self._measures[kind] = _measured(
                tuple(self.tokenized.distinct_words[kind]),
                self.tokenized.text[begin:end],
                pad=self.pad,
                most=self.width - 2,
                notation=self.notation,
            )
        return measures


@lru_cache(maxsize=20_000)
def _measured(tokens: TokenizedWord, word: str, *, pad: int, most: int, notation: Notation) -> WordMeasures:
    """The measures of a word; texts keep most of their words from one key to the next."""
    widths: list[int] = []
    labels: list[bool] = []
    for token in tokens:
        width = max(cells(chip_text(token, notation)), len(id_text(token))) + 2 * pad
        covered = word[token.start : token.end]
        labels.append(_is_labelled(token, covered, notation))
        if labels[-1]:
            width = max(width, cells(notation.text(covered)))
        widths.append(min(width, most))
    return WordMeasures(tuple(widths), sum(widths) + len(widths) + 1, tuple(labels), any(labels))


def _is_labelled(token: Token, covered: str, notation: Notation) -> bool:
    """Are the characters shown above the chip? If it has bytes of theirs, or an unknown token in their place."""
    if token.unknown or not notation.byte_level or covered.isascii():
        return token.unknown
    return notation.token(token.text) != notation.text(covered)
