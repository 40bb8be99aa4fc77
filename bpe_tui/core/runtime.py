"""What the program may do where it runs: at a desk everything; served to a browser, reach no file and keep nothing.

It is set once, when the process starts. Nothing that a user types later can change it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Policy:
    """What is allowed to this process; ask for the thing to be done, not for the place where it runs."""

    is_served: bool = False
    """Does its user sit elsewhere, before a browser (`bpe-tui serve`)?"""
    text_limit: int | None = None
    """Bytes of the largest text that the user may bring; None: whatever memory holds."""

    @property
    def reaches_files(self) -> bool:
        """May the user name files and folders, to open, list or write them?

        If not, corpora are the bundled ones and texts that are pasted or uploaded, and what is written is downloaded.
        """
        return not self.is_served

    @property
    def keeps_state(self) -> bool:
        """May anything outlast the process by itself: sessions saved on the way, recent files, crash reports?"""
        return not self.is_served

    @property
    def starts_processes(self) -> bool:
        """May it start processes of its own, to count on several cores or to stop a pattern?"""
        return not self.is_served


AT_A_DESK: Final = Policy()
_policy = AT_A_DESK


def policy() -> Policy:
    """The policy of this process."""
    return _policy


def impose(wanted: Policy) -> None:
    """Put the process under a policy, at its start, before `policy` is asked for the first time."""
    global _policy  # noqa: PLW0603 (a process has one)
    _policy = wanted
