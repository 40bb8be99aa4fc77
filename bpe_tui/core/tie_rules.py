"""Which of several pairs with the same count is merged. A tie rule is a sort key: of tied pairs the smallest key wins.

This table is all that there is to a rule beside its line in the textbook algorithm (`teaching.reference`) and in
docs/semantics.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import total_ordering
from typing import Any, Final

from bpe_tui.core.i18n import mark


@dataclass(frozen=True, slots=True)
class TieRule:
    """A rule that decides ties."""

    name: str
    prefers: str
    """Which pair wins, in a few words; to be translated."""
    reason: str
    """Why the winner won, a clause to be read after "because"; to be translated."""
    used_by: str
    """The tools that break ties like this; to be translated."""
    key: Callable[[Sequence[str], int, int, int], Any]
    """(token texts by id, left id, right id, position of the first occurrence) → the sort key."""
    is_by_position: bool = False
    """The key is the position of the first occurrence, which changes from merge to merge."""


@total_ordering
class Reversed:
    """A pair of texts that sorts the other way round: greatest first."""

    __slots__ = ("texts",)

    def __init__(self, texts: tuple[str, str]) -> None:
        self.texts = texts

    def __lt__(self, other: Reversed) -> bool:
        return self.texts > other.texts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reversed) and self.texts == other.texts

    def __hash__(self) -> int:
        return hash(self.texts)


def _first_seen(texts: Sequence[str], left: int, right: int, first: int) -> Any:
    return first


def _lowest_id(texts: Sequence[str], left: int, right: int, first: int) -> Any:
    return left, right


def _greatest_pair(texts: Sequence[str], left: int, right: int, first: int) -> Any:
    return Reversed((texts[left], texts[right]))


def _shortest_first(texts: Sequence[str], left: int, right: int, first: int) -> Any:
    merged = texts[left] + texts[right]
    return len(merged), merged, left, right


RULES: Final = {
    rule.name: rule
    for rule in (
        TieRule(
            "first-seen",
            prefers=mark("first in the corpus"),
            reason=mark("it comes first in the corpus"),
            used_by=mark("the course, minbpe"),
            key=_first_seen,
            is_by_position=True,
        ),
        TieRule(
            "lowest-id",
            prefers=mark("with the lowest ids"),
            reason=mark("its ids are the lowest"),
            used_by="HF tokenizers",
            key=_lowest_id,
        ),
        TieRule(
            "greatest-pair",
            prefers=mark("last in the alphabet"),
            reason=mark("it is last in alphabetical order"),
            used_by="subword-nmt",
            key=_greatest_pair,
        ),
        TieRule(
            "shortest-first",
            prefers=mark("shortest as a text"),
            reason=mark("its merged text is the shortest, then first in alphabetical order"),
            used_by="sentencepiece",
            key=_shortest_first,
        ),
    )
}
"""The rules by name."""
