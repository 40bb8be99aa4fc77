"""The ranking of pairs: who leads, by how much, and what the last merge did to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from rich.style import Style

from bpe_tui.ui.content import cells, visible
from bpe_tui.ui.messages import PairChosen, PairPointed
from bpe_tui.ui.widgets.columns import bar, change_text, left, number_width, pair_segments, pair_width, right, roomy
from bpe_tui.ui.widgets.session_table import SessionTable

if TYPE_CHECKING:
    from bpe_tui.core.views import PairFilter, PairRow

WINNER: Final = "▸"
"""Before the pair that the rule picks next."""
TIED: Final = "="
"""Before pairs with the same count as the winner."""
MIN_BAR: Final = 3
"""Cells that a bar takes at least."""
WIDE: Final = 44
"""Cells from which on the column of changes has its full name."""
MOST_GONE: Final = 3
"""Up to this many pairs that are gone are named."""


@dataclass(frozen=True, slots=True)
class PairLine:
    """A row of the ranking, with what its drawing depends on beside itself."""

    row: PairRow
    top: int
    """The highest count: the length of the bar is relative to it."""
    wins: bool
    """Marked as the one that is merged next."""
    is_tied: bool
    """It shares the highest count with others."""


@dataclass(frozen=True, slots=True)
class PairColumns:
    """Widths of the columns, in cells."""

    rank: int = 1
    pair: int = 5
    token: int = 5
    count: int = 5
    bar: int = 0
    change: int = 0


class PairList(SessionTable[PairLine]):
    """All pairs by count, the leader first."""

    NAME: ClassVar[str] = "Pairs"
    NUMBER: ClassVar[str] = "²"
    EMPTY: ClassVar[str] = "No pair is left."

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, classes=classes)
        self._columns = PairColumns()
        self._filter: PairFilter | None = None
        self._top = 0
        self._tied = 0
        self._gone: list[tuple[int, int]] = []

    def count_rows(self) -> int:
        """All pairs, or those that hold the filter's text."""
        trainer = self.trainer
        self._filter = trainer.find_pairs(self.filter_text) if self.filter_text else None
        leader = trainer.leader()
        self._top, self._tied = (leader.count, leader.tied) if leader else (0, 0)
        last = trainer.last_step
        merged = (last.merge.left_id, last.merge.right_id) if last is not None else None
        self._gone = sorted(trainer.gone_pairs(), key=lambda pair: pair != merged)
        return trainer.pair_count if self._filter is None else len(self._filter)

    def fetch(self, start: int, stop: int) -> list[PairLine]:
        """A page of the ranking."""
        rows = self.trainer.pairs(start, stop) if self._filter is None else self._filter.rows(start, stop)
        shows_next = self.session.shows_next
        return [PairLine(row, self._top, row.wins and shows_next, row.leads and self._tied > 1) for row in rows]

    def measure(self, rows: Sequence[PairLine], width: int) -> object:
        """Columns as wide as the rows in view need; the bar takes what is left."""
        pairs = [line.row for line in rows]
        rank = number_width(*(pair.place for pair in pairs))
        count = max(5, number_width(*(pair.count for pair in pairs)))
        change = max((len(change_text(pair.change, pair.is_new)) for pair in pairs), default=0)
        change = max(6 if width >= WIDE else 4, change)
        widest = roomy(max((pair_width(pair.left, pair.right) for pair in pairs), default=5), width)
        made = roomy(max(5, max((cells(visible(pair.token)) for pair in pairs), default=5)), width)
        room = width - rank - count - change - 7
        widest = max(5, min(widest, room - MIN_BAR - min(made, room // 3)))
        made = max(3, min(made, room - widest - MIN_BAR))
        self._columns = PairColumns(rank, widest, made, count, max(0, room - widest - made), change)
        return self._columns

    def draw(self, row: PairLine, index: int, width: int) -> list[Segment]:
        """`▸1 u + g  ug  20 ████ new`."""
        pair, columns, palette = row.row, self._columns, self.palette
        tone = palette.accent if pair.leads else palette.faint
        mark = WINNER if row.wins else TIED if row.is_tied else " "
        change = change_text(pair.change, pair.is_new)
        change_style = palette.new if pair.is_new or (pair.change or 0) > 0 else palette.gone
        bold = Style(bold=True) if row.wins else None
        return [
            Segment(mark, palette.accent if row.wins else palette.tie),
            Segment(right(f"{pair.place:,}", columns.rank) + " ", palette.muted),
            *pair_segments(
                (pair.left, pair.right),
                (pair.left_id, pair.right_id),
                columns.pair,
                palette,
                self.base_size,
                strong=row.wins,
            ),
            Segment("  "),
            Segment(left(visible(pair.token), columns.token), palette.strong if row.wins else None),
            Segment(" " + right(f"{pair.count:,}", columns.count) + " ", bold),
            Segment(bar(pair.count, row.top, columns.bar), tone),
            Segment(" " + right(change, columns.change), change_style),
        ]

    def draw_header(self, width: int) -> list[Segment]:
        """Names of the columns."""
        columns = self._columns
        return [
            Segment(" " + right("#", columns.rank) + " "),
            Segment(left("pair", columns.pair) + "  "),
            Segment(left("makes", columns.token)),
            Segment(" " + right("count", columns.count) + " "),
            Segment(" " * columns.bar),
            Segment(" " + right("change" if columns.change >= 6 else "±", columns.change)),
        ]

    def figures(self) -> str:
        """How many pairs, and how many the last merge removed."""
        if not self.is_ready:
            return ""
        trainer = self.trainer
        if self.filter_text:
            return f"{self.row_count:,} of {trainer.pair_count:,} hold “{visible(self.filter_text)}”"
        return f"{trainer.pair_count:,}"

    def note(self) -> str:
        """Pairs that the last merge made vanish."""
        if not self.is_ready or not self._gone:
            return ""
        if len(self._gone) > MOST_GONE:
            return f"{len(self._gone):,} gone"
        return "gone: " + ", ".join(self.session.pair_text(pair) for pair in self._gone)

    def point_at(self, index: int) -> None:
        """Say which pair the learner looks at."""
        super().point_at(index)
        line = self.row_in_view(self.cursor)
        if line is not None:
            at_leader = line.row.wins and not self.filter_text
            self.post_message(PairPointed(None if at_leader else (line.row.left_id, line.row.right_id)))

    def action_activate(self) -> None:
        """Merge the pair under the cursor."""
        line = self.row_in_view(self.cursor)
        if line is not None:
            self.post_message(PairChosen((line.row.left_id, line.row.right_id)))
