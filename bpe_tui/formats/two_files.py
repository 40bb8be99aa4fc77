"""How the two files of GPT-2's format are called, and which goes with which."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PAIRS: Final = (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe"))
"""The vocabulary and the merges; a prefix may stand before both names."""


def both(path: str) -> tuple[str, str] | None:
    """The vocabulary's and the merges' file, given either of them or the folder they are in; None for other names."""
    place = Path(path)
    if place.is_dir():
        for names in PAIRS:
            if all((place / name).is_file() for name in names):
                return str(place / names[0]), str(place / names[1])
        return None
    for names in PAIRS:
        for name in names:
            if place.name.endswith(name):
                prefix = place.name.removesuffix(name)
                return str(place.with_name(prefix + names[0])), str(place.with_name(prefix + names[1]))
    return None
