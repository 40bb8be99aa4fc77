"""Python's collector of garbage, out of the way while many values are made none of which can be garbage.

It looks through all of them again and again as their number grows, which doubles the time that a list of them takes.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """No collection meanwhile, if there were any."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
