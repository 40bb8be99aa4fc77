"""Which connections a server keeps: a bound in total and for each address, and none that stays silent for long."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Final

SILENCE: Final = 10.0
"""Seconds that a connection may take until its request is complete, and between two requests."""


class Admission:
    """The connections of a server.

    One that has no request under way is waiting. Where there are too many, the one that has waited longest makes room
    for the new one, so somebody who holds many silent connections locks nobody out.
    """

    def __init__(self, most: int, most_waiting: int, warn: Callable[[], None]) -> None:
        """`most` connections in all, `most_waiting` of them from one address; `warn` is called for each one dropped."""
        self._most = most
        self._most_waiting = most_waiting
        self._warn = warn
        self._waiting: dict[asyncio.BaseTransport, str] = {}
        """Each with its address, the one that has waited longest first."""
        self._busy: set[asyncio.BaseTransport] = set()

    def admits(self, transport: asyncio.Transport) -> bool:
        """May a new connection stay? Others are closed for it if need be."""
        self._forget_closed()
        address = address_of(transport)
        others = [one for one, its in self._waiting.items() if its == address]
        if len(others) >= self._most_waiting:
            self._drop(others[0])
        if len(self._waiting) + len(self._busy) >= self._most:
            if not self._waiting:
                self._warn()
                return False
            self._drop(next(iter(self._waiting)))
        self._waiting[transport] = address
        return True

    @contextlib.contextmanager
    def serving(self, transport: asyncio.BaseTransport | None) -> Iterator[None]:
        """A request of this connection is complete, and is being answered meanwhile."""
        if transport is None or self._waiting.pop(transport, None) is None:
            yield
            return
        self._busy.add(transport)
        try:
            yield
        finally:
            self._busy.discard(transport)
            self._waiting[transport] = address_of(transport)

    def _drop(self, transport: asyncio.BaseTransport) -> None:
        del self._waiting[transport]
        if isinstance(transport, asyncio.Transport):
            transport.abort()
        self._warn()

    def _forget_closed(self) -> None:
        for one in [one for one in self._waiting if one.is_closing()]:
            del self._waiting[one]
        self._busy = {one for one in self._busy if not one.is_closing()}


class Door(asyncio.Protocol):
    """The first moment of a connection, before the protocol that serves it takes over."""

    def __init__(self, admission: Admission, serve: Callable[[], asyncio.Protocol]) -> None:
        self._admission = admission
        self._serve = serve

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hand the connection on, or close it."""
        assert isinstance(transport, asyncio.Transport)
        if not self._admission.admits(transport):
            transport.abort()
            return
        protocol = self._serve()
        transport.set_protocol(protocol)
        protocol.connection_made(transport)


def address_of(transport: asyncio.BaseTransport) -> str:
    """The address at the other end; empty if it is gone already."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
