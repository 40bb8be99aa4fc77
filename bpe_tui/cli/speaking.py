"""Typer's own words in the language in force: what it says by itself it says in English."""

from __future__ import annotations

import re
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from bpe_tui.core.i18n import _, current_language, mark

WORDS: Final = (
    mark("Arguments"),
    mark("Commands"),
    mark("Options"),
    mark("default: {default}"),
    mark("required"),
    mark("Install completion for the current shell."),
    mark("Show completion for the current shell, to copy it or customize the installation."),
)
"""What Typer looks up in gettext, and the help of its own options."""


FRENCH_BLANKS: Final = re.compile(r" (?=[:;!?»])|(?<=«) ")
"""Spaces that belong to a mark: the help is wrapped, and no line may begin with the mark."""


class Command(TyperCommand):
    """A command that explains itself in our language."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """The first line of the help."""
        _write_usage(self, ctx, formatter)

    def get_help_option(self, ctx: Any) -> Any:
        """`--help`, explained."""
        return _explained(super().get_help_option(ctx))


class Group(TyperGroup):
    """All commands, explaining themselves in our language."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """The first line of the help."""
        _write_usage(self, ctx, formatter)

    def get_help_option(self, ctx: Any) -> Any:
        """`--help`, explained."""
        return _explained(super().get_help_option(ctx))


def translate(app: typer.Typer) -> Any:
    """The Click command of an app, with its words translated."""
    for info in app.registered_commands:
        info.cls = Command
    group: Any = typer.main.get_command(app)
    for option in group.params:
        if getattr(option, "help", None):
            option.help = _(option.help)
    if current_language() == "fr":
        for command in (group, *group.commands.values()):
            for each in (command, *command.params):
                if getattr(each, "help", None):
                    each.help = FRENCH_BLANKS.sub("\u00a0", each.help)
    return group


def _write_usage(command: Any, ctx: Any, formatter: Any) -> None:
    formatter.write_usage(ctx.command_path, " ".join(command.collect_usage_pieces(ctx)), prefix=_("Usage:") + " ")


def _explained(option: Any) -> Any:
    if option is not None:
        option.help = _("Show this message and exit.")
    return option
