"""What keys do in a text input that Textual's inputs pass over, or do too late."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from textual import events
    from textual.widget import Widget


def typed_blank(event: events.Key) -> str | None:
    """The character of a key that types one which Python calls unprintable: a no-break space, a joiner, a soft hyphen.

    Textual's inputs take printable characters only, from the keyboard though not from a paste. None for a key that
    types nothing, a control character, or what those inputs take themselves.
    """
    char = event.character
    if char is None or len(char) != 1 or char.isprintable() or category(char) in {"Cc", "Cs"}:
        return None
    return char


async def edit_at_once(field: Widget, event: events.Key) -> None:
    """Do what a key means to the input itself, if anything, and stop the key.

    Textual does so when the key has gone through all parents to the app: letters typed after a backspace would be put
    in before it, wherever keys come faster than that, as from a browser far away or a busy terminal.
    """
    if event.is_printable:
        return
    active = field.screen.active_bindings.get(event.key)
    if active is None or active.node is not field or not active.enabled:
        return
    if await field.app.run_action(active.binding.action, field):
        event.stop()
        event.prevent_default()
