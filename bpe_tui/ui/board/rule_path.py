"""The way that the rule alone would have gone, found on the side once the learner has chosen against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_tui.core.corpus.types import Progress
from bpe_tui.core.i18n import _, mark
from bpe_tui.core.teaching.divergence import TrainingSnapshot, can_retrain, rule_path
from bpe_tui.ui.tasks import Job, start_job

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.widget import Widget

    from bpe_tui.ui.session.training import Session

GROUP: Final = "rule-path"
TOO_LARGE: Final = mark("the rule's way: too large")
"""Said instead of a second line."""


class RulePath:
    """Follows a session; whenever more is known, it calls `grown`, which is to look at `totals` again.

    A second trainer works in a thread: the learner's own is never touched, and keys are answered meanwhile.
    """

    def __init__(self, owner: Widget, grown: Callable[[], object]) -> None:
        self._owner = owner
        self._grown = grown
        self._job: Job | None = None
        self._key: object = None
        self._end = 0
        self._totals: list[int] = []
        self.remark = ""
        """Why there is no second line, if that needs saying."""

    def totals(self, session: Session) -> Sequence[int]:
        """Tokens of the corpus after 0, 1, 2, … merges of the rule, as far as known; empty if it is the path taken."""
        trainer = session.trainer
        self.remark = ""
        if not trainer.own_choices:
            self._drop()
            return ()
        first = trainer.own_choices[0]
        if not can_retrain(trainer):
            self._drop()
            self.remark = _(TOO_LARGE)
            return ()
        wanted = max(trainer.target, len(trainer.steps))
        dropped_before = sum(merges < first - 1 for merges in trainer.drops)
        key = (session, first, trainer.options.ties, dropped_before)
        if key != self._key or wanted > self._end:
            self._key = key
            self._start(session, first, wanted)
        return self._totals if len(self._totals) > first else ()

    def _drop(self) -> None:
        """Nothing is followed any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._key, self._totals = None, []

    def _start(self, session: Session, first: int, wanted: int) -> None:
        self._end = wanted + wanted // 4
        training, end, totals = TrainingSnapshot.of(session.trainer), self._end, list[int]()
        self._totals = totals

        def work(job: Job) -> None:
            def grown(tokens: int) -> None:
                totals.append(tokens)
                if not len(totals) & 63:
                    job.progress(Progress("rule", len(totals), end))

            rule_path(training, first, end, grown, job.should_stop)

        def look(_: object) -> None:
            self._grown()

        self._job = start_job(self._owner, work, group=GROUP, done=look, progress=look)
