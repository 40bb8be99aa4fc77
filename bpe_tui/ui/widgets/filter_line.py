"""The filter: while it is open it takes the place of the encode pane."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.widgets.safe_input import SafeInput

HINT: Final = mark("enter keeps it · esc ends it")


class FilterLine(Horizontal):
    """A label that names the list, and an input."""

    DEFAULT_CSS = """
    FilterLine { height: 1; background: $surface; }
    FilterLine > Static { width: auto; height: 1; color: $accent; text-style: bold; }
    FilterLine > #filter-hint { color: $text-muted; text-style: none; }
    FilterLine > SafeInput { width: 1fr; max-width: 48; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._label = Static(id="filter-label")
        self.input = SafeInput(id="filter-input")
        """Where the text is typed."""

    def compose(self) -> ComposeResult:
        """Label, input, hint."""
        yield self._label
        yield self.input
        yield Static(Content(f" {_(HINT)} "), id="filter-hint")

    def name_list(self, name: str) -> None:
        """Say which list is filtered."""
        self._label.update(Content(f" {_('Filter {name}').format(name=name)} ▸ "))
