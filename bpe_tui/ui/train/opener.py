"""Opening behind the train screen: a corpus, a saved session or a tokenizer, read in a thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bpe_tui.core.corpus.types import Progress
from bpe_tui.core.display import displayable
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.actions import first_key
from bpe_tui.ui.board.explanation import BULLETS, WARNING, Sentences
from bpe_tui.ui.dialogs.dialog import ask
from bpe_tui.ui.dialogs.reopen import ReopenDialog
from bpe_tui.ui.session.training import Session
from bpe_tui.ui.tasks import Job, sentence_of, start_job
from bpe_tui.ui.widgets.columns import bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.options import Options
    from bpe_tui.formats.continuing import Continuation
    from bpe_tui.formats.session.file import SavedSession
    from bpe_tui.ui.board.screen import BoardScreen
    from bpe_tui.ui.session.request import Request
    from bpe_tui.ui.session.tokenizer import EncodeSession

LOADING_BAR: Final = 40
"""Cells of the progress bar."""
WORK: Final = {
    "reading": mark("{corpus} is being read."),
    "counting": mark("{corpus} is large: its words are being counted."),
    "indexing": mark("{corpus} is large: its pairs of neighbours are being counted."),
    "merging": mark("The first merges are being made on {corpus}."),
}
"""What is done in each phase of opening, in a sentence."""
OTHER_WORK: Final = mark("{corpus} is large.")
PHASES: Final = {
    "reading": mark("reading"),
    "counting": mark("counting"),
    "indexing": mark("indexing"),
    "merging": mark("merging"),
}
"""The same in a word."""
NOTHING_OPEN: Final = mark("Stopped: no corpus is open.")


class Opener:
    """Opens what a screen is asked to; what is on the screen stays in use meanwhile."""

    def __init__(self, screen: BoardScreen, opened: Callable[[EncodeSession], object]) -> None:
        """`opened` gets the session: a training, or a tokenizer without a corpus."""
        self._screen = screen
        self._board = screen.board
        self._opened = opened
        self._job: Job | None = None
        self.under: Continuation | None = None
        """The tokenizer that a corpus may be put under."""
        self._fallback: tuple[Corpus, Options] | None = None
        """What to open from the start if the session on it cannot be resumed."""

    @property
    def is_opening(self) -> bool:
        """Is something being opened?"""
        return self._job is not None

    def cancel(self) -> bool:
        """Stop opening; False if nothing is being opened."""
        if self._job is None:
            return False
        self._job.cancel()
        return True

    # -- what is opened ---------------------------------------------------------------------------------------

    def choose_pasted(self, path: str) -> None:
        """Offer to open the path that was pasted."""
        self._screen.ask_corpus(self.open, _("A path was pasted. Enter opens it."), path, under=self.under)

    def choose(self, reason: str = "", *, is_under: bool = False) -> None:
        """Ask what to open; `reason` is why, in a sentence. `is_under`: under the tokenizer, unless one says no."""
        self._screen.ask_corpus(self.open, reason, under=self.under, is_under=is_under)

    def open(self, request: Request | None) -> None:
        """Open what was asked for, if anything was."""
        if request is None:
            return

        def work(job: Job) -> EncodeSession:
            job.progress(Progress("reading", 0, 0))
            found = request.with_session()
            if found.is_tokenizer:
                return found.read_tokenizer()
            corpus, options = found.find()
            self._fallback = (corpus, options) if found.saved is not None else None
            return _session_on(corpus, options, found, job)

        self._start(request.name, work)

    def load(self, corpus: Corpus, options: Options, request: Request | None = None) -> None:
        """Count and set up, and resume the session that the request may hold."""
        fallback = (corpus, options) if request is not None and request.saved is not None else None
        self._start(corpus.name, lambda job: _session_on(corpus, options, request, job), fallback)

    def resume(self, session: Session, saved: SavedSession) -> None:
        """Go from a session to one that was saved earlier, on the same corpus."""
        corpus, options, origin, words = (
            session.corpus,
            session.first_options,
            session.origin,
            session.trainer.counted_words,
        )

        def work(job: Job) -> Session:
            stop, progress = job.should_stop, job.progress
            resumed = Session.resume(saved, corpus, options, origin, words=words, should_stop=stop, progress=progress)
            resumed.is_saved = True
            return resumed

        self._start(corpus.name, work)

    # -- while it is opened -----------------------------------------------------------------------------------

    def _start(
        self, name: str, work: Callable[[Job], EncodeSession], fallback: tuple[Corpus, Options] | None = None
    ) -> None:
        self._fallback = fallback
        self._job = start_job(
            self._screen,
            work,
            group="open",
            done=self._end,
            failed=self._fail,
            cancelled=self._stop,
            progress=partial(self._show_progress, displayable(name)),
        )
        self._show_loading(_("opening {corpus}").format(corpus=displayable(name)))

    def _show_loading(self, text: str) -> None:
        self._board.loading_text = text
        self._board.refresh_frame()

    def _show_progress(self, name: str, progress: Progress) -> None:
        """Say how far it is."""
        share = f" {min(1, progress.done / progress.total):.0%}" if progress.total else ""
        phase = _(PHASES.get(progress.phase, progress.phase)) + share
        self._show_loading(_("opening {corpus} · {phase} · esc stops").format(corpus=name, phase=phase))
        if self._board.session is None:
            done = bar(progress.done, progress.total, LOADING_BAR).replace(" ", "░") if progress.total else ""
            sentence = _(WORK.get(progress.phase, OTHER_WORK)).format(corpus=name)
            following = f"{done}{share}  {_('esc stops it')}"
            self._board.explanation.show(Sentences(sentence, following, ("·", BULLETS[1])))

    def _end(self, session: EncodeSession) -> None:
        self._job = None
        self._show_loading("")
        self._opened(session)

    def _fail(self, error: Exception) -> None:
        """Say why, and stay with what there was."""
        self._job = None
        self._show_loading("")
        sentence = sentence_of(error)
        if self._fallback is not None and isinstance(error, TokenizerFileError):
            self._offer_fallback(sentence, *self._fallback)
        elif self._board.session is None:
            self._ask_again(sentence)
        else:
            self._board.warn(sentence)

    def _stop(self) -> None:
        """Stay with what there was."""
        self._job = None
        self._show_loading("")
        if self._board.session is None:
            self._ask_again()

    def _ask_again(self, reason: str = "") -> None:
        """The first corpus was not opened, so there is nothing to look at; `reason` is why."""
        bullets = (WARNING if reason else BULLETS[0], BULLETS[1])
        keys = _("{open} opens a corpus, {quit} quits.").format(open=first_key("open"), quit=first_key("quit"))
        self._board.explanation.show(Sentences(reason or _(NOTHING_OPEN), keys, bullets))
        self.choose(reason)

    def _offer_fallback(self, sentence: str, corpus: Corpus, options: Options) -> None:
        """A session cannot be resumed: its corpus can still be opened from the start."""

        def then(agreed: bool | None) -> None:
            if agreed:
                self.load(corpus, options)
            elif self._board.session is None:
                self._ask_again()

        ask(self._screen, ReopenDialog(corpus.name, sentence), then)


def _session_on(corpus: Corpus, options: Options, request: Request | None, job: Job) -> Session:
    """A corpus counted and set up, with the session resumed that the request may hold. Raises `BpeError`."""
    stop, progress = job.should_stop, job.progress
    if request is None or request.saved is None:
        under = request.under if request is not None else None
        return Session.load(corpus, options, under, should_stop=stop, progress=progress)
    return Session.resume(request.saved, corpus, options, request.origin, should_stop=stop, progress=progress)
