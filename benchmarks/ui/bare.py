"""The yardstick: a Textual screen of four line-API panes, a header, a footer and a line of text, and nothing behind it.

`space` repaints it all; what this takes, no program in Textual can do faster.
"""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.containers import Grid
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Footer, Header, Static

ROWS = 30_000
NUMBER, NAME = Style(color="cyan"), Style(bold=True)


class Lines(ScrollView, can_focus=True):
    """Rows of figures that depend on how often the key was pressed."""

    pressed = 0

    def on_mount(self) -> None:
        """Claim a long list."""
        self.virtual_size = Size(40, ROWS)

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        row = y + self.scroll_offset.y
        figure = (row * 31 + self.pressed * 7001) % 1009
        parts = [Segment(f"{row:>7} ", NUMBER), Segment("token", NAME), Segment(f"{figure:>11}")]
        return Strip(parts).adjust_cell_length(self.size.width)


class Bare(App[None]):
    """The screen."""

    CSS = "Grid { grid-size: 2 2; } Lines { border: round $primary; height: 1fr; }"
    BINDINGS = [("space", "press", "Press")]  # noqa: RUF012 - Textual's own way

    pressed = 0

    def compose(self) -> ComposeResult:
        """Header, four panes, a line, footer."""
        yield Header()
        with Grid():
            for _ in range(4):
                yield Lines()
        yield Static("0", id="line")
        yield Footer()

    def action_press(self) -> None:
        """Repaint everything."""
        self.pressed += 1
        for pane in self.query(Lines):
            pane.pressed = self.pressed
            pane.refresh()
        self.query_one("#line", Static).update(str(self.pressed))


if __name__ == "__main__":
    Bare().run()
