"""Encoding text with learned merges, decoding ids, and the trace that shows how a text fell into its tokens.

A text is cut into words and symbols exactly as in training. Symbols that the base vocabulary lacks become unknown
before any merge; then, in each word, the pair with the lowest rank is merged, leftmost first, until no learned pair is
left. Words are cached, since texts repeat them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from bpe_tui.core.alphabet import CHAR_TO_BYTE, chars_to_bytes, is_byte_level, utf8
from bpe_tui.core.errors import EncodeError, OptionError
from bpe_tui.core.presets import UNKNOWN_POLICIES, Options
from bpe_tui.core.pretokenize import METASPACE, Span, make_pre_tokenizer
from bpe_tui.core.trainer import Trainer
from bpe_tui.core.vocabulary import Merge, Vocabulary

UNKNOWN: Final = -1
"""In place of an id: a symbol that the vocabulary does not have."""

_SHORT: Final = 32
"""Words of up to this many symbols are merged by looking through them; longer ones with a heap."""
_CACHED_WORDS: Final = 1 << 16

Units = list[tuple[int, int, int]]
"""Symbols or tokens of a word: (id or `UNKNOWN`, start, end) in code points of the text."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an encoded text."""

    text: str
    """As it is shown; the unknown token's text for an unknown symbol."""
    id: int | None
    """None for an unknown symbol whose stand-in is not in the vocabulary."""
    start: int
    end: int
    """Where it stands in the text, in code points. A byte-level token may cover part of a character."""
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One merge that fired, and the whole text's tokens after it was made in all its places."""

    rank: int
    merge: Merge
    tokens: tuple[Token, ...]


