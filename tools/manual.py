"""Make the manual page from the command line's own help: `make manual`. The page is installed with the wheel."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

import typer

from bpe_tui.cli import app, output
from bpe_tui.version import __version__

PAGE: Final = Path(__file__).parents[1] / "docs" / "man" / "bpe-tui.1"
COMMON: Final = 3
"""An option that so many commands have is explained once."""
EXIT_STATUS: Final = (
    ("0", "Done."),
    ("1", "A check found a difference, as lesson --check and diff --exit-code do."),
    ("2", "The request cannot be met; one line on standard error says why, and what to do."),
    ("130", "Interrupted by ctrl+c."),
)
ENVIRONMENT: Final = (
    ("BPE_TUI_LANG", "The language to speak, like --lang; without it that of the locale."),
    ("NO_COLOR", "If it is not empty, no colours are shown."),
    ("NO_MOTION", "If it is not empty, nothing on the screen glides or flashes."),
)
EXAMPLES: Final = (
    ("bpe-tui", "Open the app on the corpus hug, and press space for the first merge."),
    ("bpe-tui train hug -o hug.json", "Train without the app, and write the tokenizer."),
    ("bpe-tui encode thug -t hug.json --trace", "Encode a text, and show each merge that fires."),
    ("bpe-tui lesson 1", "Open the first lesson."),
)
_CODE: Final = re.compile(r"`([^`]+)`")


def manual() -> str:
    """The page in roff."""
    program = app.whole_command()
    context = typer.Context(program, info_name=output.PROGRAM)
    commands = {name: program.get_command(context, name) for name in app.COMMANDS}
    shared = _shared(commands, context)
    lines = [
        f'.TH BPE-TUI 1 "" "bpe-tui {_text(__version__)}" "User Commands"',
        ".SH NAME",
        _text("bpe-tui - watch byte-pair encoding learn, one merge at a time"),
        ".SH SYNOPSIS",
        f".B {output.PROGRAM}",
        "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]",
        ".SH DESCRIPTION",
        *_paragraphs(program.help),
        ".PP",
        _text("The app explains its keys: press ? in it."),
        ".SH OPTIONS",
        *_options(program, context, {}),
        ".SH COMMANDS",
    ]
    for name, command in commands.items():
        lines += [f".SS {_text(name)}", *_command(name, command, context, shared)]
    lines += [".SH COMMON OPTIONS", "What these options mean is the same in all commands that have them."]
    for names, what in shared.items():
        lines += _entry(names, what)
    for title, entries in (("EXIT STATUS", EXIT_STATUS), ("ENVIRONMENT", ENVIRONMENT)):
        lines.append(f".SH {title}")
        for names, what in entries:
            lines += _entry(names, what)
    lines.append(".SH EXAMPLES")
    for names, what in EXAMPLES:
        lines += _entry(names, what)
    return "\n".join(lines) + "\n"


def _records(command: Any, context: Any) -> list[tuple[str, str]]:
    """The options and arguments of a command, as its help lists them."""
    with typer.Context(command, parent=context, info_name=command.name) as own:
        found = [one.get_help_record(own) for one in command.get_params(own)]
    return [(names, " ".join(what.split())) for names, what in filter(None, found)]


def _shared(commands: dict[str, Any], context: Any) -> dict[str, str]:
    """The options that many commands have with the same explanation, in the order of the first command."""
    times = Counter(record for one in commands.values() for record in _records(one, context))
    return {names: what for (names, what), count in times.items() if count >= COMMON and names.startswith("-")}


def _command(name: str, command: Any, context: Any, shared: dict[str, str]) -> list[str]:
    with typer.Context(command, parent=context, info_name=name) as own:
        usage = " ".join(command.collect_usage_pieces(own))
    return [
        f"\\fB{output.PROGRAM} {_text(name)}\\fR {_text(usage)}",
        ".PP",
        *_paragraphs(command.help),
        *_options(command, context, shared),
    ]


def _options(command: Any, context: Any, shared: dict[str, str]) -> list[str]:
    records = _records(command, context)
    lines = []
    for names, what in records:
        if shared.get(names) != what:
            lines += _entry(names, what)
    common = [names.split()[0].rstrip(",") for names, what in records if shared.get(names) == what]
    if common:
        lines += [".PP", f"Common options, explained below: {_text(', '.join(common))}."]
    return lines


def _paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in text.strip().split("\n\n"):
        lines += [".PP", _text(" ".join(paragraph.split()))]
    return lines[1:]


def _entry(names: str, what: str) -> list[str]:
    return [".TP", f"\\fB{_text(names)}\\fR", _text(what)]


def _text(text: str) -> str:
    """Text as roff prints it, with code in bold."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("\u00a0", "\\ ")
    escaped = _CODE.sub(r"\\fB\1\\fR", escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(manual(), encoding="utf-8", newline="\n")
