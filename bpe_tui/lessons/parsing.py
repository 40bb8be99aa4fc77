"""From the text of a Markdown file to a `Lesson`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bpe_tui.core.errors import LessonError
from bpe_tui.core.i18n import _, unreadable
from bpe_tui.lessons.commands import BackTo, Checkpoint, Open, command_of
from bpe_tui.lessons.faults import LessonSyntaxError
from bpe_tui.lessons.lesson import Item, Lesson, Note, Page, Question, Run
from bpe_tui.lessons.opening import OPTIONS, Opening, OwnCorpus, Sources, checked_settings
from bpe_tui.lessons.prose import Spans, Verbatim, prose_of, spans_of
from bpe_tui.lessons.questions import blocks_of, question_of
from bpe_tui.lessons.words import words_of

LARGEST: Final = 1 << 24
"""Bytes beyond which nothing is a lesson; devices have no end."""
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_FENCE: Final = re.compile(r"(`{3,}|~{3,})\s*([^`]*)")
_KEYS: Final = ("title", "language", "summary", "corpus")
_OWN_CORPUS: Final = ("corpus", "words")
_KINDS: Final = ("bpe", "ask", "note", *_OWN_CORPUS)
"""Fenced blocks that are more than code."""


def read_lesson(path: Path, shown_as: str | None = None) -> Lesson:
    """The lesson in a file. Raises `LessonError` naming file and line."""
    name = shown_as or str(path)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise LessonError(_("{name}: more than {size} MB, so no lesson").format(name=name, size=LARGEST >> 20))
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise LessonError(unreadable(name, error)) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LessonError(f"{name}:{line}: " + _("not UTF-8 text")) from error
    return parse_lesson(text, name, path.parent)


def parse_lesson(text: str, path: str = "lesson", folder: Path | None = None) -> Lesson:
    """The lesson that `text` spells; files beside it are looked for in `folder`.

    Raises `LessonError`: `path:line: sentence`.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    try:
        front, start = _front_matter(lines)
        pages = _pages(lines, start)
        lesson = _lesson(path, front, pages, folder)
        _check_names(lesson)
    except LessonSyntaxError as fault:
        raise LessonError(f"{path}:{fault.line}: {fault.sentence}") from None
    return lesson


# -- front matter --------------------------------------------------------------------------------------------------

Front = dict[str, list[tuple[int, str]]]
"""The values of each key, with their lines."""


def _front_matter(lines: Sequence[str]) -> tuple[Front, int]:
    """The front matter, and the index of the line after it."""
    if lines[0].rstrip() != "---":
        raise LessonSyntaxError(1, _("a lesson begins with a line `---`, then title, language and corpus, then `---`"))
    front: Front = {}
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == "---":
            return front, number
        if not line.strip() or line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        if not colon:
            raise LessonSyntaxError(number, _("in the front matter each line is `key: value`"))
        if key not in (*_KEYS, *OPTIONS):
            told = _("there is no key {key!r}; keys are {names}")
            raise LessonSyntaxError(number, told.format(key=key, names=", ".join((*_KEYS, *OPTIONS))))
        if key in front and key != "special":
            raise LessonSyntaxError(number, _("{name} is given twice").format(name=key))
        if value.startswith('"'):
            value = "".join(word.text for word in words_of(value, number))
        front.setdefault(key, []).append((number, value))
    raise LessonSyntaxError(1, _("the front matter does not end; close it with a line `---`"))


def _lesson(path: str, front: Front, pages: tuple[Page, ...], folder: Path | None) -> Lesson:
    def value(key: str) -> tuple[int, str]:
        if key not in front or not front[key][0][1]:
            line = front[key][0][0] if key in front else 1
            raise LessonSyntaxError(line, _("the front matter has no {key}").format(key=key))
        return front[key][0]

    own: dict[str, OwnCorpus] = {}
    for page in pages:
        for item in page.items:
            if isinstance(item, OwnCorpus):
                if item.name in own:
                    told = _("there is a corpus {name!r} in line {line} already")
                    raise LessonSyntaxError(item.line, told.format(name=item.name, line=own[item.name].line))
                own[item.name] = item
    title, (language_line, language), (line, corpus) = value("title")[1], value("language"), value("corpus")
    if not _LANGUAGE.fullmatch(language):
        told = _("the language is a code such as en, fr or ru, not {name!r}")
        raise LessonSyntaxError(language_line, told.format(name=language))
    settings: list[tuple[str, str]] = []
    for key in OPTIONS:
        for number, text in front.get(key, ()):
            settings += checked_settings([(key, text)], number)
    summary = front["summary"][0][1] if "summary" in front else ""
    opening = Opening(corpus, tuple(settings), line)
    return Lesson(path, title, language, summary, opening, Sources(own, folder), pages)


def _check_names(lesson: Lesson) -> None:
    """What commands name is there: corpora, options, checkpoints."""
    lesson.sources.check()
    lesson.sources.find(lesson.opening)
    checkpoints: set[str] = set()
    for page in lesson.pages:
        for command in page.commands:
            if isinstance(command, Open):
                lesson.sources.find(command.opening)
            elif isinstance(command, Checkpoint):
                if command.name in checkpoints:
                    told = _("there is a checkpoint {name!r} already")
                    raise LessonSyntaxError(command.line, told.format(name=command.name))
                checkpoints.add(command.name)
            elif isinstance(command, BackTo) and command.name not in checkpoints:
                told = _("there is no checkpoint {name!r} before this line")
                raise LessonSyntaxError(command.line, told.format(name=command.name))


