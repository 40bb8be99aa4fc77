"""The arrays of the trainer: names for their types, fast access to single values, and an array that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt  # takes a while to load, and only type checkers need it

    Positions = npt.NDArray[np.int32]
    """Positions in the flat corpus, symbol ids or slots."""
    Counts = npt.NDArray[np.int64]
    Indices = npt.NDArray[np.int64]
    """Places in another array, or slots as numpy finds them."""
    Numbers = npt.NDArray[Any]
    """Integers of any width."""
else:
    Positions = Counts = Indices = Numbers = Any

Scalar = TypeVar("Scalar", bound=np.generic)


def items(array: Numbers) -> memoryview[int]:
    """The same memory as a memoryview, whose single values are read and written several times faster than numpy's."""
    view: memoryview[int] = array.data
    return view


class GrowableArray(Generic[Scalar]):
    """A numpy array that can be appended to: `data[:size]` is in use; capacity grows by half when it runs out.

    `items` is the same memory as a memoryview, whose single values are read and written several times faster than
    numpy's. Both are replaced when the array grows: do not hold on to them over a `reserve` or `extend`.
    """

    __slots__ = ("data", "items", "size")

    def __init__(self, dtype: type[Scalar], start: Numbers | None = None) -> None:
        self.data: npt.NDArray[Scalar] = np.empty(256, dtype=dtype)
        self.items: memoryview[int] = items(self.data)
        self.size: int = 0
        if start is not None:
            self.extend(start)

    def reserve(self, more: int) -> None:
        """Make room for `more` values behind the present ones."""
        wanted = self.size + more
        if wanted > self.data.size:
            larger = np.empty(max(wanted + 64, self.data.size + self.data.size // 2), dtype=self.data.dtype)
            larger[: self.size] = self.data[: self.size]
            self.data = larger
            self.items = items(larger)

    def extend(self, values: Numbers) -> None:
        """Append `values`."""
        end = self.size + values.size
        if end > self.data.size:
            self.reserve(values.size)
        self.data[self.size : end] = values
        self.size = end

    def view(self) -> npt.NDArray[Scalar]:
        """The values in use; valid until the next `reserve` or `extend`."""
        return self.data[: self.size]
