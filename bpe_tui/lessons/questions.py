"""`ask` blocks: how they are read, and how an answer is judged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bpe_tui.core.display import displayable, visible
from bpe_tui.core.i18n import _, number
from bpe_tui.core.teaching.explain import rule_reason, times
from bpe_tui.lessons.faults import LessonSyntaxError
from bpe_tui.lessons.lesson import Choice, Question
from bpe_tui.lessons.prose import Prose, plain_text, prose_of, spans_of
from bpe_tui.lessons.statements import Subject, subject_of
from bpe_tui.lessons.values import PairValue, Pieces, Plain, TieValue, Value
from bpe_tui.lessons.words import Reader, words_of

if TYPE_CHECKING:
    from bpe_tui.core.training.trainer import Trainer

_FIELDS: Final = ("answer", "accept", "hint", "explain")
_FIELD: Final = re.compile(rf"({'|'.join(_FIELDS)}):(?:\s+|$)(.*)")
_CHOICE: Final = re.compile(r"[-*]\s+(?:\[([ xX])\]\s+)?(\S.*)")
_NO_SUBJECT: Final = ("merge", "tie", "parting", "stop")
"""Subjects whose values nobody would type as an answer."""


# -- reading -------------------------------------------------------------------------------------------------------


def question_of(lines: Sequence[str], first_line: int) -> Question:
    """The question of an `ask` block, whose first line is line `first_line` of the file. Raises `LessonSyntaxError`."""
    block_line = first_line - 1
    asked: list[str] = []
    choices: list[tuple[int, str | None, str]] = []
    fields: dict[str, tuple[int, list[str]]] = {}
    current: list[str] | None = asked
    for at, line in enumerate(lines, first_line):
        field, choice = _FIELD.fullmatch(line), _CHOICE.fullmatch(line)
        if field is not None:
            name = field[1]
            if name in fields:
                told = _("{name} is given twice; go on in lines that are indented")
                raise LessonSyntaxError(at, told.format(name=name))
            current = [field[2]]
            fields[name] = (at, current)
        elif choice is not None and not fields:
            choices.append((at, choice[1], choice[2]))
            current = None
        elif current is asked or (current is not None and (not line.strip() or line[0].isspace())):
            current.append(line.strip())
        elif current is None and line[:1].isspace() and line.strip():
            first, mark, text = choices[-1]
            choices[-1] = (first, mark, f"{text} {line.strip()}")
        elif line.strip():
            told = _("after the question come choices, then {names}, and not {line!r}")
            raise LessonSyntaxError(at, told.format(names=", ".join(_FIELDS), line=line.strip()[:30]))
    prose = blocks_of(asked)
    if not prose:
        raise LessonSyntaxError(block_line, _("the block asks nothing; begin it with the question"))
    subject = _subject(*fields["answer"]) if "answer" in fields else None
    accepted = (
        tuple(filter(None, map(str.strip, " ".join(fields["accept"][1]).split("|")))) if "accept" in fields else ()
    )
    _check(block_line, choices, subject, accepted)
    return Question(
        block_line,
        prose,
        tuple(_choice(mark, text, computed=subject is not None) for _at, mark, text in choices),
        subject,
        accepted,
        blocks_of(fields["hint"][1]) if "hint" in fields else (),
        blocks_of(fields["explain"][1]) if "explain" in fields else (),
    )


def _subject(line: int, lines: list[str]) -> Subject:
    reader = Reader(words_of(" ".join(lines), line), line)
    subject = subject_of(reader)
    reader.end()
    if subject.name in _NO_SUBJECT:
        told = _("{subject} is no answer to a question; ask for a number, tokens or a pair")
        raise LessonSyntaxError(line, told.format(subject=subject.name))
    return subject


def _check(
    line: int, choices: list[tuple[int, str | None, str]], subject: Subject | None, accepted: tuple[str, ...]
) -> None:
    """Exactly one thing says what is right."""
    marked = [at for at, mark, _text in choices if mark in ("x", "X")]
    if subject is not None and marked:
        raise LessonSyntaxError(marked[0], _("the answer is computed, so no choice is marked as right"))
    if len(choices) == 1:
        raise LessonSyntaxError(choices[0][0], _("one choice is none; give two or more"))
    if accepted and (choices or subject is not None):
        raise LessonSyntaxError(line, _("accept: is for free answers that nothing computes; leave it out here"))
    if subject is None and not marked and not accepted:
        raise LessonSyntaxError(
            line, _("nothing says what is right: mark a choice with [x], or write answer: or accept:")
        )
    if marked and len(marked) == len(choices):
        raise LessonSyntaxError(line, _("all choices are marked as right, so there is nothing to ask"))


def _choice(mark: str | None, text: str, *, computed: bool) -> Choice:
    spans = spans_of(text)
    return Choice(spans, plain_text(spans), None if computed else mark in ("x", "X"))


def blocks_of(lines: Sequence[str]) -> tuple[Prose, ...]:
    """The blocks of prose in lines, with blank lines between them."""
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return tuple(prose_of(block) for block in blocks if block)


# -- judging -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """The answer to a question, known when its page is reached."""

    question: Question
    value: Value | None
    """What is computed; None if the author says what is right."""
    tied: tuple[tuple[str, str], ...] = ()
    """Of a question for the next merge: all pairs that share the highest count, the one that is merged first."""
    count: int = 0
    """How often these occur."""
    rule: str = ""
    """The tie rule."""

    @classmethod
    def of(cls, question: Question, trainer: Trainer) -> Key:
        """The key at the moment where the trainer stands. Raises `BpeError` if the subject has no value there."""
        from bpe_tui.lessons.facts import value_of

        if question.subject is None:
            return cls(question, None)
        value = value_of(question.subject, trainer)
        if question.subject.name != "next":
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
        if isinstance(self.value, Pieces):
            return _is_row(answer, [piece.text for piece in self.value.pieces])
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

    def judge(self, answer: str) -> Verdict:
        """Right or wrong, and why."""
        answer = answer.strip()
        return Verdict(answer, self.is_right(answer), self._sentence(answer), self.question.explanation)

    def _sentence(self, answer: str) -> str:
        if not self.is_right(answer):
            return _("Not quite: the answer is {answer}.").format(answer=self.right)
        if self.tied and not _is_pair(answer, *self.tied[0]):
            best = _pair(*self.tied[0])
            told = _("Right, a tie: {pairs} pairs occur {times} each. {rule} takes {best}, since {reason}.")
            return told.format(
                pairs=number(len(self.tied)),
                times=times(self.count),
                rule=self.rule,
                best=best,
                reason=rule_reason(self.rule),
            )
        return _("Right: {answer}.").format(answer=self.right)


@dataclass(frozen=True, slots=True)
class Verdict:
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
        return _pair(value.left, value.right)
    if isinstance(value, Pieces):
        return " ".join(visible(piece.text) for piece in value.pieces)
    assert isinstance(value, Plain | TieValue)
    return displayable(str(value))


def _pair(left: str, right: str) -> str:
    return " + ".join(visible(half) for half in (left, right))


def _is_pair(answer: str, left: str, right: str) -> bool:
    """Is this the pair, in one of the ways to write one: `u + g`, `u+g`, `u g`, or the token that it makes?"""
    ways = {f"{left} + {right}", f"{left}+{right}", f"{left} {right}", left + right, _pair(left, right)}
    return answer in ways or " ".join(answer.split()) in ways


def _is_row(answer: str, texts: Sequence[str]) -> bool:
    """Are these the texts, with spaces, `·` or `|` between them?"""
    ways = (" ".join(texts), " ".join(map(visible, texts)))
    return answer in ways or any(" ".join(re.split(sign, answer)) in ways for sign in (r"\s+", r"\s*[·|]\s*"))


def _plain(text: str) -> str:
    """What two answers share if they are the same to a reader: case, spaces and a full stop do not count."""
    joined = " ".join(text.split()).strip(" .").casefold()
    return re.sub(r"(?<=\d)[ ,\u00a0\u202f](?=\d{3}\b)", "", joined)
