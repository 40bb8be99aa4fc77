"""`bpe-tui vocabularies`: the vocabularies of real models that installed packages hold."""

from __future__ import annotations

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.core.i18n import _


def vocabularies(as_json: opt.AsJson = False) -> None:
    """List the vocabularies that installed packages hold: name, tokens, package, file.

    Each can be named wherever a tokenizer can: open gpt2, encode TEXT -t gpt2. A file of that name comes first. With
    --json also those whose packages are not installed, without a file.
    """
    from bpe_tui.cli.table import last_column, lines, number_column, shown, text_column
    from bpe_tui.core.display import displayable
    from bpe_tui.core.i18n import number
    from bpe_tui.formats.vocabularies import KNOWN, how_to_install

    paths = {one.name: one.path for one in KNOWN.values()}
    if as_json:
        output.write_json(
            [
                {
                    "name": one.name,
                    "tokens": one.tokens,
                    "package": one.package,
                    "path": None if (path := paths[one.name]) is None else str(path),
                }
                for one in KNOWN.values()
            ]
        )
        return
    found = [one for one in KNOWN.values() if paths[one.name] is not None]
    cells = shown(text for one in found for text in (one.name, one.package))
    if found:
        output.write(
            lines(
                text_column(_("name"), [cells[one.name] for one in found]),
                number_column(_("tokens"), [number(one.tokens) for one in found]),
                text_column(_("package"), [cells[one.package] for one in found]),
                last_column(_("file"), [displayable(str(paths[one.name])) for one in found]),
            )
        )
    missing: dict[str, list[str]] = {}
    for one in KNOWN.values():
        if paths[one.name] is None:
            missing.setdefault(how_to_install(one), []).append(one.name)
    for how, names in missing.items():
        output.note(_("not installed: {names}; {how}").format(names=", ".join(names), how=how))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("vocabularies", help=help_of(vocabularies))(vocabularies)
