"""`bpe-tui train` on the command line; what it does is in `training.py`."""

from __future__ import annotations

from typing import Annotated

import typer

from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import AsJson, Corpora, TrainingChoices, with_training
from bpe_tui.cli.training import carry_out_training
from bpe_tui.core.i18n import _


@with_training
def train(
    corpora: Corpora,
    training: TrainingChoices,
    out: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help=_("Write the trained tokenizer to this file."), show_default=False
        ),
    ] = None,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help=_("Format of FILE, if its name does not say it."), show_default=False
        ),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(
            "--like",
            metavar="TOKENIZER",
            help=_(
                "Cut the text as this tokenizer.json does, its normalizer included; with the package tokenizers also "
                "a name on the Hugging Face Hub."
            ),
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help=_("Train with the package tokenizers as well, and say whether it learns the same.")
        ),
    ] = False,
) -> None:
    """Train on a corpus and print the merge log.

    A line of the log tells the number of the merge, the pair, the token made, how often the pair was counted and how
    often replaced, and how many pairs shared the highest count (- where none did).
    """
    status = carry_out_training(
        corpora, training, out=out, format_name=format_name, like=like, as_json=as_json, verify=verify
    )
    if status:
        raise typer.Exit(status)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("train", help=help_of(train))(train)
