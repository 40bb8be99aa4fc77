"""How far the learner came in a lesson, saved where the system has the state of programs; a file for each lesson."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpe_tui.core.errors import BpeError, TokenizerFileError
from bpe_tui.core.i18n import _, reason_of
from bpe_tui.core.runtime import policy
from bpe_tui.formats.files import write_atomically
from bpe_tui.formats.session.folder import state_folder
from bpe_tui.lessons.library import FOLDER

if TYPE_CHECKING:
    from bpe_tui.lessons.lesson import Lesson
    from bpe_tui.lessons.walk import Walk


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """How far a lesson was read, and what was answered."""

    furthest: int = 0
    """The page furthest on that was read, from 0."""
    answers: dict[str, list[str]] = field(default_factory=dict)
    """The answers given, by page."""

    @classmethod
    def of(cls, value: object) -> LessonProgress:
        """The progress in a file; what makes no sense in it is left out."""
        if not isinstance(value, dict):
            return cls()
        page, answers = value.get("furthest"), value.get("answers")
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
        )

    def with_walk(self, walk: Walk) -> LessonProgress:
        """With what this walk adds."""
        added = walk.progress
        return LessonProgress(max(self.furthest, added["page"]), {**self.answers, **added["answers"]})

    @property
    def as_walk(self) -> dict[str, Any]:
        """What `Walk.resume` takes."""
        return {"page": self.furthest, "answers": self.answers}


class ProgressSaver:
    """Saves how far a walk has come, on top of what was reached in earlier ones."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._progress = load(walk.lesson)
        self._complained = ""

    @property
    def furthest(self) -> int:
        """The page furthest on that was read, from 0."""
        return self._progress.furthest

    @property
    def can_resume(self) -> bool:
        """Was a page reached that is neither the first nor the last?"""
        return 0 < self.furthest < len(self._walk.lesson.pages) - 1

    def resume(self) -> None:
        """Take the walk to the page that was reached, with the answers given."""
        self._walk.resume(self._progress.as_walk)

    def save(self) -> str:
        """Save how far the walk is now; why that cannot be, in a sentence, once for each reason; else empty."""
        self._progress = self._progress.with_walk(self._walk)
        try:
            save(self._walk.lesson, self._progress)
        except BpeError as error:
            if str(error) != self._complained:
                self._complained = str(error)
                return _("Your progress cannot be kept: {reason}.").format(reason=error)
        return ""


def file_of(lesson: Lesson) -> Path:
    """The file for a lesson, named by the lesson if that came with the program, else by where it is."""
    path = Path(lesson.path).absolute()
    if path.parents[1:2] == (FOLDER,):
        name = f"{path.parent.name}-{path.stem}"
    else:
        name = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return state_folder() / "lessons" / f"{name}.json"


def load(lesson: Lesson) -> LessonProgress:
    """What is saved of a lesson; nothing where nothing may be saved, or none can be read."""
    if not policy().keeps_state:
        return LessonProgress()
    try:
        return LessonProgress.of(json.loads(file_of(lesson).read_bytes()))
    except (OSError, ValueError, RecursionError):
        return LessonProgress()


def save(lesson: Lesson, progress: LessonProgress) -> None:
    """Save it, whole or not at all. Raises `TokenizerFileError` with the reason."""
    if not policy().keeps_state:
        return
    file = file_of(lesson)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise TokenizerFileError(f"{file.parent}: {reason_of(error)}") from error
    saved = {"furthest": progress.furthest, "answers": progress.answers}
    write_atomically(str(file), json.dumps(saved, ensure_ascii=True).encode())
