"""A text input that keeps what it is given, character for character, and shows what cannot be shown.

Textual's editor splits lines at a dozen characters and prints control characters as they are. Here only `\\n` ends a
line. Every other character that must not reach a terminal is kept, in the editor's document, as a private-use
character of its own, one cell wide; the line drawn has a visible stand-in there, and `raw` has the character itself.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final
from unicodedata import category

from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Offset, Region
from textual.message import Message
from textual.widgets import TextArea

from bpe_tui.core.display import displayable, is_mark
from bpe_tui.ui.themes import palette_of
from bpe_tui.ui.widgets.safe_input import line_ends
from bpe_tui.ui.widgets.typed_keys import edit_at_once, typed_blank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.document._document import EditResult, Location
    from textual.document._edit import Edit
    from textual.strip import Strip

FIRST_KEPT: Final = 0xF0000
"""Start of the private-use plane: its characters replace, in the document, those that must not be shown."""
LAST_KEPT: Final = 0xFFFFD
BLANK: Final = "⍽"
FORMAT: Final = "▯"
MARK: Final = "◌"
MARKED: Final = Style(reverse=True, strike=True)
"""Seen without colour too."""


def symbol_for(char: str) -> str:
    """One cell that shows a character which must not be printed."""
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    kind = category(char)
    if kind == "Zs":
        return BLANK
    return MARK if kind in {"Mn", "Mc", "Me"} else FORMAT


class VerbatimArea(TextArea):
    """The editor; use `raw` and `load_raw` where one would use `text` and `load_text`."""

    DEFAULT_CSS = """
    VerbatimArea {
        background: $surface;
        color: $foreground;
        border: none;
        padding: 0;
        &:focus { border: none; }
        & .text-area--cursor-line { background: transparent; }
    }
    """

    @dataclass
    class Pointed(Message):
        """The mouse is over another character, or over none any more."""

        area: VerbatimArea
        place: int | None
        """In code points of `raw`."""

        @property
        def control(self) -> VerbatimArea:
            """The editor."""
            return self.area

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        self._kept: dict[str, str] = {}
        self._raw_of: dict[int, str] = {}
        self._shown: dict[int, str] = {}
        self._marks: dict[int, list[tuple[int, int]]] = {}
        """By line what is marked in it: start and end."""
        self._styles_between: Callable[[int, int], Iterable[tuple[int, int, Style]]] | None = None
        self._starts: Sequence[int] = ()
        """Where in `raw` each line starts, as of the last painting."""
        self._drawn_line = 0
        """The line of the widget that is being drawn."""
        self._pointed: int | None = None
        super().__init__(soft_wrap=True, tab_behavior="focus", placeholder=placeholder, id=id)
        self.match_cursor_bracket = False
        self.highlight_cursor_line = False

    @property
    def raw(self) -> str:
        """The text as it was given."""
        return self._to_raw(self.text)

    def load_raw(self, text: str) -> None:
        """Replace everything; the cursor goes to the end."""
        self.load_text(text)
        self.move_cursor(self.document.end)

    @property
    def raw_offset(self) -> int:
        """Code points of `raw` before the cursor."""
        row, column = self.cursor_location
        lines = self.document.lines
        return sum(len(lines[index]) for index in range(row)) + row + column

    def mark_places(self, places: Sequence[tuple[int, int]]) -> None:
        """Mark parts of `raw`, each from a start to an end in code points, until the text changes."""
        marks: dict[int, list[tuple[int, int]]] = {}
        starts = list(accumulate((len(line) + 1 for line in self.document.lines), initial=0)) if places else []
        for start, end in places:
            while start < end:
                row = bisect_right(starts, start) - 1
                marks.setdefault(row, []).append((start - starts[row], end - starts[row]))
                start = starts[row + 1] if row + 1 < len(starts) else end
        if marks != self._marks:
            self._marks = marks
            self._draw_anew()

    def paint(self, styles_between: Callable[[int, int], Iterable[tuple[int, int, Style]]] | None) -> None:
        """Style stretches of `raw`; None for none.

        Args:
            styles_between: Gets a start and an end in code points, and returns start, end and style of the stretches
                between them. It is asked for what is in view.
        """
        self._styles_between = styles_between
        self._starts = list(accumulate((len(line) + 1 for line in self.document.lines), initial=0))
        self._draw_anew()

    def show_place(self, place: int) -> None:
        """Scroll a character of `raw` into view, wherever the cursor is."""
        row = bisect_right(self._starts, place) - 1
        if 0 <= row < self.document.line_count:
            offset = self.wrapped_document.location_to_offset((row, place - self._starts[row]))
            self.scroll_to_region(Region(offset.x, offset.y, 1, 1), animate=False, force=True)

    def _draw_anew(self) -> None:
        self.notify_style_update()  # forgets the lines drawn
        self.refresh()

    # -- what the editor asks for -----------------------------------------------------------------------------

    @property
    def selected_text(self) -> str:
        """The selection as it was given; what copy takes."""
        return self._to_raw(super().selected_text)

    def load_text(self, text: str) -> None:
        """Replace everything."""
        self._marks = {}
        self._styles_between = None
        super().load_text(self._to_document(text, ""))

    def edit(self, edit: Edit) -> EditResult:
        """All editing comes through here: typed, pasted, dropped."""
        self._marks = {}
        edit.text = self._to_document(edit.text, self._before(edit.from_location, edit.to_location))
        return super().edit(edit)

    def action_cut(self) -> None:
        """Cut the selection, or the line; the clipboard gets it as it was given."""
        if self.selection.is_empty:
            self.action_select_line()
        self.app.copy_to_clipboard(self.selected_text)
        self.delete(*self.selection)

    def render_line(self, y: int) -> Strip:
        """A line of the widget."""
        self._drawn_line = y
        return super().render_line(y)

    def get_line(self, line_index: int) -> Text:
        """The line with stand-ins, as wide as the line in the document."""
        line = self.document.get_line(line_index)
        shown = line.translate(self._shown) if self._shown else line
        text = Text(shown, end="", no_wrap=True)
        if shown != line:
            style = palette_of(self.app).warn
            for column, (char, drawn) in enumerate(zip(line, shown, strict=True)):
                if char != drawn:
                    text.stylize(style, column, column + 1)
        for start, end, style in self._painted(line_index, len(line)):
            text.stylize(style, start, end)
        for start, end in self._marks.get(line_index, ()):
            text.stylize(palette_of(self.app).warn + MARKED, start, end)
        return text

    def _painted(self, row: int, length: int) -> Iterable[tuple[int, int, Style]]:
        """The styles of that part of a line of the document which is being drawn: lines can be very long."""
        if self._styles_between is None or row >= len(self._starts):
            return
        first, last = 0, length
        if offsets := self.wrapped_document.get_offsets(row):
            here, column = self.wrapped_document.offset_to_location(Offset(0, self._drawn_line + self.scroll_offset.y))
            if here == row:
                section = bisect_right(offsets, column)
                first, last = column, offsets[section] if section < len(offsets) else length
        start = self._starts[row]
        for begin, end, style in self._styles_between(start + first, start + last):
            yield begin - start, end - start, style

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """Scroll to the cursor; in the middle of an undo it may be behind the end, and is left alone."""
        if self.cursor_location[0] >= self.document.line_count:
            return self.scroll_offset
        return super().scroll_cursor_visible(center, animate)

    async def on_key(self, event: events.Key) -> None:
        """Take a blank or a joiner that is typed, as one that is pasted; and edit before the next key is taken."""
        if not self.read_only and (char := typed_blank(event)) is not None:
            event.stop()
            event.prevent_default()
            self._replace_via_keyboard(char, *self.selection)
        else:
            await edit_at_once(self, event)

    def on_paste(self, event: events.Paste) -> None:
        """Terminals send a line end as a carriage return; any other carriage return is the text's own."""
        event.text = line_ends(event.text)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Post which character the mouse is over."""
        row, column = self.get_target_document_location(event)
        inside = event.get_content_offset(self) is not None and row < len(self._starts)
        self._point(self._starts[row] + column if inside and column < len(self.document.get_line(row)) else None)

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._point(None)

    def _point(self, place: int | None) -> None:
        if place != self._pointed:
            self._pointed = place
            self.post_message(self.Pointed(self, place))

    # -- the two writings -------------------------------------------------------------------------------------

    def _before(self, start: Location, end: Location) -> str:
        """The character before an edit, empty at the start of a line."""
        row, column = min(start, end)
        return self.document.get_line(row)[column - 1 : column] if column else ""

    def _to_document(self, text: str, before: str) -> str:
        if text.isascii() and text.replace("\n", "").isprintable():
            return text
        result: list[str] = []
        for char in text:
            keep = char != "\n" and self._must_keep(char, before)
            before = self._keep(char) if keep else char
            result.append(before)
        return "".join(result)

    @staticmethod
    def _must_keep(char: str, before: str) -> bool:
        if is_mark(char):
            return not before or before in " \n" or FIRST_KEPT <= ord(before) <= LAST_KEPT
        return displayable(char) != char

    def _keep(self, char: str) -> str:
        kept = self._kept.get(char)
        if kept is None:
            code = FIRST_KEPT + len(self._kept)
            if code > LAST_KEPT:
                return "\ufffd"
            kept = self._kept[char] = chr(code)
            self._raw_of[code] = char
            self._shown[code] = symbol_for(char)
        return kept

    def _to_raw(self, text: str) -> str:
        return text.translate(self._raw_of) if self._raw_of else text
