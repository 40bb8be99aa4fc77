"""Checking a lesson: every command is carried out, every statement verified, and figures filled in if asked for.

A strict check also looks at the prose: whether each figure in it is one that the lesson states or computes, whether an
answer is in view before it is asked for, and whether every wrong choice has its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.i18n import LANGUAGES, _
from bpe_tui.lessons.commands import ExpectCommand, GotoCommand, OutsideCommand
from bpe_tui.lessons.figures import Figure, figures_in, number_of, plain_figure
from bpe_tui.lessons.leaks import leaks
from bpe_tui.lessons.lesson import Lesson, prose_in, spans_of
from bpe_tui.lessons.library import entries
from bpe_tui.lessons.prose import Span, Spans, spans_in
from bpe_tui.lessons.questions import Question
from bpe_tui.lessons.results import Failure, Output, TextTable
from bpe_tui.lessons.subjects import NumberedSubject
from bpe_tui.lessons.training_setup import EmbeddedCorpus
from bpe_tui.lessons.values import TokensValue, numbers_in
from bpe_tui.lessons.walk import Visit, Walk

_LESSON: Final = {"en": r"lessons?", "fr": r"leçons?", "ru": r"урок\w*"}
"""Words before the number of a lesson."""
_MERGE: Final = {"en": r"merges?", "fr": r"fusions?", "ru": r"слияни\w+"}
"""Words near the number of a merge."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check has looked at, and found."""

    lesson: Lesson
    failures: tuple[Failure, ...]
    """In the order of their lines."""
    statements: int
    """Statements and computed answers."""
    figures: int
    """Figures in prose that were compared; 0 if the check was not strict."""

    @property
    def messages(self) -> list[str]:
        """What is not true, as `file:line: sentence`; empty if all is."""
        return [f"{self.lesson.path}:{failure.line}: {failure.sentence}" for failure in self.failures]


def check(lesson: Lesson, *, strict: bool = False) -> CheckReport:
    """Carry out a lesson and verify what it states. Raises `BpeError`."""
    visits = list(_visits(Walk(lesson)))
    failures = [failure for visit in visits for failure in visit.failures]
    compared = 0
    if strict:
        figures = _Figures(lesson, visits)
        compared = figures.count
        failures += figures.failures
        failures += leaks(visits, lesson.language)
        failures += _questions(visits)
        if lesson.minutes is None:
            failures.append(Failure(1, _("the front matter has no {key}").format(key="minutes")))
    failures.sort(key=lambda failure: failure.line)
    return CheckReport(lesson, tuple(failures), lesson.statement_count, compared)


def corrected_text(text: str, failures: Iterable[Failure]) -> str:
    """The text of a lesson file, each statement that is not true corrected."""
    lines = text.split("\n")
    for failure in failures:
        if failure.correction is not None:
            written = lines[failure.line - 1]
            blanks = written[: len(written) - len(written.lstrip())]
            lines[failure.line - 1] = blanks + failure.correction + ("\r" if written.endswith("\r") else "")
    return "\n".join(lines)


def _visits(walk: Walk) -> Iterator[Visit]:
    """All pages, in order."""
    yield walk.visit
    while walk.can_next:
        yield walk.next()


# -- figures -------------------------------------------------------------------------------------------------------


