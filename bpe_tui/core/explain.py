"""Plain sentences about what the trainer does and why, fit to be read aloud."""

from __future__ import annotations

from bpe_tui.core.glyphs import glyphs
from bpe_tui.core.states import Pair, Phase, Step, Stop
from bpe_tui.core.tie_rules import RULE_REASONS
from bpe_tui.core.trainer import Trainer


def state_sentence(trainer: Trainer) -> str:
    """The sentence for the moment where the trainer stands."""
    if trainer.phase is Phase.PICKED:
        return picked_sentence(trainer)
    if trainer.phase is Phase.COUNTED:
        return counted_sentence(trainer)
    return " ".join(filter(None, (step_sentence(trainer), stop_sentence(trainer) or next_sentence(trainer))))


def counted_sentence(trainer: Trainer) -> str:
    """What counting has shown."""
    leader = trainer.leader()
    if leader is None:
        return "Every word is one token now, so there is no pair left to count."
    pairs = trainer.pair_count
    if pairs == 1:
        return f"Only one pair is left: {_pair(leader)}, which occurs {times(leader.count)}."
    if leader.tied == 1:
        return f"Of {pairs:,} pairs the most frequent is {_pair(leader)}, which occurs {times(leader.count)}."
    return f"Of {pairs:,} pairs the {leader.tied:,} most frequent ones occur {times(leader.count)} each: a tie."


def picked_sentence(trainer: Trainer) -> str:
    """Which pair is merged next, and why it and no other."""
    return next_sentence(trainer, "Picked")


def next_sentence(trainer: Trainer, verb: str = "Next is") -> str:
    """Which pair the rule merges next, with its count, against the runner-up or the tie."""
    leader = trainer.leader()
    if leader is None:
        return "No pair is left: every word is one token."
    return f"{verb} {_pair(leader)} → {glyphs(leader.token)}: {times(leader.count)}, {_against(trainer, leader)}."


def _against(trainer: Trainer, leader: Pair) -> str:
    if leader.tied > 1:
        others = "one other pair" if leader.tied == 2 else f"{leader.tied - 1:,} others"
        return f"tied with {others}; by {trainer.options.ties} it wins since {RULE_REASONS[trainer.options.ties]}"
    second = trainer.pairs(0, 2)[1:]
    if not second:
        return "the only pair left"
    lead = leader.count - second[0].count
    rival = f"{glyphs(second[0].left)} + {glyphs(second[0].right)}"
    return f"{'one' if lead == 1 else f'{lead:,}'} more than {rival}"


def step_sentence(trainer: Trainer) -> str:
    """What the last merge did; empty at the start."""
    step = trainer.last_step
    if step is None:
        return ""
    merge = step.merge
    words = int(trainer.words_changed().size)
    told = f"Merged {glyphs(merge.left)} + {glyphs(merge.right)} → {glyphs(merge.token)}"
    if step.own_choice:
        told += ", your own choice"
    told += f": {_replaced(step)} in {words:,} {'word' if words == 1 else 'words'}"
    if step.reused:
        told += f"; the token {glyphs(merge.token)} existed already, so the vocabulary did not grow"
    return told + "."


def stop_sentence(trainer: Trainer) -> str:
    """Why training stands at its end; empty if it does not."""
    stop, options = trainer.stop, trainer.options
    if stop is Stop.MERGES:
        if trainer.position == 0:
            return "No merge was asked for, so training ends where it begins."
        return f"Done: the {trainer.position:,} {'merge' if trainer.position == 1 else 'merges'} asked for are learned."
    if stop is Stop.VOCAB_SIZE:
        return f"Done: the vocabulary has the {options.vocab_size:,} tokens asked for."
    if stop is Stop.BASE_TOO_LARGE:
        return (
            f"No merge was made: the base vocabulary alone has {trainer.base_size:,} tokens, "
            f"and a vocabulary of {options.vocab_size:,} was asked for."
        )
    if stop is Stop.NO_PAIRS:
        return "Done: no pair is left, every word is one token." if trainer.words.words else "There are no words."
    if stop is Stop.MIN_FREQUENCY:
        leader = trainer.leader()
        best = leader.count if leader is not None else 0
        return (
            f"Done: the best pair left occurs {times(best)}, below the minimum frequency of {options.min_frequency:,}."
        )
    return ""


def times(count: int) -> str:
    """`count` as an adverb: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _pair(pair: Pair) -> str:
    return f"{glyphs(pair.left)} + {glyphs(pair.right)}"


def _replaced(step: Step) -> str:
    if step.replaced == step.counted:
        return f"{step.counted:,} {'replacement' if step.counted == 1 else 'replacements'}"
    return f"counted {step.counted:,}, replaced {step.replaced:,} (overlaps count, but only one of them can merge)"
