"""Reading a lesson: what the blocks of its document mean, and whether what they name is there."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from bpe_tui.core.i18n import _
from bpe_tui.lessons.commands import BackCommand, CheckpointCommand, OpenCommand, parse_command, parse_panes
from bpe_tui.lessons.document import BLOCKS, Document, DocumentPage, Fence, LessonFile, located, parse_document
from bpe_tui.lessons.lesson import CommandBlock, Item, Lesson, Note, Page, spans_of
from bpe_tui.lessons.prose import CodeBlock, Style, parse_prose
from bpe_tui.lessons.questions import Question, parse_question
from bpe_tui.lessons.subjects import parse_value_in_prose
from bpe_tui.lessons.syntax import LessonSyntaxError, LineParser
from bpe_tui.lessons.training_setup import CorpusLookup, EmbeddedCorpus, TrainingSetup, checked_settings


def read_lesson(file: LessonFile | Path) -> Lesson:
    """The lesson in a file. Raises `LessonError` naming file and line."""
    if isinstance(file, Path):
        file = LessonFile(file, str(file))
    return parse_lesson(file.text(), file.name, file.path.parent)


@lru_cache(maxsize=64)
def read_bundled(file: LessonFile) -> Lesson:
    """A lesson that comes with the program, read once: it takes 10 ms, and the list of lessons needs all of them.

    Raises `LessonError`.
    """
    return read_lesson(file)


def parse_lesson(text: str, path: str = "lesson", folder: Path | None = None) -> Lesson:
    """The lesson that `text` spells; files beside it are looked for in `folder`.

    Raises `LessonError`: `path:line: sentence`.
    """
    with located(path):
        return _lesson(parse_document(text), path, folder)


def _lesson(document: Document, path: str, folder: Path | None) -> Lesson:
    pages = tuple(_page(number, page) for number, page in enumerate(document.pages, 1))
    embedded: dict[str, EmbeddedCorpus] = {}
    for page in pages:
        for item in page.items:
            if isinstance(item, EmbeddedCorpus):
                if item.name in embedded:
                    message = _("there is a corpus {name!r} in line {line} already")
                    raise LessonSyntaxError(item.line, message.format(name=item.name, line=embedded[item.name].line))
                embedded[item.name] = item
    front = document.front
    settings: list[tuple[str, str]] = []
    for line, name, value in front.options:
        settings += checked_settings([(name, value)], line)
    setup = TrainingSetup(front.corpus, tuple(settings), front.corpus_line)
    corpora = CorpusLookup(embedded, folder)
    panes = None if front.panes is None else parse_panes(LineParser(front.panes[1], front.panes[0]))
    lesson = Lesson(path, front.title, front.language, front.summary, front.minutes, setup, corpora, panes, pages)
    _check_names(lesson)
    return lesson


def _check_names(lesson: Lesson) -> None:
    """Is what commands name there: corpora, options, checkpoints? Raises `LessonSyntaxError`."""
    lesson.corpora.check()
    lesson.corpora.find(lesson.setup)
    checkpoints: set[str] = set()
    for page in lesson.pages:
        for command in page.commands:
            if isinstance(command, OpenCommand):
                lesson.corpora.find(command.setup)
            elif isinstance(command, CheckpointCommand):
                if command.name in checkpoints:
                    message = _("there is a checkpoint {name!r} already")
                    raise LessonSyntaxError(command.line, message.format(name=command.name))
                checkpoints.add(command.name)
            elif isinstance(command, BackCommand) and command.name not in checkpoints:
                message = _("there is no checkpoint {name!r} before this line")
                raise LessonSyntaxError(command.line, message.format(name=command.name))


def _page(number: int, page: DocumentPage) -> Page:
    items: list[Item] = []
    if any(span.style is Style.VALUE for span in page.heading):
        raise LessonSyntaxError(page.line, _("a heading holds no computed values"))
    for line, block in page.blocks:
        item = _item(block) if isinstance(block, Fence) else block
        if isinstance(item, Question | CommandBlock) and any(isinstance(other, Question) for other in items):
            raise LessonSyntaxError(line, _("a question ends its page; begin another page with `---` or `## `"))
        for span in spans_of(item):
            if span.style is Style.VALUE:
                parse_value_in_prose(span.text, span.line)
        items.append(item)
    return Page(number, page.heading, page.continues, tuple(items), page.line)


def _item(fence: Fence) -> Item:
    """What a fenced block is."""
    kind, _blank, name = fence.info.partition(" ")
    name = name.strip()
    if kind in ("corpus", "words"):
        if not name or any(char.isspace() for char in name):
            message = _("write ```{kind} NAME, with a name of one word for the corpus")
            raise LessonSyntaxError(fence.line, message.format(kind=kind))
        return EmbeddedCorpus(name, "".join(f"{text}\n" for text in fence.lines), kind == "words", fence.line)
    if kind == "bpe":
        commands = [
            parse_command(text, line)
            for line, text in enumerate(fence.lines, fence.line + 1)
            if text.strip() and not text.lstrip().startswith("#")
        ]
        return CommandBlock(tuple(commands))
    if kind == "ask":
        return parse_question(fence.lines, fence.line)
    if kind == "note":
        return Note(parse_prose(fence.lines, fence.line + 1))
    # A block of code may be in any language; one whose name is nearly that of ours would be shown, and never run.
    if meant := get_close_matches(kind.lower(), BLOCKS, 1, 0.8):
        message = _("there is no block {kind!r}; if you mean {name}, write ```{name}")
        raise LessonSyntaxError(fence.line, message.format(kind=kind, name=meant[0]))
    return CodeBlock("\n".join(fence.lines))
