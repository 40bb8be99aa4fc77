"""A lesson's prose on its way to the screen; a lesson file is as untrusted as a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Static

from bpe_tui.core.display import displayable
from bpe_tui.lessons.prose import NO_BREAK, CodeBlock, ListBlock, Paragraph, Quote, Style, Subheading, readable

if TYPE_CHECKING:
    from bpe_tui.lessons.prose import Prose, Span, Spans

STYLES: Final = {
    Style.PLAIN: "",
    Style.CODE: "bold $token-1",
    Style.EMPHASIS: "italic",
    Style.STRONG: "bold",
    Style.LINK: "underline",
}
"""How each style of running text is set."""
GLUE: Final = "\u2800"
"""A blank that no line is broken at, until it is drawn; `displayable` lets none through, so each one is ours."""


class Running(Static):
    """Running text; lines are not broken where the author wants none."""

    def render_line(self, y: int) -> Strip:
        """A line, its blanks as blanks."""
        strip = super().render_line(y)
        if GLUE not in strip.text:
            return strip
        return Strip([Segment(text.replace(GLUE, " "), style, control) for text, style, control in strip])


def running(spans: Spans, before: str = "") -> Content:
    """Running text, after `before`."""
    return Content.assemble(before, *((_text(span), STYLES[span.style]) for span in spans))


def _text(span: Span) -> str:
    return readable(span.text.replace("\t", " ")).replace(NO_BREAK, GLUE)


def block(prose: Prose) -> tuple[str, list[tuple[str, Content]]]:
    """The kind of a block of prose, and its parts: what is before each, and its text."""
    if isinstance(prose, Paragraph):
        return "paragraph", [("", running(prose.spans))]
    if isinstance(prose, Subheading):
        return "subheading", [("", running(prose.spans))]
    if isinstance(prose, Quote):
        return "quote", [("", running(prose.spans))]
    if isinstance(prose, ListBlock):
        marks = [f"{number}." if prose.numbered else "•" for number in range(1, len(prose.items) + 1)]
        return "item", [(mark, running(spans)) for mark, spans in zip(marks, prose.items, strict=True)]
    assert isinstance(prose, CodeBlock)
    return "verbatim", [("", Content("\n".join(map(displayable, prose.text.expandtabs(4).split("\n")))))]
