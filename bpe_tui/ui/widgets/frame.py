"""The frame of a pane as strips: title line, closing line, and a scroll bar that lives in the right-hand side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from bpe_tui.core.display import clip
from bpe_tui.ui.text import cells


@dataclass(frozen=True, slots=True)
class FrameStyles:
    """Styles of the parts of a frame."""

    line: Style
    """The line itself."""
    name: Style
    """The name of the pane."""
    figures: Style
    """The live figures after the name, and the texts in the closing line."""


def top_line(width: int, number: str, name: str, figures: Sequence[str], styles: FrameStyles) -> Strip:
    """`╭ ¹Corpus ─ 5 words ──╮`, with the first of `figures` that fits; they give way before the name does."""
    room = width - 2
    if room < 4:
        return Strip([Segment("╭" + "─" * max(0, room) + "╮", styles.line)], width)
    name = clip(number + name, room - 2)
    segments = [Segment("╭ ", styles.line), Segment(name, styles.name), Segment(" ", styles.line)]
    used = 2 + cells(name)
    free = room - used - 3
    text = next(
        (text for text in figures if cells(text) <= free), clip(figures[-1], free) if figures and free > 3 else ""
    )
    if text:
        segments += [Segment("─ ", styles.line), Segment(text, styles.figures), Segment(" ", styles.line)]
        used += cells(text) + 3
    segments.append(Segment("─" * (room - used) + "╮", styles.line))
    return Strip(segments, width)


def bottom_line(width: int, left: str, right: str, styles: FrameStyles) -> Strip:
    """`╰─ a note ──── 1–6 of 30,000 ─╯`; the note gives way first."""
    room = width - 2
    right = right if right and cells(right) + 4 <= room else ""
    taken = cells(right) + 3 if right else 0
    left = clip(left, room - taken - 4) if left and room - taken - 4 >= 6 else ""
    segments = [Segment("╰─", styles.line)]
    used = 1
    if left:
        segments += [Segment(" ", styles.line), Segment(left, styles.figures), Segment(" ", styles.line)]
        used += cells(left) + 2
    segments.append(Segment("─" * max(0, room - used - taken), styles.line))
    if right:
        segments += [Segment(" ", styles.line), Segment(right, styles.figures), Segment(" ─", styles.line)]
    segments.append(Segment("╯", styles.line))
    return Strip(segments, width)


def thumb_span(height: int, total: int, first: int) -> tuple[int, int]:
    """First and one-past-last line of the scroll thumb; an empty span when all is in view."""
    if total <= height or height <= 0:
        return 0, 0
    length = max(1, height * height // total)
    start = round(first * (height - length) / (total - height))
    return start, start + length


def first_row_at(line: int, height: int, total: int) -> int:
    """The first row to show when the scroll bar is pressed at `line`: the inverse of `thumb_span`."""
    if total <= height or height <= 1:
        return 0
    return round(min(max(line, 0), height - 1) * (total - height) / (height - 1))
