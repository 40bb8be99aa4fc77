"""The line over a row of chips: the characters whose bytes, or in whose place unknown tokens, stand below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_tui.core.display import clip
from bpe_tui.ui.text import cells

if TYPE_CHECKING:
    from bpe_tui.ui.encode.chip_layout import ChipLayout

Piece = tuple[str, str, int]
"""Text, kind of style, and for tokens their tone."""
Line = tuple[Piece, ...]


def labels(layout: ChipLayout, row: int) -> Line:
    """`╭ é ╮` over the bytes of a character; where labels meet, they share the border that their chips share."""
    pieces: list[Piece] = []
    at = 0  # the cell after the last border
    chips = layout.chips(row)
    for group in layout.groups(row):
        first, last = chips[group.first], chips[group.last]
        inside = last.left + last.width - first.left
        text = clip(group.text, inside)
        spare = inside - cells(text)
        before = spare // 2
        if at > first.left:
            pieces[-1] = (pieces[-1][0][:-1] + "┬", "border", 0)
        else:
            pieces.append((" " * (first.left - at) + "╭", "border", 0))
        pieces.append(("─" * before, "border", 0))
        pieces.append((text, "character", 0))
        pieces.append(("─" * (spare - before) + "╮", "border", 0))
        at = last.left + last.width + 2
    return tuple(piece for piece in pieces if piece[0])
