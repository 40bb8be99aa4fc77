"""Printing a lesson: page after page, with what its commands show, the questions, and their answers at the end."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, Protocol

from bpe_tui.lessons.lesson import Lesson, Note, Question, Run
from bpe_tui.lessons.opening import OwnCorpus
from bpe_tui.lessons.prose import Prose, Spans, readable
from bpe_tui.lessons.questions import Key
from bpe_tui.lessons.shown import CommandResult, Shown

if TYPE_CHECKING:
    from bpe_tui.lessons.walk import Visit


class Writer(Protocol):
    """Takes a lesson part by part."""

    def title(self, text: str) -> None:
        """The lesson's title."""

    def heading(self, spans: Spans) -> None:
        """A page begins under a heading of its own."""

    def pause(self) -> None:
        """A page begins without one."""

    def prose(self, block: Prose) -> None:
        """A block of prose."""

    def shown(self, shown: Shown) -> None:
        """What a command shows."""

    def corpus(self, corpus: OwnCorpus) -> None:
        """A corpus of the lesson's own."""

    def question(self, number: int, question: Question) -> None:
        """A question."""

    def note(self, blocks: tuple[Prose, ...]) -> None:
        """For the presenter."""

    def answers(self, keys: list[Key]) -> None:
        """The answers to all questions, in their order."""


def print_to(writer: Writer, lesson: Lesson, *, notes: bool = False) -> list[str]:
    """Write the lesson; returns what in it is not true, as `file:line: …`. Raises `BpeError`."""
    from bpe_tui.lessons.walk import Walk  # not before a lesson is walked through: writers serve lists as well

    walk = Walk(lesson)
    writer.title(lesson.title)
    keys: list[Key] = []
    failures: list[str] = []
    while True:
        visit = walk.visit
        if visit.page.heading and not visit.page.continues:
            writer.heading(visit.page.heading)
        elif walk.can_back:
            writer.pause()
        _page(writer, visit, len(keys) + 1, notes=notes)
        failures += [f"{lesson.path}:{failure.line}: {failure.sentence}" for failure in visit.failures]
        if visit.key is not None:
            keys.append(visit.key)
        if not walk.can_next:
            break
        walk.next()
    if keys:
        writer.answers(keys)
    return failures


def _page(writer: Writer, visit: Visit, number: int, *, notes: bool) -> None:
    outcomes = iter(visit.outcomes)
    for item in visit.page.items:
        if isinstance(item, Run):
            _outcomes(writer, [next(outcomes) for _command in item.commands])
        elif isinstance(item, Question):
            writer.question(number, item)
        elif isinstance(item, Note):
            if notes:
                writer.note(item.prose)
        elif isinstance(item, OwnCorpus):
            writer.corpus(item)
        else:
            writer.prose(item)


def _outcomes(writer: Writer, outcomes: list[CommandResult]) -> None:
    for outcome in outcomes:
        for shown in outcome.shown:
            writer.shown(shown)


def right_answer(key: Key) -> str:
    """The right answer; a choice with the letter that it is printed with. Safe to show."""
    choices = zip(ascii_lowercase, key.question.choices, strict=False)
    right = [f"{letter}) {readable(choice.text)}" for letter, choice in choices if key.is_right(choice.text)]
    return ", ".join(right) if right else key.right
