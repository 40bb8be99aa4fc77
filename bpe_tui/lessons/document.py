"""A lesson file as Markdown: front matter, and pages of prose and fenced blocks.

What the fenced blocks mean is read by `reading`. This much is enough for a list of lessons, and needs no training.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bpe_tui.core.errors import LessonError
from bpe_tui.core.i18n import _, unreadable
from bpe_tui.lessons.prose import Prose, Spans, line_of, parse_markdown, parse_spans, prose_of
from bpe_tui.lessons.syntax import LessonSyntaxError, split_words

LARGEST: Final = 1 << 24
"""Bytes beyond which nothing is a lesson; devices have no end."""
KEYS: Final = ("title", "language", "summary", "minutes", "corpus", "panes")
"""The keys of the front matter, beside the training options."""
NUMBERS: Final = ("min-frequency", "vocab-size", "merges")
OPTIONS: Final = (
    "preset",
    "documents",
    "pre-tokenizer",
    "pattern",
    "alphabet",
    "end-of-word",
    "end-of-word-style",
    "ties",
    "special",
    "specials-in-corpus",
    "unk",
    *NUMBERS,
)
"""The training options of the command line, in the same words."""
BLOCKS: Final = ("bpe", "ask", "note", "corpus", "words")
"""Fenced blocks that are more than code."""
_OPENS: Final = re.compile(rf" {{0,3}}(`{{3,}}|~{{3,}})\s*(?:{'|'.join(BLOCKS)})(?:\s.*)?")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The `key: value` lines at the top of a lesson."""

    title: str
    language: str
    """Its code: en, fr, ru, …"""
    summary: str
    """One sentence for lists; may be empty."""
    corpus: str
    corpus_line: int = field(compare=False)
    minutes: int | None
    """How long it takes; None if it does not say."""
    panes: tuple[int, str] | None
    """The panes that it begins with, as they are written, and their line; None for all."""
    options: tuple[tuple[int, str, str], ...]
    """The training options, in the order of `OPTIONS`: line, name, value as it is written."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block."""

    info: str
    """What follows the opening fence: `bpe`, `words NAME`, …"""
    lines: tuple[str, ...]
    line: int
    """That of its opening fence."""


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """One page."""

    heading: Spans
    """Its own, or the one it continues under; empty before the first heading."""
    continues: bool
    """It continues under the heading of the page before."""
    line: int
    blocks: tuple[tuple[int, Prose | Fence], ...]
    """Each with its line."""


@dataclass(frozen=True, slots=True)
class Document:
    """A lesson file."""

    front: FrontMatter
    pages: tuple[DocumentPage, ...]

    @property
    def question_pages(self) -> tuple[int, ...]:
        """The pages that ask something, from 0."""
        asking = (
            any(isinstance(block, Fence) and block.info == "ask" for _line, block in page.blocks) for page in self.pages
        )
        return tuple(place for place, asks in enumerate(asking) if asks)


