"""The one way out: text and JSON to stdout, notes and errors to stderr.

Whatever the locale, writing never fails on a character: text that the terminal's encoding lacks is written as a
backslash escape, JSON is always UTF-8.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from typing import Any, Final, TextIO

from bpe_tui.core.corpus.alphabet import utf8
from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _

PROGRAM: Final = "bpe-tui"
SIGNS: Final = "╭─│●▸▎·…"
"""Some of what the screen is drawn with."""
_PART: Final = 1 << 16
"""Characters of JSON that are written at once."""


def prepare_streams() -> None:
    """Make stdout and stderr accept every character."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person is at the other end of `stream`; not if it is closed."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def has_screen(*, keys: bool = True) -> bool:
    """Can the app be shown: on a terminal, which also gives the `keys`, or to a browser?"""
    from bpe_tui.core.runtime import policy

    return policy().is_served or (is_terminal(sys.stdout) and (not keys or is_terminal(sys.stdin)))


def need_drawing() -> None:
    """Check that this terminal can draw the app: move its cursor, and show lines and signs. Raises `BpeError`."""
    from bpe_tui.core.errors import BpeError
    from bpe_tui.core.runtime import policy

    if policy().is_served:
        return
    instead = _("here use bpe-tui train, bpe-tui lesson NAME --print, or add --plain")
    terminal = os.environ.get("TERM", "")
    if terminal in ("dumb", "unknown"):
        sentence = _("the app needs a terminal that can place its cursor, and TERM is {name}; {instead}")
        raise BpeError(sentence.format(name=terminal, instead=instead))
    encoding = getattr(sys.__stderr__, "encoding", None) or "utf-8"  # where the library draws
    try:
        SIGNS.encode(encoding)
    except UnicodeEncodeError:
        sentence = _("the app is drawn with signs that {encoding} lacks; a UTF-8 locale has them, or {instead}")
        raise BpeError(sentence.format(encoding=encoding.upper(), instead=instead)) from None


def say(line: str) -> None:
    """One line for the person at the terminal; nothing for an empty one."""
    if line:
        write(displayable(line) + "\n")


def write(text: str) -> None:
    """Write `text` to stdout as it is; corpus text in it must have been through `displayable` or `visible` before."""
    if sys.stdout is not None:
        sys.stdout.write(text)


def write_bytes(data: bytes) -> None:
    """Write `data` to stdout, untouched by locale and newline conversion."""
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def write_json(value: dict[str, Any] | list[Any]) -> None:
    """Write `value` to stdout as UTF-8 JSON, a line for each field and for each object in a list.

    An iterator of objects is written as a list, one at a time. A lone surrogate, which UTF-8 cannot represent, is
    written as U+FFFD. On a terminal, what must not reach one is escaped, as JSON can; the value is the same.
    """
    for text in _json(value):
        if is_terminal(sys.stdout) and not text.isascii():
            text = "".join(
                [char if char.isascii() or displayable(f"a{char}") == f"a{char}" else _escaped(char) for char in text]
            )
        write_bytes(utf8(text.replace("\x7f", "\\u007f")))


def _json(value: dict[str, Any] | list[Any]) -> Iterator[str]:
    """`value` as JSON, in parts of many lines."""
    parts: list[str] = []
    size = 0
    for line in _json_lines(value):
        parts.append(line)
        size += len(line)
        if size > _PART:
            yield "".join(parts)
            parts, size = [], 0
    yield "".join(parts)


def _json_lines(value: dict[str, Any] | list[Any]) -> Iterator[str]:
    if isinstance(value, list):
        yield from _json_rows(value, "")
    else:
        between = "{\n"
        for key, part in value.items():
            yield f"{between}  {_json_of(key)}: "
            yield from _json_rows(part, "  ")
            between = ",\n"
        yield "\n}"
    yield "\n"


def _json_rows(value: Any, indent: str) -> Iterator[str]:
    """A list of objects, or an iterator of them, a line each; anything else on one line."""
    if not isinstance(value, Iterator) and not (
        isinstance(value, list) and any(isinstance(row, dict) for row in value)
    ):
        yield _json_of(value)
        return
    between = "[\n"
    for row in value:
        yield f"{between}{indent}  {_json_of(row)}"
        between = ",\n"
    yield "[]" if between == "[\n" else f"\n{indent}]"


def _json_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _escaped(char: str) -> str:
    """A character in JSON's own escapes."""
    return json.dumps(char)[1:-1]


def note(line: str) -> None:
    """One line on stderr that is worth knowing but stops nothing."""
    _to_stderr(_("note: {text}").format(text=line))


def complain(line: str) -> None:
    """The one line on stderr about why the request cannot be met."""
    _to_stderr(f"{PROGRAM}: {line}")


def _to_stderr(line: str) -> None:
    # If stderr fails, there is nowhere left to report.
    with contextlib.suppress(OSError, ValueError):
        if sys.stdout is not None:
            sys.stdout.flush()
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr is not None:
            sys.stderr.write(displayable(line) + "\n")
            sys.stderr.flush()


def flush() -> None:
    """Hand over what is buffered; here a reader that went away is noticed at the latest."""
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon() -> None:
    """Drop what is buffered for a reader that went away, so that the interpreter's exit stays silent too."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
