"""How far the learner came in a lesson, saved where the system has the state of programs; a file for each lesson.

Lists of lessons show it, so it imports little.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from bpe_tui.core.errors import BpeError, TokenizerFileError
from bpe_tui.core.i18n import _, number, reason_of
from bpe_tui.core.runtime import policy
from bpe_tui.formats.files import write_atomically
from bpe_tui.formats.session.folder import state_folder
from bpe_tui.lessons.library import entry_of
from bpe_tui.lessons.outcomes import Outcome, QuestionTally, better

if TYPE_CHECKING:
    from bpe_tui.lessons.walk import Walk

READ: Final = "✓"
BEGUN: Final = "◐"
"""Signs of a lesson that was read to its end, and of one that was begun."""


class Outline(Protocol):
    """As much of a lesson as tells how far it was read: a `Lesson`, or its `Document`."""

    @property
    def pages(self) -> Sequence[object]:
        """All pages."""

    @property
    def question_pages(self) -> Sequence[int]:
        """The pages that ask something, from 0."""


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """How far a lesson was read, and what was answered."""

    furthest: int = 0
    """The page furthest on that was read, from 0."""
    answers: dict[str, list[str]] = field(default_factory=dict)
    """The answers given, by page."""
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    """The best that came of each question, by page."""

    @classmethod
    def of(cls, value: object) -> Self:
        """The progress in a file; what makes no sense in it is left out."""
        if not isinstance(value, dict):
            return cls()
        page, answers, outcomes = value.get("furthest"), value.get("answers"), value.get("outcomes")
        return cls(
            page if isinstance(page, int) and page > 0 else 0,
            {
                str(page): [given]
                if isinstance(given, str)
                else [answer for answer in given if isinstance(answer, str)]
                for page, given in answers.items()
                if isinstance(given, str | list)
            }
            if isinstance(answers, dict)
            else {},
            {str(page): Outcome(text) for page, text in outcomes.items() if text in list(Outcome)}
            if isinstance(outcomes, dict)
            else {},
        )

    def with_walk(self, walk: Walk) -> LessonProgress:
        """With what this walk adds: its answers, and the better outcomes."""
        added = walk.progress
        outcomes = {page: Outcome(text) for page, text in added["outcomes"].items()}
        return LessonProgress(
            max(self.furthest, added["page"]),
            {**self.answers, **added["answers"]},
            _best_of_each(self.outcomes, outcomes),
        )

    def merged(self, other: LessonProgress) -> LessonProgress:
        """With what was reached elsewhere: further pages, better outcomes and the answers that belong to them."""
        outcomes = _best_of_each(self.outcomes, other.outcomes)
        answers = {**other.answers, **self.answers}
        for page, outcome in outcomes.items():
            if outcome != self.outcomes.get(page) and page in other.answers:
                answers[page] = other.answers[page]
        return LessonProgress(max(self.furthest, other.furthest), answers, outcomes)

    def tally(self, lesson: Outline) -> QuestionTally:
        """The questions of the lesson by what came of them."""
        outcomes = {int(page): outcome for page, outcome in self.outcomes.items() if page.isdecimal()}
        return QuestionTally.of(lesson.question_pages, outcomes)

    def is_read(self, lesson: Outline) -> bool:
        """Was its last page reached?"""
        return 0 < len(lesson.pages) - 1 <= self.furthest

    def mark(self, lesson: Outline) -> str:
        """How far, in a few cells: `✓ 4/5` for the questions answered rightly, `◐ p. 9/24`; empty if not begun."""
        tally = self.tally(lesson)
        if self.is_read(lesson):
            return f"{READ} {number(tally.right)}/{number(tally.count)}" if tally.count else READ
        if not self.furthest:
            return ""
        pages = number(len(lesson.pages))
        return BEGUN + " " + _("p. {page}/{pages}").format(page=number(self.furthest + 1), pages=pages)

    def sentence(self, lesson: Outline) -> str:
        """The same in words; empty if not begun."""
        tally = self.tally(lesson)
        if self.is_read(lesson):
            message = _("read; {right} of {count} answered right")
            return message.format(right=number(tally.right), count=number(tally.count)) if tally.count else _("read")
        if not self.furthest:
            return ""
        message = _("read up to page {page}")
        return message.format(page=number(self.furthest + 1))

    @property
    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"furthest": self.furthest, "answers": self.answers, "outcomes": self.outcomes}

    @property
    def as_walk(self) -> dict[str, Any]:
        """What `Walk.resume` takes."""
        return {"page": self.furthest, "answers": self.answers}


def _best_of_each(ours: Mapping[str, Outcome], theirs: Mapping[str, Outcome]) -> dict[str, Outcome]:
    best = {page: better(ours.get(page), theirs.get(page)) for page in (*ours, *theirs)}
    return {page: outcome for page, outcome in best.items() if outcome is not None}


class ProgressSaver:
    """Saves how far a walk has come, on top of what was reached in earlier ones."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self.progress = load(walk.lesson.path)
        """What was reached up to now, in this walk and in earlier ones."""
        self._complained = ""

    @property
    def furthest(self) -> int:
        """The page furthest on that was read, from 0."""
        return self.progress.furthest

    @property
    def can_resume(self) -> bool:
        """Was a page reached that is neither the first nor the last?"""
        return 0 < self.furthest < len(self._walk.lesson.pages) - 1

    def resume(self) -> None:
        """Take the walk to the page that was reached, with the answers given."""
        self._walk.resume(self.progress.as_walk)

    def save(self) -> str:
        """Save how far the walk is now; why that cannot be, in a sentence, once for each reason; else empty."""
        self.progress = self.progress.with_walk(self._walk)
        try:
            save(self._walk.lesson.path, self.progress)
        except BpeError as error:
            if str(error) != self._complained:
                self._complained = str(error)
                return _("Your progress cannot be saved: {reason}.").format(reason=error)
        return ""


# -- the files -----------------------------------------------------------------------------------------------------


def progress_folder() -> Path:
    """Where the files are."""
    return state_folder() / "lessons"


def file_of(lesson_file: str) -> Path:
    """The file for a lesson, named by the lesson if that came with the program, else by where it is."""
    entry = entry_of(lesson_file)
    if entry is not None:
        name = f"{entry.language}-{entry.slug}"  # without its number, which may change
    else:
        path = str(Path(lesson_file).absolute())
        name = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return progress_folder() / f"{name}.json"


def load(lesson_file: str) -> LessonProgress:
    """What is saved of the lesson in this file; nothing where nothing may be saved, or none can be read."""
    return progress_in(file_of(lesson_file)) if policy().keeps_state else LessonProgress()


def progress_in(file: Path) -> LessonProgress:
    """What such a file holds; nothing if it cannot be read."""
    try:
        return LessonProgress.of(json.loads(file.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return LessonProgress()


def save(lesson_file: str, progress: LessonProgress) -> None:
    """Save it, whole or not at all. Raises `TokenizerFileError` with the reason."""
    if not policy().keeps_state:
        return
    make_folder()
    write_atomically(str(file_of(lesson_file)), progress_bytes(progress))


def make_folder() -> None:
    """Make the folder. Raises `TokenizerFileError` with the reason."""
    folder = progress_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise TokenizerFileError(f"{folder}: {reason_of(error)}") from error


def progress_bytes(progress: LessonProgress) -> bytes:
    """What is in the file."""
    return json.dumps(progress.as_json, ensure_ascii=True).encode()
