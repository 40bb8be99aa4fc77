"""Subjects: what a statement (`expect SUBJECT: VALUE`), a question or a value in prose is about, one class each.

A subject is parsed from a line, and has a value at each moment of a training.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from enum import StrEnum
from typing import ClassVar, Final, Self

from bpe_tui.core.corpus.alphabet import alphabet_text, chars_to_bytes
from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.display import visible
from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.encoding.replay import Dropout, encode_with_dropout
from bpe_tui.core.errors import BpeError, EncodeError, OptionError
from bpe_tui.core.i18n import LANGUAGES, _, number, plural
from bpe_tui.core.options import PRE_TOKENIZERS, TIE_RULES, UNKNOWN_POLICIES
from bpe_tui.core.teaching.divergence import TrainingSnapshot, divergences
from bpe_tui.core.teaching.longest_match import longest_match
from bpe_tui.core.training.states import LeadingPair, Step
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.library import entries
from bpe_tui.lessons.syntax import LineParser, quoted
from bpe_tui.lessons.values import (
    REFUSED,
    PairValue,
    PlainValue,
    TextValue,
    TieValue,
    TokensValue,
    TokenValue,
    Value,
    corrected,
)

MOST_WORDS: Final = 8
"""So many words are named of those in which a pair or a token occurs."""
OPEN: Final = "?"
"""In the place of a value that is still to be filled in."""


class NoValue(BpeError):
    """The subject is not there at this moment, so it has no value."""


class Clue(StrEnum):
    """What panes and sentences show of a moment, as far as a question may ask for it."""

    NEXT_PAIR = "next-pair"
    """Which pair is merged next."""
    COUNTS = "counts"
    """The counts of pairs, and their ranking."""
    TIES = "ties"
    """Which pair each tie rule would merge."""
    MERGES = "merges"
    """How many merges are made, and how many are asked for."""
    MERGE_LOG = "merge-log"
    """The merges made, with their figures."""
    VOCABULARY = "vocabulary"
    """How many tokens there are."""
    TOKEN_COUNTS = "token-counts"
    """How often each token occurs."""
    WORDS = "words"
    """How many words there are."""
    SPLITS = "splits"
    """How each word of the corpus is split."""
    CORPUS = "corpus"
    """How many tokens long the corpus is."""
    PAIRS = "pairs"
    """How many pairs there are."""


@dataclass(frozen=True, slots=True)
class Subject(ABC):
    """What a statement or a question is about; most need no operand."""

    NAME: ClassVar[str]
    """Its first word."""
    CAN_BE_ASKED: ClassVar[bool] = True
    """Is its value something that a learner could type?"""
    IN_PROSE: ClassVar[bool] = True
    """Is its value fit to be shown in running text?"""
    CLUES: ClassVar[frozenset[Clue]] = frozenset()
    """What would give its value away, and is withheld while it is asked for."""

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        """The subject with the operands that come next. Raises `LessonSyntaxError`."""
        return cls()

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        """The value that comes next in a statement; a number unless the subject has another kind."""
        return PlainValue.parse_number(parser)

    @abstractmethod
    def evaluate(self, trainer: Trainer) -> Value:
        """Its value now. Raises `BpeError` if it has none."""

    def evidence(self, value: Value) -> tuple[str, ...]:
        """The halves of the pair, or the token, whose occurrences show this value; empty if none do."""
        return ()

    @property
    def operands(self) -> str:
        """The operands as a lesson writes them."""
        return ""

    def __str__(self) -> str:
        return f"{self.NAME} {self.operands}".rstrip()


# -- merges and pairs ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NumberedSubject(Subject):
    """What is about a merge that was made."""

    number: int

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        return cls(parser.number(_("the number of a merge"), 1))

    @property
    def operands(self) -> str:
        return str(self.number)

    def step(self, trainer: Trainer) -> Step:
        """The merge. Raises `NoValue` if it is not made."""
        if self.number > trainer.position:
            raise NoValue(too_few_merges(trainer))
        return trainer.steps[self.number - 1]


class MergeSubject(NumberedSubject):
    """`merge N`: the pair of a merge that was made."""

    NAME = "merge"
    CAN_BE_ASKED = False

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return PairValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The pair with all figures of the merge."""
        step = self.step(trainer)
        merge = step.merge
        return PairValue(merge.left, merge.right, merge.token, step.counted, step.replaced, step.tied)


