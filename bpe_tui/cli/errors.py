"""Exceptions to sentences: one line that names the thing and says what to do."""

from __future__ import annotations

import re
from typing import Any, Final

import typer

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, reason_of

UNMET: Final = 2
"""Exit status: the request cannot be met."""
TYPERS: Final = (
    (r"No such option: (?P<name>\S+)", mark("no such option: {name}")),
    (
        r"No such option: (?P<name>\S+) (\(Possible options: (?P<names>.*)\)|Did you mean (?P<other>.*)\?)",
        mark("no such option: {name}; there is {names}"),
    ),
    (r"No such command '(?P<name>.*)'", mark("no such command '{name}'")),
    (
        r"No such command '(?P<name>.*)'\. Did you mean (one of: )?(?P<other>.*)\?",
        mark("no such command '{name}'; there is {names}"),
    ),
    (r"Missing argument '(?P<name>.*)'", mark("missing argument '{name}'")),
    (r"Missing option (?P<name>'.*')", mark("missing option {name}")),
    (r"Option '(?P<name>.*)' requires an argument", mark("option '{name}' requires an argument")),
    (r"Option '(?P<name>.*)' does not take a value", mark("option '{name}' does not take a value")),
    (r"Got unexpected extra argument(?:s|\(s\))? \((?P<names>.*)\)", mark("got unexpected extra argument ({names})")),
    (
        r"Invalid value for (?P<name>'.*'): (?P<value>'.*') is not a valid (int|integer)",
        mark("invalid value for {name}: {value} is not a valid integer"),
    ),
    (
        r"Invalid value for (?P<name>'.*'): (?P<value>\S+) is not in the range (?P<range>.*)",
        mark("invalid value for {name}: {value} is not in the range {range}"),
    ),
)
"""Typer's complaints, and how they are told."""
Interrupted: Final = typer.Abort
"""How Typer passes on a Ctrl-C."""


def sentence(error: Exception) -> str | None:
    """What to tell the user about `error`; None when it is no fault of the user's, but a bug."""
    if isinstance(error, BpeError):
        return str(error)
    if hasattr(error, "format_message"):  # Typer's own: a bad option, a missing argument
        return _usage(error)
    if isinstance(error, UnicodeDecodeError):
        return _("the input is not UTF-8 text: byte {place} is {byte}").format(
            place=error.start + 1, byte=f"{error.object[error.start]:#04x}"
        )
    if isinstance(error, OSError):
        return _system(error)
    if isinstance(error, MemoryError):
        return _("there is not enough memory for this; try a smaller corpus or a smaller vocabulary")
    return None


def _usage(error: Any) -> str:
    message = " ".join(str(error.format_message()).split()).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "bpe-tui"
    return _("{message}; see {command} --help").format(message=_in_words(message), command=path)


def _in_words(message: str) -> str:
    """What Typer complains about, in the language in force: it speaks English only."""
    for pattern, template in TYPERS:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found is not None:
            groups = found.groupdict()
            return _(template).format(**{**groups, "names": groups.get("names") or groups.get("other")})
    return message[:1].lower() + message[1:]


def _system(error: OSError) -> str:
    reason = reason_of(error).lower()
    return reason if error.filename is None else f"{error.filename}: {reason}"


def tell_bug(error: Exception) -> int:
    """Say in one line that the program broke and where the report is; the exit status."""
    from bpe_tui.cli import output
    from bpe_tui.formats.crash_reports import written

    cause = error.__cause__ if error.__cause__ is not None and type(error).__name__ == "Broken" else error
    path = written(cause)
    kind = type(cause).__name__
    if path is None:
        output.complain(_("something broke ({kind}); that is a fault of the program").format(kind=kind))
    else:
        told = _("something broke ({kind}); that is a fault of the program. A report without your text is in {path}")
        output.complain(told.format(kind=kind, path=path))
    return UNMET
