"""What a list shows: a frame with live figures, and the lines in view of any number of rows.

Nothing here reacts to keys or the mouse; `virtual_table` adds that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.reactive import reactive, var
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.core.i18n import _, number
from bpe_tui.ui.widgets.cached_lines import CachedLines
from bpe_tui.ui.widgets.frame import FrameStyles, bottom_line, thumb_span, top_line

RowT = TypeVar("RowT")

MIN_BODY_WITH_HEADER: Final = 6
"""Lines inside the frame from which on the first one names the columns."""


class FrameState(NamedTuple):
    """Everything that the frame's drawing depends on."""

    figures: tuple[str, ...] = ()
    note: str = ""
    position: str = ""
    thumb: tuple[int, int] = (0, 0)


class TableView(CachedLines, Generic[RowT]):
    """A framed list on the line API.

    A subclass says how many rows there are, fetches a page of them and draws one. A row value holds all that
    its drawing depends on, so `reload` can compare the page with the one on screen and repaint only the lines
    that differ. The frame is drawn here too: a new title repaints one line and never asks for a layout.
    """

    NAME: ClassVar[str] = ""
    """Name in the title line; translated there."""
    NUMBER: ClassVar[str] = ""
    """The pane's key, as a superscript."""
    EMPTY: ClassVar[str] = ""
    """What an empty list says; translated there."""

    cursor: reactive[int] = reactive(0, repaint=False)
    """Row under the cursor."""
    hover: reactive[int | None] = reactive[int | None](None, repaint=False)
    """Row under the mouse."""
    pan: var[int] = var(0)
    """Cells by which rows are shifted to the left."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, classes=classes)
        self.row_count = 0
        self._rows: list[RowT] = []
        self._first = 0
        self._layout_key: object = None
        """What the columns were fitted for; None before the first look at the data."""
        self._frame = FrameState()
        self._settling = False

    # -- what a subclass says ---------------------------------------------------------------------------------

    @property
    def empty_text(self) -> str:
        """What the list says now that it is empty."""
        return _(self.EMPTY)

    @property
    def is_ready(self) -> bool:
        """Is there anything to look at? Before that the list is blank, and `fetch` isn't called."""
        return True

    def count_rows(self) -> int:
        """Number of rows."""
        raise NotImplementedError

    def fetch(self, start: int, stop: int) -> list[RowT]:
        """Rows `start` to `stop`, each holding all that its drawing depends on."""
        raise NotImplementedError

    def measure(self, rows: Sequence[RowT], width: int) -> object:
        """Fit the columns to the rows in view; every line is redrawn when the value returned changes."""
        return None

    def draw(self, row: RowT, index: int, width: int) -> list[Segment]:
        """The row, meant for `width` cells; what is longer is cut and can be panned to."""
        raise NotImplementedError

    def draw_header(self, width: int) -> list[Segment]:
        """The names of the columns."""
        return []

    def is_changed(self, row: RowT) -> bool:
        """Did the last merge change this row?"""
        return False

    def figures(self) -> str | tuple[str, ...]:
        """Live figures for the title line; of several texts, longest first, the first that fits is shown."""
        return ""

    def note(self) -> str:
        """A short note for the closing line."""
        return ""

    # -- measures ---------------------------------------------------------------------------------------------

    @property
    def inner_width(self) -> int:
        """Cells for a row: inside the frame, less a blank on either side."""
        return max(0, self.outer_size.width - 4)

    @property
    def has_header(self) -> bool:
        """Is there room to name the columns?"""
        return self.outer_size.height - 2 >= MIN_BODY_WITH_HEADER

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
    def allow_vertical_scroll(self) -> bool:
        """The wheel works although there is no scroll bar widget."""
        return self.row_count > self.body_height

    # -- data and repaint -------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Look at the data anew and repaint the lines that changed."""
        if not self.outer_size:
            return
        old_rows, old_first, old_frame = self._rows, self._first, self._frame
        self._settling = True
        try:
            self._settle()
        finally:
            self._settling = False
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

    def _settle(self) -> None:
        """Find out how many rows there are, and which of them to show; the page is fetched afterwards, once."""
        self._adopt_count(self.count_rows())

    def catch_up(self) -> None:
        """Reload if the data have changed unseen, as they do while the list is out of view."""

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

    def _adopt_count(self, count: int) -> None:
        """Take a row count without the layout that setting `virtual_size` would ask for."""
        self.row_count = count
        self.set_reactive(
            Widget.virtual_size, Size(self.outer_size.width, count + self.outer_size.height - self.body_height)
        )
        if self.scroll_offset.y > self.max_scroll_y:
            self.scroll_first(self.max_scroll_y)
        if self.cursor >= max(1, count):
            self.cursor = max(0, count - 1)

    def _load(self) -> bool:
        """Fetch the page in view; True if every line has to be redrawn."""
        self._first = self.scroll_offset.y
        stop = min(self.row_count, self._first + self.body_height)
        self._rows = self.fetch(self._first, stop) if stop > self._first else []
        figures = self.figures()
        self._frame = FrameState(
            (figures,) if isinstance(figures, str) else figures,
            self.note(),
            self._position(),
            thumb_span(self.body_height, self.row_count, self._first),
        )
        layout_key = (self.outer_size, self.measure(self._rows, self.inner_width))
        changed = layout_key != self._layout_key
        self._layout_key = layout_key
        return changed

    def _position(self) -> str:
        """`1–6 of 30,000`, if not all rows are in view."""
        if self.row_count <= self.body_height:
            return ""
        return _("{first}–{last} of {total}").format(
            first=number(self._first + 1), last=number(self._first + len(self._rows)), total=number(self.row_count)
        )

    def refresh_row(self, index: int | None) -> None:
        """Repaint the line of row `index`, if it is in view."""
        if index is not None and 0 <= (line := index - self._first) < self.body_height:
            self.refresh(Region(0, self.body_top + line, self.outer_size.width, 1))

    # -- rendering --------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """A line of the pane: frame, names of columns or row."""
        width, height = self.outer_size
        if y == 0 or y == height - 1:
            return self._frame_line(y == 0, width)
        side = Segment("│", self.style_of("frame"))
        if y < self.body_top:
            header = self.style_of("header")
            return self._between(side, self.draw_header(width - 4), side, header, width)
        line = y - self.body_top
        start, stop = self._frame.thumb
        right = Segment("┃", self.style_of("thumb")) if start <= line < stop else side
        if line >= len(self._rows):
            is_empty = self._layout_key is not None and self.is_ready and not self._rows and line == 0
            empty = [Segment(self.empty_text, self.palette.muted)] if is_empty else []
            return self._between(side, empty, right, self.base, width)
        index = self._first + line
        row = self._rows[line]
        style = self.base
        if self.is_changed(row):
            style += self.style_of("changed", on_base=False)
        if index == self.hover:
            style += self.style_of("hover", on_base=False)
        if index == self.cursor and self.has_focus:
            style += self.style_of("cursor", on_base=False)
        self._row_palette = self._palette_on(style)
        try:
            body = self.draw(row, index, width - 4)
        finally:
            self._row_palette = None
        return self._between(side, body, right, style, width)

    def _between(self, left: Segment, body: list[Segment], right: Segment, style: Style, width: int) -> Strip:
        """A line inside the frame, cut to its width, with a sign at the side where something is hidden."""
        inner = width - 4
        length = 0
        segments = [left, Segment(" ", style)]
        for segment in body:
            text, part, _ = segment
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
        styles = FrameStyles(*(self.style_of(part) for part in ("frame", "name", "figures")))
        if at_top:
            return top_line(width, self.NUMBER, _(self.NAME), self._frame.figures, styles)
        return bottom_line(width, self._frame.note, self._frame.position, styles)
