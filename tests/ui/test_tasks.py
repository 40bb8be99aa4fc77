"""Long work in a thread: one outcome a job, progress at a readable rate, one owner at a time."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from textual.app import App

from bpe_tui.core.corpus.types import Progress
from bpe_tui.core.errors import Cancelled, CorpusError
from bpe_tui.ui.tasks import BUSY_SWITCH_INTERVAL, Job, sentence_of, start_job


class Watcher(App[None]):
    """Notes what it hears of jobs."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[Any, ...]] = []

    def start(self, name: str, work: Callable[[Job], object]) -> Job:
        def note(kind: str) -> Callable[..., None]:
            return lambda *values: self.heard.append((f"{name} {kind}", *values))

        notes = {kind: note(kind) for kind in ("done", "failed", "cancelled", "progress")}
        return start_job(self, work, group="job", **notes)


async def test_the_result_comes_back_on_the_programs_own_thread() -> None:
    app = Watcher()
    threads: list[int] = []
    async with app.run_test() as pilot:
        start_job(
            app, lambda job: 40 + 2, group="add", done=lambda total: threads.extend([total, threading.get_ident()])
        )
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert threads == [42, threading.get_ident()]


async def test_an_error_of_ours_is_a_sentence_and_any_other_is_named() -> None:
    def bad_corpus(job: Job) -> None:
        raise CorpusError("x.txt is a folder of pictures")

    def bug(job: Job) -> None:
        raise ZeroDivisionError("by zero")

    app = Watcher()
    async with app.run_test() as pilot:
        for name, work in (("first", bad_corpus), ("second", bug)):
            app.start(name, work)
            await app.workers.wait_for_complete()
            await pilot.pause()
        (first, expected), (second, unexpected) = app.heard
        assert (first, second) == ("first failed", "second failed")
        assert sentence_of(expected) == "x.txt is a folder of pictures"
        assert "ZeroDivisionError" in sentence_of(unexpected)


async def test_cancel_is_seen_by_the_work() -> None:
    started = threading.Event()

    def work(job: Job) -> None:
        started.set()
        while not job.should_stop():
            time.sleep(0.001)
        raise Cancelled("stopped")

    app = Watcher()
    async with app.run_test() as pilot:
        job = app.start("wait", work)
        assert await asyncio.to_thread(started.wait, 5)
        job.cancel()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.heard == [("wait cancelled",)]


async def test_a_second_job_waits_until_the_first_has_let_go_of_everything() -> None:
    order: list[str] = []
    started = threading.Event()

    def first(job: Job) -> None:
        started.set()
        while not job.should_stop():
            time.sleep(0.001)
        time.sleep(0.02)
        order.append("first ended")

    def second(job: Job) -> str:
        order.append("second began")
        return "result"

    app = Watcher()
    async with app.run_test() as pilot:
        app.start("one", first)
        assert await asyncio.to_thread(started.wait, 5)
        app.start("two", second)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert order == ["first ended", "second began"]
        assert app.heard == [("two done", "result")]


async def test_progress_is_throttled_but_a_new_phase_is_told_at_once() -> None:
    def work(job: Job) -> None:
        for phase in ("reading", "merging"):
            for done in range(5_000):
                job.progress(Progress(phase, done, 5_000))

    app = Watcher()
    async with app.run_test() as pilot:
        started = time.monotonic()
        app.start("count", work)
        await app.workers.wait_for_complete()
        took = time.monotonic() - started
        await pilot.pause()
        told = [value for kind, value in app.heard if kind == "count progress"]
        assert {one.phase for one in told} <= {"reading", "merging"}
        assert 1 <= len(told) <= 3 + took * 13
        assert app.heard[-1][0] == "count done"


async def test_threads_share_more_often_only_while_a_job_runs() -> None:
    before = sys.getswitchinterval()
    during: list[float] = []
    app = Watcher()
    async with app.run_test():
        app.start("look", lambda job: during.append(sys.getswitchinterval()))
        await app.workers.wait_for_complete()
    assert abs(during[0] - BUSY_SWITCH_INTERVAL) < 1e-6
    assert abs(sys.getswitchinterval() - before) < 1e-6
