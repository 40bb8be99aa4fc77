"""What the panes of the app show, as sentences: one line for each thing, which makes sense alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bpe_tui.core.display import clip
from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.readable import ARROW, PLUS, spellings
from bpe_tui.core.teaching.divergence import winners
from bpe_tui.core.teaching.explain import following_sentence, status_figures, step_sentence, times
from bpe_tui.core.teaching.token_facts import unknown_sentence
from bpe_tui.core.teaching.why_not import why_not_one_token
from bpe_tui.core.tie_rules import RULES
from bpe_tui.lessons.subjects import Clue

if TYPE_CHECKING:
    from bpe_tui.core.readable import Notation
    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.ui.session.training import Session

MOST: Final = 10
"""Rows that are listed if no number is given."""
LONGEST_WORD: Final = 200
"""Tokens of a word that are listed; a whole text may be one word."""
MOST_CELLS: Final = 60
"""Cells of a token that are shown."""
LONGEST_READ: Final = 8 * MOST_CELLS
"""Characters of it that are looked at: bytes, and marks without a cell, may be several to a cell."""
LARGEST_ALPHABET: Final = 100
"""Symbols up to which an alphabet is spelt out."""
MOST_UNKNOWN: Final = 3
"""Unknown symbols that are explained."""


@dataclass(frozen=True, slots=True)
class View:
    """A word that can be typed, and what it lists."""

    usage: str
    """As it is typed: `pairs [N]`."""
    help: str
    """What it lists; to be translated."""
    lines: Callable[[Session, str], Iterator[str]]
    """(session, what was typed after the word) → sentences; corpus text in them is shown by the notation."""
    clues: frozenset[Clue] = frozenset()
    """What it would give away while a lesson asks for that."""

    @property
    def name(self) -> str:
        """The word."""
        return self.usage.partition(" ")[0]


def status_sentence(trainer: Trainer, withheld: Collection[str] = frozenset()) -> str:
    """`merge 1/3, vocab 8`: where you are, as the app's first line says it."""
    return ", ".join(status_figures(trainer, withheld)) + "."


def _shown(notation: Notation, text: str) -> str:
    """A token or word, cut if it is long: what is said of it comes after it."""
    return clip(notation.token(text[:LONGEST_READ]), MOST_CELLS)


def _paired(notation: Notation, left: str, right: str) -> str:
    return _shown(notation, left) + PLUS + _shown(notation, right)


def _merged(notation: Notation, left: str, right: str) -> str:
    return _paired(notation, left, right) + ARROW + _shown(notation, left + right)


def rows_wanted(text: str) -> int:
    """How many rows are wanted. Raises `OptionError` for anything but a whole number from 1."""
    if not text:
        return MOST
    if not text.isdecimal() or not int(text[:9]):
        raise OptionError(_("{text} is not a number of lines").format(text=text))
    return int(text[:9])


def _more(total: int, shown: int, command: str) -> Iterator[str]:
    if total > shown:
        yield plural(
            "{count} more: {command} lists more.",
            "{count} more: {command} lists more.",
            total - shown,
            command=f"{command} {2 * shown}",
        )


def word_lines(session: Session, argument: str) -> Iterator[str]:
    """The words of the corpus in their order, with their tokens."""
    trainer, notation, wanted = session.trainer, session.notation, rows_wanted(argument)
    yield plural("The corpus has {count} word.", "The corpus has {count} different words.", trainer.word_count)
    for index in range(min(wanted, trainer.word_count)):
        row = trainer.word(index, limit=LONGEST_WORD)
        tokens = [_shown(notation, trainer.texts[token]) for token in row.tokens]
        cut = " …" if len(row.tokens) >= LONGEST_WORD else ""
        yield _("{word}, {times}: {tokens}").format(
            word=_shown(notation, row.text),
            times=times(row.count),
            tokens=" ".join(tokens) + cut if len(tokens) > 1 else _("one token"),
        )
    yield from _more(trainer.word_count, wanted, "words")


