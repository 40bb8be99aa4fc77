"""The last gate before the terminal: whatever a widget renders, no control or invisible character leaves the program.

Corpus text is made visible long before this (`core.display`), by the same table; the gate is for text that widgets of
the library show by themselves, such as what is typed into the command palette.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from bpe_tui.core.display import is_plain, is_shown

OUR_BLANKS: Final = frozenset("\u00a0\u202f\u2800")
"""Blanks that our own sentences and the curve hold, each one cell wide."""
REPLACEMENT: Final = "\ufffd"


class SafeFilter(LineFilter):
    """Replaces what must not reach a terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, those with unsafe text replaced."""
        if all(control or safe(text) == text for text, _, control in segments):
            return segments
        return [segment if segment.control else Segment(safe(segment.text), segment.style) for segment in segments]


@lru_cache(maxsize=1 << 12)
def safe(text: str) -> str:
    """`text` in as many cells as it was measured to take; what takes none is left out."""
    if is_plain(text):
        return text
    return "".join([char if char in OUR_BLANKS or is_shown(char) else REPLACEMENT * cell_len(char) for char in text])
