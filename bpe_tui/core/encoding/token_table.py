"""What an encoder looks things up in: tokens by id and by text, and merges by pair."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from bpe_tui.core.encoding.merge_ranks import MergeRanks
from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.errors import EncodeError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options

if TYPE_CHECKING:
    from bpe_tui.core.encoding.dialect import Dialect
    from bpe_tui.core.encoding.timeline import MergeTimeline


_IDS: Final = attrgetter("left_id", "right_id", "id")
"""Of a merge, as `MergeRanks` learns it."""


class TokenTable:
    """Tokens and merges at the moment shown by a timeline, which it follows whenever it is asked to catch up."""

    def __init__(self, timeline: MergeTimeline, dialect: Dialect) -> None:
        self.timeline = timeline
        base, ids = timeline.base, timeline.ids
        inside = {text: ids[text] for text in ids if text not in dialect.outside} if dialect.outside else ids
        self.texts = timeline.texts
        """Token texts by id; those that `has` denies are of another moment."""
        self.specials = dict(dialect.specials_in_order) or {text: ids[text] for text in base.specials}
        """The special tokens with their ids."""
        self.protected = {text: ids[text] for text in base.protected}
        """The tokens that are found in any text, with their ids."""
        self.letters: Mapping[str, int] = (
            inside if dialect.every_token_is_a_symbol else {text: ids[text] for text in base.alphabet}
        )
        """The symbols that words are split into, with their ids."""
        any_will_do = dialect.every_token_is_a_symbol

        def from_the_start(text: str) -> int | None:
            token = inside.get(text)
            return token if token is None or any_will_do or timeline.made_by(token) is None else None

        self.unknown_id = from_the_start(timeline.options.unk)
        """The id of the unknown token; None if there is none, or only a learned token that looks like it."""
        found = {byte: from_the_start(text) for text, byte in BYTE_TOKENS.items() if text in inside}
        self.byte_tokens = {byte: token for byte, token in found.items() if token is not None}
        """The tokens of byte fallback by byte, as far as there are any."""
        self.merges = MergeRanks(whole_passes=dialect.at_once)
        self._outside = dialect.outside
        self._drops_seen = len(timeline.drops)
        self.catch_up()

    @property
    def options(self) -> Options:
        """The current options."""
        return self.timeline.options

    def catch_up(self) -> bool:
        """Go to the moment of the timeline; True if anything has changed. One merge further costs next to nothing."""
        timeline, merges = self.timeline, self.merges
        dropped = timeline.drops[self._drops_seen :]
        if not dropped and timeline.position == merges.in_force and timeline.known == len(merges):
            return False
        self._drops_seen += len(dropped)
        if dropped:
            merges.forget(min(dropped))
        new = map(timeline.merge_at, range(len(merges), timeline.known))
        merges.learn(map(_IDS, new))
        merges.use(timeline.position)
        return True

    def id_of(self, text: str) -> int | None:
        """The id of the token with this text; None if there is none."""
        token = self.timeline.ids.get(text)
        return token if token is not None and self.timeline.has_token(token) else None

    def whole_word(self, text: str) -> int | None:
        """The id of the token that a word with this text is whatever the merges say; None if it is none."""
        token = self.timeline.ids.get(text) if text not in self._outside else None
        return token if token is not None and self.timeline.has_token(token) else None

    def text_of(self, token: int) -> str:
        """The text of a token. Raises `EncodeError` for an id that no token has."""
        if not self.timeline.has_token(token):
            raise EncodeError(_("there is no token with id {token}").format(token=token))
        return self.texts[token]
