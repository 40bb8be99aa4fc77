"""Reading the text of the encode screen with the merges of the moment shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from bpe_tui.core.encoding.replay import Dropout, Replay, replay
from bpe_tui.core.encoding.tokenized_text import TokenizedText, TokenizedWord, tokenize
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.teaching.canonical_equivalents import look_alike_note
from bpe_tui.core.teaching.token_facts import dropped_sentence
from bpe_tui.ui.tasks import Slices

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Hashable, Sequence

    from textual.widget import Widget

    from bpe_tui.core.encoding.encoder import Encoder
    from bpe_tui.core.encoding.tokenized_text import Figures
    from bpe_tui.core.errors import BpeError
    from bpe_tui.ui.session.tokenizer import EncodeSession

LONG_TEXT: Final = 20_000
"""Characters beyond which a text's tokens are certain to come later than the text."""
SHORT_TEXT: Final = 2_000
"""Characters of a text up to which it is read at once with dropout, too, which traces every word by itself."""
MOST_KNOWN: Final = 50_000
"""Words that are remembered from one key to the next."""


@dataclass(frozen=True)
class ReadText:
    """A text that was read, and what follows from its tokens; each of that is found once."""

    tokenized: TokenizedText
    """The text and its tokens."""
    encoder: Encoder
    """What it was read with."""
    dropout: Dropout | None = None
    """The merges that were left out, if any were to be."""
    steps: Replay | None = None
    """How every word of the text merged under dropout, its number being that of the word; None without dropout."""

    @property
    def text(self) -> str:
        """The text."""
        return self.tokenized.text

    @property
    def error(self) -> str:
        """Why the policy refuses the text; empty if it does not."""
        return self.tokenized.error

    @cached_property
    def loss(self) -> str:
        """On characters that are in no token; empty if there are none."""
        dropped = self.tokenized.dropped
        return f"{dropped_sentence(dropped)}." if dropped else ""

    @cached_property
    def note(self) -> str:
        """On characters that look alike; empty if there are none."""
        return look_alike_note(self.encoder, self.text)

    @cached_property
    def line_ends(self) -> list[bool]:
        """For each word whether a line of the text ends with it."""
        return self.tokenized.line_ends()

    @cached_property
    def unknown_words(self) -> Sequence[int]:
        """The words with a symbol that the alphabet lacks, whatever the policy makes of it; one of each kind."""
        tokenized, encoder = self.tokenized, self.encoder
        is_shown = tokenized.policy in ("token", "fuse") and not tokenized.error
        first = {kind: word for word, kind in reversed(list(enumerate(tokenized.kinds)))}
        return [
            word
            for kind, word in sorted(first.items(), key=itemgetter(1))
            if any(token.unknown for token in tokenized.distinct_words[kind])
            or (not is_shown and encoder.unknown_places(tokenized.spans[word]))
        ]

    @cached_property
    def _figures(self) -> Figures:
        return self.tokenized.figures()

    def text_figures(self) -> list[str]:
        """How long the text is; nothing for no text."""
        if not self.text:
            return []
        figures = self._figures
        return [
            plural("{count} character", "{count} characters", figures.characters),
            plural("{count} byte", "{count} bytes", figures.bytes),
            plural("{count} word", "{count} words", figures.words),
        ]

    def token_figures(self, count: int) -> list[str]:
        """What `count` tokens for the text mean, the most important first; nothing for no text."""
        if not self.text:
            return []
        figures = self._figures
        parts = [plural("{count} token", "{count} tokens", count)]
        if self.dropout is not None:
            parts.append(dropout_figures(self.dropout))
        if figures.dropped:
            parts.append(plural("{count} left out", "{count} left out", figures.dropped))
        if figures.words:
            parts.append(_("{tokens} per word").format(tokens=number(count / figures.words, ",.2f")))
        if figures.unknown:
            parts.append(plural("{count} unknown", "{count} unknown", figures.unknown))
        change = count / figures.bytes - 1
        template = _("{share} fewer tokens than bytes") if change <= 0 else _("{share} more tokens than bytes")
        return [*parts, template.format(share=f"{abs(change):.0%}")]


def dropout_figures(dropout: Dropout) -> str:
    """`dropout 0.3, seed 1`."""
    return _("dropout {rate}, seed {seed}").format(rate=number(dropout.rate, "g"), seed=number(dropout.seed))


class TextReader:
    """Reads the text of a session in slices, so that keys are answered meanwhile."""

    def __init__(
        self,
        owner: Widget,
        session: EncodeSession,
        *,
        done: Callable[[ReadText], None],
        failed: Callable[[BpeError], None],
        waiting: Callable[[], None],
    ) -> None:
        """`done` gets a text that was read, `failed` why its words cannot be found; `waiting`: that takes a while."""
        self._session = session
        self._waiting = waiting
        self._slices: Slices[ReadText] = Slices(owner, done, failed)
        self._known: dict[Hashable, TokenizedWord] = {}
        """The words read with the merges and the policy of now."""
        self.policy = session.unknown
        """How unknown symbols are treated."""
        self.allow_special = False
        """Are special tokens in the text themselves, and not plain text?"""
        self.dropout: Dropout | None = None
        """Merges to leave out."""

    @property
    def is_running(self) -> bool:
        """Is a text being read?"""
        return self._slices.is_running

    def read(self, *, anew: bool) -> None:
        """Read the text as it is now; `anew` if the moment, the policy or special tokens are not as before."""
        if anew or len(self._known) > MOST_KNOWN:
            self._known = {}
        text = self._session.text
        is_long = len(text) > LONG_TEXT
        if is_long:
            self._waiting()
        self._slices.run(self._read(text), at_once=not is_long and (self.dropout is None or len(text) <= SHORT_TEXT))
        if self._slices.is_running and not is_long:
            self._waiting()

    def drop(self) -> None:
        """Give up what is under way."""
        self._slices.drop()

    def _read(self, text: str) -> Generator[None, None, ReadText]:
        encoder, policy, dropout = self._session.encoder, self.policy, self.dropout
        tokenized = yield from tokenize(encoder, text, policy, allow_special=self.allow_special, cache=self._known)
        if dropout is None:
            return ReadText(tokenized, encoder)
        apart = tokenized.with_words_apart()
        # The policy error has no tokens of its own for unknown symbols.
        steps = yield from replay(encoder, *apart.occurrences(), "token" if policy == "error" else policy, dropout)
        return ReadText(apart.with_distinct(steps.all_tokens(len(steps))), encoder, dropout, steps)
