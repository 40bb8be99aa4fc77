"""What the user asked to open: corpora, a text from standard input, a session, a tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpe_tui.core.corpus.sources import find_corpus, options_for, text_corpus
from bpe_tui.core.errors import CorpusError, OptionError
from bpe_tui.core.i18n import _
from bpe_tui.formats.unsupported import may_be_tokenizer

if TYPE_CHECKING:
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.options import Options
    from bpe_tui.formats.session.file import SavedCorpus, SavedSession


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked to open, and how."""

    names: tuple[str, ...] = ("hug",)
    preset: str | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    word_counts: bool = False
    text: str | None = None
    """The text itself, when it came through standard input or from a browser."""
    encoding: str | None = None
    """How the bytes of its files spell text, if not as UTF-8."""
    title: str = "stdin"
    """What that text is called."""
    saved: SavedSession | None = None
    """The session to take up, if a session file was named."""

    def with_session(self) -> Request:
        """The same request, with the session read if it names one that tells its corpus. Raises `BpeError`."""
        if self.text is not None or len(self.names) != 1 or not self.names[0].endswith(".json"):
            return self
        from bpe_tui.formats.registry import is_session, read_session

        saved = read_session(self.names[0]) if is_session(self.names[0]) else None
        return self if saved is None or saved.corpus is None else replace(self, saved=saved)

    @property
    def is_tokenizer(self) -> bool:
        """Is it one tokenizer, or a session of one, and not a corpus?"""
        if self.text is not None or self.saved is not None or self.word_counts or len(self.names) != 1:
            return False
        from bpe_tui.formats.registry import recognise

        return recognise(self.names[0]) is not None

    def find(self) -> tuple[Corpus, Options]:
        """The corpus and the options in force; reads nothing big. Raises `BpeError`."""
        if self.saved is not None and self.saved.corpus is not None:
            return self._find_saved(self.saved.corpus), self.saved.model.options
        if self.text is not None:
            corpus = text_corpus(self.text, self.title, word_counts=self.word_counts)
        else:
            for name in self.names if not self.word_counts else ():
                if may_be_tokenizer(name):
                    from bpe_tui.formats.registry import refuse_as_corpus

                    refuse_as_corpus(name)
            corpus = find_corpus(self.names, word_counts=self.word_counts, encoding=self.encoding)
        return corpus, options_for(corpus, self.preset, **self.overrides)

    def _find_saved(self, corpus: SavedCorpus) -> Corpus:
        from bpe_tui.formats.session.training import corpus_names

        if self.preset is not None or self.overrides or self.word_counts or self.encoding is not None:
            sentence = _("{name} is a session and brings its own options; leave yours out")
            raise OptionError(sentence.format(name=self.names[0]))
        try:
            names = corpus_names(corpus, self.names[0])
            return find_corpus(names, word_counts=corpus.word_counts, encoding=corpus.encoding)
        except CorpusError as error:
            sentence = _("{name} is a session whose corpus is not to be had: {reason}")
            raise CorpusError(sentence.format(name=self.names[0], reason=error)) from error

    @property
    def origin(self) -> tuple[str, ...]:
        """Under which names the session is kept; empty if those of the corpus will do."""
        return (str(Path(self.names[0]).absolute()),) if self.saved is not None else ()
