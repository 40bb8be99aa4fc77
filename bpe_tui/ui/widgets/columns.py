"""Building blocks of a row: aligned cells, bars, and merges written as `u + g → ug`."""

from __future__ import annotations

from typing import Final

from rich.segment import Segment
from rich.style import Style

from bpe_tui.core.display import clip
from bpe_tui.core.i18n import _, mark, number
from bpe_tui.core.readable import PLUS
from bpe_tui.ui.text import cells, tone_of
from bpe_tui.ui.themes import Palette

EIGHTHS: Final = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
"""A bar's last, partly filled cell."""

ROOMY: Final = 50
"""Cells of a row from which on columns may be wider than they must."""
UNITS: Final = (mark("B"), mark("KB"), mark("MB"), mark("GB"), mark("TB"))


def left(text: str, width: int) -> str:
    """`text` (displayable) at the left of `width` cells, cut if it is longer."""
    text = clip(text, width)
    return text + " " * (width - cells(text))


def right(text: str, width: int) -> str:
    """`text` (displayable) at the right of `width` cells, cut if it is longer."""
    text = clip(text, width)
    return " " * (width - cells(text)) + text


def bar(value: int, top: int, width: int) -> str:
    """A bar for `value` where `top` fills `width` cells, in eighths of a cell; anything above 0 is seen."""
    if width <= 0 or value <= 0 or top <= 0:
        return " " * max(0, width)
    eighths = min(width * 8, max(1, round(value * width * 8 / top)))
    full, rest = divmod(eighths, 8)
    text = "█" * full + EIGHTHS[rest]
    return text + " " * (width - len(text))


def pair_width(left_text: str, right_text: str) -> int:
    """Cells that `left + right` takes, both as a `Notation` shows them."""
    return cells(left_text) + len(PLUS) + cells(right_text)


def pair_segments(
    texts: tuple[str, str], ids: tuple[int, int], width: int, palette: Palette, base_size: int, *, strong: bool = False
) -> list[Segment]:
    """`left + right` in exactly `width` cells, each token in its own tone; both are cut if need be.

    `texts` are the tokens as a `Notation` shows them.
    """
    left_text, right_text = texts
    room = width - len(PLUS)
    left_cells, right_cells = cells(left_text), cells(right_text)
    if left_cells + right_cells > room:
        half = room // 2
        left_room = max(half, room - right_cells) if right_cells < half else min(left_cells, half + room % 2)
        left_text = clip(left_text, left_room)
        left_cells = cells(left_text)
        right_text = clip(right_text, max(0, room - left_cells))
        right_cells = cells(right_text)
    bold = Style(bold=True) if strong else Style.null()
    return [
        Segment(left_text, palette.token(tone_of(ids[0], base_size)) + bold),
        Segment(PLUS, palette.separator),
        Segment(right_text, palette.token(tone_of(ids[1], base_size)) + bold),
        Segment(" " * max(0, room - left_cells - right_cells)),
    ]


def number_width(*numbers: int) -> int:
    """Cells of the longest of the numbers, written with separators."""
    return max((len(number(each)) for each in numbers), default=1)


def short_number(count: int) -> str:
    """A count in at most four cells below a million million, rounded down: `999`, `4k`, `120k`, `3M`."""
    for size, unit in ((10**9, "G"), (10**6, "M"), (1_000, "k")):
        if count >= size:
            return f"{number(count // size)}{unit}"
    return str(count)


def change_text(change: int | None, is_new: bool) -> str:
    """What the last merge did to a count: `new`, `+3`, `−5`, or nothing."""
    if is_new:
        return _("new")
    if not change:
        return ""
    return f"+{number(change)}" if change > 0 else f"−{number(-change)}"


def roomy(needed: int, width: int) -> int:
    """A column for texts of up to `needed` cells, in a row of `width`: where there is room, an odd number.

    So it doesn't change with every step; and as it depends on nothing else, a moment always looks the same, from
    whichever side it is reached.
    """
    return needed | 1 if width >= ROOMY else needed


def size_text(size: int) -> str:
    """`94.8 MB`."""
    value = float(size)
    for unit in UNITS:
        if value < 1000 or unit == UNITS[-1]:
            return f"{number(value, '.0f' if unit == UNITS[0] or value >= 100 else '.1f')} {_(unit)}"
        value /= 1000
    return ""
