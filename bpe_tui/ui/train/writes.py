"""Writing from a screen: the tokenizer of the moment shown, a session, or a picture of the screen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.screen import Screen

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _
from bpe_tui.core.runtime import policy
from bpe_tui.ui.dialogs.dialog import ask
from bpe_tui.ui.jobs import Job, JobDone, JobFailed, start_job
from bpe_tui.ui.text import safe

if TYPE_CHECKING:
    from pathlib import Path

    from bpe_tui.ui.session.export import Kind
    from bpe_tui.ui.session.tokenizer import EncodeSession


class Writes(Screen[None]):
    """A screen with something to write."""

    _writing: tuple[Path, Job] | None = None
    """The writing under way."""

    @property
    def to_write(self) -> EncodeSession | None:
        """What is written; None if nothing is open."""
        raise NotImplementedError

    def tell(self, sentence: str) -> None:
        """Say what happened."""
        self.app.notify(safe(sentence), markup=False, timeout=6)

    def complain(self, sentence: str) -> None:
        """Say that something cannot be done."""
        self.app.notify(safe(sentence), severity="warning", markup=False, timeout=6)

    def action_write(self) -> None:
        """Choose what to write, and where."""
        from bpe_tui.ui.dialogs.save import WriteDialog

        if self.to_write is not None:
            ask(self, WriteDialog(self.to_write), partial(self._write, self.to_write))

    def _write(self, session: EncodeSession, chosen: tuple[Kind, Path] | None) -> None:
        from bpe_tui.ui.session.export import PICTURE, writer

        if chosen is None:
            return
        kind, path = chosen
        if not policy().reaches_files:
            self.call_after_refresh(self._download, session, kind, path.name)
            return
        if kind.name == PICTURE:
            self.call_after_refresh(self._write_picture, path)
            return
        try:
            work = writer(session, kind, path)
        except BpeError as error:
            self.complain(str(error))
        else:
            self._writing = path, start_job(self, path.name, lambda control: work(), group="write")

    def _download(self, session: EncodeSession, kind: Kind, name: str) -> None:
        """Hand the file to the learner's browser instead."""
        from bpe_tui.ui.session.export import download, in_memory

        try:
            data = in_memory(session, kind, name, self.app.export_screenshot)
        except BpeError as error:
            self.complain(str(error))
        else:
            self.tell(_("{name} goes to your browser.").format(name=download(self.app, name, data)))

    def _write_picture(self, path: Path) -> None:
        from bpe_tui.ui.session.export import write_picture

        try:
            write_picture(path, self.app.export_screenshot())
        except BpeError as error:
            self.complain(str(error))
        else:
            self._tell_written(path, ())

    def _tell_written(self, path: Path, notes: tuple[str, ...]) -> None:
        self.tell(" ".join((_("Wrote {path}.").format(path=path), *notes)))

    def on_job_done(self, event: JobDone) -> None:
        """It is written."""
        if self._writing is not None and event.job is self._writing[1] and isinstance(event.result, tuple):
            self._tell_written(self._writing[0], event.result)
            self._writing = None

    def on_job_failed(self, event: JobFailed) -> None:
        """Say why it could not be written."""
        if self._writing is not None and event.job is self._writing[1]:
            self._writing = None
            self.complain(event.sentence)
