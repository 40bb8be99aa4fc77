"""What may be shown of a moment: one value, decided by the board's mode, that every pane and sentence obeys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_tui.core.teaching.guessing_game import GuessVerdict


@dataclass(frozen=True, slots=True)
class Revealed:
    """What the learner may see of a moment."""

    next_pair: tuple[int, int] | None = None
    """Ids of the pair that is merged next; None if there is none, or if it is withheld."""
    counts: bool = True
    """May the counts of pairs be shown? If not, the pairs are listed in alphabetical order, without their ranks."""
    recounted: bool = True
    """Have the pairs been counted since the last merge? If not, the ranking is shown as it was before that."""
    merges: int = 0
    """How many merges may be shown: all that are known, those undone included, or only those applied."""
    rule_path: bool = True
    """May the curve show the merges that the tie rule alone would make from here on?"""
    verdict: GuessVerdict | None = None
    """On the learner's guess at this moment."""
    pairs_title: tuple[str, ...] = ()
    """What the title of the pairs says, longest form first; empty: their number."""
    ties: bool = True
    """May it be shown which pair each tie rule would merge?"""
    withheld: frozenset[str] = frozenset()
    """Figures that status and titles don't show: `merges`, `vocabulary`, `words`, `corpus`."""
    hidden_panes: frozenset[str] = frozenset()
    """Ids of panes that would show what is withheld."""
