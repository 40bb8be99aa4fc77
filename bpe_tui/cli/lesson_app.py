"""`bpe-tui lesson NAME`: the lesson in the app; without a name, the list to choose from."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bpe_tui.cli import output
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from bpe_tui.lessons.lesson import Lesson

SIZE: Final = (100, 30)
"""Columns and rows of a recording."""
MOST: Final = (400, 200)
"""Of the largest one."""


def open_lesson(lesson: Lesson, theme: str | None) -> None:
    """Open the app on a lesson. Raises `BpeError`."""
    _need_screen()
    from bpe_tui.ui.app import run_lesson

    run_lesson(lesson, theme=theme)


def choose_lesson(theme: str | None) -> None:
    """Open the app on the list of lessons. Raises `BpeError`."""
    _need_screen()
    from bpe_tui.ui.app import run_app

    run_app(theme=theme, first_action="lessons")


def _need_screen() -> None:
    from bpe_tui.core.errors import BpeError

    if not output.has_screen():
        raise BpeError(_("the app needs a terminal; to read a lesson without one, use bpe-tui lesson NAME --print"))


def record_lesson(lesson: Lesson, to: str, size: str | None, theme: str | None) -> None:
    """Play a lesson without a terminal, and write what it shows. Raises `BpeError`."""
    import asyncio

    from bpe_tui.cli.progress import progress_bar
    from bpe_tui.core.corpus.types import Progress
    from bpe_tui.core.errors import OptionError, TokenizerFileError
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.app import DEFAULT_THEME
    from bpe_tui.ui.recording import CAST, film_lesson, write

    path = Path(to)
    if not to:
        raise OptionError(_("--record needs the name of a file or a folder that is not empty"))
    if path.suffix not in ("", CAST) and not path.is_dir():
        told = _("--record {path}: give a file that ends in {suffix}, or a folder for pictures")
        raise OptionError(told.format(path=to, suffix=CAST))
    if path.suffix != CAST and path.exists() and not path.is_dir():
        raise OptionError(_("--record {path}: there is a file of that name; give a folder").format(path=to))
    if not path.absolute().parent.is_dir():
        raise OptionError(_("--record {path}: there is no folder to put it in").format(path=to))
    cells = size_of(size)
    os.environ.pop("NO_COLOR", None)  # the colours are those of the theme, whatever terminal this is
    with progress_bar() as bar:
        pauses = asyncio.run(
            film_lesson(
                Walk(lesson), cells, theme, lambda done, total: bar(Progress("filming", done, total)) if bar else None
            )
        )
    try:
        others = write(path, pauses, cells, lesson.title, theme or DEFAULT_THEME)
    except TokenizerFileError as error:
        raise TokenizerFileError(f"{to}: {error}") from error
    if others:
        told = _("{path} also holds pictures that are not of this recording, such as {name}; they are left alone")
        output.note(told.format(path=to, name=others[0].name))


def size_of(size: str | None) -> tuple[int, int]:
    """`80x24` as columns and rows. Raises OptionError."""
    from bpe_tui.core.errors import OptionError
    from bpe_tui.ui.board.arrangement import MIN_HEIGHT, MIN_WIDTH

    if size is None:
        return SIZE
    parts = re.fullmatch(r"([0-9]{1,3})[x×]([0-9]{1,3})", size)
    if parts is not None:
        columns, rows = int(parts[1]), int(parts[2])
        if MIN_WIDTH <= columns <= MOST[0] and MIN_HEIGHT <= rows <= MOST[1]:
            return columns, rows
    told = _("--size {size!r} is not columns x rows such as 80x24, from {least} to {most}")
    least, most = f"{MIN_WIDTH}x{MIN_HEIGHT}", f"{MOST[0]}x{MOST[1]}"
    raise OptionError(told.format(size=size, least=least, most=most))
