"""The drawing of the curve: numbers in, lines of braille cells out, with no widget in sight."""

from __future__ import annotations

from math import expm1, log1p
from typing import TYPE_CHECKING, Final, NamedTuple

from bpe_tui.core.i18n import number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BRAILLE: Final = 0x2800
DOT: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille cell by dot row and dot column."""
HERE: Final = "●"
GUIDE: Final = "┊"
MIN_HEIGHT_WITH_AXIS: Final = 4
MIN_WIDTH_WITH_FIGURES: Final = 28

LONG: Final = 1_000
"""Merges from which on their axis is logarithmic: the first ones save most, and would all be in the first cells."""

Row = tuple[tuple[str, str], ...]
"""A line of the chart: pieces of text, each with the name of its style."""


class Series(NamedTuple):
    """What the chart shows: one value after each number of merges, 0 included."""

    own: Sequence[int]
    """Tokens of the corpus on the path that was taken."""
    rule: Sequence[int]
    """Tokens of the corpus if the rule had chosen always; empty if that is the path taken."""
    divisor: int
    """What the tokens are counted against: words or bytes of the corpus."""

    def value(self, merges: float, *, rule: bool = False) -> float | None:
        """Tokens per word or byte after so many merges, between two of them on the straight line; None if unknown."""
        tokens = self.rule if rule else self.own
        below = int(merges)
        if not 0 <= merges <= len(tokens) - 1:
            return None
        above = min(below + 1, len(tokens) - 1)
        share = merges - below
        return (tokens[below] * (1 - share) + tokens[above] * share) / self.divisor


class MergeAxis(NamedTuple):
    """Where a number of merges is along the chart: from 0 at the left to 1 at the right."""

    end: int
    """Merges at the right."""

    @property
    def is_logarithmic(self) -> bool:
        """Does each step to the right multiply the merges?"""
        return self.end > LONG

    def share(self, merges: float) -> float:
        """How far to the right so many merges are."""
        return log1p(merges) / log1p(self.end) if self.is_logarithmic else merges / self.end

    def merges(self, share: float) -> float:
        """The merges that are so far to the right."""
        return min(expm1(share * log1p(self.end)), self.end) if self.is_logarithmic else share * self.end


def figure_width(series: Series, width: int, height: int) -> int:
    """Cells at the left for the figures of the upright axis; 0 if there is no room."""
    if width < MIN_WIDTH_WITH_FIGURES or height < MIN_HEIGHT_WITH_AXIS or not series.own:
        return 0
    return len(number(_highest(series), ".2f")) + 1


def _highest(series: Series) -> float:
    return max(series.own[0], series.rule[0] if series.rule else 0) / series.divisor


class Chart:
    """One drawing of the curve, in a grid of braille cells."""

    def __init__(self, series: Series, position: int, end: int, width: int, height: int) -> None:
        self.series = series
        self.position = position
        self.axis = MergeAxis(end)
        self.left = figure_width(series, width, height)
        self.has_axis = height >= MIN_HEIGHT_WITH_AXIS
        self.width = width - self.left
        self.height = height - 1 if self.has_axis else height
        self.high = _highest(series)
        lowest = min(series.own[-1], series.rule[-1] if series.rule else series.own[-1]) / series.divisor
        self.low = min(1.0, lowest) if self.high > 1 else 0.0
        if self.high <= self.low:
            self.high = self.low + 1

    def rows(self) -> list[Row]:
        """The lines, from the top."""
        if self.width < 2 or self.height < 1:
            return [()] * (self.height + self.has_axis)
        cells = self._cells()
        lines = [(*self._figure(line), *_joined(row)) for line, row in enumerate(cells)]
        return [*lines, self._axis()] if self.has_axis else lines

    def _cells(self) -> list[list[tuple[str, str]]]:
        own = self._dots(self.series.value, joined=True)
        rule = self._dots(lambda merges: self.series.value(merges, rule=True), joined=False) if self.series.rule else {}
        here = self._here()
        grid: list[list[tuple[str, str]]] = []
        for line in range(self.height):
            row: list[tuple[str, str]] = []
            for column in range(self.width):
                bits = own.get((line, column), 0)
                other = rule.get((line, column), 0)
                if here == (line, column):
                    row.append((HERE, "here"))
                elif bits:
                    row.append(
                        (
                            chr(BRAILLE | bits | other),
                            "played" if here and column < here[1] + (line < here[0]) else "known",
                        )
                    )
                elif other:
                    row.append((chr(BRAILLE | other), "rule"))
                elif here and column == here[1] and line > here[0]:
                    row.append((GUIDE, "axis"))
                else:
                    row.append((" ", "axis"))
            grid.append(row)
        return grid

    def _dots(self, value: Callable[[float], float | None], *, joined: bool) -> dict[tuple[int, int], int]:
        """Braille bits by (line, column): a joined line, or a dotted one."""
        bits: dict[tuple[int, int], int] = {}
        previous: int | None = None
        for x in range(2 * self.width):
            amount = value(self.axis.merges(x / (2 * self.width - 1)))
            if amount is None:
                break
            y = self._dot_row(amount)
            if joined:
                first, last = (y, y) if previous is None else (min(y, previous + 1), max(y, previous - 1))
            elif x % 3:
                continue
            else:
                first = last = y
            for dot in range(first, last + 1):
                place = (dot // 4, x // 2)
                bits[place] = bits.get(place, 0) | DOT[dot % 4][x % 2]
            previous = y
        return bits

    def _dot_row(self, amount: float) -> int:
        share = (self.high - amount) / (self.high - self.low)
        return round(min(max(share, 0.0), 1.0) * (4 * self.height - 1))

    def _here(self) -> tuple[int, int] | None:
        amount = self.series.value(self.position)
        if amount is None:
            return None
        return self._dot_row(amount) // 4, round(self.axis.share(self.position) * (self.width - 1))

    def _figure(self, line: int) -> Row:
        """The figure beside a line: the highest at the top, the lowest at the bottom, your own between them."""
        if not self.left:
            return ()
        here = self._here()
        text, name = "", "figure"
        if here and line == here[0]:
            text, name = number(self.series.value(self.position) or 0, ".2f"), "here"
        elif line == 0:
            text = number(self.high, ".2f")
        elif line == self.height - 1:
            text = number(self.low, ".2f")
        return ((text.rjust(self.left - 1) + " ", name),)

    def _axis(self) -> Row:
        """`0 ──────31──── 100`: start, place and end along the merges."""
        cells = ["─"] * self.width
        marks: list[tuple[int, str, str]] = []
        end = f" {number(self.axis.end)}"
        if len(end) + 2 < self.width:
            marks.append((self.width - len(end), end, "figure"))
            marks.append((0, "0 ", "figure"))
            here = f" {number(self.position)} "
            start = round(self.axis.share(self.position) * (self.width - 1)) - len(here) // 2
            if start >= 2 and start + len(here) <= self.width - len(end):
                marks.append((start, here, "here"))
        pieces: list[tuple[str, str]] = [(" " * self.left, "axis")] if self.left else []
        at = 0
        for start, text, name in sorted(marks):
            pieces.append(("".join(cells[at:start]), "axis"))
            pieces.append((text, name))
            at = start + len(text)
        pieces.append(("".join(cells[at:]), "axis"))
        return tuple(pieces)


def _joined(cells: list[tuple[str, str]]) -> Row:
    """Neighbours of one style as one piece."""
    pieces: list[tuple[str, str]] = []
    for text, name in cells:
        if pieces and pieces[-1][1] == name:
            pieces[-1] = (pieces[-1][0] + text, name)
        else:
            pieces.append((text, name))
    return tuple(pieces)
