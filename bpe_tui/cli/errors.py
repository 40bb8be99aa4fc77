"""Exceptions to sentences: one line that names the thing and says what to do."""

from __future__ import annotations

from typing import Any, Final

import typer

from bpe_tui.core.errors import BpeError

UNMET: Final = 2
"""Exit status: the request cannot be met."""
Interrupted: Final = typer.Abort
"""How Typer passes on a Ctrl-C."""


def sentence(error: Exception) -> str | None:
    """What to tell the user about `error`; None when it is no fault of the user's, but a bug."""
    if isinstance(error, BpeError):
        return str(error)
    if hasattr(error, "format_message"):  # Typer's own: a bad option, a missing argument
        return _usage(error)
    if isinstance(error, UnicodeDecodeError):
        return f"the input is not UTF-8 text: byte {error.start + 1} is {error.object[error.start]:#04x}"
    if isinstance(error, OSError):
        return _system(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this; try a smaller corpus or a smaller vocabulary"
    return None


def _usage(error: Any) -> str:
    message = " ".join(str(error.format_message()).split()).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "bpe-tui"
    return f"{message[:1].lower()}{message[1:]}; see {path} --help"


def _system(error: OSError) -> str:
    reason = (error.strerror or str(error) or type(error).__name__).lower()
    return reason if error.filename is None else f"{error.filename}: {reason}"
