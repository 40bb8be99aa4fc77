"""What a list keeps of its drawing until it changes: styles, and whole lines.

A step at 120 × 40 cells takes 19 ms of the processor until all panes are repainted; without kept styles 22, and
without kept lines 27.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Size

from bpe_tui.ui.safety import ColourFilter
from bpe_tui.ui.themes import palette_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.style import Style
    from textual.geometry import Region
    from textual.strip import Strip
    from textual.widget import Widget

    from bpe_tui.ui.themes import Palette


class StyleCache:
    """The style of a widget, and the palette on the backgrounds of its rows."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._base: Style | None = None
        self._palettes: dict[Style, Palette] = {}

    def clear(self) -> None:
        """The theme has changed."""
        self._base = None
        self._palettes.clear()

    @property
    def base(self) -> Style:
        """Foreground and background of the widget."""
        if self._base is None:
            self._base = self._widget.rich_style
        return self._base

    @property
    def palette(self) -> Palette:
        """The palette of the current theme, on the widget's background."""
        return self.palette_on(self.base)

    def palette_on(self, background: Style) -> Palette:
        """The palette of the current theme, on a background."""
        palette = self._palettes.get(background)
        if palette is None:
            palette = self._palettes[background] = palette_of(self._widget.app).over(background)
        return palette


class LineCache:
    """Lines by their number; for a widget without border, padding and opacity of its own.

    For such a widget the library's general path has nothing to add.
    """

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._strips: dict[int, Strip] = {}
        self._size = Size()

    def clear(self) -> None:
        """Forget all lines."""
        self._strips.clear()

    def forget(self, regions: Iterable[Region]) -> None:
        """Forget the lines that any of the regions touches."""
        for region in regions:
            for y in region.line_range:
                self._strips.pop(y, None)

    def lines(self, crop: Region, draw: Callable[[int], Strip]) -> list[Strip]:
        """The lines of a region; `draw` makes those that are not kept."""
        size = self._widget.outer_size
        if size != self._size:
            self._strips.clear()
            self._size = size
        strips = self._strips
        lines: list[Strip] = []
        for y in crop.line_range:
            strip = strips.get(y)
            if strip is None:
                strip = strips[y] = self._filtered(draw(y))
            lines.append(strip)
        if crop.column_span != (0, size.width):
            lines = [strip.crop(*crop.column_span) for strip in lines]
        return lines

    def _filtered(self, strip: Strip) -> Strip:
        """Without colours, if the user's environment says so; no other filter applies to what is drawn here."""
        for line_filter in self._widget.get_line_filters():
            if isinstance(line_filter, ColourFilter):
                return strip.apply_filter(line_filter, self._widget.background_colors[1])
        return strip
