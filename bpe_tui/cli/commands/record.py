"""Recordings of the app: what `--record` of `open` and `lesson` share."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bpe_tui.cli import output
from bpe_tui.cli.progress import progress_bar
from bpe_tui.core.corpus.types import Progress
from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from bpe_tui.ui.recording import Pause

SIZE: Final = (100, 30)
"""Columns and rows of a recording."""
LARGEST: Final = (400, 200)
"""Columns and rows of the largest one."""


def record(
    to: str,
    size: str | None,
    theme: str | None,
    title: str,
    film: Callable[[tuple[int, int], Callable[[int, int], None]], Coroutine[object, object, list[Pause]]],
) -> None:
    """Film the app without a terminal, and write a `.cast` file or a folder of pictures. Raises `BpeError`.

    `film` gets columns and rows, and hears how far it is: what is done, and of how much.
    """
    from bpe_tui.ui.recording import CAST, write
    from bpe_tui.ui.themes import DEFAULT_THEME

    path = Path(to)
    if not to:
        raise OptionError(_("--record needs the name of a file or a folder that is not empty"))
    if path.suffix not in ("", CAST) and not path.is_dir():
        message = _("--record {path}: give a file that ends in {suffix}, or a folder for pictures")
        raise OptionError(message.format(path=to, suffix=CAST))
    if path.suffix != CAST and path.exists() and not path.is_dir():
        raise OptionError(_("--record {path}: there is a file of that name; give a folder").format(path=to))
    if not path.absolute().parent.is_dir():
        raise OptionError(_("--record {path}: there is no folder to put it in").format(path=to))
    cells = size_of(size)
    os.environ.pop("NO_COLOR", None)  # the colours are those of the theme, whatever terminal this is
    with progress_bar() as bar:

        def report(done: int, total: int) -> None:
            if bar is not None:
                bar(Progress("filming", done, total))

        pauses = asyncio.run(film(cells, report))
    try:
        others = write(path, pauses, cells, title, theme or DEFAULT_THEME)
    except TokenizerFileError as error:
        raise TokenizerFileError(f"{to}: {error}") from error
    if others:
        message = _("{path} also holds pictures that are not of this recording, such as {name}; they are left alone")
        output.note(message.format(path=to, name=others[0].name))


def size_of(size: str | None) -> tuple[int, int]:
    """`80x24` as columns and rows. Raises OptionError."""
    from bpe_tui.ui.board.arrangement import MIN_HEIGHT, MIN_WIDTH

    if size is None:
        return SIZE
    parts = re.fullmatch(r"([0-9]{1,3})[x×]([0-9]{1,3})", size)
    if parts is not None:
        columns, rows = int(parts[1]), int(parts[2])
        if MIN_WIDTH <= columns <= LARGEST[0] and MIN_HEIGHT <= rows <= LARGEST[1]:
            return columns, rows
    message = _("--size {size!r} is not columns x rows such as 80x24, from {least} to {most}")
    least, most = f"{MIN_WIDTH}x{MIN_HEIGHT}", f"{LARGEST[0]}x{LARGEST[1]}"
    raise OptionError(message.format(size=size, least=least, most=most))
