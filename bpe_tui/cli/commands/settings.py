"""`bpe-tui settings`: where the settings are, what is in force, and why."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import asked_by, help_of
from bpe_tui.cli.table import last_column, lines, text_column
from bpe_tui.core.display import displayable, width
from bpe_tui.core.i18n import _, current_language

WRONG: Final = 1
"""Exit status when something is wrong in the file."""


def settings(
    keys: Annotated[bool, typer.Option("--keys", help=_("List the actions whose keys can be changed."))] = False,
    as_json: opt.AsJson = False,
) -> None:
    """Show where the settings file is, which settings are in force, and where each comes from.

    The file need not exist. The exit status is 1 if something in it is wrong.
    """
    from bpe_tui.formats.settings import DEFAULT, FILE, read_settings, settings_path
    from bpe_tui.ui.keymap import give_keys
    from bpe_tui.ui.player import USUAL_SPEED, Pace
    from bpe_tui.ui.themes import theme_in_force

    found = read_settings()
    theme, theme_from, complaints = theme_in_force(found.themes(None, os.environ))
    complaints = [*found.complaints, *complaints, *give_keys(found.keys)]
    motion, motion_from = found.has_motion(os.environ)
    in_force: dict[str, tuple[Any, str]] = {
        "theme": (theme, theme_from),
        "language": (current_language(), asked_by()),
        "blanks": (found.blanks or "sign", FILE if found.blanks else DEFAULT),
        "motion": (motion, motion_from),
        "speed": (Pace(found.speed or USUAL_SPEED).speed, FILE if found.speed else DEFAULT),
    }
    if keys:
        show_keys(as_json=as_json)
    else:
        show(str(settings_path()), in_force, as_json=as_json)
    for complaint in complaints:
        output.note(complaint)
    if complaints:
        raise typer.Exit(WRONG)


def show(path: str, in_force: dict[str, tuple[Any, str]], *, as_json: bool) -> None:
    """Print the path and each setting with its value and where that comes from; keys that are not the usual ones."""
    from pathlib import Path

    from bpe_tui.formats.settings import DEFAULT, FILE
    from bpe_tui.ui.keymap import CHANGEABLE

    changed = {name: action for name, action in CHANGEABLE.items() if action.keys_now != action.keys}
    if as_json:
        values = {name: {"value": value, "from": origin} for name, (value, origin) in in_force.items()}
        output.write_json({"file": path, **values, "keys": {name: [*one.keys_now] for name, one in changed.items()}})
        return
    origins = {FILE: _("the file"), DEFAULT: _("default")}
    rows = [
        (name, value if isinstance(value, str) else json.dumps(value), origins.get(origin, origin))
        for name, (value, origin) in in_force.items()
    ]
    rows += [(f"keys.{name}", action.key_text, origins[FILE]) for name, action in changed.items()]
    output.say(path if Path(path).exists() else _("{file} (not there yet)").format(file=path))
    _write_table((_("setting"), _("value"), _("comes from")), rows)


def show_keys(*, as_json: bool) -> None:
    """Print each action whose keys can be changed, with those that it has."""
    from bpe_tui.ui.keymap import CHANGEABLE

    if as_json:
        output.write_json(
            [{"name": name, "keys": [*one.keys_now], "help": one.help} for name, one in CHANGEABLE.items()]
        )
        return
    rows = [(name, action.key_text, _(action.help)) for name, action in CHANGEABLE.items()]
    _write_table((_("name"), _("keys"), _("does")), rows)


def _write_table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    *first, last = ([displayable(entry) for entry in column] for column in zip(heads, *rows, strict=True))
    aligned = [text_column(head, [(entry, width(entry)) for entry in entries]) for head, *entries in first]
    output.write(lines(*aligned, last_column(last[0], last[1:])))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("settings", help=help_of(settings))(settings)
