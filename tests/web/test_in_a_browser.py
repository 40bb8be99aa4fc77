"""The served app in a real browser: what a learner does, and what the page asks for."""

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.web.browser import Browser, Page, running
from tests.web.serving import READY, Serving, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with running() as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[Serving]:
    async with serving("--text", "100", "--keep", "0") as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tab(browser: Browser, server: Serving) -> AsyncIterator[Page]:
    """One tab for all tests: to load the terminal costs a second."""
    tab = await browser.page()
    await tab.open(server.address)
    await tab.wait_for(READY)
    yield tab
    await tab.close()


@pytest_asyncio.fixture(loop_scope="module")
async def page(tab: Page) -> AsyncIterator[Page]:
    """The app on `hug`, ready to step."""
    await tab.insist("o", "Your own text")
    await tab.pressed("Enter", READY)
    yield tab
    assert tab.errors == []


async def upload(page: Page, name: str, content: str) -> None:
    """Give the page a file, as its button does; `content` is JavaScript."""
    await page.run(f"give(new File([{content}], {json.dumps(name)}))")


async def test_the_page_asks_its_own_server_and_nobody_else(page: Page, server: Serving) -> None:
    asked = [address.partition("://")[2].partition("?")[0] for address in page.requests if "://" in address]
    host = server.address.partition("://")[2]
    assert {address.partition("/")[0] for address in asked} == {host.rstrip("/")}
    assert {address.removeprefix(host) for address in asked} >= {"", "ws", "static/textual.js", "static/regular.ttf"}
    assert await page.run("document.fonts.check('16px \"Roboto Mono\"')")


async def test_the_page_says_what_it_is_without_being_seen(page: Page) -> None:
    assert await page.run("document.documentElement.lang + ' ' + document.title") == "en bpe-tui · hug"
    assert await page.run("document.querySelector('noscript').textContent") == "This page needs JavaScript."
    for name, role in {"notice": "status", "give": "button"}.items():
        answer = await page.send("Runtime.evaluate", expression=f"byId({name!r})")
        found = await page.send("Accessibility.queryAXTree", objectId=answer["result"]["objectId"], role=role)
        assert len(found["nodes"]) == 1, name


async def test_keys_step_and_undo(page: Page) -> None:
    await page.pressed(" ", "merge 1/3")
    await page.pressed("n", "merge 2/3")
    await page.pressed("u", "merge 1/3")
    await page.pressed("b", "merge 0/3")


async def test_a_text_is_encoded_while_it_is_typed(page: Page) -> None:
    await page.pressed("f", "merge 3/3")
    await page.press("e")
    await page.insist("Q", "Q is not in the alphabet")  # no key of the app, until the input takes it for a letter
    page.shown = ""
    await page.press(*"hugs")
    await page.wait_for("hug·s")
    await page.press("Tab")


async def test_a_file_of_the_learners_own_is_opened(page: Page) -> None:
    page.shown = ""
    await upload(page, "low.txt", "'low low low lower lowest'")
    await page.wait_for("low.txt ·")  # before, it is said that it is being read
    await page.pressed(" ", "merge 1/")
    page.shown = ""
    await upload(page, "picture.png", "new Uint8Array([137, 80, 78, 71, 255])")
    assert await page.run("byId('notice').textContent") == "That is not a text in UTF-8."
    await upload(page, "large.txt", "'x'.repeat(100001)")
    assert "too large" in await page.run("byId('notice').textContent")
    assert "large.txt" not in page.shown


async def test_a_file_goes_to_the_encode_screen_when_that_is_in_view(page: Page) -> None:
    await page.pressed("f", "merge 3/3")
    await page.pressed("E", "Why not one token?")
    page.shown = ""
    await upload(page, "words.txt", "'hugs unhug'")
    await page.wait_for("unhug")
    await page.insist("Escape", "Encode ▸")


async def test_a_pasted_text_is_opened(page: Page) -> None:
    await page.pressed("o", "Your own text")
    await page.press("Tab")
    await page.insist("Q", "Q ")
    await page.send("Input.insertText", text="tick tock tick tock")
    await page.wait_for("tock")
    await page.pressed("ctrl+o", "text · course")


async def test_what_is_written_is_downloaded(page: Page) -> None:
    await page.pressed("f", "merge 3/3")
    await page.pressed("w", "Your browser gets the file")
    await page.press("Enter")
    await page.insist("Q", "hug.jsonQ")  # now the name of the file has the focus
    await page.pressed("Enter", "goes to your browser")
    await page.wait_until(lambda: any(page.downloads.glob("hug.json*Q")))  # on the way it has another end
    (target,) = page.downloads.glob("hug.json*Q")
    assert json.loads(target.read_text(encoding="utf-8"))["model"]["type"] == "BPE"


async def test_addresses_in_a_text_lead_nowhere(page: Page) -> None:
    assert await page.run("window.open('https://example.org/') === null")
    assert await page.run("fetch('https://example.org/').then(() => 'went out', () => 'refused')") == "refused"
    page.errors.clear()  # the refusal, as the console has it


async def test_leaving_ends_with_a_page_that_offers_to_start_anew(page: Page, server: Serving) -> None:
    await server.wait_for_processes(1)
    await page.pressed(" ", "merge 1/3")
    await page.press("q")
    assert "You have left the program" in await page.wait_for_end()
    await server.wait_for_processes(0)
    page.shown = ""
    await page.run("byId('again').click()")
    await page.wait_for(READY)


async def test_a_browser_that_goes_away_leaves_no_process(browser: Browser, server: Serving) -> None:
    others = set(server.processes())
    page = await browser.page()
    await page.open(server.address)
    await page.wait_for(READY)
    assert len(set(server.processes()) - others) == 1
    await page.close()
    await server.wait_for_processes(len(others))
    assert set(server.processes()) == others