class _Figures:
    """Compares the figures in prose with those that the lesson states, computes, or gives as coming from outside."""

    def __init__(self, lesson: Lesson, visits: list[Visit]) -> None:
        self._language = lesson.language
        self._merges = {str(number) for number in _merges(lesson)}
        self._names: set[str] = set()
        """The numbers that are names in the tables of a page."""
        self._stated = {str(figure) for figure in _stated(lesson)}
        for visit in visits:
            for item in visit.page.items:
                self._stated |= {plain_figure(span.text) for span in spans_of(item) if span.is_computed}
        self.count = 0
        self.failures: list[Failure] = []
        front = [Span(lesson.title, line=1), Span("\n"), Span(lesson.summary, line=1)]
        self._compare(tuple(front), self._stated)
        for visit in visits:
            known = self._stated | set(_shown(visit))
            self._names = set(_named(visit))
            if not visit.page.continues:
                self._compare(visit.page.heading, known)
            for item in visit.page.items:
                for block in prose_in(item):
                    for spans in spans_in(block):
                        self._compare(spans, known)
                if isinstance(item, Question):
                    self._compare_answers(item, known)

    def _compare(self, spans: Spans, known: set[str]) -> None:
        """Compare the figures of running text."""
        for figure in figures_in(spans, self._language):
            self.count += 1
            if figure.holds is False:
                message = _("the sum that ends in {figure} is wrong")
                self.failures.append(Failure(figure.line, message.format(figure=figure.text)))
            elif figure.holds is None and figure.value not in known and not self._is_a_name(figure, spans):
                message = _(
                    "{figure} is no value that the lesson states or computes; if it is from outside, say so with "
                    "`outside`"
                )
                self.failures.append(Failure(figure.line, message.format(figure=figure.text)))

    def _is_a_name(self, figure: Figure, spans: Spans) -> bool:
        """Is it the number of a lesson that there is, of a merge that the lesson speaks of, or of a row in a table?"""
        language = self._language.partition("-")[0]
        lesson, merge = _LESSON.get(language, _LESSON[LANGUAGES[0]]), _MERGE.get(language, _MERGE[LANGUAGES[0]])
        text = "".join(span.text for span in spans)
        if re.search(rf"\b{lesson}\s{re.escape(figure.text)}\b", text, re.IGNORECASE):
            return figure.value in {str(entry.number) for entry in entries(LANGUAGES[0])}
        if not figure.text.isdecimal():
            return False
        is_merge = figure.value in self._merges and re.search(rf"\b{merge}\b", text, re.IGNORECASE) is not None
        return is_merge or figure.value in self._names

    def _compare_answers(self, question: Question, known: set[str]) -> None:
        """Compare the numbers among the answers that the author gives."""
        given = [*question.accepted, *(choice.text for choice in question.choices if choice.is_right)]
        for answer in given:
            value = number_of(answer, self._language)
            if value is None:
                continue
            self.count += 1
            if value not in known:
                message = _("the answer {answer} is no value that the lesson states or computes")
                self.failures.append(Failure(question.line, message.format(answer=answer)))


def _stated(lesson: Lesson) -> Iterator[int | str]:
    """The figures of all statements, and those given as coming from outside."""
    for command in lesson.commands:
        if isinstance(command, OutsideCommand):
            yield from command.figures
        elif isinstance(command, ExpectCommand) and command.claim.value is not None:
            yield from numbers_in(command.claim.value)


def _merges(lesson: Lesson) -> Iterator[int]:
    """The numbers of the merges that statements are about, or commands go to."""
    for command in lesson.commands:
        if isinstance(command, ExpectCommand) and isinstance(command.claim.subject, NumberedSubject):
            yield command.claim.subject.number
        elif isinstance(command, GotoCommand):
            yield command.merges


def _shown(visit: Visit) -> Iterator[str]:
    """The figures of a page: those of its moment, in what commands show, in corpora, and the lengths of stated rows."""
    for figures in visit.status.values():
        yield from map(str, figures)
    for result in visit.results:
        if isinstance(result.command, ExpectCommand) and isinstance(result.command.claim.value, TokensValue):
            yield str(len(result.command.claim.value.tokens))
        for output in result.outputs:
            found = re.findall(r"\d+(?:[.,]\d+)?", plain_figure(_text_of(output)))
            yield from (figure.replace(",", ".") for figure in found)
    for item in visit.page.items:
        if isinstance(item, EmbeddedCorpus):
            yield from re.findall(r"\d+", item.text)


def _text_of(output: Output) -> str:
    """What is in a sentence, or in the columns of a table that hold figures."""
    return "\n".join(output.column_entries(are_names=False)) if isinstance(output, TextTable) else output.text


def _named(visit: Visit) -> Iterator[str]:
    """The numbers that are names in the tables of a page: of merges, places and ids."""
    for result in visit.results:
        for output in result.outputs:
            if isinstance(output, TextTable):
                yield from map(plain_figure, output.column_entries(are_names=True))


# -- questions -----------------------------------------------------------------------------------------------------


def _questions(visits: list[Visit]) -> Iterator[Failure]:
    """Wrong choices without a reason, where there is a second try."""
    for visit in visits:
        question, key = visit.page.question, visit.key
        if question is not None and key is not None:
            for choice in question.choices:
                if not choice.reason and not key.is_right(choice.text):
                    message = _("nothing explains why {choice} is wrong; write `wrong:` below it")
                    yield Failure(question.line, message.format(choice=choice.text))
