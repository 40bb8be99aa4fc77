"""Merges in learned order and the moment among them that is shown: what a training and a finished vocabulary share.

`Trainer` is one kind of `MergeTimeline`, and `FixedTimeline` the other: the merges of a tokenizer from a file, of which
no corpus is known. An encoder follows either, and the encode screen shows either.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from bpe_tui.core.training.states import Phase, StopReason
from bpe_tui.core.training.vocabulary import Merge, Vocabulary

if TYPE_CHECKING:
    from bpe_tui.core.corpus.types import OnProgress, ShouldStop
    from bpe_tui.core.options import Options
    from bpe_tui.core.training.states import LeadingPair


class BaseTokens(Protocol):
    """The tokens that are there before the first merge."""

    @property
    def specials(self) -> tuple[str, ...]:
        """The special tokens."""

    @property
    def protected(self) -> tuple[str, ...]:
        """The tokens that are found in any text."""

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The symbols that words are split into."""


class MergeTimeline(Protocol):
    """Merges by rank, of which the first `position` are applied."""

    @property
    def options(self) -> Options:
        """The current options."""

    @property
    def base(self) -> BaseTokens:
        """What is there before the first merge."""

    @property
    def texts(self) -> Sequence[str] | Mapping[int, str]:
        """Token texts by id, those of later moments included."""

    @property
    def ids(self) -> Mapping[str, int]:
        """Ids by token text, those of later moments included; of several tokens with one text the first."""

    def has_token(self, token: int) -> bool:
        """Is there a token with this id at this moment?"""

    @property
    def position(self) -> int:
        """How many merges are applied now."""

    @property
    def known(self) -> int:
        """Merges known, applied or not."""

    @property
    def target(self) -> int:
        """Merges wanted."""

    @property
    def drops(self) -> Sequence[int]:
        """Each time that known merges were dropped for another future: how many were left."""

    @property
    def base_size(self) -> int:
        """Tokens before the first merge; ids from here on are of tokens that merges have made."""

    @property
    def vocab_size(self) -> int:
        """Tokens at this moment."""

    @property
    def state(self) -> str:
        """The phase in a word, or `done: ` and the reason."""

    def goto(self, merges: int, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """Go to the moment after that many merges, or as near as can be."""

    def merge_at(self, rank: int) -> Merge:
        """A merge that is known."""

    def made_by(self, token: int) -> Merge | None:
        """The merge that added a token to the vocabulary; None if none did."""

    def leader(self) -> LeadingPair | None:
        """The pair that would be merged next by its count; None if there is none, or nothing to count it in."""

    def pair_frequency(self, left_id: int, right_id: int) -> int | None:
        """How often two tokens occur side by side in the corpus now; None if there is no corpus."""


class FixedTimeline:
    """The merges of a finished vocabulary, all of them applied at first."""

    drops = ()
    """See `MergeTimeline`: there is one future only."""

    def __init__(self, vocabulary: Vocabulary, options: Options) -> None:
        self.options = options
        self.base = vocabulary
        self.texts = vocabulary.by_id()
        self.ids = vocabulary.ids
        self._merges: Sequence[Merge] = vocabulary.in_order()
        self.known = self.position = len(self._merges)

    @cached_property
    def base_size(self) -> int:
        """See `MergeTimeline`."""
        return min((merge.id for merge in self._merges), default=len(self.base))

    @property
    def target(self) -> int:
        """See `MergeTimeline`: all of them."""
        return self.known

    @cached_property
    def _first_merges(self) -> dict[int, int]:
        return self.base.first_merges()

    @cached_property
    def _growth(self) -> list[int]:
        return sorted(self._first_merges.values())

    @property
    def vocab_size(self) -> int:
        """See `MergeTimeline`."""
        size = len(self.base)
        if self.position == self.known:
            return size
        return size - len(self._growth) + bisect_left(self._growth, self.position)

    @property
    def state(self) -> str:
        """See `MergeTimeline`."""
        if self.position == self.known:
            return f"done: {StopReason.MERGES}"
        return str(Phase.MERGED if self.position else Phase.READY)

    def goto(self, merges: int, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """See `MergeTimeline`; however far it is, it takes no time."""
        self.position = max(0, min(merges, self.known))

    def has_token(self, token: int) -> bool:
        """See `MergeTimeline`."""
        there = token in self.texts if isinstance(self.texts, Mapping) else 0 <= token < len(self.texts)
        return there and (self.position == self.known or self._first_merges.get(token, -1) < self.position)

    def merge_at(self, rank: int) -> Merge:
        """See `MergeTimeline`."""
        return self._merges[rank]

    def made_by(self, token: int) -> Merge | None:
        """See `MergeTimeline`."""
        rank = self._first_merges.get(token)
        return None if rank is None else self._merges[rank]

    def leader(self) -> LeadingPair | None:
        """See `MergeTimeline`: there is no corpus to count in."""
        return None

    def pair_frequency(self, left_id: int, right_id: int) -> int | None:
        """See `MergeTimeline`: there is no corpus to count in."""
        return None
