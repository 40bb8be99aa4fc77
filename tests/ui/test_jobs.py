"""Long work in a thread: one outcome a job, progress at a readable rate, one owner at a time."""

from __future__ import annotations

import asyncio
import sys
import threading
import time

from textual.app import App

from bpe_tui.core.corpus.types import Progress
from bpe_tui.core.errors import Cancelled, CorpusError
from bpe_tui.ui.jobs import (
    BUSY_SWITCH_INTERVAL,
    Job,
    JobCancelled,
    JobControl,
    JobDone,
    JobFailed,
    JobMessage,
    JobProgress,
    start_job,
)


class Watcher(App[None]):
    """Keeps what it hears of jobs."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[JobMessage] = []

    def on_job_progress(self, event: JobProgress) -> None:
        self.heard.append(event)

    def on_job_done(self, event: JobDone) -> None:
        self.heard.append(event)

    def on_job_failed(self, event: JobFailed) -> None:
        self.heard.append(event)

    def on_job_cancelled(self, event: JobCancelled) -> None:
        self.heard.append(event)

    def outcome(self, job: Job) -> JobMessage:
        (only,) = (one for one in self.heard if one.job is job and not isinstance(one, JobProgress))
        return only


async def test_the_result_comes_back() -> None:
    app = Watcher()
    async with app.run_test() as pilot:
        job = start_job(app, "add", lambda control: 40 + 2)
        await app.workers.wait_for_complete()
        await pilot.pause()
        done = app.outcome(job)
        assert isinstance(done, JobDone)
        assert done.result == 42
        assert done.job.name == "add"


async def test_an_error_of_ours_is_a_sentence_and_any_other_is_named() -> None:
    def bad_corpus(control: JobControl) -> None:
        raise CorpusError("x.txt is a folder of pictures")

    def bug(control: JobControl) -> None:
        raise ZeroDivisionError("by zero")

    app = Watcher()
    async with app.run_test() as pilot:
        first = start_job(app, "first", bad_corpus)
        await app.workers.wait_for_complete()
        second = start_job(app, "second", bug)
        await app.workers.wait_for_complete()
        await pilot.pause()
        expected, unexpected = app.outcome(first), app.outcome(second)
        assert isinstance(expected, JobFailed)
        assert isinstance(unexpected, JobFailed)
        assert (expected.sentence, expected.expected) == ("x.txt is a folder of pictures", True)
        assert not unexpected.expected
        assert "ZeroDivisionError" in unexpected.sentence


async def test_cancel_is_seen_by_the_work() -> None:
    started = threading.Event()

    def work(control: JobControl) -> None:
        started.set()
        while not control.should_stop():
            time.sleep(0.001)
        raise Cancelled("stopped")

    app = Watcher()
    async with app.run_test() as pilot:
        job = start_job(app, "wait", work)
        assert await asyncio.to_thread(started.wait, 5)
        job.cancel()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.outcome(job), JobCancelled)


async def test_a_second_job_waits_until_the_first_has_let_go() -> None:
    order: list[str] = []
    started = threading.Event()

    def first(control: JobControl) -> None:
        started.set()
        while not control.should_stop():
            time.sleep(0.001)
        time.sleep(0.02)
        order.append("first ended")

    def second(control: JobControl) -> None:
        order.append("second began")

    app = Watcher()
    async with app.run_test() as pilot:
        one = start_job(app, "one", first)
        assert await asyncio.to_thread(started.wait, 5)
        two = start_job(app, "two", second)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert order == ["first ended", "second began"]
        assert isinstance(app.outcome(one), JobCancelled)
        assert isinstance(app.outcome(two), JobDone)


async def test_progress_is_throttled_but_a_new_phase_is_told_at_once() -> None:
    def work(control: JobControl) -> None:
        for phase in ("reading", "merging"):
            for done in range(5_000):
                control.progress(Progress(phase, done, 5_000))

    app = Watcher()
    async with app.run_test() as pilot:
        started = time.monotonic()
        start_job(app, "count", work)
        await app.workers.wait_for_complete()
        took = time.monotonic() - started
        await pilot.pause()
        told = [one for one in app.heard if isinstance(one, JobProgress)]
        assert {one.phase for one in told} <= {"reading", "merging"}
        assert 1 <= len(told) <= 3 + took * 13
        assert all(0 <= one.share <= 1 for one in told)


async def test_threads_share_more_often_only_while_a_job_runs() -> None:
    before = sys.getswitchinterval()
    during: list[float] = []
    app = Watcher()
    async with app.run_test():
        start_job(app, "look", lambda control: during.append(sys.getswitchinterval()))
        await app.workers.wait_for_complete()
    assert abs(during[0] - BUSY_SWITCH_INTERVAL) < 1e-6
    assert abs(sys.getswitchinterval() - before) < 1e-6
