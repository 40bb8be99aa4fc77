"""A small dialog that asks for the number of a merge."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from bpe_tui.ui.widgets.safe_input import SafeInput


class GoToDialog(ModalScreen[int | None]):
    """Ends with the number of merges to stand after, or None."""

    CSS_PATH = "dialog.tcss"
    AUTO_FOCUS = "SafeInput"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, position: int, end: int) -> None:
        super().__init__()
        self._position = position
        self._end = end

    def compose(self) -> ComposeResult:
        """A sentence, an input, a hint."""
        with Vertical() as box:
            box.border_title = Content("Go to a merge")
            yield Static(
                Content(f"Here it is merge {self._position:,}. Go to which? 0 is the start."),
                classes="dialog-text",
            )
            field = SafeInput(f"0 – {self._end:,}, or further")
            field.restrict = r"[0-9]{0,9}"
            yield field
            yield Static(Content("enter goes there · esc stays here"), classes="dialog-hint")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go there."""
        event.stop()
        self.dismiss(int(event.value) if event.value else None)

    def action_cancel(self) -> None:
        """Stay here."""
        self.dismiss(None)
