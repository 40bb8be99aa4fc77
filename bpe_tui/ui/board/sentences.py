"""What the train screen says of a moment: its title, the two sentences below the panes, and what the loop has found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.teaching.explain import (
    counted_sentence,
    in_words,
    next_sentence,
    picked_sentence,
    step_sentence,
    stop_sentence,
    times,
)
from bpe_tui.core.teaching.lineage import token_sentence
from bpe_tui.core.teaching.overlap import Overlap, overlap_of
from bpe_tui.core.training.states import Phase

if TYPE_CHECKING:
    from bpe_tui.ui.board.revealed import Revealed
    from bpe_tui.ui.player import Player
    from bpe_tui.ui.session.training import Session

OPENING: Final = mark("Every word starts as single letters. Space merges the most frequent pair.")
"""Said before the first merge."""
COUNT_FIRST: Final = mark("Press s: first all pairs of neighbours are counted.")
COUNT_AGAIN: Final = mark("Press s: now all pairs are counted again.")
"""Said while the learner walks phase by phase."""


def titles(session: Session, player: Player | None) -> tuple[str, ...]:
    """What is looked at and what is under way, from the fullest to the shortest; safe to show."""
    usual = session.titles
    if player is not None and player.is_playing:
        speed = number(player.speed, "g")
        return tuple(_("playing {speed} a second · {title}").format(speed=speed, title=title) for title in usual)
    if player is not None and player.is_travelling:
        return tuple(_("running · {title}").format(title=title) for title in usual)
    return usual


def sentences(session: Session, player: Player | None) -> tuple[str, str]:
    """What happened, and what is next and why."""
    trainer = session.trainer
    if not trainer.word_count:
        return _("There is no word in {corpus}.").format(corpus=session.corpus.name), _("o opens another corpus.")
    if player is not None and player.way is not None:
        start, goal = player.way
        share = abs(trainer.position - start) / max(1, abs(goal - start))
        told = _("On the way to merge {goal}: {share} of the way is done.").format(
            goal=number(goal), share=f"{share:.0%}"
        )
        return told, _("esc stops here, at merge {position}.").format(position=number(trainer.position))
    done = step_sentence(trainer) if trainer.position else _(OPENING)
    if session.token is not None:
        return done, token_sentence(trainer, session.token)
    if session.selected is not None:
        return done, selected_sentence(session, session.selected)
    if trainer.phase is Phase.COUNTED:
        return done, counted_sentence(trainer)
    if trainer.phase is Phase.PICKED:
        return done, picked_sentence(trainer)
    if session.by_phase and trainer.stop is None:
        return done, _(COUNT_AGAIN) if trainer.position else _(COUNT_FIRST)
    return done, stop_sentence(trainer) or next_sentence(trainer)


def found_by_loop(session: Session, revealed: Revealed) -> str:
    """What the current line of the algorithm has found."""
    trainer = session.trainer
    if trainer.phase is Phase.COUNTED:
        return plural("{count} pair", "{count} pairs", trainer.pair_count)
    next_pair, last = revealed.next_pair, trainer.last_step
    if trainer.phase is Phase.PICKED and next_pair is not None:
        return session.pair_text(next_pair)
    if trainer.phase is Phase.MERGED and last is not None:
        return session.pair_text((last.merge.left_id, last.merge.right_id))
    return ""


def selected_sentence(session: Session, pair: tuple[int, int]) -> str:
    """Where the pair looked at stands, and what a key would do with it."""
    found = session.trainer.pair_words(*pair)
    leader, coming = session.trainer.leader(), session.coming
    if leader is None or coming is None:
        return ""
    told = _("{pair} stands {times} {in_words}.")
    lens = overlap_of(session.trainer, *pair) or Overlap(0, 0)
    if lens.counted:
        told = _(
            "{pair} stands {times} {in_words}: counted {counted}, replaced {replaced}, "
            "since of two that overlap only one merges."
        )
    told = told.format(
        pair=session.pair_text(pair),
        times=times(found.total),
        in_words=in_words(len(found.indices)),
        counted=number(lens.counted),
        replaced=number(lens.replaced),
    )
    if pair != coming:
        do = _("Enter merges it instead of {pair}.").format(pair=session.pair_text(coming))
    elif pair == (leader.left_id, leader.right_id):
        do = _("It leads: space merges it.")
    else:
        do = _("Space merges it.")
    return f"{told} {do}"
