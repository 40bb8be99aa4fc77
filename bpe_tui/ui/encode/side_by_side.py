"""Two tokenizers side by side: both rows of tokens, aligned by characters, and the list of their differences."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.message import Message

from bpe_tui.core.display import clip
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.ui.actions import first_key
from bpe_tui.ui.encode.actions import encode_key
from bpe_tui.ui.encode.chip_layout import chip_text
from bpe_tui.ui.text import cells, segments_width, tone_of
from bpe_tui.ui.widgets.columns import left, right
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from bpe_tui.core.teaching.side_by_side import AlignedSpan, SideBySide

MOST_COMPARED: Final = 20_000
"""Characters of a text that are compared on the screen."""
SAME: Final = "│"
"""Between two tokens, and at the ends of spans that are alike, ..."""
DIFFERENT: Final = "┃"
"""... and at the ends of those that differ."""
WIDEST_NAME: Final = 18
NARROW: Final = 60
"""Cells below which a side's name has less room."""
LEAST_HEIGHT: Final = 5
"""Lines of the pane at least: both rows, in a frame."""
LINES: Final = 3
"""Of a row: one for each side, and a blank one."""


class PlacedTokens(NamedTuple):
    """A span in a row."""

    number: int
    """Its place among all spans."""
    left: int
    """Cell of its left border."""
    width: int


class ComparedLine(NamedTuple):
    """A line of the comparison, with all that its drawing depends on."""

    side: int
    """0 or 1; 2 for a blank line."""
    row: int
    selected: int
    """The span that is selected; -1 for none."""
    compared: SideBySide


