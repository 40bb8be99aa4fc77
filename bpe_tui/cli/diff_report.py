"""What `bpe-tui diff` prints: the comparison in plain words, or as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bpe_tui.core.display import visible, width
from bpe_tui.core.i18n import _, number, plural

if TYPE_CHECKING:
    from bpe_tui.core.encoding.encoder import Token
    from bpe_tui.core.teaching.comparison import Comparison, Tie
    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.core.training.view import PairRow
    from bpe_tui.formats.model import TokenizerModel

SHOWN_PAIRS: Final = 12
SHOWN_TOKENS: Final = 8


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two ways."""

    label: str
    """What the user called it: its tie rule, its preset, or both."""
    trainer: Trainer
    model: TokenizerModel
    tokens: list[Token]
    """Of the sample text."""


def side_of(label: str, trainer: Trainer, text: str) -> Side:
    """One of the two ways, and the text as it encodes it."""
    from bpe_tui.formats.model import TokenizerModel

    model = TokenizerModel(trainer.vocabulary(), trainer.options)
    return Side(label, trainer, model, model.encoder().encode(text))


# -- as text ----------------------------------------------------------------------------------------------------------


def described(comparison: Comparison, sides: tuple[Side, Side], text: str) -> str:
    """The comparison in plain words, tables where there are pairs and tokens."""
    return "\n".join((_where_they_part(comparison, sides), _what_they_share(comparison, sides), _samples(sides, text)))


def _where_they_part(comparison: Comparison, sides: tuple[Side, Side]) -> str:
    parting = comparison.parting
    first, second = sides
    if parting is None:
        return (
            plural(
                "{first} and {second} make the same {count} merge.",
                "{first} and {second} make the same {count} merges.",
                len(first.trainer.steps),
                first=first.label,
                second=second.label,
            )
            + "\n"
        )
    names = {"first": first.label, "second": second.label, "number": number(parting.number)}
    if parting.number == 1:
        told = _("{first} and {second} part at merge {number}.").format(**names)
    else:
        told = plural(
            "{first} and {second} part at merge {number}, after {count} merge that is the same.",
            "{first} and {second} part at merge {number}, after {count} merges that are the same.",
            parting.number - 1,
            **names,
        )
    lines = [told]
    if parting.same_state and all(tie.picked for tie in parting.ties):
        tie = parting.ties[0]
        lines.append(
            plural(
                "There {count} pair occurs {times}, and the tie rules differ:",
                "There {count} pairs occur {times} each, and the tie rules differ:",
                tie.total,
                times=_times(tie.pairs[0].count),
            )
        )
        return "\n".join(lines) + "\n\n" + _tie_table(_joined(parting.ties), tie.total, sides)
    for side, tie in zip(sides, parting.ties, strict=True):
        lines.append(_fate(side, tie))
    return "\n".join(lines) + "\n"


def _fate(side: Side, tie: Tie) -> str:
    """What one side does where the two part, if they do not choose among the same pairs."""
    from bpe_tui.core.teaching.explain import stop_sentence

    if tie.picked is None:
        ends = _("{side} ends there.").format(side=side.label)
        return f"{ends} {stop_sentence(side.trainer)}"
    known = {"side": side.label, "pair": _pair(tie.picked), "times": _times(tie.picked.count)}
    if tie.total == 1:
        return _("{side} merges {pair}, which occurs {times}, more often than any other pair.").format(**known)
    others = [_pair(row) for row in tie.pairs if row is not tie.picked][:SHOWN_TOKENS]
    more = ", …" if tie.total - 1 > len(others) else ""
    return plural(
        "{side} merges {pair}, which occurs {times}, tied with {count} more: {pairs}.",
        "{side} merges {pair}, which occurs {times}, tied with {count} more: {pairs}.",
        tie.total - 1,
        pairs=", ".join(others) + more,
        **known,
    )


def _joined(ties: tuple[Tie, Tie]) -> list[tuple[PairRow, tuple[bool, bool]]]:
    """The tied pairs, those that were picked first, each with who picked it."""
    picked = [(tie.picked.left, tie.picked.right) if tie.picked else None for tie in ties]
    rows = {(row.left, row.right): row for tie in ties for row in tie.pairs}
    order = sorted(rows, key=lambda pair: (pair != picked[0], pair != picked[1]))
    return [(rows[pair], (pair == picked[0], pair == picked[1])) for pair in order]


