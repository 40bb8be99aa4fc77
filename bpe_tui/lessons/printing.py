"""Printing a lesson, page after page: as plain text for a pipe, a screen reader or a handout, or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase
from typing import Final, Protocol

from bpe_tui.core.display import displayable, width
from bpe_tui.core.i18n import _
from bpe_tui.lessons.lesson import CommandBlock, Lesson, Note
from bpe_tui.lessons.prose import (
    NO_BREAK,
    CodeBlock,
    ListBlock,
    Paragraph,
    Prose,
    Quote,
    Spans,
    Style,
    Subheading,
    readable,
)
from bpe_tui.lessons.questions import AnswerKey, Choice, Question
from bpe_tui.lessons.results import CommandResult, Output, Sentence, TextTable, wrap
from bpe_tui.lessons.training_setup import EmbeddedCorpus
from bpe_tui.lessons.walk import Visit, Walk

INDENT: Final = "    "
"""Before what commands show in plain text."""


class PageWriter(Protocol):
    """Takes a page piece by piece."""

    def prose(self, block: Prose) -> None:
        """A block of prose."""

    def output(self, output: Output) -> None:
        """What a command shows."""

    def corpus(self, corpus: EmbeddedCorpus) -> None:
        """A corpus of the lesson's own."""

    def question(self, number: int, question: Question) -> None:
        """A question."""

    def note(self, blocks: tuple[Prose, ...]) -> None:
        """For the presenter."""


class Writer(PageWriter, Protocol):
    """Takes a lesson piece by piece."""

    def title(self, text: str) -> None:
        """The lesson's title."""

    def heading(self, spans: Spans) -> None:
        """A page begins under a heading of its own."""

    def pause(self) -> None:
        """A page begins without one."""

    def answers(self, keys: list[AnswerKey]) -> None:
        """The answers to all questions, in their order."""


def print_to(writer: Writer, lesson: Lesson, *, notes: bool = False) -> list[str]:
    """Write the lesson; returns what in it is not true, as `file:line: …`. Raises `BpeError`."""
    walk = Walk(lesson)
    writer.title(lesson.title)
    keys: list[AnswerKey] = []
    failures: list[str] = []
    while True:
        visit = walk.visit
        if visit.page.heading and not visit.page.continues:
            writer.heading(visit.page.heading)
        elif walk.can_back:
            writer.pause()
        print_page(writer, visit, len(keys) + 1, notes=notes)
        failures += [f"{lesson.path}:{failure.line}: {failure.sentence}" for failure in visit.failures]
        if visit.key is not None:
            keys.append(visit.key)
        if not walk.can_next:
            break
        walk.next()
    if keys:
        writer.answers(keys)
    return failures


def print_page(writer: PageWriter, visit: Visit, number: int, *, notes: bool) -> None:
    """Write a page below its heading; `number` is that of its question."""
    results = iter(visit.results)
    for item in visit.page.items:
        if isinstance(item, CommandBlock):
            _print_results(writer, [next(results) for _command in item.commands])
        elif isinstance(item, Question):
            writer.question(number, item)
        elif isinstance(item, Note):
            if notes:
                writer.note(item.prose)
        elif isinstance(item, EmbeddedCorpus):
            writer.corpus(item)
        else:
            writer.prose(item)


def _print_results(writer: PageWriter, results: list[CommandResult]) -> None:
    for result in results:
        for output in result.outputs:
            writer.output(output)


def _right_answer(key: AnswerKey) -> str:
    """The right answer; a choice with the letter that it is printed with. Safe to show."""
    right = [name for name, choice in _named_choices(key) if key.is_right(choice.text)]
    return ", ".join(right) if right else key.right


def _reasons(key: AnswerKey) -> list[tuple[str, tuple[Prose, ...]]]:
    """The wrong choices, and why they are wrong."""
    return [(name, choice.reason) for name, choice in _named_choices(key) if choice.reason]


def _named_choices(key: AnswerKey) -> list[tuple[str, Choice]]:
    """The choices with their letters."""
    choices = zip(ascii_lowercase, key.question.choices, strict=False)
    return [(f"{letter}) {readable(choice.text)}", choice) for letter, choice in choices]


# -- plain text ----------------------------------------------------------------------------------------------------