# -- pages ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Draft:
    """A page in the making."""

    heading: Spans
    continues: bool
    line: int
    items: list[Item] = field(default_factory=list)


def _pages(lines: Sequence[str], start: int) -> tuple[Page, ...]:
    drafts = [_Draft((), False, start + 1)]
    for number, block in _blocks(lines, start):
        first = block[0]
        draft = drafts[-1]
        fence = _FENCE.fullmatch(first)
        if fence is not None:
            _add(draft, _fenced(fence[2].strip(), block[1:], number + 1), number)
        elif first.startswith("## "):
            if not draft.items and len(drafts) == 1 and not draft.heading:
                drafts.clear()  # the lesson begins with a heading
            else:
                _check_page(draft)
            drafts.append(_Draft(spans_of(first[3:].strip()), False, number))
        elif re.fullmatch(r"-{3,}|\*{3,}|_{3,}", first.strip()):
            _check_page(draft)
            drafts.append(_Draft(draft.heading, True, number))
        elif re.match(r"#{1,2}(\s|$)", first):
            raise LessonSyntaxError(
                number, _("a page begins with `## ` and its heading; the title is in the front matter")
            )
        elif first.startswith("<!--"):
            continue
        elif first.startswith("|") and len(block) > 1 and re.fullmatch(r"[|:\s-]+", block[1]):
            raise LessonSyntaxError(
                number, _("prose has no tables; commands show tables, and a fenced block keeps lines as they are")
            )
        else:
            _add(draft, prose_of(block), number)
    _check_page(drafts[-1])
    return tuple(
        Page(number, draft.heading, draft.continues, tuple(draft.items), draft.line)
        for number, draft in enumerate(drafts, 1)
    )


def _add(draft: _Draft, item: Item, line: int) -> None:
    if isinstance(item, Question | Run) and any(isinstance(other, Question) for other in draft.items):
        raise LessonSyntaxError(line, _("a question ends its page; begin another page with `---` or `## `"))
    draft.items.append(item)


def _check_page(draft: _Draft) -> None:
    if not draft.items:
        raise LessonSyntaxError(draft.line, _("there is nothing on this page"))


def _blocks(lines: Sequence[str], start: int) -> Iterator[tuple[int, list[str]]]:
    """Each block with the number of its first line: a fence with the lines in it, a heading, a rule, or prose."""
    index = start
    while index < len(lines):
        line = lines[index].rstrip()
        number = index + 1
        index += 1
        if not line:
            continue
        block = [line]
        fence = _FENCE.fullmatch(line)
        if fence is not None:
            end = next((at for at in range(index, len(lines)) if _closes(lines[at], fence[1])), None)
            if end is None:
                told = _("the block that begins here does not end; close it with {fence}")
                raise LessonSyntaxError(number, told.format(fence=fence[1]))
            block += lines[index:end]
            index = end + 1
        elif line.startswith("<!--"):
            while "-->" not in lines[index - 1]:
                if index == len(lines):
                    raise LessonSyntaxError(number, _("the comment that begins here does not end; close it with -->"))
                index += 1
        elif not _stands_alone(line):
            while index < len(lines) and lines[index].strip() and not _interrupts(lines[index]):
                block.append(lines[index].rstrip())
                index += 1
            if index < len(lines) and re.fullmatch(r"-{3,}|={3,}", lines[index].strip()):
                raise LessonSyntaxError(
                    index + 1, _("leave a blank line before a rule; right under text it would make a heading")
                )
        yield number, block


def _stands_alone(line: str) -> bool:
    return line.startswith("#") or re.fullmatch(r"-{3,}|\*{3,}|_{3,}", line.strip()) is not None


def _interrupts(line: str) -> bool:
    return _stands_alone(line) or _FENCE.fullmatch(line.rstrip()) is not None or line.startswith("<!--")


def _closes(line: str, fence: str) -> bool:
    line = line.rstrip()
    return len(line) >= len(fence) and set(line) == {fence[0]}


def _fenced(info: str, lines: list[str], line: int) -> Item:
    """What a fenced block is; `line` is that of its first inner line."""
    kind, _blank, name = info.partition(" ")
    name = name.strip()
    if kind in _OWN_CORPUS:
        if not name or any(char.isspace() for char in name):
            told = _("write ```{kind} NAME, with a name of one word for the corpus")
            raise LessonSyntaxError(line - 1, told.format(kind=kind))
        return OwnCorpus(name, "".join(f"{text}\n" for text in lines), kind == "words", line - 1)
    if kind == "bpe":
        commands = [
            command_of(text, number)
            for number, text in enumerate(lines, line)
            if text.strip() and not text.lstrip().startswith("#")
        ]
        return Run(tuple(commands))
    if kind == "ask":
        return question_of(lines, line)
    if kind == "note":
        return Note(blocks_of(lines))
    _check_kind(kind, line - 1)
    return Verbatim("\n".join(lines))


def _check_kind(kind: str, line: int) -> None:
    """A block of code may be in any language; one whose name is nearly that of ours would be shown, and never run."""
    from difflib import get_close_matches

    if meant := get_close_matches(kind.lower(), _KINDS, 1, 0.8):
        told = _("there is no block {kind!r}; if you mean {name}, write ```{name}")
        raise LessonSyntaxError(line, told.format(kind=kind, name=meant[0]))
