"""The drawn lines of a widget, kept until they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.filter import Monochrome
from textual.geometry import Size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.geometry import Region
    from textual.strip import Strip
    from textual.widget import Widget


class LineCache:
    """Lines by their number; for a widget without border, padding and opacity of its own.

    For such a widget the library's general path has nothing to add, and takes twice as long as drawing the line.
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
        """The lines of a region, those that are not kept made by `draw`."""
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
            if isinstance(line_filter, Monochrome):
                return strip.apply_filter(line_filter, self._widget.background_colors[1])
        return strip
