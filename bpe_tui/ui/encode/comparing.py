"""The other tokenizer of the encode screen: how it is read or trained, and the comparison with the screen's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bpe_tui.core.corpus.sources import options_for
from bpe_tui.core.display import visible
from bpe_tui.core.i18n import _, number
from bpe_tui.core.readable import Notation
from bpe_tui.core.teaching.side_by_side import ComparedTokenizer, SideBySide
from bpe_tui.ui.encode.side_by_side import MOST_COMPARED
from bpe_tui.ui.session.tokenizer import read_tokenizer_session
from bpe_tui.ui.session.training import Session
from bpe_tui.ui.tasks import Job, start_job

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.widget import Widget

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.readable import TokenStyle
    from bpe_tui.ui.dialogs.compare import ComparisonChoice
    from bpe_tui.ui.encode.reading import ReadText
    from bpe_tui.ui.session.tokenizer import EncodeSession


class Comparer:
    """Holds the other tokenizer, once there is one."""

    def __init__(
        self, owner: Widget, session: EncodeSession, *, ready: Callable[[], None], failed: Callable[[Exception], None]
    ) -> None:
        """`ready`: there is another tokenizer, or none any more; `failed` gets why it cannot be had."""
        self._owner = owner
        self._session = session
        self._ready = ready
        self._failed = failed
        self._job: Job | None = None
        self.other: ComparedTokenizer | None = None
        """What is compared with."""
        self.base_size = 0
        """Ids below it are symbols of the other."""

    @property
    def corpus(self) -> Corpus | None:
        """What the screen's own was trained on, if that is known and can be read again."""
        session = self._session
        return session.corpus if isinstance(session, Session) and session.can_be_resumed else None

    def choose(self, choice: ComparisonChoice) -> None:
        """Get what was chosen, in a thread."""
        self.drop()
        session, position = self._session, self._session.timeline.position
        name = visible(session.name)
        if choice.moment is not None:
            merges = min(choice.moment, session.timeline.known)
            take, policy = session.taking_model(merges), session.unknown
            title = _("{name}, merge {number}").format(name=name, number=number(merges))
            options = session.options

            def moment(job: Job) -> tuple[ComparedTokenizer, int]:
                encoder = take().encoder()
                return ComparedTokenizer(title, encoder, Notation.of(options), policy), encoder.timeline.base_size

            work: Callable[[Job], tuple[ComparedTokenizer, int]] = moment
        elif choice.preset:
            corpus = self.corpus
            assert corpus is not None

            def training(job: Job) -> tuple[ComparedTokenizer, int]:
                options = options_for(corpus, choice.preset, merges=position)
                trained = Session.load(corpus, options, should_stop=job.should_stop)
                trained.trainer.goto(position, job.should_stop)
                notation = Notation.of(trained.options)
                return ComparedTokenizer(choice.preset, trained.encoder, notation), trained.trainer.base_size

            work = training
        else:
            path = str(choice.path)

            def file(job: Job) -> tuple[ComparedTokenizer, int]:
                read = read_tokenizer_session(path)
                title, notation = visible(Path(path).name), Notation.of(read.options)
                return ComparedTokenizer(title, read.encoder, notation, read.unknown), read.timeline.base_size

            work = file
        self._job = start_job(self._owner, work, group="compare", done=self._use, failed=self._fail)

    @property
    def is_running(self) -> bool:
        """Is another tokenizer being read or trained?"""
        return self._job is not None

    def drop(self) -> None:
        """Give up what is under way."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def end(self) -> bool:
        """No other tokenizer any more; False if there was none."""
        was_there = self.other is not None or self._job is not None
        self.drop()
        self.other = None
        if was_there:
            self._ready()
        return was_there

    def compare(self, read: ReadText, style: TokenStyle, *, allow_special: bool) -> tuple[SideBySide, bool]:
        """A text in the tokens of both, without dropout; and whether that is only its beginning."""
        assert self.other is not None
        session = self._session
        own = ComparedTokenizer(visible(session.name), read.encoder, session.notation, read.tokenized.policy)
        there = self.other
        notation = Notation(there.notation.byte_level, style, there.notation.specials)
        other = ComparedTokenizer(there.name, there.encoder, notation, there.unknown)
        text = read.text[:MOST_COMPARED]
        is_cut = len(read.text) > MOST_COMPARED
        first = own.tokenize(text, allow_special=allow_special) if is_cut or read.dropout else read.tokenized
        return SideBySide(text, (own, other), (first, other.tokenize(text, allow_special=allow_special))), is_cut

    def _use(self, found: tuple[ComparedTokenizer, int]) -> None:
        self._job = None
        self.other, self.base_size = found
        self._ready()

    def _fail(self, error: Exception) -> None:
        self._job = None
        self._failed(error)
