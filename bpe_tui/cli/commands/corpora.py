"""`bpe-tui corpora`: the bundled corpora."""

from __future__ import annotations

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.core.i18n import _


def corpora(as_json: opt.AsJson = False) -> None:
    """List the bundled corpora, each with the preset it brings."""
    from bpe_tui.core.corpus.sources import bundled_corpora

    found = bundled_corpora()
    if as_json:
        output.write_json([{"name": one.name, "preset": one.preset, "description": one.description} for one in found])
        return
    name_width = max((len(one.name) for one in found), default=0)
    preset_width = max((len(one.preset) for one in found), default=0)
    output.write(
        "".join(f"{one.name:<{name_width}}  {one.preset:<{preset_width}}  {_(one.description)}\n" for one in found)
    )


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("corpora", help=help_of(corpora))(corpora)
