"""Plain sentences about what the trainer does and why, fit to be read aloud."""

from __future__ import annotations

from bpe_tui.core.glyphs import glyphs
from bpe_tui.core.states import Pair, Phase, Stop
from bpe_tui.core.tie_rules import RULE_REASONS
from bpe_tui.core.trainer import Trainer
from bpe_tui.core.vocabulary import Merge


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
        return _no_pair(trainer)
    pairs, pair = trainer.pair_count, shown_pair(leader.left, leader.right)
    if pairs == 1:
        told = f"Only one pair is left: {pair}, which occurs {times(leader.count)}"
    elif leader.tied == 1:
        told = f"Of {pairs:,} pairs the most frequent is {pair}, which occurs {times(leader.count)}"
    else:
        told = f"Of {pairs:,} pairs the {leader.tied:,} most frequent ones occur {times(leader.count)} each: a tie"
    if leader.count < trainer.options.min_frequency and trainer.position == trainer.known:
        told += f"; that is below the minimum frequency of {trainer.options.min_frequency:,}, so none is merged"
    return told + "."


def picked_sentence(trainer: Trainer) -> str:
    """Which pair is merged next, and why it and no other."""
    return next_sentence(trainer, "Picked")


def next_sentence(trainer: Trainer, verb: str = "Next is") -> str:
    """Which pair is merged next, with its count, against the runner-up or the tie.

    That is what the rule picks; or, after undoing, what was merged here before, though the rule would pick another.
    """
    leader = trainer.leader()
    if leader is None:
        return _no_pair(trainer)
    if trainer.position < trainer.known:
        ahead = trainer.step_at(trainer.position)
        if (ahead.merge.left_id, ahead.merge.right_id) != (leader.left_id, leader.right_id):
            why = "your own choice" if ahead.own_choice else f"as {ahead.rule} had it"
            return f"{verb} {_made(ahead.merge)} again, {why}: {times(ahead.counted)}."
    return f"{verb} {_made(leader)}: {times(leader.count)}, {against(trainer, leader)}."


def _no_pair(trainer: Trainer) -> str:
    if not trainer.words.words:
        return "There are no words, so there is nothing to count."
    return "No pair is left: every word is one token."


def against(trainer: Trainer, leader: Pair) -> str:
    """What sets the leader apart from the runner-up, or from those tied with it."""
    if leader.tied > 1:
        others = "one other pair" if leader.tied == 2 else f"{leader.tied - 1:,} others"
        return f"tied with {others}; by {trainer.options.ties} it wins since {RULE_REASONS[trainer.options.ties]}"
    second = trainer.pairs(0, 2)[1:]
    if not second:
        return "the only pair left"
    lead = leader.count - second[0].count
    return f"{'one' if lead == 1 else f'{lead:,}'} more than {shown_pair(second[0].left, second[0].right)}"


def step_sentence(trainer: Trainer) -> str:
    """What the last merge did; empty at the start."""
    step = trainer.last_step
    if step is None:
        return ""
    told = f"Merged {_made(step.merge)}"
    if step.own_choice:
        told += ", your own choice"
    words = _number(int(trainer.words_changed().size), "word")
    if step.replaced == step.counted:
        told += f": {_number(step.replaced, 'replacement')} in {words}"
    else:
        told += f": counted {step.counted:,}, replaced {step.replaced:,} in {words}"
        told += ", since of two that overlap only one can merge"
    if step.reused:
        told += f"; the token {_shown(step.merge.token)} existed already, so the vocabulary did not grow"
    return told + "."


def stop_sentence(trainer: Trainer) -> str:
    """Why training stands at its end; empty if it does not."""
    stop, options = trainer.stop, trainer.options
    if stop is Stop.MERGES:
        if trainer.position == 0:
            return "No merge was asked for, so training ends where it begins."
        if trainer.position == 1:
            return "Done: the one merge asked for is learned."
        return f"Done: the {trainer.position:,} merges asked for are learned."
    if stop is Stop.VOCAB_SIZE:
        return f"Done: the vocabulary has the {options.vocab_size:,} tokens asked for."
    if stop is Stop.BASE_TOO_LARGE:
        return (
            f"No merge was made: the base vocabulary alone has {_number(trainer.base_size, 'token')}, "
            f"and a vocabulary of {options.vocab_size:,} was asked for."
        )
    if stop is Stop.NO_PAIRS:
        return "Done: no pair is left, every word is one token." if trainer.words.words else "There are no words."
    if stop is Stop.MIN_FREQUENCY:
        leader = trainer.leader()
        best = times(leader.count) if leader is not None else "never"
        return f"Done: the best pair left occurs {best}, below the minimum frequency of {options.min_frequency:,}."
    return ""


def times(count: int) -> str:
    """`count` as an adverb: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _made(merge: Pair | Merge) -> str:
    return f"{shown_pair(merge.left, merge.right)} → {_shown(merge.token)}"


def shown_pair(left: str, right: str) -> str:
    """`u + g`, safe to show."""
    return f"{_shown(left)} + {_shown(right)}"


def _shown(text: str) -> str:
    return glyphs(text).replace(" ", "␣")
