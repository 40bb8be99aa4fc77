"""Aligned columns of plain text, fast enough for tens of thousands of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bpe_tui.cli.output import safe
from bpe_tui.core.glyphs import width

WIDEST: Final = 32
"""Cells that a column is widened to at most; a longer entry pushes the rest of its own row only."""

Cells = tuple[str, int]
"""A text fit for the terminal, and how many cells it takes."""


def shown(texts: Iterable[str]) -> dict[str, Cells]:
    """For each of `texts`, what a terminal may see of it and how wide that is."""
    distinct = set(texts)
    plain = frozenset(char for char in set().union(*distinct) if safe(char) == char and width(char) == 1)
    return {
        text: (text, len(text)) if plain.issuperset(text) else (made := safe(text), width(made)) for text in distinct
    }


class Column(NamedTuple):
    """A column as a title, a `%` format for one row, and the values that each row takes from it."""

    title: str
    form: str
    values: tuple[Sequence[object], ...]


def text_column(title: str, entries: Sequence[Cells]) -> Column:
    """`entries`, padded on the right to one width."""
    cells = min(max(max((taken for _, taken in entries), default=0), width(title)), WIDEST)
    padding = [" " * count for count in range(cells + 1)]
    pads = [padding[cells - taken] if taken < cells else "" for _, taken in entries]
    return Column(title.ljust(cells), "%s%s", ([text for text, _ in entries], pads))


def number_column(title: str, entries: Sequence[object]) -> Column:
    """`entries`, padded on the left; each must be ASCII as text."""
    cells = max(len(str(longest)) for longest in (title, *_longest(entries)))
    return Column(title.rjust(cells), f"%{cells}s", (entries,))


def last_column(title: str, entries: Sequence[str]) -> Column:
    """`entries` as they are; each must come from `glyphs`."""
    return Column(title, "%s", (entries,))


def _longest(entries: Sequence[object]) -> list[object]:
    """Enough of `entries` to know the widest."""
    numbers = [entry for entry in entries if isinstance(entry, int)]
    return [*([max(numbers), min(numbers)] if numbers else ()), *{entry for entry in entries if isinstance(entry, str)}]


def lines(*columns: Column) -> str:
    """The columns side by side, two spaces apart, a line each row and no space at the end of a line."""
    head = "  ".join(column.title for column in columns)
    form = "  ".join(column.form for column in columns)
    rows = zip(*(part for column in columns for part in column.values), strict=True)
    return "\n".join([head.rstrip(), *((form % row).rstrip() for row in rows), ""])
