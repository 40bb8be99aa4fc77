"""A text input that shows a visible stand-in for what must not reach a terminal, and keeps the text as typed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.highlighter import Highlighter
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Input

from bpe_tui.core.display import displayable, is_shown
from bpe_tui.ui.widgets.typed_keys import edit_at_once, typed_blank

STAND_IN: Final = "�"


@lru_cache(maxsize=4096)
def visible_char(char: str) -> str:
    """One visible character for one character, so that the cursor stays where it should."""
    shown = displayable(char)
    if is_shown(char):
        return char
    return shown if len(shown) == 1 and cell_len(shown) == 1 else STAND_IN


class _StandIns(Highlighter):
    """Replaces characters where other highlighters colour them: the place where `Input` lets its display be changed."""

    def __call__(self, text: str | Text) -> Text:
        shown = str(text)
        if not (shown.isascii() and shown.isprintable()):
            shown = "".join(map(visible_char, shown))
        return Text(shown, no_wrap=True, overflow="ignore", end="")

    def highlight(self, text: Text) -> None:
        """Nothing is coloured."""


class SafeInput(Input):
    """An input of one line without a box."""

    DEFAULT_CSS = """
    SafeInput {
        height: 1;
        border: none;
        padding: 0 1;
        background: $panel;
        color: $foreground;
        &:focus { border: none; background: $block-cursor-blurred-background; }
        & > .input--placeholder { color: $text-muted; }
        & > .input--cursor { text-style: reverse; }
    }
    """

    @dataclass
    class LinesPasted(Message):
        """A text of several lines was pasted, and not put in."""

        input: SafeInput
        value: str
        """What the input would hold with it."""

        @property
        def control(self) -> SafeInput:
            """The input."""
            return self.input

    def __init__(
        self,
        placeholder: str = "",
        *,
        hands_over_lines: bool = False,
        id: str | None = None,  # noqa: A002 (Textual's name)
    ) -> None:
        """`hands_over_lines`: several lines pasted are not put in, but posted as `LinesPasted`."""
        self._hands_over_lines = hands_over_lines
        super().__init__(placeholder=placeholder, highlighter=_StandIns(), select_on_focus=False, id=id)

    async def on_key(self, event: events.Key) -> None:
        """Take a blank or a joiner that is typed, as one that is pasted; and edit before the next key is taken."""
        if (char := typed_blank(event)) is not None:
            event.stop()
            event.prevent_default()
            self.replace(char, *self.selection)
        else:
            await edit_at_once(self, event)

    def _on_paste(self, event: events.Paste) -> None:
        """Put in the whole text that was pasted; the library would stop at the first of a dozen characters."""
        event.prevent_default()
        event.stop()
        text = line_ends(event.text)
        start, end = sorted(self.selection)
        if "\n" in text and self._hands_over_lines:
            self.post_message(self.LinesPasted(self, self.value[:start] + text + self.value[end:]))
        else:
            self.replace(text, start, end)


def line_ends(text: str) -> str:
    """A pasted text: terminals send a line end as a carriage return, any other carriage return is the text's own."""
    return text.replace("\r", "\n") if "\r" in text and "\n" not in text else text
