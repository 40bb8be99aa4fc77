"""Questions: how an `ask` block is read, and how an answer is judged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from bpe_tui.core.display import displayable, visible
from bpe_tui.core.i18n import _, number
from bpe_tui.core.teaching.explain import rule_reason, shown_pair, times
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.prose import Prose, Spans, parse_prose, parse_spans, plain_text
from bpe_tui.lessons.subjects import NextSubject, Subject, parse_subject
from bpe_tui.lessons.syntax import LessonSyntaxError, LineParser
from bpe_tui.lessons.values import PairValue, PlainValue, TieValue, TokensValue, Value

_FIELDS: Final = ("answer", "accept", "hint", "explain")
_FIELD: Final = re.compile(rf"({'|'.join(_FIELDS)}):(?:\s+|$)(.*)")
_CHOICE: Final = re.compile(r"[-*]\s+(?:\[([ xX])\]\s+)?(\S.*)")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers offered."""

    spans: Spans
    text: str
    """Without its styles."""
    is_right: bool | None
    """As the author marked it; None where the answer is computed."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the reader is asked: to choose, or to answer freely."""

    line: int = field(compare=False)
    prose: tuple[Prose, ...]
    choices: tuple[Choice, ...]
    """Empty for a free answer."""
    subject: Subject | None
    """What computes the right answer; None if the author gives it."""
    accepted: tuple[str, ...]
    """Free answers that the author accepts; the first is the one to show."""
    hint: tuple[Prose, ...]
    explanation: tuple[Prose, ...]


# -- reading -------------------------------------------------------------------------------------------------------


class _ChoiceLines(NamedTuple):
    """A choice as it is written."""

    line: int
    mark: str | None
    """What is between its brackets, if it has any."""
    text: str

    @property
    def is_marked(self) -> bool:
        """Is it marked as right?"""
        return self.mark in ("x", "X")


@dataclass(slots=True)
class _FieldLines:
    """A field, or the question itself, as it is written."""

    line: int
    lines: list[str]

    def prose(self) -> tuple[Prose, ...]:
        """As prose."""
        return parse_prose(self.lines, self.line)

    def joined(self) -> str:
        """In one line."""
        return " ".join(self.lines)


def parse_question(lines: Sequence[str], line: int) -> Question:
    """The question of an `ask` block whose fence is line `line` of the file. Raises `LessonSyntaxError`."""
    asked = _FieldLines(line + 1, [])
    choices: list[_ChoiceLines] = []
    fields: dict[str, _FieldLines] = {}
    current: _FieldLines | None = asked
    for at, text in enumerate(lines, line + 1):
        field_begins, choice_begins = _FIELD.fullmatch(text), _CHOICE.fullmatch(text)
        if field_begins is not None:
            name = field_begins[1]
            if name in fields:
                message = _("{name} is given twice; go on in lines that are indented")
                raise LessonSyntaxError(at, message.format(name=name))
            current = fields[name] = _FieldLines(at, [field_begins[2]])
        elif choice_begins is not None and not fields:
            choices.append(_ChoiceLines(at, choice_begins[1], choice_begins[2]))
            current = None
        elif current is asked or (current is not None and (not text.strip() or text[0].isspace())):
            current.lines.append(text.strip())
        elif current is None and text[:1].isspace() and text.strip():
            choices[-1] = choices[-1]._replace(text=f"{choices[-1].text} {text.strip()}")
        elif text.strip():
            message = _("after the question come choices, then {names}, and not {line!r}")
            raise LessonSyntaxError(at, message.format(names=", ".join(_FIELDS), line=text.strip()[:30]))
    prose = asked.prose()
    if not prose:
        raise LessonSyntaxError(line, _("the block asks nothing; begin it with the question"))
    subject = _parse_answer(fields["answer"]) if "answer" in fields else None
    accepted = tuple(filter(None, map(str.strip, fields["accept"].joined().split("|")))) if "accept" in fields else ()
    _check_answers(line, choices, subject, accepted)
    return Question(
        line,
        prose,
        tuple(_parse_choice(choice, is_computed=subject is not None) for choice in choices),
        subject,
        accepted,
        fields["hint"].prose() if "hint" in fields else (),
        fields["explain"].prose() if "explain" in fields else (),
    )


def _parse_answer(written: _FieldLines) -> Subject:
    parser = LineParser(written.joined(), written.line)
    subject = parse_subject(parser)
    parser.end()
    if not subject.CAN_BE_ASKED:
        message = _("{subject} is no answer to a question; ask for a number, tokens or a pair")
        raise parser.error(message.format(subject=subject.NAME))
    return subject


def _parse_choice(choice: _ChoiceLines, *, is_computed: bool) -> Choice:
    spans = parse_spans(choice.text, choice.line)
    return Choice(spans, plain_text(spans), None if is_computed else choice.is_marked)


