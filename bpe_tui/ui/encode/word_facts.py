"""The pane of facts about the token and the word looked at, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rich.segment import Segment

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, mark
from bpe_tui.core.teaching.explain import dropout_sentence
from bpe_tui.core.teaching.token_facts import token_facts
from bpe_tui.core.teaching.why_not import moment_sentence, why_not_one_token
from bpe_tui.ui.text import wrap
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.core.encoding.tokenized_text import TokenizedText
    from bpe_tui.ui.encode.reading import ReadText
    from bpe_tui.ui.session.tokenizer import EncodeSession


class Fact(NamedTuple):
    """A sentence, and what kind it is: `title`, `plain`, `muted`, `warn`."""

    text: str
    kind: str = "plain"


class FactLine(NamedTuple):
    """A line of a wrapped sentence."""

    text: str
    kind: str


def facts_about(
    session: EncodeSession, read: ReadText, tokenized: TokenizedText, word: int, here: int, replaying: str
) -> list[Fact]:
    """Facts about a word and one of its tokens.

    Args:
        session: What the encode screen looks at.
        read: The text.
        tokenized: Its tokens at the moment of the replay.
        word: Number of the word.
        here: Number of the token; -1 for none.
        replaying: How far the replay is, in place of why the word isn't one token; empty at its end.
    """
    facts = [Fact(replaying)] if replaying else _why(session, read, word)
    if read.error:
        facts.insert(0, Fact(_("The policy error refuses this text: {reason}.").format(reason=read.error), "warn"))
    return [*facts, *_about_token(session, tokenized, word, here)]


def _why(session: EncodeSession, read: ReadText, word: int) -> list[Fact]:
    """Why a word is not one token, and what dropout did to it."""
    encoder, notation, span = session.encoder, session.notation, read.tokenized.spans[word]
    policy = "token" if read.error else read.tokenized.policy
    why = [Fact(line) for line in why_not_one_token(encoder, read.text, span, notation, unknown=policy)]
    if read.steps is None:
        return why
    plain = encoder.tokens_of([span], unknown=policy)
    dropped = Fact(dropout_sentence(read.steps.dropped_in(word), plain, notation))
    is_changed = [token.id for token in plain] != [token.id for token in read.tokenized.word(word)]
    return [dropped] if is_changed else [dropped, *why]  # what is said of the word without dropout


def _about_token(session: EncodeSession, tokenized: TokenizedText, word: int, here: int) -> list[Fact]:
    """Facts about a token of a word; none if there is no token."""
    if here < 0 or not tokenized.word(word):
        return []
    encoder, notation = session.encoder, session.notation
    name, *more = [notation.token(tokenized.token(here).text), *token_facts(encoder, tokenized, here, notation)]
    return [
        Fact(_("{token}: {fact}").format(token=name, fact=more[0]), "title"),
        Fact(" · ".join(more[1:]), "muted"),
    ]


def moment_facts(session: EncodeSession) -> list[Fact]:
    """Which merge led to the moment shown, unless that is the start or the end."""
    timeline = session.timeline
    if not 0 < timeline.position < timeline.known:
        return []
    return [Fact(moment_sentence(timeline.merge_at(timeline.position - 1), session.notation), "muted")]


class FactRows(RowSource[FactLine]):
    """Sentences (untrusted), wrapped to the width of the list."""

    def __init__(self, facts: tuple[Fact, ...] = (), about: str = "") -> None:
        self.facts = facts
        """The sentences."""
        self.about = about
        """What they are about."""
        self._lines: list[FactLine] = []
        self._width = -1

    @property
    def empty_text(self) -> str:
        """Before there is a text."""
        return _("Nothing selected.")

    def count(self, view: VirtualList[Any]) -> int:
        """Lines for the width there is."""
        if view.inner_width != self._width:
            self._width = view.inner_width
            self._lines = [
                FactLine(line, fact.kind) for fact in self.facts for line in wrap(displayable(fact.text), self._width)
            ]
        return len(self._lines)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[FactLine]:
        """Some lines."""
        return self._lines[start:stop]

    def draw(self, view: VirtualList[Any], row: FactLine) -> list[Segment]:
        """A line in the style of its kind."""
        palette = view.palette
        if row.kind == "title":
            return [Segment(row.text, palette.strong)]
        if row.kind == "warn":
            return [Segment(row.text, palette.warn)]
        return [Segment(row.text, palette.muted)] if row.kind == "muted" else [Segment(row.text)]

    def figures(self, view: VirtualList[Any]) -> str:
        """The word."""
        return displayable(self.about)


class WordFacts(VirtualList[FactLine]):
    """Facts about the word looked at."""

    source: FactRows

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Why not one token?"), FactRows(), number="⁴", id=id)

    def show(self, facts: Sequence[Fact], about: str = "") -> None:
        """Show sentences (untrusted) and what they are about."""
        if (tuple(facts), about) != (self.source.facts, self.source.about):
            self.source = FactRows(tuple(facts), about)
            self.cursor = 0
            self.scroll_first(0)
        self.reload()
