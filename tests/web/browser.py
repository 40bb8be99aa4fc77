"""A real browser without a window, driven over its DevTools protocol: only what these tests need of it."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",  # as root, in a container, there is none
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--window-size=1200,800",
)
PATIENCE: Final = 30.0
"""Seconds that anything may take."""
KEYS: Final = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "Backspace": 8, "End": 35}
"""Keys that are no letters, by their names in browsers."""
BETWEEN: Final = re.compile(r"[\s▌│]+")
STYLING: Final = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def words(shown: str) -> str:
    """What a terminal was sent, with one blank for all that stands between words: a sentence may be broken anywhere."""
    return BETWEEN.sub(" ", STYLING.sub("", shown))


class Page:
    """One tab, in a profile of its own; it remembers all that it asked for and all that its terminal was sent."""

    def __init__(self, browser: Browser, session: str, downloads: Path) -> None:
        self.downloads = downloads
        self.requests: list[str] = []
        """Addresses, web sockets and data included."""
        self.errors: list[str] = []
        """Uncaught errors, and what the console was told of as an error."""
        self.shown = ""
        """What the terminal was sent."""
        self._browser = browser
        self._session = session

    async def send(self, method: str, **parameters: Any) -> Any:
        """Send a command to the tab."""
        return await self._browser.send(method, self._session, **parameters)

    async def open(self, address: str) -> None:
        """Go to an address."""
        await self.send("Page.navigate", url=address)

    async def run(self, script: str) -> Any:
        """The value of a JavaScript expression, awaited if it is a promise."""
        answer = await self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def press(self, *keys: str) -> None:
        """Press keys: characters, names of `KEYS`, or a letter with `ctrl+` before it."""
        for key in keys:
            control = key.startswith("ctrl+")
            name = key.removeprefix("ctrl+")
            code = KEYS.get(name) or ord(name.upper())
            text = "" if control or name in KEYS else name
            pressed = {"key": name, "windowsVirtualKeyCode": code, "modifiers": 2 if control else 0}
            await self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **pressed)
            await self.send("Input.dispatchKeyEvent", type="keyUp", **pressed)

    async def wait_for(self, text: str) -> None:
        """Wait until the terminal has been sent a text. Raises TimeoutError with what it got instead."""
        await self.wait_until(lambda: text in words(self.shown), f"{text!r} in {words(self.shown[-3000:])!r}")

    async def pressed(self, key: str, text: str) -> None:
        """Press a key, and wait for what it brings."""
        self.shown = ""
        await self.press(key)
        await self.wait_for(text)

    async def insist(self, key: str, text: str) -> None:
        """Press a key again and again until it brings a text: what shall get it may not have the focus yet."""
        self.shown = ""
        for _ in range(int(2 * PATIENCE)):
            await self.press(key)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    while text not in words(self.shown):
                        await self._browser.next_event()
                    return
        raise TimeoutError(f"{key} does not bring {text!r}: {words(self.shown[-3000:])!r}")

    async def wait_until(self, holds: Callable[[], bool], what: str = "") -> None:
        """Wait until something has come about. Raises TimeoutError."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():
                    await self._browser.next_event()
        except TimeoutError:
            raise TimeoutError(f"not within {PATIENCE:g} s: {what}") from None

    async def wait_for_run(self, script: str) -> Any:
        """Wait until a JavaScript expression has a value that counts as true."""
        async with asyncio.timeout(PATIENCE):
            while not (value := await self.run(script)):  # noqa: ASYNC110 (the page has no way to tell)
                await asyncio.sleep(0.05)
        return value

    async def wait_for_end(self) -> str:
        """The sentence of the dialog that says how the session ended."""
        return str(await self.wait_for_run("document.querySelector('#ended')?.open && byId('reason').textContent"))

    async def close(self) -> None:
        """Close the tab."""
        await self.send("Page.close")

    async def picture(self) -> bytes:
        """The tab as a PNG picture, for people who look for a fault."""
        return base64.b64decode((await self.send("Page.captureScreenshot"))["data"])

    def note(self, method: str, parameters: dict[str, Any]) -> None:
        """Something happened in the tab."""
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.requests.append(parameters["url"])
        elif method == "Network.webSocketFrameReceived" and parameters["response"]["opcode"] == 2:
            data = base64.b64decode(parameters["response"]["payloadData"])
            self.shown += data.decode("utf-8", "replace")
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])


class Browser:
    """The running program."""

    def __init__(self, process: Process, socket: ClientWebSocketResponse, folder: Path) -> None:
        self._process = process
        self._socket = socket
        self._folder = folder
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._pages: dict[str, Page] = {}
        self._event = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def send(self, method: str, session: str = "", /, **parameters: Any) -> Any:
        """Send a command and wait for its answer. Raises RuntimeError if the browser has none."""
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        command = {"id": number, "method": method, "params": parameters}
        await self._socket.send_json({**command, "sessionId": session} if session else command)
        async with asyncio.timeout(PATIENCE):
            return await answer

    async def next_event(self) -> None:
        """Wait until anything happens."""
        self._event.clear()
        await self._event.wait()

    async def page(self) -> Page:
        """A new tab in a profile of its own."""
        context = (await self.send("Target.createBrowserContext"))["browserContextId"]
        target = await self.send("Target.createTarget", url="about:blank", browserContextId=context)
        attached = await self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        downloads = Path(tempfile.mkdtemp(dir=self._folder))
        await self.send(
            "Browser.setDownloadBehavior",
            behavior="allow",
            browserContextId=context,
            downloadPath=str(downloads),
            eventsEnabled=True,
        )
        page = self._pages[attached["sessionId"]] = Page(self, attached["sessionId"], downloads)
        for domain in ("Page", "Network", "Runtime", "Log"):
            await page.send(f"{domain}.enable")
        return page

    async def _read(self) -> None:
        async for message in self._socket:
            if message.type is not WSMsgType.TEXT:
                break
            said = json.loads(message.data)
            answer = self._waiting.pop(said.get("id", 0), None)
            if answer is None:
                if (page := self._pages.get(said.get("sessionId", ""))) is not None:
                    page.note(said["method"], said["params"])
            elif not answer.done():
                if "error" in said:
                    answer.set_exception(RuntimeError(str(said["error"])))
                else:
                    answer.set_result(said["result"])
            self._event.set()

    async def end(self) -> None:
        """End the program."""
        self._reading.cancel()
        self._process.kill()
        await self._process.wait()


def program() -> str:
    """The browser of this computer. Raises RuntimeError with what to do if there is none."""
    for name in PROGRAMS:
        if (found := shutil.which(name)) is not None:
            return found
    raise RuntimeError("these tests need Chromium: apt-get install chromium")


@asynccontextmanager
async def running() -> AsyncIterator[Browser]:
    """A browser, until the context is left."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            *(program(), *FLAGS, f"--user-data-dir={folder}/profile", "about:blank"), stdout=DEVNULL, stderr=PIPE
        )
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            while not (found := re.search(rb"DevTools listening on (ws://\S+)", await process.stderr.readline())):
                assert process.returncode is None
        draining = asyncio.create_task(process.stderr.read())
        async with ClientSession() as session, session.ws_connect(found[1].decode(), max_msg_size=0) as socket:
            browser = Browser(process, socket, Path(folder))
            try:
                yield browser
            finally:
                await browser.end()
                await draining
