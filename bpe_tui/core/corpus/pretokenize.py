"""Pre-tokenizers: from a document to the pre-tokens ("words") inside which pairs are merged.

The patterns are those of GPT-2, GPT-4 (cl100k) and GPT-4o (o200k); `whitespace` and `metaspace` are the Hugging Face
pre-tokenizers of those names, `spaces` is subword-nmt's split. All run on the `regex` module, whose version is bounded
in pyproject.toml so that its Unicode tables (16.0) are those of `tokenizers` and `tiktoken`: with newer tables some
seventeen thousand code points would be letters here and symbols there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from bpe_tui.core.corpus.patterns import Pattern, compiled
from bpe_tui.core.errors import OptionError, PatternSyntaxError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options

if TYPE_CHECKING:
    import regex

_CONTRACTION: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER: Final = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER: Final = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"

PATTERNS: Final[dict[str, str]] = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": (
        _CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "o200k": (
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_CONTRACTION}?"
        rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_CONTRACTION}?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "whitespace": r"\w+|[^\w\s]+",
    "spaces": r"[^ ]+",
}
"""Pre-tokenizers that are one pattern: a document's words are its matches, in order."""

TIKTOKEN_CL100K: Final = PATTERNS["cl100k"].replace(r"|\s*[\r\n]+", r"|\s+\Z|\s*[\r\n]+")
"""As tiktoken has it since its version 0.8: all white space at the end of a text is one word, newlines or not."""
_WITHOUT_GAPS: Final = (*(PATTERNS[name] for name in ("gpt2", "cl100k", "o200k")), TIKTOKEN_CL100K)
"""Patterns that match every character, so that the words put together are the document."""

METASPACE: Final = "▁"

Span = tuple[str, int, int]
"""A word and its place in the document: start and end in code points."""


class PlacedSpan(tuple[str, int, int]):
    """A span whose word is not the text that it covers, or that is a token by itself."""

    places: Sequence[tuple[int, int]]
    """The place in the document of each character of the word; not needed where `token` is given."""
    token: int | None
    """The id of the special token that the word is; None for words to be encoded."""

    def __new__(
        cls, word: str, start: int, end: int, *, places: Sequence[tuple[int, int]] = (), token: int | None
    ) -> PlacedSpan:
        """A span with `places` and `token` as attributes."""
        span = super().__new__(cls, (word, start, end))
        span.places = places
        span.token = token
        return span


def shifted(span: Span, by: int) -> Span:
    """The span further along the document."""
    word, start, end = span
    if not isinstance(span, PlacedSpan):
        return word, start + by, end + by
    places = [(first + by, last + by) for first, last in span.places]
    return PlacedSpan(word, start + by, end + by, places=places, token=span.token)


def span_key(span: Span) -> Hashable:
    """A key that spans share if their words become the same tokens, at the same places from their starts."""
    word, start, end = span
    if not isinstance(span, PlacedSpan):
        return word
    if span.token is not None:
        return span.token, end - start
    return word, end - start, tuple((first - start, last - start) for first, last in span.places)


class PreTokenizer:
    """Cuts documents into words; made by `make_pre_tokenizer`."""

    def __init__(self, name: str, split: Callable[[str], list[str]], spans: Callable[[str], list[Span]]) -> None:
        self.name = name
        self.split = split
        """The words of a document, in order."""
        self.spans = spans
        """The words of a document with their places. A word differs from the text it covers only under `metaspace`."""


def make_pre_tokenizer(options: Options) -> PreTokenizer:
    """The pre-tokenizer that `options` name. Raises `OptionError` for a pattern that does not compile."""
    name = options.pre_tokenizer
    if name == "none":
        return PreTokenizer(name, lambda text: [text] if text else [], lambda text: [(text, 0, len(text))] * bool(text))
    if name == "metaspace":
        return PreTokenizer(name, lambda text: [word for word, _, _ in _metaspace(text)], _metaspace)
    if name == "pattern" and options.pattern not in _WITHOUT_GAPS:
        return _own_pattern(options.pattern or "")
    if name == "file":
        raise OptionError(
            _("the words of this text are cut by the components of a tokenizer file, which is not at hand")
        )
    source = options.pattern or PATTERNS[name]
    in_ascii = _ascii(source).findall

    def words(text: str) -> list[str]:
        """The pattern's matches. `re` finds those of ASCII text twice as fast: in 1 MB in 0.10 s instead of 0.20 s."""
        return in_ascii(text) if text.isascii() else _unicode(source).findall(text)

    if source in _WITHOUT_GAPS:
        return PreTokenizer(name, words, lambda text: _side_by_side(words(text)))
    return PreTokenizer(
        name,
        words,
        lambda text: [(match.group(), match.start(), match.end()) for match in _unicode(source).finditer(text)],
    )


@cache
def _unicode(source: str) -> regex.Pattern[str]:
    return compiled(source)


@cache
def _ascii(source: str) -> re.Pattern[str]:
    """The same pattern with Unicode's classes reduced to their ASCII characters."""
    source = source.replace(_UPPER, "A-Z").replace(_LOWER, "a-z").replace(r"\p{L}\p{N}", "A-Za-z0-9")
    return re.compile(source.replace(r"\p{L}", "[A-Za-z]").replace(r"\p{N}", "[0-9]"), re.ASCII)


def drops_text(options: Options) -> bool:
    """Whether something of a document, such as the spaces, may be in none of its words."""
    return options.pre_tokenizer in ("whitespace", "spaces", "pattern")


def _side_by_side(words: list[str]) -> list[Span]:
    """The spans of words with nothing between them."""
    ends = list(accumulate(map(len, words)))
    return list(zip(words, [0, *ends], ends, strict=False))


def _own_pattern(source: str) -> PreTokenizer:
    """A pattern of the user's own: its non-empty matches are the words; what it does not match is left out."""
    try:
        pattern = Pattern(source)
    except PatternSyntaxError as error:
        raise OptionError(
            _("--pattern {source!r} is not a regular expression: {reason}").format(source=source, reason=error)
        ) from error
    return PreTokenizer(
        "pattern",
        lambda text: list(filter(None, pattern.findall(text))),
        lambda text: [(text[start:end], start, end) for start, end in pattern.spans(text) if start < end],
    )


def _metaspace(text: str) -> list[Span]:
    """Hugging Face `Metaspace`: spaces become `▁`, one is put before the text, and each `▁` starts a word."""
    if not text:
        return []
    shown = text.replace(" ", METASPACE)
    added = not shown.startswith(METASPACE)
    if added:
        shown = METASPACE + shown
    starts = [place for place, char in enumerate(shown) if char == METASPACE]
    ends = [*starts[1:], len(shown)]
    words: list[Span] = [(shown[start:end], start, end) for start, end in zip(starts, ends, strict=True)]
    if not added:
        return words
    (first, _start, end), *rest = words
    places = [(0, 0), *((place, place + 1) for place in range(end - 1))]  # the `▁` put before the text covers nothing
    return [
        PlacedSpan(first, 0, end - 1, places=places, token=None),
        *((word, start - 1, end - 1) for word, start, end in rest),
    ]
