"""Whatever reaches the port: the operator's terminal stays clean, and nobody is locked out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import aiohttp
import pytest
import pytest_asyncio

from bpe_tui.web.admission import Admission, address_of
from bpe_tui.web.log import LineHandler, Throttled
from bpe_tui.web.settings import Limits, Settings
from tests.web.browser import PATIENCE
from tests.web.serving import READY, Serving, Speaker, get_a_place, serving, speaking

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOSTILE = "a\u2100b\u202e\x9b2J"
"""A character that no host may hold, one that turns the direction of reading, and one that clears some terminals."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[Serving]:
    async with serving("--clients", "3") as server:
        yield server


async def connect(server: Serving) -> tuple[StreamReader, StreamWriter]:
    """A bare connection."""
    return await asyncio.open_connection("127.0.0.1", server.port)


async def answered(server: Serving, request: bytes) -> bytes:
    """The first line that is answered to a request."""
    reader, writer = await connect(server)
    writer.write(request)
    async with asyncio.timeout(PATIENCE):
        line = await reader.readline()
    writer.close()
    return line


def upgrade(server: Serving, **headers: str) -> bytes:
    """The request for a web socket, as a browser makes it."""
    lines = {
        "Host": f"127.0.0.1:{server.port}",
        "Origin": server.origin,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"GET /ws?width=100&height=30 HTTP/1.1\r\n{head}\r\n".encode()


async def status_of_use(server: Serving) -> int:
    """The status of the page for somebody who just wants to use it."""
    async with asyncio.timeout(PATIENCE), aiohttp.ClientSession() as session, session.get(server.address) as answer:
        return answer.status


async def test_malformed_requests_get_their_status_and_no_traceback(server: Serving) -> None:
    for host in (HOSTILE, "[::1", "a:b:c", "x\x00y", ""):
        line = await answered(server, f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert line.split()[1] in (b"400", b"421"), host
    for origin in (HOSTILE, "http://[::1", "http://a\u2100b"):
        assert (await answered(server, upgrade(server, Origin=origin))).split()[1] in (b"400", b"403"), origin
    for garbage in (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"SSH-2.0-x\x1b[2J\r\n\r\n",
        b"GET\r\n\r\n",
    ):
        assert (await answered(server, garbage)).split()[1] == b"400"
    await answered(server, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n")
    assert server.stderr == ""
    assert await status_of_use(server) == 200


async def test_a_message_nested_too_deep_ends_its_sender_alone(server: Serving) -> None:
    async with speaking(server) as other, speaking(server) as client:
        await other.wait_for(READY)
        await client.wait_for(READY)
        await client.socket.send_str("[" * 100_000)
        async with asyncio.timeout(PATIENCE):
            while (message := await client.socket.receive()).type is not aiohttp.WSMsgType.CLOSE:
                pass
        assert (message.data, message.extra) == (1007, "nested too deep")
        await other.pressed(" ", "merge 1/3")
    await server.wait_for_processes(0)
    assert "Traceback" not in server.stderr


async def test_clients_that_go_away_at_any_moment_leave_nothing(server: Serving) -> None:
    for number in range(30):
        _reader, writer = await connect(server)
        writer.write(upgrade(server))
        await writer.drain()
        await asyncio.sleep(0.004 * (number % 10))
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # a reset instead of an end
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
    await server.wait_for_processes(0)
    assert server.stderr == ""
    async with speaking(server) as client:
        await client.wait_for(READY)


async def test_silent_connections_lock_nobody_out() -> None:
    async with serving("--clients", "2") as server, AsyncExitStack() as stack:
        silent = []
        for number in range(300):
            _reader, writer = await connect(server)
            stack.callback(writer.close)
            if number % 2:
                writer.write(b"GET / HTTP/1.1\r\nHost: x")
            silent.append(writer)
            if number % 50 == 49:
                assert await status_of_use(server) == 200
        async with speaking(server) as client:
            await client.wait_for(READY)
            await client.pressed(" ", "merge 1/3")
        assert server.stderr.count("\n") == 1
        assert "more connections than this server allows" in server.stderr


async def test_slow_readers_lock_nobody_out() -> None:
    async with serving("--clients", "2") as server, AsyncExitStack() as stack:
        request = f"GET /static/textual.js HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        for number in range(300):
            slow = socket.socket()
            stack.callback(slow.close)
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            slow.connect(("127.0.0.1", server.port))
            slow.sendall(request)
            if number % 50 == 49:
                await asyncio.sleep(0.2)
                assert await status_of_use(server) == 200
        async with speaking(server) as client:
            await client.wait_for(READY)
        assert server.stderr.count("\n") == 1
        assert "more connections than this server allows" in server.stderr


async def test_one_address_cannot_take_all_places() -> None:
    async with serving("--clients", "3", "--per-address", "1") as server, speaking(server) as first:
        await first.wait_for(READY)
        async with speaking(server) as second:
            assert "Your address has the 1 place" in await second.told_of("ended")
        await first.pressed(" ", "merge 1/3")
        await first.socket.close()
        await server.wait_for_processes(0)
        await get_a_place(server)


async def test_how_many_places_an_address_may_have() -> None:
    usual = Settings(limits=Limits(clients=5))
    assert [usual.places_of(one) for one in ("192.0.2.1", "2001:db8::/64", "127.0.0.1", "::1", "")] == [3, 3, 5, 5, 3]
    assert Settings(public_url="https://b.example/").places_of("192.0.2.1") == 40
    assert Settings(limits=Limits(per_address=2), public_url="https://b.example/").places_of("127.0.0.1") == 2


async def test_whose_address_it_is() -> None:
    told = {
        "192.0.2.1": "192.0.2.1",
        "::ffff:192.0.2.1": "192.0.2.1",
        "::1": "::1",
        "2001:db8::1": "2001:db8::/64",
        "2001:db8::ffff:1": "2001:db8::/64",
        "fe80::1%eth0": "fe80::/64",
    }
    assert {address: address_of(Connection(address)) for address in told} == told


async def offer(client: Speaker) -> str:
    """Have the app make a file; its key."""
    await client.pressed("w", "Your browser gets the file")
    await client.press("\r")
    await client.insist("Q", "hug.jsonQ")
    client.told.clear()
    await client.press("\r")
    return await client.told_of("deliver_file_start")


async def test_a_download_is_whole_for_the_first_and_gone_for_the_others(server: Serving) -> None:
    async with speaking(server) as client, aiohttp.ClientSession() as session:
        await client.wait_for(READY)
        address = f"{server.address}download/{await offer(client)}"

        async def fetch() -> tuple[int, bytes]:
            async with session.get(address) as answer:
                return answer.status, await answer.read()

        for _ in range(2):
            async with session.head(address) as head:
                assert head.status == 200
                assert "hug.json" in head.headers["Content-Disposition"]
        answers = await asyncio.gather(*(fetch() for _ in range(4)))
        assert sorted(status for status, _ in answers) == [200, 404, 404, 404]
        (file,) = (body for status, body in answers if status == 200)
        assert file.startswith(b"{")
        assert b'"BPE"' in file
        assert file.rstrip().endswith(b"}")
        async with session.head(address) as head:
            assert head.status == 404
        await client.pressed(" ", "merge 1/3")
    assert "Traceback" not in server.stderr


BREAKS: Final = """
import sys

class Saboteur:
    def find_spec(self, name, path=None, target=None):
        if name == "bpe_tui.web.guard":  # the last module that a client's process loads
            from bpe_tui.ui.board.board import Board
            Board.action_play = lambda board: 1 / 0

sys.meta_path.insert(0, Saboteur())
"""


async def test_an_app_that_breaks_says_so(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BREAKS, encoding="utf-8")
    async with serving(search_path=tmp_path) as server, speaking(server) as client, speaking(server) as other:
        await client.wait_for(READY)
        await other.wait_for(READY)
        await client.press("p")
        assert "The program has ended by itself" in await client.told_of("ended")
        await other.press("q")
        assert "You have left the program" in await other.told_of("ended")


async def test_the_time_for_a_request_is_limited() -> None:
    hasty = "from bpe_tui.web import admission; admission.SILENCE = 0.5; from bpe_tui.cli.main import run; run()"
    async with serving(program=("-c", hasty)) as server:
        reader, writer = await connect(server)
        writer.write(b"GET / HTTP/1.1\r\n")
        async with asyncio.timeout(5):  # the usual limit is longer
            assert await reader.read() == b""
        writer.close()


# -- the parts --------------------------------------------------------------------------------------------------------


class Connection(asyncio.Transport):
    """A connection from an address that does nothing."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.is_dropped = False

    def is_closing(self) -> bool:
        """Has it been dropped?"""
        return self.is_dropped

    def abort(self) -> None:
        """Drop it."""
        self.is_dropped = True


async def test_the_longest_silent_connection_makes_room() -> None:
    dropped: list[None] = []
    admission = Admission(4, 2, lambda: dropped.append(None))
    first, second, third = (Connection("192.0.2.1") for _ in range(3))
    assert [admission.admits(one) for one in (first, second, third)] == [True] * 3
    assert [one.is_dropped for one in (first, second, third)] == [True, False, False]  # two of one address
    others = [Connection(f"192.0.2.{number}") for number in range(2, 6)]
    with admission.serving(others[0]):
        assert not others[0].is_dropped
    with contextlib.ExitStack() as stack:
        for one in others:
            assert admission.admits(one)
            stack.enter_context(admission.serving(one))
        assert second.is_dropped
        assert third.is_dropped
        assert not admission.admits(Connection("192.0.2.9"))  # all are being served
        assert not any(one.is_dropped for one in others)
    assert admission.admits(Connection("192.0.2.9"))
    assert others[3].is_dropped  # whose request was over first
    assert len(dropped) == 5


async def test_an_address_whose_connections_are_all_served_gets_no_more() -> None:
    admission = Admission(10, 2, lambda: None)
    with contextlib.ExitStack() as stack:
        for one in (Connection("192.0.2.1"), Connection("192.0.2.1")):
            assert admission.admits(one)
            stack.enter_context(admission.serving(one))
        assert not admission.admits(Connection("192.0.2.1"))
        assert admission.admits(Connection("192.0.2.2"))
    assert admission.admits(Connection("192.0.2.1"))


async def test_a_record_is_one_line_once_a_minute() -> None:
    now, lines = [0.0], list[str]()
    handler = LineHandler(Throttled(lines.append, lambda: now[0]))
    logger = logging.Logger("aiohttp.server")
    logger.addHandler(handler)
    for _ in range(3):
        try:
            raise ValueError("secret")
        except ValueError:
            logger.exception("Error handling request from %s\nand more", "192.0.2.1")
    logger.warning("another")
    now[0] = 61.0
    logger.error("Error handling request from %s\nand more", "192.0.2.2")
    assert lines == [
        "aiohttp.server: Error handling request from 192.0.2.1 (ValueError)",
        "aiohttp.server: another",
        "aiohttp.server: Error handling request from 192.0.2.2 (+2)",
    ]
