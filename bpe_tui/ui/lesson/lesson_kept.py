"""How far a learner came in a lesson: it is remembered, and the page reached can be gone on at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, number
from bpe_tui.ui.lesson.lesson_turn import LessonTurn
from bpe_tui.ui.session import lesson_progress

if TYPE_CHECKING:
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.session.lesson_progress import Progress


class LessonKept(LessonTurn):
    """The lesson screen, keeping the learner's progress and offering to go on."""

    def __init__(self, walk: Walk) -> None:
        super().__init__(walk)
        self._kept: Progress | None = None
        """How far the learner came, earlier and now; None where nothing may be kept."""
        self._offered: int | None = None
        """The page to go on at, from 0."""
        self._complained = ""

    def turn_to(self, page: int) -> None:
        """Show a page by its place, from 0."""
        raise NotImplementedError

    def offer_progress(self) -> None:
        """Offer to go on at a page that was reached earlier."""
        if not getattr(self.app, "keeps", False):
            return
        pages = len(self.walk.lesson.pages)
        self._kept = lesson_progress.look(self.walk.lesson)
        if 0 < self._kept.furthest < pages - 1:
            self._offered = self._kept.furthest
            told = _("R goes on at page {page} of {pages}, where you were.")
            self.tell(told.format(page=number(self._offered + 1), pages=number(pages)), "▸")
            self.show_figures()

    def action_resume(self) -> None:
        """Go on at the page that was reached earlier."""
        if self._offered is None or self._kept is None:
            self.complain(_("There is no page to go on at; you are as far as you were."))
            return
        self.walk.resume(self._kept.as_walk)
        self.turn_to(self.walk.position)

    def keep_progress(self) -> None:
        """Remember how far the learner is now."""
        if self._kept is None:
            return
        self._kept = self._kept.grown(self.walk)
        try:
            lesson_progress.keep(self.walk.lesson, self._kept)
        except BpeError as error:
            if str(error) != self._complained:
                self._complained = str(error)
                self.complain(_("Your progress cannot be kept: {reason}.").format(reason=error))
