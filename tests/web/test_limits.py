"""Limits on clients, time, memory and texts hold, and each is told in a sentence."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.web.browser import PATIENCE
from tests.web.serving import READY, Serving, get_a_place, is_there, serving, speaking, status_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[Serving]:
    async with serving("--clients", "2", "--text", "20", "--memory", "400") as server:
        yield server


async def test_no_more_clients_than_allowed(server: Serving) -> None:
    async with speaking(server) as first, speaking(server) as second:
        await first.wait_for(READY)
        await second.wait_for(READY)
        async with speaking(server) as third:
            assert "All 2 places are taken" in await third.told_of("ended")
        assert len(server.processes()) == 2
        await first.pressed(" ", "merge 1/3")
    await server.wait_for_processes(0)
    await get_a_place(server)


async def test_an_idle_client_is_sent_away() -> None:
    async with serving("--idle", "0.03") as server, speaking(server) as client:
        await client.wait_for(READY)
        await client.pressed(" ", "merge 1/3")
        assert "Closed after 0.03 minutes without a key" in await client.told_of("ended")
        await server.wait_for_processes(0)


async def test_texts_are_limited_by_the_server_and_by_the_app(server: Serving) -> None:
    async with speaking(server) as client:
        await client.wait_for(READY)
        await client.say("upload", {"name": "x.txt", "text": "é" * 10_001})
        assert "20 KB are the most" in await client.told_of("notice")
        client.told.clear()
        await client.press("x" * 20_001)
        assert "20 KB are the most" in await client.told_of("notice")
        await client.pressed("o", "Your own text")
        await client.press("\t")
        await client.insist("Q", "Q ")  # now what is pasted gets there
        await client.press("\x1b[200~" + "ab " * 4000 + "\x1b[201~")
        await client.press("\x1b[200~" + "cd " * 4000 + "\x1b[201~")
        await client.pressed("\x0f", "are the most that is taken here")
        client.shown = ""
        await client.say("upload", {"name": "fits.txt", "text": "é " * 6_000})
        await client.wait_for("fits.txt")


async def test_a_message_without_end_ends_the_client(server: Serving) -> None:
    async with speaking(server) as client:
        await client.wait_for(READY)
        await client.say("upload", {"name": "x.txt", "text": "x" * 200_000})
        await client.socket.receive()
        await server.wait_for_processes(0)


async def test_a_process_has_a_limit_on_memory_and_files(server: Serving) -> None:
    async with speaking(server) as client:
        await client.wait_for(READY)
        (process,) = server.processes()
        limits = status_of(process, "limits")
    for name, most in {"Max address space": 400_000_000, "Max file size": 0, "Max core file size": 0}.items():
        (line,) = (line for line in limits.splitlines() if line.startswith(name))
        assert line.removeprefix(name).split()[:2] == [str(most)] * 2


async def test_clients_come_and_go_after_the_process_that_bears_them_was_killed() -> None:
    async with serving() as server, speaking(server) as before:
        await before.wait_for(READY)
        (process,) = server.processes()
        (fork_server,) = server.fork_servers()
        os.kill(fork_server, signal.SIGKILL)
        async with speaking(server) as after:
            await after.wait_for(READY)
            assert server.fork_servers() != [fork_server]
            await before.pressed(" ", "merge 1/3")
            await before.socket.close()
            async with asyncio.timeout(PATIENCE):
                while is_there(process):  # noqa: ASYNC110 (the system has no way to tell)
                    await asyncio.sleep(0.02)
            await after.pressed(" ", "merge 1/3")
        await server.wait_for_processes(0)
