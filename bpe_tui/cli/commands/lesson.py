"""`bpe-tui lesson`: walkthroughs, opened, listed, printed, checked, recorded."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import choose_for_lesson, help_of
from bpe_tui.cli.options import choice_option, name_option
from bpe_tui.cli.text import as_file_name
from bpe_tui.core.display import visible
from bpe_tui.core.i18n import _, current_language, number, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from bpe_tui.lessons.document import LessonFile
    from bpe_tui.lessons.lesson import Lesson
    from bpe_tui.ui.recording import Pause

FORMATS: Final = ("text", "markdown")
UNTRUE: Final = 1
"""Exit status of `--check` when a statement is not true."""


def complete_lesson(incomplete: str) -> list[str]:
    """Shell completion for a lesson: the names of the bundled ones; file names are the shell's own business."""
    from bpe_tui.lessons.library import entries

    return [entry.slug for entry in entries(current_language()) if entry.slug.startswith(incomplete)]


def lesson(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME|FILE",
            help=_("A lesson by its number or name, or a lesson file of your own."),
            parser=as_file_name,
            autocompletion=complete_lesson,
            show_default=False,
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help=_("List the lessons."))] = False,
    printed: Annotated[
        bool,
        typer.Option("--print", help=_("Print the whole lesson, with what its commands show, and do not open it.")),
    ] = False,
    checked: Annotated[
        bool,
        typer.Option(
            "--check", help=_("Carry out the lesson and verify every statement; without NAME, of all lessons.")
        ),
    ] = False,
    strict: Annotated[
        bool | None,
        typer.Option(
            "--strict/--lenient",
            help=_(
                "With --check: look at the prose as well, for figures that nothing states, answers in view before they "
                "are asked for, and wrong choices without a reason; or at the statements only. Strict by default."
            ),
            show_default=False,
        ),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help=_("With --check: correct the values of statements in the lesson file."))
    ] = False,
    form: Annotated[str | None, choice_option("--format", _("What --print prints: {names}."), FORMATS)] = None,
    notes: Annotated[bool, typer.Option("--notes", help=_("With --print: the presenter's notes as well."))] = False,
    record: opt.Record = None,
    export: Annotated[
        str | None,
        name_option("--export", metavar="FILE", what=_("Write how far you are in all lessons to a JSON file.")),
    ] = None,
    imported: Annotated[
        str | None,
        name_option(
            "--import",
            metavar="FILE",
            what=_("Take in what --export has written: the further page and the better answer stay."),
        ),
    ] = None,
    size: opt.RecordingSize = None,
    theme: opt.Theme = None,
    as_json: opt.AsJson = False,
    plain: opt.Plain = False,
) -> None:
    """Open a lesson: a walkthrough with pauses and questions. Without NAME, the list to choose from."""
    from bpe_tui.core.errors import OptionError

    if listed + printed + checked > 1:
        raise OptionError(_("--list, --print and --check each do another thing; give one"))
    if (strict is not None or fix) and not checked:
        raise OptionError(_("--strict, --lenient and --fix say how to check a lesson; give --check as well"))
    if (form is not None or notes) and not printed:
        raise OptionError(_("--format and --notes say how to print a lesson; give --print as well"))
    if form is not None and form not in FORMATS:
        message = _("--format {name!r} is not one of {names}")
        raise OptionError(message.format(name=form, names=", ".join(FORMATS)))
    if as_json and (printed or checked or name is not None):
        raise OptionError(_("--json lists the lessons; give it without a name, --print and --check"))
    if listed and name is not None:
        raise OptionError(_("--list lists all lessons; give it without a name"))
    if record is not None and (name is None or listed or printed or checked):
        raise OptionError(
            _("--record plays one lesson and writes it; give its name, and no --list, --print or --check")
        )
    if size is not None and record is None:
        raise OptionError(_("--size is that of a recording; give --record as well"))
    if plain and (listed or printed or checked or as_json or record is not None or theme is not None):
        raise OptionError(_("--plain goes through one lesson by typed lines; give its name, and no other option"))
    if export is not None or imported is not None:
        if (
            name is not None
            or listed
            or printed
            or checked
            or record is not None
            or as_json
            or plain
            or None not in (export, imported)
        ):
            raise OptionError(_("--export and --import are of the progress in all lessons; give one of them alone"))
        if export is not None:
            export_progress(export)
        elif imported is not None:
            import_progress(imported)
    elif checked:
        check_all(name, strict=strict is not False, fix=fix)
    elif name is None and plain:
        raise OptionError(_("--plain needs the name of a lesson; bpe-tui lesson --list lists them"))
    elif name is None and printed:
        raise OptionError(_("--print needs the name of a lesson; bpe-tui lesson --list lists them"))
    elif name is None and (listed or as_json or not output.has_screen()):
        list_lessons(as_json=as_json)
    elif name is None:
        choose_lesson(theme)
    else:
        found = find_lesson(name)
        choose_for_lesson(found.language)
        if plain:
            read_plainly(found)
        elif printed:
            print_lesson(found, form or FORMATS[0], notes=notes)
        else:
            if record is None:
                open_lesson(found, theme)
            else:
                record_lesson(found, record, size, theme)


