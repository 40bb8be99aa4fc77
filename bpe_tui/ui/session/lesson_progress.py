"""How far the learner came in a lesson, kept where the system has the state of programs; a file for each lesson."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import reason_of
from bpe_tui.core.runtime import policy
from bpe_tui.formats.files import write_atomically
from bpe_tui.formats.session.store import state_folder

if TYPE_CHECKING:
    from bpe_tui.lessons.lesson import Lesson
    from bpe_tui.lessons.walk import Walk


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a lesson was read, and what was answered."""

    furthest: int = 0
    """The page furthest on that was read, from 0."""
    answers: dict[str, list[str]] = field(default_factory=dict)
    """The answers given, by page."""

    @classmethod
    def of(cls, value: object) -> Progress:
        """The progress that a file tells; what makes no sense in it is left out."""
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

    def grown(self, walk: Walk) -> Progress:
        """With what this walk adds."""
        told = walk.progress
        return Progress(max(self.furthest, told["page"]), {**self.answers, **told["answers"]})

    @property
    def as_walk(self) -> dict[str, Any]:
        """What `Walk.resume` takes."""
        return {"page": self.furthest, "answers": self.answers}


def place_of(lesson: Lesson) -> Path:
    """The file for a lesson: told by its name if it came with the program, else by where it is."""
    from bpe_tui.lessons.library import FOLDER

    path = Path(lesson.path).absolute()
    if path.parents[1:2] == (FOLDER,):
        name = f"{path.parent.name}-{path.stem}"
    else:
        name = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return state_folder() / "lessons" / f"{name}.json"


def look(lesson: Lesson) -> Progress:
    """What is kept of a lesson; nothing where nothing may be kept, or none can be read."""
    if not policy().keeps_state:
        return Progress()
    try:
        return Progress.of(json.loads(place_of(lesson).read_bytes()))
    except (OSError, ValueError, RecursionError):
        return Progress()


def keep(lesson: Lesson, progress: Progress) -> None:
    """Keep it, whole or not at all. Raises `TokenizerFileError` with the reason."""
    if not policy().keeps_state:
        return
    place = place_of(lesson)
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise TokenizerFileError(f"{place.parent}: {reason_of(error)}") from error
    told = {"furthest": progress.furthest, "answers": progress.answers}
    write_atomically(str(place), json.dumps(told, ensure_ascii=True).encode())
