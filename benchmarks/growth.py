"""How the number of distinct words grows with a text (Heaps' law), and what that says about larger ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HeapsLaw:
    """Distinct words = `factor` × words ** `exponent`."""

    factor: float
    exponent: float

    def distinct(self, occurrences: float) -> float:
        """Distinct words in a text of so many words."""
        return self.factor * math.pow(occurrences, self.exponent)


def fit(points: Sequence[tuple[float, float]]) -> HeapsLaw:
    """The law through measured (words, distinct words), by least squares of the logarithms."""
    logs = [(math.log(occurrences), math.log(distinct)) for occurrences, distinct in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    exponent = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
    return HeapsLaw(math.exp(mean_y - exponent * mean_x), exponent)
