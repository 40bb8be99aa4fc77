"""Messages that cross from one widget to another, named for what happened."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class PairHighlighted(Message):
    """The learner looks at a pair of the ranking; None: at the leader again."""

    pair: tuple[int, int] | None
    """Ids of its left and right token."""


@dataclass
class PairSelected(Message):
    """The learner wants this pair merged now."""

    pair: tuple[int, int]
    """Ids of its left and right token."""


@dataclass
class PathPasted(Message):
    """A path was pasted, or a file dropped on the window."""

    text: str
    """As it was pasted."""


@dataclass
class WordSelected(Message):
    """The learner wants to know how a word of the corpus came to be split as it is."""

    word: int
    """Its place in order of first appearance."""


@dataclass
class TokenHighlighted(Message):
    """The learner looks at a token of the vocabulary."""

    token: int
    """Its id."""


@dataclass
class TokenSelected(Message):
    """The learner wants to know where a token came from."""

    token: int
    """Its id."""


@dataclass
class MomentSelected(Message):
    """The learner wants to see the moment after this merge; while the timeline is dragged only the newest counts."""

    number: int
    """Number of the merge, from 1; 0 is the start."""

    def can_replace(self, message: Message) -> bool:
        """A newer wish makes an older one void."""
        return isinstance(message, MomentSelected)
