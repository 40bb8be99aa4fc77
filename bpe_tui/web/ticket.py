"""The secret by which a tab finds its app again after its connection was lost."""

from __future__ import annotations

import secrets
from typing import Final

BYTES: Final = 32
"""Of chance in a secret: nobody guesses it."""


class Ticket:
    """What the tab of one app has to show, and a new one each time.

    A connection may be lost while a new secret is on its way. So the one before stays good until the tab says that it
    has stored the new one, or shows it.
    """

    def __init__(self) -> None:
        self._stored = b""
        self._sent = b""

    @property
    def is_stored(self) -> bool:
        """Does the tab have a secret? Nobody else could come back."""
        return bool(self._stored)

    def renew(self) -> str:
        """A new secret for the tab."""
        secret = secrets.token_urlsafe(BYTES)
        self._sent = secret.encode()
        return secret

    def confirm(self) -> None:
        """The tab has stored the secret that was sent last; the one before is worth nothing any more."""
        if self._sent:
            self._stored, self._sent = self._sent, b""

    def admits(self, shown: bytes) -> bool:
        """Is this the secret? It takes the same time however much of it is right."""
        is_sent = secrets.compare_digest(self._sent, shown)
        is_stored = secrets.compare_digest(self._stored, shown)
        if shown and is_sent:
            self.confirm()
        return bool(shown) and (is_sent or is_stored)
