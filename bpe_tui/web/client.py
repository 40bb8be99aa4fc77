"""One browser: its process, its web socket, and the end of both."""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio import StreamReader
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web
from textual_serve._binary_encode import load  # the format of Textual's driver, which has no public name

from bpe_tui.core.i18n import _, mark, number
from bpe_tui.web.fork_server import Child, ForkServer
from bpe_tui.web.settings import Settings

READY: Final = b"__GANGLION__\n"
"""What Textual's driver for the web writes first."""
COLUMNS: Final = (10, 400)
ROWS: Final = (4, 200)
"""The sizes of a screen that are accepted."""
CHUNK: Final = 64 * 1024
"""Bytes of a file that the app is asked for at a time."""
DOWNLOADS: Final = 4
"""At once, of one client."""
PATIENCE: Final = 5.0
"""Seconds that an app may take to hand over a chunk, or to end after it has said goodbye."""

LEFT: Final = mark("You have left the program. Nothing you did here is saved.")
FAILED: Final = mark("The program has ended by itself, perhaps for want of memory. Nothing you did here is saved.")
UNBORN: Final = mark("This computer has no room for another client now. Try again in a while.")
IDLE: Final = mark("Closed after {minutes} minutes without a key. Nothing you did here is saved.")
LARGE: Final = mark("That text is too large; {limit} KB are the most that is taken here.")


@dataclass(frozen=True, slots=True)
class Download:
    """A file that the app has made, for the browser to fetch once."""

    key: str
    name: str
    chunks: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    """What the app has handed over; an empty one is the end."""


