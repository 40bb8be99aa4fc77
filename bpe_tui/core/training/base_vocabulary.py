"""From word counts to the state before the first merge: base vocabulary, ids and the flat array of symbols."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, is_byte_level, utf8
from bpe_tui.core.corpus.types import ShouldStop, WordCounts, raise_if_stopped
from bpe_tui.core.options import Options
from bpe_tui.core.training.arrays import Indices, Positions
from bpe_tui.core.training.segmentation import Segmentation
from bpe_tui.core.training.vocabulary import Merge

_SUFFIXED: Final = 1 << 21
"""Added to the code of a symbol that ends with the word ending: above every code point."""
_POLL_WORDS: Final = 100_000
"""Words between two checks of `should_stop`."""


@dataclass(frozen=True, slots=True)
class BaseVocabulary:
    """What is there before the first merge: the base vocabulary, and the corpus in its ids."""

    texts: list[str]
    """Token texts by id; empty for an id that no token has."""
    specials: tuple[str, ...]
    protected: tuple[str, ...]
    alphabet: tuple[str, ...]
    alphabet_ids: frozenset[int]
    segmentation: Segmentation
    words: WordCounts
    """The words of the segmentation."""
    merges: tuple[Merge, ...] = ()
    """Merges that come first, of the tokenizer that the training continues; `texts` has what they make."""
    absent: frozenset[int] = frozenset()
    """The ids among `texts` that no token has before the first merge: gaps, and what `merges` make."""
    ids: Mapping[str, int] | None = None
    """Ids by text; None if they are the places in `texts`."""
    prefix: str = ""
    """Text before every symbol of a word but the first, which a merge leaves out of its right half."""
    apart: frozenset[str] = frozenset()
    """Tokens that no merge makes, because they are looked for in a text before it is cut."""
    closed: bool = False
    """A merge makes no token that is there already, because whole words are these tokens."""
    unknown: int = 0
    """Characters of the corpus that are in no word, because the tokenizer does not know them."""


class StartingPoint(Protocol):
    """What a training begins with instead of its corpus alone: a tokenizer that it continues."""

    @property
    def name(self) -> str:
        """What the user called it."""

    def base(self, words: WordCounts, options: Options, should_stop: ShouldStop | None = None) -> BaseVocabulary:
        """What is there before the first merge on `words`. Raises `CorpusError`, and `Cancelled` if `should_stop`."""


def within_alphabet(words: WordCounts, options: Options, should_stop: ShouldStop | None = None) -> WordCounts:
    """The words without the characters that `--limit-alphabet` leaves out of the alphabet; their neighbours touch.

    Kept are those of `--initial-alphabet` and the most frequent ones, of equally frequent ones those with lower code
    points (`tokenizers` takes any). Words that become equal are one, in the place of the first.
    Raises `Cancelled` if `should_stop`.
    """
    if options.limit_alphabet is None:
        return words
    counts: Counter[str] = Counter()
    for number, (word, count) in enumerate(zip(words.words, words.counts, strict=True)):
        if not number % _POLL_WORDS:
            raise_if_stopped(should_stop)
        for character in word:
            counts[character] += count
    initial = set(options.initial_alphabet)
    found = sorted(counts.keys() - initial, key=lambda character: (-counts[character], character))
    left_out = str.maketrans(dict.fromkeys(found[options.limit_alphabet - len(initial) :]))
    kept: dict[str, int] = {}
    for number, (word, count) in enumerate(zip(words.words, words.counts, strict=True)):
        if not number % _POLL_WORDS:
            raise_if_stopped(should_stop)
        if rest := word.translate(left_out):
            kept[rest] = kept.get(rest, 0) + count
    return replace(words, words=list(kept), counts=list(kept.values()))


def base_vocabulary(words: WordCounts, options: Options, should_stop: ShouldStop | None = None) -> BaseVocabulary:
    """Build the base vocabulary of `options` over `words`. Raises `CorpusError`, and `Cancelled` if `should_stop`.

    Special tokens come first in the order given, then protected ones, then the alphabet by code point; with
    `raw_byte_ids` the 256 byte values come first, in numeric order.
    """
    words = within_alphabet(words, options, should_stop)
    codes, lengths, texts_by_code = symbol_codes(words.words, options, should_stop)
    raise_if_stopped(should_stop)
    seen = _distinct(codes)
    if options.alphabet == "all-bytes":
        for byte, char in enumerate(BYTE_TO_CHAR):
            texts_by_code.setdefault(byte, char)
        seen = sorted({*range(256), *seen})
    initial = set(_codes([options.initial_alphabet], options, should_stop)[0].tolist())
    texts_by_code.update((code, texts_by_code.get(code) or chr(code)) for code in initial)
    seen = sorted({*seen, *initial})
    # Two codes can have one text: the ending as a symbol of its own, and a one-character ending that the text holds.
    alphabet = list(dict.fromkeys(texts_by_code[code] for code in seen))
    if not options.raw_byte_ids:
        alphabet.sort()
    added = (*options.specials, *options.protected)
    texts = [*alphabet, *added] if options.raw_byte_ids else [*added, *alphabet]
    texts = list(dict.fromkeys(texts))  # a special token may be a letter as well
    ids = {text: index for index, text in enumerate(texts)}

    raise_if_stopped(should_stop)
    table = np.zeros((max(seen) if seen else 0) + 1, dtype=np.int32)
    for code in seen:
        table[code] = ids[texts_by_code[code]]
    return BaseVocabulary(
        texts=texts,
        specials=options.specials,
        protected=options.protected,
        alphabet=tuple(alphabet),
        alphabet_ids=frozenset(ids[text] for text in alphabet),
        segmentation=Segmentation(table[codes], lengths, words.counts, should_stop),
        words=words,
    )


def symbol_codes(
    words: list[str], options: Options, should_stop: ShouldStop | None
) -> tuple[Positions, Indices, dict[int, str]]:
    """The symbols of all words, endings included, as one array of codes; the words' lengths; and the codes' texts."""
    codes, lengths, texts_by_code = _codes(words, options, should_stop)
    if options.end_of_word and options.end_of_word_style == "symbol":
        codes, lengths = _with_ending(codes, lengths)
        texts_by_code[_SUFFIXED] = options.end_of_word
    elif options.end_of_word and codes.size:
        lasts = np.cumsum(lengths) - 1
        codes[lasts] += _SUFFIXED
        for code in np.unique(codes[lasts]).tolist():
            texts_by_code[code] = texts_by_code[code - _SUFFIXED] + options.end_of_word
    return codes, lengths, texts_by_code


def _codes(
    words: list[str], options: Options, should_stop: ShouldStop | None
) -> tuple[Positions, Indices, dict[int, str]]:
    """The symbols of all words as one array of codes (bytes or code points), the words' lengths, and codes' texts."""
    if is_byte_level(options):
        encoded: list[bytes] = []
        for first in range(0, len(words), _POLL_WORDS):
            raise_if_stopped(should_stop)
            encoded += map(utf8, words[first : first + _POLL_WORDS])
        codes = np.frombuffer(b"".join(encoded), dtype=np.uint8).astype(np.int32)
        raise_if_stopped(should_stop)
        lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(words))
        return codes, lengths, dict(enumerate(BYTE_TO_CHAR))
    joined = "".join(words)
    raise_if_stopped(should_stop)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.int32).copy()
    raise_if_stopped(should_stop)
    lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    return codes, lengths, {code: chr(code) for code in _distinct(codes)}


def _distinct(codes: Positions) -> list[int]:
    """The codes that occur, ascending; in linear time, since codes are small."""
    if codes.size == 0:
        return []
    occurs = np.zeros(int(codes.max()) + 1, dtype=np.bool_)
    occurs[codes] = True
    return np.flatnonzero(occurs).tolist()


def _with_ending(codes: Positions, lengths: Indices) -> tuple[Positions, Indices]:
    """`codes` with the ending's own symbol behind every word."""
    return np.insert(codes, np.cumsum(lengths), _SUFFIXED).astype(np.int32), lengths + 1
