"""The colours of tokens in the text itself: filled spans, distinguishable without colour as well."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from rich.color import Color as RichColour
from rich.style import Style
from textual.color import Color

from bpe_tui.ui.text import tone_of
from bpe_tui.ui.themes import TOKEN_COLOURS, palette_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import App

    from bpe_tui.core.encoding.encoder import Token
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
        tokenized, seen = self._rows.tokenized, start
        for word in range(max(0, tokenized.word_at(start)), len(tokenized.spans)):
            if tokenized.spans[word][1] >= stop:
                return
            tokens = tokenized.word(word)
            fresh = self._rows.fresh.get(tokenized.kinds[word], ())
            for place, token in enumerate(tokens):
                # The first of several tokens that share a character has it.
                first, last = max(token.start, seen), min(token.end, stop)
                if first >= last:
                    continue
                after = place + 1
                while after < len(tokens) and tokens[after].start < token.end:
                    after += 1
                number = tokenized.first[word]
                numbers = range(number + place, number + after)
                yield first, last, self._style(token, numbers, is_fresh=place in fresh)
                seen = last

    def _style(self, token: Token, numbers: range, *, is_fresh: bool) -> Style:
        """The style of a token, which `numbers` says it shares its characters with."""
        rows, palette = self._rows, self._palette
        is_here = rows.here in numbers
        if is_here and self._reverses_here:
            return palette.strong + Style(reverse=True)
        if is_fresh:
            return palette.marked
        tone = 0 if token.unknown else tone_of(token.id, rows.base_size)
        tone = min(tone, 1 + (tone - 1) % TOKEN_COLOURS)
        is_pointed = is_here or not rows.pointed.isdisjoint(numbers)
        return _filled(palette, self._surface, tone, numbers[0] % 2 == 1, is_pointed, token.unknown)


@lru_cache(maxsize=256)
def _filled(palette: Palette, surface: Color, tone: int, is_odd: bool, is_pointed: bool, is_unknown: bool) -> Style:
    """A background with some of a token's colour in it; only its colour in a theme of the terminal's own colours."""
    token = palette.token(tone)
    style = token
    if token.color is not None and (colour := token.color.triplet) is not None:
        mixed = surface.blend(Color(*colour), POINTED_FILL if is_pointed else FILLS[is_odd])
        style = Style(bgcolor=RichColour.from_rgb(*mixed.rgb))
    style += Style(underline=is_odd, bold=is_pointed)
    return style + Style(color=palette.warn.color, bold=True) if is_unknown else style
