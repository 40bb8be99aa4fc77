"""Pre-tokenizers of a Hugging Face `tokenizer.json` that run here, as steps: from pieces of a text to smaller pieces.

A piece knows where each of its characters stood, so that a token can always be shown where it was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import regex

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.pretokenize import PATTERNS
from bpe_tui.formats import hf_package, onig
from bpe_tui.formats.hf_fields import fields_of

_OLD_PUNCTUATION: Final = (
    r"\u061d\u09fd\u0a76\u0c77\u0c84\u1b4e\u1b4f\u1b7d-\u1b7f\u2e43-\u2e4f\u2e52-\u2e5d\U00010d6e\U00010ead"
    r"\U00010f55-\U00010f59\U00010f86-\U00010f89\U000113d4\U000113d5\U000113d7\U000113d8\U0001144b-\U0001144f"
    r"\U0001145a\U0001145b\U0001145d\U00011660-\U0001166c\U000116b9\U0001183b\U00011944-\U00011946\U000119e2"
    r"\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2\U00011b00-\U00011b09\U00011be1"
    r"\U00011c41-\U00011c45\U00011c70\U00011c71\U00011ef7\U00011ef8\U00011f43-\U00011f4f\U00011fff\U00012ff1"
    r"\U00012ff2\U00016d6d-\U00016d6f\U00016e97-\U00016e9a\U00016fe2\U0001e5ff\U0001e95e\U0001e95f"
)
"""Punctuation of Unicode 16 that is none to `tokenizers`, whose table of it is older."""
PUNCTUATION: Final = rf"(?![{_OLD_PUNCTUATION}])[\p{{P}}!-/:-@\[-`{{-~\u166d\U000111c9]"
NUMERIC: Final = r"[\p{N}\U00011de0-\U00011de9\U00016ff4-\U00016ff6]"
"""Numbers to `tokenizers`, whose table of these is newer."""


@dataclass(slots=True)
class Piece:
    """A piece of a text."""

    text: str
    start: int
    """Where it begins in the whole text."""
    places: list[tuple[int, int]] | None = None
    """For each character where it stood in the whole text; None for a piece that is the text from `start` on."""

    def slice(self, begin: int, end: int) -> Piece:
        """The characters from `begin` to `end`."""
        if self.places is None:
            return Piece(self.text[begin:end], self.start + begin)
        places = self.places[begin:end]
        return Piece(self.text[begin:end], places[0][0], places)

    def prefixed(self, text: str) -> Piece:
        """The piece with a text before it that covers nothing."""
        places = self.all_places()
        return Piece(text + self.text, self.start, [(self.start, self.start)] * len(text) + places)

    def all_places(self) -> list[tuple[int, int]]:
        """`places`, also where they follow from `start`."""
        if self.places is not None:
            return self.places
        return [(place, place + 1) for place in range(self.start, self.start + len(self.text))]


class Step(Protocol):
    """One pre-tokenizer."""

    def pieces(self, piece: Piece) -> Iterable[Piece]:
        """The pieces that it leaves of one, none of them empty."""

    def words(self, text: str, at_start: bool) -> list[str]:
        """The same without places, as fast as can be; `at_start` tells that the piece begins the whole text."""


class Splitting:
    """Keeps parts of the text."""

    def __init__(self, kept: Callable[[str], Iterable[tuple[int, int]]], words: Callable[[str], list[str]] | None):
        self._kept = kept
        self._words = words

    def pieces(self, piece: Piece) -> Iterable[Piece]:
        """See `Step`."""
        return [piece.slice(begin, end) for begin, end in self._kept(piece.text)]

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `Step`."""
        return self._words(text) if self._words else [text[begin:end] for begin, end in self._kept(text)]


class Metaspacing:
    """Writes spaces as another character, which may also be put before the text, and may begin a word."""

    def __init__(self, replacement: str, scheme: str, split: bool) -> None:
        self._replacement = replacement
        self.scheme = scheme
        self._split = split

    def pieces(self, piece: Piece) -> Iterable[Piece]:
        """See `Step`."""
        changed = Piece(piece.text.replace(" ", self._replacement), piece.start, piece.places)
        if self._prepends(changed.text, piece.start == 0):
            changed = changed.prefixed(self._replacement)
        return [changed.slice(begin, end) for begin, end in self._cuts(changed.text)]

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `Step`."""
        text = text.replace(" ", self._replacement)
        if self._prepends(text, at_start):
            text = self._replacement + text
        return [text[begin:end] for begin, end in self._cuts(text)]

    def _prepends(self, text: str, at_start: bool) -> bool:
        wanted = self.scheme == "always" or (self.scheme == "first" and at_start)
        return wanted and not text.startswith(self._replacement)

    def _cuts(self, text: str) -> list[tuple[int, int]]:
        if not self._split:
            return [(0, len(text))]
        return list(onig.matches(regex.compile(f".?[^{regex.escape(self._replacement)}]*", regex.S), text))


class PrefixSpace:
    """ByteLevel's: a space is put before a text that has none."""

    def pieces(self, piece: Piece) -> Iterable[Piece]:
        """See `Step`."""
        return [piece if piece.text.startswith(" ") else piece.prefixed(" ")]

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `Step`."""
        return [text if text.startswith(" ") else f" {text}"]


class Foreign:
    """A pre-tokenizer that the package `tokenizers` runs."""

    def __init__(self, component: Any) -> None:
        """Raises TokenizerFileError if the package is not installed or does not accept the component."""
        self._runner = hf_package.component("pre_tokenizer", component)
        self._what = f"the pre-tokenizer {hf_package.kind_of(component)}"

    def pieces(self, piece: Piece) -> Iterable[Piece]:
        """See `Step`."""
        places = piece.all_places()
        for text, inside in hf_package.Places(piece.text, self._runner.pre_tokenize, self._what):
            found = [(places[begin][0], places[end - 1][1] if end > begin else places[begin][0]) for begin, end in inside]
            yield Piece(text, found[0][0], found)

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `Step`."""
        try:
            return [word for word, _ in self._runner.pre_tokenize_str(text)]
        except BaseException as error:
            hf_package.raise_if_stopped(error)
            raise TokenizerFileError(f"{self._what} failed on a text: {hf_package.one_line(error)}") from None


