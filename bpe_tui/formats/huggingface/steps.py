"""Pre-tokenizers of a tokenizer.json that run here, as steps: from pieces of a text to smaller pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

import regex

from bpe_tui.core.corpus.patterns import Pattern
from bpe_tui.core.corpus.pretokenize import PATTERNS, Span, make_pre_tokenizer
from bpe_tui.core.options import Options
from bpe_tui.formats.huggingface import oniguruma
from bpe_tui.formats.huggingface.aligned_text import AlignedText
from bpe_tui.formats.huggingface.foreign import ForeignPreTokenizer
from bpe_tui.formats.huggingface.schema import fields_of

_OLD_PUNCTUATION: Final = (
    r"\u061d\u09fd\u0a76\u0c77\u0c84\u1b4e\u1b4f\u1b7d-\u1b7f\u2e43-\u2e4f\u2e52-\u2e5d\U00010d6e\U00010ead"
    r"\U00010f55-\U00010f59\U00010f86-\U00010f89\U000113d4\U000113d5\U000113d7\U000113d8\U0001144b-\U0001144f"
    r"\U0001145a\U0001145b\U0001145d\U00011660-\U0001166c\U000116b9\U0001183b\U00011944-\U00011946\U000119e2"
    r"\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2\U00011b00-\U00011b09\U00011be1"
    r"\U00011c41-\U00011c45\U00011c70\U00011c71\U00011ef7\U00011ef8\U00011f43-\U00011f4f\U00011fff\U00012ff1"
    r"\U00012ff2\U00016d6d-\U00016d6f\U00016e97-\U00016e9a\U00016fe2\U0001e5ff\U0001e95e\U0001e95f"
)
"""Punctuation of Unicode 16 that is none to `tokenizers`, whose table of it is older."""
_PUNCTUATION_CLASSES: Final = r"\p{P}!-/:-@\[-`{-~\u166d\U000111c9"
PUNCTUATION: Final = rf"(?![{_OLD_PUNCTUATION}])[{_PUNCTUATION_CLASSES}]"
BERT_WORD: Final = rf"{PUNCTUATION}|(?:[^\s{_PUNCTUATION_CLASSES}]|[{_OLD_PUNCTUATION}])+"
"""What BertPreTokenizer makes a word: one punctuation mark, or what is between these and white space."""
SPLIT_NAMES: Final = {
    **{source: name for name, source in PATTERNS.items() if name in ("gpt2", "cl100k", "o200k")},
    # The same patterns as other tools spell them.
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": "gpt2",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+": "cl100k",
}
"""Patterns that, splitting with the behaviour Isolated, are a pre-tokenizer of ours."""

NUMERIC: Final = r"[\p{N}\U00011de0-\U00011de9\U00016ff4-\U00016ff6]"
"""Numbers to `tokenizers`, whose table of these is newer."""


class PreTokenizerStep(Protocol):
    """One pre-tokenizer of a file."""

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """The words that it leaves of a text, none of them empty."""

    def words(self, text: str, at_start: bool) -> list[str]:
        """The same without places; `at_start` says that `text` begins the whole text."""


Step = PreTokenizerStep | ForeignPreTokenizer
"""The second kind takes many texts at a time."""


class NamedStep:
    """A pre-tokenizer that training has too, by its name in the options."""

    def __init__(self, name: str) -> None:
        self._pre_tokenizer = make_pre_tokenizer(Options(pre_tokenizer=name))

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """See `PreTokenizerStep`."""
        return [text.slice(begin, end) for _, begin, end in self._pre_tokenizer.spans(text.text)]

    def spans(self, text: str, start: int) -> list[Span]:
        """The words of a piece that is the text from `start` on."""
        spans = self._pre_tokenizer.spans(text)
        return spans if not start else [(word, start + begin, start + end) for word, begin, end in spans]

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `PreTokenizerStep`."""
        return self._pre_tokenizer.split(text)


class SplitStep:
    """Keeps parts of the text."""

    def __init__(self, spans: Callable[[str], Iterable[tuple[int, int]]], words: Callable[[str], list[str]] | None):
        self._spans = spans
        self._words = words

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """See `PreTokenizerStep`."""
        return [text.slice(begin, end) for begin, end in self._spans(text.text)]

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `PreTokenizerStep`."""
        return self._words(text) if self._words else [text[begin:end] for begin, end in self._spans(text)]


class MetaspaceStep:
    """Writes spaces as another character, which may also be put before the text, and may begin a word."""

    def __init__(self, replacement: str, scheme: str, split: bool) -> None:
        self._replacement = replacement
        self.scheme = scheme
        escaped = re.escape(replacement)
        self._words = regex.compile(f"{escaped}[^{escaped}]*|[^{escaped}]+") if split else None

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """See `PreTokenizerStep`."""
        changed = AlignedText(text.text.replace(" ", self._replacement), text.start, text.places)
        if self._prepends(changed.text, text.start == 0):
            changed = changed.prefixed(self._replacement)
        return [changed.slice(begin, end) for begin, end in self._cuts(changed.text)]

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `PreTokenizerStep`."""
        text = text.replace(" ", self._replacement)
        if self._prepends(text, at_start):
            text = self._replacement + text
        return [text[begin:end] for begin, end in self._cuts(text)]

    def _prepends(self, text: str, at_start: bool) -> bool:
        wanted = self.scheme == "always" or (self.scheme == "first" and at_start)
        return wanted and not text.startswith(self._replacement)

    def _cuts(self, text: str) -> list[tuple[int, int]]:
        if self._words is None:
            return [(0, len(text))]
        return [match.span() for match in self._words.finditer(text)]


