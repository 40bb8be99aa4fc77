"""A text on its way through the normalizer and the pre-tokenizers of a tokenizer.json, aligned with what was typed.

`tokenizers` calls this a `NormalizedString`, and its places alignments: a token can so always be shown where it was
typed, also where characters were replaced, added or dropped.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import regex

Place = tuple[int, int]
"""Start and end in a text, in code points."""
_CLUSTER: Final = regex.compile(r"\X")


@dataclass(slots=True)
class AlignedText:
    """A part of a text, perhaps changed, that knows where each of its characters was in the whole."""

    text: str
    start: int
    """Where it begins in the whole text."""
    places: list[Place] | None = None
    """For each character where it was in the whole text; None for what is the text from `start` on, unchanged."""

    def slice(self, begin: int, end: int) -> AlignedText:
        """The characters from `begin` to `end`."""
        if self.places is None:
            return AlignedText(self.text[begin:end], self.start + begin)
        places = self.places[begin:end]
        return AlignedText(self.text[begin:end], places[0][0], places)

    def prefixed(self, prefix: str) -> AlignedText:
        """The text behind a prefix that covers nothing of what was typed."""
        return AlignedText(prefix + self.text, self.start, [(self.start, self.start)] * len(prefix) + self.all_places())

    def all_places(self) -> list[Place]:
        """`places`, also where they follow from `start`."""
        if self.places is not None:
            return self.places
        return [(place, place + 1) for place in range(self.start, self.start + len(self.text))]


def is_each_its_own(starts: array[int], ends: array[int], length: int) -> bool:
    """Whether these are the places of the characters of a text that is as it was."""
    return starts == array("I", range(length)) and ends == array("I", range(1, length + 1))


def to_cluster_ends(starts: array[int], ends: array[int], text: str) -> list[Place]:
    """Places in a text, each reaching to the end of its grapheme cluster as far as no other place covers that.

    A composing normalizer makes one character of several: `é` of a letter and an accent, a syllable of three jamo. The
    package gives it the place of the first of them; what was typed for it is the whole cluster.
    """
    places = list(zip(starts, ends, strict=True))
    if text.isascii():
        return places
    following = [*starts[1:], len(text)]
    for place, (end, after) in enumerate(zip(ends, following, strict=True)):
        if end < after and text[end] not in "\r\n" and (cluster := _CLUSTER.match(text, starts[place])):
            places[place] = starts[place], max(end, min(after, cluster.end()))
    return places


def within(text: AlignedText, inside: Iterable[Place]) -> list[Place]:
    """`inside`, places in the text, as places in the whole; of what was added that of the character behind it."""
    last, shift = len(text.text) - 1, text.start
    if text.places is None:
        return [
            (shift + begin, shift + end) if begin < end else (shift + min(begin, last), shift + min(begin, last) + 1)
            for begin, end in inside
        ]
    places = text.places
    return [(places[min(begin, last)][0], places[min(max(begin, end - 1), last)][1]) for begin, end in inside]
