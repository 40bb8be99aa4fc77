"""The values of subjects: numbers, tokens, pairs, ties. Each is written as a lesson writes it.

A stated value may hold less than there is to know (`u + g` without its count): what it leaves out is not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

from bpe_tui.core.display import displayable, visible
from bpe_tui.core.i18n import _, number
from bpe_tui.core.readable import AS_IN_FILES
from bpe_tui.core.training.states import StopReason
from bpe_tui.lessons.syntax import ARROW, LineParser, quoted


@dataclass(frozen=True, slots=True)
class PlainValue:
    """A number or a name."""

    text: str

    @classmethod
    def parse_number(cls, parser: LineParser) -> Self:
        """A whole number. Raises `LessonSyntaxError`, as all these do."""
        return cls(str(parser.number(_("the value"))))

    @classmethod
    def parse_number_or_never(cls, parser: LineParser) -> Self:
        """A whole number, or `never`."""
        return cls("never") if parser.keyword("never") else cls.parse_number(parser)

    @classmethod
    def parse_stop_reason(cls, parser: LineParser) -> Self:
        """Why training ends, or `none`."""
        reason, reasons = parser.text(_("the value")), (*map(str, StopReason), "none")
        if reason not in reasons:
            message = _("training does not end for {reason!r}; reasons are {names}")
            raise parser.error(message.format(reason=reason, names=", ".join(reasons)))
        return cls(reason)

    def agrees(self, actual: Value) -> bool:
        """Is `actual` the same?"""
        return self == actual

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class TextValue:
    """A text."""

    text: str

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        """One operand. Raises `LessonSyntaxError`."""
        return cls(parser.text(_("the text")))

    def agrees(self, actual: Value) -> bool:
        """Is `actual` the same?"""
        return self == actual

    def __str__(self) -> str:
        return quoted(self.text)


REFUSED = PlainValue("refused")
"""In the place of tokens: the unknown policy `error` refuses the text."""


class TokenValue(NamedTuple):
    """A token as a value holds it."""

    text: str
    unknown: bool = False

    def __str__(self) -> str:
        if self.unknown:
            return self.text
        return f'"{self.text}"' if looks_unknown(self.text) else quoted(self.text)


def looks_unknown(text: str) -> bool:
    """Does a bare word like this stand for an unknown symbol?"""
    return len(text) > 2 and (text[0], text[-1]) in {("[", "]"), ("<", ">")} and text[1:-1].casefold() == "unk"


@dataclass(frozen=True, slots=True)
class TokensValue:
    """Tokens, pre-tokens or ids in a row."""

    tokens: tuple[TokenValue, ...]

    @classmethod
    def parse(cls, parser: LineParser) -> Value:
        """Tokens up to the end of the line, or `nothing` or `refused`."""
        if parser.keyword("nothing"):
            return cls(())
        if parser.keyword("refused"):
            return REFUSED
        tokens: list[TokenValue] = []
        while parser.more or not tokens:
            word = parser.word(_("a token"))
            tokens.append(TokenValue(word.text, not word.quoted and looks_unknown(word.text)))
        return cls(tuple(tokens))

    def agrees(self, actual: Value) -> bool:
        """Is `actual` the same?"""
        return self == actual

    def __str__(self) -> str:
        return " ".join(map(str, self.tokens)) or "nothing"


@dataclass(frozen=True, slots=True)
class PairValue:
    """A pair, or the merge of it; None for what is not stated."""

    left: str
    right: str
    token: str | None = None
    counted: int | None = None
    replaced: int | None = None
    tied: int | None = None
    """Pairs that shared the highest count, this one included."""

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        """`u + n → un, 16 times, 16 replaced, 2 tied`, or as much of it as is there."""
        left, right = parser.pair()
        token = parser.text(_("a token")) if parser.mark(ARROW) else None
        figures: dict[str, int] = {}
        while parser.mark(","):
            figure = parser.number(_("a figure"))
            unit = parser.text(_("what the figure counts"))
            name = {"times": "counted", "time": "counted", "replaced": "replaced", "tied": "tied"}.get(unit)
            if name is None or name in figures:
                message = _("after a comma comes `N times`, `N replaced` or `N tied`, each once, not {words!r}")
                raise parser.error(message.format(words=f"{figure} {unit}"))
            figures[name] = figure
        return cls(left, right, token, **figures)

    def agrees(self, actual: Value) -> bool:
        """Is all that is stated true of `actual`?"""
        if not isinstance(actual, PairValue) or (self.left, self.right) != (actual.left, actual.right):
            return False
        stated = (
            (self.token, actual.token),
            (self.counted, actual.counted),
            (self.replaced, actual.replaced),
            (self.tied, actual.tied),
        )
        return all(ours is None or ours == theirs for ours, theirs in stated)

    def corrected(self, actual: PairValue) -> PairValue:
        """`actual`, with no more stated than here."""
        return PairValue(
            actual.left,
            actual.right,
            None if self.token is None else actual.token,
            None if self.counted is None else actual.counted,
            None if self.replaced is None else actual.replaced,
            None if self.tied is None else actual.tied,
        )

    def __str__(self) -> str:
        text = f"{quoted(self.left)} + {quoted(self.right)}"
        if self.token is not None:
            text += f" {ARROW} {quoted(self.token)}"
        if self.counted is not None:
            text += f", {self.counted} times"
        if self.replaced is not None and self.replaced != self.counted:
            text += f", {self.replaced} replaced"
        if self.tied is not None and self.tied > 1:
            text += f", {self.tied} tied"
        return text


@dataclass(frozen=True, slots=True)
class TieValue:
    """The pairs that share the highest count."""

    size: int
    """1 if one pair leads alone, 0 if no pair is left."""
    count: int | None = None
    pairs: frozenset[tuple[str, str]] | None = None
    """All of them."""

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        """`2 pairs, 5 times: p + ug, hug + s`, or as much of it as is there; or `none`."""
        if parser.keyword("none"):
            return cls(1)
        size = parser.number(_("the number of tied pairs"), 2)
        if not parser.keyword("pairs"):
            raise parser.error(
                _("write a tie as `N pairs`, `N pairs, M times`, or with all pairs after a colon; or `none`")
            )
        count = None
        if parser.mark(","):
            count = parser.number(_("how often the pairs occur"), 1)
            if not (parser.keyword("times") or parser.keyword("time")):
                raise parser.error(_("write how often the pairs occur as `N times`"))
        if not parser.mark(":"):
            return cls(size, count)
        pairs = [parser.pair()]
        while parser.mark(","):
            pairs.append(parser.pair())
        if len(set(pairs)) != size:
            message = _("a tie of {size} pairs lists all of them, each once; here are {listed}")
            raise parser.error(message.format(size=size, listed=len(set(pairs))))
        return cls(size, count, frozenset(pairs))

    def agrees(self, actual: Value) -> bool:
        """Is all that is stated true of `actual`?"""
        if not isinstance(actual, TieValue):
            return False
        if self.size < 2:
            return actual.size < 2
        if self.size != actual.size or self.count not in (None, actual.count):
            return False
        return self.pairs is None or self.pairs == actual.pairs

    def corrected(self, actual: TieValue) -> TieValue:
        """`actual`, with no more stated than here."""
        return TieValue(
            actual.size,
            None if self.count is None else actual.count,
            None if self.pairs is None else actual.pairs,
        )

    def __str__(self) -> str:
        if self.size < 2:
            return "none"
        text = f"{self.size} pairs"
        if self.count is not None:
            text += f", {self.count} times"
        if self.pairs is not None:
            text += ": " + ", ".join(f"{quoted(left)} + {quoted(right)}" for left, right in sorted(self.pairs))
        return text


def corrected(stated: Value, actual: Value) -> Value:
    """What a statement should have stated, in as much detail as it did."""
    if isinstance(stated, PairValue) and isinstance(actual, PairValue):
        return stated.corrected(actual)
    if isinstance(stated, TieValue) and isinstance(actual, TieValue):
        return stated.corrected(actual)
    return actual


def numbers_in(value: Value) -> set[int]:
    """The figures that a value states."""
    match value:
        case PlainValue(text) if text.isdecimal():
            return {int(text)}
        case TokensValue(tokens):  # ids are tokens to a statement
            return {int(token.text) for token in tokens if token.text.isdecimal()}
        case PairValue():
            return {number for number in (value.counted, value.replaced, value.tied) if number is not None}
        case TieValue(size, count):
            return {size} if count is None else {size, count}
    return set()


def value_text(value: Value) -> str:
    """A value as it is shown, a number as people write it; safe to print."""
    match value:
        case PairValue():
            return AS_IN_FILES.pair(value.left, value.right)
        case TokensValue(tokens):
            return " ".join(visible(token.text) for token in tokens)
        case PlainValue(text) if text.isdecimal():
            return number(int(text))
    return displayable(str(value) if isinstance(value, TieValue) else value.text)


Value = PlainValue | TextValue | TokensValue | PairValue | TieValue
