"""Which panes are in view, and in how many columns, for a terminal of a given size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
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
"""A row of panes has about this many lines, frames included."""
_LOWEST_ROW: Final = 6
"""… and at least this many, where another row needs the room or two panes are one above the other."""
LONG_CORPUS: Final = 100
"""Distinct words from which on the algorithm leaves its room to longer merges, unless it is asked for."""
_ROOM_FOR_ALL: Final = 150
"""Width from which on there is room for the algorithm beside long merges."""
_HIGH: Final = 23
_TALL: Final = 34
"""Heights from which on the explanation has a line more: if it needs it, and always."""
_MIN_NARRATION: Final = 42
_MAX_NARRATION: Final = 72
"""Cells of a narration beside the panes: at least, and at most."""
_OTHER_LINES: Final = 4
"""Status, timeline, encode line, keys."""


class AlgorithmView(StrEnum):
    """How much of the algorithm is in view."""

    FULL = "full"
    """A pane like the others."""
    LINE = "line"
    """The line of the phase, above the timeline."""
    OFF = "off"
    """Nothing."""

    @property
    def next(self) -> AlgorithmView:
        """The view that the pane's key goes to."""
        views = list(AlgorithmView)
        return views[(views.index(self) + 1) % len(views)]


def usual_algorithm_view(width: int, distinct_words: int) -> AlgorithmView:
    """The view unless the learner chose one: three narrow columns of long tokens need the room."""
    is_tight = THREE_COLUMNS <= width < _ROOM_FOR_ALL
    return AlgorithmView.OFF if is_tight and distinct_words > LONG_CORPUS else AlgorithmView.FULL


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
    heights: tuple[int, ...] = ()
    """Lines of each row of panes; none if all have the same."""
    algorithm: AlgorithmView = AlgorithmView.FULL


def arrange(
    width: int,
    height: int,
    focused: str,
    *,
    zoomed: bool = False,
    sentences: int = 0,
    needs: Mapping[str, int] | None = None,
    algorithm: AlgorithmView = AlgorithmView.FULL,
) -> Arrangement:
    """Panes for a terminal of `width` × `height` cells; `focused` is always in view.

    The explanation needs `sentences` lines, and each pane the lines that `needs` has for it, frame included: where the
    panes of one row don't need all of theirs, others get them.
    """
    explanation = _explanation_height(width, height, sentences)
    if zoomed:
        return Arrangement(1, (focused,), explanation)
    algorithm = AlgorithmView.FULL if focused == "algorithm" else algorithm
    lines = height - (algorithm is AlgorithmView.LINE)
    without = () if algorithm is AlgorithmView.FULL else ("algorithm",)
    columns, panes = _grid(width, lines, focused, explanation, without=without)
    room = lines - _OTHER_LINES - explanation
    if columns == 2:
        heights = _heights(columns, panes, room, needs or {})
    else:
        heights = _heights_with_algorithm(panes, room, (needs or {}).get("algorithm", 0)) if columns == 3 else ()
    return Arrangement(columns, panes, explanation, heights=heights, algorithm=algorithm)


def _heights(columns: int, panes: tuple[str, ...], room: int, needs: Mapping[str, int]) -> tuple[int, ...]:
    """Lines of each row: equal shares; a row that can show all it has with what lower ones can spare gets that."""
    rows = [panes[first : first + columns] for first in range(0, len(panes), columns)]
    heights = [room // len(rows) + (row < room % len(rows)) for row in range(len(rows))]
    for row, names in enumerate(rows):
        wanted = max(needs.get(name, 0) for name in names) - heights[row]
        if wanted > sum(max(0, lower - _LOWEST_ROW) for lower in heights[row + 1 :]):
            continue
        for lower in reversed(range(row + 1, len(rows))):
            given = min(max(wanted, 0), max(0, heights[lower] - _LOWEST_ROW))
            heights[row], heights[lower], wanted = heights[row] + given, heights[lower] - given, wanted - given
    return tuple(heights) if len(set(heights)) > 1 else ()


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


def _heights_with_algorithm(panes: tuple[str, ...], room: int, needed: int) -> tuple[int, ...]:
    """Lines of the two rows of a large window: the lower one shows the whole algorithm if lists above keep enough."""
    is_there = len(panes) == len(PANE_IDS) and needed > room // 2
    return (room - needed, needed) if is_there and room - needed >= 2 * _MIN_ROW else ()


def _grid(
    width: int,
    height: int,
    focused: str,
    explanation: int,
    panes: tuple[str, ...] = PANE_IDS,
    without: tuple[str, ...] = (),
) -> tuple[int, tuple[str, ...]]:
    """How many columns of panes fit beside each other, and which panes: the first lines, and the one with the focus."""
    lines: tuple[tuple[str, ...], ...]
    room = height - _OTHER_LINES - explanation
    most = max(1, room // _MIN_ROW)
    if width < TWO_COLUMNS:
        most = max(most, 2) if room >= 2 * _LOWEST_ROW and panes == PANE_IDS else most
        columns, lines = 1, tuple((pane,) for pane in panes)
    elif panes != PANE_IDS:
        columns = min(2 if width < THREE_COLUMNS else 3, len(panes))
        lines = tuple(panes[first : first + columns] for first in range(0, len(panes), columns))
    elif width < THREE_COLUMNS:
        columns, lines = 2, _COLUMNS_2
    else:
        columns, lines = 3, _COLUMNS_3
    lines = tuple(left for line in lines if (left := tuple(pane for pane in line if pane not in without)))
    chosen = list(lines[:most])
    wanted = next(line for line in lines if focused in line)
    if wanted not in chosen:
        chosen[-1] = wanted
    return columns, tuple(pane for line in chosen for pane in line)
