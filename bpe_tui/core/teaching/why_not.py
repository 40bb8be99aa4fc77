"""Why a word isn't one token: the first merge that is missing, and what is in its way.

Everything said of merges that fire is read from the word's own trace, which the replay shows as well.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bpe_tui.core.corpus.pretokenize import PlacedSpan
from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.encoding.timeline import FixedTimeline
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.teaching.explain import times
from bpe_tui.core.teaching.token_facts import unknown_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.core.corpus.pretokenize import Span
    from bpe_tui.core.encoding.encoder import Encoder, Token
    from bpe_tui.core.readable import Notation
    from bpe_tui.core.training.vocabulary import Merge


def why_not_one_token(
    encoder: Encoder, text: str, span: Span, notation: Notation, *, unknown: str = "token"
) -> list[str]:
    """Plain sentences about one word of `text` at this moment; `unknown` is the policy for unknown symbols."""
    tokens = encoder.tokens_of([span], unknown=unknown)
    if not tokens:
        return [_("Nothing is left of this word: the policy drop removed every symbol of it.")]
    if len(tokens) == 1:
        return [_one_token(encoder, text, span, tokens[0], unknown, notation)]
    missing = list(dict.fromkeys(text[token.start : token.end] for token in tokens if token.unknown))
    if missing:
        named = "; ".join(unknown_sentence(encoder, symbol, notation) for symbol in missing[:3])
        return [
            _("{unknown}. An unknown symbol is never merged, so this word cannot become one token.").format(
                unknown=named
            )
        ]
    sentences = [_first_missing(encoder, tokens, notation)]
    coming = _next_to_fire(encoder, tokens)
    if coming is not None and (coming.left_id, coming.right_id) != (tokens[0].id, tokens[1].id):
        sentences.append(_("The next one to fire here is {merge}.").format(merge=_merge(coming, notation)))
    whole = encoder.id_of_joined(tokens)
    made = encoder.timeline.made_by(whole) if whole is not None else None
    first = _first_against(encoder, span, made, unknown) if made is not None else None
    if made is not None and first is not None:
        sentences.append(
            _("{token} is in the vocabulary, made by {merge}; but here {other} fires first.").format(
                token=notation.token(made.token), merge=_merge(made, notation), other=_merge(first, notation)
            )
        )
    return sentences


def still_to_fire(merge: Merge, made: int, of: int, notation: Notation) -> str:
    """Of a word in the midst of its replay: how far that is, and what comes next in the word."""
    return plural(
        "The replay is after {made} of {count} merge. The next one to fire here is {merge}.",
        "The replay is after {made} of {count} merges. The next one to fire here is {merge}.",
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


def _one_token(encoder: Encoder, text: str, span: Span, token: Token, unknown: str, notation: Notation) -> str:
    shown = notation.token(token.text)
    if token.unknown:
        sentence = unknown_sentence(encoder, text[token.start : token.end], notation)
        if isinstance(encoder.timeline, FixedTimeline):
            return f"{sentence}."
        return _("{unknown}: it was not in the text the alphabet was taken from.").format(unknown=sentence)
    if isinstance(span, PlacedSpan) and span.token is not None:
        if not span[0]:
            return _("{token} is put around every text by this tokenizer.").format(token=shown)
        if encoder.is_special(span.token):
            return _("{token} is a special token, found in the text before any merge.").format(token=shown)
        return _("{token} is an added token, found in the text before any merge.").format(token=shown)
    fired = list(encoder.trace_word(encoder.symbols_of(span, unknown=unknown)))
    if fired:
        made, _places = fired[-1]
        return _("{token} is one token: merge {merge} made it of {pair}.").format(
            token=shown, merge=number(made.rank + 1), pair=notation.pair(made.left, made.right)
        )
    if token.text in encoder.timeline.base.alphabet:
        return _("{token} is a symbol of the alphabet, one token from the start.").format(token=shown)
    if token.text in BYTE_TOKENS:
        return _("{token} is a token that no merge makes, one from the start.").format(token=shown)
    return _("{token} is in the vocabulary, and this tokenizer keeps a word that is a token whole.").format(token=shown)


def _first_missing(encoder: Encoder, tokens: Sequence[Token], notation: Notation) -> str:
    left, right = tokens[0], tokens[1]
    pair = notation.pair(left.text, right.text)
    assert left.id is not None
    assert right.id is not None
    timeline = encoder.timeline
    coming = encoder.later_merge(left.id, right.id)
    if coming is not None:
        return _("Not yet: {merge}, is learned later; this is the moment after merge {position}.").format(
            merge=_merge(coming, notation), position=number(timeline.position)
        )
    count = timeline.pair_frequency(left.id, right.id)
    if count is None:
        return _("The first merge missing is {pair}: it was never learned.").format(pair=pair)
    if count == 0:
        return _(
            "The first merge missing is {pair}: the two never occur side by side in the corpus as it is split now."
        ).format(pair=pair)
    often = times(count)
    if count < timeline.options.min_frequency:
        return _(
            "The first merge missing is {pair}: it occurs {times} in the corpus, below the minimum frequency of "
            "{minimum}."
        ).format(pair=pair, times=often, minimum=number(timeline.options.min_frequency))
    leader = timeline.leader()
    if leader is None or (leader.left_id, leader.right_id) == (left.id, right.id):
        return _(
            "The first merge missing is {pair}: it occurs {times} in the corpus, and is the next to be merged."
        ).format(pair=pair, times=often)
    ahead = notation.pair(leader.left, leader.right)
    if leader.count == count:
        return _(
            "The first merge missing is {pair}: it occurs {times} in the corpus, as often as {leader}, "
            "which wins the tie."
        ).format(pair=pair, times=often, leader=ahead)
    return _(
        "The first merge missing is {pair}: it occurs {times} in the corpus; {leader} occurs {leader_times} "
        "and comes first."
    ).format(pair=pair, times=often, leader=ahead, leader_times=times(leader.count))


def _next_to_fire(encoder: Encoder, tokens: Sequence[Token]) -> Merge | None:
    """Of the later merges that join neighbours here, the one that is learned first."""
    found = [
        merge
        for left, right in pairwise(tokens)
        if left.id is not None and right.id is not None and (merge := encoder.later_merge(left.id, right.id))
    ]
    return min(found, key=lambda merge: merge.rank, default=None)


def _first_against(encoder: Encoder, span: Span, made: Merge, unknown: str) -> Merge | None:
    """The first merge that fires in a word and makes a token that is no part of the one that `made` makes."""
    symbols = encoder.symbols_of(span, unknown=unknown)
    counts = _symbol_counts(encoder, made.id)
    if counts[made.id] != len(symbols):
        return None
    parts: set[tuple[int, int]] = set()
    waiting: list[tuple[int, Merge]] = [(0, made)]
    while waiting:
        start, merge = waiting.pop()
        parts.add((start, counts[merge.id]))
        halves = ((start, merge.left_id), (start + counts[merge.left_id], merge.right_id))
        waiting += [(at, half) for at, token in halves if (half := encoder.timeline.made_by(token)) is not None]
    lengths = [1] * len(symbols)
    for merge, places in encoder.trace_word(symbols):
        for place in places:
            lengths[place] += lengths[place + lengths[place]]
            if (place, lengths[place]) not in parts:
                return merge
    return None


def _symbol_counts(encoder: Encoder, token: int) -> dict[int, int]:
    """How many symbols a token, and each that its first merge makes it of, is made of."""
    counts: dict[int, int] = {}
    waiting = [token]
    while waiting:
        made = encoder.timeline.made_by(waiting[-1])
        halves = () if made is None else (made.left_id, made.right_id)
        unknown = [half for half in halves if half not in counts]
        if unknown:
            waiting += unknown
        else:
            counts[waiting.pop()] = sum(counts[half] for half in halves) if halves else 1
    return counts


def _merge(merge: Merge, notation: Notation) -> str:
    return _("merge {number}, {pair} → {token}").format(
        number=number(merge.rank + 1), pair=notation.pair(merge.left, merge.right), token=notation.token(merge.token)
    )
