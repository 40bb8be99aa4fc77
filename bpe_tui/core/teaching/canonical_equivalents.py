"""Characters that look alike and are not: accents written as one character, or as a letter and a mark.

To an eye `é` is `é`; to a tokenizer U+00E9 is one symbol, and U+0065 U+0301 are two others. Unicode calls the two
canonically equivalent (UAX #15): what differs from its own form NFC is a decomposed writing, or a duplicate sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import combining, is_normalized, normalize

from bpe_tui.core.display import displayable
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.i18n import _, number, plural


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A character of the text that has a twin."""

    written: str
    """As it is in the text: one or more code points."""
    twin: str
    """The other writing that looks the same."""
    start: int
    """Its place, in code points."""


def canonical_equivalents(text: str) -> list[LookAlike]:
    """The characters of `text` that are not written as Unicode composes them, each with its composed twin."""
    if text.isascii() or is_normalized("NFC", text):
        return []
    return [
        LookAlike(cluster, normalize("NFC", cluster), start)
        for cluster, start in clusters(text)
        if not cluster.isascii() and not is_normalized("NFC", cluster)
    ]


def clusters(text: str) -> list[tuple[str, int]]:
    """The letters of `text` with the marks on them, and where each starts."""
    found: list[tuple[str, int]] = []
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or not combining(text[place]):
            found.append((text[start:place], start))
            start = place
    return found


def twin_of(cluster: str) -> str:
    """The other writing of one character: decomposed for composed and the other way round; empty if there is none."""
    composed, decomposed = normalize("NFC", cluster), normalize("NFD", cluster)
    if composed == decomposed:
        return ""
    return composed if cluster != composed else decomposed


def look_alike_note(encoder: Encoder, text: str) -> str:
    """A sentence about the first character of `text` whose twin falls into other tokens, and whether the twin is there
    too; empty without one, as under a normalizer that composes."""
    found = [one for one in canonical_equivalents(text) if _tokens_differ(encoder, one)]
    if not found:
        return ""
    first = found[0]
    if first.twin in text:
        template = _(
            "{character} at character {place} is written as {code_points}, and elsewhere as {others}: "
            "they look alike, and their tokens differ."
        )
    else:
        template = _(
            "{character} at character {place} is written as {code_points}; it looks like {others}, whose tokens differ."
        )
    note = template.format(
        character=displayable(first.twin),
        place=number(first.start),
        code_points=code_points(first.written),
        others=code_points(first.twin),
    )
    if len(found) == 1:
        return note
    return f"{note} {plural('There is one more.', 'There are {count} more.', len(found) - 1)}"


def _tokens_differ(encoder: Encoder, pair: LookAlike) -> bool:
    return encoder.encode_ids(pair.written) != encoder.encode_ids(pair.twin)


def code_points(text: str) -> str:
    """`U+0065 U+0301`, the way Unicode names characters by number."""
    return " ".join(f"U+{ord(char):04X}" for char in text)
