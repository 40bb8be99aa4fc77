"""Merges in learned order and the moment among them that is shown: what a training and a finished vocabulary share.

`Trainer` is one kind of `MergeTimeline`, and `FixedTimeline` the other: the merges of a tokenizer from a file, of which
no corpus is known. Whoever only looks at moments, as the encode screen does, need not know which one it has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from bpe_tui.core.training.states import Phase, StopReason
from bpe_tui.core.training.vocabulary import Merge, Vocabulary

if TYPE_CHECKING:
    from bpe_tui.core.corpus.types import OnProgress, ShouldStop
    from bpe_tui.core.encoding.encoder import Encoder
    from bpe_tui.core.options import Options
    from bpe_tui.core.training.states import LeadingPair


class MergeTimeline(Protocol):
    """Merges by rank, of which the first `position` are applied."""

    @property
    def options(self) -> Options:
        """The options in force."""

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
        """Each time that known merges were dropped for another future: how many were kept."""

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
        """How often two tokens stand side by side in the corpus now; None if there is no corpus."""


class FixedTimeline:
    """The merges of a finished vocabulary, and the encoder that uses as many of them as are applied."""

    drops = ()
    """See `MergeTimeline`: there is one future only."""

    def __init__(self, vocabulary: Vocabulary, encoder: Encoder) -> None:
        """All merges are applied; from now on `encoder` is moved by nobody else."""
        self._vocabulary = vocabulary
        self._encoder = encoder
        self._merges: Sequence[Merge] = vocabulary.in_order()
        self.known = self.position = len(self._merges)
        self.base_size = min((merge.id for merge in self._merges), default=len(vocabulary))

    @property
    def options(self) -> Options:
        """See `MergeTimeline`."""
        return self._encoder.options

    @property
    def target(self) -> int:
        """See `MergeTimeline`: all of them."""
        return self.known

    @cached_property
    def _births(self) -> dict[int, int]:
        return self._vocabulary.births()

    @cached_property
    def _birthdays(self) -> list[int]:
        return sorted(self._births.values())

    @property
    def vocab_size(self) -> int:
        """See `MergeTimeline`."""
        size = len(self._vocabulary)
        if self.position == self.known:
            return size
        return size - len(self._birthdays) + bisect_left(self._birthdays, self.position)

    @property
    def state(self) -> str:
        """See `MergeTimeline`."""
        if self.position == self.known:
            return f"done: {StopReason.MERGES}"
        return str(Phase.MERGED if self.position else Phase.READY)

    def goto(self, merges: int, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """See `MergeTimeline`; however far it is, it takes no time."""
        self.position = max(0, min(merges, self.known))
        self._encoder.use(self.position)

    def merge_at(self, rank: int) -> Merge:
        """See `MergeTimeline`."""
        return self._merges[rank]

    def made_by(self, token: int) -> Merge | None:
        """See `MergeTimeline`."""
        rank = self._births.get(token)
        return None if rank is None else self._merges[rank]

    def leader(self) -> LeadingPair | None:
        """See `MergeTimeline`: there is no corpus to count in."""
        return None

    def pair_frequency(self, left_id: int, right_id: int) -> int | None:
        """See `MergeTimeline`: there is no corpus to count in."""
        return None

    def vocabulary(self, *, all_tokens: bool = False) -> Vocabulary:
        """The vocabulary of this moment: without the tokens that later merges would make, unless `all_tokens`."""
        whole = self._vocabulary
        if self.position == self.known:
            return whole
        merges = tuple(self._merges[: self.position])
        if all_tokens:
            return replace(whole, merges=merges)
        births = self._births
        texts = whole.texts if whole.texts is not None else {token: text for text, token in whole.ids.items()}
        there = {token: text for token, text in sorted(texts.items()) if births.get(token, -1) < self.position}
        ids: dict[str, int] = {}
        for token, text in there.items():
            ids.setdefault(text, token)
        return replace(
            whole,
            tokens=tuple(there.values()),
            merges=merges,
            ids=ids,
            texts=None if whole.texts is None else there,
        )
