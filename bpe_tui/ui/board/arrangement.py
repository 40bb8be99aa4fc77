"""Which panes are in view, and in how many columns, for a terminal of a given size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIN_WIDTH: Final = 40
MIN_HEIGHT: Final = 12
"""The smallest terminal that a board works in."""

TWO_COLUMNS: Final = 72
THREE_COLUMNS: Final = 110
"""Widths from which on panes are in two and in three columns."""

PANE_IDS: Final = ("corpus", "pairs", "vocabulary", "merges", "algorithm", "curve")
"""The panes in the order of the keys 1 to 6."""
NARRATION: Final = "narration"
"""Id of what a lesson has beside the panes; its key is 0."""

_COLUMNS_3: Final[tuple[tuple[str, ...], ...]] = (("corpus", "pairs", "vocabulary"), ("merges", "algorithm", "curve"))
_COLUMNS_2: Final[tuple[tuple[str, ...], ...]] = (("corpus", "pairs"), ("vocabulary", "merges"), ("algorithm", "curve"))
_MIN_ROW: Final = 8
"""A row of panes has at least this many lines, frames included."""
_HIGH: Final = 23
_TALL: Final = 34
"""Heights from which on the explanation has a line more: if it needs it, and always."""
_MIN_NARRATION: Final = 42
_MAX_NARRATION: Final = 72
"""Cells of a narration beside the panes: at least, and at most."""
_OTHER_LINES: Final = 4
"""Status, timeline, encode line, keys."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A grid of panes, what is beside or above it, and the lines that the explanation has."""

    columns: int
    panes: tuple[str, ...]
    """Ids of the panes in view, row by row; none if a narration takes their place."""
    explanation_height: int
    shows_narration: bool = False
    narration_width: int | None = None
    """Cells of the narration beside the panes; None if it has the whole width."""


def arrange(width: int, height: int, focused: str, *, zoomed: bool = False, sentences: int = 0) -> Arrangement:
    """Panes for a terminal of `width` × `height` cells; `focused` is always in view.

    The explanation needs `sentences` lines.
    """
    explanation = _explanation_height(width, height, sentences)
    if zoomed:
        return Arrangement(1, (focused,), explanation)
    columns, panes = _grid(width, height, focused, explanation)
    return Arrangement(columns, panes, explanation)


def arrange_with_narration(
    width: int, height: int, focused: str, about: str, *, panes: tuple[str, ...] = PANE_IDS, zoomed: bool = False
) -> Arrangement:
    """A narration with those of `panes` that fit: `focused` is in view, and where there is room the pane `about`.

    They are side by side from `TWO_COLUMNS` on, else one above the other; in a low terminal whatever has the focus is
    alone: the narration then leaves the explanation one line.
    """
    is_read = focused == NARRATION
    pane = about if is_read else focused
    explanation = _explanation_height(width, height, height)
    if not panes:
        return Arrangement(1, (), explanation, True)
    pane = pane if pane in panes else panes[0]
    if width >= TWO_COLUMNS and not zoomed:
        narration = min(max(_MIN_NARRATION, width * 2 // 5), _MAX_NARRATION)
        # Longer sentences take a line from the panes, but never a row of them.
        columns, shown = _grid(width - narration, height, pane, _explanation_height(width, height, 0), panes)
        return Arrangement(columns, shown, explanation, True, narration)
    if zoomed or height - _OTHER_LINES - explanation < 2 * _MIN_ROW:
        return Arrangement(1, (), 1, True) if is_read else Arrangement(1, (focused,), explanation)
    return Arrangement(1, (pane,), explanation, True)


def _explanation_height(width: int, height: int, needed: int) -> int:
    least = 2 + (width < TWO_COLUMNS)
    return min(max(least + (height >= _TALL), needed), least + (height >= _HIGH))


def _grid(
    width: int, height: int, focused: str, explanation: int, panes: tuple[str, ...] = PANE_IDS
) -> tuple[int, tuple[str, ...]]:
    """How many columns of panes fit beside each other, and which panes: the first lines, and the one with the focus."""
    lines: tuple[tuple[str, ...], ...]
    if width < TWO_COLUMNS:
        columns, lines = 1, tuple((pane,) for pane in panes)
    elif panes != PANE_IDS:
        columns = min(2 if width < THREE_COLUMNS else 3, len(panes))
        lines = tuple(panes[first : first + columns] for first in range(0, len(panes), columns))
    elif width < THREE_COLUMNS:
        columns, lines = 2, _COLUMNS_2
    else:
        columns, lines = 3, _COLUMNS_3
    chosen = list(lines[: max(1, (height - _OTHER_LINES - explanation) // _MIN_ROW)])
    wanted = next(line for line in lines if focused in line)
    if wanted not in chosen:
        chosen[-1] = wanted
    return columns, tuple(pane for line in chosen for pane in line)
