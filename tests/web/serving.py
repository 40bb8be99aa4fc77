"""The server as people start it, in a process of its own, and clients that are no browser."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from tests.web.browser import PATIENCE, words

ROOT: Final = Path(__file__).parents[2]
READY: Final = "merge 0/3"
"""What the app shows on the corpus hug once it can be used."""


class Serving:
    """A running server."""

    def __init__(self, process: Process, address: str, stderr: Path) -> None:
        self.process = process
        self.address = address
        self._stderr = stderr

    @property
    def stderr(self) -> str:
        """What the operator has seen of its stderr."""
        return self._stderr.read_text(encoding="utf-8")

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.origin.rpartition(":")[2])

    @property
    def origin(self) -> str:
        """What a browser says of its page."""
        return self.address.rstrip("/")

    def fork_servers(self) -> list[int]:
        """The process that the clients' processes come from."""
        return [number for number, parent in parents().items() if parent == self.process.pid]

    def processes(self) -> list[int]:
        """The clients' processes that are there."""
        found = parents()
        fork_servers = {number for number, parent in found.items() if parent == self.process.pid}
        return [number for number, parent in found.items() if parent in fork_servers]

    async def wait_for_processes(self, number: int) -> None:
        """Wait until the server has so many. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE):
            while len(self.processes()) != number:  # noqa: ASYNC110 (the system has no way to tell)
                await asyncio.sleep(0.02)


def parents() -> dict[int, int]:
    """Every process that runs, with its parent."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                found[int(folder.name)] = int(parent)
    return found


def status_of(process: int, kind: str) -> str:
    """What the system tells of a process."""
    return Path(f"/proc/{process}/{kind}").read_text()


def is_there(process: int) -> bool:
    """Does a process still run?"""
    try:
        return status_of(process, "stat").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@asynccontextmanager
async def serving(
    *arguments: str,
    folder: Path | None = None,
    search_path: Path | None = None,
    program: tuple[str, ...] = ("-m", "bpe_tui"),
) -> AsyncIterator[Serving]:
    """`bpe-tui serve`, until the context is left."""
    stderr = tempfile.NamedTemporaryFile(prefix="stderr-")  # noqa: SIM115 (it is closed below)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *program, "serve", "--port", "0", *arguments),
        stdout=PIPE,
        stderr=stderr,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*filter(None, [search_path]), ROOT)))},
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = (await process.stdout.readline()).decode()
        found = re.search(r"http://\S+", line)
        assert found is not None, line
        yield Serving(process, found[0], Path(stderr.name))
    finally:
        with contextlib.suppress(ProcessLookupError):  # a test may have ended it
            process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        await process.stdout.read()
        await process.wait()
        stderr.close()


class Speaker:
    """A client that speaks the protocol of the page, and may say what no page would."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.shown = ""
        """What the terminal was sent."""
        self.told: list[tuple[str, Any]] = []
        """Messages to the page."""

    async def say(self, kind: object, content: object = None) -> None:
        """Send a message as the page does."""
        await self.socket.send_str(json.dumps([kind, content]))

    async def press(self, keys: str) -> None:
        """Send keys as a terminal does."""
        await self.say("stdin", keys)

    async def wait_for(self, text: str) -> None:
        """Wait until the terminal has been sent a text. Raises TimeoutError, or AssertionError if all ends before."""
        try:
            async with asyncio.timeout(PATIENCE):
                while text not in words(self.shown):
                    assert await self._receive(), (self.told, words(self.shown[-2000:]))
        except TimeoutError:
            raise TimeoutError(f"{text!r} did not come; {self.told}, {words(self.shown[-2000:])!r}") from None

    async def pressed(self, keys: str, text: str) -> None:
        """Send keys, and wait for what they bring."""
        self.shown = ""
        await self.press(keys)
        await self.wait_for(text)

    async def insist(self, keys: str, text: str) -> None:
        """Send keys again and again until they bring a text: what shall get them may not have the focus yet."""
        self.shown = ""
        for _ in range(int(2 * PATIENCE)):
            await self.press(keys)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    while text not in words(self.shown):
                        assert await self._receive(), self.told
                    return
        raise TimeoutError(f"{keys!r} does not bring {text!r}: {words(self.shown[-3000:])!r}")

    async def told_of(self, kind: str) -> str:
        """Wait for a message of a kind to the page; what it says."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not (found := [content for one, content in self.told if one == kind]):
                    assert await self._receive(), self.told
        except TimeoutError:
            raise TimeoutError(f"no {kind!r}; {self.told}, {words(self.shown[-2000:])!r}") from None
        return str(found[-1])

    async def _receive(self) -> bool:
        message = await self.socket.receive()
        if message.type is WSMsgType.BINARY:
            self.shown += message.data.decode("utf-8", "replace")
        elif message.type is WSMsgType.TEXT:
            kind, content = json.loads(message.data)
            self.told.append((kind, content))
        else:
            return False
        return True


@asynccontextmanager
async def speaking(
    server: Serving, size: str = "width=100&height=30", protocols: tuple[str, ...] = ()
) -> AsyncIterator[Speaker]:
    """A client of a server, until the context is left."""
    headers = {"Origin": server.origin}
    async with (
        ClientSession() as session,
        session.ws_connect(
            f"{server.address}ws?{size}", headers=headers, protocols=protocols, max_msg_size=0
        ) as socket,
    ):
        yield Speaker(socket)


async def get_a_place(server: Serving) -> None:
    """Come as a client until the app is there: the server learns that a client has ended after its process is gone."""
    for _ in range(100):
        async with speaking(server) as client:
            with contextlib.suppress(AssertionError):
                await client.wait_for(READY)
                return
        await asyncio.sleep(0.05)
    raise AssertionError("no place becomes free")
