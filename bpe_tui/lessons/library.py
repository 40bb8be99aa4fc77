"""The lessons that come with the program, and what a name stands for."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bpe_tui.core.errors import LessonError
from bpe_tui.core.i18n import LANGUAGES, _
from bpe_tui.core.runtime import policy
from bpe_tui.lessons.parsing import read_lesson

if TYPE_CHECKING:
    from bpe_tui.lessons.lesson import Lesson

FOLDER: Final = Path(__file__).parent / "files"
"""Where the lessons are: `en/1-what-bpe-is.md`; a lesson has the same file name in all languages."""
_FILE: Final = re.compile(r"(\d+)-(.+)\.md")


@dataclass(frozen=True, slots=True)
class Entry:
    """A bundled lesson in one language."""

    number: int
    slug: str
    language: str
    path: Path

    def read(self) -> Lesson:
        """The lesson itself. Raises `LessonError`."""
        return read_lesson(self.path, _from_here(self.path))


def entries(language: str) -> list[Entry]:
    """The lessons in a language, in order; where it has none of a number, the English one."""
    found = {**_in(LANGUAGES[0]), **_in(language)}
    return [found[number] for number in sorted(found)]


def all_entries() -> list[Entry]:
    """Every bundled lesson in every language."""
    return [entry for language in LANGUAGES for _number, entry in sorted(_in(language).items())]


def _in(language: str) -> dict[int, Entry]:
    folder = FOLDER / language
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    found = {}
    for name in names:
        parts = _FILE.fullmatch(name)
        if parts is not None:
            found[int(parts[1])] = Entry(int(parts[1]), parts[2], language, folder / name)
    return found


def bundled(name: str, language: str) -> Entry | None:
    """The lesson of `entries(language)` with this number or name, or else the first on the corpus of this name."""
    known = entries(language)
    for entry in known:
        if name in (str(entry.number), entry.slug, entry.path.stem):
            return entry
    return next((entry for entry in known if entry.read().opening.corpus == name), None)


def unknown(name: str, language: str) -> LessonError:
    """There is no lesson of that name; these there are."""
    told = _("there is no lesson {name!r}, and no such file; lessons are {names}")
    names = ", ".join(f"{entry.number} {entry.slug}" for entry in entries(language))
    return LessonError(told.format(name=name, names=names))


def find(name: str, language: str) -> Lesson:
    """The lesson that `name` stands for: that of `bundled`, or a file. Raises `LessonError`."""
    entry = bundled(name, language)
    if entry is not None:
        return entry.read()
    try:
        is_file = policy().reaches_files and Path(name).exists() and not Path(name).is_dir()
    except (OSError, ValueError):  # a name too long for a file, or with a NUL in it
        is_file = False
    if is_file:
        return read_lesson(Path(name))
    raise unknown(name, language)


def _from_here(path: Path) -> str:
    """The path as short as can be said from the current folder."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):  # a current folder that is gone; another drive
        return str(path)
    return str(path) if relative.startswith(os.pardir) else relative
