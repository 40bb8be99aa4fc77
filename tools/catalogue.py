"""The catalogue of the program's sentences: collected from the source, brought into each translation, compiled.

`make catalogue` runs this. The files are the same whenever and wherever they are made: entries in the order of their
texts, without line numbers or dates.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from bpe_tui.core.corpus.sources import bundled_corpora
from bpe_tui.core.i18n import DOMAIN, FOLDER, LANGUAGES
from bpe_tui.version import __version__

PACKAGE: Final = Path(__file__).parents[1] / "bpe_tui"
TRANSLATIONS: Final = LANGUAGES[1:]
KEYWORDS: Final = ("_", "mark", "ngettext", "plural")
"""The functions of `bpe_tui.core.i18n` whose arguments are messages."""
TABLES: Final = {"Action": (2, 3), "Format": (1,)}
"""Constructors of tables, with the places of the arguments that are messages."""
HELP: Final = "help_of"
"""Shows the docstring of the function that is its argument."""


def collected() -> Catalog:
    """Every message of the source, without translations."""
    catalogue = Catalog(domain=DOMAIN)
    for path in sorted(PACKAGE.rglob("*.py")):
        for message in messages_in(path.read_text(encoding="utf-8")):
            catalogue.add(message)
    for corpus in bundled_corpora():
        catalogue.add(corpus.description)
    return catalogue


def messages_in(source: str) -> Iterator[str | tuple[str, str]]:
    """The messages of a module, those with a plural as pairs.

    The parser sees more than Babel's own extractor: calls inside f-strings, tables, and the help of commands.
    """
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name, texts = node.func.id, [_literal(argument) for argument in node.args]
        if name in TABLES:
            yield from (texts[place] for place in TABLES[name] if texts[place])
        elif name == HELP and isinstance(node.args[0], ast.Name):
            yield ast.get_docstring(functions[node.args[0].id]) or ""
        elif name in KEYWORDS and texts and texts[0]:
            yield texts[0] if name in ("_", "mark") else (texts[0], texts[1])


def _literal(argument: ast.expr) -> str:
    """The text of a literal; empty for anything else."""
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


def po_path(language: str) -> Path:
    """Where the translation is written by people."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def mo_path(language: str) -> Path:
    """Where the program reads it."""
    return po_path(language).with_suffix(".mo")


def translation(language: str) -> Catalog:
    """The translation in its file."""
    with po_path(language).open("rb") as stream:
        return read_po(stream, locale=language, domain=DOMAIN)


def updated(language: str, template: Catalog) -> Catalog:
    """The translation with every message of `template` and no other; new ones are still empty."""
    catalogue = translation(language)
    template.creation_date = catalogue.creation_date
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.project, catalogue.version = DOMAIN, __version__
    return catalogue


def po_bytes(catalogue: Catalog) -> bytes:
    """The translation as a file for people."""
    stream = io.BytesIO()
    write_po(stream, catalogue, width=120, no_location=True, omit_header=False, sort_output=True)
    return stream.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    """The translation as a file for the program."""
    stream = io.BytesIO()
    write_mo(stream, catalogue)
    return stream.getvalue()


def missing(catalogue: Catalog) -> list[str]:
    """The messages that have no translation yet, or one that is only a guess."""
    lacking = []
    for message in catalogue:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id and (message.fuzzy or not all(forms)):
            lacking.append(message.id if isinstance(message.id, str) else message.id[0])
    return lacking


def main() -> int:
    """Update and compile every translation, and list what is still to be translated."""
    template = collected()
    for language in TRANSLATIONS:
        catalogue = updated(language, template)
        po_path(language).write_bytes(po_bytes(catalogue))
        mo_path(language).write_bytes(mo_bytes(catalogue))
        lacking = missing(catalogue)
        sys.stdout.write(f"{language}: {len(catalogue)} messages, {len(lacking)} to translate\n")
        sys.stdout.writelines(f"  {text!r}\n" for text in lacking)
    return 0


if __name__ == "__main__":
    sys.exit(main())
