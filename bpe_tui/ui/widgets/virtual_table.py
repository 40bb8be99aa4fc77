"""The base of the lists: a `TableView` that keys and mouse move through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import var

from bpe_tui.ui.widgets.frame import first_row_at
from bpe_tui.ui.widgets.table_view import RowT, TableView


class VirtualTable(TableView[RowT], Generic[RowT], can_focus=True):
    """A list of any length with a cursor, a filter, mouse and keyboard."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Row up", show=False),
        Binding("down", "move(1)", "Row down", show=False),
        Binding("pageup", "move_page(-1)", "Page up", show=False),
        Binding("pagedown", "move_page(1)", "Page down", show=False),
        Binding("home", "move_to_edge(False)", "First row", show=False),
        Binding("end", "move_to_edge(True)", "Last row", show=False),
        Binding("left", "pan(-8)", "Pan left", show=False),
        Binding("right", "pan(8)", "Pan right", show=False),
        Binding("enter", "activate", "Use the row", show=False),
    ]

    FOLLOWS_END: ClassVar[bool] = False
    """Keep the last row in view as rows are added, until the learner moves away from it."""

    filter_text: var[str] = var("", init=False)
    """Only rows that hold this text are listed; empty for all."""

    @dataclass
    class Activated(Message):
        """A row was used: enter or a double click."""

        table: VirtualTable[Any]
        index: int

        @property
        def control(self) -> VirtualTable[Any]:
            """The table."""
            return self.table

    @dataclass
    class Pointed(Message):
        """The learner moved the cursor to another row."""

        table: VirtualTable[Any]
        index: int

        @property
        def control(self) -> VirtualTable[Any]:
            """The table."""
            return self.table

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, classes=classes)
        self._following = self.FOLLOWS_END
        self._dragging = False

    def watch_cursor(self, old: int, new: int) -> None:
        """Repaint the two rows."""
        self.refresh_row(old)
        self.refresh_row(new)

    def watch_hover(self, old: int | None, new: int | None) -> None:
        """Repaint the two rows."""
        self.refresh_row(old)
        self.refresh_row(new)

    def watch_filter_text(self) -> None:
        """Start at the top of what is left."""
        self.pan = 0
        self.scroll_first(0)
        self.cursor = 0
        self._following = False
        self.reload()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Fetch the page that came into view."""
        if not self._settling:
            self.catch_up()
        if self.outer_size and round(new_value) != self._first and not self._settling:
            self._load()
        super().watch_scroll_y(old_value, new_value)

    def _settle(self) -> None:
        """A list that follows its end shows the newest row."""
        super()._settle()
        if self._following:
            self.cursor = max(0, self.followed_row())
            self.show_row(self.cursor)

    def followed_row(self) -> int:
        """The row that a list with `FOLLOWS_END` keeps in view."""
        return self.row_count - 1

    def follow(self) -> None:
        """Go back to the row that is followed, and stay with it from the next `reload` on."""
        self._following = self.FOLLOWS_END

    # -- moving -----------------------------------------------------------------------------------------------

    def point_at(self, index: int) -> None:
        """Put the cursor on row `index`, as the learner does, and say so."""
        self.catch_up()
        index = max(0, min(index, self.row_count - 1))
        self._following = self.FOLLOWS_END and index == self.followed_row()
        self.show_row(index)
        if index != self.cursor:
            self.cursor = index
            self.post_message(self.Pointed(self, index))

    def action_move(self, rows: int) -> None:
        """Move the cursor by `rows`."""
        self.point_at(self.cursor + rows)

    def action_move_page(self, pages: int) -> None:
        """Move the cursor and the view by whole pages."""
        step = pages * max(1, self.body_height - 1)
        self.scroll_first(self.scroll_offset.y + step)
        self.point_at(self.cursor + step)

    def action_move_to_edge(self, end: bool) -> None:
        """Move the cursor to the first or the last row."""
        self.point_at(self.row_count - 1 if end else 0)

    def action_pan(self, cells: int) -> None:
        """Shift the rows sideways."""
        self.pan = max(0, self.pan + cells)
        self.reload()
        self.refresh()

    def action_activate(self) -> None:
        """Use the row under the cursor."""
        if self.row_count:
            self.post_message(self.Activated(self, self.cursor))

    # -- mouse ------------------------------------------------------------------------------------------------

    def row_at(self, y: int) -> int | None:
        """The row on line `y`, if there is one."""
        line = y - self.body_top
        return self._first + line if 0 <= line < len(self._rows) else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Point at a row, or take hold of the scroll bar."""
        if event.x == self.outer_size.width - 1 and self.row_count > self.body_height:
            self._dragging = True
            self.capture_mouse()
            self._drag_to(event.y)
        elif (index := self.row_at(event.y)) is not None:
            self.point_at(index)

    def on_mouse_up(self) -> None:
        """Let go of the scroll bar."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the scroll bar, or show which row is under the mouse."""
        if self._dragging:
            self._drag_to(event.y)
        else:
            self.hover = self.row_at(event.y)

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self.hover = None

    def on_click(self, event: events.Click) -> None:
        """A double click uses the row."""
        if event.chain == 2 and self.row_at(event.y) is not None:
            self.action_activate()

    def _drag_to(self, y: int) -> None:
        self.scroll_first(first_row_at(y - self.body_top, self.body_height, self.row_count))

    def on_resize(self) -> None:
        """The page in view has another size."""
        self.reload()

    def on_show(self) -> None:
        """What happened while the list was out of view shows now."""
        self.reload()
