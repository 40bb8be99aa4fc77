"""A tab whose connection was lost finds its app as it was, and nobody else finds it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from asyncio import StreamReader
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from unittest.mock import Mock, patch

import aiohttp
import pyte
import pytest
import pytest_asyncio
from aiohttp import web

from bpe_tui.ui.served_driver import write_whole
from bpe_tui.web.admission import Admission
from bpe_tui.web.client import READY as BEGINNING
from bpe_tui.web.client import Client, Packets
from bpe_tui.web.fork_server import Child, ForkServer
from bpe_tui.web.places import Places
from bpe_tui.web.server import PROTOCOL, Server
from bpe_tui.web.settings import Limits, Settings
from bpe_tui.web.ticket import Ticket
from tests.web.browser import PATIENCE
from tests.web.serving import READY, Serving, Speaker, is_there, serving, speaking

pytestmark = pytest.mark.asyncio(loop_scope="module")

GONE = "The session of this tab is over"
SMALL = (100, 30)
LARGE = (140, 40)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[Serving]:
    """One server for most tests: an app that a test leaves behind makes room for those of the next."""
    async with serving("--clients", "2") as server:
        yield server


def tab(server: Serving, secret: str = "", size: tuple[int, int] = SMALL) -> AbstractAsyncContextManager[Speaker]:
    """A client that asks to be kept, or returns with its secret."""
    width, height = size
    return speaking(server, f"width={width}&height={height}", (PROTOCOL, secret) if secret else (PROTOCOL,))


async def stored(client: Speaker) -> str:
    """The secret that a client has got and stored."""
    secret = await client.told_of("secret")
    await client.say("stored")
    await client.say("ping", secret)
    await client.told_of("pong")  # so the server has heard it
    return secret


def drop(client: Speaker) -> None:
    """Cut the connection of a client, without a goodbye."""
    client.socket.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def is_paused(process: int) -> bool:
    """Is every thread of a process stopped?"""
    threads = Path(f"/proc/{process}/task").glob("*/stat")
    return {each.read_text().rpartition(")")[2].split()[0] for each in threads} == {"T"}


async def paused(process: int) -> None:
    """Wait until a process is stopped."""
    async with asyncio.timeout(PATIENCE):
        while not is_paused(process):  # noqa: ASYNC110 (the system has no way to tell)
            await asyncio.sleep(0.02)


async def ended(process: int) -> None:
    """Wait until a process has ended."""
    async with asyncio.timeout(PATIENCE):
        while is_there(process):  # noqa: ASYNC110 (the system has no way to tell)
            await asyncio.sleep(0.02)


async def left(server: Serving) -> tuple[str, int]:
    """An app with one merge whose tab is away: its secret and its process."""
    before = set(server.processes())
    async with tab(server) as client:
        secret = await stored(client)
        await client.wait_for(READY)
        (process,) = set(server.processes()) - before
        await client.pressed(" ", "merge 1/3")
        drop(client)
    await paused(process)
    return secret, process


async def screen(client: Speaker, size: tuple[int, int], holds: Callable[[list[str]], bool]) -> list[str]:
    """The rows of a terminal, once something holds for them and nothing more comes."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with contextlib.suppress(TimeoutError):
                while True:
                    async with asyncio.timeout(0.5):
                        assert await client._receive(), client.told
            terminal = pyte.Screen(*size)
            pyte.Stream(terminal).feed(client.shown.replace("\x1b[?2026$p", ""))  # a question, which it would print
            rows = list(terminal.display)
            if holds(rows):
                return rows


async def turned_away(server: Serving, secret: str) -> None:
    """Somebody shows a secret, and gets a sentence but no app."""
    before = set(server.processes())
    async with tab(server, secret) as client:
        assert GONE in await client.told_of("ended")
        assert [kind for kind, _ in client.told] == ["ended"]
        assert client.shown == ""
    assert set(server.processes()) <= before


# -- what a learner gets ----------------------------------------------------------------------------------------------


