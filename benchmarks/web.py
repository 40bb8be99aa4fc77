"""`python -m benchmarks.web` (`make bench-web`): a class at one server, from a key to the change on the page.

One client alone, then thirty: each presses a key about once a second, at moments of its own, as people do. Then all of
them in the same instant, which has no bar. A client speaks the protocol of the page; a browser's own drawing
is not in these figures.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Final

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from benchmarks.bars import Bars

CLIENTS: Final = 30
PRESSES: Final = 40
"""Keys of each client, alone or in a class: so the first key, which is the slowest, weighs the same in both."""
BAR: Final = 10.0
"""The class's p95 is at most this many times that of one client alone."""
QUIET: Final = 0.25
"""Seconds without output after which a client has settled."""


class Client:
    """One page, without its drawing."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._keys = 0

    async def settled(self) -> None:
        """Wait until nothing more is shown."""
        shown = b""
        while True:
            try:
                message = await asyncio.wait_for(self._socket.receive(), QUIET if b"merge 0/3" in shown else 60)
            except TimeoutError:
                return
            if message.type is not WSMsgType.BINARY:
                raise SystemExit(f"the server ended a client: {message.data!r}")
            shown += message.data

    async def press(self) -> float:
        """Step or undo; milliseconds until the count of merges has changed on the page."""
        self._keys += 1
        key, wanted = (" ", b"merge 1/3") if self._keys % 2 else ("u", b"merge 0/3")
        pressed = time.perf_counter()
        await self._socket.send_str(json.dumps(["stdin", key]))
        shown = b""
        while wanted not in shown:
            message = await self._socket.receive()
            if message.type is not WSMsgType.BINARY:
                raise SystemExit(f"the server ended a client: {message.data!r}")
            shown += message.data
        return 1000 * (time.perf_counter() - pressed)


@asynccontextmanager
async def server() -> AsyncIterator[tuple[str, int]]:
    """`bpe-tui serve`: its address, and its process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bpe_tui", "serve", "--port", "0"), stdout=PIPE
    )
    assert process.stdout is not None
    try:
        found = re.search(rb"http://\S+", await process.stdout.readline())
        if found is None:
            raise SystemExit("the server did not start")
        yield found[0].decode(), process.pid
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def clients(address: str, number: int) -> AsyncIterator[list[Client]]:
    """So many clients, all come at once, all settled."""
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(ClientSession(headers={"Origin": address.rstrip("/")}))
        sockets = await asyncio.gather(*(session.ws_connect(f"{address}ws?width=120&height=36") for _ in range(number)))
        made = [Client(socket) for socket in sockets]
        await asyncio.gather(*(client.settled() for client in made))
        yield made
        for socket in sockets:
            await socket.close()


async def pupil(client: Client, random: Random) -> list[float]:
    """One of a class: a key about once a second."""
    answers = []
    for _ in range(PRESSES):
        await asyncio.sleep(random.uniform(0.5, 1.5))
        answers.append(await client.press())
    return answers


def flat(parts: Iterable[Iterable[float]]) -> list[float]:
    """All times of all clients."""
    return [each for part in parts for each in part]


def p95(times: list[float]) -> float:
    """The time that 95 of 100 keep."""
    return statistics.quantiles(times, n=20)[-1]


def resident(process: int) -> tuple[int, float]:
    """Processes below a process, and the memory that they have for themselves, in MB."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    fork_server = {number for number, parent in parents.items() if parent == process}
    children = [number for number, parent in parents.items() if parent in fork_server]
    kilobytes = 0
    for child in children:
        found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{child}/smaps_rollup").read_text(), re.MULTILINE)
        kilobytes += int(found[1]) if found is not None else 0
    return len(children), kilobytes / 1000


async def measure(bars: Bars) -> None:
    """Measure, and put the figures into `bars`."""
    async with server() as (address, process):
        async with clients(address, 1) as (one,):
            alone = [await one.press() for _ in range(PRESSES)]
        began = time.perf_counter()
        async with clients(address, CLIENTS) as everybody:
            started = time.perf_counter() - began - QUIET
            number, megabytes = await asyncio.to_thread(resident, process)
            await asyncio.sleep(2)  # the first keys are not pressed while others are still opening the page
            randoms = [Random(seed) for seed in range(CLIENTS)]
            a_class = flat(await asyncio.gather(*map(pupil, everybody, randoms)))
            at_once = flat([await asyncio.gather(*(one.press() for one in everybody)) for _ in range(4)])
    bars.at_most("one client, key to change, median", statistics.median(alone), None, " ms")
    bars.at_most("one client, key to change, p95", p95(alone), None, " ms")
    bars.at_most(f"{CLIENTS} clients, key to change, median", statistics.median(a_class), None, " ms")
    bars.at_most(f"{CLIENTS} clients, key to change, p95", p95(a_class), None, " ms")
    bars.at_most(f"… times that of one client (of {len(a_class)} keys)", p95(a_class) / p95(alone), BAR)
    bars.at_most(f"{CLIENTS} keys in the same instant, p95", p95(at_once), None, " ms")
    bars.at_most(f"{CLIENTS} clients at once, until all can start", started, None, " s")
    bars.at_most(f"memory of {number} clients, each", megabytes / max(1, number), None, " MB")


def main() -> None:
    """Measure and print; status 1 if the bar is missed."""
    bars = Bars()
    asyncio.run(measure(bars))
    print(bars.table(), end="")
    sys.exit(1 if bars.short else 0)


if __name__ == "__main__":
    main()
