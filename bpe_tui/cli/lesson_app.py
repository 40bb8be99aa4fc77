"""`bpe-tui lesson NAME`: the lesson in the app; without a name, the list to choose from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bpe_tui.cli import output
from bpe_tui.core.language import _

if TYPE_CHECKING:
    from bpe_tui.lessons.lesson import Lesson


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


def has_screen() -> bool:
    """Is there a terminal to show the app on, and to take keys from?"""
    return output.is_terminal(sys.stdout) and output.is_terminal(sys.stdin)


def _need_screen() -> None:
    from bpe_tui.core.errors import BpeError

    if not has_screen():
        raise BpeError(_("the app needs a terminal; to read a lesson without one, use bpe-tui lesson NAME --print"))
