"""A walk through a lesson: page after page, forward and back, with a trainer that follows exactly.

Every page has its moment. The reader may move the trainer as they like; `return_`, `next` and `back` bring it to where
the lesson means it to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bpe_tui.core.corpus.sources import Corpus
from bpe_tui.core.display import displayable
from bpe_tui.core.errors import BpeError, LessonError
from bpe_tui.core.i18n import _
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.document import located
from bpe_tui.lessons.lesson import CommandBlock, Item, Lesson, Page, map_spans
from bpe_tui.lessons.outcomes import Outcome
from bpe_tui.lessons.prose import Span, Style
from bpe_tui.lessons.questions import AnswerKey, AnswerVerdict
from bpe_tui.lessons.results import CommandResult, Failure
from bpe_tui.lessons.subjects import Clue, parse_value_in_prose
from bpe_tui.lessons.values import PlainValue, value_text
from bpe_tui.lessons.workspace import Checkpoint, Workspace


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that was reached: what its commands showed, and where they led."""

    page: Page
    """With its values computed."""
    results: tuple[CommandResult, ...]
    """Of its commands, in order."""
    moment: Checkpoint
    """Where the trainer is after them."""
    panes: tuple[str, ...] | None
    """The panes that the app shows; None for all."""
    selected: tuple[str, ...] | None
    """The pair or the token to look at, by its texts."""
    text: str | None
    """The text to encode."""
    unknown: str
    """The policy for its unknown symbols."""
    key: AnswerKey | None
    """The answer to its question; None if there is none, or none can be computed."""
    failures: tuple[Failure, ...]
    """What was not as the lesson says."""
    status: Mapping[Clue, frozenset[int]]
    """The figures that the app shows of the moment, wherever the reader looks."""


