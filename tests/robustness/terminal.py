"""The real program on a pseudo-terminal: keys in, bytes out."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Final

from tests.robustness.hostile import SEQUENCE

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 60.0
"""Seconds after which something that should have come won't come any more."""


class Late(AssertionError):
    """What should have come did not come in time."""


class Terminal:
    """A program on a terminal of its own; leave the context to end it."""

    def __init__(
        self,
        *arguments: str | bytes,
        size: tuple[int, int] = (100, 30),
        folder: Path | None = None,
        stdin: bytes | None = None,
        stdin_stays: bool = False,
        program: tuple[str, ...] = ("-m", "bpe_tui"),
        **environment: str,
    ) -> None:
        """`stdin` comes through a pipe instead of the terminal; the pipe stays open if `stdin_stays`."""
        self._master, slave = pty.openpty()
        self.output = b""
        self.resize(*size)
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith(("TEXTUAL", "PYTEST", "COV"))
        }
        variables |= {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
        self.process = subprocess.Popen(
            [sys.executable, *program, *arguments],
            stdin=subprocess.PIPE if stdin is not None else slave,
            stdout=slave,
            stderr=slave,
            env=variables,
            cwd=folder,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),  # noqa: PLW1509 (no thread is running yet)
        )
        os.close(slave)
        if self.process.stdin is not None:
            self.process.stdin.write(stdin or b"")
            self.process.stdin.flush()
            if not stdin_stays:
                self.process.stdin.close()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the terminal, as somebody closes a window."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def send(self, keys: str | bytes) -> None:
        """Type."""
        os.write(self._master, keys.encode() if isinstance(keys, str) else keys)

    def read(self, seconds: float) -> bytes:
        """What comes within a time; less if the program ends."""
        end, began = time.monotonic() + seconds, len(self.output)
        while (left := end - time.monotonic()) > 0 and self._receive(left):
            pass
        return self.output[began:]

    def _receive(self, patience: float) -> bool:
        """Take what comes next; False if nothing comes in time, or the program ended."""
        if not select.select([self._master], [], [], patience)[0]:
            return False
        try:
            fresh = os.read(self._master, 65536)
        except OSError:  # the other side is closed
            return False
        self.output += fresh
        return bool(fresh)

    def wait_for(self, text: str, since: int = 0, patience: float = PATIENCE) -> None:
        """Wait until a text is shown, in one piece, in what came after `since` bytes. Raises `Late`."""
        end = time.monotonic() + patience
        while text not in self.text(since):
            assert self.process.poll() is None, f"the program ended: {self.text()[-2000:]}"
            if time.monotonic() > end:
                raise Late(f"{text!r} does not come: {self.text(since)[-2000:]}")
            self.read(0.05)

    def settle(self, quiet: float = 0.3) -> None:
        """Wait until nothing has come for a while."""
        end = time.monotonic() + PATIENCE
        while self._receive(quiet):
            assert time.monotonic() < end

    def text(self, since: int = 0) -> str:
        """All that came, without escape sequences."""
        return SEQUENCE.sub("", self.output[since:].decode("utf-8", "replace"))

    def ended(self) -> int:
        """Wait for the end; the exit status."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it does not end: {self.text()[-2000:]}"
            self.read(0.05)
        self.read(0.05)
        return self.process.returncode

    def kill(self, sign: signal.Signals = signal.SIGKILL) -> None:
        """End it without asking."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
            self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
