"""The base of dialogs: a box over the screen, its keys in the last line, each a button."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from bpe_tui.ui.actions import Action, Group
from bpe_tui.ui.widgets.key_bar import KeyBar
from bpe_tui.ui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

ResultT = TypeVar("ResultT")

CANCEL: Final = Action("cancel", ("escape",), "back", "Back without a change", Group.PROGRAM, footer=90)
"""What every dialog offers."""


class DismissOnce(Screen[ResultT], Generic[ResultT]):
    """A screen for which keys may come too early, and too late: one that is held repeats before the screen is gone."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No action before its contents are there: a key that is typed at once comes earlier."""
        return super().check_action(action, parameters) if self.is_mounted else False

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

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "pan(-8)", "Pan left", show=False),
        Binding("right", "pan(8)", "Pan right", show=False),
    ]

    def key_bar(self) -> KeyBar:
        """The last line, for `compose`."""
        return KeyBar(self.offered)

    @property
    def offered(self) -> Sequence[Action]:
        """The actions that are there for what the dialog shows."""
        return self.ACTIONS

    def on_descendant_focus(self) -> None:
        """Offer only the keys that work now: in an input those of characters type."""
        is_typing = isinstance(self.focused, Input)
        actions = [action for action in self.offered if not (is_typing and action.is_typed)]
        for bar in self.query(KeyBar):
            bar.use_actions(actions)

    def action_pan(self, cells: int) -> None:
        """Shift the rows of the list that has the focus sideways."""
        if isinstance(self.focused, VirtualList):
            self.focused.action_pan(cells)

    def on_click(self, event: events.Click) -> None:
        """A click beside the box is a way back."""
        if event.widget is self:
            self.action_cancel()

    def action_cancel(self) -> None:
        """Back without a change."""
        self.dismiss(None)
