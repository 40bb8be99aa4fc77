"""The first line: where you are in what."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.core.glyphs import clip
from bpe_tui.ui.content import cells


class StatusBar(Widget):
    """The program and the corpus on the left; `merge K/TARGET  vocab V  state` always in view on the right."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"status--program", "status--title", "status--figures", "status--state"}
    """
    | Class | What it styles |
    | :- | :- |
    | `status--program` | the program's name |
    | `status--title` | corpus, preset, tie rule |
    | `status--figures` | merge and vocabulary figures |
    | `status--state` | the state of the training |
    """
    DEFAULT_CSS = """
    StatusBar {
        height: 1;
        background: $panel;
        & > .status--program { color: $accent; text-style: bold; }
        & > .status--title { color: $text-muted; }
        & > .status--figures { color: $foreground; text-style: bold; }
        & > .status--state { color: $accent; text-style: bold; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._shown: tuple[str, str, str] = ("", "", "")

    @property
    def text(self) -> str:
        """The right-hand side as it stands there."""
        return "  ".join(part for part in self._shown[1:] if part)

    def show(self, title: str, figures: str, state: str) -> None:
        """Show a title and figures (safe text) and the state."""
        if (title, figures, state) != self._shown:
            self._shown = (title, figures, state)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line; the title gives way before the figures do."""
        title, figures, state = self._shown
        width = self.size.width
        base = self.rich_style
        style = {
            part: base + self.get_component_rich_style(f"status--{part}", partial=True)
            for part in ("program", "title", "figures", "state")
        }
        room = width - cells(figures) - cells(state) - 5
        program = " bpe-tui  "
        if room < len(program) + 4:
            program = " "
        title = clip(title, max(0, room - len(program)))
        gap = width - len(program) - cells(title) - cells(figures) - cells(state) - (3 if state else 1)
        segments = [
            Segment(program, style["program"]),
            Segment(title, style["title"]),
            Segment(" " * max(1, gap), base),
            Segment(figures, style["figures"]),
            Segment("  " if state else "", base),
            Segment(state, style["state"]),
        ]
        return Strip([segment for segment in segments if segment.text]).adjust_cell_length(width, base)
