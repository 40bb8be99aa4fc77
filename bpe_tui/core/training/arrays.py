"""Names for the arrays that the core passes around.

For type checkers only: `numpy.typing` takes a while to load, and a program that starts at once has better things to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Positions = npt.NDArray[np.int32]
    """Positions in the flat corpus, symbol ids or slots."""
    Counts = npt.NDArray[np.int64]
    Indices = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[Any]
else:
    Positions = Counts = Indices = Flags = Numbers = Any


def items(array: Numbers) -> memoryview[int]:
    """The same memory as a memoryview, whose single values are read and written several times faster than numpy's."""
    view: memoryview[int] = array.data
    return view
