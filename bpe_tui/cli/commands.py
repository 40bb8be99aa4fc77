"""Which commands there are, and what `bpe-tui` does without one."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Final

import typer

from bpe_tui.cli import language, output
from bpe_tui.cli.options import names_of
from bpe_tui.cli.speaking import Group, translate
from bpe_tui.core.i18n import LANGUAGES, _

COMMANDS: Final = ("open", "train", "encode", "decode", "convert", "diff", "lesson", "count", "corpora", "serve")
"""In the order in which they are listed; each has a module of its name here, with `add_to(app)`."""


def carry_out(arguments: list[str]) -> int:
    """Carry out one command line and return its exit status; what goes wrong is raised, Ctrl-C as `typer.Abort` too."""
    with language.typer_too():
        status = translate(_app(arguments))(arguments, prog_name=output.PROGRAM, standalone_mode=False)
    return status if isinstance(status, int) else 0


def _app(arguments: list[str]) -> typer.Typer:
    """The command line. Only the module of the command asked for is loaded; all of them where that is unclear."""
    app = typer.Typer(
        name=output.PROGRAM,
        cls=Group,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    about = _(
        "Watch byte-pair encoding learn, one merge at a time.\n\n"
        "Without a command, the app opens on the corpus `hug`, ready to step."
    )
    app.callback(invoke_without_command=True, help=about)(start)
    asked = arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS
    for name in asked:
        import_module(f"bpe_tui.cli.{name}").add_to(app)
    return app


def _version(asked: bool) -> None:
    if asked:
        from bpe_tui import __version__

        output.write(f"{output.PROGRAM} {__version__}\n")
        raise typer.Exit


def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help=_("Show the version and exit."))
    ] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            language.OPTION,
            metavar="NAME",
            help=_("The language to speak, of any command: {names}.").format(names=", ".join(LANGUAGES)),
            autocompletion=names_of(LANGUAGES),
            show_default=False,
        ),
    ] = None,
) -> None:
    """What happens without a command: the app opens."""
    if context.invoked_subcommand is None:
        from bpe_tui.cli.open import start_app
        from bpe_tui.cli.options import TrainingChoices

        start_app((), TrainingChoices(), theme=None)
