"""What libraries log while the app is served: one safe line each, and none of them every second."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from aiohttp.http import HttpProcessingError

MINUTE: Final = 60.0


class Throttled:
    """Lets a message through once a minute; the next one says how many came meanwhile."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._next: dict[str, float] = {}
        self._withheld: dict[str, int] = {}

    def __call__(self, kind: str, message: str) -> None:
        """Write a message, unless one of its kind was written less than a minute ago."""
        now = self._clock()
        if now < self._next.get(kind, 0.0):
            self._withheld[kind] = self._withheld.get(kind, 0) + 1
            return
        self._next[kind] = now + MINUTE
        withheld = self._withheld.pop(kind, 0)
        self._write(f"{message} (+{withheld})" if withheld else message)


class LineHandler(logging.Handler):
    """Writes each record as one line; of an exception its type and where it was raised, never a traceback.

    `warn` must make text safe to print: a record may quote whatever a client has sent.
    """

    def __init__(self, warn: Throttled) -> None:
        super().__init__(logging.WARNING)
        self._warn = warn

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, HttpProcessingError):  # the client did not speak HTTP, and has its answer
            return
        line = f"{record.name}: {record.getMessage()}".partition("\n")[0]
        if error is not None:
            line += f" ({type(error).__name__})"
        self._warn(str(record.msg).partition("\n")[0], line)


def log_to(warn: Throttled) -> None:
    """From now on all that is logged in this process goes through `warn`."""
    root = logging.getLogger()
    root.handlers[:] = [LineHandler(warn)]
