"""How many cells a character takes, as Textual measures it: what Rich says, but for spacing marks.

Rich counts no cell for marks such as the Hindi vowel sign `ि`. The C library, and with it most terminals, counts one,
as `core.display.width` does. Rich has no setting for it, so that its table is replaced: the one that all of its
functions and all of Textual's measure with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from unicodedata import category

from rich import cells

from bpe_tui.core.display import is_mark

TABLE: Final = "load_cell_table"
"""The function of `rich.cells` that its measuring functions get their table from."""

TAGS: Final = 0xE0000
"""From this plane on there are thousands of characters without a cell, and no marks among them that are shown."""


def count_spacing_marks() -> None:
    """Measure spacing marks as one cell wide from now on, in the whole process."""
    table = getattr(cells, TABLE)("auto")
    ours = table._replace(widths=list(_without_spacing_marks(table.widths)))
    setattr(cells, TABLE, lambda unicode_version="auto": ours)
    measures: tuple[Any, ...] = (cells.get_character_cell_size, cells.cached_cell_len)
    for measure in measures:
        measure.cache_clear()


def _without_spacing_marks(widths: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """The table's ranges (first, last, cells) with gaps for spacing marks: what is in no range takes one cell."""
    for first, last, width in widths:
        start = first
        if width == 0 and 0 < first < TAGS:
            for code in range(first, last + 1):
                if category(chr(code)) == "Mc" and is_mark(chr(code)):
                    if start < code:
                        yield start, code - 1, width
                    start = code + 1
        if start <= last:
            yield start, last, width