def find_lesson(name: str) -> Lesson:
    """A lesson by its number or name, or a file. Raises `LessonError`."""
    from bpe_tui.lessons.library import find
    from bpe_tui.lessons.reading import read_lesson

    return read_lesson(find(name, current_language()))


def list_lessons(*, as_json: bool) -> None:
    """The bundled lessons, in the current language, with how far each was read."""
    from bpe_tui.lessons.library import entries
    from bpe_tui.lessons.prose import NO_BREAK, readable
    from bpe_tui.lessons.results import ColumnHead, TextTable
    from bpe_tui.ui.session.lesson_progress import load

    found = [(entry, entry.file.document()) for entry in entries(current_language())]
    progress = [load(str(entry.file.path)) for entry, _lesson in found]
    if as_json:
        output.write_json(
            [
                {
                    "number": entry.number,
                    "name": entry.slug,
                    "language": lesson.front.language,
                    "title": lesson.front.title,
                    "summary": lesson.front.summary,
                    "minutes": lesson.front.minutes,
                    "pages": len(lesson.pages),
                    "questions": len(lesson.question_pages),
                    "furthest_page": reached.furthest + 1 if reached.furthest else 0,
                    "right_answers": reached.tally(lesson).right,
                }
                for (entry, lesson), reached in zip(found, progress, strict=True)
            ]
        )
        return
    marks = [reached.mark(lesson) for (_entry, lesson), reached in zip(found, progress, strict=True)]
    table = TextTable(
        (
            ColumnHead("#", is_number=True),
            ColumnHead(_("name")),
            *([ColumnHead(_("read"))] if any(marks) else []),
            ColumnHead(_("min"), is_number=True),
            ColumnHead(_("title")),
        ),
        tuple(
            (
                str(entry.number),
                visible(entry.slug),
                *([read] if any(marks) else []),
                "" if lesson.front.minutes is None else number(lesson.front.minutes),
                readable(_("{title}: {summary}").format(title=lesson.front.title, summary=lesson.front.summary)),
            )
            for (entry, lesson), read in zip(found, marks, strict=True)
        ),
    )
    output.write("".join(f"{line}\n" for line in table.lines()).replace(NO_BREAK, " "))


def export_progress(to: str) -> None:
    """Write the progress in all lessons to a file, whole or not at all. Raises `TokenizerFileError`."""
    from bpe_tui.core.errors import TokenizerFileError
    from bpe_tui.formats.files import write_atomically
    from bpe_tui.ui.session.progress_transfer import exported

    data, count = exported()
    try:
        write_atomically(to, data)
    except TokenizerFileError as error:
        raise TokenizerFileError(f"{to}: {error}") from error
    output.note(
        plural("{name}: progress in {count} lesson", "{name}: progress in {count} lessons", count, name=visible(to))
    )


def import_progress(name: str) -> None:
    """Merge the progress in a file into what is saved; all of it or nothing. Raises `TokenizerFileError`."""
    from bpe_tui.core.errors import TokenizerFileError
    from bpe_tui.core.i18n import unreadable
    from bpe_tui.ui.session.progress_transfer import LARGEST, imported

    try:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise TokenizerFileError(unreadable(name, error)) from error
    if len(data) > LARGEST:
        message = _("{name}: more than {size} MB, so no lesson progress")
        raise TokenizerFileError(message.format(name=name, size=LARGEST >> 20))
    try:
        count = imported(data)
    except TokenizerFileError as error:
        raise TokenizerFileError(f"{name}: {error}") from error
    output.note(
        plural("{name}: progress in {count} lesson", "{name}: progress in {count} lessons", count, name=visible(name))
    )