class Encoder:
    """Encodes with a vocabulary and the options that it was trained with."""

    def __init__(self, vocabulary: Vocabulary, options: Options) -> None:
        self.options = options
        self._vocabulary: Vocabulary | None = vocabulary
        self._trainer: Trainer | None = None
        self._texts: Sequence[str] = vocabulary.tokens
        self._ids = dict(vocabulary.ids)
        self._merges: list[Merge] = list(vocabulary.merges)
        self._prepare(vocabulary.alphabet)

    @classmethod
    def of(cls, trainer: Trainer) -> Encoder:
        """An encoder that follows `trainer`: it always uses the merges up to the moment where the trainer stands."""
        encoder = cls(trainer.vocabulary(), trainer.options)
        encoder._trainer = trainer
        encoder._seen = (trainer.position, trainer.options)
        return encoder

    def _prepare(self, alphabet: Iterable[str]) -> None:
        self._letters = {text: self._ids[text] for text in alphabet}
        self._ranks = {(merge.left_id, merge.right_id): (merge.rank, merge.id) for merge in self._merges}
        self._specials = self._special_pattern()
        self._pre_tokenizer = make_pre_tokenizer(self.options)
        self._cache: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        self._seen: tuple[int, Options] | None = None
        self._byte_level = is_byte_level(self.options)
        self._utf8_symbols: list[int] = []
        if self._byte_level:
            by_byte = {byte: char for char, byte in CHAR_TO_BYTE.items()}
            self._utf8_symbols = [self._letters.get(by_byte[byte], UNKNOWN) for byte in range(256)]

    def _special_pattern(self) -> regex.Pattern[str] | None:
        specials = self._vocabulary.specials if self._vocabulary is not None else ()
        longest_first = sorted(specials, key=len, reverse=True)
        return regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None

    def _follow(self) -> None:
        """Take over the merges of the moment where the trainer stands."""
        trainer = self._trainer
        if trainer is None or self._seen == (trainer.position, trainer.options):
            return
        vocabulary = trainer.vocabulary()
        self.options = trainer.options
        self._vocabulary = vocabulary
        self._texts, self._ids, self._merges = vocabulary.tokens, dict(vocabulary.ids), list(vocabulary.merges)
        self._prepare(vocabulary.alphabet)
        self._seen = (trainer.position, trainer.options)

    # -- encoding ------------------------------------------------------------------------------------------------

    def encode(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[Token]:
        """The tokens of `text`. Special tokens in it are plain text unless `allow_special`.

        Raises `OptionError` for an unknown policy that does not exist and `EncodeError` where the policy `error`, or
        `bytes` without the byte tokens it needs, meets an unknown symbol.
        """
        self._follow()
        tokens: list[Token] = []
        for symbols, special in self._words(text, unknown, allow_special):
            merged = symbols if special else self._merged(symbols)
            tokens += self._tokens(merged, text)
        return tokens

    def start(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[Token]:
        """The symbols of `text` before any merge."""
        self._follow()
        words = self._words(text, unknown, allow_special)
        return [token for symbols, _ in words for token in self._tokens(symbols, text)]

    def by_word(
        self, text: str, *, unknown: str = "token", merged: bool = True, spans: Sequence[Span] | None = None
    ) -> Iterator[list[Token]]:
        """The tokens (or, without `merged`, the symbols) of one word after the other, each made when it is asked for.

        `spans` are the words as the pre-tokenizer finds them, or some of them. A word has no token at all if the
        policy dropped all of it. Raises like `encode`, when it comes to the word.
        """
        self._follow()
        for span in self.spans(text) if spans is None else spans:
            symbols = self._symbols(span, 0, text)
            if any(symbol[0] == UNKNOWN for symbol in symbols):
                symbols = self._with_policy(symbols, unknown, text)
            yield self._tokens(self._merged(symbols) if merged else symbols, text)

    def spans(self, text: str) -> list[Span]:
        """The words of `text` and where they stand."""
        return self._pre_tokenizer.spans(text)

    def merge_of(self, left_id: int, right_id: int) -> Merge | None:
        """The merge of two neighbours, if it is learned at this moment."""
        self._follow()
        entry = self._ranks.get((left_id, right_id))
        return None if entry is None else self._merges_by_rank(entry[0])

    def id_of(self, text: str) -> int | None:
        """The id of a token at this moment, if there is one with this text."""
        self._follow()
        return self._ids.get(text)

    def trace(
        self, text: str, *, unknown: str = "token", allow_special: bool = False
    ) -> tuple[list[Token], list[TraceRow]]:
        """The symbols before any merge, then one row for each merge that fires, in learned order.

        This is the slow, plain path: it applies merge after merge and agrees with `encode`.
        """
        self._follow()
        words = self._words(text, unknown, allow_special)
        start = [token for symbols, _ in words for token in self._tokens(symbols, text)]
        rows: list[TraceRow] = []
        open_words = [index for index, (_, special) in enumerate(words) if not special]
        while True:
            ranked = [self._lowest(words[index][0]) for index in open_words]
            best = min((rank for rank in ranked if rank is not None), default=None)
            if best is None:
                return start, rows
            merge = self._merges_by_rank(best)
            for index, rank in zip(open_words, ranked, strict=True):
                if rank == best:
                    words[index] = (_replaced(words[index][0], merge), False)
            tokens = tuple(token for symbols, _ in words for token in self._tokens(symbols, text))
            rows.append(TraceRow(merge.rank, merge, tokens))

    def _merges_by_rank(self, rank: int) -> Merge:
        if rank < len(self._merges) and self._merges[rank].rank == rank:
            return self._merges[rank]
        return next(merge for merge in self._merges if merge.rank == rank)

    def _lowest(self, units: Units) -> int | None:
        """The lowest rank among the word's neighbours; None if none of them is a learned pair."""
        ranks = self._ranks
        found = (ranks.get((a[0], b[0])) for a, b in zip(units, units[1:], strict=False))
        return min((entry[0] for entry in found if entry is not None), default=None)

    def _words(self, text: str, unknown: str, allow_special: bool) -> list[tuple[Units, bool]]:
        """The words of `text` as symbols with their places; True marks a special token that stands for itself."""
        if unknown not in UNKNOWN_POLICIES:
            raise OptionError(f"--unknown {unknown!r} is not one of {', '.join(UNKNOWN_POLICIES)}")
        words: list[tuple[Units, bool]] = []
        begin = 0
        if allow_special and self._specials is not None:
            for match in self._specials.finditer(text):
                words += self._plain_words(text, begin, match.start(), unknown)
                words.append(([(self._ids[match.group()], match.start(), match.end())], True))
                begin = match.end()
        return words + self._plain_words(text, begin, len(text), unknown)

    def _plain_words(self, text: str, begin: int, end: int, unknown: str) -> list[tuple[Units, bool]]:
        part = text if begin == 0 and end == len(text) else text[begin:end]
        words = []
        for span in self._pre_tokenizer.spans(part):
            symbols = self._symbols(span, begin, text)
            if any(symbol[0] == UNKNOWN for symbol in symbols):
                symbols = self._with_policy(symbols, unknown, text)
            words.append((symbols, False))
        return words

    def _symbols(self, span: Span, offset: int, text: str) -> Units:
        """A word's symbols; those that the vocabulary lacks are `UNKNOWN`."""
        word, start, end = span[0], span[1] + offset, span[2] + offset
        # A metaspace put before the text covers nothing of it.
        shift = len(word) - (end - start)
        units: Units = []
        if self._byte_level:
            table = self._utf8_symbols
            if word.isascii() and not shift:
                units = [(table[ord(char)], place, place + 1) for place, char in enumerate(word, start)]
            else:
                for index, char in enumerate(word):
                    place = max(start, start + index - shift)
                    after = max(start, start + index + 1 - shift)
                    units += [(table[byte], place, after) for byte in utf8(char)]
        else:
            letters = self._letters
            units = [
                (letters.get(char, UNKNOWN), max(start, start + index - shift), max(start, start + index + 1 - shift))
                for index, char in enumerate(word)
            ]
        return self._with_ending(units, word) if self.options.end_of_word and units else units

    def _with_ending(self, units: Units, word: str) -> Units:
        ending = self.options.end_of_word
        _, start, end = units[-1]
        if self.options.end_of_word_style == "symbol":
            return [*units, (self._letters.get(ending, UNKNOWN), end, end)]
        last = chr(0) if not word else word[-1]
        if self._byte_level:
            byte = utf8(last)[-1]
            last = next(char for char, value in CHAR_TO_BYTE.items() if value == byte)
        return [*units[:-1], (self._letters.get(last + ending, UNKNOWN), start, end)]

    def _with_policy(self, symbols: Units, unknown: str, text: str) -> Units:
        """Deal with the unknown symbols of a word as the policy says."""
        if unknown == "token":
            return symbols
        if unknown == "drop":
            return [symbol for symbol in symbols if symbol[0] != UNKNOWN]
        if unknown == "error":
            _, start, end = next(symbol for symbol in symbols if symbol[0] == UNKNOWN)
            what = text[start:end] or self.options.end_of_word
            raise EncodeError(f"{what!r} at character {start:,} is not in the alphabet")
        dealt: Units = []
        for symbol, start, end in symbols:
            if symbol != UNKNOWN:
                dealt.append((symbol, start, end))
            elif unknown == "bytes":
                dealt += self._byte_tokens(text, start, end)
            elif dealt and dealt[-1][0] == UNKNOWN:
                dealt[-1] = (UNKNOWN, dealt[-1][1], end)
            else:
                dealt.append((UNKNOWN, start, end))
        return dealt

    def _byte_tokens(self, text: str, start: int, end: int) -> Units:
        """Byte fallback: a symbol's UTF-8 bytes as tokens like `<0xE2>`; unknown if the vocabulary lacks one."""
        names = [f"<0x{byte:02X}>" for byte in utf8(text[start:end])]
        if not names or any(name not in self._ids for name in names):
            return [(UNKNOWN, start, end)]
        return [(self._ids[name], start, end) for name in names]

    def _merged(self, symbols: Units) -> Units:
        """The tokens of one word."""
        if len(symbols) < 2:
            return symbols
        key = tuple(symbol[0] for symbol in symbols)
        merged = self._cache.get(key)
        if merged is None:
            merged = self._merge_word(key)
            if len(self._cache) >= _CACHED_WORDS:
                self._cache.clear()
            self._cache[key] = merged
        tokens: Units = []
        place = 0
        for token, length in merged:
            tokens.append((token, symbols[place][1], symbols[place + length - 1][2]))
            place += length
        return tokens

    def _merge_word(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """Merge a word's symbols: [(token id, how many symbols it covers)]."""
        if len(ids) > _SHORT:
            return _merge_long(ids, self._ranks)
        ranks = self._ranks.get
        tokens, lengths = list(ids), [1] * len(ids)
        while len(tokens) > 1:
            best, place = None, 0
            for index in range(len(tokens) - 1):
                entry = ranks((tokens[index], tokens[index + 1]))
                if entry is not None and (best is None or entry[0] < best[0]):
                    best, place = entry, index
            if best is None:
                break
            tokens[place] = best[1]
            lengths[place] += lengths[place + 1]
            del tokens[place + 1], lengths[place + 1]
        return list(zip(tokens, lengths, strict=True))

    def _tokens(self, units: Units, text: str) -> list[Token]:
        texts, unk = self._texts, self.options.unk
        return [
            Token(texts[unit], unit, start, end)
            if unit != UNKNOWN
            else Token(unk, self._ids.get(unk), start, end, unknown=True)
            for unit, start, end in units
        ]

    # -- decoding ------------------------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`; bytes that make no character become U+FFFD. Raises `EncodeError` for an unknown id."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of the text of `ids`, exactly."""
        self._follow()
        specials = set(self._vocabulary.specials) if self._vocabulary is not None else set()
        data = bytearray()
        ending = self.options.end_of_word
        texts = list(self._all_texts(ids))
        for index, text in enumerate(texts):
            if text in specials and text not in self._letters:
                data += utf8(text)
            elif self._byte_level:
                body = text.removesuffix(ending) if ending else text
                data += _bytes_of(body)
                if ending and text.endswith(ending) and index + 1 < len(texts):
                    data += b" "
            elif ending and text.endswith(ending):
                data += utf8(text.removesuffix(ending) + (" " if index + 1 < len(texts) else ""))
            elif text.startswith("<0x") and len(text) == 6 and text not in self._letters:
                data += bytes.fromhex(text[3:5])
            else:
                data += utf8(text)
        if self.options.pre_tokenizer == "metaspace":
            shown = bytes(data).replace(METASPACE.encode(), b" ")
            return shown.removeprefix(b" ")
        return bytes(data)

    def _all_texts(self, ids: Iterable[int]) -> Iterable[str]:
        known = None
        if self._vocabulary is not None and len(self._vocabulary.ids) != len(self._texts):
            known = {index: text for text, index in self._vocabulary.ids.items()}
        for token in ids:
            if not 0 <= token < len(self._texts):
                raise EncodeError(f"there is no token with id {token}; ids go from 0 to {len(self._texts) - 1}")
            yield self._texts[token] if known is None else known[token]


def _bytes_of(text: str) -> bytes:
    try:
        return chars_to_bytes(text)
    except UnicodeEncodeError:
        return utf8(text)


def _replaced(units: Units, merge: Merge) -> Units:
    """`units` with the merge made wherever it stands, from left to right."""
    made: Units = []
    index = 0
    while index < len(units):
        here = units[index]
        if index + 1 < len(units) and (here[0], units[index + 1][0]) == (merge.left_id, merge.right_id):
            made.append((merge.id, here[1], units[index + 1][2]))
            index += 2
        else:
            made.append(here)
            index += 1
    return made


def _merge_long(ids: Sequence[int], ranks: dict[tuple[int, int], tuple[int, int]]) -> list[tuple[int, int]]:
    """`Encoder._merge_word` for long words: neighbours in a heap by (rank, place), n log n in all."""
    size = len(ids)
    tokens = list(ids)
    after = list(range(1, size + 1))
    before = list(range(-1, size - 1))
    heap: list[tuple[int, int, int, int]] = []
    for place in range(size - 1):
        entry = ranks.get((tokens[place], tokens[place + 1]))
        if entry is not None:
            heap.append((entry[0], place, tokens[place], tokens[place + 1]))
    heapq.heapify(heap)
    gone = UNKNOWN - 1
    while heap:
        _, place, left, right = heapq.heappop(heap)
        behind = after[place]
        if tokens[place] != left or behind >= size or tokens[behind] != right:
            continue
        made = ranks[left, right][1]
        tokens[place], tokens[behind] = made, gone
        follower = after[place] = after[behind]
        if follower < size:
            before[follower] = place
            entry = ranks.get((made, tokens[follower]))
            if entry is not None:
                heapq.heappush(heap, (entry[0], place, made, tokens[follower]))
        leader = before[place]
        if leader >= 0:
            entry = ranks.get((tokens[leader], made))
            if entry is not None:
                heapq.heappush(heap, (entry[0], leader, tokens[leader], made))
    places = [place for place in range(size) if tokens[place] != gone]
    return [(tokens[place], after[place] - place) for place in places]


