"""What the trainer keeps of its history, against a slow twin that computes it anew at every question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import TIE_RULES, Options, make_options
from bpe_tui.core.teaching.reference import Pair, count_pairs, merge_all, pick
from bpe_tui.core.training.states import Phase
from bpe_tui.core.training.trainer import Trainer


@dataclass
class SlowTrainer:
    """A list of merges, and nothing that could get out of step with it."""

    words: WordCounts
    rule: str
    least: int
    base: list[str]
    log: list[tuple[Pair, str, bool]] = field(default_factory=list)
    """Pair, tie rule, and whether it was chosen against the rule."""
    position: int = 0
    phase: Phase = Phase.READY

    def split(self, merges: int) -> list[list[str]]:
        split = [list(word) for word in self.words.words]
        for pair, _, _ in self.log[:merges]:
            merge_all(split, self.words.counts, pair)
        return split

    def picked(self) -> tuple[Pair, int] | None:
        """The pair that the rule picks now, and its count."""
        pairs = count_pairs(self.split(self.position), self.words.counts)
        ids = {text: index for index, text in enumerate(self.base)}
        for pair, _, _ in self.log[: self.position]:
            ids.setdefault("".join(pair), len(ids))
        return (best := pick(pairs, ids, self.rule), pairs[best]) if pairs else None

    @property
    def next_pair(self) -> Pair | None:
        if self.position < len(self.log):
            return self.log[self.position][0]
        picked = self.picked()
        return None if picked is None else picked[0]

    @property
    def totals(self) -> list[int]:
        return [
            sum(len(word) * count for word, count in zip(self.split(merges), self.words.counts, strict=True))
            for merges in range(len(self.log) + 1)
        ]

    @property
    def own_choices(self) -> list[int]:
        return [number for number, (_, _, is_own) in enumerate(self.log, start=1) if is_own]

    @property
    def can_merge(self) -> bool:
        picked = self.picked()
        return self.position < len(self.log) or (picked is not None and picked[1] >= self.least)

    def go(self, position: int) -> None:
        self.position = position
        self.show_phase(Phase.MERGED)

    def step(self) -> None:
        if self.can_merge:
            if self.position == len(self.log):
                picked = self.picked()
                assert picked is not None
                self.log.append((picked[0], self.rule, False))
            self.go(self.position + 1)

    def undo(self) -> None:
        self.go(max(self.position - 1, 0))

    def redo(self) -> None:
        if self.position < len(self.log):
            self.go(self.position + 1)

    def goto(self, merges: int) -> None:
        self.go(min(self.position, merges))
        while self.position < merges and self.can_merge:
            self.step()

    def choose(self, pair: Pair) -> None:
        ahead = self.log[self.position : self.position + 1]
        if not ahead or ahead[0][:2] != (pair, self.rule):
            picked = self.picked()
            assert picked is not None
            self.log[self.position :] = [(pair, self.rule, pair != picked[0])]
        self.go(self.position + 1)

    def set_ties(self, rule: str) -> None:
        self.rule = rule
        del self.log[self.position :]

    def show_phase(self, phase: Phase) -> None:
        settled = Phase.MERGED if self.position else Phase.READY
        self.phase = phase if phase in (Phase.COUNTED, Phase.PICKED) else settled

    def step_phase(self) -> None:
        if self.phase is Phase.PICKED:
            self.step()
        elif self.phase is not Phase.COUNTED:
            self.phase = Phase.COUNTED
        elif self.can_merge:
            self.phase = Phase.PICKED

    def step_phase_back(self) -> None:
        if self.phase is Phase.PICKED:
            self.phase = Phase.COUNTED
        elif self.phase is Phase.COUNTED:
            self.show_phase(Phase.MERGED)
        elif self.position:
            self.undo()
            self.phase = Phase.PICKED


SIMPLE_MOVES: dict[str, Callable[[Trainer | SlowTrainer], object]] = {
    "step": lambda trainer: trainer.step(),
    "undo": lambda trainer: trainer.undo(),
    "redo": lambda trainer: trainer.redo(),
    "phase": lambda trainer: trainer.step_phase(),
    "phase back": lambda trainer: trainer.step_phase_back(),
}
words_with_many_ties = st.lists(st.text("abc", min_size=2, max_size=6), min_size=3, max_size=8, unique=True)
tables = words_with_many_ties.flatmap(
    lambda words: st.lists(st.integers(1, 3), min_size=len(words), max_size=len(words)).map(
        lambda counts: WordCounts(words, counts)
    )
)
dialects = st.builds(
    lambda ties, least, specials: make_options("toy", ties=ties, min_frequency=least, specials=specials, merges=12),
    st.sampled_from(TIE_RULES),
    st.sampled_from([1, 1, 2, 3]),
    st.sampled_from([(), ("ab", "a")]),
)
moves = st.sampled_from([*SIMPLE_MOVES, "choose", "choose", "choose next", "set ties", "show phase"]) | st.integers(
    0, 8
)


@given(tables, dialects, st.lists(moves, min_size=8, max_size=25), st.randoms())
def test_any_walk_is_that_of_the_slow_twin(
    words: WordCounts, options: Options, walk: list[str | int], random: Random
) -> None:
    trainer = Trainer(words, options)
    twin = SlowTrainer(words, options.ties, options.min_frequency, list(trainer.texts))
    for move in walk:
        _move(trainer, twin, move, random)
        next_pair = trainer.next_pair
        assert (trainer.position, trainer.known, trainer.phase) == (twin.position, len(twin.log), twin.phase)
        assert (None if next_pair is None else (trainer.texts[next_pair[0]], trainer.texts[next_pair[1]])) == (
            twin.next_pair
        )
        leader = trainer.leader()
        assert (None if leader is None else ((leader.left, leader.right), leader.count)) == twin.picked()
        assert list(trainer.totals) == twin.totals
        assert trainer.total_tokens == twin.totals[twin.position]
        assert list(trainer.own_choices) == twin.own_choices
        assert [((step.merge.left, step.merge.right), step.rule, step.own_choice) for step in trainer.steps] == twin.log


def _move(trainer: Trainer, twin: SlowTrainer, move: str | int, random: Random) -> None:
    if isinstance(move, int):
        trainer.goto(move)
        twin.goto(move)
    elif move == "set ties":
        rule = random.choice(TIE_RULES)
        trainer.set_ties(rule)
        twin.set_ties(rule)
    elif move == "show phase":
        phase = random.choice(list(Phase))
        trainer.show_phase(phase)
        twin.show_phase(phase)
    elif move in SIMPLE_MOVES:
        SIMPLE_MOVES[move](trainer)
        SIMPLE_MOVES[move](twin)
    elif rows := trainer.pairs():
        is_next = move == "choose next"
        row = random.choice([row for row in rows if not is_next or (row.left_id, row.right_id) == trainer.next_pair])
        trainer.choose(row.left_id, row.right_id)
        twin.choose((row.left, row.right))
