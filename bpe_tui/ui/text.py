"""Corpus text on its way to the screen: the only module of the program where the two meet.

Any text from a corpus, a tokenizer file or the keyboard may hold markup, escapes or invisible characters.
Everything here passes it through `core.glyphs` first, and hands out `Content` built without parsing it,
or Rich segments for the panes that render line by line.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content

from bpe_tui.core.display import displayable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from rich.style import Style

    from bpe_tui.ui.themes import Palette

SEPARATOR: Final = "·"
"""Between two tokens of a word."""
SPACE: Final = "␣"
"""What a space looks like where spaces matter."""


@lru_cache(maxsize=16_384)
def _safe_token(text: str) -> str:
    return displayable(text)


def safe(text: str) -> str:
    """`text` with a visible stand-in for every character that must not reach a terminal."""
    return _safe_token(text) if len(text) <= 64 else displayable(text)


def visible(text: str) -> str:
    """`safe` text in which spaces are seen too, for tokens and words."""
    return safe(text).replace(" ", SPACE)


def plain(text: str) -> Content:
    """Untrusted text as content, never read as markup."""
    return Content(safe(text))


def sentence(template: str, **texts: object) -> Content:
    """Our own markup with untrusted texts in it: `sentence("[b]$pair[/b] won", pair="[/]")`."""
    return Content.from_markup(template, **{name: safe(str(text)) for name, text in texts.items()})


def cells(text: str) -> int:
    """Width of safe text in terminal cells."""
    return len(text) if text.isascii() else cell_len(text)


def tone_of(token_id: int, base_size: int) -> int:
    """The tone of a token: 0 for a letter or special token, else steady for each merged token.

    The same token has the same colour in every pane.
    """
    return 0 if token_id < base_size else 1 + token_id - base_size


def token_segments(
    texts: Sequence[str],
    palette: Palette,
    *,
    tones: Sequence[int] | None = None,
    separator: str = SEPARATOR,
    marked: AbstractSet[int] = frozenset(),
) -> list[Segment]:
    """The tokens of one word in a row, boundaries seen without colour.

    Args:
        texts: Token texts, untrusted.
        palette: Styles of the theme in force.
        tones: For each token its tone (see `tone_of`); without them styles alternate.
        separator: Between two tokens.
        marked: Indices of the tokens to mark; two neighbours are marked as one, separator included.
    """
    segments: list[Segment] = []
    add = segments.append
    for index, text in enumerate(texts):
        is_marked = index in marked
        if index:
            joined = is_marked and index - 1 in marked
            add(Segment(separator, palette.marked if joined else palette.separator))
        if is_marked:
            style = palette.marked
        elif tones is None:
            style = palette.tokens[0] if index % 2 else palette.letter
        else:
            style = palette.token(tones[index])
        add(Segment(visible(text), style))
    return segments


def token_content(texts: Sequence[str], palette: Palette, *, tones: Sequence[int] | None = None) -> Content:
    """`token_segments` as content, for widgets that take it."""
    return content_of(token_segments(texts, palette, tones=tones))


def content_of(segments: Iterable[Segment]) -> Content:
    """Segments (of safe text) as content."""
    return Content.assemble(*((text, _css(style)) for text, style, _ in segments))


def segments_width(segments: Iterable[Segment]) -> int:
    """Cells that the segments take."""
    return sum(cells(segment.text) for segment in segments)


@lru_cache(maxsize=256)
def _css(style: Style | None) -> str:
    """A Rich style in the words of Textual's content styles."""
    if style is None:
        return ""
    words = [name for name in ("bold", "italic", "underline", "reverse", "strike") if getattr(style, name)]
    if style.color is not None:
        words.append(style.color.name)
    if style.bgcolor is not None:
        words.append(f"on {style.bgcolor.name}")
    return " ".join(words)
