"""A walk through a lesson: page after page, forward and back, with a trainer that follows exactly.

Every page has its moment. The reader may move the trainer as they like; `return_`, `next` and `back` bring it to where
the lesson means it to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bpe_tui.core.corpus.sources import Corpus
from bpe_tui.core.display import displayable
from bpe_tui.core.errors import BpeError, LessonError
from bpe_tui.core.i18n import _
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.document import located
from bpe_tui.lessons.lesson import Lesson, Page
from bpe_tui.lessons.questions import AnswerKey, AnswerVerdict
from bpe_tui.lessons.results import CommandResult, Failure
from bpe_tui.lessons.workspace import Checkpoint, Workspace


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that was reached: what its commands showed, and where they led."""

    page: Page
    results: tuple[CommandResult, ...]
    """Of its commands, in order."""
    moment: Checkpoint
    """Where the trainer is after them."""
    selected: tuple[str, str] | None
    """The pair to look at, by its texts."""
    text: str | None
    """The text to encode."""
    unknown: str
    """The policy for its unknown symbols."""
    key: AnswerKey | None
    """The answer to its question; None if there is none, or none can be computed."""
    failures: tuple[Failure, ...]
    """What was not as the lesson says."""


class Walk:
    """One reader's way through a lesson. Raises `BpeError` where a corpus cannot be read."""

    def __init__(self, lesson: Lesson) -> None:
        """Begin at the first page."""
        self.lesson = lesson
        self.position = 0
        """The page that is read now, counted from 0."""
        self.answers: dict[int, str] = {}
        """What was answered, by page."""
        self._visits: list[Visit] = []
        try:
            with located(lesson.path):
                self._workspace = Workspace(lesson.corpora, lesson.setup)
        except LessonError:
            raise
        except BpeError as error:
            raise LessonError(f"{lesson.path}:{lesson.setup.line}: {error}") from error
        self.goto(0)

    # -- where it is ----------------------------------------------------------------------------------------------

    @property
    def trainer(self) -> Trainer:
        """The trainer of this page; another one after a command `open`."""
        return self._workspace.trainer

    @property
    def corpus(self) -> Corpus:
        """What it trains on."""
        return self._workspace.corpus

    @property
    def visit(self) -> Visit:
        """This page, as its commands left it."""
        return self._visits[self.position]

    @property
    def page(self) -> Page:
        """The page that is read now."""
        return self.lesson.pages[self.position]

    @property
    def results(self) -> tuple[CommandResult, ...]:
        """What came of the commands of this page, in order."""
        return self.visit.results

    @property
    def selected(self) -> tuple[int, int] | None:
        """The pair that this page looks at, by ids."""
        pair = self.visit.selected
        if pair is None:
            return None
        left, right = map(self.trainer.id_of, pair)
        return None if left is None or right is None else (left, right)

    @property
    def can_next(self) -> bool:
        """Is there another page?"""
        return self.position + 1 < len(self.lesson.pages)

    @property
    def can_back(self) -> bool:
        """Is there a page before?"""
        return self.position > 0

    @property
    def strayed(self) -> bool:
        """Was the trainer moved away from where this page means it to be?"""
        return self.visit.moment.differs_from(self.trainer)

    # -- moving --------------------------------------------------------------------------------------------------

    def next(self) -> Visit:
        """To the next page; at the last one, back to where it means the trainer to be."""
        return self.goto(self.position + 1)

    def back(self) -> Visit:
        """To the page before; at the first one, likewise."""
        return self.goto(self.position - 1)

    def goto(self, page: int) -> Visit:
        """To a page by its number, from 0; beyond the ends, to the last or the first."""
        page = min(max(page, 0), len(self.lesson.pages) - 1)
        while len(self._visits) <= page:
            if self._visits:
                self._workspace.go_to(self._visits[-1].moment)
            self._visits.append(self._reach(self.lesson.pages[len(self._visits)]))
        self.position = page
        self.return_()
        return self.visit

    def return_(self) -> None:
        """Bring the trainer to where this page means it to be."""
        self._workspace.go_to(self.visit.moment)

    def _reach(self, page: Page) -> Visit:
        """Carry out the commands of a page; the trainer is where the page before has left it."""
        workspace = self._workspace
        workspace.look_away()
        results = tuple(command.result(workspace) for command in page.commands)
        failures = [result.failure for result in results if result.failure is not None]
        key = None
        if page.question is not None:
            try:
                key = AnswerKey.of(page.question, workspace.trainer)
                failures += [Failure(page.question.line, sentence) for sentence in key.faults()]
            except BpeError as error:
                message = _("expected an answer to the question, but {why}").format(why=error)
                failures.append(Failure(page.question.line, displayable(message)))
        return Visit(
            page,
            results,
            workspace.moment,
            workspace.selected,
            workspace.text,
            workspace.unknown,
            key,
            tuple(failures),
        )

    # -- questions -----------------------------------------------------------------------------------------------

    def answer(self, answer: str) -> AnswerVerdict | None:
        """Judge an answer to this page's question, and remember it; None if nothing is asked.

        A choice is answered by its text (`Choice.text`), a pair as `u + g`, tokens with spaces between them.
        """
        key = self.visit.key
        if key is None:
            return None
        self.answers[self.position] = answer
        return key.judge(answer)

    @property
    def verdict(self) -> AnswerVerdict | None:
        """The verdict on this page's answer; None until it is given."""
        key, answer = self.visit.key, self.answers.get(self.position)
        return None if key is None or answer is None else key.judge(answer)

    # -- progress ------------------------------------------------------------------------------------------------

    @property
    def progress(self) -> dict[str, Any]:
        """What is worth remembering, as plain values that JSON can hold."""
        return {"page": self.position, "answers": {str(page): answer for page, answer in self.answers.items()}}

    def resume(self, progress: Mapping[str, Any]) -> None:
        """Resume where another walk has left off. What makes no sense, because the lesson was changed, is left out."""
        answers = progress.get("answers")
        if isinstance(answers, Mapping):
            for page, answer in answers.items():
                if isinstance(answer, str) and str(page).isdecimal() and int(page) < len(self.lesson.pages):
                    self.answers[int(page)] = answer
        page = progress.get("page")
        if isinstance(page, int):
            self.goto(page)
