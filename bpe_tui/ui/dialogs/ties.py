"""The tie rules side by side: who uses each, which pair each would merge here, and where it leaves the present path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.options import TIE_RULES
from bpe_tui.core.teaching.divergence import TrainingSnapshot, can_retrain, divergences, winners
from bpe_tui.core.tie_rules import RULES
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.tasks import Job, start_job
from bpe_tui.ui.text import plain
from bpe_tui.ui.widgets.columns import left, pair_segments, pair_width
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bpe_tui.core.teaching.divergence import Divergence
    from bpe_tui.core.training.states import LeadingPair
    from bpe_tui.ui.session.training import Session

LOW: Final = 14
"""Lines of a terminal from which on there is room for the names of the columns."""
NARROW: Final = 56
"""Cells from which on the list itself shows where a rule diverges; the sentence below always does."""
RULE_WIDTH: Final = 16
DIVERGENCE_WIDTH: Final = 24
MOST: Final = 1_000
"""How many merges are searched for the one where a rule diverges from the current path."""


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A tie rule here and now."""

    rule: str
    pair: LeadingPair | None
    in_force: bool
    divergence: str = "…"
    """Where it diverges from the current path, in a few words, safe to show."""


class RuleRows(RowSource[RuleRow]):
    """One row per rule."""

    header_from = len(TIE_RULES) + 1

    def __init__(self, session: Session) -> None:
        pairs = winners(session.trainer)
        self._verdict = verdict(session, pairs)
        self._all = [RuleRow(rule, pair, rule == session.options.ties) for rule, pair in pairs.items()]
        self._base_size = session.trainer.base_size
        self._notation = session.notation
        self._pair_width = 5

    def count(self, view: VirtualList[Any]) -> int:
        """The rules."""
        return len(self._all)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[RuleRow]:
        """The rules in view."""
        return self._all[start:stop]

    def measure(self, view: VirtualList[Any], rows: Sequence[RuleRow]) -> object:
        """The pair column is as wide as it must, within reason."""
        widest = max((pair_width(*self._texts(row.pair)) for row in rows if row.pair), default=5)
        self._pair_width = max(11, min(widest, view.inner_width // 3))
        return self._pair_width

    def draw(self, view: VirtualList[Any], row: RuleRow) -> list[Segment]:
        """`● first-seen  u + g  7: p + u, not u + n  first in the corpus`."""
        palette, pair = view.palette, row.pair
        if pair is None:
            pair_cells = [Segment(left(_("none left"), self._pair_width), palette.muted)]
        else:
            texts, ids = self._texts(pair), (pair.left_id, pair.right_id)
            pair_cells = pair_segments(texts, ids, self._pair_width, palette, self._base_size, strong=True)
        return [
            Segment("● " if row.in_force else "○ ", palette.accent if row.in_force else palette.muted),
            Segment(left(row.rule, RULE_WIDTH), palette.strong if row.in_force else None),
            *pair_cells,
            *(self._more(view, row) if view.inner_width >= NARROW else ()),
        ]

    def _texts(self, pair: LeadingPair) -> tuple[str, str]:
        """The halves of a pair, as they are shown."""
        return self._notation.token(pair.left), self._notation.token(pair.right)

    def _more(self, view: VirtualList[Any], row: RuleRow) -> tuple[Segment, ...]:
        divergence = left(row.divergence, DIVERGENCE_WIDTH - 1)
        return Segment(f"  {divergence} "), Segment(_(RULES[row.rule].prefers), view.palette.muted)

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        divergence = left(_("diverges at"), DIVERGENCE_WIDTH - 1)
        return [
            Segment("  " + left(_("rule"), RULE_WIDTH)),
            Segment(left(_("would merge"), self._pair_width) + "  "),
            *([Segment(f"{divergence} {_('prefers the pair')}")] if view.inner_width >= NARROW else []),
        ]

    def figures(self, view: VirtualList[Any]) -> tuple[str, ...]:
        """What the rules make of this moment."""
        return self._verdict

    def show_divergences(self, texts: Mapping[str, str]) -> None:
        """Where each rule diverges, in a few words."""
        self._all = [replace(row, divergence=texts[row.rule]) for row in self._all]


ACTIONS: Final = (
    Action("next", ("t",), "next", "To the next rule", Group.ASK, footer=50),
    Action("choose(False)", ("enter",), "from here on", "Use this rule from this moment on", Group.ASK, footer=80),
    Action("choose(True)", ("r",), "from the start", "Train again from the start with it", Group.ASK, footer=70),
    CANCEL,
)


class TiesDialog(Dialog[tuple[str, bool]]):
    """Ends with a rule and whether to train from the start again, or None."""

    CSS_PATH = "dialog.tcss"
    AUTO_FOCUS = "VirtualList"
    ACTIONS: ClassVar[tuple[Action, ...]] = ACTIONS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._rows = RuleRows(session)
        self._list = VirtualList(mark("Tie rules"), self._rows)
        self._job: Job | None = None
        self._divergences: dict[str, Divergence | None] | None = None
        self._is_too_large = not can_retrain(session.trainer)

    def compose(self) -> ComposeResult:
        """The rules, and more about the one under the cursor."""
        with Vertical():
            yield self._list
            yield Static(id="rule-text")
        yield self.key_bar()

    def on_resize(self) -> None:
        """The list is as high as it must; in a low terminal the sentence below needs the line of its header more."""
        self._list.styles.height = len(TIE_RULES) + 2 + (self.app.size.height >= LOW)

    def on_mount(self) -> None:
        """Start at the rule after the current one; look in a thread where each rule diverges."""
        self._list.cursor = (TIE_RULES.index(self._session.options.ties) + 1) % len(TIE_RULES)
        if not self._is_too_large:
            training = TrainingSnapshot.of(self._session.trainer)

            def work(job: Job) -> dict[str, Divergence | None]:
                return divergences(training, TIE_RULES, most=MOST, should_stop=job.should_stop)

            self._job = start_job(self, work, group="divergences", done=self._take_divergences)
        self._show_rules()

    def on_unmount(self) -> None:
        """Nobody waits for it any more."""
        if self._job is not None:
            self._job.cancel()

    def _take_divergences(self, found: dict[str, Divergence | None]) -> None:
        self._divergences = found
        self._show_rules()

    @on(VirtualList.Highlighted)
    def _show_rule(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._show_rules()

    @on(VirtualList.Selected)
    def _use_from_here(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.action_choose(False)

    def _show_rules(self) -> None:
        self._rows.show_divergences({rule: self._divergence(rule) for rule in TIE_RULES})
        self._list.reload()
        self.query_one("#rule-text", Static).update(plain(self._sentence(TIE_RULES[self._list.cursor])))

    def _divergence(self, rule: str) -> str:
        """Where a rule diverges, in a few words."""
        if self._divergences is None:
            return _("too large a corpus") if self._is_too_large else "…"
        diverges = self._divergences[rule]
        if diverges is not None:
            notation = self._session.notation
            return _("{number}: {theirs}, not {ours}").format(
                number=number(diverges.number),
                theirs=notation.pair(*diverges.theirs),
                ours=notation.pair(*diverges.ours),
            )
        if rule == self._session.options.ties:
            return _("current")
        return _("not up to {most}").format(most=number(MOST)) if self._is_cut else _("nowhere")

    @property
    def _is_cut(self) -> bool:
        trainer = self._session.trainer
        return max(trainer.target, len(trainer.steps)) > MOST

    def _sentence(self, rule: str) -> str:
        """More about a rule: where it diverges, and who uses it."""
        prefers, users = _(RULES[rule].prefers), _(RULES[rule].used_by)
        who = _("Of tied pairs it takes the one {preferred}, as in {users}.")
        return f"{self._where(rule)} {who.format(preferred=prefers, users=users)}"

    def _where(self, rule: str) -> str:
        """Where a rule diverges, in a sentence."""
        if self._is_too_large:
            return _("{rule}: not compared, because this corpus is too large to train it twice.").format(rule=rule)
        if self._divergences is None:
            return _("{rule}: looking for the merge where it diverges from the current path …").format(rule=rule)
        diverges, notation = self._divergences[rule], self._session.notation
        if diverges is not None:
            return _(
                "{rule} diverges from the current path at merge {number}: {theirs} instead of {ours}, {tied} tied."
            ).format(
                rule=rule,
                number=number(diverges.number),
                theirs=notation.pair(*diverges.theirs),
                ours=notation.pair(*diverges.ours),
                tied=number(diverges.tied),
            )
        if rule == self._session.options.ties:
            return _("{rule} is the current rule.").format(rule=rule)
        if self._is_cut:
            return _("{rule} makes the same first {most} merges; further ones were not compared.").format(
                rule=rule, most=number(MOST)
            )
        return _("{rule} makes the same merges all the way.").format(rule=rule)

    def action_next(self) -> None:
        """To the next rule."""
        self._list.point_at((self._list.cursor + 1) % len(TIE_RULES))

    def action_choose(self, from_start: bool) -> None:
        """Use the rule under the cursor."""
        self.dismiss((TIE_RULES[self._list.cursor], from_start))


def verdict(session: Session, winners: Mapping[str, LeadingPair | None]) -> tuple[str, ...]:
    """Does the rule matter here? Longest wording first."""
    leader = session.trainer.leader()
    if leader is None:
        return (_("no pair is left"),)
    if leader.tied == 1:
        return _("one pair leads alone: all rules agree"), _("all rules agree")
    if len(set(winners.values())) == 1:
        message = plural(
            "{count} pair shares the lead, yet all rules agree",
            "{count} pairs share the lead, yet all rules agree",
            leader.tied,
        )
        return message, _("all rules agree")
    return (
        plural(
            "{count} pair shares the lead: the rule decides",
            "{count} pairs share the lead: the rule decides",
            leader.tied,
        ),
        plural("{count} shares the lead", "{count} share the lead", leader.tied),
    )
