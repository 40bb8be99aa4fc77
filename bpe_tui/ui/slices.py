"""Work that the screen waits for, done in slices on its own thread: keys are answered between two of them.

For work on objects that the screen uses too (the trainer, the encoder) this is safer than a thread, since there is
only ever one owner, and a new keystroke simply drops what was under way.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from bpe_tui.core.errors import BpeError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from textual.timer import Timer
    from textual.widget import Widget

FIRST: Final = 0.012
"""Seconds of work done at once: what is finished within them is shown with the same keystroke."""
NEXT: Final = 0.010
"""Seconds of each later slice."""
PAUSE: Final = 0.004
"""Seconds left to the screen between two slices."""

T = TypeVar("T")


class Slices(Generic[T]):
    """Runs one generator at a time for a widget; what the generator returns goes to a callback."""

    def __init__(
        self, owner: Widget, done: Callable[[T], None], failed: Callable[[BpeError], None] | None = None
    ) -> None:
        self._owner = owner
        self._done = done
        self._failed = failed
        self._work: Generator[None, None, T] | None = None
        self._timer: Timer | None = None

    @property
    def is_running(self) -> bool:
        """Is there work under way?"""
        return self._work is not None

    def run(self, work: Generator[None, None, T], *, at_once: bool = True) -> None:
        """Start `work`, dropping any that is under way; small work is done when this returns.

        Of large work not `at_once`, nothing is done before the screen has had the time to say so.
        """
        self.drop()
        self._work = work
        self._slice(FIRST if at_once else 0)

    def drop(self) -> None:
        """Give up what is under way."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._work is not None:
            self._work.close()
            self._work = None

    def _slice(self, seconds: float = NEXT) -> None:
        work = self._work
        if work is None:
            return
        end = time.perf_counter() + seconds
        try:
            while time.perf_counter() < end:
                next(work)
        except StopIteration as stop:
            self._work = self._timer = None
            self._done(stop.value)
        except BpeError as error:
            self._work = self._timer = None
            if self._failed is None:
                raise
            self._failed(error)
        else:
            self._timer = self._owner.set_timer(PAUSE, self._slice)
