"""The tables that commands show: what is true of a training at this moment, in rows that are safe to print."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bpe_tui.core.corpus.alphabet import bytes_to_chars, utf8
from bpe_tui.core.display import displayable, visible
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.tokens import Token
from bpe_tui.core.errors import EncodeError
from bpe_tui.core.i18n import _, number
from bpe_tui.core.options import TIE_RULES, UNKNOWN_POLICIES
from bpe_tui.core.teaching.divergence import TrainingSnapshot, divergences, winners
from bpe_tui.core.teaching.explain import rule_reason, shown_pair
from bpe_tui.core.teaching.longest_match import longest_match
from bpe_tui.core.teaching.token_facts import read_back
from bpe_tui.core.training.rows import PairRow, TokenRow
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.commands import Show
from bpe_tui.lessons.facts import pre_tokens
from bpe_tui.lessons.shown import Column, Table


def in_a_row(tokens: Iterable[Token]) -> str:
    """Tokens with a space between two of them."""
    return " ".join(visible(token.text) for token in tokens)


def table_of(show: Show, trainer: Trainer) -> Table:
    """The table that a `show` command asks for. Raises `BpeError`."""
    return _TABLES[show.what](show, trainer)


def merge_table(trainer: Trainer, first: int, last: int) -> Table:
    """The merges of the ranks from `first` up to, not including, `last`."""
    steps = [trainer.steps[index] for index in range(first, last)]
    return Table(
        (
            _figures(_("merge")),
            Column(_("pair")),
            Column(_("token")),
            _figures(_("counted")),
            _figures(_("replaced")),
            _figures(_("tied")),
            Column(""),
        ),
        tuple(
            (
                number(step.number),
                shown_pair(step.merge.left, step.merge.right),
                visible(step.merge.token),
                number(step.counted),
                number(step.replaced),
                number(step.tied) if step.tied > 1 else "-",
                _("own choice") if step.own_choice else "",
            )
            for step in steps
        ),
    )


def _figures(title: str) -> Column:
    return Column(title, is_number=True)


def _words(show: Show, trainer: Trainer) -> Table:
    found = range(trainer.word_count)[: show.limit]
    rows = [trainer.word(index) for index in found]
    return Table(
        (_figures(_("count")), Column(_("word"))),
        tuple((number(row.count), " ".join(visible(trainer.texts[token]) for token in row.tokens)) for row in rows),
        trainer.word_count - len(rows),
    )


def _pairs(show: Show, trainer: Trainer) -> Table:
    total = trainer.pair_count
    rows = trainer.pairs(0, total if show.limit is None else show.limit)
    return Table(
        (_figures(_("place")), Column(_("pair")), Column(_("token")), _figures(_("count")), Column("")),
        tuple(
            (number(row.place), shown_pair(row.left, row.right), visible(row.token), number(row.count), _change(row))
            for row in rows
        ),
        total - len(rows),
    )


def _change(row: PairRow) -> str:
    """What the last merge did to a pair."""
    if row.is_new:
        return _("new")
    if row.change is None:
        return ""
    return f"+{number(row.change)}" if row.change > 0 else f"−{number(-row.change)}"


def _vocabulary(show: Show, trainer: Trainer) -> Table:
    total = trainer.vocab_size
    first = 0 if show.limit is None else max(0, total - show.limit)
    rows = [trainer.token(token) for token in range(first, total)]
    return Table(
        (_figures(_("id")), Column(_("token")), _figures(_("count")), Column(_("from"))),
        tuple((str(row.id), visible(row.text), number(row.count), _origin(row)) for row in rows),
        first,
    )


def _origin(row: TokenRow) -> str:
    if row.merge is None:
        return _("special token") if row.origin == "special" else _("alphabet")
    pair = shown_pair(row.merge.left, row.merge.right)
    return _("{pair}, merge {number}").format(pair=pair, number=number(row.merge.rank + 1))


def _merges(show: Show, trainer: Trainer) -> Table:
    last = trainer.position
    first = 0 if show.limit is None else max(0, last - show.limit)
    table = merge_table(trainer, first, last)
    return Table(table.columns, table.rows, first)


def _ties(show: Show, trainer: Trainer) -> Table:
    found = winners(trainer)
    return Table(
        (Column(_("rule")), Column(_("takes")), Column(_("since"))),
        tuple(
            (
                rule,
                shown_pair(pair.left, pair.right),
                rule_reason(rule) if pair.tied > 1 else _("no other is as frequent"),
            )
            for rule in TIE_RULES
            if (pair := found[rule]) is not None
        ),
    )


def _partings(show: Show, trainer: Trainer) -> Table:
    rules = [rule for rule in TIE_RULES if rule != trainer.options.ties]
    found = divergences(TrainingSnapshot.of(trainer), rules)
    ours = trainer.options.ties
    rows = []
    for rule in rules:
        diverges = found[rule]
        if diverges is None:
            rows.append((rule, _("never"), "", ""))
        else:
            rows.append((rule, number(diverges.number), shown_pair(*diverges.ours), shown_pair(*diverges.theirs)))
    return Table(
        (
            Column(_("rule")),
            _figures(_("parts at merge")),
            Column(_("{rule} takes").format(rule=ours)),
            Column(_("it takes")),
        ),
        tuple(rows),
    )


def _tokens(show: Show, trainer: Trainer) -> Table:
    tokens = Encoder.of(trainer).encode(show.words)
    return Table(
        (Column(_("token")), _figures(_("id")), Column(_("stands for"))),
        tuple(
            (
                visible(token.text),
                _("none") if token.id is None else str(token.id),
                visible(show.words[token.start : token.end]),
            )
            for token in tokens
        ),
    )


def _bytes(show: Show, trainer: Trainer) -> Table:
    return Table(
        (Column(_("character")), Column(_("code point")), Column(_("bytes")), Column(_("symbols"))),
        tuple(
            (
                visible(char),
                f"U+{ord(char):04X}",
                " ".join(f"{byte:02X}" for byte in utf8(char)),
                " ".join(bytes_to_chars(utf8(char))),
            )
            for char in show.words
        ),
    )


def _policies(show: Show, trainer: Trainer) -> Table:
    encoder = Encoder.of(trainer)
    rows = []
    for policy in UNKNOWN_POLICIES:
        try:
            tokens = encoder.encode(show.words, unknown=policy)
        except EncodeError as error:
            rows.append((policy, "-", "-", displayable(str(error))))
        else:
            rows.append((policy, number(len(tokens)), displayable(read_back(encoder, tokens)), in_a_row(tokens)))
    return Table((Column(_("policy")), _figures(_("tokens")), Column(_("reads back as")), Column("")), tuple(rows))


def _longest_match(show: Show, trainer: Trainer) -> Table:
    encoder = Encoder.of(trainer)
    ways = {_("by merges"): encoder.encode(show.words), _("by longest match"): longest_match(encoder, show.words)}
    return Table(
        (Column(_("way")), _figures(_("tokens")), Column("")),
        tuple((way, number(len(tokens)), in_a_row(tokens)) for way, tokens in ways.items()),
    )


def _pre_tokens(show: Show, trainer: Trainer) -> Table:
    rows = []
    for name in show.pre_tokenizers or (None,):
        found = pre_tokens(show.words, trainer, name)
        label = name or trainer.options.pre_tokenizer
        rows.append((label, number(len(found)), " ".join(map(visible, found))))
    return Table((Column(_("pre-tokenizer")), _figures(_("words")), Column("")), tuple(rows))


def _curve(show: Show, trainer: Trainer) -> Table:
    totals = [trainer.initial_tokens]
    sizes = [trainer.base_size]
    for made in trainer.steps[: trainer.position]:
        totals.append(totals[-1] - made.replaced)
        sizes.append(sizes[-1] + (not made.reused))
    words = sum(trainer.words.counts)
    size = sum(len(utf8(word)) * count for word, count in zip(trainer.words.words, trainer.words.counts, strict=True))
    moments = sorted({merges for merges in show.merges if merges < len(totals)}) or range(len(totals))
    return Table(
        (
            _figures(_("merges")),
            _figures(_("vocabulary")),
            _figures(_("tokens")),
            _figures(_("tokens a word")),
            _figures(_("bytes a token")),
        ),
        tuple(
            (
                number(merges),
                number(sizes[merges]),
                number(totals[merges]),
                number(totals[merges] / words, ",.2f") if words else "-",
                number(size / totals[merges], ",.2f") if totals[merges] else "-",
            )
            for merges in moments
        ),
    )


_TABLES: Final[dict[str, Callable[[Show, Trainer], Table]]] = {
    "words": _words,
    "pairs": _pairs,
    "vocabulary": _vocabulary,
    "merges": _merges,
    "ties": _ties,
    "partings": _partings,
    "tokens": _tokens,
    "bytes": _bytes,
    "policies": _policies,
    "longest-match": _longest_match,
    "pre-tokens": _pre_tokens,
    "curve": _curve,
}
