"""What a key types that an input of Textual passes over."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from textual import events


def typed_blank(event: events.Key) -> str | None:
    """The character of a key that types one which Python calls unprintable: a no-break space, a joiner, a soft hyphen.

    Textual's inputs take printable characters only, from the keyboard though not from a paste. None for a key that
    types nothing, a control character, or what those inputs take themselves.
    """
    char = event.character
    if char is None or len(char) != 1 or char.isprintable() or category(char) in {"Cc", "Cs"}:
        return None
    return char
