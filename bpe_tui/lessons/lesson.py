"""A lesson: pages of prose, commands, questions and notes, all frozen."""

from __future__ import annotations

from dataclasses import dataclass, field

from bpe_tui.lessons.commands import ExpectCommand, LessonCommand
from bpe_tui.lessons.prose import Prose, Spans
from bpe_tui.lessons.questions import Question
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


@dataclass(frozen=True, slots=True)
class Page:
    """What is read in one go, up to the next pause."""

    number: int
    """1 for the first."""
    heading: Spans
    """Its own, or the one it goes on under; empty before the first heading."""
    continues: bool
    """It goes on under the heading of the page before."""
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
    setup: TrainingSetup
    """What it begins with."""
    corpora: CorpusLookup
    pages: tuple[Page, ...]

    @property
    def statement_count(self) -> int:
        """Statements and computed answers: what a check verifies."""
        stated = sum(isinstance(command, ExpectCommand) for page in self.pages for command in page.commands)
        return stated + sum(page.question is not None and page.question.subject is not None for page in self.pages)
