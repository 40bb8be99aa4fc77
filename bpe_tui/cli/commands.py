"""Which commands there are, and what `bpe-tui` does without one."""

from __future__ import annotations

from typing import Annotated

import typer

from bpe_tui.cli import corpora, count, decode, diff, encode, output, train
from bpe_tui.cli import open as opening
from bpe_tui.cli.options import TrainingChoices

app = typer.Typer(
    name=output.PROGRAM,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (opening, train, encode, decode, diff, count, corpora):
    command.add_to(app)


def _version(asked: bool) -> None:
    if asked:
        from bpe_tui import __version__

        output.write(f"{output.PROGRAM} {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Watch byte-pair encoding learn, one merge at a time.

    Without a command, the app opens on the corpus `hug`, ready to step.
    """
    if context.invoked_subcommand is None:
        opening.start_app((), TrainingChoices(), theme=None)


def carry_out(arguments: list[str]) -> int:
    """Carry out one command line and return its exit status; what goes wrong is raised, Ctrl-C as `typer.Abort` too."""
    status = typer.main.get_command(app)(arguments, prog_name=output.PROGRAM, standalone_mode=False)
    return status if isinstance(status, int) else 0
