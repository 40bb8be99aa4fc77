"""Statements, `SUBJECT: VALUE`: what must be true at a moment. Questions take their answers from the same subjects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from bpe_tui.core.i18n import _, mark
from bpe_tui.core.options import PRE_TOKENIZERS, TIE_RULES, UNKNOWN_POLICIES
from bpe_tui.core.training.states import StopReason
from bpe_tui.lessons.values import PairValue, Piece, Pieces, Plain, TieValue, Value, looks_unknown
from bpe_tui.lessons.words import ARROW, Reader, written


@dataclass(frozen=True, slots=True)
class Subject:
    """What a statement or a question is about."""

    name: str
    """One of `SUBJECTS`."""
    texts: tuple[str, ...] = ()
    """A text to encode, a word, a token, the halves of a pair, a tie rule."""
    number: int = 0
    unknown: str = "token"
    pre_tokenizer: str | None = None

    def __str__(self) -> str:
        told = [self.name]
        if self.name == "count":
            told.append(" + ".join(map(written, self.texts)))
        else:
            told += map(written, self.texts)
        if self.name == "merge":
            told.append(str(self.number))
        if self.unknown != "token":
            told.append(f"unknown={self.unknown}")
        if self.pre_tokenizer is not None:
            told += ["by", self.pre_tokenizer]
        return " ".join(told)


@dataclass(frozen=True, slots=True)
class Claim:
    """A subject and the value that it must have."""

    subject: Subject
    value: Value

    def __str__(self) -> str:
        return f"{self.subject}: {self.value}"


def policy_of(reader: Reader) -> str:
    """`unknown=POLICY`, if it is there; `token` otherwise."""
    setting = reader.setting()
    if setting is None:
        return "token"
    name, value = setting
    if name != "unknown" or value not in UNKNOWN_POLICIES:
        told = _("{setting!r} cannot stand here; write unknown= and one of {names}")
        raise reader.fault(told.format(setting=f"{name}={value}", names=", ".join(UNKNOWN_POLICIES)))
    return value


def pre_tokenizers_of(reader: Reader) -> tuple[str, ...]:
    """`by NAME …`, if it is there."""
    if not reader.literal("by"):
        return ()
    names = [_pre_tokenizer(reader)]
    while reader.more:
        names.append(_pre_tokenizer(reader))
    return tuple(names)


def _pre_tokenizer(reader: Reader) -> str:
    name = reader.text(_("the name of a pre-tokenizer"))
    if name not in PRE_TOKENIZERS:
        told = _("there is no pre-tokenizer {name!r}; there are {names}")
        raise reader.fault(told.format(name=name, names=", ".join(PRE_TOKENIZERS)))
    return name


def tie_rule_of(reader: Reader) -> str:
    """The name of a tie rule, which must come next."""
    rule = reader.text(_("a tie rule"))
    if rule not in TIE_RULES:
        told = _("{rule!r} is no tie rule; there are {names}")
        raise reader.fault(told.format(rule=rule, names=", ".join(TIE_RULES)))
    return rule


def subject_of(reader: Reader) -> Subject:
    """The subject that comes next. Raises `LessonSyntaxError`."""
    name = reader.text(_("what the statement is about"))
    if name not in SUBJECTS:
        told = _("nothing can be said of {name!r}; subjects are {names}")
        raise reader.fault(told.format(name=name, names=", ".join(SUBJECTS)))
    return SUBJECTS[name].operands(name, reader)


def claim_of(reader: Reader) -> Claim:
    """The claim that comes next. Raises `LessonSyntaxError`."""
    subject = subject_of(reader)
    if not reader.mark(":"):
        told = _("a colon is missing after {subject!r}; a statement is written `SUBJECT: VALUE`")
        raise reader.fault(told.format(subject=str(subject)))
    return Claim(subject, SUBJECTS[subject.name].value(reader))


def _alone(name: str, reader: Reader) -> Subject:
    return Subject(name)


def _numbered(name: str, reader: Reader) -> Subject:
    return Subject(name, number=reader.number(_("the number of a merge"), 1))


def _pair(name: str, reader: Reader) -> Subject:
    return Subject(name, reader.pair())


def _one_text(what: str) -> Callable[[str, Reader], Subject]:
    return lambda name, reader: Subject(name, (reader.text(_(what)),))


def _rule(name: str, reader: Reader) -> Subject:
    return Subject(name, (tie_rule_of(reader),))


def _encoded(name: str, reader: Reader) -> Subject:
    return Subject(name, (reader.text(_("the text to encode")),), unknown=policy_of(reader))


def _cut(name: str, reader: Reader) -> Subject:
    text = reader.text(_("the text"))
    return Subject(name, (text,), pre_tokenizer=_pre_tokenizer(reader) if reader.literal("by") else None)


def _number(reader: Reader) -> Value:
    return Plain(str(reader.number(_("the value"))))


def _number_or_never(reader: Reader) -> Value:
    return Plain("never") if reader.literal("never") else _number(reader)


def _reason(reader: Reader) -> Value:
    reason, reasons = reader.text(_("the value")), (*map(str, StopReason), "none")
    if reason not in reasons:
        told = _("training does not end for {reason!r}; reasons are {names}")
        raise reader.fault(told.format(reason=reason, names=", ".join(reasons)))
    return Plain(reason)


def _pieces(reader: Reader) -> Value:
    if reader.literal("nothing"):
        return Pieces(())
    if reader.literal("refused"):
        return Plain("refused")
    pieces: list[Piece] = []
    while reader.more or not pieces:
        word = reader.word(_("a token"))
        pieces.append(Piece(word.text, not word.quoted and looks_unknown(word.text)))
    return Pieces(tuple(pieces))


def _merge(reader: Reader) -> Value:
    left, right = reader.pair()
    token = reader.text(_("a token")) if reader.mark(ARROW) else None
    figures: dict[str, int] = {}
    while reader.mark(","):
        figure = reader.number(_("a figure"))
        unit = reader.text(_("what the figure counts"))
        name = {"times": "counted", "time": "counted", "replaced": "replaced", "tied": "tied"}.get(unit)
        if name is None or name in figures:
            told = _("after a comma comes `N times`, `N replaced` or `N tied`, each once, not {words!r}")
            raise reader.fault(told.format(words=f"{figure} {unit}"))
        figures[name] = figure
    return PairValue(left, right, token, **figures)


def _tie(reader: Reader) -> Value:
    if reader.literal("none"):
        return TieValue(1)
    size = reader.number(_("the number of tied pairs"), 2)
    if not reader.literal("pairs"):
        raise reader.fault(
            _("write a tie as `N pairs`, `N pairs, M times`, or with all pairs after a colon; or `none`")
        )
    count = None
    if reader.mark(","):
        count = reader.number(_("how often the pairs occur"), 1)
        if not (reader.literal("times") or reader.literal("time")):
            raise reader.fault(_("write how often the pairs occur as `N times`"))
    if not reader.mark(":"):
        return TieValue(size, count)
    pairs = [reader.pair()]
    while reader.mark(","):
        pairs.append(reader.pair())
    if len(set(pairs)) != size:
        told = _("a tie of {size} pairs lists all of them, each once; here are {listed}")
        raise reader.fault(told.format(size=size, listed=len(set(pairs))))
    return TieValue(size, count, frozenset(pairs))


class Kind(NamedTuple):
    """How a subject and its value are read."""

    operands: Callable[[str, Reader], Subject]
    value: Callable[[Reader], Value]


SUBJECTS: Final[dict[str, Kind]] = {
    "merge": Kind(_numbered, _merge),
    "next": Kind(_alone, _merge),
    "tie": Kind(_alone, _tie),
    "winner": Kind(_rule, _merge),
    "parting": Kind(_rule, _number_or_never),
    "count": Kind(_pair, _number),
    "token": Kind(_one_text(mark("a token")), _number),
    "word": Kind(_one_text(mark("a word of the corpus")), _pieces),
    "tokens": Kind(_encoded, _pieces),
    "length": Kind(_encoded, _number),
    "ids": Kind(_encoded, _pieces),
    "longest-match": Kind(_encoded, _pieces),
    "pre-tokens": Kind(_cut, _pieces),
    "vocabulary": Kind(_alone, _number),
    "alphabet": Kind(_alone, _number),
    "words": Kind(_alone, _number),
    "corpus": Kind(_alone, _number),
    "pairs": Kind(_alone, _number),
    "merges": Kind(_alone, _number),
    "stop": Kind(_alone, _reason),
}
"""All that a statement can be about."""
