"""The server: a page, its assets, a web socket for each client, and downloads; nothing else is answered."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import resource
import signal
import socket as network
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

import jinja2
import textual_serve
from aiohttp import web

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, number
from bpe_tui.web.admission import SILENCE, Admission, Door, address_of
from bpe_tui.web.client import GONE, LARGE, Client, Download, tell
from bpe_tui.web.fork_server import ForkServer
from bpe_tui.web.log import Throttled, log_to
from bpe_tui.web.places import Places
from bpe_tui.web.settings import Limits, Settings
from bpe_tui.web.ticket import Ticket

OWN: Final = Path(__file__).parent
LIBRARY: Final = Path(textual_serve.__file__).parent / "static"
ASSETS: Final = {
    "page.css": OWN / "static" / "page.css",
    "page.js": OWN / "static" / "page.js",
    "xterm.css": LIBRARY / "css" / "xterm.css",
    "textual.js": LIBRARY / "js" / "textual.js",
    "regular.ttf": LIBRARY / "fonts" / "RobotoMono-VariableFont_wght.ttf",
    "italic.ttf": LIBRARY / "fonts" / "RobotoMono-Italic-VariableFont_wght.ttf",
}
"""Every file that is served, by its name in the address."""
HEADERS: Final = {
    "Server": "bpe-tui",
    # The terminal in the page writes style sheets of its own.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PROTOCOL: Final = "bpe-tui"
"""What the page offers as the protocol of its web socket, so that its app is kept; then its secret, if it has one.

