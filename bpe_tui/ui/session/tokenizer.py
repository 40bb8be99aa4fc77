"""What the encode screen looks at: merges and the moment among them, an encoder, a text.

A training is one such thing (`Session`); a tokenizer from a file, of which no corpus is known, is the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bpe_tui.core.corpus.pretokenize import TIKTOKEN_CL100K
from bpe_tui.core.display import visible
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.timeline import FixedTimeline
from bpe_tui.core.i18n import _, number
from bpe_tui.core.teaching.report import specials_of
from bpe_tui.formats.moment import at_moment
from bpe_tui.formats.registry import SESSION, read_session, read_tokenizer, recognise
from bpe_tui.formats.session.file import SavedSession
from bpe_tui.ui.session.token_display import TokenDisplay

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from bpe_tui.core.encoding.timeline import MergeTimeline
    from bpe_tui.core.options import Options
    from bpe_tui.core.readable import Notation
    from bpe_tui.formats.continuing import Continuation
    from bpe_tui.formats.model import TokenizerModel


class EncodeSession(Protocol):
    """Merges, the moment shown, and the text in the encode input."""

    text: str
    """The text in the encode input."""
    display: TokenDisplay
    """How its tokens are shown."""

    @property
    def notation(self) -> Notation:
        """Shows its tokens."""

    @property
    def name(self) -> str:
        """What was opened; not safe to show."""

    @property
    def titles(self) -> tuple[str, ...]:
        """What was opened and how, from the fullest form to the shortest; safe to show."""

    @property
    def timeline(self) -> MergeTimeline:
        """The merges, and the moment shown."""

    @property
    def encoder(self) -> Encoder:
        """Encodes with the merges of the moment shown."""

    @property
    def options(self) -> Options:
        """The current options."""

    @property
    def unknown(self) -> str:
        """How unknown symbols are treated unless the learner chooses otherwise."""

    @property
    def choices(self) -> Sequence[int]:
        """Numbers of the merges that the learner chose against the rule."""

    @property
    def settings(self) -> Sequence[str]:
        """Sentences about what was opened, for where there is no text yet."""

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences about what reading a file could not take over."""

    def taking_model(self, merges: int | None = None) -> Callable[[], TokenizerModel]:
        """For a thread: the tokenizer of this moment, or after so many merges that are known."""

    @property
    def can_be_resumed(self) -> bool:
        """Can a session that is written be taken up again?"""

    def saving(self) -> Callable[[], SavedSession]:
        """The saving of this moment as a session, for a thread."""

    @property
    def to_continue(self) -> Continuation | None:
        """The tokenizer as one that a corpus may be put under; None for a training, which has its corpus."""

    def comes_from(self, path: Path) -> bool:
        """Would writing to `path` destroy what was opened?"""


class TokenizerSession:
    """A tokenizer from a file: all its merges are known, and no corpus."""

    def __init__(self, name: str, model: TokenizerModel) -> None:
        self.name = name
        self.text = ""
        self.display = TokenDisplay()
        self.choices = ()
        self._model = model
        self.unknown = model.unknown
        self.options = model.options
        self.warnings = model.warnings
        self.timeline = FixedTimeline(model.vocabulary, model.options)
        self.encoder = Encoder(self.timeline, model.dialect)

    @property
    def notation(self) -> Notation:
        """See `EncodeSession`."""
        return self.display.notation(self.options)

    @property
    def titles(self) -> tuple[str, ...]:
        """`gpt2.json · gpt2 · all-bytes`, then shorter forms; safe to show."""
        name, words = visible(self.name), visible(_pre_tokenizer_name(self.options))
        return (f"{name} · {words} · {self.options.alphabet}", f"{name} · {words}", name)

    @cached_property
    def settings(self) -> tuple[str, ...]:
        """See `EncodeSession`."""
        vocabulary, options, dialect = self._model.vocabulary, self.options, self._model.dialect
        specials = list(vocabulary.specials) or [text for text, token in dialect.specials_in_order]
        specials += sorted(specials_of(self.encoder, vocabulary).difference(specials))  # the token for unknown symbols
        facts = [
            _("Tokens: {tokens}. Symbols: {symbols}. Merges: {merges}. Special tokens: {specials}.").format(
                tokens=number(len(vocabulary)),
                symbols=number(len(vocabulary.alphabet)),
                merges=number(len(vocabulary.merges)),
                specials=number(len(specials)),
            ),
            _("Words are cut by {pre_tokenizer}; the alphabet is {alphabet}.").format(
                pre_tokenizer=_pre_tokenizer_name(options), alphabet=options.alphabet
            ),
        ]
        if specials:
            listed = ", ".join(specials[:4]) + (", …" if len(specials) > 4 else "")
            facts.append(_("Special tokens: {tokens}.").format(tokens=listed))
        if options.end_of_word:
            facts.append(_("Words end in {ending}.").format(ending=options.end_of_word))
        if dialect.whole_words:
            facts.append(_("A word that is a token is that token, whatever the merges say."))
        return tuple(facts)

    @cached_property
    def to_continue(self) -> Continuation:
        """See `EncodeSession`."""
        from bpe_tui.formats.continuing import Continuation  # needed only where a corpus is opened as well

        return Continuation(self.name, self._model)

    def taking_model(self, merges: int | None = None) -> Callable[[], TokenizerModel]:
        """See `EncodeSession`."""
        return partial(at_moment, self._model, self.timeline.position if merges is None else merges)

    @property
    def can_be_resumed(self) -> bool:
        """See `EncodeSession`: there is no corpus to open again."""
        return True

    def saving(self) -> Callable[[], SavedSession]:
        """See `EncodeSession`."""
        saved = SavedSession(self._model, self.timeline.position, text=self.text)
        return lambda: saved

    def comes_from(self, path: Path) -> bool:
        """See `EncodeSession`: a tokenizer is read into memory at once, so its file may be overwritten."""
        return False


def read_tokenizer_session(
    path: str, given: Mapping[str, Any] | None = None, name: str | None = None
) -> TokenizerSession:
    """Open a tokenizer, or a session that has no corpus; arguments and errors as those of `read_tokenizer`."""
    session = TokenizerSession(Path(path).name or path, read_tokenizer(path, given, name))
    if name == SESSION.name or (name is None and recognise(path) is SESSION):
        saved = read_session(path)
        session.text = saved.text
        session.timeline.goto(saved.position)
    return session


def _pre_tokenizer_name(options: Options) -> str:
    """What splits a text into words, in a word or as a pattern."""
    if options.pattern == TIKTOKEN_CL100K:
        return "cl100k"
    if options.pattern is not None:
        return _("the pattern {pattern}").format(pattern=options.pattern)
    return _("its own components") if options.pre_tokenizer == "file" else options.pre_tokenizer
