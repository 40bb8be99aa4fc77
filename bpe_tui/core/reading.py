"""A text as its tokens, and what there is to say about it: figures, unknown symbols, and why a word isn't one token."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bpe_tui.core.alphabet import chars_to_bytes, is_byte_level, utf8
from bpe_tui.core.encoder import Encoder, Token
from bpe_tui.core.errors import EncodeError
from bpe_tui.core.glyphs import glyphs
from bpe_tui.core.look_alikes import code_points, twin_of
from bpe_tui.core.presets import UNKNOWN_POLICIES
from bpe_tui.core.pretokenize import Span

WORDS_AT_ONCE: Final = 256
"""Words that are read between two points where a caller may pause or stop."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How much text, in how many tokens."""

    tokens: int
    characters: int
    bytes: int
    words: int
    unknown: int

    @property
    def tokens_per_word(self) -> float:
        """Fertility: 1.0 if every word is one token."""
        return self.tokens / self.words if self.words else 0.0

    @property
    def share_of_bytes(self) -> float:
        """Tokens against one byte a token; 1.0 if nothing is gained."""
        return self.tokens / self.bytes if self.bytes else 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """A text cut into words and tokens at one moment of training."""

    text: str
    unknown: str
    """The policy for unknown symbols."""
    spans: Sequence[Span]
    words: Sequence[Sequence[Token]]
    """Tokens by word; a word that was dropped has none."""
    error: str = ""
    """Why the policy refuses the text; its tokens are then shown as under `token`."""
    first: Sequence[int] = field(init=False)
    """For each word the number of tokens before it, and at the end the number of all."""

    def __post_init__(self) -> None:
        first = [0]
        for word in self.words:
            first.append(first[-1] + len(word))
        object.__setattr__(self, "first", first)

    def __len__(self) -> int:
        """Tokens in all."""
        return self.first[-1]

    def word_of(self, token: int) -> int:
        """The word that a token belongs to."""
        return bisect_right(self.first, token) - 1

    def token(self, index: int) -> Token:
        """One of all tokens."""
        word = self.word_of(index)
        return self.words[word][index - self.first[word]]

    def word_at(self, offset: int) -> int:
        """The word at (or right before) a place of the text in code points; -1 if there is none."""
        return bisect_right(self.spans, offset, key=lambda span: span[1]) - 1

    def token_at(self, offset: int) -> int:
        """The token at (or right before) a place of the text; -1 if there is none."""
        word = self.word_at(offset)
        if word < 0:
            return -1
        inside = [index for index, token in enumerate(self.words[word]) if token.start <= offset]
        return self.first[word] + (inside[-1] if inside else 0) if self.words[word] else self.first[word] - 1

    def figures(self) -> Figures:
        """The counts."""
        unknown = sum(token.unknown for word in self.words for token in word)
        return Figures(len(self), len(self.text), len(utf8(self.text)), len(self.words), unknown)


def read(encoder: Encoder, text: str, unknown: str = "token") -> Generator[None, None, Reading]:
    """Tokenize `text`; the generator yields now and then, and returns the `Reading`.

    Raises `OptionError` if the words cannot be found (a pattern without end).
    """
    spans = encoder.spans(text)
    yield
    words: list[list[Token]] = []
    error = ""
    for start in range(0, len(spans), WORDS_AT_ONCE):
        page = spans[start : start + WORDS_AT_ONCE]
        try:
            made = list(encoder.by_word(text, unknown="token" if error else unknown, spans=page))
        except EncodeError as refused:
            error = str(refused)
            made = list(encoder.by_word(text, spans=page))
        words += made
        yield
    return Reading(text, unknown, spans, words, error)


def read_now(encoder: Encoder, text: str, unknown: str = "token") -> Reading:
    """`read` without pauses."""
    reading = read(encoder, text, unknown)
    while True:
        try:
            next(reading)
        except StopIteration as stop:
            result: Reading = stop.value
            return result


# -- unknown policies, side by side -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """What one unknown policy makes of a word."""

    policy: str
    tokens: tuple[Token, ...]
    error: str
    """Why it refuses, if it does."""
    read_back: str
    """The text that the tokens decode to; unknown tokens stand as they are written."""
    loses: bool
    """Reading back gives another text, and nothing in the tokens tells."""


def compare_policies(encoder: Encoder, text: str, span: Span) -> list[PolicyResult]:
    """One word under every unknown policy."""
    results = []
    for policy in UNKNOWN_POLICIES:
        try:
            tokens = next(encoder.by_word(text, unknown=policy, spans=[span]))
        except EncodeError as error:
            results.append(PolicyResult(policy, (), str(error), "", False))
            continue
        back = read_back(encoder, tokens)
        silent = not any(token.unknown for token in tokens)
        loses = silent and back.strip() != text[span[1] : span[2]].strip()
        results.append(PolicyResult(policy, tuple(tokens), "", back, loses))
    return results


def read_back(encoder: Encoder, tokens: Sequence[Token]) -> str:
    """What tokens decode to, unknown ones as they are written."""
    parts: list[str] = []
    known: list[int] = []
    for token in tokens:
        if not token.unknown and token.id is not None:
            known.append(token.id)
            continue
        parts += [encoder.decode(known), token.text]
        known = []
    return "".join([*parts, encoder.decode(known)])


# -- facts about one token --------------------------------------------------------------------------------------


def token_facts(encoder: Encoder, reading: Reading, index: int) -> list[str]:
    """Short facts about a token, fit to be shown in a row."""
    token = reading.token(index)
    covered = reading.text[token.start : token.end]
    facts = [f"token {index + 1:,} of {len(reading):,}"]
    if token.unknown:
        facts.append(unknown_sentence(covered))
    facts.append("no id" if token.id is None else f"id {token.id:,}")
    if token.end - token.start == 1:
        facts.append(f"character {token.start:,}")
    else:
        facts.append(f"characters {token.start:,}–{token.end:,}")
    data = token_bytes(encoder, token, covered)
    if data:
        facts.append(f"{'byte' if len(data) == 1 else 'bytes'} {data.hex(' ').upper()}")
    if covered and data != utf8(covered) and not token.unknown and is_byte_level(encoder.options):
        facts.append(f"part of {shown(covered)} ({code_points(covered)})")
    elif len(covered) == 1 and not covered.isascii():
        facts.append(code_points(covered))
    twin = twin_of(covered) if covered and len(covered) <= 4 else ""
    if twin:
        facts.append(f"looks like {code_points(twin)}")
    return facts


def token_bytes(encoder: Encoder, token: Token, covered: str) -> bytes:
    """The bytes that a token stands for."""
    if not token.unknown and is_byte_level(encoder.options):
        try:
            return chars_to_bytes(token.text.removesuffix(encoder.options.end_of_word))
        except UnicodeEncodeError:
            pass
    return utf8(covered)


def unknown_sentence(covered: str) -> str:
    """`m is not in the alphabet`."""
    if not covered:
        return "the word ending is not in the alphabet"
    return (
        f"{shown(covered)} is not in the alphabet" if len(covered) == 1 else f"{shown(covered)} are not in the alphabet"
    )


def shown(text: str) -> str:
    """Text safe to show, spaces included."""
    return glyphs(text).replace(" ", "␣")
