"""What a trainer is doing and has done, as values: phases, stop reasons, the leading pair, a step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from bpe_tui.core.training.vocabulary import Merge


class Phase(StrEnum):
    """Where in the loop the trainer is."""

    READY = "ready"
    COUNTED = "counted"
    PICKED = "picked"
    MERGED = "merged"


class StopReason(StrEnum):
    """Why training ends."""

    VOCAB_SIZE = "vocab-size"
    MERGES = "merges"
    NO_PAIRS = "no-pairs"
    MIN_FREQUENCY = "min-frequency"
    BASE_TOO_LARGE = "base-too-large"


class Origin(StrEnum):
    """What has decided on a merge."""

    COUNT = "count"
    """Its count, under the tie rule; or the learner against it."""
    TOKENIZER = "tokenizer"
    """The tokenizer that the training continues has it."""
    SEED = "seed"
    """It makes a seed token, or a part of one."""


@dataclass(frozen=True, slots=True)
class LeadingPair:
    """The leading pair: the one that the rule merges next."""

    left_id: int
    right_id: int
    left: str
    right: str
    token: str
    count: int
    tied: int
    """Pairs that share this count, this one included; 1 is no tie."""


class Step(NamedTuple):
    """One merge that was made."""

    number: int
    """1 for the first merge."""
    merge: Merge
    counted: int
    """Occurrences of the pair when it was picked, overlapping ones included, weighted by word frequency."""
    replaced: int
    """Replacements made, weighted by word frequency; fewer than `counted` in runs like `aaa`."""
    tied: int
    """Pairs that shared the highest count then, the winner included; 1 is no tie, and 0 where no count decided."""
    own_choice: bool
    """The learner chose this pair; the rule would have picked another one."""
    reused: bool
    """The token existed already, so the vocabulary did not grow."""
    rule: str
    """The current tie rule."""
    origin: Origin = Origin.COUNT
    """What has decided on it."""
