"""A lesson: pages of prose, commands, questions and notes, all frozen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from bpe_tui.lessons.commands import ExpectCommand, LessonCommand
from bpe_tui.lessons.prose import Prose, Span, Spans, plain_text, with_spans
from bpe_tui.lessons.questions import Choice, Question
from bpe_tui.lessons.training_setup import CorpusLookup, EmbeddedCorpus, TrainingSetup


@dataclass(frozen=True, slots=True)
class CommandBlock:
    """A block of commands; they are carried out when the page is reached."""

    commands: tuple[LessonCommand, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """What only the presenter sees."""

    prose: tuple[Prose, ...]


Item = Prose | EmbeddedCorpus | CommandBlock | Note | Question


def map_spans(item: Item, change: Callable[[Span], Span]) -> Item:
    """The item, each span of its running text changed."""

    def prose(blocks: tuple[Prose, ...]) -> tuple[Prose, ...]:
        return tuple(with_spans(block, change) for block in blocks)

    def choice(one: Choice) -> Choice:
        spans = tuple(map(change, one.spans))
        return replace(one, spans=spans, text=plain_text(spans), reason=prose(one.reason))

    match item:
        case CommandBlock() | EmbeddedCorpus():
            return item
        case Note(blocks):
            return Note(prose(blocks))
        case Question():
            return replace(
                item,
                prose=prose(item.prose),
                choices=tuple(map(choice, item.choices)),
                hint=prose(item.hint),
                explanation=prose(item.explanation),
            )
    return with_spans(item, change)


def prose_in(item: Item) -> tuple[Prose, ...]:
    """The prose of an item; of a question all but its choices."""
    match item:
        case CommandBlock() | EmbeddedCorpus():
            return ()
        case Note(blocks):
            return blocks
        case Question():
            reasons = [block for choice in item.choices for block in choice.reason]
            return (*item.prose, *item.hint, *reasons, *item.explanation)
    return (item,)


def spans_of(item: Item) -> list[Span]:
    """All spans of its running text."""
    found: list[Span] = []

    def keep(span: Span) -> Span:
        found.append(span)
        return span

    map_spans(item, keep)
    return found


@dataclass(frozen=True, slots=True)
class Page:
    """What is read in one go, up to the next pause."""

    number: int
    """1 for the first."""
    heading: Spans
    """Its own, or the one it continues under; empty before the first heading."""
    continues: bool
    """It continues under the heading of the page before."""
    items: tuple[Item, ...]
    line: int = field(compare=False)

    @property
    def question(self) -> Question | None:
        """The question that the page ends with, if there is one."""
        return next((item for item in self.items if isinstance(item, Question)), None)

    @property
    def commands(self) -> tuple[LessonCommand, ...]:
        """All commands, in order."""
        return tuple(command for item in self.items if isinstance(item, CommandBlock) for command in item.commands)

    @property
    def stays(self) -> bool:
        """Is it about the moment at which the page before ended?"""
        return all(command.STAYS or not command.MOVES for command in self.commands)

    @property
    def notes(self) -> tuple[Prose, ...]:
        """All that is for the presenter."""
        return tuple(block for item in self.items if isinstance(item, Note) for block in item.prose)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A whole lesson."""

    path: str
    """The file, as messages name it."""
    title: str
    language: str
    """Its code: en, fr, ru, …"""
    summary: str
    """One sentence for lists; may be empty."""
    minutes: int | None
    """How long it takes; None if it does not say."""
    setup: TrainingSetup
    """What it begins with."""
    corpora: CorpusLookup
    panes: tuple[str, ...] | None
    """The panes that the app shows at first; None for all."""
    pages: tuple[Page, ...]

    @property
    def commands(self) -> Iterator[LessonCommand]:
        """All commands, in order."""
        return (command for page in self.pages for command in page.commands)

    @property
    def question_pages(self) -> tuple[int, ...]:
        """The pages that ask something, from 0."""
        return tuple(place for place, page in enumerate(self.pages) if page.question is not None)

    @property
    def statement_count(self) -> int:
        """Statements and computed answers: what a check verifies."""
        stated = sum(isinstance(command, ExpectCommand) for command in self.commands)
        return stated + sum(page.question is not None and page.question.subject is not None for page in self.pages)
