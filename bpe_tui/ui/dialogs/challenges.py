"""The challenges: tasks, what the board is worth now, the learner's own best and the best one known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, number
from bpe_tui.core.teaching.challenges import CHALLENGES, Challenge, ChallengeVerdict, judge
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.session.challenge_bests import load_bests, merged_bests, save_bests
from bpe_tui.ui.text import cells
from bpe_tui.ui.widgets.columns import left, right
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from bpe_tui.ui.session.training import Session


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A challenge in the list."""

    challenge: Challenge
    verdict: ChallengeVerdict
    own: int | None
    """The learner's best score; None if it was never done."""

    @property
    def mark(self) -> str:
        """Done, done as well as is known, or not yet."""
        if self.own is None:
            return "○"
        return "★" if self.own <= self.challenge.best else "✓"


class ChallengeRows(RowSource[ChallengeRow]):
    """The challenges in order."""

    header_from = len(CHALLENGES) + 1

    def __init__(self, rows: list[ChallengeRow]) -> None:
        self.rows = rows

    def count(self, view: VirtualList[Any]) -> int:
        """All of them."""
        return len(self.rows)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[ChallengeRow]:
        """Those in view."""
        return self.rows[start:stop]

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        title, own, best = self._widths(view)
        return [Segment("  " + left("", title) + right(_(OWN), own) + right(_(BEST), best))]

    def draw(self, view: VirtualList[Any], row: ChallengeRow) -> list[Segment]:
        """`★ Beat the rule   165 tokens   165 tokens`."""
        palette, unit = view.palette, row.challenge.unit
        title, own, best = self._widths(view)
        return [
            Segment(f"{row.mark} ", palette.accent if row.own is not None else palette.muted),
            Segment(left(_(row.challenge.title), title), palette.strong),
            Segment(right("—" if row.own is None else unit(row.own), own)),
            Segment(right(unit(row.challenge.best), best), palette.muted),
        ]

    def _widths(self, view: VirtualList[Any]) -> tuple[int, int, int]:
        """Cells for the title, the own best and the known one."""
        own = max(cells(_(OWN)), *(cells(row.challenge.unit(row.own or 0)) for row in self.rows)) + 2
        best = max(cells(_(BEST)), *(cells(row.challenge.unit(row.challenge.best)) for row in self.rows)) + 2
        return max(10, view.inner_width - 2 - own - best), own, best

    def figures(self, view: VirtualList[Any]) -> str:
        """How many are done."""
        done = sum(row.own is not None for row in self.rows)
        return _("{done} of {count} done").format(done=number(done), count=number(len(self.rows)))


OWN: Final = mark("your best")
BEST: Final = mark("best known")
ACTIONS: Final = (
    Action("use", ("enter",), "take it on", "Open the corpus of this challenge", Group.ASK, footer=80),
    CANCEL,
)


class ChallengesDialog(Dialog[Challenge]):
    """Judges the board as it is, keeps the learner's best scores, and ends with the challenge to take on, or None."""

    DEFAULT_CSS = """
    ChallengesDialog > Vertical {
        width: 84; max-width: 100%; height: auto; max-height: 100%; background: $surface;
    }
    ChallengesDialog #challenge-text { height: 6; padding: 0 2; color: $foreground; }
    """
    AUTO_FOCUS = "VirtualList"
    ACTIONS: ClassVar[tuple[Action, ...]] = ACTIONS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, session: Session | None, *, saves: bool) -> None:
        """`saves`: are the best scores saved?"""
        super().__init__()
        self._complaint = ""
        corpus = session.corpus.name if session is not None and session.corpus.is_bundled else ""
        trainer, text = (session.trainer, session.text) if session is not None else (None, "")
        verdicts = [judge(challenge, corpus, trainer, text) for challenge in CHALLENGES]
        scores = {
            challenge.name: verdict.score
            for challenge, verdict in zip(CHALLENGES, verdicts, strict=True)
            if verdict.score is not None
        }
        before = load_bests() if saves else {}
        bests = merged_bests(before, scores)
        if saves and bests != before:
            try:
                save_bests(bests)
            except BpeError as error:
                self._complaint = _("Your progress cannot be saved: {reason}.").format(reason=error)
        self._rows = ChallengeRows(
            [
                ChallengeRow(challenge, verdict, bests.get(challenge.name))
                for challenge, verdict in zip(CHALLENGES, verdicts, strict=True)
            ]
        )
        self._list = VirtualList(mark("Challenges"), self._rows)
        done = [place for place, verdict in enumerate(verdicts) if verdict.score is not None]
        about = [place for place, each in enumerate(CHALLENGES) if corpus and each.corpus == corpus]
        self._list.cursor = next(iter((*done, *about)), 0)

    def compose(self) -> ComposeResult:
        """The list, and more about the challenge under the cursor."""
        with Vertical():
            yield self._list
            yield Static(id="challenge-text")
        yield self.key_bar()

    def on_mount(self) -> None:
        """Describe the challenge under the cursor."""
        self._list.styles.height = len(CHALLENGES) + 3
        self._show_text()

    @on(VirtualList.Highlighted)
    def _look(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._show_text()

    def _show_text(self) -> None:
        row = self._rows.rows[self._list.cursor]
        verdict = row.verdict
        sign = "› " if verdict.score is None else "✓ "
        now = Content.assemble((f"{sign}{displayable(verdict.sentence)}", "" if verdict.score is None else "$new"))
        parts = [Content(_(row.challenge.task)), now]
        if self._complaint:
            parts.append(Content.assemble((displayable(self._complaint), "$warn")))
        self.query_one("#challenge-text", Static).update(Content("\n").join(parts))

    @on(VirtualList.Selected)
    def _take(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.dismiss(event.row.challenge)

    def action_use(self) -> None:
        """Take on the challenge under the cursor."""
        self._list.action_select()
