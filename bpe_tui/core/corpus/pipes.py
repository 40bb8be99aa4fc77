"""Named pipes: nobody may ever write to one, so the wait for a writer can be given up."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from bpe_tui.core.errors import Cancelled

LOOK: Final = 100
"""Milliseconds between two looks whether to give up."""


def open_pipe(path: Path, should_stop: Callable[[], bool]) -> BinaryIO:
    """The pipe as a stream, once somebody writes to it. Raises `OSError`, and `Cancelled` when told to stop."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN | select.POLLHUP)
    while not waiting.poll(LOOK):
        if should_stop():
            os.close(descriptor)
            raise Cancelled("stopped")
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")
