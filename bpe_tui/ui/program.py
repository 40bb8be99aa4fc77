"""What screens ask of the program that they are shown in; the app is one, and knows all screens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.session.request import Request
    from bpe_tui.ui.session.training import Session


class Program(Protocol):
    """Brings one screen from another, so that none has to know the next."""

    saves: bool
    """Are sessions and the progress in lessons saved by themselves?"""

    def open_lesson(self, walk: Walk) -> None:
        """Show a lesson above the training, or in the place of another lesson."""

    def leave_lesson(self, session: Session | None, request: Request | None = None) -> None:
        """Go back to the training below a lesson, or to a new one at `session`; there open what is asked for."""
