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

from bpe_tui.core.i18n import _, plural
from bpe_tui.lessons import commands as c
from bpe_tui.lessons.plain import table_lines
from bpe_tui.lessons.shown import CommandResult, Table, Told
from bpe_tui.ui.board.arrangement import PANE_IDS
from bpe_tui.ui.text import safe
from bpe_tui.ui.themes import palette_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual import events
    from textual.geometry import Size

MOVES: Final = (c.Open, c.Step, c.Undo, c.Goto, c.PhaseTo, c.Choose, c.Ties, c.BackTo)
"""Commands after which panes show another moment."""
PANES: Final = {"words": "corpus", "pairs": "pairs", "vocabulary": "vocabulary", "merges": "merges", "curve": "curve"}
"""Which pane shows live what `show` tells."""
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
        told = _("→ see {pane} ({key})").format(pane=names[pane], key=PANE_IDS.index(pane) + 1)
        super().__init__(Content(told))
        self._pane = pane

    def on_click(self, event: events.Click) -> None:
        """Go there."""
        event.stop()
        self.post_message(self.Pressed(self._pane))


class ShownTable(Widget):
    """A table that fits the width there is."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    ShownTable { width: 1fr; height: auto; margin: 0 1 1 0; }
    """

    def __init__(self, table: Table) -> None:
        super().__init__()
        rows = table.rows[:MOST_ROWS]
        self._table = Table(table.columns, rows, table.left_out + len(table.rows) - len(rows))

    def lines(self, width: int) -> list[str]:
        """The lines for a width in cells."""
        return table_lines(self._table, "", width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are."""
        return len(self.lines(width))

    def render_line(self, y: int) -> Strip:
        """The heads, then the rows."""
        lines = self.lines(self.size.width)
        base, palette = self.rich_style, palette_of(self.app)
        strip = Strip([Segment(lines[y], base if y else base + palette.muted)] if y < len(lines) else [])
        return strip.adjust_cell_length(self.size.width, base)


def pane_of(commands: Sequence[c.Command]) -> str | None:
    """The pane that a page is about, as far as its commands tell."""
    for command in reversed(commands):
        if isinstance(command, c.Show) and command.what in PANES:
            return PANES[command.what]
        if isinstance(command, c.Select):
            return "corpus"
    return None


def shown_of(outcomes: Iterable[CommandResult], commands: Sequence[c.Command]) -> Iterable[Widget]:
    """What a block of commands shows; `commands` are all of its page.

    What a pane shows live is not told twice, unless a later command of the page moves on from there.
    """
    last_move = max((command.line for command in commands if isinstance(command, MOVES)), default=0)
    any_shown = False
    for outcome in outcomes:
        command = outcome.command
        pane = None
        if isinstance(command, c.Show) and command.line > last_move and not command.merges:
            pane = PANES.get(command.what)
        for shown in outcome.shown:
            any_shown = True
            if isinstance(shown, Told):
                yield Static(Content(f"› {safe(shown.text)}"), classes="told")
            elif pane is not None:
                yield PaneLink(pane)
            elif isinstance(command, c.Step | c.Goto):
                told = plural("{count} merge is made.", "{count} merges are made.", len(shown.rows))
                yield Static(Content(f"› {told}"), classes="told")
            else:
                yield ShownTable(shown)
    if any_shown:
        yield Static("", classes="items-end")
