"""`bpe-tui exercise`: write byte-pair encoding yourself, checked whenever the file is saved."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.text import as_file_name
from bpe_tui.core.display import displayable, visible
from bpe_tui.core.i18n import _, number, plural, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bpe_tui.core.teaching.exercise import Finding

FILE: Final = "my_bpe.py"
"""The file if none is named."""
DIFFERS: Final = 1
"""Exit status of `--once` when the functions are not right yet."""
LARGEST: Final = 1 << 20
"""Bytes beyond which nothing is such a file."""
POLL: Final = 0.3
"""Seconds between two looks at the file."""


def exercise(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help=_("The Python file with your functions; made if there is none."),
            parser=as_file_name,
        ),
    ] = FILE,
    once: Annotated[
        bool, typer.Option("--once", help=_("Check the file once; the exit status is 1 if it is not right yet."))
    ] = False,
) -> None:
    """Write byte-pair encoding yourself: three functions, checked whenever you save the file.

    They are run on three small corpora, step by step, and the first difference is shown. The file runs in a process
    of its own, with a limit on time and on memory.
    """
    from bpe_tui.core.errors import BpeError

    path, name = Path(file), visible(file)
    if not path.exists():
        if once:
            raise BpeError(_("{name}: no such file; bpe-tui exercise without --once makes it").format(name=file))
        make(path)
        output.write(_("{name} is new: open it in your editor.").format(name=name) + "\n")
    if once:
        if not check(path):
            raise typer.Exit(DIFFERS)
        return
    output.write(_("{name} is checked whenever you save it; ctrl+c ends this.").format(name=name) + "\n\n")
    output.flush()
    for _change in changes(path):
        if check(path):
            return
        output.write("\n")
        output.flush()


def make(path: Path) -> None:
    """Write the file to begin with; one that is there already is never touched. Raises `OSError`."""
    from bpe_tui.core.teaching.exercise import skeleton

    with path.open("x", encoding="utf-8", newline="\n") as stream:
        stream.write(skeleton())


def changes(path: Path) -> Iterator[None]:
    """Now, and again each time the file was saved, which may replace it by another one."""
    before: tuple[int, int, int] | None = None
    while True:
        try:
            status = path.stat()
            now: tuple[int, int, int] | None = (status.st_mtime_ns, status.st_size, status.st_ino)
        except FileNotFoundError:  # an editor is about to put it in its place
            now = before
        if now != before:
            before = now
            yield
        time.sleep(POLL)


def check(path: Path) -> bool:
    """Run the functions, and say what came of it; True if all are right. Raises `BpeError`."""
    from bpe_tui.core.errors import BpeError
    from bpe_tui.core.teaching.exercise import FindingKind
    from bpe_tui.core.teaching.exercise_run import run_exercise

    try:
        with path.open("rb") as stream:
            source = stream.read(LARGEST + 1)
    except OSError as error:
        raise BpeError(unreadable(path, error)) from error
    if len(source) > LARGEST:
        message = _("{name}: more than {size} MB, so no exercise")
        raise BpeError(message.format(name=path, size=LARGEST >> 20))
    finding = run_exercise(path.absolute(), source)
    output.write("".join(f"{displayable(line)}\n" for line in lines_of(finding)))
    return finding.kind is FindingKind.RIGHT


def lines_of(finding: Finding) -> Iterator[str]:
    """What was found, line by line; the learner's texts in it are untrusted."""
    from bpe_tui.core.teaching.exercise import FindingKind

    for corpus, merges in finding.passed:
        yield "✓ " + _("{label}: {text}").format(label=corpus, text=plural("{count} merge", "{count} merges", merges))
    if finding.kind is FindingKind.RIGHT:
        yield _("All three functions are right: this is byte-pair encoding.")
    else:
        yield f"✗ {_place(finding)}{_sentence(finding)}"
        for label, text in (
            (_("line {line}").format(line=number(finding.line)), finding.code if finding.line else ""),
            (_("called with"), finding.given),
            (_("expected"), finding.expected),
            (_("but got"), finding.got),
        ):
            if text:
                yield "    " + _("{label}: {text}").format(label=label, text=text)
    if finding.printed.strip():
        first, *more = finding.printed.strip().splitlines()
        yield "    " + _("printed: {text}").format(text=first + (" …" if more else ""))


def _place(finding: Finding) -> str:
    if not finding.corpus:
        return f"{finding.function}: " if finding.function else ""
    message = _("{corpus}, merge {merge}, {function}:")
    return message.format(corpus=finding.corpus, merge=number(finding.merge), function=finding.function) + " "


def _sentence(finding: Finding) -> str:
    from bpe_tui.core.teaching.exercise import FindingKind

    sentences = {
        FindingKind.DIFFERS: _("another value is expected."),
        FindingKind.ORDER: _(
            "the counts are right, but their order is not: of a tie, pick would take another pair from this dict."
        ),
        FindingKind.TYPE: _("a value of another type is expected."),
        FindingKind.NOTHING: _("it returns nothing yet."),
        FindingKind.MISSING: _("there is no function of this name in the file."),
        FindingKind.RAISED: _("an exception, {error}."),
        FindingKind.SYNTAX: _("this is not Python: {error}."),
        FindingKind.EXITED: _("the program was left; the functions have to return instead."),
        FindingKind.TIME: _("it does not end; is there an endless loop?"),
        FindingKind.MEMORY: _("it needs too much memory; is there a list that grows forever?"),
    }
    return sentences[finding.kind].format(error=finding.error.rstrip("."))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("exercise", help=help_of(exercise))(exercise)
