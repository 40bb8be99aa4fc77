"""The one object that screens share: a trainer, where its words came from, and what the learner looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.display import visible
from bpe_tui.core.i18n import _
from bpe_tui.core.training.states import Phase
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.ui.session.token_display import TokenDisplay

if TYPE_CHECKING:
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import OnProgress, ShouldStop, WordCounts
    from bpe_tui.core.encoding.encoder import Encoder
    from bpe_tui.core.options import Options
    from bpe_tui.core.readable import Notation
    from bpe_tui.core.training.states import Step
    from bpe_tui.formats.continuing import Continuation
    from bpe_tui.formats.model import TokenizerModel
    from bpe_tui.formats.session.file import SavedCorpus, SavedSession

SMALL: Final = 256 * 1024
"""A corpus of at most this many bytes is opened before the first paint, without a progress bar."""


class Session:
    """A training that the learner steps through."""

    def __init__(
        self,
        corpus: Corpus,
        options: Options,
        trainer: Trainer,
        origin: tuple[str, ...] = (),
        continuation: Continuation | None = None,
    ) -> None:
        self.corpus = corpus
        self.continuation = continuation
        """The tokenizer that the training continues; None if it began with the corpus alone."""
        self.unknown = "token" if continuation is None else continuation.model.unknown
        """How unknown symbols are treated unless the learner says otherwise; a lesson may say so."""
        self.trainer = trainer
        self.first_options = options
        """The options that it was opened with."""
        self.origin = origin or corpus.names
        """Names under which it is saved; empty if it can't be, because the corpus is in no file."""
        self.is_saved = False
        """Has it been saved by itself?"""
        self.resumed_from: SavedSession | None = None
        """What it was resumed from."""
        self.selected: tuple[int, int] | None = None
        """The pair that the learner looks at instead of the leader."""
        self.token: int | None = None
        """The token of the vocabulary that the learner looks at."""
        self.by_phase = False
        """Phase by phase: what comes next is shown only once it is picked."""
        self.text = ""
        """The text in the encode input."""
        self.display = TokenDisplay()
        """How its tokens are shown: that of the screen, once one shows it."""

    @classmethod
    def load(
        cls,
        corpus: Corpus,
        options: Options,
        continuation: Continuation | None = None,
        *,
        should_stop: ShouldStop | None = None,
        progress: OnProgress | None = None,
    ) -> Session:
        """Count the words and set up the trainer, after the merges of a tokenizer. Raises `BpeError`."""
        if continuation is not None:
            words = continuation.count(corpus, options, should_stop=should_stop, progress=progress)
            trainer = continuation.trainer(words, options, should_stop=should_stop, progress=progress)
            return cls(corpus, options, trainer, continuation=continuation)
        words = count_words(corpus, options, should_stop=should_stop, progress=progress)
        return cls(corpus, options, Trainer(words, options, should_stop=should_stop, progress=progress))

    @classmethod
    def of(cls, corpus: Corpus, trainer: Trainer) -> Session:
        """A look at a trainer that a lesson has moved, at its current moment."""
        session = cls(corpus, trainer.options, trainer)
        session.by_phase = trainer.phase in (Phase.COUNTED, Phase.PICKED)
        return session

    @classmethod
    def resume(
        cls,
        saved: SavedSession,
        corpus: Corpus,
        options: Options,
        origin: tuple[str, ...] = (),
        *,
        words: WordCounts | None = None,
        should_stop: ShouldStop | None = None,
        progress: OnProgress | None = None,
    ) -> Session:
        """Take up a session, on `words` if they are counted already. Raises `BpeError`."""
        # Not at the top: what reads and writes files takes a tenth of the time until the first paint.
        from bpe_tui.formats.session.training import continuation_of, resume

        continuation = continuation_of(saved)
        if words is None:
            count = count_words if continuation is None else continuation.count
            words = count(corpus, saved.model.options, should_stop=should_stop, progress=progress)
        session = cls(corpus, options, resume(saved, words, should_stop, progress), origin, continuation)
        session.resumed_from, session.text, session.by_phase = saved, saved.text, saved.walking
        if saved.selected is not None and session.trainer.table.find(*saved.selected) is not None:
            session.selected = saved.selected
        return session

    # -- what the encode screen looks at: see `EncodeSession` ---------------------------------------------------

    settings: Final = ()
    """The train screen shows them."""
    to_continue: Final = None
    """See `EncodeSession`."""
    warnings: Final = ()
    """Nothing was read that could have been left out."""

    @property
    def name(self) -> str:
        """What was opened; not safe to show."""
        return self.corpus.name

    @property
    def timeline(self) -> Trainer:
        """The merges, and the moment shown."""
        return self.trainer

    @property
    def options(self) -> Options:
        """The current options, the tie rule of this moment included."""
        return self.trainer.options

    def taking_model(self, merges: int | None = None) -> Callable[[], TokenizerModel]:
        """See `EncodeSession`."""
        from bpe_tui.formats.model import TokenizerModel  # see `resume`

        vocabulary, options, continuation = self.trainer.taking_vocabulary(merges), self.options, self.continuation

        def model() -> TokenizerModel:
            if continuation is not None:
                return continuation.model_with(vocabulary(), options)
            return TokenizerModel(vocabulary(), options)

        return model

    def comes_from(self, path: Path) -> bool:
        """Is `path` the corpus, or a part of it?"""
        return self.corpus.comes_from(path)

    @property
    def titles(self) -> tuple[str, ...]:
        """`hug · toy · ties first-seen`, then shorter forms; safe to show."""
        options = self.options
        name = visible(self.corpus.name)
        if self.continuation is not None:
            name = _("{corpus} under {tokenizer}").format(corpus=name, tokenizer=visible(self.continuation.name))
        return (
            _("{corpus} · {preset} · ties {rule}").format(corpus=name, preset=options.preset, rule=options.ties),
            f"{name} · {options.ties}",
            name,
        )

    @cached_property
    def encoder(self) -> Encoder:
        """Encodes with the merges of the moment shown."""
        from bpe_tui.core.encoding.encoder import Encoder  # not before a text is typed: the app starts 4 % sooner

        if self.continuation is not None:
            return Encoder(self.trainer, self.continuation.model.dialect)
        return Encoder(self.trainer)

    def knows(self, pair: tuple[int, int]) -> bool:
        """Are these ids of tokens? A message may name a pair of a training that was left meanwhile."""
        return all(map(self.trainer.has_token, pair))

    @property
    def notation(self) -> Notation:
        """Shows its tokens."""
        return self.display.notation(self.options)

    def pair_text(self, pair: tuple[int, int]) -> str:
        """`u + g`, safe to show."""
        texts = self.trainer.texts
        return self.notation.pair(texts[pair[0]], texts[pair[1]])

    # -- being saved ---------------------------------------------------------------------------------------

    @property
    def can_be_resumed(self) -> bool:
        """Is there a name under which the corpus can be opened again?"""
        return bool(self.corpus.names)

    def saving(self) -> Callable[[], SavedSession]:
        """The saving of this moment, for a thread."""
        from bpe_tui.formats.session.training import saving  # see `resume`

        return saving(
            self.trainer,
            lambda: self.saved_corpus,
            text=self.text,
            walking=self.by_phase,
            selected=self.selected,
            continuation=self.continuation,
        )

    @cached_property
    def saved_corpus(self) -> SavedCorpus:
        """Which corpus it is; of a large one that takes a while, once."""
        from bpe_tui.formats.session.file import SavedCorpus  # see `resume`
        from bpe_tui.formats.session.training import digest

        corpus = self.corpus
        words = digest(self.trainer.counted_words)
        return SavedCorpus(corpus.names, corpus.is_word_counts, words, corpus.sources[0].encoding)

    # -- moves that change what is known ----------------------------------------------------------------------

    def choose(self, pair: tuple[int, int]) -> Step:
        """Merge this pair now, whatever the rule says. Raises `OptionError` if it doesn't occur."""
        step = self.trainer.choose(*pair)
        self.selected = None
        return step

    def set_ties(self, rule: str) -> None:
        """Another tie rule from this moment on."""
        self.trainer.set_ties(rule)

    # -- what the curve and the timeline show -----------------------------------------------------------------

    @property
    def choices(self) -> Sequence[int]:
        """Numbers of the merges that the learner chose against the rule."""
        return self.trainer.own_choices

    @cached_property
    def word_total(self) -> int:
        """Words of the corpus, each as often as it occurs."""
        return sum(self.trainer.words.counts)
