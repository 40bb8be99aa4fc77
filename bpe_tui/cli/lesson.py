"""`bpe-tui lesson`: walkthroughs, listed, printed, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from bpe_tui.cli import output
from bpe_tui.cli.language import choose_for_lesson, help_of
from bpe_tui.cli.options import AsJson, names_of
from bpe_tui.core.display import visible
from bpe_tui.core.i18n import _, language_in_force, plural

if TYPE_CHECKING:
    from bpe_tui.lessons.lesson import Lesson

FORMATS: Final = ("text", "markdown")
UNTRUE: Final = 1
"""Exit status of `--check` when a statement is not true."""


def complete_lesson(incomplete: str) -> list[str]:
    """Shell completion for a lesson: the names of the bundled ones; file names are the shell's own business."""
    from bpe_tui.lessons.library import entries

    return [entry.slug for entry in entries(language_in_force()) if entry.slug.startswith(incomplete)]


def lesson(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME|FILE",
            help=_("A lesson by its number or name, or a lesson file of your own."),
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
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help=_("What --print prints: {names}.").format(names=", ".join(FORMATS)),
            autocompletion=names_of(FORMATS),
            show_default=False,
        ),
    ] = None,
    notes: Annotated[bool, typer.Option("--notes", help=_("With --print: the presenter's notes as well."))] = False,
    record: Annotated[
        str | None,
        typer.Option(
            "--record",
            metavar="FILE.cast|FOLDER",
            help=_(
                "Let the lesson play by itself, and write it: an asciinema recording, or a folder of SVG pictures, one "
                "a pause."
            ),
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            "--size", metavar="WxH", help=_("With --record: columns x rows; 100x30 if not given."), show_default=False
        ),
    ] = None,
    theme: Annotated[
        str | None, typer.Option("--theme", metavar="NAME", help=_("Colours of the app."), show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Open a lesson: a walkthrough with pauses and questions. Without NAME, the list to choose from."""
    from bpe_tui.cli.lesson_app import choose_lesson, open_lesson, record_lesson
    from bpe_tui.core.errors import OptionError
    from bpe_tui.lessons.library import find
    from bpe_tui.lessons.reading import read_lesson

    if listed + printed + checked > 1:
        raise OptionError(_("--list, --print and --check each do another thing; give one"))
    if (form is not None or notes) and not printed:
        raise OptionError(_("--format and --notes say how to print a lesson; give --print as well"))
    if form is not None and form not in FORMATS:
        told = _("--format {name!r} is not one of {names}")
        raise OptionError(told.format(name=form, names=", ".join(FORMATS)))
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
    if checked:
        check_all(name)
    elif name is None and printed:
        raise OptionError(_("--print needs the name of a lesson; bpe-tui lesson --list lists them"))
    elif name is None and (listed or as_json or not output.has_screen()):
        list_lessons(as_json=as_json)
    elif name is None:
        choose_lesson(theme)
    else:
        found = read_lesson(find(name, language_in_force()))
        choose_for_lesson(found.language)
        if printed:
            print_lesson(found, form or FORMATS[0], notes=notes)
        else:
            if record is None:
                open_lesson(found, theme)
            else:
                record_lesson(found, record, size, theme)


def list_lessons(*, as_json: bool) -> None:
    """The bundled lessons, in the language in force."""
    from bpe_tui.lessons.library import entries
    from bpe_tui.lessons.prose import NO_BREAK, readable
    from bpe_tui.lessons.results import ColumnHead, Table

    found = [(entry, entry.file.document()) for entry in entries(language_in_force())]
    if as_json:
        output.write_json(
            [
                {
                    "number": entry.number,
                    "name": entry.slug,
                    "language": document.front.language,
                    "title": document.front.title,
                    "summary": document.front.summary,
                    "pages": len(document.pages),
                }
                for entry, document in found
            ]
        )
        return
    table = Table(
        (ColumnHead("#", is_number=True), ColumnHead(_("name")), ColumnHead(_("title"))),
        tuple(
            (
                str(entry.number),
                visible(entry.slug),
                readable(_("{title}: {summary}").format(title=document.front.title, summary=document.front.summary)),
            )
            for entry, document in found
        ),
    )
    output.write("".join(f"{line}\n" for line in table.lines()).replace(NO_BREAK, " "))


def print_lesson(lesson: Lesson, form: str, *, notes: bool) -> None:
    """The whole lesson, as text or as Markdown; statements that are not true are told on stderr."""
    from bpe_tui.lessons.printing import MarkdownText, PlainText, print_to

    writer = PlainText() if form == FORMATS[0] else MarkdownText()
    for line in print_to(writer, lesson, notes=notes):
        output.note(line)
    output.write(writer.text())


def check_all(name: str | None) -> None:
    """Verify one lesson, or all bundled ones in all languages."""
    from bpe_tui.lessons.checking import check
    from bpe_tui.lessons.library import all_entries, find
    from bpe_tui.lessons.reading import read_lesson

    files = [entry.file for entry in all_entries()] if name is None else [find(name, language_in_force())]
    lessons = [read_lesson(file) for file in files]
    statements, failures = 0, []
    for one in lessons:
        failures += check(one)
        statements += one.statement_count
    output.write("".join(f"{line}\n" for line in failures))
    if failures:
        raise typer.Exit(UNTRUE)
    output.write(
        _("{lessons}, {statements}: all are true.").format(
            lessons=plural("{count} lesson", "{count} lessons", len(lessons)),
            statements=plural("{count} statement", "{count} statements", statements),
        )
        + "\n"
    )


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("lesson", help=help_of(lesson))(lesson)
