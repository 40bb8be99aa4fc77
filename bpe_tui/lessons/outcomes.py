"""What came of the questions of a lesson: right at the first try, right at the second, or wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bpe_tui.core.i18n import number, plural


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

    def sentences(self) -> Iterator[tuple[Outcome | None, str]]:
        """How the questions were answered: a sentence for each outcome that occurs, and for those not answered."""
        if self.first_try:
            count = len(self.first_try)
            yield Outcome.FIRST_TRY, plural("{count} right at the first try", "{count} right at the first try", count)
        if self.second_try:
            count = len(self.second_try)
            message = plural("{count} right at the second try", "{count} right at the second try", count)
            yield Outcome.SECOND_TRY, message
        if self.wrong:
            yield Outcome.WRONG, _on_pages(plural("{count} wrong", "{count} wrong", len(self.wrong)), self.wrong)
        if self.unanswered:
            count = len(self.unanswered)
            message = plural("{count} not answered", "{count} not answered", count)
            yield None, _on_pages(message, self.unanswered)


def _on_pages(what: str, pages: Sequence[int]) -> str:
    """`1 wrong: page 9`."""
    numbers = ", ".join(map(number, pages))
    return plural("{what}: page {pages}", "{what}: pages {pages}", len(pages), what=what, pages=numbers)