class Client:
    """A process of the app for one browser."""

    def __init__(
        self, settings: Settings, fork_server: ForkServer, socket: web.WebSocketResponse, address: str
    ) -> None:
        self.address = address
        """Where the browser is."""
        self._settings = settings
        self._fork_server = fork_server
        self._socket = socket
        self._child: Child | None = None
        self._active = asyncio.Event()
        self._offered: dict[str, Download] = {}
        self._under_way: dict[str, Download] = {}

    async def attend(self, width: int | None, height: int | None) -> str:
        """Run the app until one side ends; the sentence to leave the browser with, empty if that is gone."""
        try:
            self._child = child = await self._fork_server.begin(within(width, COLUMNS), within(height, ROWS))
        except OSError:
            return _(UNBORN)
        sides = [asyncio.create_task(side) for side in (self._listen(), self._show(child.stdout), self._watch())]
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
        if self._child is not None:
            child, self._child = self._child, None
            await self._fork_server.end(child)

    async def tell_page(self, kind: str, sentence: str) -> None:
        """Show the learner a sentence of ours on the page; nothing if the browser is gone."""
        with contextlib.suppress(ConnectionError, RuntimeError):
            await self._socket.send_str(json.dumps([kind, sentence]))

    # -- the three sides ------------------------------------------------------------------------------------------

    async def _listen(self) -> str:
        """Pass on what the browser sends, until it is gone."""
        with contextlib.suppress(ConnectionError):
            async for message in self._socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(message.data)
        return ""

    async def _show(self, stdout: StreamReader) -> str:
        """Pass on what the app writes, until it ends."""
        has_left = False
        with contextlib.suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, TimeoutError):
            await stdout.readuntil(READY)
            while True:
                async with asyncio.timeout(PATIENCE if has_left else None):
                    head = await stdout.readexactly(5)
                    payload = await stdout.readexactly(int.from_bytes(head[1:], "big"))
                match head[:1]:
                    case b"D":
                        await self._socket.send_bytes(payload)
                    case b"P":
                        self._take_chunk(payload)
                    case b"M":
                        message = json.loads(payload)
                        match message.get("type"):
                            case "exit":
                                has_left = True
                            case "broken":  # it has left the screen, but not because anybody asked
                                return _(FAILED)
                            case "deliver_file_start":
                                await self._offer(message["key"], message["path"])
                    case _:
                        return _(FAILED)
        return _(LEFT if has_left else FAILED)

    async def _watch(self) -> str:
        """Wait until the browser has sent no key for too long."""
        try:
            while True:
                self._active.clear()
                async with asyncio.timeout(60 * self._settings.limits.idle):
                    await self._active.wait()
        except TimeoutError:
            return _(IDLE).format(minutes=number(self._settings.limits.idle, "g"))

    # -- from the browser to the app ------------------------------------------------------------------------------

    async def _receive(self, text: str) -> None:
        """Handle one message of a browser, which may be anything."""
        try:
            kind, *rest = json.loads(text)
        except (ValueError, TypeError):
            return
        except RecursionError:
            await self._socket.close(code=WSCloseCode.INVALID_TEXT, message=b"nested too deep")
            return
        content = rest[0] if rest else None
        if kind == "stdin" and isinstance(content, str):
            self._active.set()
            keys = content.encode("utf-8", "ignore")
            if keys and await self._accepts(content):  # nothing at all would mean the end of all keys
                await self._send(b"D", keys)
        elif kind == "upload" and isinstance(content, dict):
            self._active.set()
            uploaded = content.get("text")
            if isinstance(uploaded, str) and await self._accepts(uploaded):
                name = str(content.get("name"))[:80]
                await self._send_meta({"type": "upload", "name": name, "text": uploaded})
        elif kind == "resize" and isinstance(content, dict):
            columns, rows = within(content.get("width"), COLUMNS), within(content.get("height"), ROWS)
            await self._send_meta({"type": "resize", "width": columns, "height": rows})
        elif kind == "ping":
            await self._socket.send_str(json.dumps(["pong", content]))
        elif kind in ("focus", "blur"):
            await self._send_meta({"type": kind})

    async def _accepts(self, text: str) -> bool:
        """Is a text small enough? If not, show a notice."""
        limits = self._settings.limits
        is_small = len(text.encode("utf-8", "surrogatepass")) <= limits.text_bytes
        if not is_small:
            await self.tell_page("notice", _(LARGE).format(limit=number(limits.text)))
        return is_small

    async def _send_meta(self, message: dict[str, Any]) -> None:
        await self._send(b"M", json.dumps(message).encode())

    async def _send(self, kind: bytes, payload: bytes) -> None:
        """Send a packet to the app; one that has just ended gets nothing."""
        if self._child is not None:
            with contextlib.suppress(ConnectionError, RuntimeError):
                self._child.stdin.write(kind + len(payload).to_bytes(4, "big") + payload)
                await self._child.stdin.drain()

    # -- downloads ------------------------------------------------------------------------------------------------

    async def _offer(self, key: str, path: str) -> None:
        self._offered[key] = Download(key, PurePath(path).name)
        await self._socket.send_str(json.dumps(["deliver_file_start", key]))

    def _take_chunk(self, payload: bytes) -> None:
        packet: Any = load(payload)
        kind, key, chunk = packet
        download = self._under_way.get(key)
        if kind == "deliver_chunk" and download is not None:
            download.chunks.put_nowait(chunk.encode() if isinstance(chunk, str) else chunk)

    def offered(self, key: str) -> Download | None:
        """The file of that key, if nobody has fetched it yet."""
        return self._offered.get(key)

    async def fetch(self, download: Download) -> AsyncGenerator[bytes, None]:
        """The file in pieces, for the first who asks. Raises ConnectionError if it can't be had whole."""
        if len(self._under_way) >= DOWNLOADS:  # one who reads slowly holds a connection
            raise ConnectionRefusedError
        self._under_way[download.key] = self._offered.pop(download.key)
        try:
            while True:
                request = {"type": "deliver_chunk_request", "key": download.key, "size": CHUNK, "name": None}
                await self._send_meta(request)
                try:
                    async with asyncio.timeout(PATIENCE):
                        chunk = await download.chunks.get()
                except TimeoutError:
                    raise ConnectionResetError from None
                if not chunk:
                    return
                yield chunk
        finally:
            del self._under_way[download.key]


def within(value: Any, bounds: tuple[int, int]) -> int:
    """A size as a browser gave it, made sensible."""
    low, high = bounds
    return max(low, min(high, value)) if isinstance(value, int) else low * 8
