"""Prose: the few kinds of Markdown that a lesson's text is made of, as frozen values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bpe_tui.core.display import displayable

NO_BREAK: Final = "\u00a0"


class Style(StrEnum):
    """How a piece of running text is set."""

    PLAIN = "plain"
    CODE = "code"
    EMPHASIS = "emphasis"
    STRONG = "strong"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of running text in one style."""

    text: str
    style: Style = Style.PLAIN
    target: str = ""
    """Where a link leads."""


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
class Items:
    """A list."""

    items: tuple[Spans, ...]
    numbered: bool


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that are shown as they are."""

    text: str


Prose = Paragraph | Subheading | Quote | Items | Verbatim

_INLINE: Final = re.compile(
    r"\\(?P<escaped>[\\`*_\[\]<>#|~-])"
    r"|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|\*\*(?=\S)(?P<strong>[^*]+?)(?<=\S)\*\*"
    r"|\*(?=\S)(?P<emphasis>[^*]+?)(?<=\S)\*"
    r"|\[(?P<link>[^\]]+)\]\((?P<target>[^()\s]+)\)"
)


def spans_of(text: str) -> Spans:
    """The pieces of running text: `code`, *emphasis*, **strong**, [links](target) and what stands between them."""
    spans: list[Span] = []
    plain: list[str] = []
    end = 0

    def flush() -> None:
        if joined := "".join(plain):
            spans.append(Span(joined))
        plain.clear()

    for found in _INLINE.finditer(text):
        plain.append(text[end : found.start()])
        end = found.end()
        if found["escaped"]:
            plain.append(found["escaped"])
            continue
        flush()
        if found["code"]:
            code = found["code"]
            padded = len(code) > 2 and code[0] == code[-1] == " "
            spans.append(Span(code[1:-1] if padded else code, Style.CODE))
        elif found["link"]:
            spans.append(Span(found["link"], Style.LINK, found["target"]))
        elif found["strong"]:
            spans.append(Span(found["strong"], Style.STRONG))
        else:
            spans.append(Span(found["emphasis"], Style.EMPHASIS))
    plain.append(text[end:])
    flush()
    return tuple(spans)


_LIST_MARK: Final = re.compile(r"(?:[-*+]|(?P<number>\d{1,3})[.)])\s+(?=\S)")


def prose_of(lines: list[str]) -> Prose:
    """One block of prose, given as its lines without blank ones between them."""
    first = lines[0]
    if first.startswith("###"):
        return Subheading(spans_of(_joined([first.lstrip("#"), *lines[1:]])))
    if first.startswith(">"):
        return Quote(spans_of(_joined([line.removeprefix(">") for line in lines])))
    mark = _LIST_MARK.match(first)
    if mark is None:
        return Paragraph(spans_of(_joined(lines)))
    items: list[list[str]] = []
    for line in lines:
        marked = _LIST_MARK.match(line)
        if marked is not None:
            items.append([line[marked.end() :]])
        else:
            items[-1].append(line)
    return Items(tuple(spans_of(_joined(item)) for item in items), numbered=mark["number"] is not None)


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines).strip()


_GLUED: Final = re.compile("[\u00a0\u202f]| (?=[:;?!»—](?:\\W|$))|(?<=«) ")
"""Spaces at which no line breaks: those that say so, those that French has at its marks, that before a dash."""


def readable(text: str) -> str:
    """Prose fit for any screen or printout; spaces at which a line must not break are `NO_BREAK`."""
    return NO_BREAK.join(map(displayable, _GLUED.split(text)))


def plain_text(spans: Spans) -> str:
    """Running text without its styles."""
    return "".join(span.text for span in spans)
