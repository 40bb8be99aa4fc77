"""Text as the panes draw it: content and segments, widths, wrapped lines, and the tones of tokens.

Any text from a corpus, a tokenizer file or the keyboard may hold markup, escapes or invisible characters. It passes
through `displayable` or `visible` of `core.display` first, and becomes `Content` built without parsing it, or segments.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content

from bpe_tui.core.display import clip, displayable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from bpe_tui.ui.themes import Palette

SEPARATOR: Final = "·"
"""Between two tokens of a word."""
BREAKS: Final = re.compile(r"(?<!«) (?![:;!?»](?: |$))(?!(?<=\d )\d{3}(?!\d))")
"""Spaces at which a line may break; in French some marks follow a space, and many languages group digits by one."""


def plain(text: str) -> Content:
    """Untrusted text as content, never read as markup."""
    return Content(displayable(text))


def cells(text: str) -> int:
    """Width of displayable text in terminal cells."""
    return len(text) if text.isascii() else cell_len(text)


def wrap(text: str, width: int) -> list[str]:
    """Break displayable text into lines of at most `width` cells, at spaces where there are any."""
    lines: list[str] = []
    line = ""
    for word in BREAKS.split(text):
        longer = f"{line} {word}" if line else word
        if cells(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = clip(word, width)
    return [*lines, line] if line else lines


def tone_of(token_id: int | None, base_size: int) -> int:
    """The tone of a token: 0 for a letter, a special token or an unknown one, else steady for each merged token.

    The same token has the same colour in every pane.
    """
    return 0 if token_id is None or token_id < base_size else 1 + token_id - base_size


def token_segments(
    texts: Sequence[str], tones: Sequence[int], palette: Palette, marked: AbstractSet[int] = frozenset()
) -> list[Segment]:
    """The tokens of one word in a row, boundaries seen without colour.

    Args:
        texts: Token texts, as a `Notation` shows them.
        tones: For each token its tone (see `tone_of`).
        palette: Styles of the current theme.
        marked: Indices of the tokens to mark; two neighbours are marked as one, separator included.
    """
    segments: list[Segment] = []
    for index, (text, tone) in enumerate(zip(texts, tones, strict=True)):
        is_marked = index in marked
        if index:
            joined = is_marked and index - 1 in marked
            segments.append(Segment(SEPARATOR, palette.marked if joined else palette.separator))
        segments.append(Segment(text, palette.marked if is_marked else palette.token(tone)))
    return segments


def segments_width(segments: Iterable[Segment]) -> int:
    """Cells that the segments take."""
    return sum(cells(segment.text) for segment in segments)