def steps_of(components: Sequence[Any], *, bytes_follow: bool = False) -> list[Step]:
    """The steps that `components` stand for, one after the other; Sequences are flat already.

    With `bytes_follow` the last component is a ByteLevel whose byte characters are written later. Raises
    TokenizerFileError, naming the component, for one that is malformed or that nothing here can run.
    """
    steps: list[Step] = []
    for place, component in enumerate(components):
        writes_bytes = isinstance(component, dict) and component.get("type") == "ByteLevel"
        if writes_bytes and bytes_follow and place == len(components) - 1:
            fields = fields_of(component, "pre-tokenizer")
            steps += [PrefixSpace()] if fields["add_prefix_space"] else []
            steps += [_by_pattern(PATTERNS["gpt2"])] if fields["use_regex"] else []
        else:
            steps.append(_step_of(component))
    return steps


def _step_of(component: Any) -> Step:
    fields = fields_of(component, "pre-tokenizer")
    kind = fields["type"]
    if kind == "Whitespace":
        return _by_pattern(PATTERNS["whitespace"])
    if kind == "WhitespaceSplit":
        return _by_pattern(r"\S+")
    if kind == "Metaspace":
        return Metaspacing(fields["replacement"], fields["prepend_scheme"], fields["split"])
    if kind == "Digits":
        behavior = "Isolated" if fields["individual_digits"] else "Contiguous"
        return _by_behavior(regex.compile(NUMERIC), behavior, invert=False)
    if kind == "Punctuation":
        return _by_behavior(regex.compile(PUNCTUATION), fields["behavior"], invert=False)
    if kind == "Split":
        pattern = onig.compile_pattern(fields["pattern"], "Split")
        if pattern is not None:
            return _by_behavior(pattern, fields["behavior"], invert=fields["invert"])
    return Foreign(component)


def _by_pattern(source: str) -> Step:
    """The words are what the pattern matches."""
    compiled = regex.compile(source)
    return Splitting(lambda text: [match.span() for match in compiled.finditer(text)], compiled.findall)


def _by_behavior(pattern: Any, behavior: str, *, invert: bool) -> Step:
    def kept(text: str) -> Iterable[tuple[int, int]]:
        last = 0
        parts: list[tuple[int, int, bool]] = []
        for start, end in onig.matches(pattern, text):
            if start > last:
                parts.append((last, start, invert))
            parts.append((start, end, not invert))
            last = end
        if last < len(text):
            parts.append((last, len(text), invert))
        return [(start, end) for start, end in _BEHAVIORS[behavior](parts) if end > start]

    return Splitting(kept, None)


# -- what becomes of a match and of what lies between matches: (start, end, whether it is a match) ---------------------

Parts = list[tuple[int, int, bool]]
Kept = list[tuple[int, int]]


def _isolated(parts: Parts) -> Kept:
    return [(start, end) for start, end, _ in parts]


def _removed(parts: Parts) -> Kept:
    return [(start, end) for start, end, is_match in parts if not is_match]


def _contiguous(parts: Parts) -> Kept:
    kept: Kept = []
    was_match = False
    for start, end, is_match in parts:
        if is_match == was_match and kept:
            kept[-1] = (kept[-1][0], end)
        else:
            kept.append((start, end))
        was_match = is_match
    return kept


def _with_previous(parts: Parts) -> Kept:
    kept: Kept = []
    was_match = False
    for start, end, is_match in parts:
        if is_match and not was_match and kept:
            kept[-1] = (kept[-1][0], end)
        else:
            kept.append((start, end))
        was_match = is_match
    return kept


def _with_next(parts: Parts) -> Kept:
    kept: Kept = []
    was_match = False
    for start, end, is_match in reversed(parts):
        if is_match and not was_match and kept:
            kept[-1] = (start, kept[-1][1])
        else:
            kept.append((start, end))
        was_match = is_match
    return kept[::-1]


_BEHAVIORS: Final[dict[str, Callable[[Parts], Kept]]] = {
    "Isolated": _isolated,
    "Removed": _removed,
    "Contiguous": _contiguous,
    "MergedWithPrevious": _with_previous,
    "MergedWithNext": _with_next,
}