def _check_answers(
    line: int, choices: Sequence[_ChoiceLines], subject: Subject | None, accepted: tuple[str, ...]
) -> None:
    """Is it given exactly once what is right?"""
    marked = [choice.line for choice in choices if choice.is_marked]
    if subject is not None and marked:
        raise LessonSyntaxError(marked[0], _("the answer is computed, so no choice is marked as right"))
    if len(choices) == 1:
        raise LessonSyntaxError(choices[0].line, _("one choice is none; give two or more"))
    if accepted and (choices or subject is not None):
        raise LessonSyntaxError(line, _("accept: is for free answers that nothing computes; leave it out here"))
    if subject is None and not marked and not accepted:
        raise LessonSyntaxError(
            line, _("nothing says what is right: mark a choice with [x], or write answer: or accept:")
        )
    if marked and len(marked) == len(choices):
        raise LessonSyntaxError(line, _("all choices are marked as right, so there is nothing to ask"))


# -- judging -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """The answer to a question, known when its page is reached."""

    question: Question
    value: Value | None
    """What is computed; None if the author gives the answer."""
    tied: tuple[tuple[str, str], ...] = ()
    """Of a question for the next merge: all pairs that share the highest count, the one that is merged first."""
    count: int = 0
    """How often these occur."""
    rule: str = ""
    """The tie rule."""

    @classmethod
    def of(cls, question: Question, trainer: Trainer) -> Self:
        """The key at the moment where the trainer is. Raises `BpeError` if the subject has no value there."""
        if question.subject is None:
            return cls(question, None)
        value = question.subject.evaluate(trainer)
        if not isinstance(question.subject, NextSubject):
            return cls(question, value)
        assert isinstance(value, PairValue)
        rows = trainer.pairs(0, value.tied or 1)
        best = (value.left, value.right)
        others = tuple(pair for row in rows if (pair := (row.left, row.right)) != best)
        return cls(question, value, (best, *others), value.counted or 0, trainer.options.ties)

    @property
    def right(self) -> str:
        """The right answer, to be shown."""
        if self.value is not None:
            return _shown(self.value)
        marked = [choice.text for choice in self.question.choices if choice.is_right]
        return displayable("; ".join(marked) if marked else self.question.accepted[0])

    def is_right(self, answer: str) -> bool:
        """Is this answer right? A choice is given by its text."""
        for choice in self.question.choices:
            if choice.text == answer and choice.is_right is not None:
                return choice.is_right
        if self.value is None:
            return _plain(answer) in map(_plain, self.question.accepted)
        if self.tied:
            return any(_is_pair(answer, *pair) for pair in self.tied)
        if isinstance(self.value, PairValue):
            return _is_pair(answer, self.value.left, self.value.right)
        if isinstance(self.value, TokensValue):
            return _is_row(answer, [token.text for token in self.value.tokens])
        return _plain(answer) == _plain(str(self.value))

    def faults(self) -> list[str]:
        """What makes the question unfit: with a computed answer, a choice must be right, and another one wrong."""
        choices = self.question.choices
        right = sum(self.is_right(choice.text) for choice in choices)
        if not choices or 0 < right < len(choices):
            return []
        if right:
            return [_("expected one choice to be wrong, but the answer is {answer}").format(answer=self.right)]
        return [_("expected one choice to be right, but the answer is {answer}").format(answer=self.right)]

    def judge(self, answer: str) -> AnswerVerdict:
        """Right or wrong, and why."""
        answer = answer.strip()
        return AnswerVerdict(answer, self.is_right(answer), self._sentence(answer), self.question.explanation)

    def _sentence(self, answer: str) -> str:
        if not self.is_right(answer):
            return _("Not quite: the answer is {answer}.").format(answer=self.right)
        if self.tied and not _is_pair(answer, *self.tied[0]):
            message = _("Right, a tie: {pairs} pairs occur {times} each. {rule} takes {best}, since {reason}.")
            return message.format(
                pairs=number(len(self.tied)),
                times=times(self.count),
                rule=self.rule,
                best=shown_pair(*self.tied[0]),
                reason=rule_reason(self.rule),
            )
        return _("Right: {answer}.").format(answer=self.right)


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """What came of an answer."""

    answer: str
    """As it was given."""
    is_right: bool
    sentence: str
    """Right or wrong, and the right answer; safe to show."""
    explanation: tuple[Prose, ...]
    """What the author says about it; may be empty."""


def _shown(value: Value) -> str:
    if isinstance(value, PairValue):
        return shown_pair(value.left, value.right)
    if isinstance(value, TokensValue):
        return " ".join(visible(token.text) for token in value.tokens)
    assert isinstance(value, PlainValue | TieValue)
    return displayable(str(value))


def _is_pair(answer: str, left: str, right: str) -> bool:
    """Is this the pair, in one of the ways to write one: `u + g`, `u+g`, `u g`, or the token that it makes?"""
    ways = {f"{left} + {right}", f"{left}+{right}", f"{left} {right}", left + right, shown_pair(left, right)}
    return answer in ways or " ".join(answer.split()) in ways


def _is_row(answer: str, texts: Sequence[str]) -> bool:
    """Are these the texts, with spaces, `·` or `|` between them?"""
    ways = (" ".join(texts), " ".join(map(visible, texts)))
    return answer in ways or any(" ".join(re.split(sign, answer)) in ways for sign in (r"\s+", r"\s*[·|]\s*"))


def _plain(text: str) -> str:
    """What two answers share if they are the same to a reader: case, spaces and a full stop do not count."""
    joined = " ".join(text.split()).strip(" .").casefold()
    return re.sub(r"(?<=\d)[ ,\u00a0\u202f](?=\d{3}\b)", "", joined)
