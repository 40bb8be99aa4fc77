"""Patterns of a tokenizer.json, which are Oniguruma's, run by the module `regex`.

Both agree on most of what tokenizers use, and not on all: word characters, letter case, anchors, some repetitions. A
pattern is run here only if it is made of parts that mean the same in both; others are left to the package
`tokenizers`. That the classes are equal on every code point is a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import regex

from bpe_tui.core.corpus.patterns import Pattern
from bpe_tui.core.errors import PatternSyntaxError, TokenizerFileError
from bpe_tui.core.i18n import _

_CATEGORIES: Final = "L Lu Ll Lt Lm Lo M Mn N Nd Nl No P Pd S Sc Sm Z C Cc"
_SCRIPTS: Final = "Han Hiragana Katakana Hangul Thai Latin Cyrillic Arabic"
_PROPERTY: Final = rf"\\[pP]\{{(?:{'|'.join((_CATEGORIES + ' ' + _SCRIPTS).split())})\}}"
_ESCAPE: Final = r"\\(?:[rntf/\\.\-|()\[\]{}?*+^$'\"#&~!@%=:;,_ ]|u[0-9a-fA-F]{4})"
_CLASS_PART: Final = rf"(?:{_PROPERTY}|\\[sSdD]|{_ESCAPE}|[^\\\[\]&^|~])"

_CONTRACTIONS: Final = ("(?i:'s|'t|'re|'ve|'m|'ll|'d)", "(?i:[sdmt]|ll|ve|re)")
"""The only places where case is ignored in the patterns of real tokenizers; there, both agree."""

_WORD: Final = r"[\w\u200c\u200d&&[^\u00b2\u00b3\u00b9\u00bc-\u00be]]"
_NONWORD: Final = r"[\W\u00b2\u00b3\u00b9\u00bc-\u00be&&[^\u200c\u200d]]"
"""How the word characters of `regex`, and all others, are called in Oniguruma."""

_PARTS: Final = {
    "our_word": re.escape(_WORD),
    "our_nonword": re.escape(_NONWORD),
    "fold": "|".join(re.escape(group) for group in _CONTRACTIONS),
    "word": r"\\w",
    "nonword": r"\\W",
    "one": rf"{_PROPERTY}|\\[sSdD]|{_ESCAPE}|\[\^?(?:(?!--){_CLASS_PART})+\]|[^\\\[\](){{}}?*+^$|]",
    "look": r"\((?:\?=|\?!)",
    "open": r"\((?:\?:|\?>|(?!\?))",
    "close": r"\)",
    "end": r"\\z",
    "or": r"\|",
    "repeat": r"\{\d{1,4}(?:,\d{0,4})?\}|[?*+][?+]?",
}
_PART: Final = re.compile("|".join(f"(?P<{name}>{source})" for name, source in _PARTS.items()))

_OURS: Final = {
    "word": r"(?:(?![\u200c\u200d])[\w\u00b2\u00b3\u00b9\u00bc-\u00be])",
    "nonword": r"(?:(?![\u00b2\u00b3\u00b9\u00bc-\u00be])[\W\u200c\u200d])",
    "our_word": r"\w",
    "our_nonword": r"\W",
    "end": r"\Z",
}
"""Oniguruma's word characters in `regex`: the joiners are none, and Latin-1's superscripts and fractions are."""
_THEIRS: Final = {"word": _WORD, "nonword": _NONWORD}

Matches = Iterator[tuple[int, int]]


def compile_pattern(pattern: dict[str, str], kind: str) -> Pattern | None:
    """`pattern`, of a component of this kind, for `regex`; None if its parts might mean something else there.

    Raises TokenizerFileError for a pattern that is empty.
    """
    if "String" in pattern:
        if not pattern["String"]:
            raise TokenizerFileError(
                _("{kind} looks for an empty text, which is nowhere and everywhere").format(kind=kind)
            )
        return Pattern(regex.escape(pattern["String"]))
    translated = _translated(pattern["Regex"], _OURS)
    if translated is None:
        return None
    try:
        return Pattern(translated, name=pattern["Regex"])
    except PatternSyntaxError:
        return None


def spelt(source: str) -> str | None:
    """A pattern of ours as Oniguruma spells it; None if it has parts that are not known to mean the same."""
    return _translated(source, _THEIRS)


def _translated(source: str, spellings: Mapping[str, str]) -> str | None:
    """`source` with some kinds of parts spelt otherwise; None if it has parts not known to mean the same in both."""
    made: list[str] = []
    groups: list[bool] = []
    """For each open group whether something in it only looks ahead, so that it must not be repeated."""
    place, can_repeat = 0, False
    while place < len(source):
        match = _PART.match(source, place)
        if match is None or (match.lastgroup == "end" and "end" not in spellings):
            return None
        part, text = match.lastgroup, match.group()
        if part == "repeat":
            if not can_repeat or _means_another_thing(text, source[match.end() :]):
                return None
            can_repeat = False
        elif part in ("look", "open"):
            groups.append(part == "look")
            can_repeat = False
        elif part == "close":
            if not groups:
                return None
            looks = groups.pop()
            can_repeat = not looks
            if looks and groups:
                groups[-1] = True
        else:
            can_repeat = part not in ("or", "end")
        made.append(spellings.get(str(part), text))
        place = match.end()
    return None if groups else "".join(made)


def _means_another_thing(repeat: str, rest: str) -> bool:
    """`{2}+` is possessive to one and repeats a repetition to the other; `{2}?` is lazy to one only."""
    return repeat.startswith("{") and rest[:1] in ("?", "+", "*", "{")


def matches(pattern: Pattern, text: str) -> Matches:
    """Where `pattern` matches, one after the other, as Oniguruma looks: an empty match not right behind another one.

    Raises `PatternError`.
    """
    found = pattern.spans(text)
    return iter(found) if all(start < end for start, end in found) else _with_empty_ones(pattern, text)


def _with_empty_ones(pattern: Pattern, text: str) -> Matches:
    found: list[tuple[int, int]] = []
    with pattern.limited(text) as left:
        place, last = 0, -1
        while place <= len(text):
            match = pattern.compiled.search(text, place, timeout=left())
            if match is None:
                break
            start, end = match.span()
            if start == end == last:
                place = end + 1
                continue
            place = last = end
            found.append((start, end))
    return iter(found)
