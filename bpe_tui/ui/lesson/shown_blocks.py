"""What the commands of a lesson show, in its narration: sentences, tables, and links to the panes that show it live."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, plural
from bpe_tui.lessons.commands import GotoCommand, LessonCommand, ShowCurve, StepCommand
from bpe_tui.lessons.results import CommandResult, Sentence, TextTable
from bpe_tui.ui.board.arrangement import PANE_IDS
from bpe_tui.ui.themes import palette_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual import events
    from textual.geometry import Size

MOST_ROWS: Final = 12
"""Rows of a table that the narration shows."""


class PaneLink(Static):
    """`→ Pairs ²`: a way to the pane."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    PaneLink { width: 1fr; height: 1; color: $accent; &:hover { text-style: underline; } }
    """

    @dataclass
    class Pressed(Message):
        """The learner wants to see the pane."""

        pane: str

    def __init__(self, pane: str) -> None:
        names = {
            "corpus": _("Corpus"),
            "pairs": _("Pairs"),
            "vocabulary": _("Vocabulary"),
            "merges": _("Merges"),
            "algorithm": _("Algorithm"),
            "curve": _("Curve"),
        }
        message = _("→ see {pane} ({key})").format(pane=names[pane], key=PANE_IDS.index(pane) + 1)
        super().__init__(Content(message))
        self.pane = pane
        """The id of the pane."""

    def on_click(self, event: events.Click) -> None:
        """Go there."""
        event.stop()
        self.post_message(self.Pressed(self.pane))


class ShownTable(Widget):
    """A table that fits the width there is."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    ShownTable { width: 1fr; height: auto; margin: 0 1 1 0; }
    """

    def __init__(self, table: TextTable) -> None:
        super().__init__()
        rows = table.rows[:MOST_ROWS]
        self._table = TextTable(table.heads, rows, table.left_out + len(table.rows) - len(rows))

    def lines(self, width: int) -> list[str]:
        """The lines for a width in cells."""
        return self._table.lines(cells=width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are."""
        return len(self.lines(width))

    def render_line(self, y: int) -> Strip:
        """The heads, then the rows."""
        lines = self.lines(self.size.width)
        base, palette = self.rich_style, palette_of(self.app)
        strip = Strip([Segment(lines[y], base if y else base + palette.muted)] if y < len(lines) else [])
        return strip.adjust_cell_length(self.size.width, base)


def pane_of(commands: Sequence[LessonCommand]) -> str | None:
    """The pane that a page is about, as far as its commands show."""
    return next((command.PANE for command in reversed(commands) if command.PANE is not None), None)


def result_widgets(
    results: Iterable[CommandResult], commands: Sequence[LessonCommand], panes: Sequence[str] | None
) -> Iterable[Widget]:
    """What a block of commands shows; `commands` are all of its page, `panes` those that there are (None: all).

    What a pane shows live is not repeated here, unless a later command of the page moves on from there.
    """
    last_move = max((command.line for command in commands if command.MOVES), default=0)
    any_shown = False
    for result in results:
        command = result.command
        is_live = command.line > last_move and not (isinstance(command, ShowCurve) and command.merges)
        for output in result.outputs:
            any_shown = True
            if isinstance(output, Sentence):
                yield Static(Content(f"› {displayable(output.text)}"), classes="output")
            elif is_live and command.PANE is not None and (panes is None or command.PANE in panes):
                yield PaneLink(command.PANE)
            elif isinstance(command, StepCommand | GotoCommand):
                message = plural("{count} merge is made.", "{count} merges are made.", len(output.rows))
                yield Static(Content(f"› {message}"), classes="output")
            else:
                yield ShownTable(output)
    if any_shown:
        yield Static("", classes="items-end")
