"""Questions: how an `ask` block is read, and how an answer is judged."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final, Self

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, current_language, number
from bpe_tui.core.readable import AS_IN_FILES, Notation
from bpe_tui.core.teaching.explain import rule_reason, times
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.figures import number_of
from bpe_tui.lessons.outcomes import Outcome
from bpe_tui.lessons.prose import Prose, Spans, parse_prose, parse_spans, plain_text
from bpe_tui.lessons.subjects import (
    Clue,
    NextSubject,
    NoValue,
    Subject,
    WinnerSubject,
    occurrences_sentence,
    parse_subject,
)
from bpe_tui.lessons.syntax import LessonSyntaxError, LineParser
from bpe_tui.lessons.values import PairValue, PlainValue, TextValue, TokensValue, Value, value_text

_FIELDS: Final = ("answer", "accept", "hint", "explain", "withhold", "visible")
_FIELD: Final = re.compile(rf"({'|'.join(_FIELDS)}):(?:\s+|$)(.*)")
_ANY_FIELD: Final = re.compile(r"([a-z]+):(?:\s|$)")
_REASON: Final = re.compile(r"\s+wrong:\s+(\S.*)")
_CHOICE: Final = re.compile(r"[-*]\s+(?:\[([ xX])\]\s+)?(\S.*)")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers offered."""

    spans: Spans
    text: str
    """Without its styles."""
    is_right: bool | None
    """As the author marked it; None where the answer is computed."""
    reason: tuple[Prose, ...] = ()
    """Why it is wrong."""


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
    withheld: frozenset[Clue] = frozenset()
    """What the author withholds until it is answered, beside what the subject asks for."""
    visible: str = ""
    """Why the answer may be in view before; empty if it may not."""

    @property
    def tries(self) -> int:
        """How many answers are taken: of two choices the second is no question any more."""
        return 1 if len(self.choices) == 2 else 2

    def clues(self, trainer: Trainer) -> frozenset[Clue]:
        """What would give the answer away at the moment where the trainer is."""
        if self.visible:
            return frozenset()
        if isinstance(self.subject, WinnerSubject) and self.subject.rule == trainer.options.ties:
            return self.withheld | NextSubject.CLUES
        return self.withheld | (self.subject.CLUES if self.subject is not None else frozenset())


# -- reading -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _WrittenField:
    """A field, or the question itself, as it is written."""

    line: int
    lines: list[str]

    def prose(self) -> tuple[Prose, ...]:
        """As prose."""
        return parse_prose(self.lines, self.line)

    def joined(self) -> str:
        """In one line."""
        return " ".join(self.lines)


@dataclass(slots=True)
class _WrittenChoice(_WrittenField):
    """A choice as it is written."""

    is_marked: bool
    """Is it marked as right?"""
    reason: _WrittenField | None = None


def parse_question(lines: Sequence[str], line: int) -> Question:
    """The question of an `ask` block whose fence is line `line` of the file. Raises `LessonSyntaxError`."""
    asked = _WrittenField(line + 1, [])
    choices: list[_WrittenChoice] = []
    fields: dict[str, _WrittenField] = {}
    current = asked
    for at, text in enumerate(lines, line + 1):
        field_begins, choice_begins, reason_begins = (rule.fullmatch(text) for rule in (_FIELD, _CHOICE, _REASON))
        if field_begins is not None:
            name = field_begins[1]
            if name in fields:
                message = _("{name} is given twice; continue in indented lines")
                raise LessonSyntaxError(at, message.format(name=name))
            current = fields[name] = _WrittenField(at, [field_begins[2]])
        elif choice_begins is not None and not fields:
            current = _WrittenChoice(at, [choice_begins[2]], choice_begins[1] in ("x", "X"))
            choices.append(current)
        elif reason_begins is not None and isinstance(current, _WrittenChoice):
            current = choices[-1].reason = _WrittenField(at, [reason_begins[1]])
        elif current is asked or not text.strip() or text[0].isspace():
            _check_field_name(text, at)
            current.lines.append(text.strip())
        else:
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
        _parse_clues(fields["withhold"]) if "withhold" in fields else frozenset(),
        fields["visible"].joined() if "visible" in fields else "",
    )


