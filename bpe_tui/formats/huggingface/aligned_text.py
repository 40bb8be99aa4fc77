"""A text on its way through the normalizer and the pre-tokenizers of a tokenizer.json, aligned with what was typed.

`tokenizers` calls this a `NormalizedString`, and its places alignments: a token can so always be shown where it was
typed, also where characters were replaced, added or dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import regex

Place = tuple[int, int]
"""Start and end in a text, in code points."""
_CLUSTER: Final = regex.compile(r"\X")


@dataclass(slots=True)
class AlignedText:
    """A part of a text, perhaps changed, that knows where each of its characters stood in the whole."""

    text: str
    start: int
    """Where it begins in the whole text."""
    places: list[Place] | None = None
    """For each character where it stood in the whole text; None for what is the text from `start` on, unchanged."""

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


def to_cluster_ends(places: Sequence[Place], text: str) -> list[Place]:
    """Places in a text, each reaching to the end of its grapheme cluster as far as no other place covers that.

    A composing normalizer makes one character of several: `é` of a letter and an accent, a syllable of three jamo. The
    package gives it the place of the first of them; what was typed for it is the whole cluster.
    """
    if text.isascii():
        return list(places)
    reaching = []
    for (start, end), (following, _) in zip(places, [*places[1:], (len(text), len(text))], strict=True):
        if end < following and text[end] not in "\r\n":
            cluster = _CLUSTER.match(text, start)
            end = max(end, min(following, cluster.end() if cluster else end))
        reaching.append((start, end))
    return reaching


def within(places: Sequence[Place], inside: Iterable[Place]) -> list[Place]:
    """`inside`, places in a text whose characters have themselves `places` in another, as places in that other."""
    last = len(places) - 1
    return [(places[min(begin, last)][0], places[min(max(begin, end - 1), last)][1]) for begin, end in inside]
