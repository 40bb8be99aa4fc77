"""What is copied to the clipboard: the row under the cursor, a whole list, or the sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bpe_tui.ui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from textual.widget import Widget

MOST_ROWS: Final = 100_000
"""Rows of a list that are copied at a time."""


def focused_list(widget: Widget | None) -> VirtualList[Any] | None:
    """The list that has the focus, if one has."""
    return widget if isinstance(widget, VirtualList) else None


def row_text(view: VirtualList[Any]) -> str:
    """The row under the cursor as it reads, control characters as their stand-ins; empty if there is none."""
    row = view.row_at_cursor
    return "" if row is None else view.texts([row])[0]


def list_text(view: VirtualList[Any]) -> str:
    """The heads of the columns and all rows, a line each; empty if there is no row."""
    if not view.row_count:
        return ""
    rows = view.source.fetch(view, 0, min(view.row_count, MOST_ROWS))
    lines = view.texts(rows)
    head = "".join(segment.text for segment in view.source.header(view)).strip() if view.body_top > 1 else ""
    return "\n".join([head, *lines] if head else lines)
