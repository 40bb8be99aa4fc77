"""Which two parts a token of a rank list is merged from.

tiktoken's files hold no pairs: of all neighbours, those whose joined bytes have the lowest rank are merged. Inside the
bytes of one token that goes the same way wherever they stand, so at most one pair of neighbours can ever become it: the
two parts that are left last when its own bytes are merged by all other ranks. If more than two are left, no merging
makes the token; tiktoken then gives it for a whole pre-token only.

Replaying every token would take seconds for a large vocabulary. Where each token ranks above its parts, as in every
trained one, it is quicker to look, for a way to cut the token in two, whether any merge would go across the cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

Pair = tuple[int, int]


def derive(tokens: Sequence[bytes]) -> list[Pair | None]:
    """For each token the places in `tokens` of its two parts; None for single bytes and for what no merging makes.

    `tokens` are distinct: first all the single bytes there are, then the others, ascending by rank.
    """
    places = {token: place for place, token in enumerate(tokens)}
    pairs, left_over = _by_cuts(tokens, places)
    if any(_replayed(tokens[place], places) for place in left_over):
        # Some token ranks below its parts, which the quick way knows nothing of.
        return [_replayed(token, places) if len(token) > 1 else None for token in tokens]
    return pairs


def _by_cuts(tokens: Sequence[bytes], places: Mapping[bytes, int]) -> tuple[list[Pair | None], list[int]]:
    """The pairs found by looking at all cuts into two tokens that rank lower, and the tokens without one.

    A cut holds if both sides come about side by side. That is looked at backwards in time, by undoing the later of the
    two merges beside the cut: if at any time the two sides are a pair that merges before the next one is due, it goes
    across the cut. Of equal ranks the leftmost merge comes first: one in the left side before one across, and that
    before one in the right side.
    """
    never = len(tokens)
    singles = sum(len(token) == 1 for token in tokens)
    pairs: list[Pair | None] = [None] * never
    lefts, rights = list(range(never)), list(range(never))  # halves; a token without any is its own
    made: dict[Pair, int] = {}
    left_over = []
    find, merge = places.get, made.get
    for place in range(singles, never):
        token = tokens[place]
        for cut in range(len(token) - 1, 0, -1):
            left = find(token[:cut], never)
            if left >= place:
                continue
            right = find(token[cut:], never)
            if right >= place:
                continue
            one, other, due = left, right, never
            while merge((one, other), never) >= due:
                if one > other:
                    if rights[one] == one:  # a single byte, so that both are; or what only a whole pre-token can be
                        break
                    one, due = rights[one], one
                elif lefts[other] == other:
                    break
                else:
                    other, due = lefts[other], other + 1
            else:
                continue  # a merge goes across
            if max(one, other) >= singles:
                continue
            pairs[place] = made_of = (left, right)
            made[made_of] = place
            lefts[place], rights[place] = made_of
            break
        else:
            left_over.append(place)
    return pairs, left_over


def _replayed(token: bytes, places: Mapping[bytes, int]) -> Pair | None:
    """The two parts that are left last when the bytes of `token` are merged by all ranks; None if more are left."""
    never = len(places)
    parts = [token[place : place + 1] for place in range(len(token))]
    while len(parts) > 2:
        best, at = never, -1
        for place, (left, right) in enumerate(pairwise(parts)):
            made = places.get(left + right, never)
            if made < best:
                best, at = made, place
        if at < 0:
            return None
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    if not all(part in places for part in parts):
        return None
    return places[parts[0]], places[parts[1]]
