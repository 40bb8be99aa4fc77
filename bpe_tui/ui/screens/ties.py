"""The tie rules side by side: who uses each, and which pair each would merge here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from bpe_tui.core.presets import TIE_RULES
from bpe_tui.ui.widgets.columns import left, pair_segments, pair_width
from bpe_tui.ui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bpe_tui.ui.session import Session

PREFERS: Final = {
    "first-seen": ("first in the corpus", "the course, minbpe"),
    "lowest-id": ("lowest ids", "HF tokenizers"),
    "greatest-pair": ("last in the alphabet", "subword-nmt"),
    "shortest-first": ("shortest text", "sentencepiece"),
}
"""Of pairs with the same count, which one a rule prefers, and who uses it."""
KEYS: Final = "t next · enter from here on · r from the start · esc keep"
RULE_WIDTH: Final = 16
PREFERS_WIDTH: Final = 22


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A tie rule here and now."""

    rule: str
    pair: tuple[int, int] | None
    texts: tuple[str, str]
    in_force: bool


class RuleTable(VirtualTable[RuleRow]):
    """One row a rule."""

    NAME = "Tie rules"

    def __init__(self, session: Session) -> None:
        super().__init__()
        winners = session.winners()
        text = session.trainer.token_text
        self._verdict = verdict(session, winners)
        self._all = [
            RuleRow(rule, pair, (text(pair[0]), text(pair[1])) if pair else ("", ""), rule == session.options.ties)
            for rule, pair in winners.items()
        ]
        self._base_size = session.trainer.base_size
        self._pair_width = 5

    @property
    def has_header(self) -> bool:
        """There is always room."""
        return True

    def count_rows(self) -> int:
        """The rules."""
        return len(self._all)

    def fetch(self, start: int, stop: int) -> list[RuleRow]:
        """The rules in view."""
        return self._all[start:stop]

    def measure(self, rows: Sequence[RuleRow], width: int) -> object:
        """The pair column is as wide as it must, within reason."""
        widest = max((pair_width(*row.texts) for row in rows if row.pair), default=5)
        self._pair_width = max(11, min(widest, width // 3))
        return self._pair_width

    def draw(self, row: RuleRow, index: int, width: int) -> list[Segment]:
        """`● first-seen  u + g  comes first in the corpus`."""
        palette = self.palette
        pair = (
            pair_segments(row.texts, row.pair, self._pair_width, palette, self._base_size, strong=True)
            if row.pair
            else [Segment(left("none left", self._pair_width), palette.muted)]
        )
        return [
            Segment("● " if row.in_force else "○ ", palette.accent if row.in_force else palette.muted),
            Segment(left(row.rule, RULE_WIDTH), palette.strong if row.in_force else None),
            *pair,
            Segment("  " + left(PREFERS[row.rule][0], PREFERS_WIDTH)),
            Segment(PREFERS[row.rule][1], palette.muted),
        ]

    def draw_header(self, width: int) -> list[Segment]:
        """Names of the columns."""
        return [
            Segment(left("  rule", RULE_WIDTH + 2)),
            Segment(left("would merge", self._pair_width) + "  "),
            Segment(left("prefers the pair", PREFERS_WIDTH) + "used by"),
        ]

    def figures(self) -> tuple[str, ...]:
        """What the rules make of this moment."""
        return self._verdict

    def note(self) -> str:
        """The keys."""
        return KEYS


class TiesDialog(ModalScreen[tuple[str, bool] | None]):
    """Ends with a rule and whether to train from the start again, or None."""

    CSS_PATH = "dialog.tcss"
    AUTO_FOCUS = "RuleTable"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel", show=False),
        Binding("t", "next", "Next rule", show=False),
        Binding("r", "choose(True)", "From the start", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def compose(self) -> ComposeResult:
        """The rules."""
        yield RuleTable(self._session)

    def on_mount(self) -> None:
        """Start at the rule after the one in force."""
        self.query_one(RuleTable).cursor = (TIE_RULES.index(self._session.options.ties) + 1) % len(TIE_RULES)

    def on_virtual_table_activated(self, event: VirtualTable.Activated) -> None:
        """Use the rule from here on."""
        event.stop()
        self.action_choose(False)

    def action_next(self) -> None:
        """To the next rule."""
        table = self.query_one(RuleTable)
        table.point_at((table.cursor + 1) % len(TIE_RULES))

    def action_choose(self, from_start: bool) -> None:
        """Use the rule under the cursor."""
        self.dismiss((TIE_RULES[self.query_one(RuleTable).cursor], from_start))

    def action_cancel(self) -> None:
        """Keep the rule in force."""
        self.dismiss(None)


def verdict(session: Session, winners: Mapping[str, tuple[int, int] | None]) -> tuple[str, ...]:
    """Does the rule matter here? Longest wording first."""
    leader = session.trainer.leader()
    if leader is None:
        return ("no pair is left",)
    if leader.tied == 1:
        return "one pair leads alone: all rules agree", "all rules agree"
    if len(set(winners.values())) == 1:
        return f"{leader.tied:,} pairs share the lead, yet all rules agree", "all rules agree"
    return f"{leader.tied:,} pairs share the lead: the rule decides", f"{leader.tied:,} share the lead"
