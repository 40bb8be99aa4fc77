"""A small dialog that asks for the number of a merge."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, number
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.widgets.safe_input import SafeInput

FURTHEST: Final = 999_999_999
"""No training has as many merges."""


class GoToDialog(Dialog[int]):
    """Ends with the number of a merge, or None."""

    CSS_PATH = "dialog.tcss"
    AUTO_FOCUS = "SafeInput"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("go", ("enter",), "go there", "Go to the merge", Group.STEP, footer=80),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, position: int, end: int) -> None:
        super().__init__()
        self._position = position
        self._end = end

    def compose(self) -> ComposeResult:
        """A sentence, an input, a hint."""
        with Vertical() as box:
            box.border_title = Content(_("Go to a merge"))
            yield Static(
                Content(
                    _("Here it is merge {number}. Go to which? 0 is the start.").format(number=number(self._position))
                ),
                classes="dialog-text",
            )
            field = SafeInput(_("0 – {end}, or further").format(end=number(self._end)))
            yield field
            yield Static(Content(""), id="complaint", classes="dialog-text")
        yield self.key_bar()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go there."""
        event.stop()
        self.action_go()

    def action_go(self) -> None:
        """Go there."""
        typed = self.query_one(SafeInput).value.strip()
        digits = typed.replace(",", "").replace("_", "").replace(" ", "")
        if not digits:
            self.dismiss(None)
        elif digits.isascii() and digits.isdigit() and len(digits) <= 9:
            self.dismiss(int(digits))
        else:
            complaint = _("{typed} is not a whole number from 0 to {most}.").format(
                typed=displayable(typed), most=number(FURTHEST)
            )
            self.query_one("#complaint", Static).update(Content(complaint))
