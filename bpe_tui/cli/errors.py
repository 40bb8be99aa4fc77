"""Exceptions as sentences: one line that names the thing and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import typer

from bpe_tui.cli import output
from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, reason_of

UNMET: Final = 2
"""Exit status: the request cannot be met."""


def sentence(error: Exception) -> str | None:
    """The sentence for the user about `error`; None if it is not a mistake of the user's, but a bug."""
    if isinstance(error, BpeError):
        return str(error)
    if isinstance(error, typer.TyperException):  # a bad option, a missing argument
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


def _usage(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    path = output.PROGRAM if context is None else context.command_path
    return _("{message}; see {command} --help").format(message=error.format_message(), command=path)


def complaint(error: typer.TyperException, context: Any, words: Sequence[str]) -> str:
    """What Typer complains of while it reads the words of a command, in the current language: its own is English.

    Few of its exceptions have public names; the others are recognised by their attributes.
    """
    if isinstance(error, typer.BadParameter) and error.param is not None:
        name = error.param.get_error_hint(context)
        if error.message:
            return _("invalid value for {name}: {reason}").format(name=name, reason=error.message)
        is_argument = error.param.param_type_name == "argument"
        return (_("missing argument {name}") if is_argument else _("missing option {name}")).format(name=name)
    option = getattr(error, "option_name", None)
    if option is None:
        return error.format_message()
    if not hasattr(error, "possibilities"):
        is_switch = any(option in one.opts and one.is_flag for one in context.command.params)
        message = _("option '{name}' does not take a value") if is_switch else _("option '{name}' requires an argument")
        return message.format(name=option)
    if option[1:2].isdigit() and any(one.name == "ids" for one in context.command.params):
        word = next((word for word in words if word.startswith(option)), option)
        return _("{word!r} is not a token id; ids are whole numbers from 0 up").format(word=word)
    if not error.possibilities:
        return _("no such option: {name}").format(name=option)
    return _("no such option: {name}; there is {names}").format(
        name=option, names=", ".join(sorted(error.possibilities))
    )


def _system(error: OSError) -> str:
    reason = reason_of(error).lower()
    return reason if error.filename is None else f"{error.filename}: {reason}"


def report_bug(error: Exception) -> int:
    """Report in one line that the program broke and where the crash report is. Returns the exit status."""
    from bpe_tui.formats.crash_reports import written

    cause = error.__cause__ if error.__cause__ is not None and type(error).__name__ == "Broken" else error
    path = written(cause)
    kind = type(cause).__name__
    if path is None:
        output.complain(_("something broke ({kind}); that is a fault of the program").format(kind=kind))
    else:
        message = _("something broke ({kind}); that is a fault of the program. A report without your text is in {path}")
        output.complain(message.format(kind=kind, path=path))
    return UNMET
