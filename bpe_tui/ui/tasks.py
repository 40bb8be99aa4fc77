"""Work that takes longer than a repaint: `start_job` does it in a thread, `Slices` bit by bit between two keys.

A thread suits work on values of its own, such as counting a corpus. Work on objects that the screen uses too (trainers,
encoders) is done in slices on the program's own thread: they have one owner, and a key drops what was under way.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from weakref import WeakKeyDictionary

from textual.worker import Worker, get_current_worker

from bpe_tui.core.corpus.patterns import TIME_LIMIT, stoppable, time_limit
from bpe_tui.core.errors import BpeError, Cancelled
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from textual.dom import DOMNode
    from textual.timer import Timer
    from textual.widget import Widget

    from bpe_tui.core.corpus.types import Progress

T = TypeVar("T")

# -- in a thread -------------------------------------------------------------------------------------------------------

PROGRESS_INTERVAL: Final = 0.08
"""Seconds between two reports of progress in one phase."""
BUSY_SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a thread must hand over the interpreter while a job runs. With Python's default of 0.005 a
key needs twice as long until its first byte is on the terminal, since each repaint changes threads several times."""


class Job:
    """Work in a thread: its starter may cancel it, and the work polls it."""

    def __init__(self, node: DOMNode) -> None:
        self.ended = threading.Event()
        """Set when the thread has let go of everything."""
        self.is_replaced = False
        """Was a later job started in its place? Then nothing is reported any more."""
        self.worker: Worker[None] | None = None
        """The worker of the thread; the program cancels it when it closes."""
        self.on_progress: Callable[[Progress], object] | None = None
        """Gets reports of progress, on the program's own thread."""
        self._node = node
        self._stop = threading.Event()
        self._phase = ""
        self._next = 0.0
        self._unreported: Progress | None = None

    @property
    def is_cancelled(self) -> bool:
        """Was it asked to stop?"""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask it to stop: it ends at its next poll."""
        self._stop.set()

    def should_stop(self) -> bool:
        """True once the job is cancelled or the program is closing; cheap, for the work to poll."""
        return self.is_cancelled or (self.worker is not None and self.worker.is_cancelled)

    def progress(self, progress: Progress) -> None:
        """Report progress; handed on when the phase changes or enough time has gone by, and only the newest."""
        now = time.monotonic()
        if now < self._next and progress.phase == self._phase:
            return
        self._phase, self._next = progress.phase, now + PROGRESS_INTERVAL
        is_waiting, self._unreported = self._unreported is not None, progress
        if not is_waiting:
            self._node.call_later(self._report_progress)

    def _report_progress(self) -> None:
        progress, self._unreported = self._unreported, None
        if progress is not None and self.on_progress is not None and not self.is_replaced:
            self.on_progress(progress)


class _QuickSwitching:
    """While any job runs, threads hand over the interpreter sooner, so that keys are answered at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs = 0
        self._usual = 0.0

    def __enter__(self) -> None:
        with self._lock:
            if self._jobs == 0:
                self._usual = sys.getswitchinterval()
                sys.setswitchinterval(BUSY_SWITCH_INTERVAL)
            self._jobs += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._jobs -= 1
            if self._jobs == 0:
                sys.setswitchinterval(self._usual)


_quick_switching: Final = _QuickSwitching()
_latest: Final[WeakKeyDictionary[DOMNode, dict[str, Job]]] = WeakKeyDictionary()
"""The job that each node started last, by group."""


def start_job(
    node: DOMNode,
    work: Callable[[Job], T],
    *,
    group: str,
    done: Callable[[T], object],
    failed: Callable[[Exception], object] | None = None,
    cancelled: Callable[[], object] | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Job:
    """Run `work` in a thread; call back on the program's own thread, where this has to be called, too.

    Of `done`, `failed` and `cancelled` one is called, once. An earlier job of the same node and group is cancelled and
    reports nothing any more, and `work` starts only when it has ended: what a job works on has one owner at a time.
    """
    jobs = _latest.setdefault(node, {})
    previous = jobs.get(group)
    job = jobs[group] = Job(node)
    job.on_progress = progress
    if previous is not None:
        previous.is_replaced = True
        previous.cancel()

    def run() -> None:
        if previous is not None:
            previous.ended.wait()
        job.worker = get_current_worker()
        try:
            node.call_later(report, *_outcome(job, work))
        finally:
            job.ended.set()

    def report(results: list[T], error: Exception | None) -> None:
        if job.is_replaced:
            return
        if job.should_stop():
            if cancelled is not None:
                cancelled()
        elif error is not None:
            if failed is not None:
                failed(error)
        else:
            done(results[0])

    node.run_worker(run, group=group, thread=True, exit_on_error=False)
    return job


def _outcome(job: Job, work: Callable[[Job], T]) -> tuple[list[T], Exception | None]:
    """Do the work: its result in a list, which is empty if it was cancelled or failed, and the error."""
    if job.should_stop():
        return [], None
    try:
        with _quick_switching, time_limit(TIME_LIMIT), stoppable(job.should_stop):
            return [work(job)], None
    except Cancelled:
        job.cancel()
        return [], None
    except Exception as error:
        return [], error


def sentence_of(error: Exception) -> str:
    """An error for the user; one that is a bug is named as such."""
    if isinstance(error, BpeError):
        return str(error)
    return _("Something broke: {kind}: {error}").format(kind=type(error).__name__, error=error)


# -- in slices ---------------------------------------------------------------------------------------------------------

FIRST: Final = 0.012
"""Seconds of work done at once: what is finished within them is shown with the same keystroke."""
NEXT: Final = 0.010
"""Seconds of each later slice."""
PAUSE: Final = 0.004
"""Seconds left to the screen between two slices."""


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
