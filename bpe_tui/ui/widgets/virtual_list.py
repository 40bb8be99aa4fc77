"""A framed list of any number of rows: only what is in view is fetched, drawn and repainted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive, var
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.core.i18n import _, number, plural
from bpe_tui.ui.actions import with_cyrillic
from bpe_tui.ui.widgets.caches import LineCache, StyleCache
from bpe_tui.ui.widgets.frame import FrameStyles, bottom_line, first_row_at, thumb_span, top_line
from bpe_tui.ui.widgets.sorting import META, SortColumn, SortOrder

if TYPE_CHECKING:
    from typing import Self

    from bpe_tui.ui.themes import Palette

RowT = TypeVar("RowT")

MOST_MARKED: Final = 10_000
"""Rows that can be copied at once."""

HEADER_FROM: Final = 6
"""Lines inside the frame from which on the first one names the columns, where a source sets nothing else."""


class RowSource(ABC, Generic[RowT]):
    """What a list shows: how many rows there are, a page of them, and how one is drawn.

    Each method gets the list that asks, for its measures, its palette and its cursor. A row value holds all that its
    drawing depends on, so that the list can compare a page with the one on screen and repaint only what differs.
    """

    header_from: int | None = None
    """Lines inside the frame from which on the first one names the columns; None: never."""
    sort_columns: Sequence[SortColumn] = ()
    """What the rows can be sorted by, from left to right."""
    order: SortOrder | None = None
    """What they are sorted by; None for their own order."""

    @property
    def is_ready(self) -> bool:
        """Is there anything to look at? Before that nothing is counted or fetched, and the list is blank."""
        return True

    @property
    def empty_text(self) -> str:
        """Shown in place of rows while there are none."""
        return ""

    @property
    def version(self) -> object:
        """Differs once the rows may have changed since the last look, as they do while the list is out of view."""
        return None

    @abstractmethod
    def count(self, view: VirtualList[Any]) -> int:
        """Number of rows."""

    @abstractmethod
    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[RowT]:
        """Rows `start` to `stop`."""

    @abstractmethod
    def draw(self, view: VirtualList[Any], row: RowT) -> list[Segment]:
        """A row, meant for `view.inner_width` cells; what is longer is cut and can be panned to."""

    def measure(self, view: VirtualList[Any], rows: Sequence[RowT]) -> object:
        """Fit the columns to the rows in view; every line is redrawn when the value returned changes."""
        return None

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """The names of the columns."""
        return []

    def is_changed(self, row: RowT) -> bool:
        """Did the last merge change this row?"""
        return False

    def figures(self, view: VirtualList[Any]) -> str | tuple[str, ...]:
        """Live figures for the title line; of several texts, longest first, the first that fits is shown."""
        return ""

    def note(self, view: VirtualList[Any]) -> str:
        """A short note for the closing line."""
        return ""

    def followed(self, view: VirtualList[Any]) -> int | None:
        """The row to keep in view, until the learner moves the cursor away from it; None if there is none such."""
        return None


class FrameState(NamedTuple):
    """What the drawing of the frame depends on."""

    figures: tuple[str, ...] = ()
    note: str = ""
    position: str = ""
    thumb: tuple[int, int] = (0, 0)


class VirtualList(ScrollView, Generic[RowT], can_focus=True):
    """A list on the line API, with a cursor, mouse and keyboard; its source provides what it shows.

    The frame is drawn here too: a new title repaints one line and never asks for a layout.
    """

    ALLOW_SELECT = False  # the mouse marks whole rows, those out of view too
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Row up", show=False),
        Binding("down", "move(1)", "Row down", show=False),
        Binding("pageup", "move_page(-1)", "Page up", show=False),
        Binding("pagedown", "move_page(1)", "Page down", show=False),
        Binding("home", "move_to_edge(False)", "First row", show=False),
        Binding("end", "move_to_edge(True)", "Last row", show=False),
        Binding(f"shift+left,{with_cyrillic(('less_than_sign',))}", "pan(-8)", "Pan left", show=False),
        Binding(f"shift+right,{with_cyrillic(('greater_than_sign',))}", "pan(8)", "Pan right", show=False),
        Binding("enter", "select", "Use the row", show=False),
        Binding("shift+up", "mark(-1)", "Mark the row above too", show=False),
        Binding("shift+down", "mark(1)", "Mark the row below too", show=False),
        Binding("shift+home", "mark_to_edge(False)", "Mark all rows above", show=False),
        Binding("shift+end", "mark_to_edge(True)", "Mark all rows below", show=False),
        Binding("ctrl+c,super+c", "copy_rows", "Copy the marked rows", show=False),
        Binding("escape", "unmark", "Mark nothing", show=False),
    ]
    DEFAULT_CSS = """
    VirtualList {
        background: $surface;
        color: $foreground;
        overflow: hidden hidden;
    }
    """

    cursor: reactive[int] = reactive(0, repaint=False)
    """Row under the cursor."""
    hover: reactive[int | None] = reactive[int | None](None, repaint=False)
    """Row under the mouse."""
    marked: reactive[range] = reactive(range(0), repaint=False)
    """Rows to be copied, by `shift` with an arrow or by dragging the mouse."""
    pan: var[int] = var(0)
    """Cells by which rows are shifted to the left."""

    @dataclass
    class Highlighted(Message):
        """The learner moved the cursor to another row."""

        view: VirtualList[Any]
        index: int

        @property
        def control(self) -> VirtualList[Any]:
            """The list."""
            return self.view

    @dataclass
    class Selected(Message):
        """The learner used a row: enter or a double click."""

        view: VirtualList[Any]
        index: int

        @property
        def control(self) -> VirtualList[Any]:
            """The list."""
            return self.view

        @property
        def row(self) -> Any:
            """The row, as the list's source has it now; None if that has become shorter."""
            return self.view.row(self.index)

    def __init__(
        self,
        title: str,
        source: RowSource[RowT],
        *,
        number: str = "",
        has_cursor: bool = True,
        id: str | None = None,  # noqa: A002 (Textual's name)
        classes: str | None = None,
    ) -> None:
        """A list of the rows of `source`.

        Args:
            title: Name in the title line; translated there.
            source: What is listed.
            number: The list's key, as a superscript.
            has_cursor: Can rows be pointed at, by keys and mouse?
            id: The widget's id.
            classes: The widget's classes.
        """
        # Set first: the library asks for a style update while it sets up.
        self._styles = StyleCache(self)
        self._lines = LineCache(self)
        self._row_palette: Palette | None = None
        super().__init__(id=id, classes=classes)
        self.list_title = title
        """Name in the title line; translated there."""
        self.source = source
        """What is listed."""
        self.row_count = 0
        """Rows in all, as of the last look."""
        self._number = number
        self._has_cursor = has_cursor
        self._rows: list[RowT] = []
        self._first = 0
        self._layout_key: object = None
        """What the columns were fitted for; None before the first look at the data."""
        self._version: object = None
        """The version of the rows in view."""
        self._frame = FrameState()
        self._is_settling = False
        self._is_following = True
        self._is_dragging = False
        self._head_clicked = (-1, "")
        """The cell and the column of the head that was clicked last."""
        self._anchor: int | None = None
        """The row where marking began, while the mouse is held down or `shift` extends it."""
        if not has_cursor:
            self.set_reactive(VirtualList.cursor, -1)

    # -- measures ---------------------------------------------------------------------------------------------

    @property
    def inner_width(self) -> int:
        """Cells for a row: inside the frame, less a blank on either side."""
        return max(0, self.outer_size.width - 4)

    @property
    def has_header(self) -> bool:
        """Is there room to name the columns?"""
        needed = self.source.header_from
        return needed is not None and self.outer_size.height - 2 >= needed

    @property
    def body_top(self) -> int:
        """Line of the first row."""
        return 2 if self.has_header else 1

    @property
    def body_height(self) -> int:
        """Rows that fit."""
        return max(0, self.outer_size.height - 1 - self.body_top)

    @property
    def rows(self) -> Sequence[RowT]:
        """The rows in view."""
        return self._rows

    @property
    def position_text(self) -> str:
        """`1–6 of 30,000`, if not all rows are in view."""
        if self.row_count <= self.body_height:
            return ""
        return _("{first}–{last} of {total}").format(
            first=number(self._first + 1), last=number(self._first + len(self._rows)), total=number(self.row_count)
        )

    @property
    def allow_vertical_scroll(self) -> bool:
        """The wheel works although there is no scroll bar widget."""
        return self.row_count > self.body_height

    # -- order ------------------------------------------------------------------------------------------------

    def sort_by(self, order: SortOrder | None) -> None:
        """List the rows in another order, from the top; None for their own."""
        self.source.order = order
        self._layout_key = None
        self.to_top()

    def sort_by_next(self) -> SortColumn | None:
        """Go to the next column, and after the last to the rows' own order; returns the column."""
        columns, order = self.source.sort_columns, self.source.order
        keys = [column.key for column in columns]
        place = 0 if order is None else keys.index(order.column) + 1
        column = columns[place] if place < len(columns) else None
        self.sort_by(None if column is None else SortOrder(column.key, column.falls))
        return column

    def reverse_order(self) -> None:
        """The same column the other way round."""
        order = self.source.order
        if order is not None:
            self.sort_by(SortOrder(order.column, not order.descending))

    def _sort_by_click(self, key: str) -> None:
        """A column, then the other way round, then the rows' own order."""
        column = next(column for column in self.source.sort_columns if column.key == key)
        order, first = self.source.order, SortOrder(key, column.falls)
        if order is None or order.column != key:
            self.sort_by(first)
        else:
            self.sort_by(SortOrder(key, not column.falls) if order == first else None)

    # -- data and repaint -------------------------------------------------------------------------------------

    def use_source(self, source: RowSource[RowT]) -> None:
        """List the rows of another source, with the cursor and the view where they are."""
        self.source = source
        self.reload()

    def reload(self) -> None:
        """Ask the source again, and repaint the lines that changed."""
        if not self.source.is_ready:
            return
        self._version = self.source.version
        if not self.outer_size:
            return
        old_rows, old_first, old_frame = self._rows, self._first, self._frame
        self._is_settling = True
        try:
            self._settle()
        finally:
            self._is_settling = False
        redraw_all = self._load()
        if redraw_all or old_first != self._first or len(old_rows) != len(self._rows):
            self.refresh()
            return
        (width, height), top = self.outer_size, self.body_top
        dirty = [
            Region(0, top + line, width, 1)
            for line, (old, new) in enumerate(zip(old_rows, self._rows, strict=True))
            if old != new
        ]
        if self._frame != old_frame:
            dirty += [Region(0, 0, width, 1), Region(0, height - 1, width, 1)]
            if self._frame.thumb != old_frame.thumb:
                dirty.append(Region(0, 1, width, height - 2))
        if dirty:
            self.refresh(*dirty)

    def catch_up(self) -> None:
        """Reload if the rows have changed unseen."""
        if self.source.is_ready and self._version != self.source.version:
            self.reload()

    def row(self, index: int) -> RowT | None:
        """The row with this index; None if there is none such."""
        found = self.source.fetch(self, index, index + 1) if 0 <= index < self.row_count else []
        return found[0] if found else None

    @property
    def row_at_cursor(self) -> RowT | None:
        """The row under the cursor, if that is in view."""
        line = self.cursor - self._first
        return self._rows[line] if 0 <= line < len(self._rows) else None

    def show_row(self, index: int) -> None:
        """Scroll as little as possible so that row `index` is in view."""
        top = self.scroll_offset.y
        if index < top:
            self.scroll_first(index)
        elif index >= top + self.body_height:
            self.scroll_first(index - self.body_height + 1)

    def scroll_first(self, index: int) -> None:
        """Make row `index` the first in view, as far as possible."""
        if index != self.scroll_offset.y:
            self.catch_up()
        self.scroll_y = self.scroll_target_y = max(0, min(index, self.max_scroll_y))

    def to_top(self) -> None:
        """The cursor and the view to the first row, nothing panned; what is followed is left."""
        self.pan = 0
        self.forget_marks()
        self.scroll_first(0)
        self.cursor = 0
        self._is_following = False
        self.reload()

    def follow(self) -> None:
        """Go back to the row that is followed, and stay with it from the next `reload` on."""
        self._is_following = True

    def _settle(self) -> None:
        """Find out how many rows there are, and which of them to show; the page is fetched afterwards, once."""
        self.adopt_count()
        followed = self.source.followed(self) if self._is_following else None
        if followed is not None:
            self.cursor = max(0, followed)
            self.show_row(self.cursor)

    def adopt_count(self) -> None:
        """Take the number of rows, without the layout that setting `virtual_size` would ask for."""
        self.row_count = count = self.source.count(self)
        self.set_reactive(
            Widget.virtual_size, Size(self.outer_size.width, count + self.outer_size.height - self.body_height)
        )
        if self.scroll_offset.y > self.max_scroll_y:
            self.scroll_first(self.max_scroll_y)
        if self.cursor >= max(1, count):
            self.cursor = max(0, count - 1)

    def _load(self) -> bool:
        """Fetch the page in view; True if every line has to be redrawn."""
        source = self.source
        self._first = self.scroll_offset.y
        stop = min(self.row_count, self._first + self.body_height)
        self._rows = source.fetch(self, self._first, stop) if stop > self._first else []
        figures = source.figures(self)
        self._frame = FrameState(
            (figures,) if isinstance(figures, str) else figures,
            source.note(self),
            self.position_text,
            thumb_span(self.body_height, self.row_count, self._first),
        )
        layout_key = (self.outer_size, source.measure(self, self._rows))
        changed = layout_key != self._layout_key
        self._layout_key = layout_key
        return changed

    def refresh_row(self, index: int | None) -> None:
        """Repaint the line of row `index`, if it is in view."""
        if index is not None and 0 <= (line := index - self._first) < self.body_height:
            self.refresh(Region(0, self.body_top + line, self.outer_size.width, 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Repaint the two rows."""
        self.refresh_row(old)
        self.refresh_row(new)

    def watch_hover(self, old: int | None, new: int | None) -> None:
        """Repaint the two rows."""
        self.refresh_row(old)
        self.refresh_row(new)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Fetch the page that came into view."""
        if not self._is_settling:
            self.catch_up()
            if self.outer_size and round(new_value) != self._first:
                self._load()
        super().watch_scroll_y(old_value, new_value)

    def watch_marked(self, old: range, new: range) -> None:
        """Repaint the rows that differ, if they are in view."""
        for index in range(self._first, self._first + len(self._rows)):
            if (index in old) != (index in new):
                self.refresh_row(index)

    # -- moving -----------------------------------------------------------------------------------------------

    def point_at(self, index: int) -> None:
        """Put the cursor on row `index` for the learner, and post that."""
        if not self.source.is_ready:
            return
        self.catch_up()
        index = max(0, min(index, self.row_count - 1))
        self.forget_marks()
        self._is_following = index == self.source.followed(self)
        self.show_row(index)
        if index != self.cursor:
            self.cursor = index
            self.post_message(self.Highlighted(self, index))

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

    def action_select(self) -> None:
        """Use the row under the cursor."""
        if self.row_count:
            self.post_message(self.Selected(self, self.cursor))

    # -- copying ----------------------------------------------------------------------------------------------

    def mark_to(self, index: int) -> None:
        """Mark the rows from where marking began, or from the cursor, to `index`; at most `MOST_MARKED`."""
        anchor = self.cursor if self._anchor is None else self._anchor
        lowest, highest = max(0, anchor - MOST_MARKED + 1), min(self.row_count, anchor + MOST_MARKED) - 1
        index = max(lowest, min(index, highest))
        self.point_at(index)
        self._anchor, self.marked = anchor, range(min(anchor, index), max(anchor, index) + 1)

    def action_mark(self, rows: int) -> None:
        """Move the cursor by `rows`, and mark what it passes."""
        if self._has_cursor and self.row_count:
            self.mark_to(self.cursor + rows)

    def action_mark_to_edge(self, end: bool) -> None:
        """Mark all rows to the first or the last one."""
        if self._has_cursor and self.row_count:
            self.mark_to(self.row_count - 1 if end else 0)

    def action_unmark(self) -> None:
        """Mark nothing; if nothing is, escape is for others."""
        if not self.marked:
            raise SkipAction
        self.forget_marks()

    def forget_marks(self) -> None:
        """No row is marked any more."""
        self._anchor, self.marked = None, range(0)

    def action_copy_rows(self) -> None:
        """Copy the marked rows; if there are none, the key is for others."""
        marked = self.marked
        rows = self.source.fetch(self, marked.start, min(marked.stop, self.row_count)) if marked else []
        if not rows or self.screen.selections:
            raise SkipAction
        self.app.copy_to_clipboard("\n".join(self.texts(rows)))
        copied = plural("Copied {count} line.", "Copied {count} lines.", len(rows))
        self.app.notify(copied, markup=False, timeout=4)

    def texts(self, rows: Sequence[RowT]) -> list[str]:
        """Rows as they read, control characters as their stand-ins."""
        return ["".join(segment.text for segment in self.source.draw(self, row)).strip() for row in rows]

    # -- mouse ------------------------------------------------------------------------------------------------

    def row_on_line(self, y: int) -> int | None:
        """The row on line `y`, if there is one."""
        line = y - self.body_top
        return self._first + line if 0 <= line < len(self._rows) else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Point at a row, or take hold of the scroll bar."""
        if event.x == self.outer_size.width - 1 and self.row_count > self.body_height:
            self._is_dragging = True
            self.capture_mouse()
            self._drag_to(event.y)
        elif self.has_header and event.y == 1:
            # Columns move with what is in view: a mouse that has not moved is still on the same one.
            x, clicked = self._head_clicked
            key = clicked if event.x == x and self.source.order is not None else event.style.meta.get(META, "")
            if key:
                self._head_clicked = (event.x, key)
                self._sort_by_click(key)
        elif self._has_cursor and (index := self.row_on_line(event.y)) is not None:
            if event.shift:
                self.mark_to(index)
            else:
                self.point_at(index)
                self._anchor = index

    def on_mouse_up(self) -> None:
        """Let go of the scroll bar."""
        if self._is_dragging:
            self._is_dragging = False
            self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the scroll bar, or show which row is under the mouse."""
        if self._is_dragging:
            self._drag_to(event.y)
        elif self._has_cursor:
            index = self.row_on_line(event.y)
            if event.button and index is not None and self._anchor is not None and index != self.cursor:
                self.mark_to(index)
            self.hover = index

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self.hover = None

    def on_click(self, event: events.Click) -> None:
        """A double click uses the row."""
        if self._has_cursor and event.chain == 2 and self.row_on_line(event.y) is not None:
            self.action_select()

    def _drag_to(self, y: int) -> None:
        self.scroll_first(first_row_at(y - self.body_top, self.body_height, self.row_count))

    def on_resize(self) -> None:
        """The page in view has another size."""
        self.reload()

    def on_show(self) -> None:
        """What happened while the list was out of view shows now."""
        self.reload()

    # -- styles -----------------------------------------------------------------------------------------------

    @property
    def palette(self) -> Palette:
        """Styles of the current theme, on the background of the row that is being drawn."""
        return self._row_palette or self._styles.palette

    @property
    def cursor_style(self) -> Style:
        """What is under the cursor."""
        palette = self._styles.palette
        return palette.cursor if self.has_focus else palette.blurred_cursor

    @property
    def pointed_style(self) -> Style:
        """What is under the mouse: seen without colour too."""
        return self._styles.palette.raised + Style(bold=True, underline=True)

    def notify_style_update(self) -> None:
        """Forget what depends on styles."""
        self._styles.clear()
        self._lines.clear()
        super().notify_style_update()

    # -- rendering --------------------------------------------------------------------------------------------

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Forget the drawn lines concerned, and have them drawn again."""
        if regions:
            self._lines.forget(regions)
        elif repaint:
            self._lines.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a region, drawn once and kept."""
        return self._lines.lines(crop, self.render_line)

    def render_line(self, y: int) -> Strip:
        """A line of the pane: frame, names of columns or row."""
        (width, height), styles, palette = self.outer_size, self._styles, self._styles.palette
        if y == 0 or y == height - 1:
            return self._frame_line(y == 0, width)
        side = Segment("│", palette.focused_frame if self.has_focus else palette.frame)
        if y < self.body_top:
            return self._between(side, self.source.header(self), side, palette.muted + Style(italic=True))
        line = y - self.body_top
        start, stop = self._frame.thumb
        thumb = palette.focused_frame + Style(bold=True) if self.has_focus else palette.thumb
        right = Segment("┃", thumb) if start <= line < stop else side
        if line >= len(self._rows):
            return self._between(side, self._empty_line(line), right, styles.base)
        index, row = self._first + line, self._rows[line]
        style = styles.base
        if self.source.is_changed(row):
            style += palette.changed
        if index in self.marked:
            style += palette.selected
        if index == self.hover:
            style += palette.raised
        if index == self.cursor and self.has_focus:
            style += palette.cursor
        self._row_palette = styles.palette_on(style)
        try:
            body = self.source.draw(self, row)
        finally:
            self._row_palette = None
        return self._between(side, body, right, style)

    def _empty_line(self, line: int) -> list[Segment]:
        """A line without a row; the first one shows why, once that is known."""
        if line or self._rows or self._layout_key is None or not (text := self.source.empty_text):
            return []
        return [Segment(text, self.palette.muted)]

    def _between(self, left: Segment, body: list[Segment], right: Segment, style: Style) -> Strip:
        """A line inside the frame, cut to its width, with a sign at the side where something is hidden."""
        width = self.outer_size.width
        inner = width - 4
        length = 0
        segments = [left, Segment(" ", style)]
        for segment in body:
            text, part, _control = segment
            length += len(text) if text.isascii() else cell_len(text)
            if part is None:
                segment = Segment(text, style)
            elif part.bgcolor is None or part.color is None:
                segment = Segment(text, style + part)
            segments.append(segment)
        if length <= inner and not self.pan:
            segments += [Segment(" " * (inner - length + 1), style), right]
            return Strip(segments, width)
        muted = style + self.palette.muted
        pan = min(self.pan, max(0, length - inner))
        strip = Strip(segments[2:], length).crop(pan, pan + inner).adjust_cell_length(inner, style)
        before = Segment("‹" if pan else " ", muted)
        after = Segment("›" if length - pan > inner else " ", muted)
        return Strip([left, before, *strip, after, right], width)

    def _frame_line(self, at_top: bool, width: int) -> Strip:
        palette = self._styles.palette
        line = palette.focused_frame if self.has_focus else palette.frame
        name = palette.focused_frame if self.has_focus else self._styles.base
        styles = FrameStyles(line, name + Style(bold=True), palette.muted)
        if at_top:
            return top_line(width, self._number, _(self.list_title), self._frame.figures, styles)
        return bottom_line(width, self._frame.note, self._frame.position, styles)
