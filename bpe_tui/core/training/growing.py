"""A numpy array that can be appended to: the storage behind the pair table and the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from bpe_tui.core.training.arrays import Numbers, items

if TYPE_CHECKING:
    import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)


class GrowableArray(Generic[Scalar]):
    """`data[:size]` is what was appended; capacity grows by half when it runs out.

    `items` is the same memory as a memoryview, whose single values are read and written several times faster than
    numpy's. Both are replaced when the array grows: do not hold on to them over an append.
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

    def append(self, value: int) -> None:
        """Append one value."""
        if self.size == len(self.items):
            self.reserve(1)
        self.items[self.size] = value
        self.size += 1

    def extend(self, values: Numbers) -> None:
        """Append `values`."""
        end = self.size + values.size
        if end > self.data.size:
            self.reserve(values.size)
        self.data[self.size : end] = values
        self.size = end

    def view(self) -> npt.NDArray[Scalar]:
        """What was appended; valid until the next `reserve`, `append` or `extend`."""
        return self.data[: self.size]
