"""The tokens of a text as chips: boundaries, ids, unknowns and shared characters, seen without colour."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.message import Message

from bpe_tui.core.display import clip, displayable
from bpe_tui.core.encoding.tokenized_text import TokenizedText
from bpe_tui.core.i18n import _, mark
from bpe_tui.core.readable import Notation
from bpe_tui.ui.encode.chip_layout import Chip, ChipLayout, chip_text, id_text
from bpe_tui.ui.text import cells, tone_of
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from rich.style import Style
    from textual import events

BORDER: Final = "│"
HERE: Final = "┃"
"""Border of the chip that is looked at."""

LEAST_HEIGHT: Final = 5
"""Lines of the pane at least: a token, its characters above it and its id below, in a frame."""
NOTHING: Final = TokenizedText("", (), (), ())
NONE_FRESH: Final[Mapping[int, AbstractSet[int]]] = MappingProxyType({})

ChipPiece = tuple[str, str, int]
"""A stretch of a line: text, kind of style, and for tokens their tone."""
ChipLine = tuple[ChipPiece, ...]


@dataclass(eq=False)
class ChipRows(RowSource[ChipLine]):
    """The lines of all chips of a text."""

    tokenized: TokenizedText = NOTHING
    """The text (untrusted) and its tokens by word."""
    ends: Sequence[bool] = ()
    """For each word whether a line of the text ends with it."""
    notation: Notation = field(default_factory=Notation)
    """Shows the tokens."""
    base_size: int = 0
    """Ids below it are letters."""
    here: int = -1
    """The token looked at; -1 for none."""
    pointed: AbstractSet[int] = frozenset()
    """The tokens that the mouse points at, here, in the text or in the replay."""
    fresh: Mapping[int, AbstractSet[int]] = field(default_factory=lambda: NONE_FRESH)
    """By kind of word the places of the tokens that the merge of the replay has just made."""
    title: Sequence[str] = ()
    """Figures for the title line, the most important first."""
    remark: str = ""
    """For the closing line; untrusted."""
    unread: str = ""
    """Why these are the tokens of an earlier text or moment, if they are; they are dimmed then."""
    _layout: ChipLayout | None = field(default=None, init=False)

    def layout(self, width: int) -> ChipLayout:
        """Where the chips are in `width` cells."""
        width = max(width, 4)
        if self._layout is None or self._layout.width != width:
            self._layout = ChipLayout(self.tokenized, self.ends, width, self.notation)
        return self._layout

    def take_layout(self, other: ChipRows) -> None:
        """Take over the layout of the same text, if it was made."""
        if other.tokenized is self.tokenized and other.notation == self.notation:
            self._layout = other._layout

    @property
    def empty_text(self) -> str:
        """Before there is a text, or if all of it is left out."""
        if self.tokenized.dropped and not self.unread:
            return _("No tokens: every character of this text is left out.")
        return "" if self.unread else _("Type a text: its tokens appear here.")

    def count(self, view: VirtualList[Any]) -> int:
        """Lines of all rows of chips."""
        return self.layout(view.inner_width).height

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[ChipLine]:
        """Some lines."""
        layout = self.layout(view.inner_width)
        return [self._line(layout, line) for line in range(start, stop)]

    def measure(self, view: VirtualList[Any], rows: Sequence[ChipLine]) -> object:
        """All chips are dimmed, or none."""
        return bool(self.unread)

    def draw(self, view: VirtualList[Any], row: ChipLine) -> list[Segment]:
        """A line in the styles of the current theme; faint if these tokens are no longer the text's."""
        if self.unread:
            return [Segment(text, view.palette.faint) for text, _kind, _tone in row]
        return [Segment(text, _style(view, kind, tone)) for text, kind, tone in row]

    def figures(self, view: VirtualList[Any]) -> tuple[str, ...]:
        """How many tokens, and as much more as there is room for."""
        if self.unread:
            return (self.unread,)
        return tuple(" · ".join(self.title[:count]) for count in range(len(self.title), 0, -1))

    def note(self, view: VirtualList[Any]) -> str:
        """What there is to mind; else what the signs on the chips mean."""
        return displayable(self.remark) or ", ".join(self.layout(view.inner_width).legend)

    # -- lines ------------------------------------------------------------------------------------------------

    def _line(self, layout: ChipLayout, line: int) -> ChipLine:
        row = layout.row_at(line)
        if row is None:
            return ()
        part = line - layout.rows[row].top + (3 - layout.rows[row].height)
        pieces = _labels(layout, row) if part == 0 else self._chips(layout, row, ids=part == 2)
        return tuple(piece for piece in pieces if piece[0])

    def _chips(self, layout: ChipLayout, row: int, *, ids: bool) -> list[ChipPiece]:
        pieces: list[ChipPiece] = []
        at = 0
        chips = layout.chips(row)
        for chip in chips:
            token = chip.token
            here = chip.number == self.here
            if chip.left > at:
                pieces.append((BORDER if at else "", "border", 0))
                pieces.append((" " * (chip.left - at - bool(at)), "border", 0))
            edge = here or (chip.number - 1 == self.here and chip.left == at)
            pieces.append((HERE if edge else BORDER, "edge" if edge else "border", 0))
            text = clip(id_text(token) if ids else chip_text(token, self.notation), chip.width)
            spare = chip.width - cells(text)
            before = min(layout.pad, spare) if not ids else spare // 2
            filled = " " * before + text + " " * (spare - before)
            pieces.append((filled, *self._kind(chip, ids=ids, here=here)))
            at = chip.left + chip.width + 1
        edge = chips[-1].number == self.here
        pieces.append((HERE if edge else BORDER, "edge" if edge else "border", 0))
        return pieces

    def _kind(self, chip: Chip, *, ids: bool, here: bool) -> tuple[str, int]:
        token = chip.token
        if ids:
            return ("here-id" if here else "id"), 0
        if chip.place in self.fresh.get(self.tokenized.kinds[chip.word], ()):
            return "fresh", 0
        if token.unknown:
            return ("here-unknown" if here else "unknown"), 0
        if not here and chip.number in self.pointed:
            return "pointed", tone_of(token.id, self.base_size)
        return ("here" if here else "token"), tone_of(token.id, self.base_size)


