"""The ranking of pairs: who leads, by how much, and what the last merge did to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rich.segment import Segment
from rich.style import Style

from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.teaching.guessing_game import candidates
from bpe_tui.ui.board.session_list import SessionList, SessionRows
from bpe_tui.ui.messages import PairHighlighted, PairSelected
from bpe_tui.ui.text import cells
from bpe_tui.ui.widgets.columns import bar, change_text, left, number_width, pair_segments, pair_width, right, roomy
from bpe_tui.ui.widgets.sorting import SortColumn, head

if TYPE_CHECKING:
    from bpe_tui.core.training.arrays import Indices
    from bpe_tui.core.training.rows import PairRow
    from bpe_tui.ui.widgets.virtual_list import VirtualList

WINNER: Final = "▸"
"""Before the pair that is merged next."""
TIED: Final = "="
"""Before pairs with the same count as the winner."""
RIGHT: Final = mark("you ✓")
WRONG: Final = mark("you ✗")
MERGED: Final = mark("merged")
"""Behind the pair that was just merged, until the pairs are counted again."""
"""Behind the pair that the learner guessed."""
MIN_BAR: Final = 3
"""Cells that a bar takes at least."""
MOST_SEARCHED: Final = 10_000
"""Rows among which a pair is looked for."""
PAGE: Final = 512
"""Rows that are asked for at a time while looking."""
MOST_GONE: Final = 3
"""Up to this many pairs that are gone are named."""


@dataclass(frozen=True, slots=True)
class PairLine:
    """A row of the ranking, with what its drawing depends on beside itself."""

    row: PairRow
    top: int
    """The highest count: the length of the bar is relative to it."""
    wins: bool
    """Marked as the one that is merged next: by the rule, or as it was before it was undone."""
    is_tied: bool
    """It shares the highest count with others."""
    guess: str = ""
    """`you ✓` or `you ✗` on the pair that the learner has guessed."""
    is_outdated: bool = False
    """The row is as it was before the last merge."""
    is_hidden: bool = False
    """The learner is to guess: the row shows the pair, and neither its place nor its count."""


@dataclass(frozen=True, slots=True)
class PairColumns:
    """Widths of the columns, in cells."""

    rank: int = 1
    pair: int = 5
    token: int = 5
    count: int = 5
    bar: int = 0
    change: int = 0


class PairRows(SessionRows[PairLine]):
    """All pairs by count, the leader first, or sorted otherwise."""

    sort_columns = (
        SortColumn("pair", mark("pair")),
        SortColumn("count", mark("count")),
        SortColumn("change", mark("change"), falls=True),
    )

    def __init__(self) -> None:
        super().__init__(mark("No pair is left."))
        self._columns = PairColumns()
        self._found: Indices | None = None
        """The pairs that hold the filter's text, in order; None if all are listed."""
        self._sorted: Indices | None = None
        self._sorted_for: object = None
        self._top = 0
        self._tied = 0
        self._gone: list[tuple[int, int]] = []
        self._alphabetical: list[PairLine] | None = None
        """All rows, while the counts are withheld; else None."""
        self._outdated: list[PairLine] | None = None
        """The first rows as they were before the last merge, until the pairs are counted again; else None."""

    def count(self, view: VirtualList[Any]) -> int:
        """All pairs, or those that hold the filter's text; in alphabetical order if the counts are withheld."""
        trainer, wanted = self.trainer, self.wanted
        self._alphabetical = None
        if not self.revealed.counts:
            self._alphabetical = [
                PairLine(without_counts(row), 0, False, False, is_hidden=True)
                for row in candidates(trainer)
                if any(way in row.token for way in wanted)
            ]
            return len(self._alphabetical)
        self._outdated = None
        if not self.revealed.recounted and not self.filter_text:
            before = trainer.pairs_before(max(1, view.body_height))
            top, self._gone = (before[0].count if before else 0), []
            self._outdated = [
                PairLine(row, top, False, False, MERGED if row.wins else "", is_outdated=True) for row in before
            ]
            return len(before)
        self._found = trainer.find_pairs(self.filter_text) if self.filter_text and self.order is None else None
        if self.order is not None:
            key = (self.version, self.filter_text, self.order)
            if key != self._sorted_for:
                slots = trainer.sort_pairs(self.order.column, self.filter_text)
                self._sorted, self._sorted_for = (slots[::-1] if self.order.descending else slots), key
            self._found = self._sorted
        leader = trainer.leader()
        self._top, self._tied = (leader.count, leader.tied) if leader else (0, 0)
        last = trainer.last_step
        merged = (last.merge.left_id, last.merge.right_id) if last is not None else None
        self._gone = sorted(trainer.gone_pairs(), key=lambda pair: pair != merged)
        return trainer.pair_count if self._found is None else len(self._found)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[PairLine]:
        """A page of the ranking."""
        if self._alphabetical is not None:
            return self._alphabetical[start:stop]
        if self._outdated is not None:
            return self._outdated[start:stop]
        trainer, found = self.trainer, self._found
        rows = trainer.pairs(start, stop) if found is None else trainer.pair_rows(found[start:stop].tolist())
        next_pair, verdict = self.revealed.next_pair, self.revealed.verdict
        guessed = verdict.picked if verdict is not None else None
        guess = RIGHT if verdict is not None and verdict.is_right else WRONG
        return [
            PairLine(
                on_the_way(row, self.motion),
                self._top,
                (row.left_id, row.right_id) == next_pair,
                row.leads and self._tied > 1,
                guess if (row.left, row.right) == guessed else "",
            )
            for row in rows
        ]

    def measure(self, view: VirtualList[Any], rows: Sequence[PairLine]) -> object:
        """Columns as wide as the rows in view need; the bar takes what is left."""
        width, notation = view.inner_width, self.notation
        pairs = [line.row for line in rows]
        rank = number_width(*(pair.place for pair in pairs))
        count = max(5 + (self.order is not None), number_width(*(pair.count for pair in pairs)))
        change = max((len(_(line.guess) or change_text(line.row.change, line.row.is_new)) for line in rows), default=0)
        change = max(4 + (self.order is not None), change)
        widest = roomy(
            max((pair_width(notation.token(pair.left), notation.token(pair.right)) for pair in pairs), default=5), width
        )
        made = roomy(max(5, max((cells(notation.token(pair.token)) for pair in pairs), default=5)), width)
        room = width - rank - count - change - 7
        widest = max(5, min(widest, room - MIN_BAR - min(made, room // 3)))
        made = max(3, min(made, room - widest - MIN_BAR))
        self._columns = PairColumns(rank, widest, made, count, max(0, room - widest - made), change)
        return self._columns, self._alphabetical is None, self.order

    def draw(self, view: VirtualList[Any], row: PairLine) -> list[Segment]:
        """`▸1 u + g  ug  20 ████ new`."""
        pair, columns, palette = row.row, self._columns, view.palette
        notation = self.notation
        texts, ids = (notation.token(pair.left), notation.token(pair.right)), (pair.left_id, pair.right_id)
        if row.is_hidden:
            return [
                Segment(" " * (columns.rank + 2)),
                *pair_segments(texts, ids, columns.pair, palette, self.base_size),
                Segment("  " + left(notation.token(pair.token), columns.token)),
                Segment(" " + right("?", columns.count), palette.muted),
            ]
        tone = palette.accent if pair.leads else palette.faint
        mark = WINNER if row.wins else TIED if row.is_tied else " "
        change = _(row.guess) or change_text(pair.change, pair.is_new)
        if row.guess:
            change_style = palette.warn if row.guess == WRONG else palette.new
        else:
            change_style = palette.new if pair.is_new or (pair.change or 0) > 0 else palette.gone
        bold = Style(bold=True) if row.wins else None
        segments = [
            Segment(mark, palette.accent if row.wins else palette.tie),
            Segment(right(number(pair.place), columns.rank) + " ", palette.muted),
            *pair_segments(texts, ids, columns.pair, palette, self.base_size, strong=row.wins),
            Segment("  "),
            Segment(left(notation.token(pair.token), columns.token), palette.strong if row.wins else None),
            Segment(" " + right(number(pair.count), columns.count) + " ", bold),
            Segment(bar(pair.count, row.top, columns.bar), tone),
            Segment(" " + right(change, columns.change), change_style),
        ]
        if row.is_outdated and not row.guess:
            faded = palette.muted + Style(italic=True)
            return [Segment(text, faded) for text, _, _ in segments]
        return segments

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        columns = self._columns
        place = "#" if self._alphabetical is None else ""
        order = self.order if self._alphabetical is None else None
        change = "" if self._alphabetical is not None else _("change")
        return [
            Segment(" " + right(place, columns.rank) + " "),
            head(_("pair"), columns.pair, "pair", order),
            Segment("  "),
            Segment(left(_("makes"), columns.token)),
            Segment(" "),
            head(_("count"), columns.count, "count", order, at_right=True),
            Segment(" "),
            # Bars have no head, so that there is room for this one.
            head(change, columns.bar + 1 + columns.change, "change", order, at_right=True),
        ]

    def figures(self, view: VirtualList[Any]) -> str | tuple[str, ...]:
        """How many pairs, or what is said of them instead."""
        if not self.is_ready:
            return ""
        if self.filter_text and self._alphabetical is None:
            return self.filtered(view, self.trainer.pair_count)
        if self._outdated is not None:
            return _("out of date: s counts them again"), _("out of date")
        return self.revealed.pairs_title or number(self.trainer.pair_count)

    def note(self, view: VirtualList[Any]) -> str:
        """Pairs that the last merge made vanish; while the counts are withheld, what is listed."""
        if self._alphabetical is not None:
            listed, total = len(self._alphabetical), self.trainer.pair_count
            if self.filter_text:
                return plural("{count} holds “{text}”", "{count} hold “{text}”", listed, text=self.shown_filter)
            if listed == total:
                return _("from A to Z")
            return _("from A to Z, the {count} most frequent").format(count=number(listed))
        if not self.is_ready or not self._gone:
            return ""
        if len(self._gone) > MOST_GONE:
            return plural("{count} gone", "{count} gone", len(self._gone))
        return _("gone: {pairs}").format(pairs=", ".join(self.session.pair_text(pair) for pair in self._gone))

    def find(self, pair: tuple[int, int]) -> int | None:
        """The row of a pair, if it is among the first."""
        trainer, found = self.trainer, self._found
        for start in range(0, min(trainer.pair_count, MOST_SEARCHED), PAGE):
            stop = start + PAGE
            rows = trainer.pairs(start, stop) if found is None else trainer.pair_rows(found[start:stop].tolist())
            for place, row in enumerate(rows, start):
                if (row.left_id, row.right_id) == pair:
                    return place
        return None


class PairList(SessionList[PairLine]):
    """The Pairs pane."""

    source: PairRows

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Pairs"), PairRows(), number="²", id=id)

    def point_to(self, pair: tuple[int, int]) -> None:
        """Put the cursor on a pair, if it is among the first."""
        place = self.source.find(pair)
        if place is not None:
            self.cursor = place
            self.show_row(place)

    def point_at(self, index: int) -> None:
        """Say which pair the learner looks at."""
        super().point_at(index)
        line = self.row_at_cursor
        if line is not None:
            at_leader = line.wins and not self.filter_text
            self.post_to_screen(PairHighlighted(None if at_leader else (line.row.left_id, line.row.right_id)))

    def action_select(self) -> None:
        """Merge the pair under the cursor."""
        line = self.row_at_cursor
        if line is not None:
            self.post_message(PairSelected((line.row.left_id, line.row.right_id)))


def on_the_way(row: PairRow, share: float) -> PairRow:
    """A row whose count has only come a `share` of the way from what it was before the last merge."""
    change = row.count if row.is_new else row.change
    if share >= 1 or not change:
        return row
    return replace(row, count=row.count - round(change * (1 - share)))


def without_counts(row: PairRow) -> PairRow:
    """The pair alone: the row gives away neither count nor rank."""
    return replace(row, place=0, count=0, change=None, is_new=False, leads=False, wins=False)
