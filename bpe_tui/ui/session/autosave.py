"""The session of a screen saved by itself: soon after it changed, and never so often that keys would wait.

A moment is taken between two keys, which costs as little as a repaint; it becomes JSON and is written in a thread.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, number
from bpe_tui.formats.session.store import SessionSlot, SessionWriter
from bpe_tui.ui.actions import first_key
from bpe_tui.ui.tasks import Job, sentence_of, start_job

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import Screen

    from bpe_tui.formats.session.file import SavedSession
    from bpe_tui.formats.session.store import Version
    from bpe_tui.ui.session.training import Session

POLL: Final = 0.3
"""Seconds between two looks at the session."""
REST: Final = 20
"""A save is followed by a rest of this many times its own duration."""
AFTER_FAILURE: Final = 30.0
"""Seconds until the next attempt after one that failed."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A session that was saved earlier, and can be resumed."""

    saved: SavedSession
    is_changed: bool
    """The corpus is another one now."""


class AutoSaver:
    """Saves the session of one screen, and looks for one that was saved earlier."""

    def __init__(self, screen: Screen[Any], found: Callable[[Offer], object], failed: Callable[[str], object]) -> None:
        """`found` gets an earlier session of the same corpus; `failed`, once for each reason, why a save failed."""
        self.offer: Offer | None = None
        """The earlier session that the learner may resume."""
        self._screen = screen
        self._found = found
        self._failed = failed
        self._session: Session | None = None
        self._saved: object = None
        """Fingerprint of what was saved last."""
        self._next = 0.0
        self._job: Job | None = None
        self._writer: SessionWriter | None = None
        """Writes the session; None before the first time."""
        self._continued: Version | None = None
        """The stored version that the session continues, and so may replace."""
        self._has_searched = False
        self._has_loaded = False
        """Is all imported that saving needs?"""
        self._complained = ""
        screen.set_interval(POLL, self.poll)

    def watch(self, session: Session) -> None:
        """Save this session from now on; unless it was saved before, look for an earlier one of the same corpus."""
        self._session, self.offer = session, None
        self._saved = fingerprint(session)
        self._has_searched = False
        self._close()
        if session.origin:
            self._screen.call_after_refresh(self._start_search, session)

    def _start_search(self, session: Session) -> None:
        def search(job: Job) -> Offer | None:
            slot = slot_of(session)
            version = slot.version()
            if session.is_saved:
                self._continued = version
                return None
            try:
                saved = slot.load()
            except TokenizerFileError as error:
                sentence = _("{reason}. This session is kept, and a new one is saved beside it.")
                raise TokenizerFileError(sentence.format(reason=error)) from error
            if saved is None or saved.corpus is None or not (saved.model.vocabulary.merges or saved.text):
                self._continued = version  # there is nothing in it
                return None
            is_changed = saved.corpus.digest != session.saved_corpus.digest
            if is_changed or saved != session.resumed_from:
                return Offer(saved, is_changed)
            self._continued = version
            return None

        if session is self._session:
            end = partial(self._end_search, session)
            start_job(self._screen, search, group="search", done=end, failed=end)

    def _end_search(self, session: Session, found: Offer | Exception | None) -> None:
        if session is not self._session:
            return
        self._has_searched = True
        if isinstance(found, Exception):
            self._failed(sentence_of(found))
        if isinstance(found, Offer):
            self.offer = found
            self._found(found)

    def poll(self) -> None:
        """Save the session if it changed and the last save is long enough ago."""
        session = self._session
        if session is None or not self._has_searched or self._job is not None or time.monotonic() < self._next:
            return
        if not self._has_loaded:
            self._load()
            return
        now = fingerprint(session)
        if now == self._saved:
            return
        self._saved = now
        save = self._save(session)

        def work(job: Job) -> tuple[float, str]:
            began = time.monotonic()
            message = save()
            return time.monotonic() - began, message

        self._job = start_job(self._screen, work, group="save", done=self._end_save, failed=self._fail)

    def _load(self) -> None:
        """Import what saving needs, once the screen is up, so that no key waits a twentieth of a second for it."""

        def load(job: Job) -> None:
            import bpe_tui.formats.session.training  # noqa: F401

        def end(result: object) -> None:
            self._has_loaded = True

        start_job(self._screen, load, group="load", done=end, failed=end)

    def _save(self, session: Session) -> Callable[[], str]:
        """The saving of this moment, for a thread; it returns what the learner should know of it."""
        from bpe_tui.formats.session.file import write  # not at the top: the program starts a tenth of a second sooner

        saving = session.saving()
        session.is_saved = True
        had_offer = self.offer is not None or not self._has_searched

        def save() -> str:
            message = ""
            if self._writer is None:
                self._writer = writer = SessionWriter(slot_of(session), self._continued)
                if writer.is_beside:
                    message = _("This corpus is open in another bpe-tui too: this session is saved in {path}.").format(
                        path=writer.slot.path
                    )
                elif writer.renamed is not None and not had_offer:
                    message = _("What was saved of this corpus before is kept in {path}.").format(path=writer.renamed)
            self._writer.save(write(saving()))
            return message

        return save

    def _close(self) -> None:
        """Let others save sessions of the corpus."""
        if self._writer is not None:
            self._writer.close()
        self._writer, self._continued = None, None

    def _end_save(self, outcome: tuple[float, str]) -> None:
        seconds, message = outcome
        if message:
            self._failed(message)
        self._job = None
        self._next = time.monotonic() + REST * seconds
        self._complained = ""

    def _fail(self, error: Exception) -> None:
        self._job, self._saved = None, None
        self._next = time.monotonic() + AFTER_FAILURE
        reason = sentence_of(error)
        if reason != self._complained:
            self._complained = reason
            sentence = _("{reason}. Your progress is only in memory; press {write} to save it.")
            self._failed(sentence.format(reason=reason, write=first_key("write")))

    @property
    def farewell(self) -> str:
        """Says that the session is saved and how to come back to it; empty if it is not, or has no merge yet."""
        session = self._session
        if session is None or not session.is_saved or self._saved != fingerprint(session) or not session.trainer.known:
            return ""
        sentence = _(
            "Your session is saved at merge {position}. Open {name} the same way and press {resume} to resume."
        )
        position = number(session.trainer.position)
        return sentence.format(position=position, name=session.corpus.name, resume=first_key("resume"))

    def save_now(self) -> None:
        """Save what is not saved yet, before the program ends. Raises TokenizerFileError, unless that was said."""
        session = self._session
        if self._job is not None:  # the end of the program may have stopped it before it began
            self._job.ended.wait(10)
            self._saved = None
        if session is None or not session.origin or fingerprint(session) == self._saved:
            return
        self._saved = fingerprint(session)
        try:
            self._save(session)()
        except TokenizerFileError:
            self._saved = None
            if not self._complained:
                raise

    def close(self) -> None:
        """Let others save sessions of the corpus, as long as there is nothing to be saved here."""
        continued = self._writer.slot.version() if self._writer is not None else self._continued
        self._close()
        self._continued = continued


def slot_of(session: Session) -> SessionSlot:
    """Where a session is saved."""
    names = session.origin
    if session.continuation is not None:
        names = (*names, session.continuation.fingerprint)
    return SessionSlot.of(names, session.corpus.is_word_counts, session.first_options)


def fingerprint(session: Session) -> object:
    """All that a session holds, in a form that is quickly compared."""
    trainer = session.trainer
    return (
        trainer.position,
        trainer.known,
        len(trainer.drops),
        trainer.phase,
        trainer.options.ties,
        session.by_phase,
        session.selected,
        session.text,
    )
