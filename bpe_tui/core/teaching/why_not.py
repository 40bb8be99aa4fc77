"""Why a word isn't one token: the first merge that is missing, and what stands in its way."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.teaching.explain import times
from bpe_tui.core.teaching.token_facts import unknown_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.core.encoding.encoder import Encoder, Token
    from bpe_tui.core.encoding.timeline import MergeTimeline
    from bpe_tui.core.readable import Notation
    from bpe_tui.core.training.vocabulary import Merge


class LaterMerges:
    """The merges that are known beyond the moment shown, by pair; it follows the training when it is asked."""

    def __init__(self, moments: MergeTimeline) -> None:
        self._moments = moments
        self._merges: dict[tuple[int, int], Merge] = {}
        self._seen = 0
        self._drops = 0

    def find(self, left_id: int, right_id: int) -> Merge | None:
        """The later merge of this pair, if it is known."""
        moments, known = self._moments, self._moments.known
        if moments.position == known:
            return None
        if self._drops != len(moments.drops):  # another future: what is beyond the last drop is not known any more
            self._merges, self._seen, self._drops = {}, 0, len(moments.drops)
        for place in range(self._seen, known):
            merge = moments.merge_at(place)
            self._merges[merge.left_id, merge.right_id] = merge
        self._seen = known
        found = self._merges.get((left_id, right_id))
        return found if found is not None and found.rank >= moments.position else None


def why_not_one_token(
    encoder: Encoder,
    moments: MergeTimeline,
    later: LaterMerges,
    text: str,
    tokens: Sequence[Token],
    notation: Notation,
) -> list[str]:
    """Plain sentences about one word of `text`, given as its tokens at this moment."""
    if not tokens:
        return [_("Nothing is left of this word: the policy drop took all of it away without a trace.")]
    if len(tokens) == 1:
        return [_one_token(encoder, moments, text, tokens[0], notation)]
    unknown = list(dict.fromkeys(text[token.start : token.end] for token in tokens if token.unknown))
    if unknown:
        named = "; ".join(unknown_sentence(symbol, notation) for symbol in unknown[:3])
        return [
            _("{unknown}. An unknown symbol is never merged, so this word cannot become one token.").format(
                unknown=named
            )
        ]
    sentences = [_first_missing(moments, later, tokens, notation)]
    coming = _next_to_fire(later, tokens)
    if coming is not None and (coming.left_id, coming.right_id) != (tokens[0].id, tokens[1].id):
        sentences.append(_("The next one to fire here is {merge}.").format(merge=_merge(coming, notation)))
    whole = "".join(token.text for token in tokens)
    token_id = encoder.id_of(whole)
    made = moments.made_by(token_id) if token_id is not None else None
    if made is not None:
        sentences.append(
            _("{token} is in the vocabulary, but earlier merges split it otherwise: {merge}.").format(
                token=notation.token(whole), merge=_merge(made, notation)
            )
        )
    return sentences


def still_to_fire(merge: Merge, made: int, of: int, notation: Notation) -> str:
    """Of a word in the midst of its replay: how far that is, and what comes next in the word."""
    return plural(
        "The replay stands after {made} of {count} merge. The next one to fire here is {merge}.",
        "The replay stands after {made} of {count} merges. The next one to fire here is {merge}.",
        of,
        made=number(made),
        merge=_merge(merge, notation),
    )


def too_long_sentence(length: int, most: int) -> str:
    """Why a word is not replayed."""
    return _("A word of {length} characters is not replayed; up to {most} are.").format(
        length=number(length), most=number(most)
    )


def moment_sentence(merge: Merge, notation: Notation) -> str:
    """Which merge was the last at the moment shown."""
    return _("This is the moment after {merge}.").format(merge=_merge(merge, notation))


def _one_token(encoder: Encoder, moments: MergeTimeline, text: str, token: Token, notation: Notation) -> str:
    if token.unknown:
        return _("{unknown}: it was not in the text the alphabet was taken from.").format(
            unknown=unknown_sentence(text[token.start : token.end], notation)
        )
    made = moments.made_by(token.id) if token.id is not None else None
    if token.id is not None and encoder.is_special(token.id):
        return _("{token} is a special token, found in the text before any merge.").format(
            token=notation.token(token.text)
        )
    if made is None and len(token.text) > 1:
        return _("{token} is a token that no merge makes, one from the start.").format(token=notation.token(token.text))
    if made is None:
        return _("{token} is a symbol of the alphabet, one token from the start.").format(
            token=notation.token(token.text)
        )
    return _("{token} is one token: merge {merge} made it of {pair}.").format(
        token=notation.token(token.text), merge=number(made.rank + 1), pair=notation.pair(made.left, made.right)
    )


def _first_missing(moments: MergeTimeline, later: LaterMerges, tokens: Sequence[Token], notation: Notation) -> str:
    left, right = tokens[0], tokens[1]
    pair = notation.pair(left.text, right.text)
    assert left.id is not None
    assert right.id is not None
    coming = later.find(left.id, right.id)
    if coming is not None:
        return _("Not yet: {merge}, is learned later; this is the moment after merge {position}.").format(
            merge=_merge(coming, notation), position=number(moments.position)
        )
    count = moments.pair_frequency(left.id, right.id)
    if count is None:
        return _("The first merge missing is {pair}: it was never learned.").format(pair=pair)
    if count == 0:
        return _(
            "The first merge missing is {pair}: the two never stand side by side in the corpus as it is split now."
        ).format(pair=pair)
    often = times(count)
    leader = moments.leader()
    if leader is None or (leader.left_id, leader.right_id) == (left.id, right.id):
        return _(
            "The first merge missing is {pair}: it stands {times} in the corpus, and is the next to be merged."
        ).format(pair=pair, times=often)
    ahead = notation.pair(leader.left, leader.right)
    if leader.count == count:
        return _(
            "The first merge missing is {pair}: it stands {times} in the corpus, as often as {leader}, "
            "which wins the tie."
        ).format(pair=pair, times=often, leader=ahead)
    return _(
        "The first merge missing is {pair}: it stands {times} in the corpus; {leader} stands {leader_times} "
        "and comes first."
    ).format(pair=pair, times=often, leader=ahead, leader_times=times(leader.count))


def _next_to_fire(later: LaterMerges, tokens: Sequence[Token]) -> Merge | None:
    """Of the later merges that join neighbours here, the one that is learned first."""
    found = [
        merge
        for left, right in pairwise(tokens)
        if left.id is not None and right.id is not None and (merge := later.find(left.id, right.id)) is not None
    ]
    return min(found, key=lambda merge: merge.rank, default=None)


def _merge(merge: Merge, notation: Notation) -> str:
    return _("merge {number}, {pair} → {token}").format(
        number=number(merge.rank + 1), pair=notation.pair(merge.left, merge.right), token=notation.token(merge.token)
    )
