"""What `bpe-tui serve` was asked for."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from math import isnan
from typing import Final
from urllib.parse import urlsplit

from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
"""Addresses that only this computer can reach."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the clients may use."""

    clients: int = 40
    """At once."""
    memory: int = 768
    """Megabytes of address space for each client's process; it starts with some 270 of them."""
    idle: float = 30
    """Minutes without a key or click, after which a client is sent away."""
    keep: float = 5
    """Minutes that an app waits for a browser whose connection was lost; 0 ends it at once."""
    text: int = 1000
    """Kilobytes of the largest text that is pasted or uploaded."""
    per_address: int | None = None
    """Clients at once from one address. None is half of all, and does not hold for this computer."""

    @property
    def text_bytes(self) -> int:
        """The largest text in bytes."""
        return self.text * 1000


def is_loopback(address: str) -> bool:
    """Whether an address is that of this computer to itself."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:  # a network
        return False


DEFAULTS: Final = Limits()
LEAST_MEMORY: Final = 300
MOST_MEMORY: Final = 1_000_000
"""Megabytes for a client; no computer has more for one of many."""
MOST_KEEP: Final = 1440
"""Minutes of a day."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is served, where, and to whom."""

    arguments: tuple[str, ...] = ("open", "hug")
    """The command line of each client's app, which a client cannot change."""
    title: str = "hug"
    """What is served, for people."""
    host: str = "127.0.0.1"
    port: int = 8000
    """0 takes a free one."""
    public_url: str = ""
    """Where browsers find the server when something is in between, such as a reverse proxy."""
    language: str = "en"
    colours: tuple[str, str] = ("#121212", "#e0e0e0")
    """Background and foreground of the page, as the app's theme has them."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Raises `OptionError` for an address that cannot be one."""
        if not self.host:
            raise OptionError(_("--host needs an address; 127.0.0.1 is this computer, 0.0.0.0 every network"))
        if isnan(self.limits.idle):
            raise OptionError(_("--idle needs a number of minutes"))
        if isnan(self.limits.keep):
            raise OptionError(_("--keep needs a number of minutes"))
        if self.public_url:
            try:
                parts = urlsplit(self.public_url)
                is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
            except ValueError:  # half of an IPv6 address, or a port that is none
                is_address = False
            if not is_address or not self.public_url.isprintable():
                message = _("--public-url {url}: an address begins with http:// or https:// and a host")
                raise OptionError(message.format(url=self.public_url))

    def places_of(self, address: str) -> int:
        """How many clients may come from an address at once.

        Browsers that reach a reverse proxy all come from its address, so there is no bound unless one is asked for.
        """
        limits = self.limits
        if limits.per_address is not None:
            return limits.per_address
        if self.public_url or is_loopback(address):
            return limits.clients
        return -(-limits.clients // 2)

    @property
    def is_local(self) -> bool:
        """Can only this computer reach it?"""
        return self.host in LOOPBACK
