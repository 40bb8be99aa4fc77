"""The first line: where you are in what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.core.display import clip
from bpe_tui.core.i18n import _, mark
from bpe_tui.core.teaching.explain import status_figures
from bpe_tui.ui.text import cells
from bpe_tui.ui.themes import palette_of
from bpe_tui.ui.widgets.selectable import selectable

if TYPE_CHECKING:
    from collections.abc import Container

    from textual.selection import Selection

    from bpe_tui.core.encoding.timeline import MergeTimeline

STATES: Final = {
    "ready": mark("ready"),
    "counted": mark("counted"),
    "picked": mark("picked"),
    "merged": mark("merged"),
    "done: merges": mark("done: target reached"),
    "done: vocab-size": mark("done: target reached"),
    "done: no-pairs": mark("done: no pairs left"),
    "done: min-frequency": mark("done: no frequent pairs left"),
    "done: base-too-large": mark("done: no room for merges"),
}
"""The states of a timeline, for people."""


class StatusBar(Widget):
    """The program and the corpus on the left; `merge K/TARGET  vocab V  state` always in view on the right."""

    DEFAULT_CSS = """
    StatusBar {
        height: 1;
        background: $panel;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._shown: tuple[tuple[str, ...], str, str] = ((), "", "")
        self._line = ""

    @property
    def text(self) -> str:
        """The right-hand side."""
        return "  ".join(filter(None, self._shown[1:]))

    def show_title(self, title: str) -> None:
        """Show a title, safe text, alone."""
        self._show((title,), "", "")

    def show_timeline(
        self, titles: tuple[str, ...], timeline: MergeTimeline, withheld: Container[str] = frozenset()
    ) -> None:
        """Show a moment, but nothing `withheld`, and the first of the titles that fits; they are safe text."""
        self._show(titles, "  ".join(status_figures(timeline, withheld)), _(STATES[timeline.state]))

    def _show(self, titles: tuple[str, ...], figures: str, state: str) -> None:
        if (titles, figures, state) != self._shown:
            self._shown = (titles, figures, state)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line; the title and the reason of the end give way before the figures do."""
        titles, figures, state = self._shown
        width = self.size.width
        if cells(figures) + cells(state) + 4 > width:
            state = state.partition(":")[0].rstrip()
        base = self.rich_style
        palette = palette_of(self.app).over(base)
        room = width - cells(figures) - cells(state) - 5
        program = " bpe-tui  "
        if room < len(program) + 4:
            program = " "
        title = fitting(titles, max(0, room - len(program)))
        gap = width - len(program) - cells(title) - cells(figures) - cells(state) - (3 if state else 1)
        segments = [
            Segment(program, palette.status),
            Segment(title, palette.muted),
            Segment(" " * max(1, gap), base),
            Segment(figures, base + Style(bold=True)),
            Segment("  " if state else "", base),
            Segment(state, palette.status),
        ]
        strip = Strip([segment for segment in segments if segment.text]).adjust_cell_length(width, base)
        self._line = strip.text
        return selectable(self, strip, y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The part of the line that is selected."""
        return selection.extract(self._line), "\n"


def fitting(texts: tuple[str, ...], room: int) -> str:
    """The first of the texts that fits in `room` cells; if none does, the last one, cut."""
    return next((text for text in texts if cells(text) <= room), clip(texts[-1], room) if texts else "")
