"""Aligned columns of plain text, fast enough for tens of thousands of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple

from bpe_tui.cli.output import safe
from bpe_tui.core.glyphs import width

WIDEST: Final = 32
"""Cells that a column is widened to at most; a longer entry pushes the rest of its own row only."""

GAP: Final = "  "
"""Between two columns."""

Cells = tuple[str, int]
"""A text fit for the terminal, and how many cells it takes."""


def shown(texts: Iterable[str]) -> dict[str, Cells]:
    """For each of `texts`, what a terminal may see of it and how wide that is."""
    distinct = set(texts)
    chars = set("".join(distinct))
    plain = frozenset(char for char in chars if safe(char) == char and width(char) == 1)
    if len(plain) == len(chars):
        return {text: (text, len(text)) for text in distinct}
    return {
        text: (text, len(text)) if plain.issuperset(text) else (made := safe(text), width(made)) for text in distinct
    }


class Column(NamedTuple):
    """A column as a title, a `%` format for one row, and the values that each row takes from it."""

    title: str
    form: str
    """With the gap before the column, unless the values bring it themselves."""
    values: tuple[Sequence[object], ...]


def text_column(title: str, entries: Sequence[Cells]) -> Column:
    """`entries`, padded on the right to one width."""
    cells = min(max(max((taken for _, taken in entries), default=0), width(title)), WIDEST)
    texts = [text for text, _ in entries]
    if all([len(text) == taken for text, taken in entries]):  # noqa: C419 - a list is faster than a generator here
        return Column(title.ljust(cells), f"{GAP}%-{cells}s", (texts,))
    padding = [" " * count for count in range(cells + 1)]
    pads = [padding[cells - taken] if taken < cells else "" for _, taken in entries]
    return Column(title.ljust(cells), f"{GAP}%s%s", (texts, pads))


def number_column(title: str, entries: Sequence[object]) -> Column:
    """`entries`, padded on the left; each must be ASCII as text."""
    cells = max(map(len, map(str, (title, *entries))))
    return Column(title.rjust(cells), f"{GAP}%{cells}s", (entries,))


def last_column(title: str, entries: Sequence[str]) -> Column:
    """`entries` as they are; each must come from `glyphs`."""
    return Column(title, "%s", ([GAP + entry if entry else "" for entry in entries],))


def lines(*columns: Column) -> str:
    """The columns side by side, two spaces apart, a line each row and no space at the end of a line."""
    head = GAP.join(column.title for column in columns).rstrip() + "\n"
    form = "".join(column.form for column in columns).removeprefix(GAP) + "\n"
    rows = list(zip(*(part for column in columns for part in column.values), strict=True))
    table: str = form * len(rows) % tuple(chain.from_iterable(rows))
    if " \n" in table:
        table = "".join([line.rstrip() + "\n" for line in table.splitlines()])
    return head + table
