"""The train screen's files: a corpus is opened behind it, a tokenizer or a picture is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_tui.core.errors import BpeError
from bpe_tui.ui.content import safe
from bpe_tui.ui.jobs import Job, JobCancelled, JobControl, JobDone, JobFailed, JobProgress, start_job
from bpe_tui.ui.memory import settle
from bpe_tui.ui.screens.dialog import ask
from bpe_tui.ui.screens.train_steps import TrainSteps
from bpe_tui.ui.session import Request, Session
from bpe_tui.ui.widgets.columns import bar

if TYPE_CHECKING:
    from pathlib import Path

    from bpe_tui.core.corpus import Corpus
    from bpe_tui.core.presets import Options
    from bpe_tui.ui.writing import Kind

LOADING_BAR: Final = 40
"""Cells of the progress bar."""
WORK: Final = {
    "counting": "its words are being counted",
    "indexing": "its pairs of neighbours are being counted",
}
"""Phases of opening, as they are told."""


NOTHING_OPEN: Final = "Stopped: no corpus is open."


class TrainFiles(TrainSteps):
    """The train screen, opening and writing files."""

    def __init__(self, session: Session | None = None) -> None:
        super().__init__(session)
        self._job: Job | None = None
        """The opening under way."""
        self._writing: tuple[Path, Job] | None = None
        """The writing under way."""

    # -- opening ----------------------------------------------------------------------------------------------

    def load(self, corpus: Corpus, options: Options) -> None:
        """Count and set up in a thread; what is on the screen stays in use meanwhile."""
        self.loading_text = f"opening {safe(corpus.name)}"
        self.show_figures()

        def work(control: JobControl) -> Session:
            return Session.load(corpus, options, should_stop=control.should_stop, progress=control.progress)

        self._job = start_job(self, corpus.name, work)

    def on_job_progress(self, event: JobProgress) -> None:
        """Say how far it is."""
        if event.job is self._job and self._job is not None:
            share = f" {event.share:.0%}" if event.total else ""
            self.loading_text = f"opening {safe(self._job.name)} · {event.phase}{share} · esc stops"
            self.show_figures()
            if self.session is None:
                done = bar(event.done, event.total, LOADING_BAR).replace(" ", "░") if event.total else ""
                what = WORK.get(event.phase, event.phase)
                self.why.say(f"{safe(self._job.name)} is large: {what}.", f"{done}{share}  esc stops it")

    def on_job_done(self, event: JobDone) -> None:
        """Look at the new session."""
        if event.job is self._job and isinstance(event.result, Session):
            self._job, self.loading_text = None, ""
            self.show_session(event.result)
            self.call_after_refresh(settle)
        elif self._writing is not None and event.job is self._writing[1] and isinstance(event.result, tuple):
            self._tell_written(self._writing[0], event.result)
            self._writing = None

    def on_job_failed(self, event: JobFailed) -> None:
        """Say why, and stay with what there was."""
        if event.job is self._job:
            self._job, self.loading_text = None, ""
            self.show_figures()
            self.complain(event.sentence)
            if self.session is None:
                self.say_that_nothing_is_open()
                self.action_open()
        elif self._writing is not None and event.job is self._writing[1]:
            self._writing = None
            self.complain(event.sentence)

    def on_job_cancelled(self, event: JobCancelled) -> None:
        """Stay with what there was."""
        if event.job is self._job:
            self._job, self.loading_text = None, ""
            self.show_figures()
            if self.session is None:
                self.say_that_nothing_is_open()
                self.action_open()

    def say_that_nothing_is_open(self) -> None:
        """The first corpus was not opened, so there is nothing to look at."""
        self.why.say(NOTHING_OPEN, "o opens a corpus, q quits.")

    def action_open(self) -> None:
        """Choose a corpus."""
        from bpe_tui.ui.screens.open import OpenScreen

        self._stop_moving()
        ask(self, OpenScreen(), self._opened)

    def _opened(self, request: Request | None) -> None:
        if request is None:
            return
        try:
            corpus, options = request.find()
        except BpeError as error:
            self.complain(str(error))
        else:
            self.load(corpus, options)

    # -- writing ----------------------------------------------------------------------------------------------

    def action_write(self) -> None:
        """Choose what to write, and where."""
        from bpe_tui.ui.screens.write import WriteDialog

        if self.session is not None:
            self._stop_moving()
            ask(self, WriteDialog(self.session), self._write)

    def _write(self, chosen: tuple[Kind, Path] | None) -> None:
        from bpe_tui.ui.writing import PICTURE, writer

        if chosen is None or self.session is None:
            return
        kind, path = chosen
        if kind.name == PICTURE:
            self.call_after_refresh(self._write_picture, path)
            return
        try:
            work = writer(self.session, kind, path)
        except BpeError as error:
            self.complain(str(error))
        else:
            self._writing = path, start_job(self, path.name, lambda control: work(), group="write")

    def _write_picture(self, path: Path) -> None:
        from bpe_tui.ui.writing import write_picture

        try:
            write_picture(path, self.app.export_screenshot())
        except BpeError as error:
            self.complain(str(error))
        else:
            self._tell_written(path, ())

    def _tell_written(self, path: Path, notes: tuple[str, ...]) -> None:
        self.app.notify(safe(" ".join((f"Wrote {path}.", *notes))), markup=False)
