"""What an encoder looks things up in: tokens by id and by text, and merges by pair.

There is one over a finished vocabulary, and one that follows a trainer through time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from bpe_tui.core.encoding.merge_ranks import MergeRanks, SubwordNmtRanks
from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.options import Options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary

if TYPE_CHECKING:
    from bpe_tui.core.encoding.dialect import Dialect
    from bpe_tui.core.training.trainer import Trainer


class TokenTable(Protocol):
    """Tokens and merges of one moment."""

    specials: Mapping[str, int]
    """The special tokens with their ids."""
    letters: Mapping[str, int]
    """The alphabet: symbols with their ids."""
    byte_tokens: Mapping[int, int]
    """The tokens of byte fallback by byte, as far as there are any."""
    unknown_id: int | None
    """The id of the unknown token, if it has one."""
    texts: Sequence[str] | Mapping[int, str]
    """Token texts by id; those that `has` denies count for nothing."""
    merges: MergeRanks

    @property
    def options(self) -> Options:
        """The options in force."""

    def refresh(self) -> bool:
        """Catch up with the moment; True if anything has changed."""

    def has(self, token: int) -> bool:
        """Whether there is a token with this id."""

    def id_of(self, text: str) -> int | None:
        """The id of the token with this text, if there is one."""

    def whole(self, word: str) -> int | None:
        """The id of the token that a word is whatever the merges say, if it is one."""

    def merge(self, rank: int) -> Merge:
        """The merge with this rank among `merges`."""


class FixedLexicon:
    """The lexicon of a finished vocabulary, at the moment after all its merges or, if it is told so, an earlier one."""

    def __init__(self, vocabulary: Vocabulary, options: Options, dialect: Dialect) -> None:
        self.options = options
        ids = self._ids = vocabulary.ids
        self.specials: Mapping[str, int] = dict(dialect.specials_in_order) or {
            special: ids[special] for special in vocabulary.specials
        }
        outside = dialect.outside
        inside = {text: token for text, token in ids.items() if text not in outside} if outside else ids
        self._words = inside if dialect.whole_words else {}
        self.letters: Mapping[str, int] = (
            inside if dialect.every_token_is_a_symbol else {text: ids[text] for text in vocabulary.alphabet}
        )
        self.unknown_id = inside.get(options.unk)
        self.texts = vocabulary.texts if vocabulary.texts is not None else _texts(vocabulary)
        self._in_order = vocabulary.in_order()
        pairs = [(merge.left_id, merge.right_id) for merge in self._in_order]
        made = [merge.id for merge in self._in_order]
        self.merges = (SubwordNmtRanks if dialect.at_once else MergeRanks).of(pairs, made)
        learned = set() if dialect.every_token_is_a_symbol else {merge.token for merge in self._in_order}
        self.byte_tokens: Mapping[int, int] = {
            byte: inside[text] for text, byte in BYTE_TOKENS.items() if text in inside and text not in learned
        }
        self._births = vocabulary.first_merges
        self._born: Mapping[int, int] = {}
        """For each token that only merges make the rank of the first one; empty while all merges are in force."""
        self._moved = False

    def use(self, count: int) -> None:
        """Go to the moment after the first `count` merges."""
        self.merges.use(count)
        self._moved = True
        if not self._born and count < len(self._in_order):
            self._born = self._births()

    def refresh(self) -> bool:
        """See `TokenTable`."""
        moved, self._moved = self._moved, False
        return moved

    def has(self, token: int) -> bool:
        """See `TokenTable`."""
        there = token in self.texts if isinstance(self.texts, Mapping) else 0 <= token < len(self.texts)
        return there and self._born.get(token, -1) < self.merges.in_force

    def id_of(self, text: str) -> int | None:
        """See `TokenTable`."""
        token = self._ids.get(text)
        return None if token is None or not self.has(token) else token

    def whole(self, word: str) -> int | None:
        """See `TokenTable`."""
        token = self._words.get(word)
        return None if token is None or not self.has(token) else token

    def merge(self, rank: int) -> Merge:
        """See `TokenTable`."""
        return self._in_order[rank]


def _texts(vocabulary: Vocabulary) -> Sequence[str] | Mapping[int, str]:
    """The texts by id, for a vocabulary whose ids tell all."""
    ids, tokens = vocabulary.ids, vocabulary.tokens
    numbers = [ids[text] for text in tokens]
    return tokens if numbers == list(range(len(numbers))) else dict(zip(numbers, tokens, strict=True))


class FollowingLexicon:
    """The lexicon of a trainer at the moment where it stands; to follow it by one merge costs next to nothing."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._drops_seen = len(trainer.drops)
        base = trainer.base
        ids = {text: token for token, text in enumerate(trainer.texts[: trainer.base_size])}
        self.specials: Mapping[str, int] = {special: ids[special] for special in base.specials}
        self.letters: Mapping[str, int] = {text: ids[text] for text in base.alphabet}
        self.unknown_id = ids[self.options.unk] if self.options.unk in base.specials else None
        self.byte_tokens: Mapping[int, int] = {byte: ids[text] for text, byte in BYTE_TOKENS.items() if text in ids}
        self.texts: Sequence[str] | Mapping[int, str] = trainer.texts
        self.merges = MergeRanks()
        self.refresh()

    @property
    def options(self) -> Options:
        """See `TokenTable`."""
        return self._trainer.options

    def refresh(self) -> bool:
        """See `TokenTable`."""
        trainer, merges = self._trainer, self.merges
        dropped = trainer.drops[self._drops_seen :]
        if not dropped and trainer.position == merges.in_force:
            return False
        self._drops_seen += len(dropped)
        merges.forget(min(dropped, default=len(merges)))
        merges.use(min(trainer.position, len(merges)))
        for rank in range(len(merges), trainer.position):
            merge = trainer.merge_at(rank)
            merges.add(merge.left_id, merge.right_id, merge.id)
        return True

    def has(self, token: int) -> bool:
        """See `TokenTable`."""
        return 0 <= token < self._trainer.vocab_size

    def id_of(self, text: str) -> int | None:
        """See `TokenTable`."""
        return self._trainer.id_of(text)

    def whole(self, word: str) -> int | None:
        """See `TokenTable`."""
        return None

    def merge(self, rank: int) -> Merge:
        """See `TokenTable`."""
        return self._trainer.merge_at(rank)