class PlainText:
    """Writes a lesson as text, where lines can be broken of at most 80 cells; see `Writer`."""

    def __init__(self) -> None:
        self._blocks: list[list[str]] = []
        self._after_sentence = -1
        """How many blocks there were after the last sentence."""

    def text(self) -> str:
        """All that was written."""
        return "".join("".join(f"{line}\n" for line in block) + "\n" for block in self._blocks).rstrip("\n") + "\n"

    def _add(self, lines: Sequence[str]) -> None:
        """A block of its own, its lines already broken; one blank line will separate it from the next."""
        self._blocks.append([line.replace(NO_BREAK, " ").rstrip() for line in lines])

    def title(self, text: str) -> None:
        """See `Writer`."""
        self._underlined(readable(text), "=")

    def heading(self, spans: Spans) -> None:
        """See `Writer`."""
        self._underlined(_running_text(spans), "-")

    def _underlined(self, text: str, sign: str) -> None:
        lines = wrap(text)
        self._add([*lines, sign * max(map(width, lines), default=0)])

    def pause(self) -> None:
        """A page without a heading of its own is the next paragraph."""

    def prose(self, block: Prose) -> None:
        """See `Writer`."""
        self._add(_lines(block))

    def output(self, output: Output) -> None:
        """See `Writer`."""
        if isinstance(output, TextTable):
            self._add(output.lines(INDENT))
            return
        lines = wrap(output.text, INDENT, INDENT)
        if self._after_sentence == len(self._blocks):
            self._blocks[-1] += lines  # sentences in a row are one block
        else:
            self._add(lines)
        self._after_sentence = len(self._blocks)

    def corpus(self, corpus: EmbeddedCorpus) -> None:
        """See `Writer`."""
        lines = corpus.text.expandtabs().splitlines()
        label = _("Corpus {name}:").format(name=displayable(corpus.name))
        self._add([label, "", *(INDENT + displayable(line) for line in lines)])

    def question(self, number: int, question: Question) -> None:
        """See `Writer`."""
        self._labelled(_("Question {number}.").format(number=number), question.prose)
        if question.choices:
            choices = zip(ascii_lowercase, question.choices, strict=False)
            self._add(
                [
                    line
                    for letter, choice in choices
                    for line in wrap(_running_text(choice.spans), f"  {letter}) ", "     ")
                ]
            )
        if question.hint:
            self._labelled(_("Hint:"), question.hint)

    def note(self, blocks: tuple[Prose, ...]) -> None:
        """See `Writer`."""
        self._labelled(_("Note:"), blocks)

    def answers(self, keys: list[AnswerKey]) -> None:
        """See `Writer`."""
        self._underlined(_("Answers"), "-")
        for number, key in enumerate(keys, 1):
            label = _("Question {number}.").format(number=number)
            self._labelled(f"{label} {_right_answer(key)}.", key.question.explanation)
            for choice, reason in _reasons(key):
                self._labelled(_("{choice}:").format(choice=choice), reason)

    def _labelled(self, label: str, blocks: Sequence[Prose]) -> None:
        """Blocks of prose, the label before the first."""
        first, rest = label, list(blocks)
        if rest and isinstance(rest[0], Paragraph):
            first, rest = f"{label} {_running_text(rest[0].spans)}", rest[1:]
        self._add(wrap(first))
        for block in rest:
            self.prose(block)


def _lines(block: Prose) -> list[str]:
    if isinstance(block, CodeBlock):
        return [INDENT + displayable(line) for line in block.text.expandtabs().split("\n")]
    if isinstance(block, ListBlock):
        marks = [f"{number}. " if block.numbered else "- " for number in range(1, len(block.items) + 1)]
        return [
            line
            for mark, spans in zip(marks, block.items, strict=True)
            for line in wrap(_running_text(spans), mark, " " * len(mark))
        ]
    if isinstance(block, Quote):
        return wrap(_running_text(block.spans), "> ", "> ")
    return wrap(_running_text(block.spans))


def _running_text(spans: Spans) -> str:
    """Running text with its styles marked as in Markdown; code is not broken."""
    parts = []
    for span in spans:
        if span.style is Style.CODE:
            parts.append("`" + displayable(span.text).replace(" ", NO_BREAK) + "`")
        elif span.style is Style.LINK:
            parts.append(f"{readable(span.text)} ({displayable(span.target)})")
        else:
            mark = {Style.STRONG: "**", Style.EMPHASIS: "*"}.get(span.style, "")
            parts.append(f"{mark}{readable(span.text)}{mark}")
    return "".join(parts)


# -- Markdown ------------------------------------------------------------------------------------------------------


