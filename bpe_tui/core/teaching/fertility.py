"""How two tokenizers treat a text of any length: their tokens by kind of word and by script, and where they differ.

A text comes in pieces, and only sums and the first differences are kept, so that memory does not grow with it. What a
word is must not depend on either tokenizer: here it is a run of letters with their marks, of digits, of white space, or
of anything else. A token counts for the word that its first character belongs to, leading white space left aside: in
GPT-2's ` the` that is `the`. Tokens per word are called fertility (Rust et al., "How Good is Your Tokenizer?", 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

import regex

from bpe_tui.core.corpus.alphabet import utf8
from bpe_tui.core.i18n import mark
from bpe_tui.core.teaching.side_by_side import ComparedTokenizer, SideBySide

if TYPE_CHECKING:
    from bpe_tui.core.encoding.encoder import Token

PIECE: Final = 1 << 16
"""About as many bytes of a text are compared at a time."""
LONGEST_PIECE: Final = 1 << 20
"""Bytes after which a piece is cut even where no line ends."""
_UNIT: Final = regex.compile(
    r"(?P<letters>[\p{L}\p{M}]+)|(?P<digits>\p{N}+)|(?P<blank>\s+)|(?P<other>[^\p{L}\p{M}\p{N}\s]+)"
)
_SCRIPTS: Final = (
    *("Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil"),
    *("Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Georgian"),
    *("Armenian", "Ethiopic", "Hangul", "Hiragana", "Katakana", "Han"),
)
_SCRIPT: Final = regex.compile("|".join(rf"(?P<{name}>\p{{Script={name}}})" for name in _SCRIPTS))
OTHER_SCRIPT: Final = "other"


class WordClass(StrEnum):
    """A kind of word; the value is its name in JSON, and translated where people read it."""

    LOWER = mark("lower case")
    CAPITALIZED = mark("capitalized")
    UPPER = mark("upper case")
    MIXED = mark("mixed case")
    UNCASED = mark("without case")
    NUMBER = mark("number")
    PUNCTUATION = mark("punctuation and signs")
    BLANK = mark("white space")


@dataclass(slots=True)
class Fertility:
    """Words of one kind, and the tokens that two tokenizers need for them."""

    words: int = 0
    tokens: list[int] = field(default_factory=lambda: [0, 0])

    def per_word(self, side: int) -> float:
        """Tokens per word of one side (0 or 1)."""
        return self.tokens[side] / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True)
class FoundDifference:
    """A stretch of the text that the two cut into different tokens, and why."""

    start: int
    """In code points from the start of the whole text."""
    text: str
    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    """As they are in files."""
    kind: str
    sentences: tuple[str, ...]


class TextComparison:
    """Adds up how two tokenizers treat the pieces of a text."""

    def __init__(self, sides: tuple[ComparedTokenizer, ComparedTokenizer], *, explained: int = 8) -> None:
        """`explained`: how many differences, each of another text, are explained."""
        self.sides = sides
        self.characters = self.bytes = self.words = 0
        self.tokens = [0, 0]
        self.unknown = [0, 0]
        self.left_out = [0, 0]
        """Characters that are in no token, for either side."""
        self.spans = self.differing = 0
        """Shortest stretches with a boundary of both at either end, and how many of them have different tokens."""
        self.by_class: dict[WordClass, Fertility] = {}
        self.by_script: dict[str, Fertility] = {}
        self.differences: list[FoundDifference] = []
        self._explained = explained
        self._known: set[str] = set()

    @property
    def equal(self) -> bool:
        """Do both cut the text into the same tokens?"""
        return not self.differing

    def add(self, text: str) -> None:
        """Compare one more piece of the text. Raises like `tokenize`."""
        compared = SideBySide(text, self.sides)
        for side in (0, 1):
            self.tokens[side] += len(compared.tokens[side])
            self.unknown[side] += sum(token.unknown for token in compared.tokens[side])
            self.left_out[side] += sum(len(run.text) for run in compared.tokenized[side].dropped)
        self.spans += len(compared.spans)
        self.differing += len(compared.differing)
        for span in compared.differing if len(self.differences) < self._explained else ():
            covered = text[span.start : span.end]
            if covered not in self._known:
                self._known.add(covered)
                why = compared.explain(span)
                ours, theirs = (tuple(token.text for token in compared.tokens_of(side, span)) for side in (0, 1))
                self.differences.append(
                    FoundDifference(self.characters + span.start, covered, (ours, theirs), str(why.kind), why.sentences)
                )
                if len(self.differences) == self._explained:
                    break
        self._add_words(text, compared.tokens)
        self.characters += len(text)
        self.bytes += len(utf8(text))

    def _add_words(self, text: str, tokens: tuple[list[Token], ...]) -> None:
        units = units_of(text)
        counts = [tokens_of_units(text, units, own) for own in tokens]
        for place, unit in enumerate(units):
            ours, theirs = counts[0][place], counts[1][place]
            self.words += unit.is_word
            groups = [self.by_class.setdefault(unit.word_class, Fertility())]
            if unit.script:
                groups.append(self.by_script.setdefault(unit.script, Fertility()))
            for group in groups:
                group.words += 1
                group.tokens[0] += ours
                group.tokens[1] += theirs


class TextUnit(NamedTuple):
    """A run of letters, of digits, of white space or of anything else."""

    end: int
    """Its place behind the last character, in code points."""
    word_class: WordClass
    script: str
    """Of the first letter; empty if it has no letters."""
    is_word: bool
    """Whether it is of letters or digits."""


def units_of(text: str) -> list[TextUnit]:
    """What people see as the words of a text, and what is between them."""
    units = []
    for found in _UNIT.finditer(text):
        kind, word = found.lastgroup or "other", found.group()
        script = script_of(word[0]) if kind == "letters" else ""
        units.append(TextUnit(found.end(), _class_of(kind, word), script, kind in ("letters", "digits")))
    return units


def tokens_of_units(text: str, units: Sequence[TextUnit], tokens: Iterable[Token]) -> list[int]:
    """How many tokens count for each of the units, and last for none of them, as they cover nothing at the end."""
    ends = [unit.end for unit in units]
    counts = [0] * (len(ends) + 1)
    unit, last = 0, len(ends)
    for _text, _id, place, end, _unknown in tokens:
        while place + 1 < end and text[place].isspace():
            place += 1
        if unit and place < ends[unit - 1]:  # a token before this one has gone further
            unit = 0
        while unit < last and ends[unit] <= place:
            unit += 1
        counts[unit] += 1
    return counts


@lru_cache(maxsize=1 << 16)
def _class_of(kind: str, word: str) -> WordClass:
    if kind == "digits":
        return WordClass.NUMBER
    if kind == "blank":
        return WordClass.BLANK
    if kind == "other":
        return WordClass.PUNCTUATION
    if word.upper() == word.lower():
        return WordClass.UNCASED
    if word.islower():
        return WordClass.LOWER
    if word.isupper() and len(word) > 1:
        return WordClass.UPPER
    return WordClass.CAPITALIZED if word[:1].isupper() and (word[1:].islower() or len(word) == 1) else WordClass.MIXED


@lru_cache(maxsize=1 << 12)
def script_of(letter: str) -> str:
    """The script of a letter; `OTHER_SCRIPT` for those that are not told apart here."""
    found = _SCRIPT.match(letter)
    return found.lastgroup or OTHER_SCRIPT if found is not None else OTHER_SCRIPT


# -- pieces of a text ------------------------------------------------------------------------------------------------


def pieces_of(stream: BinaryIO, add_bytes: Callable[[int], None] | None = None) -> Iterator[str]:
    """A text in UTF-8 in pieces, cut where a line ends and the next one begins with no white space.

    Every tokenizer that is known here cuts there too. A line longer than `LONGEST_PIECE` is cut all the same. Raises
    UnicodeDecodeError. `add_bytes` is told how much was read.
    """
    rest = b""
    is_first = True
    while block := stream.read(PIECE):
        if add_bytes is not None:
            add_bytes(len(block))
        rest += block
        cut = _last_line_end(rest)
        if not cut and len(rest) >= LONGEST_PIECE:
            cut = len(rest) - _unfinished(rest)
        if cut:
            yield _decoded(rest[:cut], is_first=is_first)
            rest, is_first = rest[cut:], False
    if rest:
        yield _decoded(rest, is_first=is_first)


def _last_line_end(data: bytes) -> int:
    """Behind the last newline that something other than white space follows; 0 if there is none."""
    end = len(data)
    while (end := data.rfind(b"\n", 0, end)) >= 0:
        follower = data[end + 1 : end + 2]
        if follower and not follower.isspace() and follower < b"\x80":
            return end + 1
    return 0


def _unfinished(data: bytes) -> int:
    """Bytes at the end that begin a character which is not complete."""
    for length in range(1, min(4, len(data)) + 1):
        byte = data[-length]
        if byte >= 0xC0:
            return length if length < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else 0
        if byte < 0x80:
            return 0
    return 0


def _decoded(data: bytes, *, is_first: bool) -> str:
    text = data.decode()
    return text.removeprefix("\ufeff") if is_first else text


def compare_texts(
    sides: tuple[ComparedTokenizer, ComparedTokenizer], pieces: Iterable[str], *, explained: int = 8
) -> TextComparison:
    """Two tokenizers on a text that comes in pieces."""
    comparison = TextComparison(sides, explained=explained)
    for piece in pieces:
        comparison.add(piece)
    return comparison
