"""What counting hands on to training: word counts; and how far long work has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bpe_tui.core.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Progress:
    """How far long work has come."""

    phase: str
    """`counting`, `indexing` or `merging`."""
    done: int
    total: int
    """In bytes while counting, in merges while merging; 0 if unknown."""


@dataclass(frozen=True, slots=True)
class WordCounts:
    """All that training needs to know of a corpus."""

    words: list[str]
    """The distinct words (pre-tokens) in order of first appearance, as text."""
    counts: list[int]
    documents: int = 0
    """0 for a word-count table."""
    notes: tuple[str, ...] = ()
    """Sentences for the user: what was skipped, and the special tokens in the corpus."""


ShouldStop = Callable[[], bool]
"""Asked by long work every now and then; it stops with `Cancelled` once the answer is true."""
OnProgress = Callable[[Progress], None]
"""Called by long work every now and then."""


def raise_if_stopped(should_stop: ShouldStop | None) -> None:
    """Raises `Cancelled` if the work is not wanted any more."""
    if should_stop is not None and should_stop():
        raise Cancelled("stopped")