def _tie_table(rows: list[tuple[PairRow, tuple[bool, bool]]], total: int, sides: tuple[Side, Side]) -> str:
    from bpe_tui.cli.table import last_column, lines, number_column, text_column

    listed = rows[:SHOWN_PAIRS]
    pairs = [_pair(row) for row, _flags in listed]
    tokens = [visible(row.token) for row, _flags in listed]
    picked_by = [", ".join(side.label for side, its in zip(sides, flags, strict=True) if its) for _row, flags in listed]
    table = lines(
        text_column(_("pair"), [(pair, width(pair)) for pair in pairs]),
        text_column(_("token"), [(token, width(token)) for token in tokens]),
        number_column(_("count"), [row.count for row, _flags in listed]),
        last_column(_("picked by"), picked_by),
    )
    if total == len(listed):
        return table
    return table + plural("… and {count} more", "… and {count} more", total - len(listed)) + "\n"


def _what_they_share(comparison: Comparison, sides: tuple[Side, Side]) -> str:
    lines = [
        plural(
            "At the end both vocabularies share {count} token.",
            "At the end both vocabularies share {count} tokens.",
            comparison.shared,
        )
    ]
    for side, only in zip(sides, comparison.only, strict=True):
        if only:
            learned = [visible(token) for token in only[:SHOWN_TOKENS]]
            more = " …" if len(only) > SHOWN_TOKENS else ""
            told = plural(
                "Only {side} has {count}: {tokens}",
                "Only {side} has {count}: {tokens}",
                len(only),
                side=side.label,
                tokens=" ".join(learned) + more,
            )
            lines.append(told)
    return "\n".join(lines) + "\n"


def _samples(sides: tuple[Side, Side], text: str) -> str:
    from bpe_tui.cli.encode import on_one_line
    from bpe_tui.cli.table import last_column, lines, number_column, text_column

    table = lines(
        text_column("", [(side.label, len(side.label)) for side in sides]),
        number_column(_("tokens"), [len(side.tokens) for side in sides]),
        last_column("", [on_one_line(side.tokens, side.model) for side in sides]),
    )
    return _("Sample: {text}").format(text=visible(text)) + f"\n\n{table}"


def _pair(row: PairRow) -> str:
    return f"{visible(row.left)} + {visible(row.right)}"


def _times(count: int) -> str:
    from bpe_tui.core.teaching.explain import times

    return times(count)


# -- as JSON ----------------------------------------------------------------------------------------------------------


def report(comparison: Comparison, sides: tuple[Side, Side], text: str) -> dict[str, Any]:
    """The comparison as one JSON object."""
    parting = comparison.parting
    return {
        "equal": comparison.equal,
        "sides": [_described_side(side) for side in sides],
        "parting": None
        if parting is None
        else {
            "merge": parting.number,
            "same_state": parting.same_state,
            "sides": [_described_tie(tie) for tie in parting.ties],
        },
        "shared": comparison.shared,
        "only": [list(tokens) for tokens in comparison.only],
        "sample": {
            "text": text,
            "sides": [
                [
                    {
                        "text": token.text,
                        "id": token.id,
                        "start": token.start,
                        "end": token.end,
                        "unknown": token.unknown,
                    }
                    for token in side.tokens
                ]
                for side in sides
            ],
        },
    }


def _described_side(side: Side) -> dict[str, Any]:
    trainer = side.trainer
    return {
        "name": side.label,
        "preset": trainer.options.preset,
        "options": trainer.options.as_dict(),
        "merges": len(trainer.steps),
        "vocab_size": trainer.vocab_size,
        "stopped": trainer.stop.value if trainer.stop is not None else None,
    }


def _described_tie(tie: Tie) -> dict[str, Any]:
    return {
        "picked": _described_pair(tie.picked) if tie.picked is not None else None,
        "tied": tie.total,
        "pairs": [_described_pair(row) for row in tie.pairs],
    }


def _described_pair(row: PairRow) -> dict[str, Any]:
    return {"left": row.left, "right": row.right, "token": row.token, "count": row.count}
