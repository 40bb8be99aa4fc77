"""The merge log: what was learned, in order; and what was learned and then undone, still there to be redone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from operator import add
from typing import TYPE_CHECKING, Any, Final

from rich.segment import Segment
from rich.style import Style

from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.readable import ARROW
from bpe_tui.core.training.states import Origin
from bpe_tui.ui.actions import first_key
from bpe_tui.ui.board.session_list import SessionList, SessionRows
from bpe_tui.ui.messages import MomentSelected
from bpe_tui.ui.text import cells, tone_of
from bpe_tui.ui.widgets.columns import left, number_width, pair_segments, pair_width, right, roomy, short_number
from bpe_tui.ui.widgets.sorting import GrowingOrder, SortColumn, head, some_in_order

if TYPE_CHECKING:
    from bpe_tui.core.training.states import Step
    from bpe_tui.core.training.vocabulary import Merge
    from bpe_tui.ui.widgets.sorting import SortOrder
    from bpe_tui.ui.widgets.virtual_list import VirtualList

HERE: Final = "●"
"""Beside the last merge applied."""

REMARK: Final = 10
"""Cells left free for remarks if there are any in view, enough for `  2 tied`."""
MOST_SHORT: Final = 9
"""The most where room is short: `  4k tied`."""


@dataclass(frozen=True, slots=True)
class MergeLine:
    """A merge, with what its drawing depends on beside itself."""

    step: Step
    is_here: bool
    is_undone: bool


@dataclass(frozen=True, slots=True)
class MergeColumns:
    """Widths of the columns, in cells."""

    number: int = 1
    pair: int = 5
    token: int = 2
    count: int = 2
    ragged: bool = False
    """Arrows aren't below each other, because that takes more room than there is."""

    @property
    def merge(self) -> int:
        """Pair, arrow and token."""
        return self.pair + len(ARROW) + self.token

    @property
    def width(self) -> int:
        """All of them, with what is between them."""
        return self.number + self.merge + self.count + 5


