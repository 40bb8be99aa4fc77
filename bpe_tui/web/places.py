"""Who has a place at the server: those who are connected, and for a while those whose connection was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.web.client import Client
from bpe_tui.web.settings import Settings

FULL: Final = mark("All {clients} places are taken. Try again when somebody has left.")


class Places:
    """The clients of a server: a bound in total, and one for each address.

    A client whose connection was lost is away, and keeps its place until its time is up. It counts for the address that
    it first came from. Where a newcomer finds no place, the one that has been away longest makes room.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clients: set[Client] = set()
        self._away: dict[Client, asyncio.TimerHandle] = {}
        """Each with the end of its time, the one that has been away longest first."""
        self._ending: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[Client]:
        """All who have a place."""
        return iter(tuple(self._clients))

    async def take(self, client: Client) -> str:
        """Give a newcomer a place; the sentence why there is none, empty if there is one."""
        most = self._settings.places_of(client.address)
        neighbours = {one for one in self._clients if one.address == client.address}
        is_full = len(self._clients) >= self._settings.limits.clients
        making_room = None
        if is_full or len(neighbours) >= most:
            among = neighbours if len(neighbours) >= most else self._clients
            making_room = next((one for one in self._away if one in among), None)
            if making_room is None and is_full:
                return _(FULL).format(clients=number(self._settings.limits.clients))
            if making_room is None:
                return plural(
                    "Your address has the {count} place it may have at once. Close that page first.",
                    "Your address has all {count} places it may have at once. Close one of these pages first.",
                    most,
                )
        self._clients.add(client)
        if making_room is not None:
            self._let_go(making_room)
            await making_room.stop()
        return ""

    def find(self, secret: bytes) -> Client | None:
        """The client whose tab shows this secret, to be attended at once; None if there is none, or none any more."""
        found = None
        for client in self._clients:  # all of them: the time tells nothing
            if client.is_of(secret):
                found = client
        if found is not None and (timer := self._away.pop(found, None)) is not None:
            timer.cancel()
        return found

    def settle(self, client: Client) -> None:
        """A connection of a client has ended: the place is free, or kept for a while if nobody is connected."""
        if client.is_over:
            self._clients.discard(client)
        elif client.is_away and client in self._clients and client not in self._away:
            seconds = 60 * self._settings.limits.keep
            self._away[client] = asyncio.get_running_loop().call_later(seconds, self._expire, client)

    def _expire(self, client: Client) -> None:
        self._let_go(client)
        task = asyncio.create_task(client.stop())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    def _let_go(self, client: Client) -> None:
        """Free the place of a client that is away: from now on its secret finds nothing."""
        self._clients.discard(client)
        self._away.pop(client).cancel()
