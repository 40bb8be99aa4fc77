"""The last gate before the terminal: whatever a widget renders, no control or invisible character leaves the program.

Corpus text is made visible long before this (`core.display`), by the same table; the gate is for text that widgets of
the library show by themselves, such as what is typed into the command palette.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
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


class ColourFilter(LineFilter):
    """Takes all colours out, for `NO_COLOR`: what only a background showed is reversed instead."""

    def __init__(self, telling: Callable[[], frozenset[str]]) -> None:
        """`telling` gives the backgrounds, as `#rrggbb`, that mean something: the cursor, the marked pair."""
        super().__init__()
        self._telling = telling

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments with no more than bold, italic, underline and reverse."""
        telling = self._telling()
        return [
            Segment(text, None if style is None else colourless(style, telling), control)
            for text, style, control in segments
        ]


@lru_cache(maxsize=1 << 12)
def colourless(style: Style, telling: frozenset[str]) -> Style:
    """`style` without colours."""
    behind = style.bgcolor.get_truecolor().hex if style.bgcolor is not None else ""
    return Style(
        bold=style.bold,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=bool(style.reverse) != (behind in telling),
        meta=style.meta,
    )


@lru_cache(maxsize=1 << 12)
def safe(text: str) -> str:
    """`text` in as many cells as it was measured to take; what takes none is left out."""
    if is_plain(text):
        return text
    return "".join([char if char in OUR_BLANKS or is_shown(char) else REPLACEMENT * cell_len(char) for char in text])
