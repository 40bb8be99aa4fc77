"""Lines of our own drawing whose text can be selected with the mouse, and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.strip import Strip

from bpe_tui.ui.text import cells

if TYPE_CHECKING:
    from textual.widget import Widget


def selectable(widget: Widget, strip: Strip, y: int) -> Strip:
    """Line `y` of a widget's content, with the part that is selected marked.

    The widget's `get_selection` has to answer with the same text.
    """
    selection = widget.text_selection
    span = selection.get_span(y) if selection is not None else None
    if span is not None:
        text = strip.text
        start, end = (cells(text[:at]) if at >= 0 else strip.cell_length for at in span)
        style = widget.screen.get_component_rich_style("screen--selection")
        marked = Strip(segment._replace(style=(segment.style or Style()) + style) for segment in strip.crop(start, end))
        strip = Strip.join([strip.crop(0, start), marked, strip.crop(end, strip.cell_length)])
    return strip.apply_offsets(0, y)
