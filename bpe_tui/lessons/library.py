"""The lessons that come with the program, and the files that names stand for."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bpe_tui.core.errors import LessonError
from bpe_tui.core.i18n import LANGUAGES, _
from bpe_tui.core.runtime import policy
from bpe_tui.lessons.document import LessonFile

FOLDER: Final = Path(__file__).parent / "files"
"""Where the lessons are: `en/1-what-bpe-is.md`; a lesson has the same file name in all languages."""
_FILE: Final = re.compile(r"(\d+)-(.+)\.md")


@dataclass(frozen=True, slots=True)
class LessonEntry:
    """A bundled lesson in one language."""

    number: int
    slug: str
    language: str
    file: LessonFile


def entries(language: str) -> list[LessonEntry]:
    """The lessons in a language, in order; where it has none of a number, the English one."""
    found = {**_in(LANGUAGES[0]), **_in(language)}
    return [found[number] for number in sorted(found)]


def all_entries() -> list[LessonEntry]:
    """Every bundled lesson in every language."""
    return [entry for language in LANGUAGES for _number, entry in sorted(_in(language).items())]


def _in(language: str) -> dict[int, LessonEntry]:
    folder = FOLDER / language
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    found = {}
    for name in names:
        parts = _FILE.fullmatch(name)
        if parts is not None:
            file = LessonFile(folder / name, _from_here(folder / name))
            found[int(parts[1])] = LessonEntry(int(parts[1]), parts[2], language, file)
    return found


def entry_of(path: str) -> LessonEntry | None:
    """The bundled lesson in this file; None if it is a file of somebody's own."""
    file = Path(path).absolute()
    if file.parents[1:2] != (FOLDER,):
        return None
    return next((entry for entry in _in(file.parent.name).values() if entry.file.path.name == file.name), None)


def following(entry: LessonEntry) -> LessonEntry | None:
    """The lesson after this one, in its language if there is one; None after the last."""
    return next((each for each in entries(entry.language) if each.number > entry.number), None)


def bundled(name: str, language: str) -> LessonEntry | None:
    """The lesson of `entries(language)` with this number or name, or else the first on the corpus of this name."""
    known = entries(language)
    for entry in known:
        if name in (str(entry.number), entry.slug, entry.file.path.stem):
            return entry
    return next((entry for entry in known if entry.file.front().corpus == name), None)


def unknown(name: str, language: str) -> LessonError:
    """There is no lesson of that name; these there are."""
    message = _("there is no lesson {name!r}, and no such file; lessons are {names}")
    names = ", ".join(f"{entry.number} {entry.slug}" for entry in entries(language))
    return LessonError(message.format(name=name, names=names))


def find(name: str, language: str) -> LessonFile:
    """The lesson that `name` stands for: that of `bundled`, or a file. Raises `LessonError`."""
    entry = bundled(name, language)
    if entry is not None:
        return entry.file
    try:
        is_file = policy().reaches_files and os.path.lexists(name) and not Path(name).is_dir()
    except (OSError, ValueError):  # a name too long for a file, or with a NUL in it
        is_file = False
    if is_file:
        return LessonFile(Path(name), str(Path(name)))
    raise unknown(name, language)


def _from_here(path: Path) -> str:
    """The path as short as it can be from the current folder."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):  # a current folder that is gone; another drive
        return str(path)
    return str(path) if relative.startswith(os.pardir) else relative
