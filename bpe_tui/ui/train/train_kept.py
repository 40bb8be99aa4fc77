"""The train screen's sessions: each is kept by itself, and one that was kept earlier can be gone on with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from bpe_tui.core.i18n import _, number
from bpe_tui.ui.session.autosave import AutoSaver
from bpe_tui.ui.session.training import Session
from bpe_tui.ui.train.train_files import TrainFiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.formats.session.file import SavedSession
    from bpe_tui.ui.actions import Action
    from bpe_tui.ui.session.autosave import Offer
    from bpe_tui.ui.session.tokenizer import EncodeSession
    from bpe_tui.ui.tasks import Job

OFFERED: Final = 49
"""Importance in the footer of the key that goes on with an earlier session; a sentence tells of it as well."""


class TrainKept(TrainFiles):
    """The train screen, keeping its session and offering an earlier one of the same corpus."""

    KEEPS: ClassVar[bool] = True
    """May the session be kept by itself?"""

    def __init__(self, session: Session | None = None, tokenizer: EncodeSession | None = None) -> None:
        super().__init__(session, tokenizer)
        self.keeper: AutoSaver | None = None
        """Keeps the session by itself; None where nothing may be kept."""

    def on_mount(self) -> None:
        """From now on the session is kept, if it may be."""
        if self.KEEPS and getattr(self.app, "keeps", False):
            self.keeper = AutoSaver(self, self._tell_of_offer, self.complain)
            if self.session is not None:
                self.keeper.watch(self.session)

    def _show_loaded(self, session: Session) -> None:
        super()._show_loaded(session)
        if self.keeper is not None:
            self.keeper.watch(session)

    # -- an earlier session -----------------------------------------------------------------------------------

    @property
    def offered(self) -> SavedSession | None:
        """The earlier session that can be gone on with."""
        offer = self.keeper.offer if self.keeper is not None else None
        return offer.saved if offer is not None else None

    @property
    def _tells_of_offer(self) -> bool:
        """Is the first sentence about the earlier session? It is until something else happens."""
        session = self.session
        return self.offered is not None and session is not None and not session.trainer.known

    def _tell_of_offer(self, offer: Offer) -> None:
        """There is an earlier session of this corpus: say so, unless the corpus has changed since."""
        if offer.is_changed and self.keeper is not None:
            self.keeper.offer = None
            sentence = _(
                "You were at merge {position} of {known} here, but the corpus has changed: this is a new start."
            )
            self.complain(_stood(sentence, offer.saved))
        else:
            self.show_figures()

    def sentences(self, session: Session) -> tuple[str, str]:
        """Before the first merge: that there is an earlier session, and the key that goes on with it."""
        done, following = super().sentences(session)
        if self._tells_of_offer and self.offered is not None:
            done = _stood(_("R goes on at merge {position} of {known}, where you were."), self.offered)
        return done, following

    def bullets(self) -> tuple[str, str]:
        """An earlier session is nothing that happened now."""
        done, following = super().bullets()
        return "·" if self._tells_of_offer else done, following

    def footer(self) -> Sequence[Action]:
        """An earlier session can be gone on with."""
        usual = super().footer()
        if self.offered is None:
            return usual
        return [replace(action, footer=OFFERED) if action.id == "resume" else action for action in usual]

    def action_resume(self) -> None:
        """Go on with the session that was kept."""
        session, saved = self.session, self.offered
        if session is None or saved is None:
            self.complain(_("There is no earlier session of this corpus to go on with."))
            return
        self._stop_moving()
        corpus, options, origin, words = session.corpus, session.first_options, session.origin, session.trainer.words

        def work(job: Job) -> Session:
            stop, progress = job.should_stop, job.progress
            resumed = Session.resume(saved, corpus, options, origin, words=words, should_stop=stop, progress=progress)
            resumed.is_saved = True
            return resumed

        self._anew = None
        self._start_loading(corpus.name, work)


def _stood(sentence: str, saved: SavedSession) -> str:
    """A sentence that tells where the earlier session stood."""
    return sentence.format(position=number(saved.position), known=number(len(saved.model.vocabulary.merges)))
