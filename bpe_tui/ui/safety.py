"""The last gate before the terminal: whatever a widget renders, no control or invisible character leaves the program.

Corpus text is made visible long before this (`content`); the gate is for text that widgets of the library show
by themselves, such as what is typed into the command palette.
"""

from __future__ import annotations

import re
from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Controls, format characters, separators, surrogates and tags; all of them take no cell where text is measured."""


class SafeFilter(LineFilter):
    """Drops what must not reach a terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, those with unsafe text replaced."""
        if not any(UNSAFE.search(text) for text, _, control in segments if not control and not text.isascii()) and all(
            control or text.isprintable() for text, _, control in segments if text.isascii()
        ):
            return segments
        return [
            segment if segment.control else Segment(UNSAFE.sub("", segment.text), segment.style) for segment in segments
        ]
