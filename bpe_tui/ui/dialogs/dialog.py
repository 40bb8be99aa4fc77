"""The base of dialogs: a box over the screen, its keys in the last line, each a button."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen

from bpe_tui.ui.actions import Action, Group
from bpe_tui.ui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

ResultT = TypeVar("ResultT")

CANCEL: Final = Action("cancel", ("escape",), "back", "Back without a change", Group.PROGRAM, footer=90)
"""What every dialog offers."""


class DismissOnce(Screen[ResultT], Generic[ResultT]):
    """A screen that leaves once, however often it is told to: a key that is held comes again before it is gone."""

    def dismiss(self, result: ResultT | None = None) -> AwaitComplete:
        """Leave with a result, unless that has happened."""
        return super().dismiss(result) if is_on_top(self) else AwaitComplete()


def is_on_top(screen: Screen[Any]) -> bool:
    """Is it the screen that gets the keys?"""
    stack = screen.app.screen_stack
    return bool(stack) and stack[-1] is screen


def ask(screen: Screen[Any], dialog: Screen[ResultT], then: Callable[[ResultT | None], Any] | None = None) -> None:
    """Show a dialog over `screen`, unless another one is there: a key that is held doesn't open two."""
    if is_on_top(screen):
        screen.app.push_screen(dialog, then)


class Dialog(DismissOnce[ResultT | None], ModalScreen[ResultT | None], Generic[ResultT]):
    """Ends with a result, or with None: by escape, or by a click beside the box."""

    ACTIONS: ClassVar[tuple[Action, ...]] = (CANCEL,)
    """What can be done here; the last line shows it."""
    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > KeyBar { dock: bottom; }
    """

    def key_bar(self) -> KeyBar:
        """The last line, for `compose`."""
        return KeyBar(self.ACTIONS)

    def on_click(self, event: events.Click) -> None:
        """A click beside the box is a way back."""
        if event.widget is self:
            self.action_cancel()

    def action_cancel(self) -> None:
        """Back without a change."""
        self.dismiss(None)
