"""What came of the questions of a lesson: right at the first try, right at the second, or wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Outcome(StrEnum):
    """How a question was answered in the end; the better ones come first."""

    FIRST_TRY = "first-try"
    SECOND_TRY = "second-try"
    WRONG = "wrong"


def better(*outcomes: Outcome | None) -> Outcome | None:
    """The best of several outcomes of one question; None if it was never answered."""
    known = [outcome for outcome in outcomes if outcome is not None]
    return min(known, key=list(Outcome).index, default=None)


@dataclass(frozen=True, slots=True)
class QuestionTally:
    """The questions of a lesson by their outcomes, each named by the number of its page, from 1."""

    first_try: tuple[int, ...] = ()
    second_try: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    unanswered: tuple[int, ...] = ()

    @classmethod
    def of(cls, pages: Iterable[int], outcomes: Mapping[int, Outcome]) -> Self:
        """`pages` are those that ask something, `outcomes` are by page, all from 0."""
        found: dict[Outcome | None, list[int]] = {outcome: [] for outcome in (*Outcome, None)}
        for page in pages:
            found[outcomes.get(page)].append(page + 1)
        return cls(*(tuple(found[outcome]) for outcome in (*Outcome, None)))

    @property
    def right(self) -> int:
        """How many were answered rightly."""
        return len(self.first_try) + len(self.second_try)

    @property
    def count(self) -> int:
        """How many questions there are."""
        return self.right + len(self.wrong) + len(self.unanswered)