async def test_the_app_is_found_as_it_was_and_in_the_size_of_the_new_page(server: Serving) -> None:
    async with tab(server) as client:
        secret = await stored(client)
        await client.wait_for(READY)
        (process,) = server.processes()
        await client.pressed(" ", "merge 1/3")
        await client.press("e")
        await client.insist("Q", "Q is not in the alphabet")
        await client.press("hugs")
        before = await screen(client, SMALL, lambda rows: "h·ug·s" in rows[-2])
        drop(client)
    await paused(process)
    async with tab(server, secret) as client:
        secret = await stored(client)
        assert await screen(client, SMALL, lambda rows: rows == before)
        assert "\x1b[?1049h" in client.shown  # the terminal of a page that was loaded again knows nothing
        assert "\x1b[?1006h" in client.shown
    async with tab(server, secret, LARGE) as client:
        rows = await screen(client, LARGE, lambda rows: rows[1].endswith("╮"))
        assert "merge 1/3" in rows[0]
        assert "h·ug·s" in rows[-2]
        assert "esc back to the panes" in rows[-1]
        assert server.processes() == [process]


async def test_an_app_at_play_rests_while_nobody_looks(server: Serving) -> None:
    before = set(server.processes())
    async with tab(server) as client:
        secret = await stored(client)
        await client.wait_for(READY)
        (process,) = set(server.processes()) - before
        await client.pressed("p", "merge 1/3")
        drop(client)
    await paused(process)
    async with tab(server, secret) as client:
        await client.wait_for("merge 3/3")  # it plays on


async def test_a_newer_page_takes_over(server: Serving) -> None:
    async with tab(server) as older:
        secret = await stored(older)
        await older.wait_for(READY)
        async with tab(server, secret) as newer:  # as a duplicated tab does
            assert "goes on in another tab" in await older.told_of("ended")
            await newer.wait_for(READY)
            await newer.pressed(" ", "merge 1/3")


async def test_an_app_that_the_learner_has_left_is_not_kept(server: Serving) -> None:
    async with tab(server) as client:
        secret = await stored(client)
        await client.wait_for(READY)
        await client.press("q")
        assert "You have left the program" in await client.told_of("ended")
    await turned_away(server, secret)


async def test_an_app_to_which_nobody_could_return_is_not_kept(server: Serving) -> None:
    before = set(server.processes())
    async with tab(server) as client:
        secret = await client.told_of("secret")  # which it does not store
        (process,) = set(server.processes()) - before
        drop(client)
    await ended(process)
    await turned_away(server, secret)


# -- the secret -------------------------------------------------------------------------------------------------------


async def test_guesses_and_used_secrets_find_nothing(server: Serving) -> None:
    first, process = await left(server)
    for guess in (first[:-1], f"{first}A", first.swapcase(), "A" * len(first), PROTOCOL, "é"):
        await turned_away(server, guess)
    async with tab(server, first) as client:
        second = await stored(client)
        await client.wait_for("merge 1/3")
        drop(client)
    assert second != first
    await paused(process)
    await turned_away(server, first)
    async with tab(server, second) as client:
        await client.wait_for("merge 1/3")
    assert first not in server.stderr
    assert second not in server.stderr


async def test_a_secret_that_was_lost_on_its_way_locks_nobody_out(server: Serving) -> None:
    first, process = await left(server)
    for _ in range(2):
        async with tab(server, first) as client:
            await client.told_of("secret")  # it gets no further than this
            drop(client)
        await paused(process)
    async with tab(server, first) as client:
        second = await client.told_of("secret")
        drop(client)
    await paused(process)
    async with tab(server, second) as client:  # it was stored, and only the word of that was lost
        await client.wait_for("merge 1/3")
    await turned_away(server, first)