class ComparedRows(RowSource[ComparedLine]):
    """The spans of a text, in rows that fit the width; two lines of tokens for each."""

    def __init__(
        self,
        compared: SideBySide | None = None,
        base_sizes: tuple[int, int] = (0, 0),
        *,
        selected: int = 0,
        note: str = "",
    ) -> None:
        """The rows of a comparison.

        Args:
            compared: What is shown; None for nothing.
            base_sizes: Ids below them are symbols, for either side.
            selected: Which of the differences is selected.
            note: For the closing line; safe to show.
        """
        self.compared = compared
        self.selected = min(selected, self.total - 1)
        """Which of the differences is selected; -1 if there are none."""
        self._base_sizes = base_sizes
        self._note = note
        self._rows: list[list[PlacedTokens]] = []
        self._width = -1
        self._name_width = 0

    @property
    def total(self) -> int:
        """How many differences there are."""
        return len(self.compared.differing) if self.compared is not None else 0

    @property
    def selected_span(self) -> int:
        """The number of the span that is selected; -1 for none."""
        return self._numbers[self.selected] if self.selected >= 0 else -1

    @cached_property
    def _numbers(self) -> list[int]:
        spans = self.compared.spans if self.compared is not None else ()
        return [place for place, span in enumerate(spans) if span.differs]

    def row_of(self, span: int) -> int:
        """The row that a span is in."""
        return bisect_right(self._rows, span, key=lambda row: row[0].number) - 1

    def span_at(self, line: int, cell: int) -> int | None:
        """The difference at a cell of a line; None without one."""
        row = line // LINES
        if not 0 <= row < len(self._rows):
            return None
        cell -= self._name_width
        found = next((one.number for one in self._rows[row] if one.left <= cell <= one.left + one.width), None)
        return self._numbers.index(found) if found in self._numbers else None

    # -- the list asks ----------------------------------------------------------------------------------------

    @property
    def empty_text(self) -> str:
        """Before there is a text."""
        return _("Type a text: its tokens appear here.")

    def count(self, view: VirtualList[Any]) -> int:
        """Lines of all rows."""
        if view.inner_width != self._width:
            self._width = view.inner_width
            self._rows = self._lay_out() if self.compared is not None else []
        return max(0, len(self._rows) * LINES - 1)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[ComparedLine]:
        """Some lines."""
        compared, selected = self.compared, self.selected_span
        assert compared is not None
        return [ComparedLine(line % LINES, line // LINES, selected, compared) for line in range(start, stop)]

    def draw(self, view: VirtualList[Any], row: ComparedLine) -> list[Segment]:
        """A side's name and its tokens."""
        if row.side == 2:
            return []
        palette, compared = view.palette, row.compared
        name = left(clip(compared.sides[row.side].name, self._name_width - 1), self._name_width)
        segments = [Segment(name, palette.muted)]
        at, was_different = 0, False
        for placed in self._rows[row.row]:
            span = compared.spans[placed.number]
            is_selected = placed.number == row.selected
            border = DIFFERENT if span.differs or (was_different and placed.left == at - 1) else SAME
            style = palette.accent if is_selected else palette.strong if border == DIFFERENT else palette.faint
            segments.append(Segment(border, style))
            body = self._body(view, row, span, is_selected=is_selected)
            spare = placed.width - segments_width(body)
            if spare < 0:
                body = [Segment(clip("".join(segment.text for segment in body), placed.width), palette.letter)]
                spare = placed.width - segments_width(body)
            segments += [*body, Segment(" " * spare)]
            at, was_different = placed.left + placed.width + 2, span.differs
        end = (DIFFERENT, palette.strong) if was_different else (SAME, palette.faint)
        segments.append(Segment(*end))
        return segments

    def _body(
        self, view: VirtualList[Any], row: ComparedLine, span: AlignedSpan, *, is_selected: bool
    ) -> list[Segment]:
        side = row.side
        palette, notation = view.palette, row.compared.sides[side].notation
        segments: list[Segment] = []
        emphasis = Style.null()
        if span.differs:
            emphasis = view.cursor_style + Style(underline=True) if is_selected else palette.changed
            emphasis += Style(bold=True)
        for place, token in enumerate(row.compared.tokens_of(side, span)):
            if place:
                segments.append(Segment(SAME, palette.separator + emphasis))
            tone = tone_of(token.id, self._base_sizes[side])
            style = palette.warn if token.unknown else palette.token(tone)
            segments.append(Segment(chip_text(token, notation), style + emphasis))
        return segments

    def figures(self, view: VirtualList[Any]) -> tuple[str, ...]:
        """How many tokens either side needs, and where they differ."""
        if self.compared is None:
            return ("",)
        counts = [
            plural("{name} {count} token", "{name} {count} tokens", len(tokens), name=side.name)
            for side, tokens in zip(self.compared.sides, self.compared.tokens, strict=True)
        ]
        total = self.total
        differences = plural("{count} difference", "{count} differences", total) if total else _("no difference")
        short = " : ".join(number(len(tokens)) for tokens in self.compared.tokens)
        return (" · ".join([*counts, differences]), " · ".join(counts), f"{short} · {differences}", short)

    def note(self, view: VirtualList[Any]) -> str:
        """How to move and to end; or what there is to mind."""
        return self._note or _("←/→ next difference, {compare} another tokenizer, {end_comparing} ends").format(
            compare=encode_key("compare"), end_comparing=encode_key("end_comparing")
        )

    def _lay_out(self) -> list[list[PlacedTokens]]:
        compared = self.compared
        assert compared is not None
        names = max(cells(side.name) for side in compared.sides)
        self._name_width = min(names, WIDEST_NAME if self._width >= NARROW else 8) + 1
        room = max(4, self._width - self._name_width)
        rows: list[list[PlacedTokens]] = []
        row: list[PlacedTokens] = []
        at = 0
        for place, span in enumerate(compared.spans):
            width = min(room - 2, max(1, _tokens_width(compared, 0, span), _tokens_width(compared, 1, span)))
            if row and at + width + 2 > room:
                rows.append(row)
                row, at = [], 0
            row.append(PlacedTokens(place, at, width))
            at += width + 1
        return [*rows, row] if row else rows


def _tokens_width(compared: SideBySide, side: int, span: AlignedSpan) -> int:
    """Cells of a span's tokens and of the borders between them."""
    notation, tokens = compared.sides[side].notation, compared.tokens_of(side, span)
    return sum(cells(chip_text(token, notation)) for token in tokens) + max(0, len(tokens) - 1)


class PairPane(VirtualList[ComparedLine]):
    """A text in the tokens of two tokenizers; arrow keys go from difference to difference."""

    source: ComparedRows
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "Difference before", show=False),
        Binding("right", "move(1)", "Next difference", show=False),
    ]

    @dataclass
    class DifferenceHighlighted(Message):
        """The learner looks at another difference."""

        pane: PairPane
        index: int

        @property
        def control(self) -> PairPane:
            """The pane."""
            return self.pane

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Side by side"), ComparedRows(), number="²", has_cursor=False, id=id)

    def show(self, rows: ComparedRows | None) -> None:
        """Show a comparison, the selected difference in view; None for nothing."""
        self.source = rows or ComparedRows()
        self.reload()
        self._bring_into_view()

    fits_rows = True
    """Is the pane as high as its rows? Not while it is alone on the screen."""

    def fit(self) -> None:
        """Take no more lines than the rows need: the list below has a use for them."""
        if self.size:
            height = max(LEAST_HEIGHT, self.source.count(self) + 2)
            known = self.styles.max_height
            if known is None or known.value != height:
                self.styles.max_height = height

    def on_resize(self) -> None:
        """Another width takes more lines, or fewer."""
        if self.fits_rows:
            self.fit()

    def select_difference(self, index: int) -> None:
        """Select a difference, without posting that."""
        if index != self.source.selected and 0 <= index < self.source.total:
            self.source.selected = index
            self.reload()
            self._bring_into_view()

    def _bring_into_view(self) -> None:
        span = self.source.selected_span
        if span >= 0 and self.size and self.row_count:
            row = self.source.row_of(span)
            self.show_row(min(row * LINES + 1, self.row_count - 1))
            self.show_row(row * LINES)
            self.reload()

    def action_move(self, rows: int) -> None:
        """To a difference further on, or back."""
        total = self.source.total
        wanted = max(0, min(self.source.selected + rows, total - 1))
        if total and wanted != self.source.selected:
            self.select_difference(wanted)
            self.post_message(self.DifferenceHighlighted(self, wanted))

    def action_move_page(self, pages: int) -> None:
        """A page further on, or back."""
        self.scroll_first(self.scroll_offset.y + pages * max(1, self.body_height - 1))

    def action_move_to_edge(self, end: bool) -> None:
        """To the first or the last difference."""
        self.action_move(self.source.total * (1 if end else -1))

    def action_select(self) -> None:
        """Nothing to use."""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Select the difference under the mouse."""
        line = self.row_on_line(event.y)
        found = None if line is None else self.source.span_at(line, event.x - 2)
        if found is not None:
            self.action_move(found - self.source.selected)


# -- the list of differences -----------------------------------------------------------------------------------------


class DifferenceLine(NamedTuple):
    """A difference, with what its drawing depends on."""

    number: int
    span: AlignedSpan
    reason: str


class DifferenceRows(RowSource[DifferenceLine]):
    """The differences in the order of the text: place, the tokens of both, and why."""

    def __init__(self, compared: SideBySide | None = None) -> None:
        self.compared = compared
        self._widths = (1, 4, 4)
        self._reasons: dict[int, str] = {}

    @property
    def empty_text(self) -> str:
        """Both give the same tokens."""
        return _("Both cut this text into the same tokens.")

    def count(self, view: VirtualList[Any]) -> int:
        """All differences."""
        return len(self.compared.differing) if self.compared is not None else 0

    def sentences(self, index: int) -> list[str]:
        """Why the two differ there."""
        if self.compared is None or not 0 <= index < len(self.compared.differing):
            return []
        return list(self.compared.explain(self.compared.differing[index]).sentences)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[DifferenceLine]:
        """Some of them."""
        assert self.compared is not None
        lines = []
        for index in range(start, stop):
            if index not in self._reasons:
                self._reasons[index] = " ".join(self.sentences(index))
            lines.append(DifferenceLine(index, self.compared.differing[index], self._reasons[index]))
        return lines

    def measure(self, view: VirtualList[Any], rows: Sequence[DifferenceLine]) -> object:
        """Fit the columns of places and tokens."""
        most = max(6, view.inner_width // 4)
        place = max((len(number(row.span.start)) for row in rows), default=1)
        ours, theirs = (
            min(most, max((cells(self._tokens(side, row.span)) for row in rows), default=4)) for side in (0, 1)
        )
        self._widths = (place, ours, theirs)
        return self._widths

    def draw(self, view: VirtualList[Any], row: DifferenceLine) -> list[Segment]:
        """`15  '│s  's   story learned ' + s`."""
        palette, (place, ours, theirs) = view.palette, self._widths
        return [
            Segment(right(number(row.span.start), place) + "  ", palette.muted),
            Segment(left(self._tokens(0, row.span), ours) + "  ", palette.tokens[0]),
            Segment(left(self._tokens(1, row.span), theirs) + "  ", palette.tokens[1]),
            Segment(row.reason),
        ]

    def figures(self, view: VirtualList[Any]) -> str:
        """How many."""
        return number(self.count(view)) if self.compared is not None else ""

    def note(self, view: VirtualList[Any]) -> str:
        """How to step."""
        message = _("{step} next, {undo} back") if self.count(view) > 1 else ""
        return message.format(step=first_key("step"), undo=first_key("undo"))

    def _tokens(self, side: int, span: AlignedSpan) -> str:
        assert self.compared is not None
        notation = self.compared.sides[side].notation
        return SAME.join(chip_text(token, notation) for token in self.compared.tokens_of(side, span)) or "–"