In the address, the other thing that a page can send before the socket is open, a secret would end in logs.
"""
STOPPED: Final = mark("The server was stopped. Nothing you did here is saved.")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Serves what `settings` say."""

    def __init__(self, settings: Settings, admission: Admission) -> None:
        self.settings = settings
        self._admission = admission
        self._fork_server = ForkServer(settings)
        self._places = Places(settings)
        self._sockets: set[web.WebSocketResponse] = set()
        self._names = own_names(settings)
        loader = jinja2.FileSystemLoader(OWN / "templates")
        self._page = jinja2.Environment(loader=loader, autoescape=True).get_template("page.html")

    def app(self) -> web.Application:
        """The web application."""
        app = web.Application(middlewares=[self._guarded])
        app.router.add_get("/", self._index)
        app.router.add_get("/ws", self._socket)
        app.router.add_get("/download/{key}", self._download)
        for name in ASSETS:
            app.router.add_get(f"/static/{name}", self._asset)
        app.on_shutdown.append(self._shut)
        return app

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer only to names of our own, lest another site's name lead here; say what the page may load."""
        try:
            if not self._is_own_name(hostname(f"//{request.host}")):
                raise web.HTTPMisdirectedRequest(text=_("This server does not go by that name."))
            with self._admission.serving(request.transport):
                response = await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(HEADERS)
            raise
        except ConnectionError:  # the browser went away, and gets no answer
            return web.Response()
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    def _is_own_name(self, name: str | None) -> bool:
        if name is None:
            return False
        if name in self._names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self.settings.is_local

    def _is_own_origin(self, request: web.Request) -> bool:
        """Did a page of ours ask? A browser always names the page that opens a web socket."""
        try:
            origin = urlsplit(request.headers.get("Origin", ""))
        except ValueError:
            return False
        public = urlsplit(self.settings.public_url)
        if public.netloc and (origin.scheme, origin.netloc) == (public.scheme, public.netloc):
            return True
        return origin.scheme in ("http", "https") and origin.netloc == request.host

    # -- what is answered -------------------------------------------------------------------------------------

    async def _index(self, request: web.Request) -> web.Response:
        limits = self.settings.limits
        html = self._page.render(settings=self.settings, most=limits.text_bytes, say=sentences(limits))
        return web.Response(text=html, content_type="text/html", headers={"Cache-Control": "no-store"})

    async def _asset(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(ASSETS[request.path.rpartition("/")[2]], headers={"Cache-Control": "no-cache"})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if not self._is_own_origin(request):
            raise web.HTTPForbidden(text=_("This server talks only to its own page."))
        offered = [one.strip() for one in request.headers.get("Sec-WebSocket-Protocol", PROTOCOL).split(",")]
        if offered[0] != PROTOCOL:
            raise web.HTTPBadRequest
        limits = self.settings.limits
        # In JSON a byte of text takes at most six.
        socket = web.WebSocketResponse(
            heartbeat=15,
            timeout=2,
            compress=False,
            max_msg_size=6 * limits.text_bytes + 10_000,
            protocols=(PROTOCOL,),
        )
        await socket.prepare(request)
        self._sockets.add(socket)
        try:
            ended = await self._attend(request, socket, "".join(offered[1:]))
            if ended:
                await tell(socket, "ended", ended)
        finally:
            self._sockets.discard(socket)
            await socket.close()
        return socket

    async def _attend(self, request: web.Request, socket: web.WebSocketResponse, secret: str) -> str:
        """Give a browser its app, the one of its secret or a new one; the sentence to leave it with."""
        if secret:
            client = self._places.find(secret.encode("utf-8", "replace"))
            if client is None:
                return _(GONE)
        else:
            keeps = socket.ws_protocol is not None and self.settings.limits.keep > 0
            address = address_of(request.transport) if request.transport is not None else ""
            client = Client(self.settings, self._fork_server, address, Ticket() if keeps else None)
        width, height = (size_of(request.query.get(name, "")) for name in ("width", "height"))
        try:
            refusal = "" if secret else await self._places.take(client)
            return refusal or await client.attend(socket, width, height)
        finally:
            self._places.settle(client)

    async def _download(self, request: web.Request) -> web.StreamResponse:
        key = request.match_info["key"]
        for client in self._places:
            if (download := client.offered(key)) is not None:
                return await send(request, client, download)
        raise web.HTTPNotFound(text=_("There is nothing to download here; it is there only once."))

    async def warm_up(self) -> None:
        """Have the program loaded before the first client comes."""
        await self._fork_server.warm_up()

    async def _shut(self, app: web.Application) -> None:
        """The server is stopped: tell every browser, and end their processes."""
        for client in self._places:
            await client.tell_page("ended", _(STOPPED))
        await self._fork_server.close()
        for socket in list(self._sockets):
            await socket.close()


def sentences(limits: Limits) -> dict[str, str]:
    """What the page shows by itself."""
    most = number(limits.text)
    return {
        "script": _("This page needs JavaScript."),
        "give": _("Open a text of your own…"),
        "hint": _("or drop a file on the page, up to {limit} KB. Nothing you do here is saved.").format(limit=most),
        "large": _(LARGE).format(limit=most),
        "binary": _("That is not a text in UTF-8."),
        "lost": _("The connection is lost. Nothing you did here is saved."),
        "away": _("The connection is lost; the page is trying to get it back. Keys are not taken meanwhile."),
        "gone": _(GONE),
        "again": _("Start anew"),
    }


async def send(request: web.Request, client: Client, download: Download) -> web.StreamResponse:
    """Send a file that the app has made."""
    name = quote(download.name.encode("utf-8", "replace"))
    response = web.StreamResponse(
        headers={
            **HEADERS,
            "Content-Type": "application/octet-stream",
            "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
            "Cache-Control": "no-store",
        }
    )
    if request.method == "HEAD":
        return response
    pieces = client.fetch(download)
    async with contextlib.aclosing(pieces):
        try:
            first = await anext(pieces, b"")
        except ConnectionError:
            raise web.HTTPServiceUnavailable from None
        await response.prepare(request)
        await response.write(first)
        try:
            async for piece in pieces:
                await response.write(piece)
        except ConnectionError:  # one side is gone; a browser must not take what it has for the whole file
            if request.transport is not None:
                request.transport.close()
            return response
    await response.write_eof()
    return response


def own_names(settings: Settings) -> frozenset[str]:
    """The names that browsers may have for this server, beside addresses."""
    names = {"localhost", settings.host.lower(), urlsplit(settings.public_url).hostname or "localhost"}
    if not settings.is_local:
        own = network.gethostname().lower()
        names |= {own, f"{own}.local", network.getfqdn().lower()}
    return frozenset(names)


def hostname(address: str) -> str | None:
    """The host that an address names; None if it names none."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def size_of(text: str) -> int | None:
    """A number in an address; None if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


async def run(settings: Settings, started: Callable[[str], None], warn: Callable[[str], None]) -> None:
    """Serve until the process is asked to stop. Raises `BpeError`.

    `started` gets the address once it is there. `warn` gets what goes wrong meanwhile, and must make it safe to print.
    """
    throttled = Throttled(warn)
    log_to(throttled)
    most, most_of_one = connections(settings.limits)
    message = _("more connections than this server allows; those that were silent longest are closed")
    admission = Admission(most, most_of_one, lambda: throttled("connections", message))
    server = Server(settings, admission)
    # The keep-alive time of aiohttp also runs before the first request.
    runner = web.AppRunner(
        server.app(),
        access_log=None,
        handle_signals=False,
        shutdown_timeout=2,
        keepalive_timeout=SILENCE,
        lingering_time=2,
    )
    await runner.setup()
    assert runner.server is not None
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(each, stop.set)
    listening = None
    try:
        try:
            listening = await loop.create_server(partial(Door, admission, runner.server), settings.host, settings.port)
        except (OSError, OverflowError, ValueError) as error:
            if isinstance(error, ValueError):  # two dots in a row, or a part that is too long
                reason = _("that is no host name")
            else:
                reason = getattr(error, "strerror", None) or str(error)
            message = _("{host}, port {port} cannot be served: {reason}; --port 0 takes a free port")
            raise BpeError(message.format(host=settings.host, port=settings.port, reason=_(reason).lower())) from error
        await server.warm_up()
        port = listening.sockets[0].getsockname()[1]
        started(settings.public_url or f"http://{shown_host(settings.host)}:{port}/")
        await stop.wait()
    finally:
        if listening is not None:
            listening.close()
        await runner.cleanup()


def connections(limits: Limits) -> tuple[int, int]:
    """How many connections are kept, in all and from one address; a browser opens six and more.

    The system's limit on open files, raised as far as it can be, leaves room for two more for each client.
    """
    files, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        files = hard
    if files == resource.RLIM_INFINITY:
        files = 1 << 20
    most = max(32, min(16 * limits.clients + 100, files - 2 * limits.clients - 64))
    return most, max(16, most // 2)


def shown_host(host: str) -> str:
    """A host as it is written in an address."""
    return f"[{host}]" if ":" in host else host
