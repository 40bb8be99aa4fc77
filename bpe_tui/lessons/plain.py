"""A lesson as plain text: for a pipe, a screen reader, a handout. Where lines can be broken, they have 80 cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from string import ascii_lowercase
from typing import Final

from bpe_tui.core.display import displayable, width
from bpe_tui.core.i18n import _, plural
from bpe_tui.lessons.lesson import Question
from bpe_tui.lessons.opening import OwnCorpus
from bpe_tui.lessons.printing import right_answer
from bpe_tui.lessons.prose import NO_BREAK, Items, Paragraph, Prose, Quote, Spans, Style, Verbatim, readable
from bpe_tui.lessons.questions import Key
from bpe_tui.lessons.shown import Column, Shown, Table

WIDTH: Final = 80
INDENT: Final = "    "
"""Before what commands show."""
_GAP: Final = 2
"""Blanks between two columns."""
_LONG_WORD: Final = 12
"""Cells from which on a word in a table may be broken."""
_NARROWEST: Final = 6
"""Cells of a column that is not narrowed any more."""


class PlainText:
    """Writes a lesson as text; see `Writer`."""

    def __init__(self) -> None:
        self._blocks: list[list[str]] = []
        self._told_at = -1
        """How many blocks there were when the last sentence was told."""

    def text(self) -> str:
        """All that was written."""
        return "".join("".join(f"{line}\n" for line in block) + "\n" for block in self._blocks).rstrip("\n") + "\n"

    def _add(self, lines: Sequence[str]) -> None:
        """A block of its own, with its spaces broken or not; one blank line will stand between two."""
        self._blocks.append([line.replace(NO_BREAK, " ").rstrip() for line in lines])

    def title(self, text: str) -> None:
        """See `Writer`."""
        self._underlined(readable(text), "=")

    def heading(self, spans: Spans) -> None:
        """See `Writer`."""
        self._underlined(_running(spans), "-")

    def _underlined(self, text: str, sign: str) -> None:
        lines = wrap(text)
        self._add([*lines, sign * max(map(width, lines), default=0)])

    def pause(self) -> None:
        """A page without a heading of its own goes on as the next paragraph."""

    def prose(self, block: Prose) -> None:
        """See `Writer`."""
        self._add(_lines(block))

    def shown(self, shown: Shown) -> None:
        """See `Writer`."""
        if isinstance(shown, Table):
            self._add(table_lines(shown))
            return
        lines = wrap(shown.text, INDENT, INDENT)
        if self._told_at == len(self._blocks):
            self._blocks[-1] += lines  # sentences in a row stand together
        else:
            self._add(lines)
        self._told_at = len(self._blocks)

    def corpus(self, corpus: OwnCorpus) -> None:
        """See `Writer`."""
        lines = corpus.text.expandtabs().splitlines()
        self._add(
            [
                _("Corpus {name}:").format(name=displayable(corpus.name)),
                "",
                *(INDENT + displayable(line) for line in lines),
            ]
        )

    def question(self, number: int, question: Question) -> None:
        """See `Writer`."""
        self._labelled(_("Question {number}.").format(number=number), question.prose)
        if question.choices:
            choices = zip(ascii_lowercase, question.choices, strict=False)
            self._add(
                [line for letter, choice in choices for line in wrap(_running(choice.spans), f"  {letter}) ", "     ")]
            )
        if question.hint:
            self._labelled(_("Hint:"), question.hint)

    def note(self, blocks: tuple[Prose, ...]) -> None:
        """See `Writer`."""
        self._labelled(_("Note:"), blocks)

    def answers(self, keys: list[Key]) -> None:
        """See `Writer`."""
        self._underlined(_("Answers"), "-")
        for place, key in enumerate(keys, 1):
            label = _("Question {number}.").format(number=place)
            self._labelled(f"{label} {right_answer(key)}.", key.question.explanation)

    def _labelled(self, label: str, blocks: Sequence[Prose]) -> None:
        """Blocks of prose, the label before the first."""
        first, rest = label, list(blocks)
        if rest and isinstance(rest[0], Paragraph):
            first, rest = f"{label} {_running(rest[0].spans)}", rest[1:]
        self._add(wrap(first))
        for block in rest:
            self.prose(block)


def _lines(block: Prose) -> list[str]:
    if isinstance(block, Verbatim):
        return [INDENT + displayable(line) for line in block.text.expandtabs().split("\n")]
    if isinstance(block, Items):
        marks = [f"{place}. " if block.numbered else "- " for place in range(1, len(block.items) + 1)]
        return [
            line
            for mark, spans in zip(marks, block.items, strict=True)
            for line in wrap(_running(spans), mark, " " * len(mark))
        ]
    if isinstance(block, Quote):
        return wrap(_running(block.spans), "> ", "> ")
    return wrap(_running(block.spans))


def _running(spans: Spans) -> str:
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


def wrap(text: str, first: str = "", rest: str = "", cells: int = WIDTH) -> list[str]:
    """`text`, broken at spaces into lines of at most `cells` cells; they begin with `first`, then with `rest`."""
    lines, line, empty = [], first, True
    for word in text.split(" "):
        if not word:
            continue
        if not empty and width(line) + 1 + width(word) > cells:
            lines.append(line)
            line, empty = rest, True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line]


def table_lines(table: Table, indent: str = INDENT, cells: int = WIDTH) -> list[str]:
    """A table in lines of at most `cells` cells; its first lines are its heads.

    Where it would be too wide, its widest columns are narrowed, short words being broken last, and what stands in
    them goes on below.
    """
    rows = [tuple(column.title for column in table.columns), *table.rows]
    widths = [max(width(row[place]) for row in rows) for place in range(len(table.columns))]
    words = [
        min(_LONG_WORD, max(width(word) for row in rows for word in row[place].split(" ")))
        for place in range(len(widths))
    ]
    texts = [place for place, column in enumerate(table.columns) if not column.is_number]
    while texts and len(indent) + sum(widths) + _GAP * (len(widths) - 1) > cells:
        loose = [place for place in texts if widths[place] > words[place]] or texts
        widest = max(loose, key=lambda place: widths[place])
        if widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1
    lines: list[str] = []
    for row in rows:
        broken = [_broken(entry, at) for entry, at in zip(row, widths, strict=True)]
        for parts in zip_longest(*broken, fillvalue=""):
            padded = map(_padded, parts, widths, table.columns)
            lines.append((indent + (" " * _GAP).join(padded)).rstrip())
    if table.left_out:
        lines.append(indent + plural("… and {count} more", "… and {count} more", table.left_out))
    return lines


def _broken(text: str, cells: int) -> list[str]:
    """A text in lines of at most `cells` cells, broken at spaces, and inside a word where that is not enough."""
    lines = []
    for line in wrap(text, cells=cells):
        while width(line) > cells:
            end = next(end for end in range(len(line), 0, -1) if width(line[:end]) <= cells or end == 1)
            lines.append(line[:end])
            line = line[end:]
        lines.append(line)
    return lines


def _padded(text: str, cells: int, column: Column) -> str:
    blanks = " " * (cells - width(text))
    return blanks + text if column.is_number else text + blanks
