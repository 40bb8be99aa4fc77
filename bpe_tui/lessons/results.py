"""What a command results in: sentences and tables, or a failure; frozen values that are safe to print as they are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from bpe_tui.core.display import width
from bpe_tui.core.i18n import plural

if TYPE_CHECKING:
    from bpe_tui.lessons.commands import LessonCommand
    from bpe_tui.lessons.subjects import Subject

WIDTH: Final = 80
"""Cells of a line of text, where it can be broken."""
_GAP: Final = 2
"""Blanks between two columns."""
_LONG_WORD: Final = 12
"""Cells from which on a word in a table may be broken."""
_NARROWEST: Final = 6
"""Cells of a column that is not narrowed any more."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """The head of a table's column."""

    title: str
    is_number: bool = False
    """Its entries are aligned at the right."""
    is_name: bool = False
    """Its numbers are names (of merges, places, ids), and count nothing."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows under heads."""

    heads: tuple[ColumnHead, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0
    """Rows that were not asked for."""

    @property
    def remark(self) -> str:
        """How many rows were left out; empty if none."""
        return plural("… and {count} more", "… and {count} more", self.left_out) if self.left_out else ""

    def column_entries(self, *, are_names: bool) -> list[str]:
        """The entries of all columns of numbers that are names, or of those that are figures."""
        places = [place for place, head in enumerate(self.heads) if head.is_number and head.is_name == are_names]
        return [row[place] for row in self.rows for place in places]

    def lines(self, indent: str = "", cells: int = WIDTH) -> list[str]:
        """The table in lines of at most `cells` cells; the first ones are its heads.

        Where it would be too wide, its widest columns are narrowed, and their entries broken into several lines; short
        words are broken last.
        """
        rows = [tuple(head.title for head in self.heads), *self.rows]
        widths = self._widths(rows, cells - len(indent))
        lines: list[str] = []
        for row in rows:
            entries = [broken(entry, at) for entry, at in zip(row, widths, strict=True)]
            for parts in zip_longest(*entries, fillvalue=""):
                padded = map(_padded, parts, widths, self.heads)
                lines.append((indent + (" " * _GAP).join(padded)).rstrip())
        if self.left_out:
            lines.append(indent + self.remark)
        return lines

    def _widths(self, rows: list[tuple[str, ...]], cells: int) -> list[int]:
        """The cells of each column, so that all together take at most `cells` if that can be."""
        widths = [max(width(row[place]) for row in rows) for place in range(len(self.heads))]
        words = [
            min(_LONG_WORD, max(width(word) for row in rows for word in row[place].split(" ")))
            for place in range(len(widths))
        ]
        texts = [place for place, head in enumerate(self.heads) if not head.is_number]
        while texts and sum(widths) + _GAP * (len(widths) - 1) > cells:
            loose = [place for place in texts if widths[place] > words[place]] or texts
            widest = max(loose, key=lambda place: widths[place])
            if widths[widest] <= _NARROWEST:
                break
            widths[widest] -= 1
        return widths


Output = Sentence | TextTable


@dataclass(frozen=True, slots=True)
class Failure:
    """A command that could not be carried out, or a statement that is not true."""

    line: int
    """Of the file."""
    sentence: str
    """`expected … but …`, safe to print."""
    correction: str | None = None
    """The line as it would be true, for a statement that is not."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What came of one command."""

    command: LessonCommand
    outputs: tuple[Output, ...] = ()
    revealed: frozenset[Subject] = frozenset()
    """What has been shown the value of."""
    failure: Failure | None = None


def wrap(text: str, first: str = "", rest: str = "", cells: int = WIDTH) -> list[str]:
    """`text`, broken at spaces into lines of at most `cells` cells; they begin with `first`, then with `rest`."""
    lines, line, empty = [], first, True
    for word in text.split(" "):
        if not word:
            continue
        if not empty and width(line) + 1 + width(word) > cells:
            lines.append(line)
            line, empty = rest, True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line]


def broken(text: str, cells: int) -> list[str]:
    """`text` in lines of at most `cells` cells, broken at spaces, and inside a word where that is not enough."""
    lines = []
    for line in wrap(text, cells=cells):
        while width(line) > cells:
            end = next(end for end in range(len(line), 0, -1) if width(line[:end]) <= cells or end == 1)
            lines.append(line[:end])
            line = line[end:]
        lines.append(line)
    return lines


def _padded(text: str, cells: int, head: ColumnHead) -> str:
    blanks = " " * (cells - width(text))
    return blanks + text if head.is_number else text + blanks
