"""A client reaches no file of the server, and no other site reaches a client's server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from tests.web.serving import READY, Serving, Speaker, is_there, serving, speaking

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRET = "the-teachers-marks"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Serving]:
    """A server, started in a folder with a file that is nobody's business."""
    folder = tmp_path_factory.mktemp("teacher")
    (folder / f"{SECRET}.txt").write_text("low lower lowest", encoding="utf-8")
    async with serving(folder=folder) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def client(server: Serving) -> AsyncIterator[Speaker]:
    """A client that sees the app on `hug`."""
    async with speaking(server) as client:
        await client.wait_for(READY)
        yield client


async def status(server: Serving, path: str, **headers: str) -> tuple[int, str]:
    """What is answered for an address, taken as it is written."""
    from yarl import URL

    async with (
        aiohttp.ClientSession() as session,
        session.get(URL(f"{server.address}{path}", encoded=True), headers=headers) as answer,
    ):
        return answer.status, await answer.text("utf-8", "replace")


async def test_the_open_screen_offers_no_files(client: Speaker) -> None:
    await client.pressed("o", "Your own text")
    await client.wait_for("course-en")
    assert "Path" not in client.shown
    assert SECRET not in client.shown
    await client.pressed("\x1b", READY)
    await client.pressed("E", "Nothing selected")
    await client.press("\t")
    await client.insist("o", "give the page a file")
    assert SECRET not in client.shown


async def test_the_palette_offers_nothing_that_reaches_the_system(client: Speaker) -> None:
    for word in ("screenshot", "suspend", "open a shell"):  # the search finds letters far apart as well
        client.shown = ""
        await client.press("\x10")
        await client.wait_for("Search")
        await client.press(word)
        await client.wait_for("No matches")
        await client.pressed("\x1b", READY)
    await client.press("\x1a")  # ctrl+z
    await client.pressed(" ", "merge 1/3")


async def test_a_name_with_a_path_becomes_the_name_of_a_download(client: Speaker, server: Serving) -> None:
    for name, kept in {"/../../etc/passwd": "passwd", "/tmp/z/": "z", "\\a": "a"}.items():
        await client.pressed("w", "Your browser gets the file")
        await client.press("\r")
        await client.insist("Q", "hug.jsonQ")  # now what is typed gets there
        await client.pressed(name, name)
        client.told.clear()
        await client.press("\r")
        key = await client.told_of("deliver_file_start")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{server.address}download/{key}") as answer:
                assert answer.status == 200
                assert answer.headers["Content-Disposition"] == f"attachment; filename*=UTF-8''{kept}"
                assert b'"BPE"' in await answer.read()
            async with session.get(f"{server.address}download/{key}") as again:
                assert again.status == 404


@pytest.mark.parametrize(
    "path",
    [
        *(
            "static",
            "static/",
            "static/..",
            "static/../web/server.py",
            "static/%2e%2e/server.py",
            "static/..%2fserver.py",
        ),
        *(
            "static//etc/passwd",
            "etc/passwd",
            "..%2f..%2fetc/passwd",
            "download/",
            "download/x",
            "download/..%2f..%2fx",
        ),
    ],
)
async def test_addresses_reach_no_file(path: str, server: Serving) -> None:
    code, text = await status(server, path)
    assert code in (403, 404)
    assert "import" not in text
    assert "root:" not in text


async def test_a_name_of_another_site_is_not_answered(server: Serving) -> None:
    """Whoever makes his own name lead here, once his page is loaded, gets nothing."""
    code, _ = await status(server, "", Host="evil.example")
    assert code == 421
    port = server.origin.rpartition(":")[2]
    assert (await status(server, "", Host=f"localhost:{port}"))[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "file://", "http://127.0.0.1", "https://127.0.0.1:1"]
)
async def test_a_page_of_another_site_gets_no_client(origin: str, server: Serving) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await session.ws_connect(f"{server.address}ws", headers={"Origin": origin} if origin else {})
    assert server.processes() == []


async def test_no_message_is_taken_for_more_than_it_is(client: Speaker, server: Serving) -> None:
    for said in (
        *("", "{}", "[]", "null", "[1]", "[[]]", '["stdin"]', '["stdin", 1]', '["upload"]', '["upload", {}]'),
        *('["upload", {"name": 1, "text": null}]', '["resize", {}]', '["resize", {"width": "x", "height": -1}]'),
        *('["resize", {"width": 1e99, "height": 100000000}]', '["quit"]', '["exit"]', '["stdin", "\\ud800"]'),
        *(
            '["stdin", ""]',
            '["meta", {"type": "deliver_chunk_request", "key": "x", "size": 1}]',
            '["stdin", "\\u001b[200~"]',
            "\x00",
        ),
    ):
        await client.socket.send_str(said)
    await client.socket.send_bytes(b"M\x00\x00\x00\x10" + b'{"type":"quit"}!')
    await client.press("\x1b[201~")
    await client.say("resize", {"width": 100, "height": 30})
    await client.pressed(" ", "merge 1/3")
    assert len(server.processes()) == 1


async def test_a_text_with_half_a_character_is_opened(client: Speaker) -> None:
    client.shown = ""
    await client.say("upload", {"name": "odd \ud800 [/] \x1b]0;x\x07.txt", "text": "ab\ud800 ab\ud800 \x1b[31m"})
    await client.wait_for("odd")
    await client.pressed(" ", "merge 1/")


async def test_a_lesson_opens_and_leads_to_no_file() -> None:
    async with serving("--lesson", "hug", "--lang", "fr") as server, speaking(server) as client:
        await client.wait_for("page 1 ")
        await client.wait_for("tokens")
        await client.insist(".", "page 2 ")
        await client.insist("o", "ctrl+o")
        assert "Path" not in client.shown


async def test_the_server_that_is_stopped_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    async with serving(folder=tmp_path) as server, speaking(server) as client:
        await client.wait_for(READY)
        (process,) = server.processes()
        server.process.terminate()
        assert "The server was stopped" in await client.told_of("ended")
        await server.process.wait()
        assert not is_there(process)


async def test_a_server_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    async with serving(folder=tmp_path) as server, speaking(server) as client:
        await client.wait_for(READY)
        (process,) = server.processes()
        server.process.kill()
        async with asyncio.timeout(10):
            while is_there(process):  # noqa: ASYNC110 (the system has no way to tell)
                await asyncio.sleep(0.02)
