"""What the words of a command line stand for, where it is not what Python makes of them."""

from __future__ import annotations

import os
from pathlib import Path
from unicodedata import normalize

import typer

from bpe_tui.core.i18n import _


def as_text(word: str) -> str:
    """A text on a command line, from UTF-8 whatever the locale. Raises `typer.BadParameter` for any other bytes.

    Bytes that the locale's encoding lacks come as lone surrogates (PEP 383).
    """
    try:
        word.encode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(word).decode()
        except UnicodeError:
            raise typer.BadParameter(_("{value} is not UTF-8 text").format(value=repr(word))) from None
    return word


def as_file_name(name: str) -> str:
    """The name as the file that is there has it, if the two differ only in how accents are composed.

    Some systems write `é` in file names as two code points, and keyboards type one.
    """
    if name.isascii():
        return name
    try:
        if os.path.lexists(name):
            return name
        path = Path(name)
        same = [one for one in path.parent.iterdir() if normalize("NFC", one.name) == normalize("NFC", path.name)]
    except (OSError, ValueError):
        return name
    return os.path.join(os.path.dirname(name), same[0].name) if len(same) == 1 else name  # noqa: PTH118, PTH120 (./ stays)
