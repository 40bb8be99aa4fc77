"""What an encoder looks things up in: tokens by id and by text, and merges by pair.

There is one over a finished vocabulary, and one that follows a trainer through time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bpe_tui.core.presets import Options
from bpe_tui.core.symbols import BYTE_TOKENS
from bpe_tui.core.trainer import Trainer
from bpe_tui.core.vocabulary import Merge, Vocabulary
from bpe_tui.core.word_merges import LearnedMerges


class Lexicon(Protocol):
    """Tokens and merges of one moment."""

    specials: Sequence[str]
    letters: Mapping[str, int]
    """The alphabet: symbols with their ids."""
    byte_tokens: Mapping[int, int]
    """The tokens of byte fallback by byte, as far as there are any."""
    unknown_id: int | None
    """The id of the unknown token, if it has one."""
    texts: Sequence[str] | Mapping[int, str]
    """Token texts by id; those that `has` denies count for nothing."""
    merges: LearnedMerges

    @property
    def options(self) -> Options:
        """The options in force."""

    def refresh(self) -> bool:
        """Catch up with the moment; True if anything has changed."""

    def has(self, token: int) -> bool:
        """Whether there is a token with this id."""

    def id_of(self, text: str) -> int | None:
        """The id of the token with this text, if there is one."""

    def merge(self, rank: int) -> Merge:
        """The merge with this rank among `merges`."""


class FixedLexicon:
    """The lexicon of a finished vocabulary."""

    def __init__(self, vocabulary: Vocabulary, options: Options) -> None:
        self.options = options
        self.specials: Sequence[str] = vocabulary.specials
        ids = self._ids = vocabulary.ids
        self.letters: Mapping[str, int] = {text: ids[text] for text in vocabulary.alphabet}
        self.unknown_id = ids.get(options.unk)
        without_gaps = all(ids[text] == place for place, text in enumerate(vocabulary.tokens))
        self.texts: Sequence[str] | Mapping[int, str] = (
            vocabulary.tokens if without_gaps else {ids[text]: text for text in vocabulary.tokens}
        )
        self._in_order = sorted(vocabulary.merges, key=lambda merge: merge.rank)
        self.merges = LearnedMerges()
        for merge in self._in_order:
            self.merges.add(merge.left_id, merge.right_id, merge.id)
        learned = {merge.token for merge in self._in_order}
        self.byte_tokens: Mapping[int, int] = {
            byte: ids[text] for text, byte in BYTE_TOKENS.items() if text in ids and text not in learned
        }

    def refresh(self) -> bool:
        """See `Lexicon`."""
        return False

    def has(self, token: int) -> bool:
        """See `Lexicon`."""
        return token in self.texts if isinstance(self.texts, Mapping) else 0 <= token < len(self.texts)

    def id_of(self, text: str) -> int | None:
        """See `Lexicon`."""
        return self._ids.get(text)

    def merge(self, rank: int) -> Merge:
        """See `Lexicon`."""
        return self._in_order[rank]


class FollowingLexicon:
    """The lexicon of a trainer at the moment where it stands; to follow it by one merge costs next to nothing."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._drops_seen = len(trainer.drops)
        base = trainer.base
        self.specials: Sequence[str] = base.specials
        ids = {text: token for token, text in enumerate(trainer.texts[: trainer.base_size])}
        self.letters: Mapping[str, int] = {text: ids[text] for text in base.alphabet}
        self.unknown_id = ids[self.options.unk] if self.options.unk in base.specials else None
        self.byte_tokens: Mapping[int, int] = {byte: ids[text] for text, byte in BYTE_TOKENS.items() if text in ids}
        self.texts: Sequence[str] | Mapping[int, str] = trainer.texts
        self.merges = LearnedMerges()
        self.refresh()

    @property
    def options(self) -> Options:
        """See `Lexicon`."""
        return self._trainer.options

    def refresh(self) -> bool:
        """See `Lexicon`."""
        trainer, merges = self._trainer, self.merges
        dropped = trainer.drops[self._drops_seen :]
        if not dropped and trainer.position == merges.in_force:
            return False
        self._drops_seen += len(dropped)
        merges.forget(min(dropped, default=len(merges)))
        merges.use(min(trainer.position, len(merges)))
        for rank in range(len(merges), trainer.position):
            merge = trainer.step_at(rank).merge
            merges.add(merge.left_id, merge.right_id, merge.id)
        return True

    def has(self, token: int) -> bool:
        """See `Lexicon`."""
        return 0 <= token < self._trainer.vocab_size

    def id_of(self, text: str) -> int | None:
        """See `Lexicon`."""
        return self._trainer.id_of(text)

    def merge(self, rank: int) -> Merge:
        """See `Lexicon`."""
        return self._trainer.step_at(rank).merge