def pair_lines(session: Session, argument: str) -> Iterator[str]:
    """The pairs, the most frequent first."""
    trainer, notation, wanted = session.trainer, session.notation, rows_wanted(argument)
    total, leader = trainer.pair_count, trainer.leader()
    if leader is None:
        yield following_sentence(trainer, notation)
        return
    yield plural("{count} pair:", "{count} pairs, the most frequent first:", total)
    for place, row in enumerate(trainer.pairs(0, wanted), 1):
        facts = [times(row.count)]
        if row.is_new:
            facts.append(_("new since the last merge"))
        elif row.change is not None:
            facts.append(_("{change} by the last merge").format(change=f"{row.change:+,}".replace("-", "−")))
        if row.wins and leader.tied > 1:
            facts.append(_("wins the tie under {rule}").format(rule=trainer.options.ties))
        elif row.leads and leader.tied > 1:
            facts.append(_("tied"))
        yield f"{number(place)}. {_merged(notation, row.left, row.right)}: {', '.join(facts)}"
    yield from _more(total, wanted, "pairs")


def vocabulary_lines(session: Session, argument: str) -> Iterator[str]:
    """The vocabulary: its alphabet in one sentence, then the tokens that merges made, the last ones."""
    trainer, notation, wanted = session.trainer, session.notation, rows_wanted(argument)
    yield plural("The vocabulary has {count} token.", "The vocabulary has {count} tokens.", trainer.vocab_size)
    for special in trainer.base.specials:
        yield _("{id}: {token}, a special token").format(
            id=number(trainer.ids[special]), token=_shown(notation, special)
        )
    alphabet = [notation.token(symbol) for symbol in trainer.base.alphabet]
    count = len(alphabet)
    if count <= LARGEST_ALPHABET:
        yield plural(
            "Alphabet, {count} symbol: {symbols}",
            "Alphabet, {count} symbols: {symbols}",
            count,
            symbols=" ".join(alphabet),
        )
    else:
        yield plural("The alphabet has {count} symbol.", "The alphabet has {count} symbols.", count)
    first = max(trainer.base_size, trainer.vocab_size - wanted)
    for token in range(first, trainer.vocab_size):
        row = trainer.token(token)
        assert row.merge is not None
        yield _("{id}: {token}, {pair} by merge {number}, now {times}").format(
            id=number(token),
            token=_shown(notation, row.text),
            pair=_paired(notation, row.merge.left, row.merge.right),
            number=number(row.merge.rank + 1),
            times=times(row.count) if row.count else _("in no word"),
        )
    yield from _earlier(first - trainer.base_size, wanted, "vocab")


def merge_lines(session: Session, argument: str) -> Iterator[str]:
    """The merges made, the last ones."""
    trainer, notation, wanted = session.trainer, session.notation, rows_wanted(argument)
    if not trainer.position:
        yield _("No merge is made yet.")
        return
    first = max(0, trainer.position - wanted)
    for step in trainer.steps[first : trainer.position]:
        facts = [times(step.counted)]
        if step.replaced != step.counted:
            facts = [
                _("counted {counted}, replaced {replaced}").format(
                    counted=number(step.counted), replaced=number(step.replaced)
                )
            ]
        if step.tied > 1:
            facts.append(_("{count} tied").format(count=number(step.tied)))
        if step.own_choice:
            facts.append(_("your choice"))
        yield f"{number(step.number)}. {_merged(notation, step.merge.left, step.merge.right)}: {', '.join(facts)}"
    yield from _earlier(first, wanted, "merges")


def _earlier(left_out: int, shown: int, command: str) -> Iterator[str]:
    if left_out > 0:
        yield plural(
            "{count} earlier one: {command} lists more.",
            "{count} earlier ones: {command} lists more.",
            left_out,
            command=f"{command} {2 * shown}",
        )


