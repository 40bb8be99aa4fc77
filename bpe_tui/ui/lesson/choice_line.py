"""One of the answers that a question of a lesson offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.reactive import var

from bpe_tui.ui.lesson.prose import Running, running

if TYPE_CHECKING:
    from textual import events

    from bpe_tui.lessons.prose import Spans


class ChoiceLine(Running):
    """`▸ B  the pair`; once answered `✓ B  the pair`."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    ChoiceLine {
        width: 1fr; height: auto; padding-left: 1;
        &.-marked { background: $block-cursor-background; color: $strong; }
        &.-open:hover { background: $panel; }
        &.-right { color: $new; }
        &.-wrong { color: $warn; }
    }
    """

    is_marked: var[bool] = var(False, init=False)
    """Is the cursor here?"""

    @dataclass
    class Chosen(Message):
        """The learner clicks on it."""

        place: int

    def __init__(self, place: int, spans: Spans, sign: str, *, is_open: bool, is_marked: bool) -> None:
        """`sign` precedes a choice once the question is answered."""
        super().__init__()
        self._place = place
        self._spans = spans
        self._sign = sign
        self._is_open = is_open
        self.set_class(is_open, "-open")
        self.set_class(sign == "✓", "-right")
        self.set_class(sign == "✗", "-wrong")
        self.is_marked = is_marked
        self._show()

    def watch_is_marked(self) -> None:
        """The cursor came or went."""
        self._show()

    def _show(self) -> None:
        self.set_class(self.is_marked, "-marked")
        sign = "▸" if self.is_marked else self._sign or " "
        letter = chr(ord("A") + self._place)
        self.update(Content.assemble(f"{sign} ", (letter, "bold $accent"), "  ", running(self._spans)))

    def on_click(self, event: events.Click) -> None:
        """Answer with it."""
        if self._is_open:
            event.stop()
            self.post_message(self.Chosen(self._place))