def _check_field_name(text: str, line: int) -> None:
    """Is this line not a field whose name is misspelt? Raises `LessonSyntaxError`."""
    begins = _ANY_FIELD.match(text)
    meant = get_close_matches(begins[1], _FIELDS, 1, cutoff=0.75) if begins is not None else []
    if begins is not None and meant:
        message = _("there is no field {name!r}; did you mean {meant!r}?")
        raise LessonSyntaxError(line, message.format(name=begins[1], meant=meant[0]))


def _parse_answer(written: _WrittenField) -> Subject:
    parser = LineParser(written.joined(), written.line)
    subject = parse_subject(parser)
    parser.end()
    if not subject.CAN_BE_ASKED:
        message = _("{subject} is no answer to a question; ask for a number, tokens or a pair")
        raise parser.error(message.format(subject=subject.NAME))
    return subject


def _parse_clues(written: _WrittenField) -> frozenset[Clue]:
    names = written.joined().replace(",", " ").split()
    for name in names:
        if name not in list(Clue):
            message = _("{name!r} cannot be withheld; what can is {names}")
            raise LessonSyntaxError(written.line, message.format(name=name, names=", ".join(Clue)))
    return frozenset(map(Clue, names))


def _parse_choice(choice: _WrittenChoice, *, is_computed: bool) -> Choice:
    spans = parse_spans("\n".join(choice.lines).strip(), choice.line)
    if choice.is_marked and choice.reason is not None:
        raise LessonSyntaxError(choice.reason.line, _("this choice is marked as right, so nothing is wrong with it"))
    reason = () if choice.reason is None else choice.reason.prose()
    return Choice(spans, plain_text(spans), None if is_computed else choice.is_marked, reason)


