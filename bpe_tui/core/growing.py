"""A numpy array that can be appended to: the storage behind the pair table and the history."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)


class Growing(Generic[Scalar]):
    """`data[:size]` is what was appended; capacity doubles (to a limit) when it runs out."""

    __slots__ = ("data", "size")

    def __init__(self, dtype: type[Scalar], start: npt.NDArray[Any] | None = None) -> None:
        self.data: npt.NDArray[Scalar] = np.empty(256, dtype=dtype) if start is None else start.astype(dtype)
        self.size: int = 0 if start is None else int(start.size)

    def reserve(self, more: int) -> None:
        """Make room for `more` values behind the present ones."""
        wanted = self.size + more
        if wanted > self.data.size:
            larger = np.empty(max(wanted, self.data.size + self.data.size // 2 + 256), dtype=self.data.dtype)
            larger[: self.size] = self.data[: self.size]
            self.data = larger

    def extend(self, values: npt.NDArray[Any]) -> None:
        """Append `values`."""
        end = self.size + values.size
        if end > self.data.size:
            self.reserve(values.size)
        self.data[self.size : end] = values
        self.size = end

    def view(self) -> npt.NDArray[Scalar]:
        """What was appended; valid until the next `reserve` or `extend`."""
        return self.data[: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes of memory held."""
        return int(self.data.nbytes)
