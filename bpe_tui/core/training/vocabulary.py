"""What training leaves behind: merges, and the vocabulary they build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Merge(NamedTuple):
    """One learned merge: `left` and `right`, wherever they are neighbours, become `token`."""

    left: str
    right: str
    token: str
    left_id: int
    right_id: int
    id: int
    """The id of the token created; of an older token if there was one with its text already."""
    rank: int
    """0 for the first merge learned; encoding merges the pair with the lowest rank first."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tokens by id and merges by rank: all that encoding needs beside the options."""

    tokens: tuple[str, ...]
    """Token texts in id order (for foreign files with gaps between ids, in the order of their ids)."""
    specials: tuple[str, ...]
    alphabet: tuple[str, ...]
    """The base symbols in id order."""
    merges: tuple[Merge, ...]
    ids: Mapping[str, int]
    """Ids by text; of several tokens with one text it has the first."""
    protected: tuple[str, ...] = ()
    """Tokens that are found in any text before it is cut, and never split."""
    texts: Mapping[int, str] | None = None
    """Texts by id, for foreign files in which two tokens may have the same text; None if `ids` says all."""

    def __len__(self) -> int:
        return len(self.tokens)

    def by_id(self) -> Sequence[str] | Mapping[int, str]:
        """Texts by id."""
        if self.texts is not None:
            return self.texts
        numbers = [self.ids[text] for text in self.tokens]
        return self.tokens if numbers == list(range(len(numbers))) else dict(zip(numbers, self.tokens, strict=True))

    def in_order(self) -> Sequence[Merge]:
        """The merges by rank, in whatever order the file has them."""
        ranks = [merge.rank for merge in self.merges]
        return self.merges if ranks == sorted(ranks) else sorted(self.merges, key=lambda merge: merge.rank)

    def first_merges(self) -> dict[int, int]:
        """For each token that only merges create: the index in `in_order` of the first one that does."""
        first = {merge.id: index for index, merge in reversed(list(enumerate(self.in_order())))}
        for text in (*self.specials, *self.protected, *self.alphabet):
            first.pop(self.ids[text], None)
        return first
