"""Paths as learners type and paste them."""

from __future__ import annotations

import contextlib
import os
import shlex
from pathlib import Path
from typing import Final
from urllib.parse import unquote

MOST_OF_PATH: Final = 4096
"""Characters of a pasted text that may be a path."""


def path_in(pasted: str, system: str = os.name) -> Path | None:
    """The file or folder that a pasted text names, as terminals and desktops write it; None if it names none."""
    text = pasted.strip()
    separators = "\\/" if system == "nt" else "/"
    has_separator = any(sign in text for sign in separators)
    if not text or len(text) > MOST_OF_PATH or "\n" in text or not (has_separator or text.startswith("~")):
        return None
    readings = [text]
    if text.startswith("file://"):
        place = unquote(text.removeprefix("file://").removeprefix("localhost"))
        readings.append(place.lstrip("/") if system == "nt" else place)  # file:///C:/texts/a.txt
    if system == "nt":
        readings.append(text.strip('"'))  # a backslash is no quotation there
    else:
        with contextlib.suppress(ValueError):  # a quotation mark without its other half
            words = shlex.split(text)
            readings += words if len(words) == 1 else []
    for reading in readings:
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            path = Path(reading).expanduser()
            if path.exists():
                return path
    return None


def path_of(typed: str) -> Path:
    """The path that was typed or pasted, `~` understood."""
    if (found := path_in(typed)) is not None:
        return found
    path = Path(typed.strip())
    try:
        return path.expanduser()
    except RuntimeError:  # the home of nobody
        return path
