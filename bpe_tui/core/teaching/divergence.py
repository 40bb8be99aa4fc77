"""The path of a training and the paths beside it: who would win under each tie rule, where each rule parts from the
log, and how the rule alone would have gone on where the learner chose.

The trainer is only read. A twin over the same words goes along its log, so this may run in another thread, given a
`Route`, which is a copy of all that the twin needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.corpus.types import ShouldStop, WordCounts
from bpe_tui.core.errors import Cancelled
from bpe_tui.core.options import TIE_RULES, Options
from bpe_tui.core.training.selection import Leader
from bpe_tui.core.training.states import Pair, Step
from bpe_tui.core.training.trainer import Trainer

TWIN_SIZE: Final = 4_000_000
"""Symbols of a corpus up to which a twin is worth its memory while the learner looks on."""


@dataclass(frozen=True, slots=True)
class Route:
    """A training as it is known at one moment."""

    words: WordCounts
    options: Options
    log: Sequence[Step]
    """The merges known, those undone included."""
    wanted: int
    """Merges to look at: the target, or all that are known if these are more."""

    @classmethod
    def of(cls, trainer: Trainer) -> Route:
        """The route of a trainer."""
        log = trainer.log()
        return cls(trainer.words, trainer.options, log, max(len(log), trainer.target))

    def twin(self, should_stop: ShouldStop | None = None) -> Trainer:
        """A trainer of its own at the start of the route. Raises `Cancelled` if `should_stop` says so."""
        return Trainer(self.words, self.options, should_stop=should_stop)


def is_twin_affordable(trainer: Trainer) -> bool:
    """Is the corpus small enough to be trained a second time on the side?"""
    return trainer.segmentation.size <= TWIN_SIZE


# -- tie rules -----------------------------------------------------------------------------------------------------


def winners(trainer: Trainer) -> dict[str, Pair | None]:
    """For each tie rule the pair that it would merge now; None where no pair is left."""
    return {rule: _winner(trainer, rule) for rule in TIE_RULES}


def _winner(trainer: Trainer, rule: str) -> Pair | None:
    table, texts = trainer.table, trainer.texts
    leader = Leader(table, rule, texts)
    slot = leader.find()
    if slot is None:
        return None
    left, right = int(table.left.data[slot]), int(table.right.data[slot])
    return Pair(left, right, texts[left], texts[right], texts[left] + texts[right], leader.top, leader.tied)


@dataclass(frozen=True, slots=True)
class Fork:
    """The first merge in which another tie rule would leave a training's log."""

    number: int
    """Of the merge; 1 for the first."""
    count: int
    tied: int
    """Pairs that shared the highest count there."""
    ours: tuple[str, str]
    """The pair that the log merges (or will merge, if it has not come so far)."""
    theirs: tuple[str, str]
    """The pair that the other rule would merge."""


def partings(
    route: Route, rules: Sequence[str], *, most: int | None = None, should_stop: ShouldStop | None = None
) -> dict[str, Fork | None]:
    """For each rule where training under it would first leave the route; None if it never would.

    Merges of the learner's own choice are followed, whatever the rules say. At most the first `most` merges are
    looked at. Raises `Cancelled` if `should_stop` says so.
    """
    found: dict[str, Fork | None] = dict.fromkeys(rules)
    twin = route.twin(should_stop)
    end = route.wanted if most is None else min(route.wanted, most)
    while twin.position < end and None in found.values():
        if twin.position & 15 == 0 and should_stop is not None and should_stop():
            raise Cancelled("stopped")
        leader = twin.leader()
        if leader is None or leader.count < route.options.min_frequency:
            break
        ours = (leader.left_id, leader.right_id)
        if twin.position < len(route.log):
            made = route.log[twin.position]
            ours = (made.merge.left_id, made.merge.right_id)
            if made.own_choice:
                twin.choose(*ours)
                continue
        for rule in rules:
            if found[rule] is None:
                alone = leader.tied == 1 or rule == route.options.ties
                theirs = leader if alone else _winner(twin, rule)
                if theirs is not None and (theirs.left_id, theirs.right_id) != ours:
                    texts = (twin.texts[ours[0]], twin.texts[ours[1]])
                    pair = (theirs.left, theirs.right)
                    found[rule] = Fork(twin.position + 1, leader.count, leader.tied, texts, pair)
        twin.choose(*ours)
    return found


def first_parting(trainer: Trainer, rule: str, should_stop: ShouldStop | None = None) -> Fork | None:
    """Where training under `rule` would first leave the trainer's log, carried on to its target."""
    return partings(Route.of(trainer), (rule,), should_stop=should_stop)[rule]


# -- the rule's own path -------------------------------------------------------------------------------------------


def rule_path(
    route: Route, first: int, end: int, grown: Callable[[int], None], should_stop: ShouldStop | None = None
) -> None:
    """Go the way that the rule alone would have gone from merge `first` on, up to `end` merges.

    `grown` is given the tokens of the corpus after 0, 1, 2, … merges; those before `first` are the log's own. Ends
    where the rule would end. Raises `Cancelled` if `should_stop` says so.
    """
    twin = route.twin(should_stop)
    grown(twin.total_tokens)
    while twin.position < end:
        if twin.position & 15 == 0 and should_stop is not None and should_stop():
            raise Cancelled("stopped")
        if twin.position < first - 1:
            merge = route.log[twin.position].merge
            twin.choose(merge.left_id, merge.right_id)
        elif twin.step() is None:
            return
        grown(twin.total_tokens)
