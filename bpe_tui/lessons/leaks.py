"""Answers in view before they are asked for: in prose or in what commands show, from where their moment begins.

The moment of a question begins with the last command before it that moves the trainer to another merge. From there on
nothing may give the answer away: neither a command that shows the value of the very subject, nor a paragraph, a list's
item or a heading that names the answer. What the panes show of the subject is withheld anyway, see `Walk.withheld`; an
answer that the author gives has no subject, so it is looked for in the figures of the status line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bpe_tui.core.i18n import _
from bpe_tui.lessons.figures import figures_in, number_of, plain_figure
from bpe_tui.lessons.lesson import CommandBlock, Note, prose_in
from bpe_tui.lessons.prose import Spans, Style, plain_text, spans_in
from bpe_tui.lessons.questions import AnswerKey, Question
from bpe_tui.lessons.results import CommandResult, Failure
from bpe_tui.lessons.subjects import CountSubject, EncodedSubject, PreTokenizedSubject, TokenSubject
from bpe_tui.lessons.values import PairValue, PlainValue, TextValue, TokensValue
from bpe_tui.lessons.walk import Visit


def leaks(visits: Sequence[Visit], language: str) -> Iterator[Failure]:
    """Each place where an answer is in view before its question, or on the question's page."""
    for position, visit in enumerate(visits):
        question, key = visit.page.question, visit.key
        if question is None or key is None or question.visible:
            continue
        yield from _in_the_status(visit, question, language)
        for view in _views_before(visits, position):
            if view.gives_away(key, language):
                message = _("page {page} gives away the answer to the question on page {asking}, line {line}: {answer}")
                sentence = message.format(
                    page=view.page, asking=visit.page.number, line=question.line, answer=key.right
                )
                yield Failure(view.line, sentence)


def _in_the_status(visit: Visit, question: Question, language: str) -> Iterator[Failure]:
    """Numbers that the author gives as answers, and that the app shows of the moment."""
    given = [*question.accepted, *(choice.text for choice in question.choices if choice.is_right)]
    numbers = {number for answer in given if (number := number_of(answer, language)) is not None}
    for clue, figures in visit.status.items():
        for number in sorted(numbers & set(map(str, figures))):
            if clue not in question.withheld:
                message = _("the app shows the answer {answer}; write `withhold: {clue}`, or let answer: compute it")
                yield Failure(question.line, message.format(answer=number, clue=clue))


@dataclass(frozen=True, slots=True)
class _View:
    """Something that is in view on a page: the result of a command, or running text."""

    page: int
    line: int
    shown: CommandResult | Spans

    def gives_away(self, key: AnswerKey, language: str) -> bool:
        """Does it give the answer away?"""
        if isinstance(self.shown, CommandResult):
            return key.question.subject in self.shown.revealed
        return _names(self.shown, key, language)


def _views_before(visits: Sequence[Visit], position: int) -> Iterator[_View]:
    """All that is in view before the question of a page, from the beginning of its moment, the last first."""
    for visit in reversed(visits[: position + 1]):
        results = list(visit.results)
        for item in reversed(visit.page.items):
            match item:
                case CommandBlock(commands):
                    for _command in commands:
                        result = results.pop()
                        yield _View(visit.page.number, result.command.line, result)
                        if result.command.MOVES and not result.command.STAYS:
                            return
                case Note():
                    pass
                case Question() if visit is visits[position]:
                    pass
                case _:
                    for block in prose_in(item):
                        for spans in spans_in(block):
                            if spans:
                                yield _View(visit.page.number, spans[0].line, spans)
        if not visit.page.continues and visit.page.heading:
            yield _View(visit.page.number, visit.page.line, visit.page.heading)


def _names(spans: Spans, key: AnswerKey, language: str) -> bool:
    """Does running text name the answer?

    A number is named in digits or in words, in the same paragraph as the pair, the token or the text that it belongs
    to, if it belongs to one. A pair is named if no other is, or if its count is. Tokens are named as code.
    """
    codes = [_in_a_row(span.text) for span in spans if span.style is Style.CODE]
    figures = {figure.value for figure in figures_in(spans, language)}
    figures |= {plain_figure(span.text) for span in spans if span.is_computed}
    match key.value:
        case PlainValue(text) if text.isdecimal():
            return text in figures and _is_about(codes, key)
        case PairValue(left, right):
            named = [code for code in codes if re.fullmatch(r"\S+ \S+", code)]
            is_named = f"{left} {right}" in named
            return is_named and (len(set(named)) == 1 or str(key.value.counted) in figures)
        case TokensValue(tokens) if len(tokens) > 1:
            return " ".join(token.text for token in tokens) in codes
        case PlainValue(text) | TextValue(text):
            return text in codes
        case None:
            return _names_given(plain_text(spans), codes, figures, key, language)
    return False


def _is_about(codes: list[str], key: AnswerKey) -> bool:
    """Is the paragraph about what the figure belongs to?"""
    match key.question.subject:
        case CountSubject(left, right):
            return f"{left} {right}" in codes
        case TokenSubject(text) | EncodedSubject(text) | PreTokenizedSubject(text):
            return _in_a_row(text) in codes
    return True


def _names_given(text: str, codes: list[str], figures: set[str], key: AnswerKey, language: str) -> bool:
    """Does a text name an answer that the author gives, and no wrong choice beside it?"""
    question = key.question

    def is_named(answer: str) -> bool:
        value = number_of(answer, language)
        if value is not None:
            return value in figures
        phrase = re.escape(" ".join(answer.split()))
        return _in_a_row(answer) in codes or re.search(rf"(?<!\w){phrase}(?!\w)", text, re.IGNORECASE) is not None

    right = [*question.accepted, *(choice.text for choice in question.choices if choice.is_right)]
    wrong = [choice.text for choice in question.choices if not choice.is_right]
    return any(map(is_named, right)) and not any(map(is_named, wrong))


def _in_a_row(text: str) -> str:
    """Tokens or a pair as they are compared: one space between two, no `+`."""
    return re.sub(r"\s+(?:\+\s+)?", " ", text.strip())
