"""A session cannot be taken up, since its corpus is another one now: ask whether to open that from the start."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.i18n import _
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.text import plain

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class ReopenDialog(Dialog[bool]):
    """Ends with True if the corpus is to be opened from the start."""

    CSS_PATH = "dialog.tcss"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("anew", ("enter",), "open anew", "Open the corpus from the start", Group.PROGRAM, footer=80),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, corpus: str, reason: str) -> None:
        super().__init__()
        self._corpus = corpus
        self._reason = reason

    def compose(self) -> ComposeResult:
        """What is wrong, and what can be done."""
        with Vertical() as box:
            box.border_title = Content(_("The session cannot be resumed"))
            yield Static(plain(f"{self._corpus}: {self._reason}."), classes="dialog-text")
            yield Static(
                Content(_("Enter opens the corpus from the start, with the options of the session.")),
                classes="dialog-text",
            )
        yield self.key_bar()

    def action_anew(self) -> None:
        """Open it."""
        self.dismiss(True)