class Walk:
    """One reader's way through a lesson. Raises `BpeError` where a corpus cannot be read."""

    def __init__(self, lesson: Lesson) -> None:
        """Begin at the first page."""
        self.lesson = lesson
        self.position = 0
        """The page that is read now, counted from 0."""
        self.answers: dict[int, list[str]] = {}
        """The answers given to the question of each page, in their order."""
        self._visits: list[Visit] = []
        try:
            with located(lesson.path):
                self._workspace = Workspace(lesson.corpora, lesson.setup, lesson.panes)
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
        """The page that is read now, with its values computed."""
        return self.visit.page

    @property
    def results(self) -> tuple[CommandResult, ...]:
        """What came of the commands of this page, in order."""
        return self.visit.results

    @property
    def selected(self) -> tuple[int, int] | None:
        """The pair that this page looks at, by ids; once its question is answered, that which the answer is about."""
        ids = self._ids(2)
        return None if ids is None else (ids[0], ids[1])

    @property
    def selected_token(self) -> int | None:
        """The token that this page looks at, by its id; likewise."""
        ids = self._ids(1)
        return None if ids is None else ids[0]

    def _ids(self, size: int) -> list[int] | None:
        """The ids of what is looked at, if it is of this size."""
        key = self.visit.key
        texts = self.visit.selected
        if key is not None and key.evidence and not self.is_asking:
            texts = key.evidence
        if texts is None or len(texts) != size:
            return None
        ids = [token for text in texts if (token := self.trainer.id_of(text)) is not None]
        return ids if len(ids) == size else None

    @property
    def withheld(self) -> frozenset[Clue]:
        """What must not be shown of this moment, because a question asks for it here or on a page further on."""
        clues: frozenset[Clue] = frozenset()
        for position, page in enumerate(self.lesson.pages[self.position :], self.position):
            if position > self.position and not page.stays:
                break
            if page.question is not None and not self._is_answered(position):
                clues |= page.question.clues(self.trainer)
        return clues

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
        items: list[Item] = []
        results: list[CommandResult] = []
        failures: list[Failure] = []

        def computed(span: Span) -> Span:
            if span.style is not Style.VALUE:
                return span
            subject = parse_value_in_prose(span.text, span.line)
            try:
                value = subject.evaluate(workspace.trainer)
            except BpeError as error:
                message = _("expected a value for {subject}, but {why}").format(subject=subject, why=error)
                failures.append(Failure(span.line, displayable(message)))
                return replace(span, text="?", style=Style.PLAIN)
            text = value_text(value)
            if isinstance(value, PlainValue):
                return replace(span, text=text, style=Style.PLAIN, is_computed=True)
            return replace(span, text=text, style=Style.CODE, is_computed=True)

        for item in page.items:
            if isinstance(item, CommandBlock):
                done = [command.result(workspace) for command in item.commands]
                results += done
                failures += [result.failure for result in done if result.failure is not None]
            items.append(map_spans(item, computed))
        page = replace(page, items=tuple(items))
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
            tuple(results),
            workspace.moment,
            workspace.panes,
            workspace.selected,
            workspace.text,
            workspace.unknown,
            key,
            tuple(failures),
            _status(workspace.trainer),
        )

    # -- questions -----------------------------------------------------------------------------------------------

    @property
    def is_asking(self) -> bool:
        """Is the question of this page open?"""
        return self.visit.key is not None and not self._is_answered(self.position)

    def answer(self, answer: str) -> AnswerVerdict | None:
        """Judge an answer to this page's question, and remember it; None if nothing is asked.

        A choice is answered by its text (`Choice.text`), a pair as `u + g`, tokens with spaces between them. A question
        that is answered already begins anew.
        """
        if self.visit.key is None:
            return None
        if self._is_answered(self.position):
            self.answers[self.position] = []
        self.answers.setdefault(self.position, []).append(answer)
        return self.verdict

    @property
    def verdict(self) -> AnswerVerdict | None:
        """The verdict on the last answer to this page's question; None until one is given."""
        return self._verdict(self.position)

    def _verdict(self, position: int) -> AnswerVerdict | None:
        answers = self.answers.get(position)
        key = self._visits[position].key if position < len(self._visits) else None
        return key.judge(answers) if key is not None and answers else None

    def _is_answered(self, position: int) -> bool:
        verdict = self._verdict(position)
        return verdict is not None and verdict.is_final

    @property
    def outcomes(self) -> dict[int, Outcome]:
        """What came of each question that was answered, by page."""
        found = {}
        for page, answers in self.answers.items():
            key = self._visits[page].key if page < len(self._visits) else None
            outcome = key.outcome(answers) if key is not None else None
            if outcome is not None:
                found[page] = outcome
        return found

    # -- progress ------------------------------------------------------------------------------------------------

    @property
    def progress(self) -> dict[str, Any]:
        """What is worth remembering, as plain values that JSON can hold."""
        answers = {str(page): list(given) for page, given in self.answers.items() if given}
        outcomes = {str(page): str(outcome) for page, outcome in self.outcomes.items()}
        return {"page": self.position, "answers": answers, "outcomes": outcomes}

    def resume(self, progress: Mapping[str, Any]) -> None:
        """Resume where another walk has left off. What makes no sense, because the lesson was changed, is left out."""
        answers = progress.get("answers")
        if isinstance(answers, Mapping):
            for page, given in answers.items():
                given = [given] if isinstance(given, str) else given  # one answer was remembered as a text
                if not isinstance(given, list) or not given or not all(isinstance(answer, str) for answer in given):
                    continue
                if str(page).isdecimal() and int(page) < len(self.lesson.pages):
                    self.answers[int(page)] = list(given)
        page = progress.get("page")
        if isinstance(page, int):
            self.goto(page)


def _status(trainer: Trainer) -> dict[Clue, frozenset[int]]:
    """The figures of the status line and of the panes' titles."""
    return {
        Clue.MERGES: frozenset({trainer.position, trainer.target}),
        Clue.VOCABULARY: frozenset({trainer.vocab_size}),
        Clue.CORPUS: frozenset({trainer.total_tokens}),
        Clue.WORDS: frozenset({trainer.word_count}),
        Clue.PAIRS: frozenset({trainer.pair_count}),
    }
