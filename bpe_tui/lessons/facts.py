"""What is true of a training at this moment: the value of each subject that statements and questions know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bpe_tui.core.corpus.alphabet import alphabet_text
from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.tokens import Token
from bpe_tui.core.errors import BpeError, EncodeError
from bpe_tui.core.i18n import _, plural
from bpe_tui.core.teaching.divergence import TrainingSnapshot, divergences, winners
from bpe_tui.core.teaching.longest_match import longest_match
from bpe_tui.core.training.states import LeadingPair
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.statements import Subject
from bpe_tui.lessons.values import PairValue, Piece, Pieces, Plain, TieValue, Value


class NoSuchThing(BpeError):
    """The subject is not there at this moment, so it has no value."""


def value_of(subject: Subject, trainer: Trainer) -> Value:
    """The value that `subject` has now. Raises `BpeError` if there is no such thing."""
    return _FACTS[subject.name](subject, trainer)


def pieces_of(tokens: Iterable[Token]) -> Pieces:
    """Tokens as a statement has them."""
    return Pieces(tuple(Piece(token.text, token.unknown) for token in tokens))


def pre_tokens(text: str, trainer: Trainer, pre_tokenizer: str | None = None) -> list[str]:
    """The pre-tokens of `text`, written as the tokens show them, by the trainer's pre-tokenizer or another one."""
    options = trainer.options
    if pre_tokenizer is not None:
        options = options.replace(pre_tokenizer=pre_tokenizer)
    return [alphabet_text(word, options) for word in make_pre_tokenizer(options).split(text)]


def few_merges_sentence(trainer: Trainer) -> str:
    """That the trainer has not come far enough."""
    return plural("only {count} merge is made", "only {count} merges are made", trainer.position)


def pair_ids(trainer: Trainer, left: str, right: str) -> tuple[int, int]:
    """The ids of a pair's halves. Raises `NoSuchThing` if one of them is no token at this moment."""
    ids = []
    for text in (left, right):
        token = trainer.id_of(text)
        if token is None:
            raise NoSuchThing(_("{text!r} is no token at this moment").format(text=text))
        ids.append(token)
    return ids[0], ids[1]


def _merge(subject: Subject, trainer: Trainer) -> Value:
    if subject.number > trainer.position:
        raise NoSuchThing(few_merges_sentence(trainer))
    step = trainer.steps[subject.number - 1]
    merge = step.merge
    return PairValue(merge.left, merge.right, merge.token, step.counted, step.replaced, step.tied)


def _coming(pair: LeadingPair | None) -> Value:
    if pair is None:
        raise NoSuchThing(_("no pair is left"))
    return PairValue(pair.left, pair.right, pair.token, pair.count, None, pair.tied)


def _next(subject: Subject, trainer: Trainer) -> Value:
    return _coming(trainer.leader())


def _winner(subject: Subject, trainer: Trainer) -> Value:
    return _coming(winners(trainer)[subject.texts[0]])


def _parting(subject: Subject, trainer: Trainer) -> Value:
    found = divergences(TrainingSnapshot.of(trainer), subject.texts)[subject.texts[0]]
    return Plain("never" if found is None else str(found.number))


def _tie(subject: Subject, trainer: Trainer) -> Value:
    leader = trainer.leader()
    if leader is None:
        return TieValue(0)
    rows = trainer.pairs(0, leader.tied)
    return TieValue(leader.tied, leader.count, frozenset((row.left, row.right) for row in rows))


def _count(subject: Subject, trainer: Trainer) -> Value:
    left, right = subject.texts
    ids = (trainer.id_of(left), trainer.id_of(right))
    if ids[0] is None or ids[1] is None:
        return _number(0)
    return _number(trainer.pair_words(ids[0], ids[1]).total)


def _token(subject: Subject, trainer: Trainer) -> Value:
    token = trainer.id_of(subject.texts[0])
    if token is None:
        raise NoSuchThing(_("it is no token at this moment"))
    return _number(trainer.token(token).count)


def _word(subject: Subject, trainer: Trainer) -> Value:
    wanted = subject.texts[0]
    for index in trainer.find_words(wanted).tolist():
        row = trainer.word(index)
        if wanted in (row.text, trainer.words.words[index]):
            return Pieces(tuple(Piece(trainer.texts[token]) for token in row.tokens))
    raise NoSuchThing(_("it is no word of the corpus"))


def _tokens(subject: Subject, trainer: Trainer) -> Value:
    try:
        return pieces_of(Encoder.of(trainer).encode(subject.texts[0], unknown=subject.unknown))
    except EncodeError:
        return Plain("refused")


def _length(subject: Subject, trainer: Trainer) -> Value:
    return _number(len(Encoder.of(trainer).encode(subject.texts[0], unknown=subject.unknown)))


def _ids(subject: Subject, trainer: Trainer) -> Value:
    tokens = Encoder.of(trainer).encode(subject.texts[0], unknown=subject.unknown)
    return Pieces(tuple(Piece("none" if token.id is None else str(token.id)) for token in tokens))


def _longest_match(subject: Subject, trainer: Trainer) -> Value:
    return pieces_of(longest_match(Encoder.of(trainer), subject.texts[0], unknown=subject.unknown))


def _pre_tokens(subject: Subject, trainer: Trainer) -> Value:
    return Pieces(tuple(map(Piece, pre_tokens(subject.texts[0], trainer, subject.pre_tokenizer))))


def _stop(subject: Subject, trainer: Trainer) -> Value:
    stop = trainer.stop
    return Plain("none" if stop is None else str(stop))


def _number(number: int) -> Value:
    return Plain(str(number))


_FACTS: Final[dict[str, Callable[[Subject, Trainer], Value]]] = {
    "merge": _merge,
    "next": _next,
    "tie": _tie,
    "winner": _winner,
    "parting": _parting,
    "count": _count,
    "token": _token,
    "word": _word,
    "tokens": _tokens,
    "length": _length,
    "ids": _ids,
    "longest-match": _longest_match,
    "pre-tokens": _pre_tokens,
    "vocabulary": lambda subject, trainer: _number(trainer.vocab_size),
    "alphabet": lambda subject, trainer: _number(len(trainer.base.alphabet)),
    "words": lambda subject, trainer: _number(trainer.word_count),
    "corpus": lambda subject, trainer: _number(trainer.total_tokens),
    "pairs": lambda subject, trainer: _number(trainer.pair_count),
    "merges": lambda subject, trainer: _number(trainer.position),
    "stop": _stop,
}
