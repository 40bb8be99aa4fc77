"""The train screen's files: a corpus or a tokenizer is opened behind it, and what is there is written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bpe_tui.core.errors import BpeError, TokenizerFileError
from bpe_tui.core.i18n import _, mark
from bpe_tui.core.runtime import policy
from bpe_tui.ui.actions import Action, Group
from bpe_tui.ui.board.explanation import BULLETS, WARNING
from bpe_tui.ui.dialogs.dialog import Dialog, ask
from bpe_tui.ui.dialogs.save import FileWriter
from bpe_tui.ui.gc_settling import settle
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from bpe_tui.ui.tasks import Job, sentence_of, start_job
from bpe_tui.ui.text import safe
from bpe_tui.ui.train.train_steps import TrainSteps
from bpe_tui.ui.widgets.columns import bar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import Progress
    from bpe_tui.core.options import Options
    from bpe_tui.ui.actions import Action
    from bpe_tui.ui.session.tokenizer import EncodeSession, TokenizerSession

LOADING_BAR: Final = 40
"""Cells of the progress bar."""
WORK: Final = {
    "counting": mark("{corpus} is large: its words are being counted."),
    "indexing": mark("{corpus} is large: its pairs of neighbours are being counted."),
}
"""Phases of opening, as they are told."""
OTHER_WORK: Final = mark("{corpus} is large.")
PHASES: Final = {"counting": mark("counting"), "indexing": mark("indexing")}
"""The same in a word."""


STOP_OPENING: Final = Action("leave", ("escape",), "stop", "Stop opening", Group.PROGRAM, footer=98)
NOTHING_OPEN: Final = mark("Stopped: no corpus is open.")


def open_screen(told: str) -> Dialog[Request]:
    """Where a corpus is chosen: among files too, unless those are out of reach. It begins with what is `told`."""
    if policy().reaches_files:
        from bpe_tui.ui.dialogs.open import OpenScreen

        return OpenScreen(told)
    from bpe_tui.ui.dialogs.open_served import OpenServedScreen

    return OpenServedScreen(told)


class TrainFiles(TrainSteps):
    """The train screen, opening and writing files."""

    def __init__(self, session: Session | None = None, tokenizer: EncodeSession | None = None) -> None:
        super().__init__(session)
        self.tokenizer = tokenizer
        """The tokenizer that was opened last; while there is no corpus, it is all there is."""
        self._job: Job | None = None
        """The opening under way."""
        self._anew: tuple[Corpus, Options] | None = None
        """What to open from the start if the session on it cannot be taken up."""
        self._writer = FileWriter(self, self.tell, self.complain)

    def on_mount(self) -> None:
        """Say what is open, if it is a tokenizer only."""
        self._tokenizer_left(None)

    # -- opening ----------------------------------------------------------------------------------------------

    def load(self, corpus: Corpus, options: Options, request: Request | None = None) -> None:
        """Count and set up in a thread, and take up the session that the request may hold.

        What is on the screen stays in use meanwhile.
        """
        saved, origin = (request.saved, request.origin) if request is not None else (None, ())

        def work(job: Job) -> Session:
            stop, progress = job.should_stop, job.progress
            if saved is None:
                return Session.load(corpus, options, should_stop=stop, progress=progress)
            return Session.resume(saved, corpus, options, origin, should_stop=stop, progress=progress)

        self._anew = (corpus, options) if saved is not None else None
        self._start_loading(corpus.name, work)

    def _start_loading(self, name: str, work: Callable[[Job], EncodeSession]) -> None:
        self.loading_text = _("opening {corpus}").format(corpus=safe(name))
        self._job = start_job(
            self,
            work,
            group="open",
            done=self._loaded,
            failed=self._not_loaded,
            cancelled=self._stopped_loading,
            progress=partial(self._show_progress, safe(name)),
        )
        self.show_figures()

    def _show_progress(self, name: str, progress: Progress) -> None:
        """Say how far it is."""
        share = f" {min(1, progress.done / progress.total):.0%}" if progress.total else ""
        phase = _(PHASES.get(progress.phase, progress.phase)) + share
        self.loading_text = _("opening {corpus} · {phase} · esc stops").format(corpus=name, phase=phase)
        self.show_figures()
        if self.session is None:
            done = bar(progress.done, progress.total, LOADING_BAR).replace(" ", "░") if progress.total else ""
            told = _(WORK.get(progress.phase, OTHER_WORK)).format(corpus=name)
            self.why.say(told, f"{done}{share}  {_('esc stops it')}", ("·", BULLETS[1]))

    def _loaded(self, session: EncodeSession) -> None:
        """Look at what was opened."""
        self._job, self.loading_text = None, ""
        if isinstance(session, Session):
            self._show_loaded(session)
        else:
            self.show_figures()
            self.tokenizer = session
            self.show_tokenizer()

    def _not_loaded(self, error: Exception) -> None:
        """Say why, and stay with what there was."""
        self._job, self.loading_text = None, ""
        self.show_figures()
        sentence = sentence_of(error)
        if self._anew is not None and isinstance(error, TokenizerFileError):
            self._offer_anew(sentence, *self._anew)
        elif self.session is None:
            self._ask_what_to_open(sentence)
        else:
            self.complain(sentence)

    def _stopped_loading(self) -> None:
        """Stay with what there was."""
        self._job, self.loading_text = None, ""
        self.show_figures()
        if self.session is None:
            self._ask_what_to_open()

    def load_tokenizer(self, path: str) -> None:
        """Read a tokenizer in a thread, and go to the encode screen with it."""

        def work(job: Job) -> TokenizerSession:
            from bpe_tui.ui.session.tokenizer import read_tokenizer_session

            return read_tokenizer_session(path)

        self._anew = None
        self._start_loading(path, work)

    def show_tokenizer(self) -> None:
        """To the encode screen, with the tokenizer that is open."""
        from bpe_tui.ui.encode.screen import EncodeScreen

        if self.tokenizer is not None:
            ask(self, EncodeScreen(self.tokenizer), self._tokenizer_left)

    def _tokenizer_left(self, result: None) -> None:
        """Say why there is nothing on this screen, if only a tokenizer is open."""
        if self.session is None and self.tokenizer is not None:
            self.why.say(
                _("{name} is a tokenizer without a corpus: its merges are known, but no words to count.").format(
                    name=safe(self.tokenizer.name)
                ),
                _("E goes back to its encode screen, o opens a corpus."),
            )

    def _ask_what_to_open(self, told: str = "") -> None:
        """The first corpus was not opened, so there is nothing to look at; `told` says why."""
        bullet = WARNING if told else BULLETS[0]
        self.why.say(told or _(NOTHING_OPEN), _("o opens a corpus, q quits."), (bullet, BULLETS[1]))
        self._choose_corpus(told)

    def action_open(self) -> None:
        """Choose a corpus."""
        self._stop_moving()
        self._choose_corpus()

    def _choose_corpus(self, told: str = "") -> None:
        ask(self, open_screen(told), self._opened)

    def take_text(self, name: str, text: str) -> None:
        """A text came from the learner's browser: open it."""
        self._stop_moving()
        self._opened(Request(text=text, title=name))

    def _opened(self, request: Request | None) -> None:
        if request is None:
            return
        try:
            request = request.with_session()
            if request.is_tokenizer:
                self.load_tokenizer(request.names[0])
                return
            corpus, options = request.find()
        except BpeError as error:
            self.complain(str(error))
        else:
            self.load(corpus, options, request)

    def _show_loaded(self, session: Session) -> None:
        """Look at another session, at the pair that was looked at in it."""
        text, selected = session.text, session.selected
        self.show_session(session)
        if text:
            session.text = text
            self.encode_line.take_text()
        if selected is not None:
            self.pairs.point_to(selected)
        self.call_after_refresh(settle)

    def footer(self) -> Sequence[Action]:
        """While something is opened, how to stop that."""
        usual = super().footer()
        return [STOP_OPENING, *usual] if self._job is not None else usual

    def _offer_anew(self, sentence: str, corpus: Corpus, options: Options) -> None:
        """A session cannot be taken up: its corpus can still be opened from the start."""
        from bpe_tui.ui.dialogs.reopen import ReopenDialog

        def then(agreed: bool | None) -> None:
            if agreed:
                self.load(corpus, options)
            elif self.session is None:
                self._ask_what_to_open()

        ask(self, ReopenDialog(corpus.name, sentence), then)

    # -- writing ----------------------------------------------------------------------------------------------

    def action_write(self) -> None:
        """Choose what to write of the training, or of the tokenizer that is open without one, and where."""
        self._stop_moving()
        self._writer.ask(self.session or self.tokenizer)
