"""One tab of a browser: its process, its web socket, which may be lost and found again, and the end of both."""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio import StreamReader
from collections.abc import AsyncGenerator, Coroutine
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web
from textual_serve._binary_encode import load  # the format of Textual's driver, which has no public name

from bpe_tui.core.i18n import _, mark, number
from bpe_tui.web.fork_server import Child, ForkServer
from bpe_tui.web.settings import Settings
from bpe_tui.web.ticket import Ticket

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

MOVED: Final = mark("This session goes on in another tab, and has ended in this one.")
GONE: Final = mark(
    "The session of this tab is over: its time was up, its place was needed, or the server was restarted. Nothing you "
    "did here is saved."
)
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


class Packets:
    """What an app writes, packet by packet; whoever waits for one may give up at any moment."""

    def __init__(self, stdout: StreamReader) -> None:
        self._stdout = stdout
        self._is_ready = False
        self._head = b""
        """That of a packet whose payload is not there yet."""

    async def next(self) -> tuple[bytes, bytes]:
        """The kind of the next packet, and its payload. Raises IncompleteReadError at the end, and ConnectionError."""
        if not self._is_ready:
            await self._stdout.readuntil(READY)
            self._is_ready = True
        if not self._head:
            self._head = await self._stdout.readexactly(5)
        payload = await self._stdout.readexactly(int.from_bytes(self._head[1:], "big"))
        kind, self._head = self._head[:1], b""
        return kind, payload


