"""Prose: the part of Markdown that a lesson's text may use, read by markdown-it into frozen values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.tree import SyntaxTreeNode

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _
from bpe_tui.lessons.syntax import LessonSyntaxError

NO_BREAK: Final = "\u00a0"


class Style(StrEnum):
    """How a piece of running text is set."""

    PLAIN = "plain"
    CODE = "code"
    EMPHASIS = "emphasis"
    STRONG = "strong"
    LINK = "link"
    VALUE = "value"
    """`{count u + n}`: the text is a subject, and its value takes its place when the page is reached."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of running text in one style."""

    text: str
    """A line break of the file is in it as `\\n`; to a reader that is a space."""
    style: Style = Style.PLAIN
    target: str = ""
    """Where a link leads."""
    line: int = field(default=0, compare=False)
    """Of the file, where it begins."""
    is_computed: bool = field(default=False, compare=False)
    """It is the value that was in the place of a `VALUE`."""


Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Subheading:
    """A line that names what follows, within a page."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Quote:
    """A text by somebody else."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list, with bullets or numbers."""

    items: tuple[Spans, ...]
    numbered: bool


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines that are shown as they are."""

    text: str


Prose = Paragraph | Subheading | Quote | ListBlock | CodeBlock

# -- reading Markdown ----------------------------------------------------------------------------------------------

_VALUE: Final = re.compile(r'\{((?:[^{}"\n]|"(?:[^"\\\n]|\\.)*")+)\}')


def _value_rule(state: StateInline, silent: bool) -> bool:
    """An inline rule for markdown-it: a subject in braces, or a brace that begins none."""
    if state.src[state.pos] != "{":
        return False
    found = _VALUE.match(state.src, state.pos)
    if not silent:
        state.push("brace" if found is None else "value", "", 0).content = "" if found is None else found[1]
    state.pos = state.pos + 1 if found is None else found.end()
    return True


# Tables are read to be refused; link definitions are not, for `[UNK]: …` may begin a paragraph. Line ends are ours.
_MARKDOWN: Final = MarkdownIt("commonmark").enable("table").disable(["reference", "normalize"])
_MARKDOWN.inline.ruler.before("escape", "value", _value_rule)
_APART: Final = (Style.CODE, Style.VALUE)
"""Styles of which two spans are never one."""
_STYLES: Final = {"em": Style.EMPHASIS, "strong": Style.STRONG, "link": Style.LINK}


def parse_markdown(text: str) -> list[SyntaxTreeNode]:
    """The blocks of a text, as markdown-it reads them; their `map` counts lines from 0."""
    return SyntaxTreeNode(_MARKDOWN.parse(text)).children


def parse_prose(lines: Iterable[str], line: int) -> tuple[Prose, ...]:
    """The prose in lines, the first of which is line `line` of the file. Raises `LessonSyntaxError`."""
    blocks = (prose_of(node, line) for node in parse_markdown("\n".join(lines)))
    return tuple(block for block in blocks if block is not None)


def parse_spans(text: str, line: int = 0) -> Spans:
    """Running text: `code`, *emphasis*, **strong**, [links](target). Raises `LessonSyntaxError`."""
    return _spans(SyntaxTreeNode(_MARKDOWN.parseInline(text)).children, line)


def prose_of(node: SyntaxTreeNode, first_line: int) -> Prose | None:
    """One block of prose in a text that begins at line `first_line`; None for a comment.

    Raises `LessonSyntaxError` for Markdown that prose does not have.
    """
    line = line_of(node, first_line)
    match node.type:
        case "paragraph":
            return Paragraph(_spans(node.children, line))
        case "heading":
            return Subheading(_spans(node.children, line))
        case "blockquote":
            return Quote(_running(node.children, first_line))
        case "bullet_list" | "ordered_list":
            items = tuple(_running(item.children, first_line) for item in node.children)
            return ListBlock(items, numbered=node.type == "ordered_list")
        case "fence" | "code_block":
            return CodeBlock(node.content.removesuffix("\n"))
        case "table":
            raise LessonSyntaxError(
                line, _("prose has no tables; commands show tables, and a fenced block keeps lines as they are")
            )
        case "html_block":
            _check_comment(node.content, line)
            return None
    raise LessonSyntaxError(line, _("a rule begins a page; inside a block it has no place"))


def line_of(node: SyntaxTreeNode, first_line: int) -> int:
    """The line of the file where a block begins."""
    assert node.map is not None
    return first_line + node.map[0]


def _running(nodes: Sequence[SyntaxTreeNode], first_line: int) -> Spans:
    """The running text of a list's item or of a quote; its paragraphs are joined."""
    spans: list[Span] = []
    for node in nodes:
        line = line_of(node, first_line)
        if node.type != "paragraph":
            raise LessonSyntaxError(line, _("lists and quotes hold running text only"))
        if spans:
            spans.append(Span(" ", line=line))
        spans += _spans(node.children, line)
    return tuple(spans)


