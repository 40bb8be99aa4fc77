"""Which panes are in view, and in how many columns, for a terminal of a given size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIN_WIDTH: Final = 40
MIN_HEIGHT: Final = 12
"""The smallest terminal that the train screen works in."""

TWO_COLUMNS: Final = 72
THREE_COLUMNS: Final = 110
"""Widths from which on panes stand in two and in three columns."""

PANE_IDS: Final = ("corpus", "pairs", "vocabulary", "merges", "algorithm", "curve")
"""The panes in the order of the keys 1 to 6."""

_COLUMNS_3: Final[tuple[tuple[str, ...], ...]] = (("corpus", "pairs", "vocabulary"), ("merges", "algorithm", "curve"))
_COLUMNS_2: Final[tuple[tuple[str, ...], ...]] = (("corpus", "pairs"), ("vocabulary", "merges"), ("algorithm", "curve"))
_MIN_ROW: Final = 8
"""A row of panes has at least this many lines, frames included."""


_HIGH: Final = 23
_TALL: Final = 34
"""Heights from which on the sentences have a line more: if they need it, and always."""
_NARRATION: Final = 42
_WIDE_NARRATION: Final = 72
"""Cells that a narration has beside the panes: at least, and at most."""
_OTHER_LINES: Final = 4
"""Status, timeline, encode pane, keys."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A grid of panes, and the lines that the sentences below have."""

    columns: int
    panes: tuple[str, ...]
    """Ids of the panes in view, row by row."""
    why_height: int


@dataclass(frozen=True, slots=True)
class LessonArrangement:
    """Where a narration stands, and which panes are in view with it."""

    narration: int | None
    """Cells that it takes beside the panes; None if it takes the whole width, or is out of view."""
    is_told: bool
    """Is the narration in view?"""
    panes: Arrangement | None
    """None if no pane is in view."""
    why_height: int


def arrange_lesson(width: int, height: int, focused: str, about: str, *, zoomed: bool = False) -> LessonArrangement:
    """The arrangement of a narration with panes; `focused` is in view, and where there is room the pane `about`.

    Side by side from `TWO_COLUMNS` on; else one above the other; in a low terminal whatever has the focus, alone: the
    narration then leaves the sentences one line.
    """
    told = focused not in PANE_IDS
    why_height = _why_height(width, height, height)
    room = height - _OTHER_LINES - why_height
    if width >= TWO_COLUMNS and not zoomed:
        narration = min(max(_NARRATION, width * 2 // 5), _WIDE_NARRATION)
        panes = arrange(width, height, about if told else focused, beside=narration)
        return LessonArrangement(narration, True, panes, why_height)
    if zoomed or room < 2 * _MIN_ROW:
        if told:
            return LessonArrangement(None, True, None, 1)
        return LessonArrangement(None, False, Arrangement(1, (focused,), why_height), why_height)
    return LessonArrangement(None, True, Arrangement(1, (about if told else focused,), why_height), why_height)


def _why_height(width: int, height: int, needed: int) -> int:
    least = 2 + (width < TWO_COLUMNS)
    return min(max(least + (height >= _TALL), needed), least + (height >= _HIGH))


def arrange(
    width: int, height: int, focused: str, *, zoomed: bool = False, beside: int = 0, sentences: int = 0
) -> Arrangement:
    """The arrangement for a terminal of `width` × `height` cells; `focused` is always in view.

    Of the width, `beside` cells belong to something that stands beside the panes; the sentences need so many lines.
    """
    why_height = _why_height(width, height, sentences)
    if zoomed:
        return Arrangement(1, (focused,), why_height)
    rows = max(1, (height - _OTHER_LINES - why_height) // _MIN_ROW)
    width -= beside
    lines: tuple[tuple[str, ...], ...]
    if width < TWO_COLUMNS:
        columns, lines = 1, tuple((pane,) for pane in PANE_IDS)
    elif width < THREE_COLUMNS:
        columns, lines = 2, _COLUMNS_2
    else:
        columns, lines = 3, _COLUMNS_3
    return Arrangement(columns, _choose(lines, rows, focused), why_height)


def _choose(lines: tuple[tuple[str, ...], ...], rows: int, focused: str) -> tuple[str, ...]:
    """As many lines as fit: the first ones, the last of them giving way to the line that has the focus."""
    wanted = next(line for line in lines if focused in line)
    chosen = list(lines[:rows])
    if wanted not in chosen:
        chosen[-1] = wanted
    return tuple(pane for line in chosen for pane in line)
