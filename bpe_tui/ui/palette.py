"""The command palette: every action of the table by name, and the themes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.errors import NoWidget
from textual.events import Click
from textual.widgets import OptionList
from textual.worker import Worker

from bpe_tui.core.i18n import _
from bpe_tui.ui.actions import PROGRAM_ACTIONS, Action
from bpe_tui.ui.dialogs.dialog import is_on_top
from bpe_tui.ui.themes import THEMES

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen


def commands(screen: Screen[Any], use_theme: Callable[[str], None]) -> Iterable[SystemCommand]:
    """What can be done on `screen`, and the themes for `use_theme`."""
    actions: Sequence[Action] = getattr(screen, "ACTIONS", PROGRAM_ACTIONS)
    for action in actions:
        key = _("Key: {keys}").format(keys=action.key_text)
        yield SystemCommand(_(action.help), key, partial(run_later, screen.app, action.target))
    for theme in THEMES:
        name = _("Theme {name}").format(name=theme.name)
        yield SystemCommand(name, _("Colours of the program"), partial(use_theme, theme.name))


class ActionPalette(CommandPalette):
    """Textual's palette, for keys that come faster than it draws, or where it cannot be drawn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "page('down')", show=False),
        Binding("pageup", "page('up')", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(id="--command-palette", placeholder=_("Search for commands…"))

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Leave, unless that has happened: a key that is held repeats before the palette is gone."""
        return super().dismiss(result) if is_on_top(self) else AwaitComplete()

    def run_worker(self, *arguments: Any, **options: Any) -> Worker[Any]:
        """Run a search; one that finds the palette gone meanwhile fails, and ends nothing but itself."""
        return super().run_worker(*arguments, **{**options, "exit_on_error": False})

    def on_click(self, event: Click) -> None:
        """A click beside the palette dismisses it; one where nothing is drawn (any more) does nothing."""
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:
            event.prevent_default()

    async def action_page(self, way: str) -> None:
        """A page `down` or `up` in the list."""
        options = self.query_one(OptionList)
        # The list looks for the line of an option, and knows of no lines until it was drawn.
        with contextlib.suppress(LookupError):
            await options.run_action(f"page_{way}")


def run_later(app: App[Any], action: str) -> None:
    """Run an action on the screen below the palette, once the palette is gone."""
    app.call_later(app.screen.run_action, action)
