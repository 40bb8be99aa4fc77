"""A progress bar on stderr for a person who waits; a pipe or a file gets nothing."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TextIO

from bpe_tui.cli.output import is_terminal
from bpe_tui.core.i18n import _, mark, number

if TYPE_CHECKING:
    from bpe_tui.core.corpus.types import Progress

PATIENCE: Final = 0.3
"""Seconds before the bar shows at all: quick work needs none."""
PAUSE: Final = 0.1
"""Seconds between two pictures of the bar."""
BAR_CELLS: Final = 24
PHASES: Final = {
    "counting": mark("counting"),
    "indexing": mark("indexing"),
    "merging": mark("merging"),
    "filming": mark("filming"),
    "comparing": mark("comparing"),
    "encoding": mark("encoding"),
}


class ProgressBar:
    """Draws `Progress` reports over one another on the last line of a terminal.

    `clock` gives seconds; the rate and the time left are those of the phase under way.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._phase = ""
        self._phase_began = 0.0
        self._next_picture = clock() + PATIENCE
        self._drawn = False

    def __call__(self, progress: Progress) -> None:
        """Take a report; most are not drawn."""
        now = self._clock()
        if progress.phase != self._phase:
            self._phase, self._phase_began = progress.phase, now
        if now >= self._next_picture:
            self._next_picture = now + PAUSE
            self._draw(describe(progress.phase, progress.done, progress.total, now - self._phase_began))

    def clear(self) -> None:
        """Leave the line as it was found."""
        if self._drawn:
            self._draw("")

    def _draw(self, text: str) -> None:
        import shutil

        self._drawn = True
        columns = shutil.get_terminal_size().columns
        with contextlib.suppress(OSError):
            self._stream.write(f"\r\x1b[K{text[: columns - 1]}")
            self._stream.flush()


def describe(phase: str, done: int, total: int, seconds: float) -> str:
    """One line: phase, bar, percentage, rate and time left, as far as they are known.

    `done` and `total` count merges while merging, words while encoding, pages while filming, and else bytes; `total` 0
    is unknown.
    """
    rate = done / seconds if seconds > 0 else 0.0
    if phase == "filming":
        speed = ""
    elif phase == "encoding":
        speed = _("{rate} words/s").format(rate=number(rate, ",.0f"))
    elif phase == "merging":
        speed = _("{rate} merges/s").format(rate=number(rate, ",.0f"))
    else:
        speed = _("{rate} MB/s").format(rate=number(rate / 1e6, ",.1f"))
    name = _(PHASES.get(phase, phase))
    if not total:
        return f"{name}  {speed}"
    share = min(done / total, 1.0)
    bar = "#" * round(share * BAR_CELLS)
    left = "  " + _("{time} left").format(time=_duration((total - done) / rate)) if rate else ""
    return f"{name:8}  [{bar:-<{BAR_CELLS}}] {share:4.0%}  {speed}{left}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None] | None]:
    """The callback to pass on as `progress`, or None where no person would see the bar."""
    if not is_terminal(sys.stderr):
        yield None
        return
    bar = ProgressBar(sys.stderr)
    try:
        yield bar
    finally:
        bar.clear()
