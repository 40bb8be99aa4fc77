"""The progress in all lessons, and the best scores in challenges, as one JSON file: written, and merged."""

from __future__ import annotations

import json
import re
from typing import Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.formats.files import quoted, write_all_atomically
from bpe_tui.lessons.outcomes import Outcome
from bpe_tui.ui.session.challenge_bests import bests_bytes, bests_file, checked_bests, load_bests, merged_bests
from bpe_tui.ui.session.lesson_progress import (
    LessonProgress,
    make_folder,
    progress_bytes,
    progress_folder,
    progress_in,
)

KIND: Final = "bpe-tui lesson progress"
"""What the file says it is."""
VERSION: Final = 1
"""Of its form."""
LARGEST: Final = 1 << 24
"""Bytes beyond which nothing is such a file."""
_NAME: Final = re.compile(r"[a-z]{2,3}-[a-z0-9-]{1,80}|[0-9a-f]{32}")
_PAGE: Final = re.compile(r"0|[1-9][0-9]{0,3}")


def exported() -> tuple[bytes, int]:
    """The progress in all lessons as a JSON file, and in how many there is any."""
    try:
        files = sorted(progress_folder().glob("*.json"))
    except OSError:
        files = []
    lessons = {file.stem: progress_in(file).as_json for file in files if _NAME.fullmatch(file.stem)}
    value = {"kind": KIND, "version": VERSION, "lessons": lessons, "challenges": load_bests()}
    return (json.dumps(value, ensure_ascii=True, indent=1) + "\n").encode(), len(lessons)


def imported(data: bytes) -> int:
    """Merge an exported file into what is saved, and return how many lessons it holds; all of it or nothing.

    Nothing that was reached is lost: the further page and the better answer stay. Raises `TokenizerFileError` with a
    sentence that lacks its subject, the name of the file.
    """
    lessons, bests = _read_export(data)
    paths = [(progress_folder() / f"{name}.json", progress) for name, progress in lessons.items()]
    files = {str(path): progress_bytes(progress_in(path).merged(progress)) for path, progress in paths}
    if bests:
        files[str(bests_file())] = bests_bytes(merged_bests(load_bests(), bests))
    if files:
        make_folder()
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
