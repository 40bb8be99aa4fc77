"""A lesson's prose and tables on their way to the screen; a lesson file is as untrusted as a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from bpe_tui.core.glyphs import clip
from bpe_tui.lessons.prose import Items, Paragraph, Quote, Span, Spans, Style, Subheading, Verbatim
from bpe_tui.ui.content import cells, safe
from bpe_tui.ui.widgets.why import wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.lessons.prose import Prose
    from bpe_tui.lessons.shown import Table

STYLES: Final = {
    Style.PLAIN: "",
    Style.CODE: "bold $token-1",
    Style.EMPHASIS: "italic",
    Style.STRONG: "bold",
    Style.LINK: "underline",
}
"""How each style of running text is set."""
GAP: Final = 2
"""Cells between two columns of a table."""
MIN_COLUMN: Final = 6
"""A column gives way down to so many cells."""


def running(spans: Spans, before: str = "") -> Content:
    """Running text, after `before`."""
    return Content.assemble(before, *((_text(span), STYLES[span.style]) for span in spans))


def _text(span: Span) -> str:
    return safe(span.text.replace("\t", " "))


def block(prose: Prose) -> tuple[str, list[tuple[str, Content]]]:
    """The kind of a block of prose, and its parts: what stands before each, and its text."""
    if isinstance(prose, Paragraph):
        return "paragraph", [("", running(prose.spans))]
    if isinstance(prose, Subheading):
        return "subheading", [("", running(prose.spans))]
    if isinstance(prose, Quote):
        return "quote", [("", running(prose.spans))]
    if isinstance(prose, Items):
        marks = [f"{number}." if prose.numbered else "•" for number in range(1, len(prose.items) + 1)]
        return "item", [(mark, running(spans)) for mark, spans in zip(marks, prose.items, strict=True)]
    assert isinstance(prose, Verbatim)
    return "verbatim", [("", Content("\n".join(map(safe, prose.text.expandtabs(4).split("\n")))))]


def table_lines(table: Table, width: int) -> list[str]:
    """A table in lines of at most `width` cells, the first with the heads; cells that are too long are wrapped."""
    heads = [column.title for column in table.columns]
    shares = [max(map(cells, entries)) for entries in zip(heads, *table.rows, strict=True)]
    room = width - GAP * (len(shares) - 1)
    while sum(shares) > room and max(shares) > MIN_COLUMN:
        shares[shares.index(max(shares))] -= 1
    lines = []
    for row in (tuple(heads), *table.rows):
        wrapped = [
            _entry(entry, share) if not column.is_number else [clip(entry, share).rjust(share)]
            for entry, share, column in zip(row, shares, table.columns, strict=True)
        ]
        for line in range(max(map(len, wrapped))):
            parts = [
                _left(entry[line] if line < len(entry) else "", share)
                for entry, share in zip(wrapped, shares, strict=True)
            ]
            lines.append(clip((" " * GAP).join(parts).rstrip(), width))
    return lines


def _entry(entry: str, share: int) -> Sequence[str]:
    return wrap(entry, share) or [""]


def _left(text: str, width: int) -> str:
    return text + " " * max(0, width - cells(text))
