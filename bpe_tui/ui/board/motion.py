"""The short motion that carries a change: a few frames, then rest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.timer import Timer
    from textual.widget import Widget

FRAMES: Final = 3
"""Frames until all is as it stays."""
FRAME: Final = 0.07
"""Seconds between two frames. Longer than the gap between the repeats of a held key, which thus never waits for one."""


class Motion:
    """Goes from 0 to 1 in a few frames; at rest it has no timer."""

    def __init__(self, owner: Widget, show: Callable[[], object]) -> None:
        """`show` draws a frame; `owner` is in the app whose settings say whether anything may move."""
        self._owner = owner
        self._show = show
        self._timer: Timer | None = None
        self.share = 1.0
        """How much of the way is done; 1 at rest."""

    @property
    def is_wanted(self) -> bool:
        """May anything move? Not with `NO_MOTION`, without the app's animations, or where nobody looks."""
        app = self._owner.app
        return not os.environ.get("NO_MOTION") and app.animation_level == "full" and not app.is_headless

    def begin(self) -> None:
        """Go from the start: the first frame is what is shown next."""
        self.stop()
        if self.is_wanted:
            self.share = 0.0
            self._timer = self._owner.set_interval(FRAME, self._advance)

    def stop(self) -> bool:
        """Be at the end from what is shown next on; False if it was there already."""
        was_moving = self.share < 1.0
        self.share = 1.0
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        return was_moving

    def finish(self) -> None:
        """Be at the end, and show it."""
        if self.stop():
            self._show()

    def _advance(self) -> None:
        if self.share + 1.5 / FRAMES > 1.0:
            self.finish()
        else:
            self.share += 1.0 / FRAMES
            self._show()
