"""What screens ask of the app that they are shown in: one another. The app alone knows all screens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.player import Pace
    from bpe_tui.ui.session.request import Request
    from bpe_tui.ui.session.token_display import TokenDisplay
    from bpe_tui.ui.session.tokenizer import EncodeSession
    from bpe_tui.ui.session.training import Session


class Navigator(Protocol):
    """Brings one screen from another, so that none has to know the next."""

    saves: bool
    """Are sessions and the progress in lessons saved by themselves?"""
    token_display: TokenDisplay
    """How the tokens of trainings and tokenizers are shown."""
    pace: Pace
    """How fast merges are played."""

    def show_encode_screen(self, session: EncodeSession, then: Callable[[None], None]) -> None:
        """Show a session on the encode screen; when that is left, call `then`."""

    def open_lesson(self, walk: Walk) -> None:
        """Show a lesson above the training, or in the place of another lesson."""

    def leave_lesson(self, session: Session | None, request: Request | None = None) -> None:
        """Go back to the training below a lesson, or to a new one at `session`; there open what is asked for."""
