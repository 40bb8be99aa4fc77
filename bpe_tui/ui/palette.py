"""The command palette: every action of the table by name, and the themes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from bpe_tui.core.language import _
from bpe_tui.ui.actions import PROGRAM_ACTIONS, Action
from bpe_tui.ui.themes import THEMES

if TYPE_CHECKING:
    from textual.screen import Screen

    from bpe_tui.ui.app import BpeApp


def commands(app: BpeApp, screen: Screen[object]) -> Iterable[SystemCommand]:
    """What can be done on `screen`."""
    actions: Sequence[Action] = getattr(screen, "ACTIONS", PROGRAM_ACTIONS)
    for action in actions:
        key = _("Key: {keys}").format(keys=action.key_text)
        yield SystemCommand(_(action.help), key, partial(run_later, app, action.target))
    for theme in THEMES:
        name = _("Theme {name}").format(name=theme.name)
        yield SystemCommand(name, _("Colours of the program"), partial(app.use_theme, theme.name))


def run_later(app: BpeApp, action: str) -> None:
    """Run an action on the screen below the palette, once the palette is gone."""
    app.call_later(app.screen.run_action, action)