def _check_answers(
    line: int, choices: Sequence[_WrittenChoice], subject: Subject | None, accepted: tuple[str, ...]
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
    evidence: tuple[str, ...] = ()
    """The pair, or the token, whose occurrences show that the answer is right."""
    evidence_sentence: str = ""
    """`u + n: pun×12 + bun×4 = 16`; empty if there is none."""

    @classmethod
    def of(cls, question: Question, trainer: Trainer) -> Self:
        """The key at the moment where the trainer is. Raises `BpeError` if the subject has no value there."""
        if question.subject is None:
            return cls(question, None)
        value = question.subject.evaluate(trainer)
        evidence = question.subject.evidence(value)
        sentence = ""
        if evidence:
            with contextlib.suppress(NoValue):  # half of the pair is no token
                sentence = occurrences_sentence(trainer, evidence)
        if not isinstance(question.subject, NextSubject):
            return cls(question, value, evidence=evidence if sentence else (), evidence_sentence=sentence)
        assert isinstance(value, PairValue)
        rows = trainer.pairs(0, value.tied or 1)
        best = (value.left, value.right)
        others = tuple(pair for row in rows if (pair := (row.left, row.right)) != best)
        return cls(
            question, value, (best, *others), value.counted or 0, trainer.options.ties, evidence, displayable(sentence)
        )

    @property
    def right(self) -> str:
        """The right answer, to be shown."""
        if self.value is not None:
            return value_text(self.value)
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
        assert isinstance(self.value, PlainValue | TextValue)
        return _plain(self.value.text) in (_plain(answer), number_of(answer, current_language()))

    def faults(self) -> list[str]:
        """What makes the question unfit: with a computed answer, a choice must be right, and another one wrong.

        Nor may a choice that is right have a reason why it is wrong.
        """
        choices = self.question.choices
        right = sum(self.is_right(choice.text) for choice in choices)
        if not choices or 0 < right < len(choices):
            message = _("expected {choice} to be wrong, as its reason says, but it is right")
            reasoned = [choice for choice in choices if choice.reason and self.is_right(choice.text)]
            return [message.format(choice=displayable(choice.text)) for choice in reasoned]
        if right:
            return [_("expected one choice to be wrong, but the answer is {answer}").format(answer=self.right)]
        return [_("expected one choice to be right, but the answer is {answer}").format(answer=self.right)]

    def judge(self, answers: Sequence[str]) -> AnswerVerdict:
        """Right or wrong, and why; `answers` are all that were given, the last one now."""
        answer = answers[-1].strip()
        is_right = self.is_right(answer)
        reason = next((choice.reason for choice in self.question.choices if choice.text.strip() == answer), ())
        if not is_right and len(answers) < self.question.tries:
            return AnswerVerdict(answer, False, False, _("Not yet: try once more."), reason)
        return AnswerVerdict(
            answer, is_right, True, self._sentence(answer), reason, self.question.explanation, self.evidence_sentence
        )

    def outcome(self, answers: Sequence[str]) -> Outcome | None:
        """What came of the question after these answers; None while it is open."""
        if not answers or not self.judge(answers).is_final:
            return None
        if not self.is_right(answers[-1].strip()):
            return Outcome.WRONG
        return Outcome.FIRST_TRY if len(answers) == 1 else Outcome.SECOND_TRY

    def _sentence(self, answer: str) -> str:
        if not self.is_right(answer):
            return _("Not quite: the answer is {answer}.").format(answer=self.right)
        if self.tied and not _is_pair(answer, *self.tied[0]):
            message = _("Right, a tie: {pairs} pairs occur {times} each. {rule} takes {best}, because {reason}.")
            return message.format(
                pairs=number(len(self.tied)),
                times=times(self.count),
                rule=self.rule,
                best=AS_IN_FILES.pair(*self.tied[0]),
                reason=rule_reason(self.rule),
            )
        return _("Right: {answer}.").format(answer=self.right)


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """What came of an answer."""

    answer: str
    """As it was given."""
    is_right: bool
    is_final: bool
    """Is the question answered? If not, there is another try."""
    sentence: str
    """Right or wrong, and once it is final the right answer; safe to show."""
    reason: tuple[Prose, ...] = ()
    """Why the choice is wrong; may be empty."""
    explanation: tuple[Prose, ...] = ()
    """What the author says about it; may be empty."""
    evidence: str = ""
    """`u + n: pun×12 + bun×4 = 16`; empty if there is none, safe to show."""


def _is_pair(answer: str, left: str, right: str) -> bool:
    """Is this the pair, in one of the ways to write one: `u + g`, `u+g`, `u g`, or the token that it makes?"""
    ways = {way for texts in _as_shown(left, right) for way in _ways_of_pair(*texts)}
    return answer in ways or " ".join(answer.split()) in ways


def _ways_of_pair(left: str, right: str) -> tuple[str, ...]:
    return f"{left} + {right}", f"{left}+{right}", f"{left} {right}", left + right


def _as_shown(*texts: str) -> tuple[tuple[str, ...], ...]:
    """Texts of tokens as they are, and as the app shows them: in the lesson's style, and in the one with `␣`."""
    return texts, tuple(map(AS_IN_FILES.token, texts)), tuple(map(Notation(byte_level=True).token, texts))


def _is_row(answer: str, texts: Sequence[str]) -> bool:
    """Are these the texts, with spaces, `·` or `|` between them?"""
    ways = [" ".join(shown) for shown in _as_shown(*texts)]
    return answer in ways or any(" ".join(re.split(sign, answer)) in ways for sign in (r"\s+", r"\s*[·|]\s*"))


def _plain(text: str) -> str:
    """What two answers share if they are the same to a reader: case, spaces and a full stop do not count."""
    joined = " ".join(text.split()).strip(" .").casefold()
    return re.sub(r"(?<=\d)[ ,\u00a0\u202f](?=\d{3}\b)", "", joined)
