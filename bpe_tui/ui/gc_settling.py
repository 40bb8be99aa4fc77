"""When the garbage collector looks, and at what.

A command starts with the collector off. Once the app is on the screen it is on again; what stands then, and after a
corpus is loaded, is there to stay, so the collector need not look through it ever and again: with hundreds of
thousands of words such a look would take longer than a step.
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
