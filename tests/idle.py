"""An app under test is waited for until it has nothing left to do; no fixed time passes.

Textual's pilot takes an app for idle once the process has used little processor time for 20 ms, twice for each key.
Here an app is idle when its event loop has nothing to run, its screen nothing to draw, and no thread of its pool works.
While threads work, Textual's own measure decides.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

import textual.app
import textual.pilot
from textual._context import active_app
from textual._wait import wait_for_idle as wait_for_quiet_process
from textual.pilot import Pilot

PATIENCE: Final = 30.0
"""Seconds after which an app that still has something to do is not waited for any longer."""


async def wait_for_idle(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Wait until the app has done all that it can do now: at least `min_sleep` seconds, for threads `max_sleep`."""
    loop: Any = asyncio.get_running_loop()
    began = time.monotonic()
    await asyncio.sleep(min_sleep)
    while time.monotonic() < began + PATIENCE:
        await asyncio.sleep(0)
        if loop._ready or _flush():
            continue
        left = began + max_sleep - time.monotonic()
        if left <= 0 or not _threads_work(loop):
            return
        await wait_for_quiet_process(0, left)
        if _threads_work(loop):
            return


def _flush() -> bool:
    """Do now what Textual does at the next frame: resize and draw; false if there is nothing to do."""
    app = active_app.get(None)
    if app is None or not app._screen_stack or app._batch_count:
        return False
    if app._resize_timer is not None:
        app._check_resize()
        return True
    screen = app.screen
    waits = (
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or bool(screen._dirty_widgets)
        or bool(screen._callbacks)
    )
    if waits:
        screen._on_timer_update()
    return waits


def _threads_work(loop: Any) -> bool:
    """Is a thread of the loop's pool at work? Threads that wait for work are counted by the pool's semaphore."""
    pool = loop._default_executor
    return pool is not None and pool._idle_semaphore._value < len(pool._threads)


async def _wait_for_screen(pilot: Pilot[Any]) -> bool:
    """In place of a message to every widget of the screen and its answer, which took a sixth of the time of a key."""
    await wait_for_idle(max_sleep=0)
    return True


def install() -> None:
    """Let every pilot wait this way."""
    Pilot._wait_for_screen = _wait_for_screen  # type: ignore[method-assign, assignment]
    for module in (textual.app, textual.pilot):
        module.wait_for_idle = wait_for_idle  # type: ignore[attr-defined]  # imported there, not defined
