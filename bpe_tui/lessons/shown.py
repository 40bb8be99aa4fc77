"""What comes of a command: sentences and tables, or a failure; frozen values that are safe to print as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_tui.lessons.commands import Command


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column."""

    title: str
    is_number: bool = False
    """Its entries stand at the right."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0
    """Rows that were not asked for."""


Shown = Told | Table


@dataclass(frozen=True, slots=True)
class Failure:
    """A command that could not be carried out, or a statement that is not true."""

    line: int
    """Where it stands in the file."""
    sentence: str
    """`expected … but …`, safe to print."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What came of one command."""

    command: Command
    shown: tuple[Shown, ...] = ()
    failure: Failure | None = None
