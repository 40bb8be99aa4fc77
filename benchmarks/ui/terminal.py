"""A pseudo-terminal with a program in it, and how long the program takes to answer a key."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

QUIET: Final = 0.04
"""Seconds without output after which a repaint is taken to be over."""
ANSWERS: Final = (
    (b"\x1b[c", b"\x1b[?62;22c"),
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    (b"\x1b[6n", b"\x1b[1;1R"),
)
"""What a program asks its terminal when it starts, and what a real one says."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The output after one key; times in milliseconds from writing the key."""

    first: float
    last: float


class Terminal:
    """A program in a pseudo-terminal of `columns` × `rows`; leaving the context ends it."""

    def __init__(self, command: Sequence[str], columns: int = 120, rows: int = 40) -> None:
        self.seen = b""
        """All output since the start, or since `forget`."""
        self.started = time.perf_counter()
        self._is_over = False
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", COLUMNS=str(columns), LINES=str(rows))
            os.execvp(command[0], list(command))
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.close(self._terminal)
        os.waitpid(self._process, 0)

    def settled(self, quiet: float = 0.4, limit: float = 60) -> float:
        """Wait until nothing has been written for `quiet` seconds; milliseconds from the start to the last output."""
        # If there was output before, it may have been the last: then silence is all there is to wait for.
        moments = self._read(quiet, quiet if self.seen else limit)
        while moments is not None and time.perf_counter() - moments[1] < quiet:
            moments = self._read(quiet, quiet) or moments
        return 1000 * ((moments[1] if moments else time.perf_counter()) - self.started)

    def wait_for(self, text: str, limit: float = 600) -> None:
        """Wait until `text` has been written. Raises TimeoutError, also if the program has ended."""
        end = time.perf_counter() + limit
        while text.encode() not in self.seen:
            if time.perf_counter() > end or self._is_over:
                raise TimeoutError(f"{text!r} did not appear")
            self._read(0.05, 0.5)

    def forget(self) -> None:
        """Drop the output seen so far."""
        self.seen = b""

    def press(self, keys: str) -> None:
        """Write keys, and wait until the screen has settled after each."""
        for key in keys:
            os.write(self._terminal, key.encode())
            self._read(0.25, 5)

    def paste(self, text: str) -> None:
        """Paste a text, as a terminal does it, and wait until the screen has settled."""
        os.write(self._terminal, f"\x1b[200~{text}\x1b[201~".encode())
        self._read(0.6, 10)

    def answer(self, key: str) -> Answer | None:
        """Press a key and time the repaint; None if nothing was written within two seconds."""
        self._read(0.001, 0.001)  # what came late belongs to the key before
        pressed = time.perf_counter()
        os.write(self._terminal, key.encode())
        moments = self._read(QUIET, 2)
        if moments is None:
            return None
        return Answer(1000 * (moments[0] - pressed), 1000 * (moments[1] - pressed))

    def held(self, key: str, presses: int, gap: float) -> list[float]:
        """Hold a key that repeats every `gap` seconds: milliseconds from each press to the output that answers it."""
        taken: list[float] = []
        waiting: list[float] = []
        end = time.perf_counter()
        for press in range(presses + 1):
            end += gap if press < presses else 1.0
            if press < presses:
                waiting.append(time.perf_counter())
                os.write(self._terminal, key.encode())
            while (left := end - time.perf_counter()) > 0 and (press < presses or waiting):
                if (moments := self._read(0.0, left)) is not None:
                    taken += [1000 * (moments[0] - pressed) for pressed in waiting]
                    waiting.clear()
        return taken

    def processor_time(self, seconds: float) -> float:
        """Milliseconds of processor time that the program takes in `seconds` in which nothing is pressed."""
        before = self._processor_ticks()
        self._read(seconds, seconds)
        return 1000 * (self._processor_ticks() - before) / os.sysconf("SC_CLK_TCK")

    def _processor_ticks(self) -> int:
        fields = Path(f"/proc/{self._process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def _read(self, quiet: float, limit: float) -> tuple[float, float] | None:
        """Read until `quiet` seconds pass after some output, or `limit` seconds in all: first and last moment of it."""
        first = last = 0.0
        end = time.perf_counter() + limit
        while (now := time.perf_counter()) < end:
            ready, _, _ = select.select([self._terminal], [], [], quiet if last else end - now)
            if not ready:
                break
            try:
                data = os.read(self._terminal, 1 << 16)
            except OSError:
                self._is_over = True
                break
            last = time.perf_counter()
            first = first or last
            self.seen += data
            for asked, said in ANSWERS:
                if asked in data:
                    os.write(self._terminal, said)
        return (first, last) if last else None
