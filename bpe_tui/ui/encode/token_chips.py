"""The tokens of a text as chips: boundaries, ids, unknowns and shared characters, seen without colour."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from textual.message import Message

from bpe_tui.core.display import clip
from bpe_tui.core.encoding.tokenized_text import TokenizedWord
from bpe_tui.core.i18n import mark
from bpe_tui.ui.encode.chip_labels import Line, Piece, labels
from bpe_tui.ui.encode.chip_layout import Chip, ChipLayout, chip_text, id_text
from bpe_tui.ui.text import cells, safe, tone_of
from bpe_tui.ui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from rich.style import Style
    from textual import events

BORDER: Final = "│"
HERE: Final = "┃"
"""Border of the chip that is looked at."""

NOTHING: Final = TokenizedWord("", (), (), ())
NONE_FRESH: Final[Mapping[int, AbstractSet[int]]] = MappingProxyType({})


class TokenChips(VirtualTable[Line]):
    """All tokens of a text in rows; arrow keys and mouse go from chip to chip."""

    NAME = mark("Tokens")
    NUMBER = "²"
    EMPTY = mark("Type a text: its tokens appear here.")

    @dataclass
    class TokenHighlighted(Message):
        """The learner looks at another token."""

        chips: TokenChips
        index: int

        @property
        def control(self) -> TokenChips:
            """The pane."""
            return self.chips

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, classes=classes)
        self.cursor = -1  # chips are pointed at, lines are not
        self._cut = NOTHING
        self._ends: Sequence[bool] = ()
        self._byte_level = False
        self._base_size = 0
        self._fresh: Mapping[int, AbstractSet[int]] = {}
        self._here = -1
        self._figures: tuple[str, ...] = ()
        self._note = ""
        self._unread = ""
        self._layout_made: ChipLayout | None = None

    def show(
        self,
        cut: TokenizedWord,
        ends: Sequence[bool],
        *,
        byte_level: bool,
        base_size: int,
        here: int = -1,
        fresh: Mapping[int, AbstractSet[int]] = NONE_FRESH,
        figures: Sequence[str] = (),
        note: str = "",
        unread: str = "",
    ) -> None:
        """Show a text's tokens.

        Args:
            cut: The text (untrusted) and its tokens by word.
            ends: For each word whether a line of the text ends with it.
            byte_level: Tokens are bytes, so characters outside ASCII are shown above them.
            base_size: Ids below it are letters.
            here: The token looked at; -1 for none.
            fresh: By kind of word the places of the tokens that the merge of the replay has just made.
            figures: For the title line, the most important first.
            note: For the closing line.
            unread: Why these are the tokens of an earlier text or moment, if they are; they are dimmed then.
        """
        if cut is not self._cut or byte_level != self._byte_level:
            self._layout_made = None
        self._cut, self._ends, self._byte_level = cut, ends, byte_level
        self._base_size, self._fresh = base_size, fresh
        self._here, self._figures, self._note, self._unread = here, tuple(figures), note, unread
        if self.size and here >= 0:
            self._adopt_count(self.count_rows())
            self._bring_into_view(here)
        self.reload()

    @property
    def here(self) -> int:
        """The token looked at; -1 for none."""
        return self._here

    @property
    def cut(self) -> TokenizedWord:
        """What is shown."""
        return self._cut

    @property
    def layout_of_chips(self) -> ChipLayout:
        """Rows for the width there is now."""
        made = self._layout_made
        if made is None or made.width != max(self.inner_width, 4):
            made = self._layout_made = ChipLayout(self._cut, self._ends, self.inner_width, byte_level=self._byte_level)
        return made

    # -- the list's side --------------------------------------------------------------------------------------

    @property
    def is_ready(self) -> bool:
        """Is it known whether there is anything to show?"""
        return not self._unread

    @property
    def has_header(self) -> bool:
        """Chips have no columns to name."""
        return False

    def count_rows(self) -> int:
        """Lines of all rows."""
        return self.layout_of_chips.height

    def fetch(self, start: int, stop: int) -> list[Line]:
        """Some lines."""
        layout = self.layout_of_chips
        return [self._line(layout, layout.row_at(line), line) for line in range(start, stop)]

    def measure(self, rows: Sequence[Line], width: int) -> object:
        """All chips are dimmed, or none."""
        return bool(self._unread)

    def draw(self, row: Line, index: int, width: int) -> list[Segment]:
        """A line in the styles of the theme in force; faint if these tokens are no longer the text's."""
        if self._unread:
            return [Segment(text, self.palette.faint) for text, _, _ in row]
        return [Segment(text, self._style(kind, tone)) for text, kind, tone in row]

    def figures(self) -> tuple[str, ...]:
        """How many tokens, and as much more as there is room for."""
        if self._unread:
            return (self._unread,)
        return tuple(" · ".join(self._figures[:count]) for count in range(len(self._figures), 0, -1))

    def note(self) -> str:
        """What there is to mind."""
        return safe(self._note)

    def _style(self, kind: str, tone: int) -> Style:
        palette = self.palette
        if kind == "token":
            return palette.token(tone)
        if kind == "here":
            return palette.token(tone) + self.style_of("cursor") + palette.strong.without_color
        styles: dict[str, Style] = {
            "border": palette.faint,
            "edge": palette.accent,
            "id": palette.muted,
            "here-id": palette.muted + self.style_of("cursor"),
            "fresh": palette.marked,
            "unknown": palette.warn,
            "here-unknown": palette.warn + self.style_of("cursor"),
            "character": palette.strong,
        }
        return styles[kind]

    # -- lines ------------------------------------------------------------------------------------------------

    def _line(self, layout: ChipLayout, row: int | None, line: int) -> Line:
        if row is None:
            return ()
        part = line - layout.rows[row].top + (3 - layout.rows[row].height)
        return labels(layout, row) if part == 0 else self._chips(layout, row, ids=part == 2)

    def _chips(self, layout: ChipLayout, row: int, *, ids: bool) -> Line:
        pieces: list[Piece] = []
        at = 0
        chips = layout.chips(row)
        for chip in chips:
            token = chip.token
            here = chip.number == self._here
            if chip.left > at:
                pieces.append((BORDER if at else "", "border", 0))
                pieces.append((" " * (chip.left - at - bool(at)), "border", 0))
            edge = here or (chip.number - 1 == self._here and chip.left == at)
            pieces.append((HERE if edge else BORDER, "edge" if edge else "border", 0))
            text = clip(id_text(token) if ids else chip_text(token), chip.width)
            spare = chip.width - cells(text)
            before = min(layout.pad, spare) if not ids else spare // 2
            filled = " " * before + text + " " * (spare - before)
            pieces.append((filled, *self._kind(chip, ids=ids, here=here)))
            at = chip.left + chip.width + 1
        edge = chips[-1].number == self._here
        pieces.append((HERE if edge else BORDER, "edge" if edge else "border", 0))
        return tuple(piece for piece in pieces if piece[0])

    def _kind(self, chip: Chip, *, ids: bool, here: bool) -> tuple[str, int]:
        token = chip.token
        if ids:
            return ("here-id" if here else "id"), 0
        if chip.place in self._fresh.get(self._cut.kinds[chip.word], ()):
            return "fresh", 0
        if token.unknown:
            return ("here-unknown" if here else "unknown"), 0
        tone = 0 if token.id is None else tone_of(token.id, self._base_size)
        return ("here" if here else "token"), tone

    # -- moving -----------------------------------------------------------------------------------------------

    def look_at(self, index: int) -> None:
        """Look at a token, as the learner does, and say so."""
        if not len(self._cut):
            return
        index = max(0, min(index, len(self._cut) - 1))
        self._bring_into_view(index)
        if index != self._here:
            self._here = index
            self.reload()
            self.post_message(self.TokenHighlighted(self, index))

    def _bring_into_view(self, index: int) -> None:
        layout = self.layout_of_chips
        if 0 <= index < len(self._cut):
            row = layout.rows[layout.row_of(index)]
            self.show_row(row.top + row.height - 1)
            self.show_row(row.top)

    def action_pan(self, cells: int) -> None:
        """To the chip at the side."""
        self.look_at(self._here + (1 if cells > 0 else -1))

    def action_move(self, rows: int) -> None:
        """To the chip above or below."""
        layout = self.layout_of_chips
        if 0 <= self._here < len(self._cut):
            row = layout.row_of(self._here)
            chip = layout.chip(self._here)
            wanted = max(0, min(row + rows, len(layout.rows) - 1))
            if wanted != row:
                self.look_at(layout.nearest(wanted, chip.left + chip.width // 2))

    def action_move_page(self, pages: int) -> None:
        """A page of rows up or down."""
        self.action_move(pages * max(1, self.body_height // 3))

    def action_move_to_edge(self, end: bool) -> None:
        """To the first or the last token."""
        self.look_at(len(self._cut) - 1 if end else 0)

    def action_activate(self) -> None:
        """Nothing to use."""

    # -- mouse ------------------------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Look at the chip under the mouse."""
        if event.x == self.size.width - 1:
            return  # the scroll bar is the list's own affair
        event.prevent_default()
        line = self.row_at(event.y)
        row = None if line is None else self.layout_of_chips.row_at(line)
        if row is not None:
            self.look_at(self.layout_of_chips.nearest(row, event.x - 2))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Lines do not light up."""
        if not self._dragging:
            event.prevent_default()
