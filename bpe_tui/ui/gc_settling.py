"""When the garbage collector looks, and at what.

A command starts with the collector off, and turns it on once the app is on the screen. What exists then, and after a
corpus was loaded, is there to stay, so the collector need not visit it: with hundreds of thousands of words one such
visit would take longer than a step.
"""

from __future__ import annotations

import gc

_claimed = False


def claim() -> None:
    """The program has the process to itself: from now on its memory is looked after."""
    global _claimed  # noqa: PLW0603 (there is one collector)
    _claimed = True
    gc.freeze()
    gc.enable()


def settle() -> None:
    """Something large was loaded, and what was there before it has gone."""
    if _claimed:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
