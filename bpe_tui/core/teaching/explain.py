"""Plain sentences about what the trainer does and why, fit for reading aloud; tokens are shown by a `Notation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.readable import Notation
from bpe_tui.core.tie_rules import RULES
from bpe_tui.core.training.states import Origin, Phase, StopReason

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from bpe_tui.core.encoding.encoder import Token
    from bpe_tui.core.encoding.replay import Fired
    from bpe_tui.core.encoding.timeline import MergeTimeline
    from bpe_tui.core.training.states import LeadingPair, Step
    from bpe_tui.core.training.trainer import Trainer


def dropped_note(row: Fired) -> str:
    """How much of a merge dropout has left out: `dropped`, `1 of 3 dropped`; empty if nothing."""
    if not row.dropped:
        return ""
    if not row.places:
        return _("dropped")
    return _("{count} of {total} dropped").format(count=number(row.dropped), total=number(row.dropped + row.places))


def dropout_sentence(dropped: int, tokens: Sequence[Token], notation: Notation) -> str:
    """What dropout did to a word: how often it left a merge out there, and `tokens`, the word without dropout."""
    if not dropped:
        return _("Dropout left out no merge of this word.")
    return plural(
        "Dropout left out {count} merge here; without dropout this word is {tokens}.",
        "Dropout left out {count} merges here; without dropout this word is {tokens}.",
        dropped,
        tokens=" · ".join(notation.token(token.text) for token in tokens),
    )


def counted_sentence(trainer: Trainer, notation: Notation) -> str:
    """What counting has shown."""
    leader = trainer.leader()
    if leader is None:
        return _no_pair(trainer)
    pairs, often = trainer.pair_count, times(leader.count)
    pair = notation.pair(leader.left, leader.right)
    if pairs == 1:
        message = _("Only one pair is left: {pair}, which occurs {times}").format(pair=pair, times=often)
    elif leader.tied == 1:
        message = plural(
            "Of {count} pair the most frequent is {pair}, which occurs {times}",
            "Of {count} pairs the most frequent is {pair}, which occurs {times}",
            pairs,
            pair=pair,
            times=often,
        )
    else:
        message = _("Of {pairs} pairs the {tied} most frequent ones occur {times} each: a tie").format(
            pairs=number(pairs), tied=number(leader.tied), times=often
        )
    if leader.count < trainer.options.min_frequency and trainer.position == trainer.known:
        minimum = number(trainer.options.min_frequency)
        return _("{message}; that is below the minimum frequency of {minimum}, so none is merged.").format(
            message=message, minimum=minimum
        )
    return f"{message}."


def picked_sentence(trainer: Trainer, notation: Notation) -> str:
    """Which pair is merged next, and why it and no other."""
    fresh, again = _("Picked {pair}: {times}, {why}."), _("Picked {pair} again, {why}: {times}.")
    return _next(trainer, notation, fresh, again, _("Picked {pair}, {why}: {times}."))


def next_sentence(trainer: Trainer, notation: Notation) -> str:
    """Which pair is merged next, with its count, against the runner-up or the tie.

    That is what the rule picks; or, after undoing, what was merged here before, though the rule would pick another; or
    a merge that is given: of the tokenizer that the training continues, or of a seed token.
    """
    fresh, again = _("Next is {pair}: {times}, {why}."), _("Next is {pair} again, {why}: {times}.")
    return _next(trainer, notation, fresh, again, _("Next is {pair}, {why}: {times}."))


def following_sentence(trainer: Trainer, notation: Notation) -> str:
    """About the phase that the trainer is in: what was counted, what was picked, or what is next, if anything."""
    if trainer.phase is Phase.COUNTED:
        return counted_sentence(trainer, notation)
    if trainer.phase is Phase.PICKED:
        return picked_sentence(trainer, notation)
    return stop_sentence(trainer) or next_sentence(trainer, notation)


def status_figures(timeline: MergeTimeline, withheld: Container[str] = frozenset()) -> tuple[str, str]:
    """`merge K/TARGET` and `vocab V`, the same in every language; `?` where `merges` or `vocabulary` is `withheld`."""
    position, target = timeline.position, timeline.target
    merges = f"{position:,}/{target:,}" if position <= target else f"{position:,} (target {target:,})"
    merges = "?" if "merges" in withheld else merges
    vocabulary = "?" if "vocabulary" in withheld else f"{timeline.vocab_size:,}"
    return f"merge {merges}", f"vocab {vocabulary}"


def _next(trainer: Trainer, notation: Notation, fresh: str, again: str, given: str) -> str:
    """One of three templates: for what the rule picks, for what was merged here before, and for what is given."""
    leader = trainer.leader()
    if trainer.position < trainer.known:
        ahead = trainer.steps[trainer.position]
        pair = (ahead.merge.left_id, ahead.merge.right_id)
        if ahead.origin is not Origin.COUNT or leader is None or pair != (leader.left_id, leader.right_id):
            why = _origin_of(trainer, ahead)
            template = given if why else again
            if not why:
                why = _("your own choice") if ahead.own_choice else _("as {rule} had it").format(rule=ahead.rule)
            return template.format(
                pair=notation.merge(ahead.merge.left, ahead.merge.right), why=why, times=times(ahead.counted)
            )
    if leader is None:
        return _no_pair(trainer)
    return fresh.format(
        pair=notation.merge(leader.left, leader.right),
        times=times(leader.count),
        why=lead_of(trainer, leader).clause(notation),
    )


def _origin_of(trainer: Trainer, step: Step) -> str:
    """Why a merge is there that was not chosen by its count, as a clause; empty if it was."""
    if step.origin is Origin.TOKENIZER and trainer.start is not None:
        return _("as {tokenizer} has it").format(tokenizer=trainer.start.name)
    if step.origin is Origin.SEED:
        return _("for a seed token")
    return ""


def _no_pair(trainer: Trainer) -> str:
    if not trainer.words.words:
        return _("There are no words, so there is nothing to count.")
    if _every_word_is_whole(trainer):
        return _("No pair is left: every word is one token.")
    return _("No pair is left that could be merged.")


def _every_word_is_whole(trainer: Trainer) -> bool:
    """Where no pair is left: is every word of the corpus one token?

    A limit on the length of tokens leaves pairs that it forbids; protected words and unknown characters cut words.
    """
    is_cut = bool(trainer.options.protected) or trainer.base.unknown > 0
    return not is_cut and trainer.total_tokens == sum(trainer.words.counts)


class Lead(NamedTuple):
    """What sets the leading pair apart from all others."""

    rule: str
    """The tie rule that decides."""
    tied: int
    """Pairs that share its count, itself included."""
    margin: int
    """How much more often it occurs than the runner-up; 0 in a tie, or without a runner-up."""
    runner_up: tuple[str, str] | None
    """The halves of the pair that comes second; None in a tie, or if no other pair is left."""

    def clause(self, notation: Notation) -> str:
        """`one more than p + u`, or `tied with 2 others; by first-seen it wins since …`."""
        if self.tied > 1:
            return plural(
                "tied with one other pair; it wins under {rule} because {reason}",
                "tied with {count} others; it wins under {rule} because {reason}",
                self.tied - 1,
                rule=self.rule,
                reason=rule_reason(self.rule),
            )
        if self.runner_up is None:
            return _("the only pair left")
        return plural(
            "one more than {pair}", "{count} more than {pair}", self.margin, pair=notation.pair(*self.runner_up)
        )


def lead_of(trainer: Trainer, leader: LeadingPair) -> Lead:
    """What sets the leader apart from the runner-up, or from those tied with it."""
    rule = trainer.options.ties
    second = trainer.pairs(0, 2)[1:] if leader.tied == 1 else []
    if not second:
        return Lead(rule, leader.tied, 0, None)
    return Lead(rule, 1, leader.count - second[0].count, (second[0].left, second[0].right))


def step_sentence(trainer: Trainer, notation: Notation) -> str:
    """What the last merge did; empty at the start."""
    step = trainer.last_step
    if step is None:
        return ""
    if step.number == trainer.inherited and step.origin is Origin.TOKENIZER and trainer.start is not None:
        return plural(
            "The {count} merge of {tokenizer} is made; what follows is learned from this corpus.",
            "All {count} merges of {tokenizer} are made; what follows is learned from this corpus.",
            trainer.inherited,
            tokenizer=trainer.start.name,
        )
    template = _("Merged {pair}, your own choice") if step.own_choice else _("Merged {pair}")
    origin = _origin_of(trainer, step)
    if origin:
        template = _("Merged {pair}, {why}")
    merged = template.format(pair=notation.merge(step.merge.left, step.merge.right), why=origin)
    if not step.counted:
        return _("{merged}: the pair does not occur in this corpus.").format(merged=merged)
    words = in_words(len(trainer.words_changed()))
    if step.replaced == step.counted:
        replacements = plural("{count} replacement", "{count} replacements", step.replaced)
        message = _("{merged}: {replacements} {in_words}").format(
            merged=merged, replacements=replacements, in_words=words
        )
    else:
        message = _(
            "{merged}: counted {counted}, replaced {replaced} {in_words}, because overlapping occurrences can merge "
            "only once"
        ).format(merged=merged, counted=number(step.counted), replaced=number(step.replaced), in_words=words)
    if step.reused:
        return _("{message}; the token {token} existed already, so the vocabulary did not grow.").format(
            message=message, token=notation.token(step.merge.token)
        )
    return f"{message}."


def stop_sentence(trainer: Trainer) -> str:
    """Why training ends here; empty if it does not."""
    stop, options = trainer.stop, trainer.options
    if stop is StopReason.MERGES:
        if trainer.position == trainer.inherited:
            return _("The target is no merge, so training ends where it begins.")
        if trainer.inherited:
            return plural(
                "Done: the one new merge is learned.",
                "Done: all {count} new merges learned.",
                trainer.position - trainer.inherited,
            )
        return plural(
            "Done: the one merge is learned.",
            "Done: all {count} merges learned.",
            trainer.position,
        )
    if stop is StopReason.VOCAB_SIZE:
        return plural(
            "Done: the vocabulary has reached {count} token.",
            "Done: the vocabulary has reached {count} tokens.",
            options.vocab_size or 0,
        )
    if stop is StopReason.BASE_TOO_LARGE:
        return plural(
            "No merge was made: the base vocabulary alone has {count} token, and the target is a vocabulary of {size}.",
            "No merge was made: the base vocabulary alone has {count} tokens, "
            "and the target is a vocabulary of {size}.",
            trainer.base_count,
            size=number(options.vocab_size or 0),
        )
    if stop is StopReason.NO_PAIRS:
        if not trainer.words.words:
            return _("There are no words.")
        if _every_word_is_whole(trainer):
            return _("Done: no pair is left, every word is one token.")
        return _("Done: no pair is left that could be merged.")
    if stop is StopReason.MIN_FREQUENCY:
        leader = trainer.leader()
        return _("Done: the best pair left occurs {times}, below the minimum frequency of {minimum}.").format(
            times=times(leader.count) if leader is not None else _("never"), minimum=number(options.min_frequency)
        )
    return ""


def times(count: int) -> str:
    """`count` as an adverb: once, twice, 3 times."""
    if count == 1:
        return _("once")
    if count == 2:
        return _("twice")
    return plural("{count} time", "{count} times", count)


def in_words(count: int) -> str:
    """In how many words something is."""
    return plural("in {count} word", "in {count} words", count)


def rule_reason(rule: str) -> str:
    """Why the winner of a tie won under a rule, as a clause to be read after "because"."""
    return _(RULES[rule].reason)