class PrefixSpaceStep:
    """ByteLevel's: a space is put before a text that has none."""

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """See `PreTokenizerStep`."""
        return [text if text.text.startswith(" ") else text.prefixed(" ")]

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `PreTokenizerStep`."""
        return [text if text.startswith(" ") else f" {text}"]


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
            steps += [PrefixSpaceStep()] if fields["add_prefix_space"] else []
            steps += [NamedStep("gpt2")] if fields["use_regex"] else []
        else:
            steps.append(_step_of(component))
    return steps


def _step_of(component: Any) -> Step:
    fields = fields_of(component, "pre-tokenizer")
    kind = fields["type"]
    if kind == "Whitespace":
        return NamedStep("whitespace")
    if kind == "WhitespaceSplit":
        return _by_pattern(r"\S+")
    if kind == "BertPreTokenizer":
        return _by_pattern(BERT_WORD)
    if kind == "Metaspace":
        return MetaspaceStep(fields["replacement"], fields["prepend_scheme"], fields["split"])
    if kind == "Digits":
        behavior = "Isolated" if fields["individual_digits"] else "Contiguous"
        return _by_behavior(Pattern(NUMERIC), behavior, invert=False)
    if kind == "Punctuation":
        return _by_behavior(Pattern(PUNCTUATION), fields["behavior"], invert=False)
    if kind == "Split":
        name = SPLIT_NAMES.get(fields["pattern"].get("Regex", ""))
        if name is not None and fields["behavior"] == "Isolated":
            return NamedStep(name)  # these match every character, so that nothing lies between the words
        pattern = oniguruma.compile_pattern(fields["pattern"], "Split")
        if pattern is not None:
            return _by_behavior(pattern, fields["behavior"], invert=fields["invert"])
    return ForeignPreTokenizer(component)


def _by_pattern(source: str) -> PreTokenizerStep:
    """The words are what the pattern matches."""
    compiled = regex.compile(source)
    return SplitStep(lambda text: [match.span() for match in compiled.finditer(text)], compiled.findall)


def _by_behavior(pattern: Pattern, behavior: str, *, invert: bool) -> PreTokenizerStep:
    def spans(text: str) -> Iterable[tuple[int, int]]:
        last = 0
        parts: list[tuple[int, int, bool]] = []
        for start, end in oniguruma.matches(pattern, text):
            if start > last:
                parts.append((last, start, invert))
            parts.append((start, end, not invert))
            last = end
        if last < len(text):
            parts.append((last, len(text), invert))
        return [(start, end) for start, end in _BEHAVIORS[behavior](parts) if end > start]

    def words(text: str) -> list[str]:
        found = pattern.findall(text)
        if sum(map(len, found)) == len(text):  # nothing lies between the matches
            return [word for word in found if word]
        return [text[start:end] for start, end in spans(text)]

    return SplitStep(spans, words if behavior == "Isolated" and not pattern.compiled.groups else None)


# -- what becomes of a match and of what lies between matches: (start, end, whether it is a match) ---------------------

Parts = list[tuple[int, int, bool]]
Spans = list[tuple[int, int]]


def _isolated(parts: Parts) -> Spans:
    return [(start, end) for start, end, _ in parts]


def _removed(parts: Parts) -> Spans:
    return [(start, end) for start, end, is_match in parts if not is_match]


def _contiguous(parts: Parts) -> Spans:
    spans: Spans = []
    was_match = False
    for start, end, is_match in parts:
        if is_match == was_match and spans:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        was_match = is_match
    return spans


def _with_previous(parts: Parts) -> Spans:
    spans: Spans = []
    was_match = False
    for start, end, is_match in parts:
        if is_match and not was_match and spans:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        was_match = is_match
    return spans


def _with_next(parts: Parts) -> Spans:
    spans: Spans = []
    was_match = False
    for start, end, is_match in reversed(parts):
        if is_match and not was_match and spans:
            spans[-1] = (start, spans[-1][1])
        else:
            spans.append((start, end))
        was_match = is_match
    return spans[::-1]


_BEHAVIORS: Final[dict[str, Callable[[Parts], Spans]]] = {
    "Isolated": _isolated,
    "Removed": _removed,
    "Contiguous": _contiguous,
    "MergedWithPrevious": _with_previous,
    "MergedWithNext": _with_next,
}