class MergeRows(SessionRows[MergeLine]):
    """The merges in the order learned, or sorted; enter goes to one."""

    sort_columns = (
        SortColumn("number", "#", falls=True),
        SortColumn("merge", mark("merge")),
        SortColumn("count", mark("count"), falls=True),
    )

    def __init__(self) -> None:
        super().__init__(_("None yet: press {step}.").format(step=first_key("step")))
        self._by_value = GrowingOrder()
        self._columns = MergeColumns()
        self._found: list[int] | None = None

    def count(self, view: VirtualList[Any]) -> int:
        """All merges known, or those that hold the filter's text."""
        steps, known = self.trainer.steps, min(self.revealed.merges, self.trainer.known)
        self._found = None
        if self.filter_text:
            wanted = self.wanted
            self._found = [
                place
                for place, step in enumerate(islice(steps, known))
                if any(way in step.merge.token for way in wanted)
            ]
        if self.order is not None:
            ordered = self._sorted(self.order, known)
            self._found = ordered if self._found is None else some_in_order(ordered, self._found).tolist()
        return known if self._found is None else len(self._found)

    def _sorted(self, order: SortOrder, known: int) -> list[int]:
        if order.column == "number":
            places = list(range(known))
        else:
            steps, is_count = self.trainer.steps, order.column == "count"
            key = (self.session, order.column, len(self.trainer.drops))
            places = self._by_value.rows(
                key, known, lambda place: steps[place].counted if is_count else steps[place].merge.token
            )
        return places[::-1] if order.descending else places

    def followed(self, view: VirtualList[Any]) -> int | None:
        """The last merge applied."""
        position = self.trainer.position
        if self._found is None:
            return position - 1
        if self.order is not None:
            return self._found.index(position - 1) if position - 1 in self._found else None
        return sum(place < position for place in self._found) - 1

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[MergeLine]:
        """The merges in view."""
        steps, position = self.trainer.steps, self.trainer.position
        places: Sequence[int] = range(start, stop) if self._found is None else self._found[start:stop]
        return [MergeLine(steps[place], place == position - 1, place >= position) for place in places]

    def measure(self, view: VirtualList[Any], rows: Sequence[MergeLine]) -> object:
        """Columns as wide as the rows in view need; where they need too much, arrows give up their alignment."""
        width, notation = view.inner_width, self.notation
        merges = [line.step.merge for line in rows]
        tokens = [cells(notation.token(merge.token)) for merge in merges]
        pairs = [pair_width(notation.token(merge.left), notation.token(merge.right)) for merge in merges]
        number = max(number_width(*(line.step.number for line in rows)), 1 + (self.order is not None))
        count = number_width(*(line.step.counted for line in rows))
        remarks = max((len(forms[1]) for line in rows if (forms := _all_remarks(line.step))), default=0)
        fixed = number + count + len(ARROW) + 5
        pair, token = roomy(max(pairs, default=5), width), roomy(max(tokens, default=2), width)
        if fixed + pair + token + (REMARK if remarks else 0) <= width:
            self._columns = MergeColumns(number, pair, token, count)
        else:
            room = max(8, width - fixed - min(MOST_SHORT, remarks))
            widest = min(room, max(map(add, pairs, tokens), default=8))
            self._columns = MergeColumns(number, widest, 0, count, ragged=True)
        return self._columns, self.order

    def draw(self, view: VirtualList[Any], row: MergeLine) -> list[Segment]:
        """`●1  u + g → ug   20  2 tied`."""
        step, columns, palette = row.step, self._columns, view.palette
        segments = [
            Segment(HERE if row.is_here else " ", palette.accent),
            Segment(right(number(step.number), columns.number) + "  ", palette.muted),
            *self._merge(view, step.merge),
            Segment("  " + right(number(step.counted), columns.count)),
            Segment(_remarks(step, view.inner_width + view.pan - columns.width), palette.tie),
        ]
        if row.is_undone:
            faded = palette.muted + Style(italic=True)
            return [Segment(text, faded) for text, _, _ in segments]
        return segments

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        columns, count = self._columns, _("count")
        wide = max(columns.count, cells(count) + (self.order is not None))
        return [
            Segment(" "),
            head("#", columns.number, "number", self.order, at_right=True),
            Segment("  "),
            head(_("merge"), columns.merge + columns.count - wide, "merge", self.order),
            Segment("  "),
            head(count, wide, "count", self.order, at_right=True),
        ]

    def figures(self, view: VirtualList[Any]) -> str:
        """How many, and how many of them are undone."""
        trainer = self.trainer
        known, position = self.revealed.merges, trainer.position
        if self.filter_text:
            return self.filtered(view, known)
        if known > position:
            return plural(
                "{position}, then {count} undone",
                "{position}, then {count} undone",
                known - position,
                position=number(position),
            )
        return number(position) if position else ""

    def _merge(self, view: VirtualList[Any], merge: Merge) -> list[Segment]:
        """`u + g → ug` in exactly the cells of its column."""
        columns, palette, base_size = self._columns, view.palette, self.base_size
        notation = self.notation
        texts, ids = (notation.token(merge.left), notation.token(merge.right)), (merge.left_id, merge.right_id)
        pair, token = columns.pair, columns.token
        if columns.ragged:
            pair = min(pair_width(*texts), max(9, columns.pair * 3 // 5))
            token = columns.pair - pair
        return [
            *pair_segments(texts, ids, pair, palette, base_size),
            Segment(ARROW, palette.separator),
            Segment(left(notation.token(merge.token), token), palette.token(tone_of(merge.id, base_size))),
        ]


class MergeLog(SessionList[MergeLine]):
    """The Merges pane; enter goes to a merge."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Merges"), MergeRows(), number="⁴", id=id)

    def action_select(self) -> None:
        """Go to the merge under the cursor."""
        line = self.row_at_cursor
        if line is not None:
            self.post_message(MomentSelected(line.step.number))


def _remarks(step: Step, room: int) -> str:
    """What is special about a merge, as fully as `room` cells hold; what they don't hold is left out whole."""
    return next((text for text in _all_remarks(step) if len(text) <= room), "")


def _all_remarks(step: Step) -> list[str]:
    """Ways to say what is special about a merge, from the fullest to the shortest, then without the last remarks."""
    forms: list[list[str]] = []
    if step.own_choice:
        forms.append([_("your choice"), _("yours"), _("yours")])
    if step.origin is Origin.TOKENIZER:
        forms.append([_("from the tokenizer"), _("given"), _("given")])
    if step.origin is Origin.SEED:
        forms.append([_("seed")] * 3)
    if step.tied > 1:
        tied = _("{count} tied")
        forms.append([tied.format(count=write(step.tied)) for write in (number, number, short_number)])
    if step.replaced != step.counted:
        full = _("{counted} counted, {replaced} replaced")
        short = plural("{count} replaced", "{count} replaced", step.replaced)
        only = _("only {count}").format(count=short_number(step.replaced))
        forms.append([full.format(counted=number(step.counted), replaced=number(step.replaced)), short, only])
    if step.reused:
        forms.append([_("id {id} again").format(id=number(step.merge.id))] * 3)
    said = [", ".join(form[size] for form in forms) for size in range(3)]
    said += [", ".join(form[2] for form in forms[:count]) for count in range(len(forms) - 1, 0, -1)]
    return [f"  {text}" for text in said if text]
