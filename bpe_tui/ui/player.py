"""Moving through training: one merge, many merges in slices that leave the screen alive, and playing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from textual.timer import Timer
from textual.widget import Widget
from textual.worker import Worker

if TYPE_CHECKING:
    from bpe_tui.core.encoding.timeline import MergeTimeline

SLICE: Final = 0.012
"""Seconds of training between two looks at the keyboard."""
PAUSE: Final = 0.004
"""Seconds left to the screen between two slices."""
LOOK: Final = 0.08
"""Seconds between two repaints on a long way."""
SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Merges a second while playing."""
SLOW: Final = 1.0
"""Up to this speed phases are played instead of merges."""
BEATS: Final = 3
"""Phases of a merge: count, pick, merge."""
USUAL_SPEED: Final = 2.0
"""The speed at which playing starts."""
GROUP: Final = "travel"


class Pace:
    """How fast merges are played; all players of an app share one."""

    def __init__(self, speed: float = USUAL_SPEED, chosen: Callable[[float], object] = lambda speed: None) -> None:
        """Begin with that of `SPEEDS` next to `speed`; `chosen` hears of each change."""
        self.speed = min(SPEEDS, key=lambda each: abs(each - speed))
        """Merges a second."""
        self._chosen = chosen

    @property
    def is_slow(self) -> bool:
        """Is there time to show each phase?"""
        return self.speed <= SLOW

    def change(self, by: int) -> None:
        """Faster or slower by `by` notches."""
        place = max(0, min(SPEEDS.index(self.speed) + by, len(SPEEDS) - 1))
        if SPEEDS[place] != self.speed:
            self.speed = SPEEDS[place]
            self._chosen(self.speed)


class Player:
    """Moves the training of a screen; calls back after each move, so that the screen shows the moment."""

    def __init__(
        self, owner: Widget, timeline: MergeTimeline, moved: Callable[[], None], pace: Pace | None = None
    ) -> None:
        self._owner = owner
        self._timeline = timeline
        self._moved = moved
        self.pace = pace or Pace()
        """How fast it plays."""
        self._timer: Timer | None = None
        self._goal: int | None = None
        self._start = 0

    @property
    def is_playing(self) -> bool:
        """Does it merge by itself?"""
        return self._timer is not None

    @property
    def is_travelling(self) -> bool:
        """Is it on a long way?"""
        return self._goal is not None

    @property
    def is_moving(self) -> bool:
        """Does anything go by itself?"""
        return self.is_playing or self.is_travelling

    @property
    def way(self) -> tuple[int, int] | None:
        """On a long way: from after how many merges to after how many; None if the target is not known either."""
        goal = self._timeline.target if self._goal == -1 else self._goal
        return (self._start, goal) if goal is not None else None

    def halt(self) -> bool:
        """Stop playing and travelling; True if there was anything to stop."""
        was_moving = self.is_moving
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._goal is not None:
            self._goal = None
            self._owner.workers.cancel_group(self._owner, GROUP)
        return was_moving

    def pause(self) -> Callable[[], None] | None:
        """Stop; returns what takes the same way up again, None if nothing went by itself."""
        goal, forward = self._goal, self._forward if self.is_playing else None
        if not self.halt():
            return None
        if forward is not None:
            return lambda: self.play(forward)
        return lambda: self.go(None if goal == -1 else goal)

    # -- many merges ------------------------------------------------------------------------------------------

    def go(self, merges: int | None) -> None:
        """Go to the moment after that many merges (None: the target); long ways are walked in slices."""
        self.halt()
        self._start = self._timeline.position
        self._goal = -1 if merges is None else max(0, merges)
        if self._slice():
            self._arrive()
        else:
            self._moved()
            # The function, not its coroutine: a worker that is cancelled before it starts leaves nothing unawaited.
            _worker: Worker[None] = self._owner.run_worker(self._travel, group=GROUP, exclusive=True)

    async def _travel(self) -> None:
        next_look = 0.0
        while True:
            await asyncio.sleep(PAUSE)
            if self._goal is None:
                return
            if self._slice():
                break
            now = time.perf_counter()
            if now >= next_look:
                self._moved()
                next_look = now + LOOK
        self._arrive()

    def _arrive(self) -> None:
        self._goal = None
        self._moved()

    def _slice(self) -> bool:
        """Move for about `SLICE` seconds; True when the goal, or an end before it, is reached."""
        timeline = self._timeline
        end = time.perf_counter() + SLICE
        stride = 1
        while True:
            # The target may move: merges that reuse a token do not make the vocabulary grow.
            goal = timeline.target if self._goal == -1 else self._goal
            position = timeline.position
            if goal is None or position == goal or (self._goal == -1 and position > goal):
                return True
            before = time.perf_counter()
            away = goal - position
            timeline.goto(position + max(-stride, min(away, stride)))
            if timeline.position == position:
                return True
            now = time.perf_counter()
            if now >= end:
                return timeline.position == goal
            if now - before < SLICE / 8:
                stride *= 2

    # -- playing ----------------------------------------------------------------------------------------------

    def play(self, forward: Callable[[], bool]) -> None:
        """Call `forward` again and again until it returns False; if anything goes by itself already, stop it."""
        if not self.halt():
            self._forward = forward
            self._start_timer()
            self._beat()

    def keep_pace(self) -> None:
        """Go on at the pace that there is now."""
        if self._timer is not None:
            self._timer.stop()
            self._start_timer()

    def _start_timer(self) -> None:
        self._timer = self._owner.set_interval(1 / (self.pace.speed * (BEATS if self.pace.is_slow else 1)), self._beat)

    def _beat(self) -> None:
        if self._timer is not None and not self._forward():
            self.halt()
        self._moved()