class Client:
    """A process of the app for one tab.

    One web socket at a time attends to it. While none does, the process is paused: it takes no time, and writes
    nothing that would have to be stored.
    """

    def __init__(self, settings: Settings, fork_server: ForkServer, address: str, ticket: Ticket | None) -> None:
        self.address = address
        """Where the browser was when it came."""
        self.is_over = False
        """Has the process ended for good?"""
        self._settings = settings
        self._fork_server = fork_server
        self._ticket = ticket
        """What brings the tab back; None if it goes for good when its connection is lost."""
        self._turn = asyncio.Lock()
        """Held by the web socket that attends."""
        self._parting: asyncio.Future[str] | None = None
        """Gets the sentence with which the newest web socket has to go; None while there is none."""
        self._socket: web.WebSocketResponse | None = None
        self._child: Child | None = None
        self._packets: Packets | None = None
        self._is_stale = False
        """Is what the app writes still meant for a screen that is no more?"""
        self._has_left = False
        self._active = asyncio.Event()
        self._offered: dict[str, Download] = {}
        self._under_way: dict[str, Download] = {}

    @property
    def is_away(self) -> bool:
        """Is nobody connected?"""
        return self._parting is None

    def is_of(self, secret: bytes) -> bool:
        """Is this the secret of its tab?"""
        return self._ticket is not None and self._ticket.admits(secret)

    async def attend(self, socket: web.WebSocketResponse, width: int | None, height: int | None) -> str:
        """Show the app to a browser until one side ends; the sentence to leave the browser with, empty if that is gone.

        Another web socket that attends meanwhile has to go: it has shown an older copy of the secret. Afterwards the
        app is over, or away, or somebody newer attends to it.
        """
        if self._parting is not None and not self._parting.done():
            self._parting.set_result(_(MOVED))
        parting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._parting = parting
        async with self._turn:
            if parting.done():
                return parting.result()
            if self.is_over:
                return _(GONE)
            self._socket = socket
            stays = False
            try:
                try:
                    packets = await self._start(within(width, COLUMNS), within(height, ROWS))
                except OSError:
                    return _(UNBORN)
                sentence = await self._first_end(parting, self._listen(socket), self._show(packets), self._watch())
                if self._parting is not parting:  # somebody newer waits
                    stays = True
                    return _(MOVED)
                self._parting = self._socket = None
                if not sentence and self._child is not None and self._ticket is not None and self._ticket.is_stored:
                    await self._fork_server.pause(self._child)
                    stays = True
                return sentence
            finally:
                if not stays:
                    await self.stop()

    async def stop(self) -> None:
        """End the process, and whatever it may have started, at once: there is nothing for it to save."""
        self.is_over = True
        if self._child is not None:
            child, self._child = self._child, None
            await self._fork_server.end(child)

    async def tell_page(self, kind: str, sentence: str) -> None:
        """Show the learner a sentence of ours on the page; nothing if the browser is gone."""
        if self._socket is not None:
            await tell(self._socket, kind, sentence)

    async def _start(self, columns: int, rows: int) -> Packets:
        """Start the app, or let it go on and paint its screen anew; give the tab its secret. Raises OSError."""
        if self._child is None or self._packets is None:
            self._child = await self._fork_server.begin(columns, rows)
            self._packets = Packets(self._child.stdout)
        else:
            await self._fork_server.resume(self._child)
            self._is_stale = True
            self._write(b"M", json.dumps({"type": "return", "width": columns, "height": rows}).encode())
        if self._ticket is not None:
            await self.tell_page("secret", self._ticket.renew())
        return self._packets

    async def _first_end(self, parting: asyncio.Future[str], *sides: Coroutine[Any, Any, str]) -> str:
        """Run all sides until one of them ends; what it has to say."""
        tasks = [asyncio.create_task(side) for side in sides]
        try:
            await asyncio.wait([parting, *tasks], return_when=asyncio.FIRST_COMPLETED)
            return next(filter(None, (one.result() for one in tasks if one.done())), "")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # -- the three sides ------------------------------------------------------------------------------------------

    async def _listen(self, socket: web.WebSocketResponse) -> str:
        """Pass on what the browser sends, until it is gone."""
        with contextlib.suppress(ConnectionError):
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(socket, message.data)
        return ""

    async def _show(self, packets: Packets) -> str:
        """Pass on what the app writes, until it ends or the browser is gone."""
        with contextlib.suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, TimeoutError):
            while True:
                async with asyncio.timeout(PATIENCE if self._has_left else None):
                    kind, payload = await packets.next()
                match kind:
                    case b"D":
                        if not self._is_stale and not await self._paint(payload):
                            return ""
                    case b"P":
                        self._take_chunk(payload)
                    case b"M":
                        message = json.loads(payload)
                        match message.get("type"):
                            case "returned":
                                self._is_stale = False
                            case "exit":
                                self._has_left = True
                            case "broken":  # it has left the screen, but not because anybody asked
                                return _(FAILED)
                            case "deliver_file_start":
                                await self._offer(message["key"], message["path"])
                    case _:
                        return _(FAILED)
        return _(LEFT if self._has_left else FAILED)

    async def _paint(self, payload: bytes) -> bool:
        """Show the browser what the app has painted; False if it is gone."""
        assert self._socket is not None
        try:
            await self._socket.send_bytes(payload)
        except (ConnectionError, RuntimeError):
            return False
        return True

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

    async def _receive(self, socket: web.WebSocketResponse, text: str) -> None:
        """Handle one message of a browser, which may be anything."""
        try:
            kind, *rest = json.loads(text)
        except (ValueError, TypeError):
            return
        except RecursionError:
            await socket.close(code=WSCloseCode.INVALID_TEXT, message=b"nested too deep")
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
            await socket.send_str(json.dumps(["pong", content]))
        elif kind == "stored" and self._ticket is not None:
            self._ticket.confirm()
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
        self._write(kind, payload)
        if self._child is not None:
            with contextlib.suppress(ConnectionError, RuntimeError):
                await self._child.stdin.drain()

    def _write(self, kind: bytes, payload: bytes) -> None:
        """Send a packet without waiting until the app takes it."""
        if self._child is not None:
            with contextlib.suppress(ConnectionError, RuntimeError):
                self._child.stdin.write(kind + len(payload).to_bytes(4, "big") + payload)

    # -- downloads ------------------------------------------------------------------------------------------------

    async def _offer(self, key: str, path: str) -> None:
        self._offered[key] = Download(key, PurePath(path).name)
        await self.tell_page("deliver_file_start", key)

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


async def tell(socket: web.WebSocketResponse, kind: str, sentence: str) -> None:
    """Send a message to a page; nothing if the browser is gone."""
    with contextlib.suppress(ConnectionError, RuntimeError):
        await socket.send_str(json.dumps([kind, sentence]))


def within(value: Any, bounds: tuple[int, int]) -> int:
    """A size as a browser gave it, made sensible."""
    low, high = bounds
    return max(low, min(high, value)) if isinstance(value, int) else low * 8
