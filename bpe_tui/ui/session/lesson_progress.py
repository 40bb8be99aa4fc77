"""How far the learner came in a lesson, saved where the system has the state of programs; a file for each lesson.

All of it, and the best scores in challenges, can be exported to one file, and imported from there: see `exported` and
`imported`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from bpe_tui.core.errors import BpeError, TokenizerFileError
from bpe_tui.core.i18n import _, number, reason_of
from bpe_tui.core.runtime import policy
from bpe_tui.formats.files import quoted, write_all_atomically, write_atomically
from bpe_tui.formats.session.folder import state_folder
from bpe_tui.lessons.library import entry_of
from bpe_tui.lessons.outcomes import Outcome, QuestionTally, better
from bpe_tui.ui.session.challenge_bests import bests_bytes, bests_file, checked_bests, load_bests, merged_bests

if TYPE_CHECKING:
    from bpe_tui.lessons.lesson import Lesson
    from bpe_tui.lessons.walk import Walk

READ: Final = "✓"
BEGUN: Final = "◐"
"""Signs of a lesson that was read to its end, and of one that was begun."""
KIND: Final = "bpe-tui lesson progress"
"""What an exported file says it is."""
VERSION: Final = 1
"""Of the form of exported files."""
LARGEST: Final = 1 << 24
"""Bytes beyond which nothing is an exported file."""
_NAME: Final = re.compile(r"[a-z]{2,3}-[a-z0-9-]{1,80}|[0-9a-f]{32}")
_PAGE: Final = re.compile(r"0|[1-9][0-9]{0,3}")


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

    def tally(self, lesson: Lesson) -> QuestionTally:
        """The questions of the lesson by what came of them."""
        outcomes = {int(page): outcome for page, outcome in self.outcomes.items() if page.isdecimal()}
        return QuestionTally.of(lesson.question_pages, outcomes)

    def is_read(self, lesson: Lesson) -> bool:
        """Was its last page reached?"""
        return 0 < len(lesson.pages) - 1 <= self.furthest

    def mark(self, lesson: Lesson) -> str:
        """How far, in a few cells: `✓ 4/5` for the questions answered rightly, `◐ p. 9/24`; empty if not begun."""
        tally = self.tally(lesson)
        if self.is_read(lesson):
            return f"{READ} {number(tally.right)}/{number(tally.count)}" if tally.count else READ
        if not self.furthest:
            return ""
        pages = number(len(lesson.pages))
        return BEGUN + " " + _("p. {page}/{pages}").format(page=number(self.furthest + 1), pages=pages)

    def sentence(self, lesson: Lesson) -> str:
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
        self.progress = load(walk.lesson)
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
            save(self._walk.lesson, self.progress)
        except BpeError as error:
            if str(error) != self._complained:
                self._complained = str(error)
                return _("Your progress cannot be saved: {reason}.").format(reason=error)
        return ""


# -- the files -----------------------------------------------------------------------------------------------------


def _folder() -> Path:
    return state_folder() / "lessons"


def file_of(lesson: Lesson) -> Path:
    """The file for a lesson, named by the lesson if that came with the program, else by where it is."""
    entry = entry_of(lesson.path)
    if entry is not None:
        name = f"{entry.language}-{entry.slug}"  # without its number, which may change
    else:
        path = str(Path(lesson.path).absolute())
        name = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return _folder() / f"{name}.json"


def load(lesson: Lesson) -> LessonProgress:
    """What is saved of a lesson; nothing where nothing may be saved, or none can be read."""
    return _load(file_of(lesson)) if policy().keeps_state else LessonProgress()


def _load(file: Path) -> LessonProgress:
    try:
        return LessonProgress.of(json.loads(file.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return LessonProgress()


def save(lesson: Lesson, progress: LessonProgress) -> None:
    """Save it, whole or not at all. Raises `TokenizerFileError` with the reason."""
    if not policy().keeps_state:
        return
    _make_folder()
    write_atomically(str(file_of(lesson)), _written(progress))


def _make_folder() -> None:
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise TokenizerFileError(f"{folder}: {reason_of(error)}") from error


def _written(progress: LessonProgress) -> bytes:
    return json.dumps(progress.as_json, ensure_ascii=True).encode()


# -- export and import ---------------------------------------------------------------------------------------------


def exported() -> tuple[bytes, int]:
    """The progress in all lessons as a JSON file, and in how many there is any."""
    try:
        files = sorted(_folder().glob("*.json"))
    except OSError:
        files = []
    lessons = {file.stem: _load(file).as_json for file in files if _NAME.fullmatch(file.stem)}
    value = {"kind": KIND, "version": VERSION, "lessons": lessons, "challenges": load_bests()}
    return (json.dumps(value, ensure_ascii=True, indent=1) + "\n").encode(), len(lessons)


def imported(data: bytes) -> int:
    """Merge an exported file into what is saved, and return how many lessons it holds; all of it or nothing.

    Nothing that was reached is lost: the further page and the better answer stay. Raises `TokenizerFileError` with a
    sentence that lacks its subject, the name of the file.
    """
    lessons, bests = _read_export(data)
    paths = [(_folder() / f"{name}.json", progress) for name, progress in lessons.items()]
    files = {str(path): _written(_load(path).merged(progress)) for path, progress in paths}
    if bests:
        files[str(bests_file())] = bests_bytes(merged_bests(load_bests(), bests))
    if files:
        _make_folder()
        write_all_atomically(files)
    return len(lessons)


def _read_export(data: bytes) -> tuple[dict[str, LessonProgress], dict[str, int]]:
    """The lessons and the best scores in challenges of an exported file, each checked. Raises `TokenizerFileError`."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise TokenizerFileError(_("not a file of lesson progress, not even JSON")) from None
    if not isinstance(value, dict) or value.get("kind") != KIND:
        raise TokenizerFileError(_("not a file of lesson progress; bpe-tui lesson --export FILE writes one"))
    if value.get("version") != VERSION:
        message = _("lesson progress of version {version}, which only a newer bpe-tui can read")
        raise TokenizerFileError(message.format(version=quoted(value.get("version"))))
    lessons = value.get("lessons")
    if not isinstance(lessons, dict):
        raise _malformed("lessons")
    found = {}
    for name, entry in lessons.items():
        if not _NAME.fullmatch(name) or not isinstance(entry, dict):
            raise _malformed(name)
        page = entry.get("furthest")
        if not isinstance(page, int) or isinstance(page, bool) or not 0 <= page < 10_000:
            raise _malformed(name, "furthest")
        for key in ("answers", "outcomes"):
            by_page = entry.get(key)
            if not isinstance(by_page, dict) or not all(map(_PAGE.fullmatch, by_page)):
                raise _malformed(name, key)
        if not all(
            isinstance(given, list) and given and all(isinstance(answer, str) for answer in given)
            for given in entry["answers"].values()
        ):
            raise _malformed(name, "answers")
        if not all(outcome in list(Outcome) for outcome in entry["outcomes"].values()):
            raise _malformed(name, "outcomes")
        found[name] = LessonProgress.of(entry)
    try:
        return found, checked_bests(value.get("challenges", {}))
    except ValueError:
        raise _malformed("challenges") from None


def _malformed(*names: str) -> TokenizerFileError:
    message = _("lesson progress that is damaged: {name} does not hold what it must; nothing was imported")
    return TokenizerFileError(message.format(name=quoted(".".join(names))))
