"""Where a token comes from and where it goes: its tree, its words, and why it stays when no word holds it any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from bpe_tui.core.display import clip
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.readable import PLUS
from bpe_tui.core.teaching.explain import in_words, times

if TYPE_CHECKING:
    from bpe_tui.core.readable import Notation
    from bpe_tui.core.training.rows import TokenRow
    from bpe_tui.core.training.states import Step
    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.core.training.word_occurrences import WordOccurrences

MOST_NODES: Final = 2_000
"""A tree is shown up to this many nodes: a token may be a whole line of text."""
MOST_NAMED: Final = 3
"""Words or merges that a sentence names; the rest is only counted."""
MOST_LETTERS: Final = 24
"""Cells of a word or token that a sentence shows."""
LONGEST_READ: Final = 8 * MOST_LETTERS
"""Characters of it that are looked at: bytes, and marks without a cell, may be several to a cell."""


class TreeNode(NamedTuple):
    """A token in the tree of another one."""

    branch: str
    """Lines that lead to it: `│ ├ `; empty for the root."""
    token: int
    text: str
    step: Step | None
    """The merge that first made it; None for letters and special tokens."""
    initial_count: int
    """How often the corpus held it at first: when its merge had created it, or at the start."""


def token_tree(trainer: Trainer, token: int, most: int = MOST_NODES) -> list[TreeNode]:
    """The token, its two halves, theirs, and so on down to symbols: parents first, left before right.

    At most `most` nodes; where nodes are left out, the list ends early.
    """
    nodes: list[TreeNode] = []
    waiting = [(token, "", "")]
    origins: dict[int, tuple[Step | None, int]] = {}
    while waiting and len(nodes) < most:
        node, branch, under = waiting.pop()
        if node not in origins:
            origins[node] = _origin(trainer, node)
        step, initial_count = origins[node]
        nodes.append(TreeNode(branch, node, trainer.texts[node], step, initial_count))
        if step is not None:
            waiting.append((step.merge.right_id, f"{under}└ ", f"{under}  "))
            waiting.append((step.merge.left_id, f"{under}├ ", f"{under}│ "))
    return nodes


def _origin(trainer: Trainer, token: int) -> tuple[Step | None, int]:
    """The merge that created a token, None for letters and special tokens; and how often the corpus held it then."""
    merge = trainer.made_by(token)
    if merge is not None:
        step = trainer.steps[merge.rank]
        return step, step.replaced
    steps = [trainer.steps[rank] for rank in trainer.merges_with(token)]
    used = sum(step.replaced * _halves(step, token) for step in steps)
    made = sum(trainer.steps[rank].replaced for rank in trainer.merges_into(token))
    return None, trainer.token(token).count + used - made


def _halves(step: Step, token: int) -> int:
    """How many of the two tokens that each replacement joined were this one."""
    return (step.merge.left_id == token) + (step.merge.right_id == token)


def origin_sentence(trainer: Trainer, token: int, notation: Notation) -> str:
    """How the token came into the vocabulary."""
    row = trainer.token(token)
    shown = _shown(row.text, notation)
    if row.origin == "special":
        if ranks := trainer.merges_into(token):
            first = trainer.steps[ranks[0]]
            return _(
                "{token} is a special token, but merge {number}, {pair}, makes it as well: words of the corpus hold "
                "its text."
            ).format(token=shown, number=number(first.number), pair=_merged(first, notation))
        return _("{token} is a special token: it stands for itself, and no merge makes or splits it.").format(
            token=shown
        )
    if row.origin == "protected":
        return _("{token} is protected: it is one token wherever it is found, and no merge makes or splits it.").format(
            token=shown
        )
    step, initial_count = _origin(trainer, token)
    if step is None:
        if initial_count == 0:
            message = _("{token} is a letter of the alphabet; the corpus held none at the start.")
            if notation.byte_level:
                message = _("{token} is a single byte; the corpus held none at the start.")
        else:
            message = _("{token} is a letter of the alphabet; at the start it occurred {times} in the corpus.")
            if notation.byte_level:
                message = _("{token} is a single byte; at the start it occurred {times} in the corpus.")
        return message.format(token=shown, times=times(initial_count))
    return _("Merge {number} ({pair}) created {token}, {times}.").format(
        token=shown, number=number(step.number), pair=_merged(step, notation), times=times(initial_count)
    )


def place_sentence(trainer: Trainer, token: int, notation: Notation) -> str:
    """Where the token occurs now; or, if no word holds it, why it stays in the vocabulary."""
    return _place(trainer, token, notation, _("It now occurs {times}, {in_words}: {words}"))


def _place(trainer: Trainer, token: int, notation: Notation, template: str) -> str:
    row = trainer.token(token)
    if row.origin in ("special", "protected") and not row.count and not trainer.merges_into(token):
        return ""
    if row.count == 0:
        return _unused(trainer, row, notation)
    found = trainer.token_words(token)
    message = template.format(
        token=_shown(row.text, notation),
        times=times(row.count),
        in_words=in_words(len(found)),
        words=_words(trainer, found, notation),
    )
    return message if message.endswith("…") else f"{message}."


def uses_sentence(trainer: Trainer, token: int, notation: Notation) -> str:
    """The tokens that merges made of it; empty if there are none, or if `place_sentence` names them."""
    ranks = trainer.merges_with(token)
    if not ranks or trainer.token(token).count == 0:
        return ""
    return _("It became part of {tokens}.").format(tokens=_all(_made(trainer, ranks, notation)))


def token_sentence(trainer: Trainer, token: int, notation: Notation) -> str:
    """One sentence for the selected token: where it occurs, or why it is still in the vocabulary."""
    place = _place(trainer, token, notation, _("{token} occurs {times}, {in_words}: {words}"))
    return place or origin_sentence(trainer, token, notation)


def _unused(trainer: Trainer, row: TokenRow, notation: Notation) -> str:
    shown = _shown(row.text, notation)
    ranks = trainer.merges_with(row.id)
    if not ranks:
        return _(
            "No word of the corpus holds {token}, and none ever did; it is there because new text may hold it."
        ).format(token=shown)
    if row.origin == "merge":
        message = _(
            "{token} stays in the vocabulary: every {token} became part of {tokens}, "
            "but new text may hold a lone {token}."
        )
    else:
        message = _(
            "{token} stays in the vocabulary: every {token} was merged into {tokens}, "
            "but new text may hold a lone {token}."
        )
    return message.format(token=shown, tokens=_any(_made(trainer, ranks, notation)))


def _made(trainer: Trainer, ranks: Sequence[int], notation: Notation) -> list[str]:
    """`er at merge 3`, for each of these merges as far as they are named."""
    steps = [trainer.steps[rank] for rank in ranks[:MOST_NAMED]]
    named = [
        _("{token} at merge {number}").format(token=_shown(step.merge.token, notation), number=number(step.number))
        for step in steps
    ]
    more = len(ranks) - MOST_NAMED
    return [*named, plural("{count} more", "{count} more", more)] if more > 0 else named


def _all(items: Sequence[str]) -> str:
    """`a, b and c`."""
    if len(items) == 1:
        return items[0]
    return _("{items} and {last}").format(items=", ".join(items[:-1]), last=items[-1])


def _any(items: Sequence[str]) -> str:
    """`a, b or c`."""
    if len(items) == 1:
        return items[0]
    return _("{items} or {last}").format(items=", ".join(items[:-1]), last=items[-1])


def _words(trainer: Trainer, found: WordOccurrences, notation: Notation) -> str:
    """`hug×10 + hugs×5`: the words that hold most of them."""
    shown = []
    for word, often, _added in found.heaviest(0, MOST_NAMED):
        row = trainer.word(word, limit=LONGEST_READ)
        shown.append(f"{_shown(row.text, notation)}×{number(row.count)}" + (f"×{number(often)}" if often > 1 else ""))
    return " + ".join([*shown, "…"] if len(shown) < len(found) else shown)


def _merged(step: Step, notation: Notation) -> str:
    return _shown(step.merge.left, notation) + PLUS + _shown(step.merge.right, notation)


def _shown(text: str, notation: Notation) -> str:
    """A token or word, cut if it is long."""
    return clip(notation.token(text[:LONGEST_READ]), MOST_LETTERS)