def encode_lines(session: Session, argument: str) -> Iterator[str]:
    """A text in the tokens of this moment, and why something in it is unknown. Raises `BpeError`."""
    if not argument:
        raise OptionError(_("a text to encode is missing: encode hugs"))
    encoder, notation = session.encoder, session.notation
    tokens = encoder.encode(argument, unknown=session.unknown)
    shown = [session.options.unk if token.unknown else _shown(notation, token.text) for token in tokens]
    yield plural("{count} token: {tokens}", "{count} tokens: {tokens}", len(tokens), tokens=" ".join(shown))
    covered = (argument[token.start : token.end] for token in tokens if token.unknown)
    for symbol in list(dict.fromkeys(covered))[:MOST_UNKNOWN]:
        yield unknown_sentence(encoder, symbol, notation) + "."


def why_lines(session: Session, argument: str) -> Iterator[str]:
    """What happened and what is next and why; of a text, why its words are not one token."""
    trainer, notation = session.trainer, session.notation
    if not argument:
        yield step_sentence(trainer, notation)
        yield following_sentence(trainer, notation)
        return
    encoder = session.encoder
    for span in encoder.spans(argument):
        yield from why_not_one_token(encoder, argument, span, notation, unknown=session.unknown)


def tie_lines(session: Session, argument: str) -> Iterator[str]:
    """The tie rules, and which pair each would merge here."""
    for rule, pair in winners(session.trainer).items():
        message = _("{rule}: {pair}. It prefers the pair {preferred}, as in {users}.")
        if rule == session.options.ties:
            message = _("{rule}, the current rule: {pair}. It prefers the pair {preferred}, as in {users}.")
        yield message.format(
            rule=rule,
            pair=_("none left") if pair is None else _paired(session.notation, pair.left, pair.right),
            preferred=_(RULES[rule].prefers),
            users=_(RULES[rule].used_by),
        )


def status_lines(session: Session, argument: str) -> Iterator[str]:
    """Where you are in what."""
    yield session.titles[0]
    yield status_sentence(session.trainer)


_EVERYTHING: Final = frozenset(Clue)
VIEWS: Final = (
    View(
        "pairs [N]",
        mark("the pairs, the most frequent first"),
        pair_lines,
        frozenset({Clue.NEXT_PAIR, Clue.COUNTS, Clue.TIES, Clue.PAIRS}),
    ),
    View(
        "words [N]",
        mark("the words of the corpus, split into tokens"),
        word_lines,
        frozenset({Clue.SPLITS, Clue.WORDS}),
    ),
    View(
        "vocab [N]",
        mark("the vocabulary, its last tokens"),
        vocabulary_lines,
        frozenset({Clue.VOCABULARY, Clue.TOKEN_COUNTS, Clue.MERGES, Clue.MERGE_LOG}),
    ),
    View("merges [N]", mark("the last merges"), merge_lines, frozenset({Clue.MERGES, Clue.MERGE_LOG})),
    View("encode TEXT", mark("a text in the tokens of this moment"), encode_lines, frozenset({Clue.SPLITS})),
    View("why [TEXT]", mark("what is next and why; or why a text is not one token"), why_lines, _EVERYTHING),
)
"""What can be looked at in a training and in a lesson."""


def pair_called(session: Session, text: str) -> tuple[int, int]:
    """The pair that is meant: `u g`, `u + g`, or its number in `pairs`. Raises `OptionError`."""
    trainer = session.trainer
    if text.isdecimal():
        place = int(text[:9])
        rows = trainer.pairs(place - 1, place) if place else []
        if not rows:
            raise OptionError(_("there is no pair {number} here").format(number=text))
        return rows[0].left_id, rows[0].right_id
    halves = [half.strip() for half in (text.split(" + ") if " + " in text else text.split())]
    if len(halves) != 2 or not all(halves):
        raise OptionError(_("a pair is two tokens, such as u g, or its number in pairs"))
    left, right = (_token_called(session, half) for half in halves)
    return left, right


def _token_called(session: Session, text: str) -> int:
    trainer, notation = session.trainer, session.notation
    for spelling in spellings(text, byte_level=notation.byte_level):
        if (token := trainer.id_of(spelling)) is not None:
            return token
    raise OptionError(_("there is no token {token} here").format(token=notation.text(text)))
