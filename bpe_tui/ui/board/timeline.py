"""The timeline: one line over all merges, to see the current one and to go to any."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.core import i18n as language
from bpe_tui.ui.messages import MomentSelected
from bpe_tui.ui.themes import palette_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.style import Style
    from textual import events

KNOB: Final = "●"
PLAYED: Final = "━"
KNOWN: Final = "─"
UNKNOWN: Final = "╌"
TARGET: Final = "┃"
CHOICE: Final = "◆"
BUTTONS: Final = " ‹ ▶ › "
"""Back, play and forward, three cells each with the blank before it."""
MIN_WIDTH_WITH_BUTTONS: Final = 36


class Button(StrEnum):
    """What a button at the left of the line asks for."""

    BACK = "undo"
    PLAY = "play"
    FORWARD = "step"


class Timeline(Widget, can_focus=True):
    """A scrubber `━━━━━●─────╌╌╌╌┃` over the merges: done, known and still to be learned.

    `set_state` takes all figures at once. Click, drag, wheel and keys ask for a place by `MomentSelected`; the place
    shown changes when the owner calls `set_state` again, except that the knob follows the mouse while it is dragged.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Timeline {
        height: 1;
        width: 1fr;
        background: $background;
        color: $foreground;
        pointer: pointer;
        &:focus { background: $panel; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move_by(-1)", "One back", show=False),
        Binding("right", "move_by(1)", "One forward", show=False),
        Binding("pageup", "move_pages(-1)", "A tenth back", show=False),
        Binding("pagedown", "move_pages(1)", "A tenth forward", show=False),
        Binding("home", "move_to_edge(False)", "To the start", show=False),
        Binding("end", "move_to_edge(True)", "To the target", show=False),
    ]

    position: reactive[int] = reactive(0, repaint=False)
    """Merges applied."""
    playing: reactive[bool] = reactive(False)
    """Shows a pause sign in place of the play sign."""

    @dataclass
    class ButtonPressed(Message):
        """A button of the timeline was pressed."""

        timeline: Timeline
        button: Button

        @property
        def control(self) -> Timeline:
            """The timeline."""
            return self.timeline

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, classes=classes)
        self._known = 0
        self._target = 0
        self._choices: frozenset[int] = frozenset()
        self._dragged: int | None = None
        self._strip: tuple[object, Strip] | None = None

    def set_state(self, position: int, known: int, target: int, choices: Iterable[int] = ()) -> None:
        """Show a moment.

        Args:
            position: Merges applied now.
            known: Merges learned so far, those undone included.
            target: Merges wanted.
            choices: Numbers (from 1) of the merges that the learner chose against the rule.
        """
        state = (position, max(known, position), target, frozenset(choices))
        if state != (self.position, self._known, self._target, self._choices):
            self.position, self._known, self._target, self._choices = state
            self.refresh()

    @property
    def end(self) -> int:
        """The merge at the right end of the line."""
        return max(self._target, self._known, 1)

    @property
    def has_buttons(self) -> bool:
        """Is there room for the buttons?"""
        return self.size.width >= MIN_WIDTH_WITH_BUTTONS

    def notify_style_update(self) -> None:
        """Forget the drawn line."""
        self._strip = None
        super().notify_style_update()

    # -- rendering --------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """The one line."""
        place = self.position if self._dragged is None else self._dragged
        key = (self.size, place, self._known, self._target, self._choices, self.playing, self._dragged, self.has_focus)
        if self._strip is None or self._strip[0] != key:
            segments = [*self._button_segments(), *self._rail_segments(place)]
            self._strip = (key, Strip(segments).apply_style(self.rich_style))
        return self._strip[1] if y == 0 else Strip.blank(self.size.width, self.rich_style)

    def _button_segments(self) -> list[Segment]:
        if not self.has_buttons:
            return [Segment(" ")]
        text = BUTTONS.replace("▶", "‖") if self.playing else BUTTONS
        return [Segment(text, palette_of(self.app).accent)]

    def _rail_segments(self, place: int) -> list[Segment]:
        palette = palette_of(self.app)
        width = self._rail_width
        if width < 2:
            return []
        here, known = self._column(place), self._column(self._known)
        cells: list[tuple[str, Style]] = [(PLAYED, palette.accent)] * here
        cells += [(KNOWN, palette.muted)] * (known - here + 1 if self._known > place else 0)
        cells += [(UNKNOWN, palette.faint)] * (width - len(cells))
        for number in self._choices:
            column = self._column(number)
            cells[column] = (CHOICE, palette.tie)
        if 0 < self._target < self.end or self._known < self._target:
            column = self._column(self._target)
            cells[column] = (TARGET, palette.accent if here > column else palette.muted)
        cells[here] = (KNOB, palette.accent)
        if self._dragged is not None:
            self._write(cells, here, f" {language.number(place)} ", palette.marked)
        segments: list[Segment] = []
        start = 0
        for index in range(1, width + 1):
            if index == width or cells[index][1] is not cells[start][1]:
                segments.append(Segment("".join(char for char, _ in cells[start:index]), cells[start][1]))
                start = index
        return [*segments, Segment(" ")]

    @staticmethod
    def _write(cells: list[tuple[str, Style]], beside: int, text: str, style: Style) -> None:
        """Put a label next to the knob, on the side that has room."""
        start = beside + 1 if beside + 1 + len(text) <= len(cells) else beside - len(text)
        if start >= 0:
            cells[start : start + len(text)] = [(char, style) for char in text]

    # -- geometry ---------------------------------------------------------------------------------------------

    @property
    def _rail_start(self) -> int:
        return len(BUTTONS) if self.has_buttons else 1

    @property
    def _rail_width(self) -> int:
        return self.size.width - self._rail_start - 1

    def _column(self, number: int) -> int:
        """Cell of the rail for a merge number."""
        return round(min(max(number, 0), self.end) * (self._rail_width - 1) / self.end)

    def _number_at(self, x: int) -> int:
        """Merge number for a cell of the widget."""
        width = self._rail_width
        if width < 2:
            return 0
        return round(min(max(x - self._rail_start, 0), width - 1) * self.end / (width - 1))

    # -- keys and mouse ---------------------------------------------------------------------------------------

    def _ask(self, position: int) -> None:
        """Ask for the moment after `position` merges, unless that is shown."""
        position = max(0, position)
        if position != self.position:
            self.post_message(MomentSelected(position))

    def action_move_by(self, merges: int) -> None:
        """Ask for some merges more or less; the target may be run past."""
        self._ask(self.position + merges)

    def action_move_pages(self, pages: int) -> None:
        """Ask for a tenth of the line more or less, staying on the line."""
        self._ask(min(self.position + pages * max(1, self.end // 10), self.end))

    def action_move_to_edge(self, end: bool) -> None:
        """Ask for the start or the end of the line."""
        self._ask(self.end if end else 0)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Press a button, or take the knob to the mouse."""
        event.stop()
        if self.has_buttons and event.x < len(BUTTONS):
            buttons = (Button.BACK, Button.PLAY, Button.FORWARD)
            self.post_message(self.ButtonPressed(self, buttons[min(event.x // 2, 2)]))
            return
        self.capture_mouse()
        self._drag_to(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The knob follows the mouse."""
        if self._dragged is not None:
            event.stop()
            self._drag_to(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go of the knob."""
        if self._dragged is not None:
            event.stop()
            self._dragged = None
            self.release_mouse()
            self.refresh()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """One merge back."""
        event.stop()
        self.action_move_by(-1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """One merge forward."""
        event.stop()
        self.action_move_by(1)

    def _drag_to(self, x: int) -> None:
        place = self._number_at(x)
        if place != self._dragged:
            self._dragged = place
            self.refresh()
            self._ask(place)
