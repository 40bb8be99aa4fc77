"""One browser: its process, its web socket, and the end of both."""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio import StreamReader
from typing import Any, Final

from aiohttp import WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from bpe_tui.core.i18n import _, mark, number
from bpe_tui.web.fork_server import Child, ForkServer
from bpe_tui.web.settings import Settings

READY: Final = b"__GANGLION__\n"
"""What Textual's driver for the web says first."""
COLUMNS: Final = (10, 400)
ROWS: Final = (4, 200)
"""Sizes of a screen that are believed."""

LEFT: Final = mark("You have left the program. Nothing of what you did here is kept.")
FAILED: Final = mark(
    "The program has ended by itself, perhaps for want of memory. Nothing of what you did here is kept."
)
UNBORN: Final = mark("This computer has no room for another client now. Try again in a while.")
IDLE: Final = mark("Closed after {minutes} minutes without a key. Nothing of what you did here is kept.")
LARGE: Final = mark("That text is too large; {limit} KB are the most that is taken here.")


class Client(AppService):
    """A process of the app for one browser."""

    def __init__(self, settings: Settings, nursery: ForkServer, socket: web.WebSocketResponse) -> None:
        self.downloads = DownloadManager()
        super().__init__(
            "",
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=self._end,
            download_manager=self.downloads,
        )
        self._settings = settings
        self._nursery = nursery
        self._child: Child | None = None
        self._socket = socket
        self._heard = asyncio.Event()
        self._has_left = False

    async def _end(self) -> None:
        """The library's way to be rid of a browser; here `attend` ends by itself."""

    async def attend(self, width: int | None, height: int | None) -> str:
        """Run the app until one side has enough; the sentence to leave the browser with, empty if that is gone."""
        try:
            self._child = child = await self._nursery.begin(within(width, COLUMNS), within(height, ROWS))
        except OSError:
            return _(UNBORN)
        self._stdin = child.heard
        sides = [asyncio.create_task(side) for side in (self._listen(), self._show(child.said), self._watch())]
        try:
            done, _others = await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
            return next(iter(done)).result()
        finally:
            for side in sides:
                side.cancel()
            await asyncio.gather(*sides, return_exceptions=True)
            await self.stop()

    async def stop(self) -> None:
        """End the process, and whatever it may have started, at once: there is nothing for it to save."""
        await self.downloads.cancel_app_downloads(self.app_service_id)
        if self._child is not None:
            child, self._child = self._child, None
            await self._nursery.end(child)

    async def say(self, kind: str, sentence: str) -> None:
        """Show the learner a sentence of ours on the page; a browser that is gone hears nothing."""
        with contextlib.suppress(ConnectionError, RuntimeError):
            await self._socket.send_str(json.dumps([kind, sentence]))

    # -- the three sides ------------------------------------------------------------------------------------------

    async def _listen(self) -> str:
        """Pass on what the browser says, until it is gone."""
        with contextlib.suppress(ConnectionError):
            async for message in self._socket:
                if message.type is WSMsgType.TEXT:
                    await self._hear(message.data)
        return ""

    async def _show(self, said: StreamReader) -> str:
        """Pass on what the app says, until it ends."""
        handlers = {b"D": self.on_data, b"M": self.on_meta, b"P": self.on_packed}
        with contextlib.suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, KeyError, ConnectionError):
            await said.readuntil(READY)
            while not self._has_left:
                head = await said.readexactly(5)
                await handlers[head[:1]](await said.readexactly(int.from_bytes(head[1:], "big")))
        return _(LEFT if self._has_left else FAILED)

    async def _watch(self) -> str:
        """Wait until the browser has sent no key for too long."""
        try:
            while True:
                self._heard.clear()
                async with asyncio.timeout(60 * self._settings.limits.idle):
                    await self._heard.wait()
        except TimeoutError:
            return _(IDLE).format(minutes=number(self._settings.limits.idle, "g"))

    async def _hear(self, said: str) -> None:
        """One message of a browser, which may be anything."""
        try:
            kind, *rest = json.loads(said)
        except (ValueError, TypeError):
            return
        content = rest[0] if rest else None
        if kind == "stdin" and isinstance(content, str):
            self._heard.set()
            keys = content.encode("utf-8", "ignore")
            if keys and await self._takes(content):  # nothing at all would mean the end of all keys
                await self.send_bytes(keys)
        elif kind == "upload" and isinstance(content, dict):
            self._heard.set()
            text = content.get("text")
            if isinstance(text, str) and await self._takes(text):
                await self.send_meta({"type": "upload", "name": str(content.get("name"))[:80], "text": text})
        elif kind == "resize" and isinstance(content, dict):
            sizes = within(content.get("width"), COLUMNS), within(content.get("height"), ROWS)
            await self.set_terminal_size(*sizes)
        elif kind == "ping":
            await self._socket.send_str(json.dumps(["pong", content]))
        elif kind == "focus":
            await self.focus()
        elif kind == "blur":
            await self.blur()

    async def _takes(self, text: str) -> bool:
        """Is a text small enough? If not, say so."""
        limits = self._settings.limits
        small = len(text.encode("utf-8", "surrogatepass")) <= limits.text_bytes
        if not small:
            await self.say("notice", _(LARGE).format(limit=number(limits.text)))
        return small

    async def on_meta(self, data: bytes) -> None:
        """What the app asks of the server: a download, or to be let go."""
        kind = json.loads(data).get("type")
        if kind == "exit":
            self._has_left = True
        elif kind == "deliver_file_start":
            await super().on_meta(data)


def within(value: Any, bounds: tuple[int, int]) -> int:
    """A size as a browser gave it, made sensible."""
    low, high = bounds
    return max(low, min(high, value)) if isinstance(value, int) else low * 8