async def test_of_two_that_show_a_secret_at_once_one_gets_the_app(server: Serving) -> None:
    secret, process = await left(server)
    before = set(server.processes())
    async with tab(server, secret) as one, tab(server, secret) as another:
        told = [asyncio.create_task(each.told_of("ended")) for each in (one, another)]
        done, waiting = await asyncio.wait(told, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
        assert ["goes on in another tab" in each.result() for each in done] == [True]
        for each in waiting:
            each.cancel()
        winner = another if told[0] in done else one
        await asyncio.gather(*waiting, return_exceptions=True)
        await winner.pressed("u", READY)
        assert set(server.processes()) == before >= {process}


async def test_the_secret_is_for_the_servers_own_page_alone(server: Serving) -> None:
    secret, process = await left(server)
    address = f"{server.address}ws?width=100&height=30"
    async with aiohttp.ClientSession() as session:
        for origin in ("https://evil.example", "null", ""):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await session.ws_connect(address, headers={"Origin": origin}, protocols=(PROTOCOL, secret))
            assert refused.value.status == 403
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(address, headers={"Origin": server.origin}, protocols=(secret,))
        assert refused.value.status == 400
    assert is_paused(process)
    assert server.stderr == ""


# -- bounds -----------------------------------------------------------------------------------------------------------


async def test_who_has_been_away_longest_makes_room(server: Serving) -> None:
    (first, _), (second, _) = await left(server), await left(server)
    async with tab(server) as newcomer:
        await newcomer.wait_for(READY)
        assert len(server.processes()) == 2
        await turned_away(server, first)
        async with tab(server, second) as returned:
            await returned.wait_for("merge 1/3")
            async with tab(server) as refused:
                assert "All 2 places are taken" in await refused.told_of("ended")


class NoProcesses:
    """Stands for the fork server, and counts what was asked of it."""

    def __init__(self) -> None:
        self.living: dict[int, bool] = {}
        """The numbers of the processes, and whether they run."""
        self.stdout = StreamReader()
        """Of the one begun last."""
        self.most = 0
        self.begun = 0

    async def begin(self, columns: int, rows: int) -> Child:
        """Begin a process that writes nothing."""
        self.begun += 1
        self.living[self.begun] = True
        self.most = max(self.most, len(self.living))
        self.stdout = StreamReader()
        return Child(self.begun, self.stdout, Mock())

    async def pause(self, child: Child) -> None:
        """Stop it."""
        self.living[child.number] = False

    async def resume(self, child: Child) -> None:
        """Let it go on."""
        self.living[child.number] = True

    async def end(self, child: Child) -> None:
        """End it."""
        del self.living[child.number]

    async def close(self) -> None:
        """Nothing is left to end."""


class Rehearsal:
    """A server without processes, and clients that show nothing."""

    def __init__(self, session: aiohttp.ClientSession, port: int, processes: NoProcesses) -> None:
        self.processes = processes
        self._session = session
        self._port = port

    async def come(self, *secret: str) -> aiohttp.ClientWebSocketResponse:
        """A new client, or one that returns."""
        address = f"http://127.0.0.1:{self._port}"
        return await self._session.ws_connect(
            f"{address}/ws", headers={"Origin": address}, protocols=(PROTOCOL, *secret)
        )

    async def come_and_drop(self, *secret: str, stores: bool = True) -> str:
        """A client whose connection is lost at once; its secret."""
        client = await self.come(*secret)
        kind, content = await client.receive_json()
        assert kind == "secret"
        if stores:
            await client.send_json(["stored"])
        client.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        await client.close()
        return str(content)

    async def rest(self) -> None:
        """Wait until no process runs."""
        async with asyncio.timeout(PATIENCE):
            while True in self.processes.living.values():  # noqa: ASYNC110 (the stand-in has no way to tell)
                await asyncio.sleep(0.001)


@contextlib.asynccontextmanager
async def rehearsal(limits: Limits) -> AsyncIterator[Rehearsal]:
    """A server without processes, until the context is left."""
    server = Server(Settings(limits=limits), Admission(100, 100, lambda: None))
    processes = NoProcesses()
    server._fork_server = processes  # type: ignore[assignment]
    runner = web.AppRunner(server.app())
    await runner.setup()
    assert runner.server is not None
    listening = await asyncio.get_running_loop().create_server(runner.server, "127.0.0.1", 0)
    try:
        async with aiohttp.ClientSession() as session:
            yield Rehearsal(session, listening.sockets[0].getsockname()[1], processes)
    finally:
        listening.close()
        await runner.cleanup()


async def test_a_thousand_that_come_and_drop_leave_no_more_than_there_are_places() -> None:
    async with rehearsal(Limits(clients=7)) as server:
        for number in range(1000):
            await server.come_and_drop(stores=number % 3 != 1)
            if number % 5:  # some come before the server has noticed the last one's end
                await server.rest()
        assert server.processes.begun == 1000
        assert server.processes.most == 7
        await server.rest()
        assert len(server.processes.living) == 7


async def test_an_address_makes_room_for_itself_only() -> None:
    async with rehearsal(Limits(clients=3, per_address=1)) as server:
        secret = await server.come_and_drop()
        await server.rest()
        client = await server.come()
        assert (await client.receive_json())[0] == "secret"
        assert server.processes.living == {2: True}
        for shown, sentence in ((secret, GONE), ("", "Your address has the 1 place")):
            kind, content = await (await server.come(*filter(None, [shown]))).receive_json()
            assert kind == "ended"
            assert sentence in content
        await client.close()


async def test_a_secret_ends_with_its_time() -> None:
    async with rehearsal(Limits(keep=0.002)) as server:
        secret = await server.come_and_drop()
        async with asyncio.timeout(PATIENCE):
            while server.processes.living:  # noqa: ASYNC110 (the stand-in has no way to tell)
                await asyncio.sleep(0.01)
        kind, content = await (await server.come(secret)).receive_json()
        assert kind == "ended"
        assert GONE in content


async def test_nothing_meant_for_the_page_before_is_shown_to_the_next() -> None:
    async with rehearsal(Limits()) as server:
        secret = await server.come_and_drop()
        await server.rest()
        server.processes.stdout.feed_data(BEGINNING + b"D\0\0\0\3old")
        client = await server.come(secret)
        assert (await client.receive_json())[0] == "secret"
        server.processes.stdout.feed_data(b'M\0\0\0\x14{"type": "returned"}D\0\0\0\3new')
        assert await client.receive_bytes(timeout=PATIENCE) == b"new"
        await client.close()


async def test_one_who_returns_in_time_has_all_of_it_again() -> None:
    async with rehearsal(Limits(keep=1000)) as server:
        secret = await server.come_and_drop()
        for _ in range(5):
            secret = await server.come_and_drop(secret)
        await server.rest()
        assert server.processes.living == {1: False}


# -- the parts --------------------------------------------------------------------------------------------------------


async def test_an_address_that_has_too_many_makes_room_for_itself_only() -> None:
    settings = Settings(limits=Limits(clients=4, per_address=2))
    places = Places(settings)

    def newcomer(address: str) -> Client:
        return Client(settings, ForkServer(settings), address, Ticket())

    first, second, third, fourth = (newcomer(address) for address in ("A", "B", "B", "C"))
    for client in (first, second, third, fourth):
        assert await places.take(client) == ""
        places.settle(client)  # away, as nobody attends to it
    fifth, sixth, seventh = newcomer("B"), newcomer("D"), newcomer("B")
    assert await places.take(fifth) == ""
    assert set(places) == {first, third, fourth, fifth}
    assert await places.take(sixth) == ""
    assert set(places) == {third, fourth, fifth, sixth}
    assert await places.take(seventh) == ""
    assert set(places) == {fourth, fifth, sixth, seventh}
    assert "All 4 places" in await places.take(newcomer("B"))  # whose two are both in use, or on their way
    assert [client.is_over for client in (first, second, third, fourth)] == [True, True, True, False]


async def test_a_ticket() -> None:
    ticket = Ticket()
    assert not ticket.admits(b"")
    first = ticket.renew().encode()
    before = ticket.is_stored
    ticket.confirm()
    assert (before, ticket.is_stored) == (False, True)
    assert ticket.admits(first)
    ticket.renew()
    third = ticket.renew().encode()
    assert ticket.admits(first)  # the third may never arrive
    assert ticket.admits(third)
    assert not ticket.admits(first)
    assert not ticket.admits(b"")
    assert len({Ticket().renew() for _ in range(100)}) == 100


async def test_packets_stay_whole_for_one_who_gives_up_waiting() -> None:
    stdout = StreamReader()
    packets = Packets(stdout)
    data = BEGINNING + b"D\0\0\0\3abcM\0\0\0\2{}"
    got = []
    for byte in data:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0):
                got.append(await packets.next())
        stdout.feed_data(bytes([byte]))
    got.append(await packets.next())
    assert got == [(b"D", b"abc"), (b"M", b"{}")]


async def test_what_the_system_takes_in_part_is_written_whole() -> None:
    taken: list[bytes] = []

    def take(descriptor: int, data: bytes) -> int:
        taken.append(data[:3])
        return len(data[:3])

    with patch("os.write", take):
        assert write_whole(1, b"a frame") == 7
    assert taken == [b"a f", b"ram", b"e"]


# -- the end, also of the server that all tests above use --------------------------------------------------------------


async def test_processes_at_rest_end_with_the_server(server: Serving) -> None:
    _, process = await left(server)
    (fork_server,) = server.fork_servers()
    os.kill(fork_server, signal.SIGKILL)
    await ended(process)
    (_, one), (_, another) = await left(server), await left(server)
    os.kill(server.process.pid, signal.SIGKILL)
    await ended(one)
    await ended(another)
