"""Aligned columns of plain text, fast enough for tens of thousands of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bpe_tui.core.display import visible, width

WIDEST: Final = 32
"""Cells that a column is widened to at most; a longer entry pushes the rest of its own row only."""

Cells = tuple[str, int]
"""A text fit for the terminal, and how many cells it takes."""


def shown(texts: Iterable[str]) -> dict[str, Cells]:
    """For each of `texts`, what a terminal may see of it and how wide that is."""
    distinct = set(texts)
    chars = set("".join(distinct))
    plain = frozenset(char for char in chars if visible(char) == char and width(char) == 1)
    if len(plain) == len(chars):
        return {text: (text, len(text)) for text in distinct}
    return {
        text: (text, len(text)) if plain.issuperset(text) else (made := visible(text), width(made)) for text in distinct
    }


class TableColumn(NamedTuple):
    """A column as a title and its entries, each padded to its width."""

    title: str
    entries: list[str]


def text_column(title: str, entries: Sequence[Cells]) -> TableColumn:
    """`entries`, padded on the right to one width."""
    widest = min(max(max((cells for _, cells in entries), default=0), width(title)), WIDEST)
    # A text may take more or fewer cells than it has characters, and `ljust` counts these.
    return TableColumn(title.ljust(widest), [text.ljust(widest + len(text) - cells) for text, cells in entries])


def number_column(title: str, entries: Iterable[object]) -> TableColumn:
    """`entries`, padded on the left; each must be ASCII as text."""
    texts = list(map(str, entries))
    cells = max(map(len, (title, *texts)))
    return TableColumn(title.rjust(cells), [text.rjust(cells) for text in texts])


def last_column(title: str, entries: Sequence[str]) -> TableColumn:
    """`entries` as they are; each must come from `displayable`."""
    return TableColumn(title, list(entries))


def lines(*columns: TableColumn) -> str:
    """The columns side by side, two spaces apart, a line each row and no space at the end of a line."""
    rows = zip(*((column.title, *column.entries) for column in columns), strict=True)
    return "".join([row.rstrip() + "\n" for row in map("  ".join, rows)])