class MarkdownText:
    """Writes a lesson as Markdown, with what its commands show as tables; see `Writer`."""

    def __init__(self) -> None:
        self._blocks: list[str] = []

    def text(self) -> str:
        """All that was written."""
        return "\n\n".join(self._blocks) + "\n"

    def title(self, text: str) -> None:
        """See `Writer`."""
        self._blocks.append(f"# {_plain_markdown(text)}")

    def heading(self, spans: Spans) -> None:
        """See `Writer`."""
        self._blocks.append(f"## {_running_markdown(spans)}")

    def pause(self) -> None:
        """See `Writer`."""
        self._blocks.append("---")

    def prose(self, block: Prose) -> None:
        """See `Writer`."""
        self._blocks.append(_markdown(block))

    def output(self, output: Output) -> None:
        """See `Writer`."""
        self._blocks.append(f"> {escaped(output.text)}" if isinstance(output, Sentence) else _markdown_table(output))

    def corpus(self, corpus: EmbeddedCorpus) -> None:
        """See `Writer`."""
        self._blocks.append(_("Corpus {name}:").format(name=escaped(displayable(corpus.name))))
        self._blocks.append(_fenced(corpus.text.expandtabs().removesuffix("\n")))

    def question(self, number: int, question: Question) -> None:
        """See `Writer`."""
        self._labelled(_("Question {number}.").format(number=number), question.prose)
        if question.choices:
            choices = zip(ascii_lowercase, question.choices, strict=False)
            self._blocks.append(
                "\n".join(f"- {letter}) {_running_markdown(choice.spans)}" for letter, choice in choices)
            )
        if question.hint:
            self._labelled(_("Hint:"), question.hint)

    def note(self, blocks: tuple[Prose, ...]) -> None:
        """See `Writer`."""
        self._labelled(_("Note:"), blocks)

    def answers(self, keys: list[AnswerKey]) -> None:
        """See `Writer`."""
        self._blocks.append("## " + _("Answers"))
        for number, key in enumerate(keys, 1):
            label = _("Question {number}.").format(number=number)
            self._labelled(f"{label} {escaped(_right_answer(key))}.", key.question.explanation)
            for choice, reason in _reasons(key):
                self._labelled(_("{choice}:").format(choice=escaped(choice)), reason)

    def _labelled(self, label: str, blocks: Sequence[Prose]) -> None:
        first, rest = f"**{label}**", list(blocks)
        if rest and isinstance(rest[0], Paragraph):
            first, rest = f"{first} {_running_markdown(rest[0].spans)}", rest[1:]
        self._blocks += [first, *map(_markdown, rest)]


def _markdown(block: Prose) -> str:
    if isinstance(block, CodeBlock):
        return _fenced(block.text)
    if isinstance(block, ListBlock):
        marks = [f"{number}." if block.numbered else "-" for number in range(1, len(block.items) + 1)]
        return "\n".join(f"{mark} {_running_markdown(spans)}" for mark, spans in zip(marks, block.items, strict=True))
    mark = {Quote: "> ", Subheading: "### "}.get(type(block), "")
    return mark + _running_markdown(block.spans)


def _running_markdown(spans: Spans) -> str:
    parts = []
    for span in spans:
        if span.style is Style.CODE:
            parts.append(_markdown_code(displayable(span.text)))
        elif span.style is Style.LINK:
            parts.append(f"[{_plain_markdown(span.text)}]({displayable(span.target)})")
        else:
            mark = {Style.STRONG: "**", Style.EMPHASIS: "*"}.get(span.style, "")
            parts.append(f"{mark}{_plain_markdown(span.text)}{mark}")
    return "".join(parts)


def _plain_markdown(text: str) -> str:
    return escaped(readable(text))


def _markdown_code(text: str) -> str:
    """A code span, with as many ticks around it as it takes."""
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in text or (text.startswith(" ") and text.endswith(" ")) else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _fenced(text: str) -> str:
    fence = "`" * max(3, max(map(len, re.findall("`+", text)), default=0) + 1)
    lines = "\n".join(map(displayable, text.split("\n")))
    return f"{fence}text\n{lines}\n{fence}"


def escaped(text: str) -> str:
    """`text` as Markdown that shows just this."""
    text = re.sub(r"([\\`*_\[\]<>|#~&])", r"\\\1", text)
    return re.sub(r"^(\d+)([.)]) ", r"\1\\\2 ", re.sub(r"^([-+])", r"\\\1", text))


def _markdown_table(table: TextTable) -> str:
    """A table of the kind with bars."""
    rows = [" | ".join(escaped(cell) or " " for cell in row) for row in table.rows]
    head = " | ".join(escaped(head.title) or " " for head in table.heads)
    rule = " | ".join("--:" if head.is_number else ":--" for head in table.heads)
    lines = [f"| {line} |" for line in (head, rule, *rows)]
    if table.left_out:
        lines += ["", table.remark]
    return "\n".join(lines)
