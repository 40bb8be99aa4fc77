"""Which panes of the encode screen are in view at which size."""

from __future__ import annotations

from typing import Final

PANE_IDS: Final = ("text", "tokens", "replay", "why", "policies")
"""The panes in the order of the keys 1 to 5."""
STOPS: Final = (*PANE_IDS, "timeline")
"""What the focus goes to, in order."""
TWO_COLUMNS: Final = 72
MEDIUM: Final = 20
TALL: Final = 32


def panes_in_view(width: int, height: int, chosen: str, *, zoomed: bool) -> set[str]:
    """The panes that a terminal of this size shows; the chosen one is always among them."""
    if zoomed:
        return {chosen}
    lower = chosen if chosen in ("replay", "why", "policies") else "replay"
    if height < MEDIUM:
        return {"text", "tokens" if chosen == "text" else chosen}
    if width < TWO_COLUMNS:
        return {"text", "tokens", lower}
    if height < TALL:
        return {"text", "tokens", "replay", "policies" if chosen == "policies" else "why"}
    return set(PANE_IDS)