def _labels(layout: ChipLayout, row: int) -> list[ChipPiece]:
    """`╭ é ╮` over the bytes of a character; where labels meet, they share the border that their chips share."""
    pieces: list[ChipPiece] = []
    at = 0  # the cell after the last border
    chips = layout.chips(row)
    for label in layout.labels(row):
        first, last = chips[label.first], chips[label.last]
        inside = last.left + last.width - first.left
        text = clip(label.text, inside)
        spare = inside - cells(text)
        before = spare // 2
        if at > first.left:
            pieces[-1] = (pieces[-1][0][:-1] + "┬", "border", 0)
        else:
            pieces.append((" " * (first.left - at) + "╭", "border", 0))
        pieces.append(("─" * before, "border", 0))
        pieces.append((text, "character", 0))
        pieces.append(("─" * (spare - before) + "╮", "border", 0))
        at = last.left + last.width + 2
    return pieces


def _style(view: VirtualList[Any], kind: str, tone: int) -> Style:
    palette = view.palette
    if kind == "token":
        return palette.token(tone)
    cursor = view.cursor_style
    if kind == "pointed":
        return palette.token(tone) + view.pointed_style
    if kind == "here":
        return palette.token(tone) + cursor + palette.strong.without_color
    styles: dict[str, Style] = {
        "border": palette.faint,
        "edge": palette.accent,
        "id": palette.muted,
        "here-id": palette.muted + cursor,
        "fresh": palette.marked,
        "unknown": palette.warn,
        "here-unknown": palette.warn + cursor,
        "character": palette.strong,
    }
    return styles[kind]


