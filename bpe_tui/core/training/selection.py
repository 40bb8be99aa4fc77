"""Which of several pairs with the same count is merged: a rule is a sort key, and the smallest key wins.

| rule | a tie goes to | used by |
|---|---|---|
| `first-seen` | the pair whose first occurrence comes earliest in the corpus as it is split now | the Hugging Face course, minbpe, tiktoken's educational module |
| `lowest-id` | the smaller (left id, right id) | Hugging Face `tokenizers` |
| `greatest-pair` | the lexicographically greatest (left text, right text) | subword-nmt |
| `shortest-first` | the shorter merged text, then the lexicographically smaller one | sentencepiece |
"""  # noqa: E501 - a table row is one line

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import total_ordering
from typing import Any, Final

from bpe_tui.core.i18n import mark

TieKey = Callable[[int, int, int], Any]
"""(left id, right id, place of the first occurrence) → a key; of tied pairs the one with the smallest key wins."""


@total_ordering
class Reversed:
    """A text pair that sorts the other way round: greatest first."""

    __slots__ = ("texts",)

    def __init__(self, texts: tuple[str, str]) -> None:
        self.texts = texts

    def __lt__(self, other: Reversed) -> bool:
        return self.texts > other.texts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reversed) and self.texts == other.texts

    def __hash__(self) -> int:
        return hash(self.texts)


def tie_key(rule: str, texts: Sequence[str]) -> TieKey:
    """The sort key of `rule`; `texts` are the token texts by id and may grow while the key is in use."""

    def first_seen(left: int, right: int, place: int) -> Any:
        return place

    def lowest_id(left: int, right: int, place: int) -> Any:
        return left, right

    def greatest_pair(left: int, right: int, place: int) -> Any:
        return Reversed((texts[left], texts[right]))

    def shortest_first(left: int, right: int, place: int) -> Any:
        merged = texts[left] + texts[right]
        return len(merged), merged, left, right

    return {
        "first-seen": first_seen,
        "lowest-id": lowest_id,
        "greatest-pair": greatest_pair,
        "shortest-first": shortest_first,
    }[rule]


RULE_REASONS: Final[dict[str, str]] = {
    "first-seen": mark("it comes first in the corpus"),
    "lowest-id": mark("its ids are the lowest"),
    "greatest-pair": mark("it is last in alphabetical order"),
    "shortest-first": mark("its merged text is the shortest, then first in alphabetical order"),
}
"""Why the winner of a tie won, to be read after "…": one clause a rule."""
