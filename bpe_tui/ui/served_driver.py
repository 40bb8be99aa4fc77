"""The app before a browser: the driver that talks with the server of `bpe_tui.web`, and texts that the page sends."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from textual.drivers.web_driver import WebDriver
from textual.message import Message

from bpe_tui.core.i18n import _
from bpe_tui.core.runtime import policy
from bpe_tui.ui.widgets.columns import size_text

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen


@dataclass
class TextUploaded(Message):
    """The learner gave a file of their own to the page."""

    name: str
    text: str


def too_large(text: str) -> str:
    """Why a text may not be opened, in a sentence; empty if it may."""
    most = policy().text_limit
    size = len(text.encode("utf-8", "surrogatepass"))
    if most is None or size <= most:
        return ""
    message = _("That text has {size}; {most} are the most that is taken here.")
    return message.format(size=size_text(size), most=size_text(most))


@runtime_checkable
class TakesText(Protocol):
    """A screen that has a use for a text of the learner's own."""

    def take_text(self, name: str, text: str) -> None:
        """Use the text."""


def hand_over(screen: Screen[Any], event: TextUploaded) -> None:
    """Give an uploaded text to the screen in view, or notify the learner why not."""
    reason = too_large(event.text)
    if not reason and not event.text.strip():
        reason = _("There is no text in that file.")
    if not reason and not isinstance(screen, TakesText):
        reason = _("Leave this first (esc); then give the text once more.")
    if reason:
        screen.app.notify(reason, severity="warning", markup=False)
    elif isinstance(screen, TakesText):
        screen.take_text(event.name, event.text)


def write_whole(descriptor: int, data: bytes) -> int:
    """Write all of `data`: of a process that is paused meanwhile, the system has taken only a part."""
    written = 0
    while written < len(data):
        written += os.write(descriptor, data[written:])
    return written


class ServedDriver(WebDriver):
    """Textual's driver for the web, made fit for strangers."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._write = partial(write_whole, self.fileno)
        self._writing = Lock()

    # Frames are written by the app's thread, pieces of a download by the one that reads keys; what is longer than a
    # pipe takes at once must not be mixed.

    def write(self, data: str) -> None:
        """Send what a terminal would get."""
        with self._writing:
            super().write(data)

    def write_meta(self, data: dict[str, object]) -> None:
        """Send a message to the server."""
        with self._writing:
            super().write_meta(data)

    def write_binary_encoded(self, data: tuple[str | bytes, ...]) -> None:
        """Send a piece of a download."""
        with self._writing:
            super().write_binary_encoded(data)

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """A message from the server: an uploaded text, that the page is back, or what the library knows."""
        if packet_type == "upload":
            self._app.post_message(TextUploaded(str(payload["name"]), str(payload["text"])))
        elif packet_type == "return":
            self.write_meta({"type": "returned"})
            self._set_up_terminal()
            super().on_meta("resize", payload)
            self._app.call_later(self._app.app_resume_signal.publish, self._app)
        else:
            super().on_meta(packet_type, payload)

    def _set_up_terminal(self) -> None:
        """What the library does once, when the app starts, for the terminal of a page that was loaded again."""
        self.write("\x1b[?1049h\x1b[?25l\x1b[2J")
        self._enable_mouse_support()
        self._enable_bracketed_paste()

    def run_input_thread(self) -> None:
        """Read keys until the app ends; if the server goes first, end at once: a thread has no other way."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            os._exit(1)
