"""A lesson as Markdown, with what its commands show as tables: for a handout or a page on the web."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, plural
from bpe_tui.lessons.lesson import Question
from bpe_tui.lessons.opening import OwnCorpus
from bpe_tui.lessons.printing import right_answer
from bpe_tui.lessons.prose import Items, Paragraph, Prose, Quote, Spans, Style, Subheading, Verbatim, readable
from bpe_tui.lessons.questions import Key
from bpe_tui.lessons.shown import Shown, Table, Told


class Markdown:
    """Writes a lesson as Markdown; see `Writer`."""

    def __init__(self) -> None:
        self._blocks: list[str] = []

    def text(self) -> str:
        """All that was written."""
        return "\n\n".join(self._blocks) + "\n"

    def title(self, text: str) -> None:
        """See `Writer`."""
        self._blocks.append(f"# {_plain(text)}")

    def heading(self, spans: Spans) -> None:
        """See `Writer`."""
        self._blocks.append(f"## {_running(spans)}")

    def pause(self) -> None:
        """See `Writer`."""
        self._blocks.append("---")

    def prose(self, block: Prose) -> None:
        """See `Writer`."""
        self._blocks.append(_block(block))

    def shown(self, shown: Shown) -> None:
        """See `Writer`."""
        self._blocks.append(f"> {escaped(shown.text)}" if isinstance(shown, Told) else _table(shown))

    def corpus(self, corpus: OwnCorpus) -> None:
        """See `Writer`."""
        self._blocks.append(_("Corpus {name}:").format(name=escaped(displayable(corpus.name))))
        self._blocks.append(_fenced(corpus.text.expandtabs().removesuffix("\n")))

    def question(self, number: int, question: Question) -> None:
        """See `Writer`."""
        self._labelled(_("Question {number}.").format(number=number), question.prose)
        if question.choices:
            choices = zip(ascii_lowercase, question.choices, strict=False)
            self._blocks.append("\n".join(f"- {letter}) {_running(choice.spans)}" for letter, choice in choices))
        if question.hint:
            self._labelled(_("Hint:"), question.hint)

    def note(self, blocks: tuple[Prose, ...]) -> None:
        """See `Writer`."""
        self._labelled(_("Note:"), blocks)

    def answers(self, keys: list[Key]) -> None:
        """See `Writer`."""
        self._blocks.append("## " + _("Answers"))
        for place, key in enumerate(keys, 1):
            label = _("Question {number}.").format(number=place)
            self._labelled(f"{label} {escaped(right_answer(key))}.", key.question.explanation)

    def _labelled(self, label: str, blocks: Sequence[Prose]) -> None:
        first, rest = f"**{label}**", list(blocks)
        if rest and isinstance(rest[0], Paragraph):
            first, rest = f"{first} {_running(rest[0].spans)}", rest[1:]
        self._blocks += [first, *map(_block, rest)]


def _block(block: Prose) -> str:
    if isinstance(block, Verbatim):
        return _fenced(block.text)
    if isinstance(block, Items):
        marks = [f"{place}." if block.numbered else "-" for place in range(1, len(block.items) + 1)]
        return "\n".join(f"{mark} {_running(spans)}" for mark, spans in zip(marks, block.items, strict=True))
    mark = {Quote: "> ", Subheading: "### "}.get(type(block), "")
    return mark + _running(block.spans)


def _running(spans: Spans) -> str:
    parts = []
    for span in spans:
        if span.style is Style.CODE:
            parts.append(_code(displayable(span.text)))
        elif span.style is Style.LINK:
            parts.append(f"[{_plain(span.text)}]({displayable(span.target)})")
        else:
            mark = {Style.STRONG: "**", Style.EMPHASIS: "*"}.get(span.style, "")
            parts.append(f"{mark}{_plain(span.text)}{mark}")
    return "".join(parts)


def _plain(text: str) -> str:
    return escaped(readable(text))


def _code(text: str) -> str:
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


def _table(table: Table) -> str:
    """A table of the kind with bars."""
    rows = [" | ".join(escaped(cell) or " " for cell in row) for row in table.rows]
    head = " | ".join(escaped(column.title) or " " for column in table.columns)
    rule = " | ".join("--:" if column.is_number else ":--" for column in table.columns)
    lines = [f"| {line} |" for line in (head, rule, *rows)]
    if table.left_out:
        lines += ["", plural("… and {count} more", "… and {count} more", table.left_out)]
    return "\n".join(lines)
