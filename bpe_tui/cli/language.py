"""Which language a command line is answered in.

That of `--lang`, else of `BPE_TUI_LANG`, else of the settings, else of a lesson that is opened, else of the locale.
"""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bpe_tui.core import i18n as language
from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import LANGUAGES, _
from bpe_tui.formats.settings import DEFAULT, FILE, asked_language

OPTION: Final = "--lang"
VARIABLE: Final = "BPE_TUI_LANG"
"""The environment variable that chooses a language for this program alone."""

_asked: str | None = None
"""What the user has asked for in so many words; a locale is no such word."""
_asked_by = DEFAULT
"""Where the user has asked for it: the name of the option or the variable, or `FILE`."""


def choose(arguments: Sequence[str]) -> list[str]:
    """Speak the language that is asked for, and return the command line without `--lang`.

    Called before a command or a screen is loaded, since their tables of texts are made at import. A variable that names
    no language of ours is passed over. Raises `OptionError` if the option names none.
    """
    global _asked, _asked_by  # noqa: PLW0603 - a process answers one command line
    _asked, _asked_by = language.known_language(os.environ.get(VARIABLE, "")), VARIABLE
    if _asked is None:
        _asked, _asked_by = asked_language(), FILE
    if _asked is None:
        _asked_by = DEFAULT
    default = language.locale_language(os.environ)
    language.use(_asked or default)  # for an error about the option
    rest, option = _without_option(arguments)
    if option is not None:
        language.use(option)
        _asked, _asked_by = option, OPTION
    return rest


def asked_by() -> str:
    """Where the language comes from: the name of the option or the variable, `FILE`, or `DEFAULT` for the locale."""
    return _asked_by


def choose_for_lesson(lesson_language: str) -> None:
    """Speak the language of a lesson that is opened, unless option, variable or settings ask for another.

    Called before the screens are imported.
    """
    if _asked is None and lesson_language in LANGUAGES:
        language.use(lesson_language)


def _without_option(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """A command line without `--lang NAME` or `--lang=NAME`, before or after the command, and that name."""
    kept: list[str] = []
    chosen = None
    words = iter(arguments)
    for word in words:
        if word == "--":  # what follows is text
            return [*kept, word, *words], chosen
        if word == OPTION:
            chosen = next(words, None)
            if chosen is None:
                names = ", ".join(LANGUAGES)
                raise OptionError(_("--lang needs the name of a language: {names}").format(names=names))
        elif word.startswith(f"{OPTION}="):
            chosen = word.removeprefix(f"{OPTION}=")
        else:
            kept.append(word)
    return kept, chosen


def help_of(command: Callable[..., object]) -> str:
    """The help of a command, which is its docstring; `make catalogue` collects it."""
    text = inspect.getdoc(command)
    return _(text) if text else ""


@contextlib.contextmanager
def typer_too() -> Iterator[None]:
    """Have Typer print its own few words from our catalogue: it asks gettext, which asks the environment."""
    if language.current_language() == LANGUAGES[0]:
        yield
        return
    import gettext

    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    os.environ["LANGUAGE"] = language.current_language()
    gettext.bindtextdomain(language.DOMAIN, str(language.FOLDER))
    gettext.textdomain(language.DOMAIN)
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before