@dataclass(frozen=True, slots=True)
class LessonFile:
    """Where a lesson is."""

    path: Path
    name: str
    """As messages name it."""

    def text(self) -> str:
        """What is in the file. Raises `LessonError`."""
        try:
            with self.path.open("rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            raise LessonError(unreadable(self.name, error)) from error
        if len(data) > LARGEST:
            raise LessonError(_("{name}: more than {size} MB, so no lesson").format(name=self.name, size=LARGEST >> 20))
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise LessonError(f"{self.name}:{line}: " + _("not UTF-8 text")) from error

    def front(self) -> FrontMatter:
        """What stands before the pages, without reading these. Raises `LessonError`."""
        with located(self.name):
            return _front_matter(_lines(self.text()))[0]

    def document(self) -> Document:
        """The lesson as Markdown. Raises `LessonError`."""
        with located(self.name):
            return parse_document(self.text())


@contextlib.contextmanager
def located(name: str) -> Iterator[None]:
    """Give errors in lines the name of their file: they become a `LessonError`, `name:line: sentence`."""
    try:
        yield
    except LessonSyntaxError as error:
        raise LessonError(f"{name}:{error.line}: {error.sentence}") from None


def parse_document(text: str) -> Document:
    """The document that `text` spells. Raises `LessonSyntaxError`."""
    lines = _lines(text)
    front, end = _front_matter(lines)
    return Document(front, _pages(lines[end:], end + 1))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


# -- front matter --------------------------------------------------------------------------------------------------


def _front_matter(lines: Sequence[str]) -> tuple[FrontMatter, int]:
    """The front matter, and how many lines it takes."""
    if lines[0].rstrip() != "---":
        raise LessonSyntaxError(1, _("a lesson begins with a line `---`, then title, language and corpus, then `---`"))
    found: dict[str, list[tuple[int, str]]] = {}
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == "---":
            return _checked_front_matter(found), number
        if not line.strip() or line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        if not colon:
            raise LessonSyntaxError(number, _("in the front matter each line is `key: value`"))
        if key not in (*KEYS, *OPTIONS):
            message = _("there is no key {key!r}; keys are {names}")
            raise LessonSyntaxError(number, message.format(key=key, names=", ".join((*KEYS, *OPTIONS))))
        if key in found and key != "special":
            raise LessonSyntaxError(number, _("{name} is given twice").format(name=key))
        if value.startswith('"'):
            value = "".join(word.text for word in split_words(value, number))
        found.setdefault(key, []).append((number, value))
    raise LessonSyntaxError(1, _("the front matter does not end; close it with a line `---`"))


def _checked_front_matter(found: dict[str, list[tuple[int, str]]]) -> FrontMatter:
    def required(key: str) -> tuple[int, str]:
        line, value = found[key][0] if key in found else (1, "")
        if not value:
            raise LessonSyntaxError(line, _("the front matter has no {key}").format(key=key))
        return line, value

    _line, title = required("title")
    language_line, language = required("language")
    corpus_line, corpus = required("corpus")
    if not _LANGUAGE.fullmatch(language):
        message = _("the language is a code such as en, fr or ru, not {name!r}")
        raise LessonSyntaxError(language_line, message.format(name=language))
    summary = found["summary"][0][1] if "summary" in found else ""
    minutes = None
    if "minutes" in found:
        line, text = found["minutes"][0]
        if not re.fullmatch(r"[1-9][0-9]{0,2}", text):
            raise LessonSyntaxError(
                line, _("{name} is a whole number, not {value!r}").format(name="minutes", value=text)
            )
        minutes = int(text)
    panes = found["panes"][0] if "panes" in found else None
    options = tuple((line, key, value) for key in OPTIONS for line, value in found.get(key, ()))
    return FrontMatter(title, language, summary, corpus, corpus_line, minutes, panes, options)


# -- pages ---------------------------------------------------------------------------------------------------------


def _pages(lines: Sequence[str], first_line: int) -> tuple[DocumentPage, ...]:
    """The pages in lines, the first of which is line `first_line` of the file."""
    pages: list[DocumentPage] = []
    heading: Spans = ()
    continues, begin = False, first_line
    blocks: list[tuple[int, Prose | Fence]] = []

    def end_page() -> None:
        if not blocks:
            raise LessonSyntaxError(begin, _("there is nothing on this page"))
        pages.append(DocumentPage(heading, continues, begin, tuple(blocks)))
        blocks.clear()

    for node in parse_markdown("\n".join(lines)):
        line = line_of(node, first_line)
        if node.type == "heading" and node.markup in "-=":
            assert node.map is not None
            raise LessonSyntaxError(
                first_line + node.map[1] - 1,
                _("leave a blank line before a rule; right under text it would make a heading"),
            )
        if node.type == "heading" and len(node.markup) < 3:
            text = node.children[0].content
            if len(node.markup) == 1 or not text:
                raise LessonSyntaxError(
                    line, _("a page begins with `## ` and its heading; the title is in the front matter")
                )
            if blocks or pages or heading:  # else the lesson begins with a heading
                end_page()
            heading, continues, begin = parse_spans(text, line), False, line
        elif node.type == "hr":
            end_page()
            continues, begin = True, line
        elif node.type == "fence":
            assert node.map is not None
            start, stop = node.map
            if stop - start < 2 or not _closes(lines[stop - 1], node.markup):
                message = _("the block that begins here does not end; close it with {fence}")
                raise LessonSyntaxError(line, message.format(fence=node.markup))
            for number, text in enumerate(lines[start + 1 : stop - 1], line + 1):
                opens = _OPENS.fullmatch(text)
                if opens is not None and opens[1].startswith(node.markup):
                    message = _("the block that begins here is not closed before line {line}, where another one begins")
                    raise LessonSyntaxError(line, message.format(line=number))
            blocks.append((line, Fence(node.info.strip(), tuple(lines[start + 1 : stop - 1]), line)))
        else:
            block = prose_of(node, first_line)
            if block is not None:
                blocks.append((line, block))
    end_page()
    return tuple(pages)


def _closes(line: str, fence: str) -> bool:
    """Does this line close a block that began with `fence`?"""
    stripped = line.strip()
    return len(line) - len(line.lstrip(" ")) < 4 and len(stripped) >= len(fence) and set(stripped) == {fence[0]}