class TokenChips(VirtualList[ChipLine]):
    """All tokens of a text in rows; arrow keys and mouse go from chip to chip."""

    source: ChipRows
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move_chip(-1)", "Token before", show=False),
        Binding("right", "move_chip(1)", "Next token", show=False),
    ]

    @dataclass
    class ChipHighlighted(Message):
        """The learner looks at another token."""

        chips: TokenChips
        index: int

        @property
        def control(self) -> TokenChips:
            """The pane."""
            return self.chips

    @dataclass
    class ChipPointed(Message):
        """The mouse is over another token, or over none any more."""

        chips: TokenChips
        index: int | None

        @property
        def control(self) -> TokenChips:
            """The pane."""
            return self.chips

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        self._pointed: int | None = None
        super().__init__(mark("Tokens"), ChipRows(), number="²", has_cursor=False, id=id)

    def show(self, rows: ChipRows) -> None:
        """Show a text's tokens, the one looked at in view."""
        rows.take_layout(self.source)
        self.source = rows
        if self.size and rows.here >= 0:
            self.adopt_count()
            self._bring_into_view(rows.here)
        self.reload()

    def fit(self) -> None:
        """Take no more lines than the chips need: the panes below have a use for them."""
        if self.size:
            height = max(LEAST_HEIGHT, self._layout_now.height + 2)
            known = self.styles.max_height
            if known is None or known.value != height:
                self.styles.max_height = height

    @property
    def here(self) -> int:
        """The token looked at; -1 for none."""
        return self.source.here

    @property
    def tokenized(self) -> TokenizedText:
        """What is shown."""
        return self.source.tokenized

    @property
    def _layout_now(self) -> ChipLayout:
        return self.source.layout(self.inner_width)

    # -- moving -----------------------------------------------------------------------------------------------

    def look_at(self, index: int) -> None:
        """Look at a token for the learner, and post that."""
        if not len(self.tokenized):
            return
        index = max(0, min(index, len(self.tokenized) - 1))
        self._bring_into_view(index)
        if index != self.here:
            self.source.here = index
            self.reload()
            self.post_message(self.ChipHighlighted(self, index))

    def _bring_into_view(self, index: int) -> None:
        layout = self._layout_now
        if 0 <= index < len(self.tokenized):
            row = layout.rows[layout.row_of(index)]
            self.show_row(row.top + row.height - 1)
            self.show_row(row.top)

    def action_move_chip(self, by: int) -> None:
        """To a chip at the side."""
        self.look_at(self.here + by)

    def action_move(self, rows: int) -> None:
        """To the chip above or below."""
        layout = self._layout_now
        if 0 <= self.here < len(self.tokenized):
            row = layout.row_of(self.here)
            chip = layout.chip(self.here)
            wanted = max(0, min(row + rows, len(layout.rows) - 1))
            if wanted != row:
                self.look_at(layout.nearest(wanted, chip.left + chip.width // 2))

    def action_move_page(self, pages: int) -> None:
        """A page of rows up or down."""
        self.action_move(pages * max(1, self.body_height // 3))

    def action_move_to_edge(self, end: bool) -> None:
        """To the first or the last token."""
        self.look_at(len(self.tokenized) - 1 if end else 0)

    def action_select(self) -> None:
        """Nothing to use."""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Look at the chip under the mouse."""
        found = self._chip_under(event)
        if found is not None:
            self.look_at(found)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Post which chip is under the mouse."""
        self._point(self._chip_under(event))

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._point(None)

    def _chip_under(self, event: events.MouseEvent) -> int | None:
        line = self.row_on_line(event.y)
        row = None if line is None or event.x == self.size.width - 1 else self._layout_now.row_at(line)
        return None if row is None else self._layout_now.nearest(row, event.x - 2)

    def _point(self, index: int | None) -> None:
        if index != self._pointed:
            self._pointed = index
            self.post_message(self.ChipPointed(self, index))
