"""Two trainings side by side: where their merges first differ, and what both have learned in the end.

`compare` takes two trainers at their ends, on the same words or on different ones. What other tie rules would do in the
middle of a training is the matter of `divergence`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from bpe_tui.core.corpus.alphabet import chars_to_bytes, is_byte_level, utf8
from bpe_tui.core.corpus.pretokenize import METASPACE
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.training.rows import PairRow
from bpe_tui.core.training.trainer import Trainer

LISTED: Final = 1000
"""Of the pairs tied where two trainings first differ, at most so many are listed."""
SAMPLE_WORDS: Final = 6
_SEARCHED: Final = 500
"""So many of the most frequent words are searched for those that fall into different tokens."""
_SEARCHED_TOKENS: Final = 8
"""For so many tokens that only one side has, the most frequent word is tried as well."""

Key = tuple[str, bytes]
"""What a token stands for, whatever its alphabet: its kind and its bytes."""


@dataclass(frozen=True, slots=True)
class Tie:
    """The pairs that shared the highest count at some moment of one training."""

    pairs: tuple[PairRow, ...]
    """In the order of its tie rule, the winner first; at most `LISTED`. Empty if no pair was left."""
    total: int
    picked: PairRow | None
    """The pair merged next; None if training ended here."""


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first merge in which two trainings differ."""

    number: int
    """Of the merge; 1 if they differ from the start."""
    ties: tuple[Tie, Tie]
    same_state: bool
    """Both chose among the same pairs with the same counts: only the tie rule, or the target, makes the difference."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two trainings, compared at their ends."""

    first_difference: FirstDifference | None
    """None if both made the same merges."""
    shared: int
    """Tokens that both vocabularies have."""
    only: tuple[tuple[str, ...], tuple[str, ...]]
    """Tokens that just one of them has, in id order."""

    @property
    def equal(self) -> bool:
        """The same merges in the same order, and the same tokens."""
        return self.first_difference is None and not any(self.only)


def compare(first: Trainer, second: Trainer) -> Comparison:
    """Compare two trainers over all merges they know. Afterwards both are at the moment where they were.

    Tokens are the same if they stand for the same bytes: `Ġt` of a byte alphabet is ` t` of one of characters.
    """
    keys = (_keys(first), _keys(second))
    known = (set(keys[0]), set(keys[1]))
    only = (
        tuple(first.texts[token] for token, key in enumerate(keys[0]) if key not in known[1]),
        tuple(second.texts[token] for token, key in enumerate(keys[1]) if key not in known[0]),
    )
    return Comparison(_first_difference(first, second, keys), len(known[0] & known[1]), only)


def _keys(trainer: Trainer) -> list[Key]:
    """What each token stands for, by id."""
    byte_level, specials = is_byte_level(trainer.options), set(trainer.base.specials)
    letters = trainer.base.alphabet_ids
    keys: list[Key] = []
    for token, text in enumerate(trainer.texts):
        if text in specials and token not in letters:
            keys.append(("special", utf8(text)))
        else:
            keys.append(("", _bytes_of(text) if byte_level else utf8(text)))
    return keys


def _bytes_of(text: str) -> bytes:
    try:
        return chars_to_bytes(text)
    except UnicodeEncodeError:  # a word ending of the user's own, outside the byte table
        return utf8(text)


def _first_difference(first: Trainer, second: Trainer, keys: tuple[list[Key], list[Key]]) -> FirstDifference | None:
    steps = (first.steps, second.steps)
    number = 0
    while number < min(len(steps[0]), len(steps[1])):
        merges = (steps[0][number].merge, steps[1][number].merge)
        pairs = [(own[merge.left_id], own[merge.right_id]) for own, merge in zip(keys, merges, strict=True)]
        if pairs[0] != pairs[1]:
            break
        number += 1
    if number == len(steps[0]) == len(steps[1]):
        return None
    ties = (_tie_after(first, number), _tie_after(second, number))
    return FirstDifference(number + 1, ties, _start_equal(first, second))


def _start_equal(first: Trainer, second: Trainer) -> bool:
    same_words = first.words is second.words or (
        first.words.words == second.words.words and first.words.counts == second.words.counts
    )
    return same_words and first.texts[: first.base_size] == second.texts[: second.base_size]


def _tie_after(trainer: Trainer, merges: int) -> Tie:
    """The pairs that were tied after that many merges."""
    position, phase = trainer.position, trainer.phase
    trainer.goto(merges)
    tie = _tie(trainer, is_end=merges == len(trainer.steps))
    trainer.goto(position)
    trainer.show_phase(phase)
    return tie


def _tie(trainer: Trainer, *, is_end: bool) -> Tie:
    leader = trainer.leader()
    if leader is None:
        return Tie((), 0, None)
    rows = tuple(trainer.pairs(0, min(leader.tied, LISTED)))
    picked = None if is_end else next((row for row in rows if row.wins), None)
    return Tie(rows, leader.tied, picked)


# -- a text for both -----------------------------------------------------------------------------------------------


def sample_text(first: Trainer, second: Trainer, comparison: Comparison) -> str:
    """A few words of the corpus that fall into different tokens; if none is found, its first words.

    The most frequent words are tried, and then the most frequent one for each token that only one side has.
    """
    words, counts = first.words.words, first.words.counts
    frequent = sorted(range(len(words)), key=lambda index: (-counts[index], index))[:_SEARCHED]
    encoders = (Encoder(first), Encoder(second))
    found: list[str] = []
    for index in chain(frequent, _words_with(first, comparison.only[0]), _words_with(second, comparison.only[1])):
        text = _text_of(words[index], first)
        if text.strip() and text not in found and _boundaries(encoders[0], text) != _boundaries(encoders[1], text):
            found.append(text)
            if len(found) == SAMPLE_WORDS:
                break
    return _joined(found or [_text_of(word, first) for word in words[:SAMPLE_WORDS]])


def _words_with(trainer: Trainer, tokens: Sequence[str]) -> Iterator[int]:
    """For each of the first tokens the most frequent word that holds it."""
    words, counts = trainer.words.words, trainer.words.counts
    ending, byte_level = trainer.options.end_of_word, is_byte_level(trainer.options)
    for token in tokens[:_SEARCHED_TOKENS]:
        text = token.removesuffix(ending) if ending else token
        text = _bytes_of(text).decode("utf-8", "replace") if byte_level else text
        holders = [index for index, word in enumerate(words) if text in word]
        if text and holders:
            yield max(holders, key=lambda index: (counts[index], -index))


def _text_of(word: str, trainer: Trainer) -> str:
    """A piece of text that gives this word."""
    return word.replace(METASPACE, " ") if trainer.options.pre_tokenizer == "metaspace" else word


def _boundaries(encoder: Encoder, text: str) -> list[tuple[int, int, bool]]:
    return [(token.start, token.end, token.unknown) for token in encoder.encode(text)]


def _joined(texts: list[str]) -> str:
    joined = ""
    for text in texts:
        gap = "" if not joined or joined[-1].isspace() or text[0].isspace() else " "
        joined += gap + text
    return joined
