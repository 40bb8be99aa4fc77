"""The session of a screen, kept by itself: soon after it changed, and never so often that keys would wait.

The moment is taken between two keys, which costs as little as a repaint; it is told as JSON and written in a thread.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.ui.jobs import Job, JobDone, JobFailed, start_job

if TYPE_CHECKING:
    from textual.screen import Screen

    from bpe_tui.formats.session.file import SavedSession
    from bpe_tui.formats.session.store import SessionSlot
    from bpe_tui.ui.session.training import Session

LOOK: Final = 0.3
"""Seconds between two looks at the session."""
REST: Final = 20
"""A saving is followed by a rest of this many times its own duration."""
AFTER_FAILURE: Final = 30.0
"""Seconds until the next attempt after one that failed."""
GROUP: Final = "keep"
NEEDED: Final = "bpe_tui.formats.session.training"
"""The module that makes a session of a training."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A session that was kept earlier, and can be gone on with."""

    saved: SavedSession
    is_changed: bool
    """The corpus is another one now."""


class AutoSaver:
    """Keeps the session of one screen, and looks for one that was kept earlier."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._session: Session | None = None
        self._kept: object = None
        """What was kept last, in a form that is quickly compared."""
        self._next = 0.0
        self._job: Job | None = None
        self._search: Job | None = None
        self._has_searched = False
        self._complained = ""
        self.offer: Offer | None = None
        """What the learner may go on with instead."""
        screen.set_interval(LOOK, self.look)

    def watch(self, session: Session) -> None:
        """Keep this session from now on; unless it was kept before, look for an earlier one of the same corpus."""
        self._session, self.offer = session, None
        self._kept = mark(session)
        self._has_searched = False
        if session.origin:
            self._screen.call_after_refresh(self._start_search, session)

    def _start_search(self, session: Session) -> None:
        def search() -> Offer | None:
            saved = None if session.is_kept else place_of(session).load()
            if saved is None or saved.corpus is None or not (saved.model.vocabulary.merges or saved.text):
                return None
            is_changed = saved.corpus.digest != session.saved_corpus.digest
            return Offer(saved, is_changed) if is_changed or saved != session.taken_up else None

        if session is self._session:
            self._search = start_job(self._screen, "looking for a session", lambda control: search(), group="search")

    def look(self) -> None:
        """Keep the session if it changed and the last saving is long enough ago."""
        session = self._session
        if session is None or not self._has_searched or self._job is not None or time.monotonic() < self._next:
            return
        now = mark(session)
        if now == self._kept:
            return
        if NEEDED not in sys.modules:  # loaded in the thread too, so that the first key after it does not wait

            def load() -> float:
                import_module(NEEDED)
                return 0.0

            self._job = start_job(self._screen, "loading what keeps", lambda control: load(), group=GROUP)
            return
        self._kept = now
        work = self._work(session)

        def keep() -> float:
            began = time.monotonic()
            work()
            return time.monotonic() - began

        self._job = start_job(self._screen, "keeping the session", lambda control: keep(), group=GROUP)

    def _work(self, session: Session) -> Any:
        from bpe_tui.formats.session.file import write

        saving, is_first = session.saving(), self.offer is not None and not session.is_kept
        session.is_kept = True

        def work() -> None:
            place = place_of(session)
            if is_first:
                place.set_aside()
            place.save(write(saving()))

        return work

    def save_now(self) -> None:
        """Keep what is not kept yet, before the program ends. Raises TokenizerFileError, unless that has been told."""
        session = self._session
        if self._job is not None:  # the end of the program may have stopped it before it began
            self._job.ended.wait(10)
            self._kept = None
        if session is None or not session.origin or mark(session) == self._kept:
            return
        self._kept = mark(session)
        try:
            self._work(session)()
        except TokenizerFileError:
            if not self._complained:
                raise

    def job_done(self, event: JobDone) -> bool:
        """A saving ended well, or an earlier session was looked for; True if there is one to tell of."""
        if event.job is self._job and isinstance(event.result, float):
            self._job = None
            self._next = time.monotonic() + REST * event.result
            self._complained = ""
        elif event.job is self._search:
            self._search, self._has_searched = None, True
            self.offer = event.result if isinstance(event.result, Offer) else None
            return self.offer is not None
        return False

    def job_failed(self, event: JobFailed) -> str:
        """A saving failed; what to say of it, once for each reason."""
        if event.job is self._search:
            self._search, self._has_searched = None, True
        if event.job is not self._job:
            return ""
        self._job, self._kept = None, None
        self._next = time.monotonic() + AFTER_FAILURE
        if event.sentence == self._complained:
            return ""
        self._complained = event.sentence
        sentence = _("{reason}. Your steps are kept in memory only; w writes them to another place.")
        return sentence.format(reason=event.sentence)


def place_of(session: Session) -> SessionSlot:
    """Where a session is kept."""
    from bpe_tui.formats.session.store import SessionSlot

    return SessionSlot.of(session.origin, session.corpus.is_word_counts, session.first_options)


def mark(session: Session) -> object:
    """All that a session holds, in a form that is quickly compared."""
    trainer = session.trainer
    return (
        trainer.position,
        trainer.known,
        len(trainer.drops),
        trainer.phase,
        trainer.options.ties,
        session.walking,
        session.selected,
        session.text,
    )