class CountedSubject(NumberedSubject):
    """`counted N`: how often the pair of a merge occurred when it was picked."""

    NAME = "counted"
    CLUES = frozenset({Clue.MERGE_LOG})

    def evaluate(self, trainer: Trainer) -> Value:
        """Occurrences, overlapping ones included."""
        return _number(self.step(trainer).counted)


class ReplacedSubject(NumberedSubject):
    """`replaced N`: how many replacements a merge made."""

    NAME = "replaced"
    CLUES = frozenset({Clue.MERGE_LOG})

    def evaluate(self, trainer: Trainer) -> Value:
        """So many tokens the corpus has become shorter."""
        return _number(self.step(trainer).replaced)


class NextSubject(Subject):
    """`next`: the pair that the rule merges next."""

    NAME = "next"
    CLUES = frozenset({Clue.NEXT_PAIR, Clue.COUNTS, Clue.TIES})

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return PairValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The pair, its count and how many share it."""
        return _pair_value(trainer.leader())

    def evidence(self, value: Value) -> tuple[str, ...]:
        return _halves(value)


class TieSubject(Subject):
    """`tie`: the pairs that share the highest count."""

    NAME = "tie"
    CAN_BE_ASKED = False
    IN_PROSE = False

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return TieValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """All of them, with their count."""
        leader = trainer.leader()
        if leader is None:
            return TieValue(0)
        rows = trainer.pairs(0, leader.tied)
        return TieValue(leader.tied, leader.count, frozenset((row.left, row.right) for row in rows))


class TiedSubject(Subject):
    """`tied`: how many pairs share the highest count."""

    NAME = "tied"
    CLUES = frozenset({Clue.NEXT_PAIR, Clue.COUNTS, Clue.TIES})

    def evaluate(self, trainer: Trainer) -> Value:
        """How many; 1 if one pair leads alone, 0 if no pair is left."""
        leader = trainer.leader()
        return _number(0 if leader is None else leader.tied)


@dataclass(frozen=True, slots=True)
class RuleSubject(Subject):
    """What is about a tie rule."""

    rule: str

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        return cls(parse_tie_rule(parser))

    @property
    def operands(self) -> str:
        return self.rule


class WinnerSubject(RuleSubject):
    """`winner RULE`: the pair that this rule would merge now."""

    NAME = "winner"
    CLUES = frozenset({Clue.NEXT_PAIR, Clue.TIES})

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return PairValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The pair, its count and how many share it."""
        return _pair_value(trainer.leader_under(self.rule))

    def evidence(self, value: Value) -> tuple[str, ...]:
        return _halves(value)