def print_lesson(lesson: Lesson, form: str, *, notes: bool) -> None:
    """The whole lesson, as text or as Markdown; statements that are not true are listed on stderr."""
    from bpe_tui.lessons.printing import MarkdownText, PlainText, print_to

    writer = PlainText() if form == FORMATS[0] else MarkdownText()
    for line in print_to(writer, lesson, notes=notes):
        output.note(line)
    output.write(writer.text())


def check_all(name: str | None, *, strict: bool, fix: bool) -> None:
    """Verify one lesson, or all bundled ones in all languages."""
    from bpe_tui.lessons.checking import check
    from bpe_tui.lessons.library import all_entries, find
    from bpe_tui.lessons.reading import read_lesson

    files = [entry.file for entry in all_entries()] if name is None else [find(name, current_language())]
    if fix:
        for file in files:
            fix_statements(file)
    reports = [check(read_lesson(file), strict=strict) for file in files]
    messages = [message for report in reports for message in report.messages]
    output.write("".join(f"{message}\n" for message in messages))
    if messages:
        raise typer.Exit(UNTRUE)
    lessons = plural("{count} lesson", "{count} lessons", len(reports))
    statements = plural("{count} statement", "{count} statements", sum(report.statements for report in reports))
    figures = plural("{count} figure in prose", "{count} figures in prose", sum(report.figures for report in reports))
    if strict:
        message = _("{lessons}, {statements}, {figures}: all are true.")
    else:
        message = _("{lessons}, {statements}: all are true.")
    output.write(message.format(lessons=lessons, statements=statements, figures=figures) + "\n")


def fix_statements(file: LessonFile) -> None:
    """Correct the values of statements in a lesson file, whole or not at all. Raises `BpeError`."""
    from bpe_tui.formats.files import write_atomically
    from bpe_tui.lessons.checking import check, corrected_text
    from bpe_tui.lessons.reading import read_lesson

    failures = [failure for failure in check(read_lesson(file)).failures if failure.correction is not None]
    if failures:
        write_atomically(str(file.path), corrected_text(file.text(), failures).encode())
        message = plural(
            "{name}: {count} statement corrected", "{name}: {count} statements corrected", len(failures), name=file.name
        )
        output.note(message)


def open_lesson(lesson: Lesson, theme: str | None) -> None:
    """Open the app on a lesson. Raises `BpeError`."""
    _need_screen()
    from bpe_tui.ui.app import run_lesson

    output.say(run_lesson(lesson, theme=theme))


def choose_lesson(theme: str | None) -> None:
    """Open the app on the list of lessons. Raises `BpeError`."""
    _need_screen()
    from bpe_tui.ui.app import run_app

    output.say(run_app(theme=theme, first_action="lessons"))


def read_plainly(lesson: Lesson) -> None:
    """Go through a lesson, and those after it, in sentences and by typed lines. Raises `BpeError`."""
    from bpe_tui.lessons.reading import read_lesson
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.plain.conversation import Conversation
    from bpe_tui.plain.lesson import LessonReading

    talk = Conversation(sys.stdin, sys.stdout)
    with contextlib.suppress(EOFError):
        while (following := LessonReading(Walk(lesson), talk).run()) is not None:
            lesson = read_lesson(following.file)
            talk.pause()


def _need_screen() -> None:
    from bpe_tui.core.errors import BpeError

    if not output.has_screen():
        message = _(
            "the app needs a terminal; without one, use bpe-tui lesson NAME --print, or --plain for its questions"
        )
        raise BpeError(message)
    output.need_drawing()


def record_lesson(lesson: Lesson, to: str, size: str | None, theme: str | None) -> None:
    """Play a lesson without a terminal, and write what it shows. Raises `BpeError`."""
    from bpe_tui.cli.commands.record import record
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.recording import film_lesson

    def film(cells: tuple[int, int], progress: Callable[[int, int], None]) -> Coroutine[object, object, list[Pause]]:
        return film_lesson(Walk(lesson), cells, theme, progress)

    record(to, size, theme, lesson.title, film)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("lesson", help=help_of(lesson))(lesson)
