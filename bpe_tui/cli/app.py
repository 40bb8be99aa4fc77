"""The Typer application: which commands there are, each loaded when it is asked for, in the current language."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer._completion_shared import _completion_scripts  # it has no public name
from typer.core import TyperCommand, TyperGroup

from bpe_tui.cli import language, output
from bpe_tui.cli.errors import complaint
from bpe_tui.cli.options import TrainingChoices, names_of
from bpe_tui.core.i18n import LANGUAGES, _, mark, unbroken
from bpe_tui.version import __version__

COMMANDS: Final = (
    "open",
    "train",
    "encode",
    "decode",
    "convert",
    "diff",
    "report",
    "lesson",
    "exercise",
    "count",
    "corpora",
    "settings",
    "vocabularies",
    "serve",
)
"""In the order in which they are listed; each has a module of its name here, with `add_to(app)`."""
TYPERS_WORDS: Final = (
    mark("Arguments"),
    mark("Commands"),
    mark("Options"),
    mark("default: {default}"),
    mark("required"),
    mark("Install completion for the current shell."),
    mark("Show completion for the current shell, to copy it or customize the installation."),
)
"""What Typer looks up in gettext, and the help of its own options."""
COMPLETING: Final = "_BPE_TUI_COMPLETE"
"""The variable by which a shell asks Typer for completions."""


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line and return its exit status; what goes wrong is raised."""
    _complete_at_first_tab()
    with language.typer_too():
        status = whole_command()(list(arguments), prog_name=output.PROGRAM, standalone_mode=False)
    return status if isinstance(status, int) else 0


def whole_command() -> Any:
    """`bpe-tui` itself with all its commands, in the current language."""
    app = _new_app(name=output.PROGRAM, cls=Program)
    about = _(
        "Watch byte-pair encoding learn, one merge at a time.\n\n"
        "Without a command, the app opens on the corpus `hug`, ready to step."
    )
    app.callback(invoke_without_command=True, help=about)(start)
    return _with_our_help(typer.main.get_command(app))


def _complete_at_first_tab() -> None:
    """Have zsh complete when it loads the script, which it does at the first TAB; as Click's own script does."""
    script = _completion_scripts["zsh"]
    if "loadautofunc" not in script:
        first = 'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  %(complete_func)s "$@"\nfi\n'
        _completion_scripts["zsh"] = script + first


def _show_version(asked: bool) -> None:
    if asked:
        output.write(f"{output.PROGRAM} {__version__}\n")
        raise typer.Exit


def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help=_("Show the version and exit."))
    ] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            language.OPTION,
            metavar="NAME",
            help=_("The language to speak, of any command: {names}.").format(names=", ".join(LANGUAGES)),
            autocompletion=names_of(LANGUAGES),
        ),
    ] = None,
) -> None:
    """What happens without a command: the app opens."""
    if context.invoked_subcommand is None:
        from bpe_tui.cli.commands.open import start_app

        start_app((), TrainingChoices(), theme=None)


def _new_app(**more: Any) -> typer.Typer:
    return typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **more,
    )


# -- Typer's own words, in the current language ----------------------------------------------------------------------
# Typer has no public names for the types of `ctx` and `formatter`.


class TranslatedCommand(TyperCommand):
    """A command that explains itself, and complains, in the current language."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a command line. Raises `typer.TyperException`."""
        ctx.allow_extra_args = True  # they are complained of below
        extra = _in_our_words(super().parse_args, ctx, args)
        if extra and not ctx.resilient_parsing:
            ctx.fail(_("got unexpected extra argument ({names})").format(names=" ".join(extra)))
        return extra

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the first line of the help."""
        _write_usage(self, ctx, formatter)

    def get_help_option(self, ctx: Any) -> Any:
        """`--help`, explained."""
        return _explained(super().get_help_option(ctx))


class Program(TyperGroup):
    """`bpe-tui` itself: all commands, each of which is loaded when it is asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words before the command. Raises `typer.TyperException`."""
        return _in_our_words(super().parse_args, ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None if there is none."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            app = _new_app(add_completion=False)
            import_module(f"bpe_tui.cli.commands.{cmd_name}").add_to(app)
            for info in app.registered_commands:
                info.cls = TranslatedCommand
            self.add_command(_with_our_help(typer.main.get_command(app)))
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that a line names. Raises `typer.TyperException`."""
        name = args[0]
        if name in COMMANDS or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        names = ", ".join(map(repr, get_close_matches(name, COMMANDS)))
        message = _("no such command '{name}'; there is {names}") if names else _("no such command '{name}'")
        return ctx.fail(message.format(name=name, names=names))

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the first line of the help."""
        _write_usage(self, ctx, formatter)

    def get_help_option(self, ctx: Any) -> Any:
        """`--help`, explained."""
        return _explained(super().get_help_option(ctx))


def _in_our_words(
    parse: Callable[[Any, list[str]], list[str]], context: typer.Context, arguments: list[str]
) -> list[str]:
    words = tuple(arguments)  # parsing uses them up
    try:
        return parse(context, arguments)
    except typer.TyperException as error:
        context.fail(complaint(error, context, words))


def _write_usage(command: Any, ctx: Any, formatter: Any) -> None:
    formatter.write_usage(ctx.command_path, " ".join(command.collect_usage_pieces(ctx)), prefix=_("Usage:") + " ")


def _explained(option: Any) -> Any:
    if option is not None:
        option.help = _("Show this message and exit.")
    return option


def _with_our_help(command: Any) -> Any:
    """A command with the help of Typer's own options translated, and with French blanks where the help has them."""
    is_completing = COMPLETING in os.environ
    for each in (command, *command.params):
        if getattr(each, "help", None):
            each.help = _(each.help)
            if is_completing:  # the scripts for shells lose the plain one
                each.help = each.help.replace("'", "\u2019")
            each.help = unbroken(each.help)
    return command