def _spans(nodes: Sequence[SyntaxTreeNode], line: int) -> Spans:
    """The spans of running text that begins at line `line`."""
    spans: list[Span] = []
    for inline in nodes:
        spans += _SpanReader(inline.content, line).read(inline.children, Style.PLAIN, "")
    joined: list[Span] = []
    for span in spans:
        before = joined[-1] if joined else None
        if before and span.style not in _APART and (before.style, before.target) == (span.style, span.target):
            span = Span(joined[-1].text + span.text, span.style, span.target, joined.pop().line)
        joined.append(span)
    return tuple(joined)


class _SpanReader:
    """Reads the pieces of one paragraph, and knows in which line each of them is."""

    def __init__(self, source: str, line: int) -> None:
        self._source = source
        self._line = line
        self._at = 0
        """In `source`, after the last piece whose place is known."""

    def read(self, nodes: Sequence[SyntaxTreeNode], style: Style, target: str) -> Iterable[Span]:
        """The spans of these pieces, which are in a style already."""
        for node in nodes:
            match node.type:
                case "text" | "text_special":
                    yield Span(node.content, style, target, self._line)
                case "softbreak" | "hardbreak":
                    yield Span("\n", style, target, self._line)
                    self._line += 1
                    self._at = self._source.find("\n", self._at) + 1
                case "code_inline":
                    yield Span(node.content, style if style is Style.LINK else Style.CODE, target, self._line)
                    self._pass_code(node.markup)
                case "value":
                    yield Span(node.content, Style.VALUE, line=self._line)
                case "brace":
                    message = _("a brace begins a computed value and is not closed; write \\{ for the sign")
                    raise LessonSyntaxError(self._line, message)
                case "em" | "strong" | "link":
                    inner = style if style is Style.LINK else _STYLES[node.type]
                    href = str(node.attrs.get("href", "")) or target
                    yield from self.read(node.children, inner, href)
                case "html_inline":
                    _check_comment(node.content, self._line)
                    self._line += node.content.count("\n")
                    self._at += node.content.count("\n")
                case "image":
                    raise LessonSyntaxError(self._line, _("prose has no pictures"))

    def _pass_code(self, ticks: str) -> None:
        """Count the lines that a piece of code takes; markdown-it has made spaces of their ends."""
        begin = self._source.find(ticks, self._at)
        end = self._source.find(ticks, begin + len(ticks))
        if 0 <= begin < end:
            self._line += self._source.count("\n", begin, end)
            self._at = end + len(ticks)


def _check_comment(html: str, line: int) -> None:
    """Of HTML prose has comments only. Raises `LessonSyntaxError`."""
    if not html.lstrip().startswith("<!--"):
        raise LessonSyntaxError(line, _("prose has no HTML but comments; write \\< for a sign, or `<b>` as code"))
    if "-->" not in html:
        raise LessonSyntaxError(line, _("the comment that begins here does not end; close it with -->"))


# -- showing prose -------------------------------------------------------------------------------------------------

_GLUED: Final = re.compile(r"[\u00a0\u202f]| (?=[:;?!»—](?:\W|$))|(?<=«) |(?<=\d) (?=\d{3}(?!\d))")
"""Spaces at which no line breaks: those that say so, French ones at marks, that before a dash, those of thousands."""


def readable(text: str) -> str:
    """Prose fit for any screen or printout; spaces at which a line must not break are `NO_BREAK`."""
    return NO_BREAK.join(map(displayable, _GLUED.split(text.replace("\n", " "))))


def spans_in(block: Prose) -> Iterable[Spans]:
    """The running texts of a block: one, or one for each item of a list."""
    match block:
        case ListBlock(items):
            yield from items
        case CodeBlock():
            pass
        case _:
            yield block.spans


def with_spans(block: Prose, change: Callable[[Span], Span]) -> Prose:
    """The block, each of its spans changed."""
    match block:
        case ListBlock(items):
            return replace(block, items=tuple(tuple(map(change, spans)) for spans in items))
        case CodeBlock():
            return block
        case _:
            return replace(block, spans=tuple(map(change, block.spans)))


def plain_text(spans: Spans) -> str:
    """Running text without its styles."""
    return "".join(span.text for span in spans).replace("\n", " ")
