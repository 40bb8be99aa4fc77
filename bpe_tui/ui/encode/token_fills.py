"""The colours of tokens in the text itself: filled spans, distinguishable without colour as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.color import Color as RichColour
from rich.style import Style
from textual.color import Color

from bpe_tui.ui.text import tone_of
from bpe_tui.ui.themes import palette_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from textual.app import App

    from bpe_tui.ui.encode.token_chips import ChipRows
    from bpe_tui.ui.themes import Palette

FILLS: Final = (0.34, 0.2)
"""How much of a token's colour is in its fill; neighbours alternate."""
POINTED_FILL: Final = 0.6


class TokenFills:
    """The styles of a text's characters, by the tokens that the chips show.

    Neighbours alternate between two fills, and every other token is underlined, so that boundaries are seen in one
    colour and without any.
    """

    def __init__(self, app: App[Any], rows: ChipRows, *, reverses_here: bool) -> None:
        """`reverses_here`: is the token looked at reversed, or a text cursor beside it enough?"""
        self._rows = rows
        self._reverses_here = reverses_here
        self._palette = palette_of(app)
        self._surface = Color.parse(app.theme_variables.get("surface", "#000000"))

    def between(self, start: int, stop: int) -> Iterator[tuple[int, int, Style]]:
        """Start, end and style of the tokens in a stretch of the text, in code points."""
        rows, tokenized = self._rows, self._rows.tokenized
        number, seen = max(0, tokenized.token_at(start)), start
        while number < len(tokenized):
            token = tokenized.token(number)
            if token.start >= stop:
                return
            # The first of several tokens that share a character has it.
            first, last = max(token.start, seen), min(token.end, stop)
            if first < last:
                yield first, last, self._style(rows, number)
                seen = last
            number += 1

    def _style(self, rows: ChipRows, number: int) -> Style:
        tokenized, palette = rows.tokenized, self._palette
        sharing = _sharing(rows, number)
        if rows.here in sharing and self._reverses_here:
            return palette.strong + Style(reverse=True)
        word = tokenized.word_of(number)
        if number - tokenized.first[word] in rows.fresh.get(tokenized.kinds[word], ()):
            return palette.marked
        token = tokenized.token(number)
        tone = 0 if token.unknown else tone_of(token.id, rows.base_size)
        is_pointed = bool(rows.pointed & sharing) or rows.here in sharing
        share = POINTED_FILL if is_pointed else FILLS[number % 2]
        style = fill(palette, palette.token(tone), self._surface, share)
        style += Style(underline=number % 2 == 1, bold=is_pointed)
        return style + Style(color=palette.warn.color, bold=True) if token.unknown else style


def fill(palette: Palette, token: Style, surface: Color, share: float) -> Style:
    """A background with some of a token's colour in it; none in a theme of the terminal's own colours."""
    colour = token.color.triplet if token.color is not None else None
    if colour is None:
        return token
    mixed = surface.blend(Color(*colour), share)
    return Style(bgcolor=RichColour.from_rgb(*mixed.rgb))


def _sharing(rows: ChipRows, number: int) -> AbstractSet[int]:
    """A token and those after it that cover the same characters: the bytes of one."""
    tokenized = rows.tokenized
    token = tokenized.token(number)
    last = number
    while last + 1 < len(tokenized) and tokenized.token(last + 1).start < token.end and last - number < 8:
        last += 1
    return frozenset(range(number, last + 1))
