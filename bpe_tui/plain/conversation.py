"""A conversation over lines of text: sentences go out, wrapped, and one line at a time comes in."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TextIO

from bpe_tui.core.display import clip, displayable, width
from bpe_tui.core.i18n import _, unbroken
from bpe_tui.lessons.prose import NO_BREAK
from bpe_tui.lessons.results import broken

if TYPE_CHECKING:
    from bpe_tui.lessons.results import TextTable

NARROWEST: Final = 20
"""Cells of the narrowest line."""
LONGEST: Final = 600
"""Cells of the longest sentence: a token may be as long as its text."""
ASCII: Final = {
    "→": "->",
    "·": "-",
    "×": "x",
    "−": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "␣": "<space>",
    "␊": "<newline>",
    "␉": "<tab>",
    "ˣ": "\\x",
    "⟨": "<",
    "⟩": ">",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "✓": "+",
    "✗": "x",
}
"""What takes the place of our own signs on a terminal that lacks them."""


class Conversation:
    """Says sentences and asks for lines. It knows no colour and moves no cursor."""

    def __init__(self, stdin: TextIO | None, stdout: TextIO | None) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self.is_typed = stdin is not None and stdin.isatty()
        """Does a person type the lines, so that the terminal echoes them?"""
        self._edits = False
        if self.is_typed and stdout is not None and stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb":
            self._edits = _load_line_editing()
        if isinstance(stdin, io.TextIOWrapper):
            stdin.reconfigure(errors="surrogateescape")
        self._encoding = getattr(stdout, "encoding", None) or "utf-8"
        self._signs = str.maketrans({sign: plain for sign, plain in ASCII.items() if not _has(self._encoding, sign)})

    @property
    def cells(self) -> int:
        """Cells of a line: as many as the terminal has, or `COLUMNS` says; 80 in a pipe."""
        return max(NARROWEST, shutil.get_terminal_size().columns)

    # -- out ------------------------------------------------------------------------------------------------------

    def say(self, text: str, first: str = "", rest: str | None = None) -> None:
        """A sentence (untrusted text in it is made safe); its lines begin with `first`, then with `rest`.

        Nothing is said for an empty one.
        """
        if text:
            shown = NO_BREAK.join(map(displayable, unbroken(text).split(NO_BREAK)))
            self.write_lines(self.wrapped(shown, first, first if rest is None else rest))

    def wrapped(self, text: str, first: str = "", rest: str = "") -> list[str]:
        """Safe text in lines that fit; a long word is broken where it must be."""
        text = clip(self._writable(text), LONGEST)
        lines = broken(text, max(NARROWEST // 2, self.cells - max(width(first), width(rest))))
        return [(first if place == 0 else rest) + line for place, line in enumerate(lines)]

    def show_verbatim(self, line: str, indent: str) -> None:
        """A line of code or of a text, its blanks as they are; if it is too long, what follows is indented like it."""
        shown = self._writable(displayable(line.rstrip()))
        if width(indent + shown) <= self.cells:
            self.write_lines([indent + shown])
            return
        lead = indent + " " * min(len(shown) - len(shown.lstrip(" ")), self.cells // 2)
        self.write_lines(self.wrapped(shown, lead, lead))

    def show_table(self, table: TextTable, indent: str = "") -> None:
        """A table where it fits as it is; else a line for each of its rows, every entry with its head."""
        heads = tuple(replace(head, title=self._writable(head.title)) for head in table.heads)
        rows = tuple(tuple(map(self._writable, row)) for row in table.rows)
        table = replace(table, heads=heads, rows=rows)
        lines = table.lines(indent, cells=10 * LONGEST)
        if max(map(width, lines)) <= self.cells:
            self.write_lines(lines)
            return
        for row in table.rows:
            pairs = zip(table.heads, row, strict=True)
            entries = (f"{head.title} {entry}".strip() for head, entry in pairs if entry.strip() not in ("", "-"))
            self.write_lines(self.wrapped(clip(", ".join(entries), LONGEST), "- ", "  "))
        if table.remark:
            self.write_lines([table.remark])

    def write_lines(self, lines: Sequence[str]) -> None:
        """Lines of safe text."""
        self._write("".join(f"{line.rstrip()}\n" for line in lines))

    def pause(self) -> None:
        """An empty line."""
        self._write("\n")

    def _write(self, text: str) -> None:
        if self._stdout is not None:
            self._stdout.write(self._writable(text.replace(NO_BREAK, " ")))

    def _writable(self, text: str) -> str:
        """`text` in signs that the terminal has; what else it lacks as a backslash escape."""
        if text.isascii():
            return text
        parts = text.translate(self._signs).split(NO_BREAK)  # it stays until lines are broken
        return NO_BREAK.join(part.encode(self._encoding, "backslashreplace").decode(self._encoding) for part in parts)

    # -- in -------------------------------------------------------------------------------------------------------

    def ask(self, prompt: str) -> str:
        """The next line, without the blanks around it. Raises `EOFError` at the end of the input.

        Lines that nobody types, from a pipe, are repeated after the prompt, so that the answers can be told apart.
        """
        while True:
            try:
                line = self._read(self._writable(f"{prompt} "))
            except (EOFError, KeyboardInterrupt):
                self._write("\n")  # what follows must not continue the prompt's line
                raise
            text = _decoded(line)
            if not self.is_typed:
                self._write(f"{displayable(line if text is None else text)}\n")
            if text is None:
                self.say(_("This line is not UTF-8 text, and was ignored."))
            elif any(unicodedata.category(char) == "Cc" for char in text.replace("\t", " ")):
                self.say(_("This line holds control characters, perhaps from an arrow key, and was ignored."))
            else:
                return text.strip()

    def _read(self, prompt: str) -> str:
        """One line without its end."""
        if self._edits:
            return input(prompt)
        self._write(prompt)
        if self._stdout is not None:
            self._stdout.flush()
        line = "" if self._stdin is None else self._stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\r\n")


def _load_line_editing() -> bool:
    """Have `input` edit its line, where Python can. Not in a pipe or on a dumb terminal: it writes control codes."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 (it is there for what importing it does)
    return True


def _has(encoding: str, sign: str) -> bool:
    """Can the encoding say the sign?"""
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _decoded(line: str) -> str | None:
    """A line whose bytes the locale may not know, from UTF-8 (PEP 383); None if it is not that either."""
    try:
        line.encode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(line).decode()
        except UnicodeError:
            return None
    return line


def full_stop(text: str) -> str:
    """`text` with a mark at its end, as sentences have."""
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."
