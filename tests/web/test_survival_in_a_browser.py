"""A page that is loaded again, or loses its connection, has its app again: in a real browser."""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.web.browser import Browser, Page, running
from tests.web.serving import READY, Serving, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Cable:
    """Stands between a browser and a server, and can be pulled out."""

    def __init__(self, server: Serving) -> None:
        self.address = ""
        self._server = server
        self._is_in = True
        self._ends: set[StreamWriter] = set()

    async def pass_on(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Be a connection of the browser."""
        if not self._is_in:
            writer.transport.abort()
            return
        answers, asks = await asyncio.open_connection("127.0.0.1", self._server.port)
        self._ends |= {writer, asks}
        await asyncio.gather(copy(reader, asks), copy(answers, writer))
        self._ends -= {writer, asks}

    def pull(self) -> None:
        """End all connections, and refuse new ones."""
        self._is_in = False
        for end in self._ends:
            end.transport.abort()

    def plug(self) -> None:
        """Let new connections through."""
        self._is_in = True


async def copy(reader: StreamReader, writer: StreamWriter) -> None:
    """Pass on what comes, until the end."""
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cable() -> AsyncIterator[Cable]:
    """A server that keeps two apps, through a cable."""
    async with serving("--clients", "2") as server:
        cable = Cable(server)
        listening = await asyncio.start_server(cable.pass_on, "127.0.0.1", 0)
        cable.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
        yield cable
        cable.pull()
        listening.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with running() as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page(browser: Browser, cable: Cable) -> Page:
    """One tab for all tests, with one merge done and a text typed."""
    page = await browser.page()
    await page.open(cable.address)
    await page.wait_for(READY)
    await page.pressed(" ", "merge 1/3")
    await page.press("e")
    await page.insist("Q", "Q is not in the alphabet")
    await page.press(*"hugs")
    await page.wait_for("h·ug·s")
    return page


async def secret_of(page: Page) -> str:
    """The secret that a tab has stored."""
    return str(await page.run("window.sessionStorage.getItem(secret.key)"))


async def has_all(page: Page) -> None:
    """Wait until the page shows what was done and typed."""
    await page.wait_for("merge 1/3")
    await page.wait_for("h·ug·s")


async def test_a_page_that_is_loaded_again_shows_the_same_app(page: Page) -> None:
    first = await secret_of(page)
    page.shown = ""
    await page.send("Page.reload")
    await has_all(page)
    second = await page.wait_for_run(f"secret.value !== {json.dumps(first)} && secret.value")
    assert await secret_of(page) == second
    assert not any(one in address for one in (first, second) for address in page.requests)
    assert await page.run("document.cookie + window.localStorage.length") == "0"
    await page.pressed("x", "hugsx")  # and takes keys
    await page.pressed("Backspace", "h·ug·s")


async def test_a_page_that_loses_its_connection_says_so_and_finds_it_again(page: Page, cable: Cable) -> None:
    hint = await page.run("byId('notice').textContent")
    await page.run("window.wasNotLoadedAgain = true")
    cable.pull()
    await page.wait_for_run("document.body.classList.contains('away')")
    assert "trying to get it back" in await page.run("byId('notice').textContent")
    await page.press("Z")  # goes nowhere
    page.shown = ""
    cable.plug()
    await has_all(page)
    assert "Z" not in page.shown
    assert await page.run("!document.body.classList.contains('away') && window.wasNotLoadedAgain")
    assert await page.run("byId('notice').textContent") == hint
    await page.pressed("x", "hugsx")
    await page.pressed("Backspace", "h·ug·s")


async def test_a_second_tab_with_the_same_secret_takes_over(browser: Browser, page: Page, cable: Cable) -> None:
    stored = await secret_of(page)
    other = await browser.page()
    await other.open(f"{cable.address}static/page.css")  # the same origin, and nothing that connects
    await other.run(f"window.sessionStorage.setItem('bpe-tui /', {json.dumps(stored)})")
    await other.open(cable.address)
    await has_all(other)
    assert "goes on in another tab" in await page.wait_for_end()
    assert await secret_of(page) == ""
    await other.close()
    page.shown = ""
    await page.run("byId('again').click()")
    await page.wait_for(READY)


async def test_a_session_that_is_gone_is_told_and_a_new_one_offered(page: Page) -> None:
    await page.run("secret.set('x'.repeat(43))")
    await page.send("Page.reload")
    assert "The session of this tab is over" in await page.wait_for_end()
    page.shown = ""
    await page.run("byId('again').click()")
    await page.wait_for(READY)
    assert page.errors == []
