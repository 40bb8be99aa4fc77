"""Pausing Python's garbage collector while many values are made, none of which can be garbage.

It would go through all of them again and again as their number grows: a list of 200,000 tuples takes twice as long.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


def gc_paused(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Let no garbage be collected while `function` runs."""

    @wraps(function)
    def paused(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        if not gc.isenabled():  # a caller pauses it already
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return paused
