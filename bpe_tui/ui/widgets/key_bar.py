"""The last line: the keys that matter most, each of them a button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.segment import Segment
from textual import events
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.core.i18n import _
from bpe_tui.ui.actions import Action
from bpe_tui.ui.text import cells
from bpe_tui.ui.themes import palette_of


class PlacedAction(NamedTuple):
    """An action and the cells it takes."""

    action: Action
    start: int
    end: int


class KeyBar(Widget):
    """One row of keys that fits whatever the width is; never rebuilt, only repainted."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyBar {
        height: 1;
        background: $footer-background;
    }
    """

    hovered: reactive[int | None] = reactive[int | None](None)
    """Place of the item under the mouse."""

    def __init__(self, actions: Sequence[Action], *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._actions = tuple(actions)
        self._placed: tuple[PlacedAction, ...] = ()
        self._placed_for = -1

    @property
    def placed(self) -> tuple[PlacedAction, ...]:
        """The items that fit now, most important ones first to stay, in the order of the table."""
        if self._placed_for != self.size.width:
            self._placed = place_actions(self._actions, self.size.width)
            self._placed_for = self.size.width
        return self._placed

    def use_actions(self, actions: Sequence[Action]) -> None:
        """Show other actions."""
        if tuple(actions) != self._actions:
            self._actions = tuple(actions)
            self._placed_for = -1
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The row of keys."""
        base = self.rich_style
        palette = palette_of(self.app).over(base)
        key, label, hover = palette.key, palette.muted, palette.raised
        segments: list[Segment] = []
        at = 0
        for number, item in enumerate(self.placed):
            segments += [
                Segment(" " * (item.start - at), base),
                Segment(item.action.first_key, key + hover if number == self.hovered else key),
                Segment(f" {_(item.action.label)}", label + hover if number == self.hovered else label),
            ]
            at = item.end
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Light up the item under the mouse."""
        self.hovered = self._at(event.x)

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self.hovered = None

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the item under the mouse."""
        number = self._at(event.x)
        if number is not None:
            event.stop()
            await self.run_action(self.placed[number].action.target)

    def _at(self, x: int) -> int | None:
        return next((number for number, item in enumerate(self.placed) if item.start <= x < item.end), None)


def place_actions(actions: Sequence[Action], width: int) -> tuple[PlacedAction, ...]:
    """Choose the most important actions that fit in `width` and place them in table order, two cells apart."""
    wanted = sorted((action for action in actions if action.footer), key=lambda action: -action.footer)
    chosen: list[Action] = []
    room = width - 1
    for action in wanted:
        needed = _width(action) + (2 if chosen else 0)
        if needed > room:
            break
        chosen.append(action)
        room -= needed
    placed: list[PlacedAction] = []
    at = 1
    for action in actions:
        if action in chosen:
            placed.append(PlacedAction(action, at, at + _width(action)))
            at += _width(action) + 2
    return tuple(placed)


def _width(action: Action) -> int:
    return cells(action.first_key) + 1 + cells(_(action.label))
