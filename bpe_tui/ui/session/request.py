"""What the user asked to open: corpora, a text from standard input, a session, a tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.corpus.sources import STDIN, find_corpus, options_for, pipe_corpus, text_corpus
from bpe_tui.core.errors import CorpusError, OptionError, TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.formats import vocabularies
from bpe_tui.formats.unsupported import may_be_tokenizer
from bpe_tui.ui.session.training import SMALL

if TYPE_CHECKING:
    from bpe_tui.core.corpus.pipes import OpenPipe
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.options import Options
    from bpe_tui.formats.continuing import Continuation
    from bpe_tui.formats.session.file import SavedCorpus, SavedSession
    from bpe_tui.ui.session.tokenizer import TokenizerSession


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked to open, and how."""

    names: tuple[str, ...] = ("hug",)
    preset: str | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    word_counts: bool = False
    text: str | None = None
    """The text itself, when it came through standard input or from a browser."""
    pipe: OpenPipe | None = None
    """Standard input, when it is long or slow."""
    encoding: str | None = None
    """The encoding of its files, if not UTF-8."""
    reading: Mapping[str, Any] = field(default_factory=dict)
    """Options for a tokenizer whose file does not hold them."""
    format_name: str | None = None
    """The format of a tokenizer, if its file is not to decide that."""
    title: str = "stdin"
    """What that text is called."""
    saved: SavedSession | None = None
    """The session to resume, if a session file was named."""
    continued: str | None = None
    """The file of the tokenizer to put the corpus under."""
    under: Continuation | None = None
    """That tokenizer, once it is read."""

    @property
    def name(self) -> str:
        """What is opened, in a word or two; not safe to show."""
        if self.text is not None or self.pipe is not None:
            return self.title
        return Path(self.names[0]).name if len(self.names) == 1 else self.names[0] + ", …"

    @property
    def is_large(self) -> bool:
        """Does it take longer to read than the blink of an eye? Then the app is up first."""
        files = self.names if self.text is None else ()
        return self.pipe is not None or any(map(_is_large, (*files, *([self.continued] if self.continued else []))))

    def with_session(self) -> Request:
        """The same request, with what it needs besides the corpus: the tokenizer that is continued, or the session
        that it names, if that has a corpus. Raises `BpeError`."""
        if self.continued is not None and self.under is None:
            from bpe_tui.formats.continuing import read_continuation  # see `_is_tokenizer`

            return replace(self, under=read_continuation(self.continued, self.overrides, self.preset))
        if self.under is not None:
            return self
        if self.text is not None or len(self.names) != 1 or not self.names[0].endswith(".json"):
            return self
        from bpe_tui.formats.registry import is_session, read_session  # see `_is_tokenizer`

        saved = read_session(self.names[0]) if is_session(self.names[0]) else None
        return self if saved is None or saved.corpus is None else replace(self, saved=saved)

    @property
    def is_tokenizer(self) -> bool:
        """Is it a tokenizer, or a session of one, and not a corpus? Raises `TokenizerFileError` for one of several."""
        if self.text is not None or self.saved is not None or self.word_counts:
            return False
        if self.continued is not None or self.under is not None:
            return False
        found = [name for name in self.names if self.format_name is not None or _is_tokenizer(name)]
        if found and len(self.names) > 1:
            raise TokenizerFileError(_("{name} is a tokenizer, and opens alone").format(name=found[0]))
        return bool(found)

    def read_tokenizer(self) -> TokenizerSession:
        """The tokenizer that it is. Raises `TokenizerFileError`."""
        from bpe_tui.ui.session.tokenizer import read_tokenizer_session  # see `_is_tokenizer`

        return read_tokenizer_session(self.names[0], self.reading, self.format_name)

    def find(self) -> tuple[Corpus, Options]:
        """The corpus and the current options; reads nothing big. Raises `BpeError`."""
        if self.saved is not None and self.saved.corpus is not None:
            return self._find_saved(self.saved.corpus), self.saved.model.options
        if self.text is not None:
            corpus = text_corpus(self.text, self.title, word_counts=self.word_counts)
        elif self.pipe is not None:
            corpus = pipe_corpus(self.pipe, self.title, word_counts=self.word_counts, encoding=self.encoding)
        else:
            for name in self.names if not self.word_counts else ():
                if may_be_tokenizer(name):
                    from bpe_tui.formats.registry import refuse_as_corpus  # see `_is_tokenizer`

                    refuse_as_corpus(name)
            corpus = find_corpus(self.names, word_counts=self.word_counts, encoding=self.encoding)
        if self.under is not None:
            return corpus, self.under.options(self.overrides, self.preset)
        options = options_for(corpus, self.preset, **self.overrides)
        make_pre_tokenizer(options)  # refuses a pattern that does not compile
        return corpus, options

    def _find_saved(self, corpus: SavedCorpus) -> Corpus:
        from bpe_tui.formats.session.training import corpus_names

        if self.preset is not None or self.overrides or self.word_counts or self.encoding is not None:
            sentence = _("{name} is a session and brings its own options; leave yours out")
            raise OptionError(sentence.format(name=self.names[0]))
        try:
            names = corpus_names(corpus, self.names[0])
            if STDIN in names:
                raise CorpusError(_("it came through stdin and is in no file"))
            return find_corpus(names, word_counts=corpus.word_counts, encoding=corpus.encoding)
        except CorpusError as error:
            sentence = _("{name} is a session whose corpus cannot be opened: {reason}")
            raise CorpusError(sentence.format(name=self.names[0], reason=error)) from error

    @property
    def origin(self) -> tuple[str, ...]:
        """The names under which the session is saved; empty if those of the corpus will do."""
        return (str(Path(self.names[0]).absolute()),) if self.saved is not None else ()


def _is_tokenizer(name: str) -> bool:
    if not may_be_tokenizer(name):
        return False
    from bpe_tui.formats.registry import recognise  # a tenth of the time until the first paint, and for few names

    return recognise(name) is not None


def _is_large(name: str) -> bool:
    vocabulary = vocabularies.called(name)
    if vocabulary is not None:
        return vocabulary.path is not None
    place = Path(name)
    try:
        files = place.iterdir() if place.is_dir() else [place]
        return any(file.stat().st_size > SMALL for file in files if file.is_file())
    except (OSError, ValueError):  # whatever is wrong with it is found out when it is opened
        return False
