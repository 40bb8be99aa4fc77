"""Long work in a thread: progress at a readable rate, cancel, and errors as messages.

The work gets a `JobControl` and passes its `should_stop` and `progress` down to the core. Whatever happens
is posted to the node that started the job: `JobProgress` while it runs, then exactly one of `JobDone`,
`JobFailed` or `JobCancelled`. A node that may start a second job compares `message.job` with the job it holds.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from textual.message import Message
from textual.worker import Worker, get_current_worker

from bpe_tui.core.errors import BpeError, Cancelled
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.dom import DOMNode

    from bpe_tui.core.corpus.types import Progress

PROGRESS_INTERVAL: Final = 0.08
"""Seconds between two progress messages of one phase."""
BUSY_SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a thread must hand over the interpreter while a job runs. With Python's default of 0.005 a
key needs twice as long until its first byte is on the terminal, since each repaint changes threads several times."""


_latest: Final[WeakKeyDictionary[DOMNode, dict[str, Job]]] = WeakKeyDictionary()
"""The job that each node started last, by group."""


class _Sharing:
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


_sharing: Final = _Sharing()


class Job:
    """A piece of work that was started; the starter keeps it to cancel it or to know its messages."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ended = threading.Event()
        """Set when the thread has let go of everything."""
        self._stop = threading.Event()

    @property
    def cancelled(self) -> bool:
        """Was it asked to stop?"""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask it to stop: it ends at its next poll and `JobCancelled` is posted."""
        self._stop.set()


class JobMessage(Message):
    """Something happened to a job."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job


class JobProgress(JobMessage):
    """A job got further: at most a dozen a second, whatever the work reports."""

    def __init__(self, job: Job, phase: str, done: int, total: int) -> None:
        super().__init__(job)
        self.phase = phase
        self.done = done
        self.total = total
        """0 if unknown."""

    def can_replace(self, message: Message) -> bool:
        """Only the newest progress in the queue is of interest."""
        return isinstance(message, JobProgress) and message.job is self.job

    @property
    def share(self) -> float:
        """Done share, 0 to 1; 0 if the total is unknown."""
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0


class JobDone(JobMessage):
    """A job finished; `result` is what the work returned."""

    def __init__(self, job: Job, result: object) -> None:
        super().__init__(job)
        self.result = result


class JobFailed(JobMessage):
    """A job raised; `sentence` is for the user, and `expected` tells bad input from a bug."""

    def __init__(self, job: Job, error: Exception) -> None:
        super().__init__(job)
        self.error = error
        self.expected = isinstance(error, BpeError)
        self.sentence = str(error)
        if not self.expected:
            self.sentence = _("Something broke: {kind}: {error}").format(kind=type(error).__name__, error=error)


class JobCancelled(JobMessage):
    """A job ended because it was asked to."""


class JobControl:
    """What the work holds: both methods are cheap, and meant to be called from the job's thread."""

    def __init__(self, job: Job, node: DOMNode) -> None:
        self.worker: Worker[object] | None = None
        """The worker of the thread; the program cancels it when it closes."""
        self._job = job
        self._node = node
        self._phase = ""
        self._next = 0.0

    def should_stop(self) -> bool:
        """True once the job is cancelled or the program is closing."""
        return self._job.cancelled or (self.worker is not None and self.worker.is_cancelled)

    def progress(self, progress: Progress) -> None:
        """Report progress; posted when the phase changes or enough time has gone by."""
        now = time.monotonic()
        if now < self._next and progress.phase == self._phase:
            return
        self._phase = progress.phase
        self._next = now + PROGRESS_INTERVAL
        self._node.post_message(JobProgress(self._job, progress.phase, progress.done, progress.total))


def start_job(node: DOMNode, name: str, work: Callable[[JobControl], object], *, group: str = "job") -> Job:
    """Run `work` in a thread; its messages go to `node`.

    An earlier job of the same node and group is cancelled, and `work` starts only when that one has ended:
    what a job works on has one owner at a time. Must be called from the program's own thread.
    """
    jobs = _latest.setdefault(node, {})
    previous = jobs.get(group)
    job = jobs[group] = Job(name)
    if previous is not None:
        previous.cancel()
    control = JobControl(job, node)

    def run() -> None:
        if previous is not None:
            previous.ended.wait()
        try:
            node.post_message(_outcome(job, control, work))
        finally:
            job.ended.set()

    node.run_worker(run, name=name, group=group, thread=True, exit_on_error=False)
    return job


def _outcome(job: Job, control: JobControl, work: Callable[[JobControl], object]) -> JobMessage:
    """Do the work and say how it went."""
    control.worker = get_current_worker()
    if control.should_stop():
        return JobCancelled(job)
    try:
        with _sharing:
            result = work(control)
    except Cancelled:
        return JobCancelled(job)
    except Exception as error:
        return JobCancelled(job) if control.should_stop() else JobFailed(job, error)
    return JobCancelled(job) if control.should_stop() else JobDone(job, result)
