"""Tokenizer files of any size, made up: each merge joins two known tokens, the early ones more often."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

LETTERS = "etaoinshrdlucmfwypvbgkjqxz"
LONGEST = 12


def made_merges(count: int) -> list[tuple[str, str]]:
    """As many merges of letters, the same at each call."""
    rng = Random(1)
    tokens = list(LETTERS) + [f" {letter}" for letter in LETTERS]
    merges = [(" ", letter) for letter in LETTERS]
    known = set(tokens)
    while len(merges) < count:
        left, right = (tokens[int(len(tokens) * rng.random() ** 3)] for _ in range(2))
        made = left + right
        if right[0] != " " and made not in known and len(made) <= LONGEST:
            known.add(made)
            tokens.append(made)
            merges.append((left, right))
    return merges


def write_tokenizer_json(path: Path, count: int) -> str:
    """Write a `tokenizer.json` of so many merges; returns a text made of its tokens."""
    from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR

    merges = [tuple(part.replace(" ", "Ġ") for part in merge) for merge in made_merges(count)]
    tokens = [*BYTE_TO_CHAR, *map("".join, merges)]
    model = {"type": "BPE", "vocab": {token: number for number, token in enumerate(tokens)}, "merges": merges}
    cut = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    path.write_text(json.dumps({"model": model, "pre_tokenizer": cut, "decoder": cut}), encoding="utf-8")
    return text_of(merges)


def text_of(merges: list[tuple[str, ...]]) -> str:
    """Two thousand characters of tokens, a space between them."""
    words = ["".join(merge).replace("Ġ", " ").strip() for merge in merges[:: max(1, len(merges) // 400)]]
    return " ".join(words)[:2_000]
