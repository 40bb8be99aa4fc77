"""Pipes that may stay silent, read so that waiting for them can be given up. Windows has none that a file names."""

from __future__ import annotations

import io
import os
import select
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bpe_tui.core.corpus.types import ShouldStop
from bpe_tui.core.errors import Cancelled

_PIPE_POLL: Final = 100
"""Milliseconds between two checks whether to stop waiting for the writer of a pipe."""


@dataclass(frozen=True, slots=True)
class OpenPipe:
    """A pipe that is open already."""

    descriptor: int
    head: bytes = b""
    """What was read from it before."""


def open_fifo(path: Path) -> OpenPipe:
    """A pipe that has a name, opened without waiting for its writer. Raises OSError."""
    return OpenPipe(os.open(path, os.O_RDONLY | os.O_NONBLOCK))


class PipeStream(io.RawIOBase):
    """A pipe whose writer is waited for until `should_stop()`: before it comes, and each time it is silent."""

    def __init__(self, pipe: OpenPipe, should_stop: ShouldStop) -> None:
        self._descriptor = pipe.descriptor
        self._head = pipe.head
        self._should_stop = should_stop
        self._ready = select.poll()
        self._ready.register(self._descriptor, select.POLLIN | select.POLLHUP)

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer`; 0 once the writer has closed its end. Raises `Cancelled`."""
        if self._head:
            size = min(len(buffer), len(self._head))
            buffer[:size], self._head = self._head[:size], self._head[size:]
            return size
        while not self._ready.poll(_PIPE_POLL):
            if self._should_stop():
                raise Cancelled("stopped")
        return os.readv(self._descriptor, [buffer])

    def close(self) -> None:
        """Close the pipe."""
        if not self.closed:
            os.close(self._descriptor)
        super().close()
