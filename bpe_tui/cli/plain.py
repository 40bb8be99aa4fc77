"""Plain lines of `train`, read without Typer, which takes longer to load than a small corpus to count.

Only what cannot be misread is read here: corpora, and options from a short list, each followed by its value. Everything
else is left to Typer, the telling of mistakes as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

_TEXTS: Final = {"--preset": "preset", "--ties": "ties", "--output": "out", "-o": "out"}
_NUMBERS: Final = {"--vocab-size": "vocab_size", "--merges": "merges", "--min-frequency": "min_frequency"}


def plain_training(arguments: Sequence[str]) -> dict[str, Any] | None:
    """What a line asks `carry_out_training` for, if it is a plain line of `train`; None if it is any other line."""
    if arguments[:1] != ["train"]:
        return None
    corpora: list[str] = []
    given: dict[str, Any] = {}
    words = iter(arguments[1:])
    for word in words:
        if not word.startswith("-"):
            corpora.append(word)
            continue
        value = next(words, "-")
        if word in _TEXTS and not value.startswith("-"):
            given[_TEXTS[word]] = value
        elif word in _NUMBERS and value.isascii() and value.isdigit() and len(value) < 19:
            given[_NUMBERS[word]] = int(value)
        else:
            return None
    if not corpora:
        return None
    from bpe_tui.cli.choices import TrainingChoices

    out = given.pop("out", None)
    return {"corpora": corpora, "training": TrainingChoices(**given), "out": out}
