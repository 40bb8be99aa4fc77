"""A corpus in which each pane has half a million rows: as many words of two letters, each a pair of its own."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from random import Random
from typing import Final

ROWS: Final = 500_000
LETTERS: Final = 800
"""So many letters make 640,000 pairs."""


def write_long_table(path: Path) -> None:
    """Write a word-count table of `ROWS` words, the same at each call."""
    letters = [chr(code) for code in range(ord("a"), 0x2000) if is_letter(chr(code))][:LETTERS]
    pairs = Random(0).sample(range(LETTERS * LETTERS), ROWS)
    lines = (f"{letters[pair // LETTERS]}{letters[pair % LETTERS]}\t{ROWS - place}" for place, pair in enumerate(pairs))
    path.write_text("\n".join(lines), encoding="utf-8")


def is_letter(char: str) -> bool:
    """Is it a letter of one cell that normalization leaves alone?"""
    return (
        unicodedata.category(char) in {"Ll", "Lu"}
        and unicodedata.normalize("NFKC", char) == char
        and unicodedata.east_asian_width(char) in {"N", "Na"}
    )