class DivergenceSubject(RuleSubject):
    """`parting RULE`: the merge at which this rule diverges from the training."""

    NAME = "parting"
    CAN_BE_ASKED = False

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return PlainValue.parse_number_or_never(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The number of the merge, or `never`."""
        divergence = divergences(TrainingSnapshot.of(trainer), (self.rule,))[self.rule]
        return PlainValue("never" if divergence is None else str(divergence.number))


@dataclass(frozen=True, slots=True)
class CountSubject(Subject):
    """`count LEFT + RIGHT`: how often a pair occurs in the corpus; 0 if it does not."""

    NAME = "count"
    CLUES = frozenset({Clue.NEXT_PAIR, Clue.COUNTS})
    left: str
    right: str

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        return cls(*parser.pair())

    def evaluate(self, trainer: Trainer) -> Value:
        """Its occurrences, weighted by word frequency."""
        left, right = trainer.id_of(self.left), trainer.id_of(self.right)
        if left is None or right is None:
            return _number(0)
        return _number(trainer.pair_words(left, right).total)

    def evidence(self, value: Value) -> tuple[str, ...]:
        return self.left, self.right

    @property
    def operands(self) -> str:
        return f"{quoted(self.left)} + {quoted(self.right)}"


# -- tokens and words of the corpus --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TokenSubject(Subject):
    """`token TEXT`: how often a token occurs in the corpus."""

    NAME = "token"
    CLUES = frozenset({Clue.TOKEN_COUNTS})
    token: str

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        return cls(parser.text(_("a token")))

    def evaluate(self, trainer: Trainer) -> Value:
        """Its occurrences, weighted by word frequency."""
        token = trainer.id_of(self.token)
        if token is None:
            raise NoValue(_("it is no token at this moment"))
        return _number(trainer.token(token).count)

    def evidence(self, value: Value) -> tuple[str, ...]:
        return (self.token,)

    @property
    def operands(self) -> str:
        return quoted(self.token)


@dataclass(frozen=True, slots=True)
class WordSubject(Subject):
    """`word TEXT`: a word of the corpus as it is split now."""

    NAME = "word"
    CLUES = frozenset({Clue.SPLITS})
    word: str

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        return cls(parser.text(_("a word of the corpus")))

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return TokensValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """Its tokens."""
        for index in trainer.find_words(self.word).tolist():
            row = trainer.word(index)
            if self.word in (row.text, trainer.words.words[index]):
                return TokensValue(tuple(TokenValue(trainer.texts[token]) for token in row.tokens))
        raise NoValue(_("it is no word of the corpus"))

    @property
    def operands(self) -> str:
        return quoted(self.word)


# -- texts to encode -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EncodedSubject(Subject):
    """What is about a text to encode, under a policy for unknown symbols."""

    text: str
    unknown: str = "token"
    dropout: Dropout | None = None

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        return cls(parser.text(_("the text to encode")), *parse_encoding(parser))

    @property
    def operands(self) -> str:
        policy = "" if self.unknown == "token" else f" unknown={self.unknown}"
        dropout = "" if self.dropout is None else f" dropout={self.dropout.rate:g} seed={self.dropout.seed}"
        return quoted(self.text) + policy + dropout

    def encoded(self, trainer: Trainer) -> list[Token]:
        """The tokens of the text. Raises `EncodeError` if the policy refuses it."""
        if self.dropout is not None:
            return encode_with_dropout(Encoder(trainer), self.text, self.dropout, unknown=self.unknown)
        return Encoder(trainer).encode(self.text, unknown=self.unknown)


class TokensSubject(EncodedSubject):
    """`tokens TEXT`: the tokens of a text."""

    NAME = "tokens"

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return TokensValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The tokens, or `refused`."""
        try:
            return _tokens_value(self.encoded(trainer))
        except EncodeError:
            return REFUSED


class LengthSubject(EncodedSubject):
    """`length TEXT`: how many tokens a text has."""

    NAME = "length"

    def evaluate(self, trainer: Trainer) -> Value:
        """How many."""
        return _number(len(self.encoded(trainer)))


class IdsSubject(EncodedSubject):
    """`ids TEXT`: the ids of a text's tokens."""

    NAME = "ids"

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return TokensValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The ids; `none` for a token that has none."""
        ids = ("none" if token.id is None else str(token.id) for token in self.encoded(trainer))
        return TokensValue(tuple(map(TokenValue, ids)))


class LongestMatchSubject(EncodedSubject):
    """`longest-match TEXT`: the tokens of a text if the longest that fits is always taken."""

    NAME = "longest-match"

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        text, (unknown, dropout) = parser.text(_("the text to encode")), parse_encoding(parser)
        if dropout is not None:
            raise parser.error(_("the longest match knows no merges, so there is nothing to drop"))
        return cls(text, unknown)

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return TokensValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The tokens."""
        return _tokens_value(longest_match(Encoder(trainer), self.text, unknown=self.unknown))


@dataclass(frozen=True, slots=True)
class PreTokenizedSubject(Subject):
    """What is about the words that a pre-tokenizer makes of a text; without a name, the training's own."""

    text: str
    pre_tokenizer: str | None = None

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        text = parser.text(_("the text"))
        return cls(text, parse_pre_tokenizer(parser) if parser.keyword("by") else None)

    @property
    def operands(self) -> str:
        return quoted(self.text) + ("" if self.pre_tokenizer is None else f" by {self.pre_tokenizer}")


class PreTokensSubject(PreTokenizedSubject):
    """`pre-tokens TEXT by NAME`: the words."""

    NAME = "pre-tokens"

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return TokensValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The words, in the symbols of the training."""
        return TokensValue(tuple(map(TokenValue, pre_tokens(self.text, trainer, self.pre_tokenizer))))


class WordCountSubject(PreTokenizedSubject):
    """`word-count TEXT by NAME`: how many words."""

    NAME = "word-count"

    def evaluate(self, trainer: Trainer) -> Value:
        """How many."""
        return _number(len(pre_tokens(self.text, trainer, self.pre_tokenizer)))


@dataclass(frozen=True, slots=True)
class DecodedSubject(Subject):
    """`decoded SYMBOLS`: the text that symbols for bytes stand for."""

    NAME = "decoded"
    symbols: str

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        return cls(parser.text(_("the symbols")))

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return TextValue.parse(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The text; half characters are U+FFFD."""
        try:
            return TextValue(chars_to_bytes(self.symbols).decode(errors="replace"))
        except UnicodeEncodeError:
            raise NoValue(_("{text!r} holds more than symbols for bytes").format(text=self.symbols)) from None

    @property
    def operands(self) -> str:
        return quoted(self.symbols)


# -- the training as a whole ---------------------------------------------------------------------------------------


class VocabularySubject(Subject):
    """`vocabulary`: how many tokens there are."""

    NAME = "vocabulary"
    CLUES = frozenset({Clue.VOCABULARY})

    def evaluate(self, trainer: Trainer) -> Value:
        """How many, special tokens and alphabet included."""
        return _number(trainer.vocab_size)


class AlphabetSubject(Subject):
    """`alphabet`: how many symbols training begins with."""

    NAME = "alphabet"
    CLUES = frozenset({Clue.VOCABULARY})

    def evaluate(self, trainer: Trainer) -> Value:
        """How many."""
        return _number(len(trainer.base.alphabet))


class WordsSubject(Subject):
    """`words`: how many different words the corpus has."""

    NAME = "words"
    CLUES = frozenset({Clue.WORDS})

    def evaluate(self, trainer: Trainer) -> Value:
        """How many."""
        return _number(trainer.word_count)


class WordTotalSubject(Subject):
    """`word-total`: how many words the corpus has, each as often as it occurs."""

    NAME = "word-total"
    CLUES = frozenset({Clue.WORDS})

    def evaluate(self, trainer: Trainer) -> Value:
        """The sum of the word frequencies."""
        return _number(sum(trainer.words.counts))


class CorpusSubject(Subject):
    """`corpus`: how many tokens long the corpus is."""

    NAME = "corpus"
    CLUES = frozenset({Clue.CORPUS})

    def evaluate(self, trainer: Trainer) -> Value:
        """How many, weighted by word frequency."""
        return _number(trainer.total_tokens)


class PairsSubject(Subject):
    """`pairs`: how many different pairs there are."""

    NAME = "pairs"
    CLUES = frozenset({Clue.PAIRS})

    def evaluate(self, trainer: Trainer) -> Value:
        """How many."""
        return _number(trainer.pair_count)


class MergesSubject(Subject):
    """`merges`: how many merges are made."""

    NAME = "merges"
    CLUES = frozenset({Clue.MERGES})

    def evaluate(self, trainer: Trainer) -> Value:
        """How many."""
        return _number(trainer.position)


class TargetSubject(Subject):
    """`target`: how many merges are asked for."""

    NAME = "target"
    CLUES = frozenset({Clue.MERGES})

    def evaluate(self, trainer: Trainer) -> Value:
        """How many, from the start."""
        return _number(trainer.target)


class StopSubject(Subject):
    """`stop`: why training ends here."""

    NAME = "stop"
    CAN_BE_ASKED = False
    IN_PROSE = False

    @classmethod
    def parse_value(cls, parser: LineParser) -> Value:
        return PlainValue.parse_stop_reason(parser)

    def evaluate(self, trainer: Trainer) -> Value:
        """The reason, or `none` if it does not end, or has been run further."""
        stop = trainer.stop
        return PlainValue("none" if stop is None else str(stop))


@dataclass(frozen=True, slots=True)
class LessonSubject(Subject):
    """`lesson NAME`: the number of a lesson that comes with the program."""

    NAME = "lesson"
    CAN_BE_ASKED = False
    slug: str

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        return cls(parser.text(_("the name of a lesson")))

    def evaluate(self, trainer: Trainer) -> Value:
        """Its number."""
        for entry in entries(LANGUAGES[0]):
            if entry.slug == self.slug:
                return _number(entry.number)
        raise NoValue(_("there is no such lesson"))

    @property
    def operands(self) -> str:
        return quoted(self.slug)


SUBJECTS: Final[dict[str, type[Subject]]] = {
    subject.NAME: subject
    for subject in (
        MergeSubject,
        CountedSubject,
        ReplacedSubject,
        NextSubject,
        TieSubject,
        TiedSubject,
        WinnerSubject,
        DivergenceSubject,
        CountSubject,
        TokenSubject,
        WordSubject,
        TokensSubject,
        LengthSubject,
        IdsSubject,
        LongestMatchSubject,
        PreTokensSubject,
        WordCountSubject,
        DecodedSubject,
        VocabularySubject,
        AlphabetSubject,
        WordsSubject,
        WordTotalSubject,
        CorpusSubject,
        PairsSubject,
        MergesSubject,
        TargetSubject,
        StopSubject,
        LessonSubject,
    )
}
"""All subjects, by name."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A subject and the value that it must have."""

    subject: Subject
    value: Value | None
    """None for `?`: it is still to be filled in."""

    @classmethod
    def parse(cls, parser: LineParser) -> Self:
        subject = parse_subject(parser)
        if not parser.mark(":"):
            message = _("a colon is missing after {subject!r}; a statement is written `SUBJECT: VALUE`")
            raise parser.error(message.format(subject=str(subject)))
        return cls(subject, None if parser.keyword(OPEN) else subject.parse_value(parser))

    def corrected(self, actual: Value) -> Claim:
        """The claim as it would be true."""
        return Claim(self.subject, actual if self.value is None else corrected(self.value, actual))

    def __str__(self) -> str:
        return f"{self.subject}: {OPEN if self.value is None else self.value}"


def parse_subject(parser: LineParser) -> Subject:
    """The subject that comes next. Raises `LessonSyntaxError`."""
    name = parser.text(_("what the statement is about"))
    if name not in SUBJECTS:
        if meant := get_close_matches(name, SUBJECTS, 1):
            message = _("nothing can be said of {name!r}; did you mean {meant!r}?")
            raise parser.error(message.format(name=name, meant=meant[0]))
        message = _("nothing can be said of {name!r}; subjects are {names}")
        raise parser.error(message.format(name=name, names=", ".join(SUBJECTS)))
    plural_name = f"{name}s"
    if parser.mark_is_next(":") and plural_name in SUBJECTS and not fields(SUBJECTS[plural_name]):
        message = _("{name!r} needs to name one; did you mean {meant!r}?")
        raise parser.error(message.format(name=name, meant=plural_name))
    return SUBJECTS[name].parse(parser)


def parse_value_in_prose(text: str, line: int) -> Subject:
    """The subject in `{…}`, whose value is shown in running text. Raises `LessonSyntaxError`."""
    parser = LineParser(text, line)
    subject = parse_subject(parser)
    parser.end()
    if not subject.IN_PROSE:
        message = _("{subject} has no value for running text; a number, a text, tokens or a pair has")
        raise parser.error(message.format(subject=subject.NAME))
    return subject


# -- operands ------------------------------------------------------------------------------------------------------


def parse_encoding(parser: LineParser) -> tuple[str, Dropout | None]:
    """`unknown=POLICY`, `token` if it is not there, and `dropout=RATE` with `seed=N`, 0 if it is not there.

    Raises `LessonSyntaxError`, as all these do.
    """
    settings: dict[str, str] = {}
    while (setting := parser.setting()) is not None:
        name, value = setting
        if name not in ("unknown", "dropout", "seed") or (name == "unknown" and value not in UNKNOWN_POLICIES):
            message = _("{setting!r} is not allowed here; write unknown= and one of {names}, or dropout= and seed=")
            raise parser.error(message.format(setting=f"{name}={value}", names=", ".join(UNKNOWN_POLICIES)))
        settings[name] = value
    unknown = settings.get("unknown", "token")
    if "dropout" not in settings:
        if "seed" in settings:
            raise parser.error(_("{flag} only has a meaning with {other}").format(flag="seed=", other="dropout="))
        return unknown, None
    try:
        return unknown, Dropout(float(settings["dropout"]), int(settings.get("seed", "0")))
    except ValueError:
        raise parser.error(_("dropout= takes a number from 0 to 1, and seed= a whole number")) from None
    except OptionError as error:
        raise parser.error(str(error)) from None


def parse_pre_tokenizer(parser: LineParser) -> str:
    """The name of a pre-tokenizer."""
    name = parser.text(_("the name of a pre-tokenizer"))
    if name not in PRE_TOKENIZERS:
        message = _("there is no pre-tokenizer {name!r}; there are {names}")
        raise parser.error(message.format(name=name, names=", ".join(PRE_TOKENIZERS)))
    return name


def parse_tie_rule(parser: LineParser) -> str:
    """The name of a tie rule."""
    rule = parser.text(_("a tie rule"))
    if rule not in TIE_RULES:
        message = _("{rule!r} is no tie rule; there are {names}")
        raise parser.error(message.format(rule=rule, names=", ".join(TIE_RULES)))
    return rule


# -- values --------------------------------------------------------------------------------------------------------


def pre_tokens(text: str, trainer: Trainer, pre_tokenizer: str | None = None) -> list[str]:
    """The pre-tokens of `text`, written as the tokens show them, by the trainer's pre-tokenizer or another one."""
    options = trainer.options
    if pre_tokenizer is not None:
        options = options.replace(pre_tokenizer=pre_tokenizer)
    return [alphabet_text(word, options) for word in make_pre_tokenizer(options).split(text)]


def too_few_merges(trainer: Trainer) -> str:
    """That fewer merges are made than are talked about."""
    return plural("only {count} merge is made", "only {count} merges are made", trainer.position)


def token_ids(trainer: Trainer, texts: Iterable[str]) -> list[int]:
    """The ids of tokens. Raises `NoValue` if one of them is no token at this moment."""
    ids = []
    for text in texts:
        token = trainer.id_of(text)
        if token is None:
            raise NoValue(_("{text!r} is no token at this moment").format(text=text))
        ids.append(token)
    return ids


def occurrences_sentence(trainer: Trainer, texts: Sequence[str]) -> str:
    """Where the count of a pair or a token comes from, `u + n: pun×12 + bun×4 = 16`; empty if it does not occur.

    Raises `NoValue` if a text is no token at this moment.
    """
    ids = token_ids(trainer, texts)
    found = trainer.token_words(*ids) if len(ids) == 1 else trainer.pair_words(*ids)
    name = " + ".join(map(visible, texts))
    if not found.total:
        return ""
    counts = trainer.words.counts
    parts = [
        f"{visible(trainer.word(index).text)}×{number(counts[index])}" + (f"×{times}" if times > 1 else "")
        for index, times in zip(found.indices[:MOST_WORDS].tolist(), found.occurrences.tolist(), strict=False)
    ]
    more = ["…"] if found.indices.size > MOST_WORDS else []
    return f"{name}: {' + '.join([*parts, *more])} = {number(found.total)}"


def _halves(value: Value) -> tuple[str, ...]:
    assert isinstance(value, PairValue)
    return value.left, value.right


def _pair_value(pair: LeadingPair | None) -> Value:
    if pair is None:
        raise NoValue(_("no pair is left"))
    return PairValue(pair.left, pair.right, pair.token, pair.count, None, pair.tied)


def _tokens_value(tokens: Iterable[Token]) -> TokensValue:
    return TokensValue(tuple(TokenValue(token.text, token.unknown) for token in tokens))


def _number(value: int) -> PlainValue:
    return PlainValue(str(value))
