"""A lesson as it is read from its file: pages of prose, commands, questions and notes, all frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bpe_tui.lessons.commands import Command, Expect
from bpe_tui.lessons.opening import Opening, OwnCorpus, Sources
from bpe_tui.lessons.prose import Prose, Spans
from bpe_tui.lessons.statements import Subject


@dataclass(frozen=True, slots=True)
class Run:
    """A block of commands; they are carried out when the page is reached."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """What only the presenter sees."""

    prose: tuple[Prose, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers offered."""

    spans: Spans
    text: str
    """Without its styles."""
    is_right: bool | None
    """As the author marked it; None where the answer is computed."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the reader is asked: to choose, or to answer freely."""

    line: int = field(compare=False)
    prose: tuple[Prose, ...]
    choices: tuple[Choice, ...]
    """Empty for a free answer."""
    subject: Subject | None
    """What computes the right answer; None if the author says it."""
    accepted: tuple[str, ...]
    """Free answers that the author takes for right; the first is the one to show."""
    hint: tuple[Prose, ...]
    explanation: tuple[Prose, ...]


Item = Prose | OwnCorpus | Run | Note | Question


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
    def commands(self) -> tuple[Command, ...]:
        """All commands, in order."""
        return tuple(command for item in self.items if isinstance(item, Run) for command in item.commands)

    @property
    def notes(self) -> tuple[Prose, ...]:
        """All that is for the presenter."""
        return tuple(part for item in self.items if isinstance(item, Note) for part in item.prose)


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
    opening: Opening
    """What it begins with."""
    sources: Sources
    pages: tuple[Page, ...]

    @property
    def corpora(self) -> Mapping[str, OwnCorpus]:
        """The corpora in the file itself, by name."""
        return self.sources.own

    @property
    def statement_count(self) -> int:
        """Statements and computed answers: what a check verifies."""
        stated = sum(isinstance(command, Expect) for page in self.pages for command in page.commands)
        return stated + sum(page.question is not None and page.question.subject is not None for page in self.pages)
