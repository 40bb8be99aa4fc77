"""What may be shown of a moment: one value, decided in one place, that every pane and sentence obeys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpe_tui.core.i18n import _, number
from bpe_tui.core.training.states import Phase

if TYPE_CHECKING:
    from bpe_tui.core.teaching.guessing_game import GuessVerdict
    from bpe_tui.ui.session.training import Session


@dataclass(frozen=True, slots=True)
class Revealed:
    """What the learner may see of a moment."""

    next_pair: tuple[int, int] | None = None
    """Ids of the pair that is merged next; None if there is none, or if it is withheld."""
    counts: bool = True
    """May the counts of pairs be shown? If not, the pairs are listed in alphabetical order, without their ranks."""
    merges: int = 0
    """How many merges may be shown: all that are known, those undone included, or only those applied."""
    rule_path: bool = True
    """May the curve show the merges that the tie rule alone would make from here on?"""
    verdict: GuessVerdict | None = None
    """On the learner's guess at this moment."""
    pairs_title: tuple[str, ...] = ()
    """What the title of the pairs says, longest form first; empty: their number."""


def revealed_at(session: Session) -> Revealed:
    """What may be shown of the moment where a session stands."""
    trainer, turn = session.trainer, session.turn
    if turn is None:
        shows_next = not session.by_phase or trainer.phase is Phase.PICKED
        return Revealed(trainer.next_pair if shows_next else None, merges=trainer.known)
    if not turn.is_asking:
        count = number(trainer.pair_count)
        answered = (f"{count} · {turn.score}", count)
        shows_next = not session.by_phase or trainer.phase is Phase.PICKED
        return Revealed(
            session.coming if shows_next else None,
            merges=trainer.position,
            rule_path=False,
            verdict=turn.verdict,
            pairs_title=answered,
        )
    title: tuple[str, ...]
    hidden, question = _("the counts are hidden"), _("which is next?")
    if not turn.is_about_next:
        title = (hidden,)
    elif not turn.asked:
        title = (f"{question} · {hidden}", question)
    else:
        title = (f"{question} · {turn.score}", f"{question} {turn.brief_score}", question)
    return Revealed(counts=False, merges=trainer.position, rule_path=False, pairs_title=title)
