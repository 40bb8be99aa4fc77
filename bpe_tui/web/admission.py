"""Which connections a server keeps: a bound in total and for each address, and none that stays silent for long."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import Callable, Iterator
from typing import Final

SILENCE: Final = 10.0
"""Seconds that a connection may take until its request is complete, and between two requests."""

SUBSCRIBER: Final = 64
"""The bits of an IPv6 address that identify a subscriber."""


class Admission:
    """The connections of a server.

    One that has no request under way is waiting. Where there are too many, the one that has waited longest makes room
    for the new one, so somebody who holds many silent connections locks nobody out.
    """

    def __init__(self, most: int, most_of_one: int, warn: Callable[[], None]) -> None:
        """`most` connections in all, `most_of_one` of one address; `warn` is called for each one dropped or refused."""
        self._most = most
        self._most_of_one = most_of_one
        self._warn = warn
        self._waiting: dict[asyncio.BaseTransport, str] = {}
        """Each with its address, the one that has waited longest first."""
        self._busy: dict[asyncio.BaseTransport, str] = {}

    def admits(self, transport: asyncio.Transport) -> bool:
        """May a new connection stay? Others are closed for it if need be."""
        self._forget_closed()
        address = address_of(transport)
        others = [one for one, its in self._waiting.items() if its == address]
        busy = sum(its == address for its in self._busy.values())
        if len(others) + busy >= self._most_of_one and not self._has_dropped(others):
            return False
        if len(self._waiting) + len(self._busy) >= self._most and not self._has_dropped(list(self._waiting)):
            return False
        self._waiting[transport] = address
        return True

    @contextlib.contextmanager
    def serving(self, transport: asyncio.BaseTransport | None) -> Iterator[None]:
        """A request of this connection is complete, and is being answered meanwhile."""
        if transport is None or (address := self._waiting.pop(transport, None)) is None:
            yield
            return
        self._busy[transport] = address
        try:
            yield
        finally:
            self._busy.pop(transport, None)
            self._waiting[transport] = address

    def _has_dropped(self, waiting: list[asyncio.BaseTransport]) -> bool:
        """Drop the first of these, if there is one."""
        self._warn()
        if not waiting:
            return False
        transport = waiting[0]
        del self._waiting[transport]
        if isinstance(transport, asyncio.Transport):
            transport.abort()
        return True

    def _forget_closed(self) -> None:
        for one in [one for one in self._waiting if one.is_closing()]:
            del self._waiting[one]
        for one in [one for one in self._busy if one.is_closing()]:
            del self._busy[one]


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
    """Who is at the other end: an IPv4 address, or the network of an IPv6 one; empty if it is gone already.

    A subscriber has at least 2^64 addresses of IPv6, and could use another one for each connection.
    """
    peer = transport.get_extra_info("peername")
    if not peer:
        return ""
    address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif not address.is_loopback:
            return str(ipaddress.ip_network((address, SUBSCRIBER), strict=False))
    return str(address)
