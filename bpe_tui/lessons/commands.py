"""The commands of a `bpe` block, one a line and one class each: how it is parsed, and what it does."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import ClassVar, Final, Self

from bpe_tui.core.corpus.alphabet import bytes_to_chars, utf8
from bpe_tui.core.display import displayable, visible
from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.encoding.replay import Dropout, trace
from bpe_tui.core.errors import BpeError, EncodeError
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.options import TIE_RULES, UNKNOWN_POLICIES
from bpe_tui.core.readable import AS_IN_FILES
from bpe_tui.core.teaching.divergence import TrainingSnapshot, divergences, winners
from bpe_tui.core.teaching.explain import counted_sentence, dropped_note, picked_sentence, rule_reason, step_sentence
from bpe_tui.core.teaching.longest_match import longest_match
from bpe_tui.core.teaching.token_facts import read_back
from bpe_tui.core.teaching.why_not import why_not_one_token
from bpe_tui.core.training.rows import PairRow, TokenRow
from bpe_tui.core.training.states import Phase
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.results import ColumnHead, CommandResult, Failure, Output, Sentence, TextTable
from bpe_tui.lessons.subjects import (
    AlphabetSubject,
    Claim,
    CorpusSubject,
    CountedSubject,
    CountSubject,
    IdsSubject,
    LengthSubject,
    LongestMatchSubject,
    MergesSubject,
    MergeSubject,
    NextSubject,
    PairsSubject,
    PreTokensSubject,
    ReplacedSubject,
    Subject,
    TiedSubject,
    TokensSubject,
    TokenSubject,
    VocabularySubject,
    WinnerSubject,
    WordCountSubject,
    WordsSubject,
    WordSubject,
    WordTotalSubject,
    occurrences_sentence,
    parse_encoding,
    parse_pre_tokenizer,
    parse_tie_rule,
    pre_tokens,
    token_ids,
    too_few_merges,
)
from bpe_tui.lessons.syntax import LineParser, quoted
from bpe_tui.lessons.training_setup import TrainingSetup, checked_settings
from bpe_tui.lessons.workspace import Workspace

MOST_MERGES: Final = 20
"""So many merges made by one command are listed one by one."""


PANES: Final = ("corpus", "pairs", "vocabulary", "merges", "algorithm", "curve")
"""The panes of the app, in the order of their keys."""


class CannotRun(BpeError):
    """A command does not fit this moment."""


class NotTrue(BpeError):
    """A statement is not true."""

    def __init__(self, message: str, claim: Claim) -> None:
        super().__init__(message)
        self.claim = claim
        """As it would be true."""


@dataclass(frozen=True, slots=True)
class LessonCommand(ABC):
    """One line of a block."""

    line: int = field(compare=False)
    """Of the file."""
    text: str
    """As it is written there."""

    NAME: ClassVar[str]
    """Its first word; for a table `show` and what it shows."""
    MOVES: ClassVar[bool] = False
    """Does it bring the trainer to another place?"""
    STAYS: ClassVar[bool] = False
    """Is that place within the same merge, so that the same comes next and texts have the same tokens?"""
    PANE: ClassVar[str | None] = None
    """The pane in which the app shows live what it shows."""

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        """The command whose name was taken, with the operands that come next. Raises `LessonSyntaxError`."""
        return cls(parser.line, text)

    @abstractmethod
    def run(self, workspace: Workspace) -> list[Output]:
        """Carry it out; what it shows. Raises `BpeError`."""

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The subjects whose values it has shown; `trainer` is where it has left it."""
        return ()

    def result(self, workspace: Workspace) -> CommandResult:
        """Carry it out; if it fails, that is in the result."""
        try:
            outputs = tuple(self.run(workspace))
        except BpeError as error:
            correction = f"{self.NAME} {error.claim}" if isinstance(error, NotTrue) else None
            failure = Failure(self.line, displayable(self.failure_sentence(error)), correction)
            return CommandResult(self, failure=failure)
        return CommandResult(self, outputs, frozenset(self.reveals(workspace.trainer)))

    def failure_sentence(self, error: BpeError) -> str:
        """`expected … but …`."""
        return _("expected to {command}, but {why}").format(command=self.text, why=error)


# -- commands that move --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenCommand(LessonCommand):
    """`open CORPUS [option=value …]`: train on this corpus, from the start."""

    NAME = "open"
    MOVES = True
    setup: TrainingSetup

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        corpus = parser.text(_("the name of a corpus"))
        settings = []
        while parser.more:
            setting = parser.setting()
            if setting is None:
                message = _("options follow a corpus as name=value, not {word!r}")
                raise parser.error(message.format(word=parser.text(_("an option"))))
            settings.append(setting)
        return cls(parser.line, text, TrainingSetup(corpus, checked_settings(settings, parser.line), parser.line))

    def run(self, workspace: Workspace) -> list[Output]:
        workspace.open(self.setup)
        trainer = workspace.trainer
        words, options = trainer.words, trainer.options
        symbols = len(trainer.base.alphabet)
        message = _("{name}: {words}, {distinct}, {symbols}; pre-tokenizer {pre_tokenizer}, ties {ties}.")
        return [
            Sentence(
                message.format(
                    name=displayable(workspace.corpus.name),
                    words=plural("{count} word", "{count} words", sum(words.counts)),
                    distinct=plural("{count} of them distinct", "{count} of them distinct", len(words.words)),
                    symbols=plural("an alphabet of {count} symbol", "an alphabet of {count} symbols", symbols),
                    pre_tokenizer=options.pre_tokenizer,
                    ties=options.ties,
                )
            )
        ]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The figures of the corpus."""
        return (WordsSubject(), WordTotalSubject(), AlphabetSubject())


@dataclass(frozen=True, slots=True)
class StepCommand(LessonCommand):
    """`step [N]`: merges forward."""

    NAME = "step"
    MOVES = True
    count: int

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, _number_of_merges(parser))

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        first = trainer.position
        for _count in range(self.count):
            if trainer.step() is None:
                raise CannotRun(_why_no_more(trainer))
        return _merges_made(trainer, first)

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The merges made, unless they are too many."""
        return _merges_revealed(trainer.position - self.count, trainer.position)


@dataclass(frozen=True, slots=True)
class UndoCommand(LessonCommand):
    """`undo [N]`: merges back."""

    NAME = "undo"
    MOVES = True
    count: int

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, _number_of_merges(parser))

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        if self.count > trainer.position:
            raise CannotRun(too_few_merges(trainer))
        return _go_to(trainer, trainer.position - self.count)


@dataclass(frozen=True, slots=True)
class GotoCommand(LessonCommand):
    """`goto N`: to the moment after that many merges."""

    NAME = "goto"
    MOVES = True
    merges: int

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, parser.number(_("the number of a merge")))

    def run(self, workspace: Workspace) -> list[Output]:
        return _go_to(workspace.trainer, self.merges)

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """How many merges are made, and which."""
        return (MergesSubject(), *_merges_revealed(0, self.merges))


class CountCommand(LessonCommand):
    """`count`: into the next merge, up to where the pairs are counted."""

    NAME = "count"
    MOVES = STAYS = True

    def run(self, workspace: Workspace) -> list[Output]:
        _go_to_phase(workspace.trainer, Phase.COUNTED)
        return [Sentence(counted_sentence(workspace.trainer, AS_IN_FILES))]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The pair that leads alone; of a tie only how many share it."""
        leader = trainer.leader()
        if leader is not None and leader.tied == 1:
            return (PairsSubject(), *_leader_revealed(trainer))
        return (PairsSubject(), TiedSubject())


class PickCommand(LessonCommand):
    """`pick`: into the next merge, up to where its pair is picked."""

    NAME = "pick"
    MOVES = STAYS = True

    def run(self, workspace: Workspace) -> list[Output]:
        _go_to_phase(workspace.trainer, Phase.PICKED)
        return [Sentence(picked_sentence(workspace.trainer, AS_IN_FILES))]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The pair that leads."""
        return _leader_revealed(trainer)


@dataclass(frozen=True, slots=True)
class ChooseCommand(LessonCommand):
    """`choose LEFT RIGHT`: merge this pair, whatever the rule says."""

    NAME = "choose"
    MOVES = True
    left: str
    right: str

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, *parser.pair())

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        left, right = token_ids(trainer, (self.left, self.right))
        trainer.choose(left, right)
        return [Sentence(step_sentence(trainer, AS_IN_FILES))]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The merge made."""
        return _merges_revealed(trainer.position - 1, trainer.position)


@dataclass(frozen=True, slots=True)
class TiesCommand(LessonCommand):
    """`ties RULE`: another tie rule from here on."""

    NAME = "ties"
    MOVES = True
    rule: str

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, parse_tie_rule(parser))

    def run(self, workspace: Workspace) -> list[Output]:
        workspace.trainer.set_ties(self.rule)
        return [Sentence(_("From here on, {rule} decides ties.").format(rule=self.rule))]


@dataclass(frozen=True, slots=True)
class CheckpointCommand(LessonCommand):
    """`checkpoint NAME`: give this moment a name."""

    NAME = "checkpoint"
    name: str

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, parser.text(_("the name of a checkpoint")))

    def run(self, workspace: Workspace) -> list[Output]:
        workspace.checkpoints[self.name] = workspace.moment
        return []


@dataclass(frozen=True, slots=True)
class BackCommand(LessonCommand):
    """`back to NAME`: to a moment that has a name, with the corpus of that moment."""

    NAME = "back"
    MOVES = True
    name: str

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        if not parser.keyword("to"):
            raise parser.error(_("write `back to NAME`, with the name of a checkpoint"))
        return cls(parser.line, text, parser.text(_("the name of a checkpoint")))

    def run(self, workspace: Workspace) -> list[Output]:
        workspace.go_to(workspace.checkpoints[self.name])
        return [Sentence(_back_sentence(workspace.trainer.position))]


def _number_of_merges(parser: LineParser) -> int:
    return parser.number(_("the number of merges"), 1) if parser.more else 1


def _go_to(trainer: Trainer, merges: int) -> list[Output]:
    first = trainer.position
    trainer.goto(merges)
    if trainer.position != merges:
        raise CannotRun(_why_no_more(trainer))
    return _merges_made(trainer, first) if merges > first else [Sentence(_back_sentence(merges))]


def _go_to_phase(trainer: Trainer, phase: Phase) -> None:
    if trainer.phase in (Phase.READY, Phase.MERGED):
        trainer.step_phase()
    if phase is Phase.PICKED and trainer.phase is Phase.COUNTED:
        trainer.step_phase()
    if trainer.phase is not phase:
        raise CannotRun(_("the pair is picked already") if trainer.phase is Phase.PICKED else _why_no_more(trainer))


def _leader_revealed(trainer: Trainer) -> list[Subject]:
    """What there is to know of the pair that is merged next."""
    leader = trainer.leader()
    if leader is None:
        return []
    rule = WinnerSubject(trainer.options.ties)
    return [NextSubject(), rule, TiedSubject(), CountSubject(leader.left, leader.right)]


def _merges_revealed(first: int, last: int) -> list[Subject]:
    """What there is to know of merges that are listed, from rank `first` up to, not including, `last`."""
    if last - first > MOST_MERGES:
        return [MergesSubject()]
    of_a_merge = (MergeSubject, CountedSubject, ReplacedSubject)
    return [subject(number) for number in range(first + 1, last + 1) for subject in of_a_merge]


def _why_no_more(trainer: Trainer) -> str:
    """Why there is no other merge."""
    if not trainer.pair_count:
        return _("no pair is left")
    return _("the best pair left occurs less often than the minimum frequency")


def _merges_made(trainer: Trainer, first: int) -> list[Output]:
    """The merges from rank `first` on: one as a sentence, several as a table, too many as a sentence again."""
    last = trainer.position
    if last - first == 1:
        return [Sentence(step_sentence(trainer, AS_IN_FILES))]
    if last - first > MOST_MERGES:
        message = _("Made the merges {first} to {last}.")
        return [Sentence(message.format(first=number(first + 1), last=number(last)))]
    return [_merge_table(trainer, first, last)] if last > first else []


def _back_sentence(merges: int) -> str:
    """Where a way back has led."""
    if not merges:
        return _("Back at the start, before any merge.")
    return _("Back at the moment after merge {number}.").format(number=number(merges))


# -- commands that look --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SelectCommand(LessonCommand):
    """`select LEFT RIGHT`, `select TOKEN`: look at this pair or token, and where its count comes from."""

    NAME = "select"
    PANE = "corpus"
    selected: tuple[str, ...]
    """The halves of a pair, or one token."""

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        first = parser.text(_("a pair or a token"))
        if not (parser.mark("+") or parser.more):
            return cls(parser.line, text, (first,))
        return cls(parser.line, text, (first, parser.text(_("the right half of a pair"))))

    def run(self, workspace: Workspace) -> list[Output]:
        """`u + n: pun×12 + bun×4 = 16`."""
        evidence = occurrences_sentence(workspace.trainer, self.selected)
        if not evidence and len(self.selected) == 1:
            raise CannotRun(_("this token does not occur in the corpus as it is split now"))
        if not evidence:
            raise CannotRun(_("this pair does not occur in the corpus as it is split now"))
        workspace.selected = self.selected
        return [Sentence(evidence)]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """Its count."""
        return [TokenSubject(*self.selected) if len(self.selected) == 1 else CountSubject(*self.selected)]


@dataclass(frozen=True, slots=True)
class PanesCommand(LessonCommand):
    """`panes NAME …`: from here on the app shows these panes only; `panes all` and `panes none`."""

    NAME = "panes"
    panes: tuple[str, ...]

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, parse_panes(parser))

    def run(self, workspace: Workspace) -> list[Output]:
        workspace.panes = self.panes
        return []


@dataclass(frozen=True, slots=True)
class OutsideCommand(LessonCommand):
    """`outside FIGURE … ["source"]`: figures that prose mentions and nothing here computes."""

    NAME = "outside"
    figures: tuple[str, ...]
    """In digits only, with a point where there are decimals."""

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        found: list[str] = []
        while parser.more or not found:
            word = parser.word(_("a figure"))
            if not word.quoted:
                figure = re.sub(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))", "", word.text)
                if not re.fullmatch(r"\d+([.]\d+)?", figure):
                    message = _("{text!r} is no figure; write digits, such as 50,257 or 38.6, and a source in quotes")
                    raise parser.error(message.format(text=word.text))
                found.append(figure)
            parser.mark(",")
        return cls(parser.line, text, tuple(found))

    def run(self, workspace: Workspace) -> list[Output]:
        return []


@dataclass(frozen=True, slots=True)
class EncodingCommand(LessonCommand):
    """What encodes a text at this moment, with `unknown=POLICY`, `dropout=RATE` and `seed=N` if they are there."""

    encoded: str
    unknown: str
    dropout: Dropout | None

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, parser.text(_("the text to encode")), *parse_encoding(parser))

    def show_in_app(self, workspace: Workspace) -> None:
        """Let the app encode the text, too, which it does without dropout."""
        if self.dropout is None:
            workspace.text, workspace.unknown = self.encoded, self.unknown

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The tokens."""
        of = self.encoded, self.unknown, self.dropout
        return (TokensSubject(*of), LengthSubject(*of))


class EncodeCommand(EncodingCommand):
    """`encode TEXT`: the tokens of a text."""

    NAME = "encode"

    def run(self, workspace: Workspace) -> list[Output]:
        """`thug → [UNK] hug`."""
        self.show_in_app(workspace)
        subject = TokensSubject(self.encoded, self.unknown, self.dropout)
        how = [] if self.unknown == "token" else [self.unknown]
        if self.dropout is not None:
            seed = _("seed {seed}").format(seed=number(self.dropout.seed))
            how += [_("dropout {rate}").format(rate=number(self.dropout.rate, "g")), seed]
        notes = f" ({', '.join(how)})" if how else ""
        return [
            Sentence(f"{displayable(quoted(self.encoded))} → {_in_a_row(subject.encoded(workspace.trainer))}{notes}")
        ]


class TraceCommand(EncodingCommand):
    """`trace TEXT`: the merges that fire in a text, one after the other, and those that dropout leaves out."""

    NAME = "trace"

    def run(self, workspace: Workspace) -> list[Output]:
        self.show_in_app(workspace)
        words, replay = trace(Encoder(workspace.trainer), self.encoded, unknown=self.unknown, dropout=self.dropout)
        rows = [("-", "-")]
        for fired in replay.rows:
            pair = AS_IN_FILES.pair(fired.merge.left, fired.merge.right)
            dropped = dropped_note(fired)
            rows.append((number(fired.merge.rank + 1), f"{pair} ({dropped})" if dropped else pair))
        heads = (_numbers(_("merge")), ColumnHead(_("pair")), ColumnHead(_("tokens")))
        states = (words.with_distinct(replay.all_tokens(row)).tokens() for row in range(len(rows)))
        return [TextTable(heads, tuple((*row, _in_a_row(tokens)) for row, tokens in zip(rows, states, strict=True)))]


@dataclass(frozen=True, slots=True)
class WhyCommand(LessonCommand):
    """`why TEXT`: why this word isn't one token."""

    NAME = "why"
    encoded: str

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, parser.text(_("a word")))

    def run(self, workspace: Workspace) -> list[Output]:
        workspace.text = self.encoded
        encoder = Encoder(workspace.trainer)
        return [
            Sentence(sentence)
            for span in encoder.spans(self.encoded)
            for sentence in why_not_one_token(encoder, self.encoded, span, AS_IN_FILES)
        ]


@dataclass(frozen=True, slots=True)
class ExpectCommand(LessonCommand):
    """`expect SUBJECT: VALUE`: what must be true now."""

    NAME = "expect"
    claim: Claim

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, Claim.parse(parser))

    def run(self, workspace: Workspace) -> list[Output]:
        actual = self.claim.subject.evaluate(workspace.trainer)
        if self.claim.value is None or not self.claim.value.agrees(actual):
            message = _("expected {claim}, but it is {actual}")
            raise NotTrue(message.format(claim=self.claim, actual=actual), self.claim.corrected(actual))
        return []

    def failure_sentence(self, error: BpeError) -> str:
        """What is not true; or why it cannot be verified."""
        if isinstance(error, NotTrue):
            return str(error)
        return _("expected {claim}, but {why}").format(claim=self.claim, why=error)


def parse_panes(parser: LineParser) -> tuple[str, ...]:
    """Names of panes up to the end of the line, or `all` or `none`. Raises `LessonSyntaxError`."""
    if parser.keyword("all"):
        return PANES
    if parser.keyword("none"):
        return ()
    names: list[str] = []
    while parser.more or not names:
        name = parser.text(_("the name of a pane"))
        if name not in PANES:
            message = _("there is no pane {name!r}; panes are {names}, or all, or none")
            raise parser.error(message.format(name=name, names=", ".join(PANES)))
        names.append(name)
        parser.mark(",")
    return tuple(pane for pane in PANES if pane in names)


# -- tables --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListCommand(LessonCommand):
    """`show LIST [N]`: something of the training, at most so many rows of it."""

    limit: int | None

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, parser.number(_("the number of rows"), 1) if parser.more else None)


class ShowWords(ListCommand):
    """`show words [N]`: the words as they are split now; the first ones."""

    NAME = "show words"
    PANE = "corpus"

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        rows = [trainer.word(index) for index in range(trainer.word_count)[: self.limit]]
        return [
            TextTable(
                (_figures(_("count")), ColumnHead(_("word"))),
                tuple(
                    (number(row.count), " ".join(visible(trainer.texts[token]) for token in row.tokens)) for row in rows
                ),
                trainer.word_count - len(rows),
            )
        ]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """How many words there are, and how those in view are split."""
        yield WordsSubject()
        for index in range(trainer.word_count)[: self.limit]:
            yield WordSubject(trainer.word(index).text)
            yield WordSubject(trainer.words.words[index])


class ShowPairs(ListCommand):
    """`show pairs [N]`: the ranking of pairs, and what the last merge has done to them; the first ones."""

    NAME = "show pairs"
    PANE = "pairs"

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        total = trainer.pair_count
        rows = trainer.pairs(0, total if self.limit is None else self.limit)
        return [
            TextTable(
                (
                    _numbers(_("place")),
                    ColumnHead(_("pair")),
                    ColumnHead(_("token")),
                    _figures(_("count")),
                    ColumnHead(""),
                ),
                tuple(
                    (
                        number(row.place),
                        AS_IN_FILES.pair(row.left, row.right),
                        visible(row.token),
                        number(row.count),
                        self._change(row),
                    )
                    for row in rows
                ),
                total - len(rows),
            )
        ]

    @staticmethod
    def _change(row: PairRow) -> str:
        """What the last merge did to a pair."""
        if row.is_new:
            return _("new")
        if row.change is None:
            return ""
        return f"+{number(row.change)}" if row.change > 0 else f"−{number(-row.change)}"

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The pair that leads, and the counts of those in view."""
        yield PairsSubject()
        yield from _leader_revealed(trainer)
        for row in trainer.pairs(0, trainer.pair_count if self.limit is None else self.limit):
            yield CountSubject(row.left, row.right)


class ShowVocabulary(ListCommand):
    """`show vocabulary [N]`: the vocabulary; the last tokens."""

    NAME = "show vocabulary"
    PANE = "vocabulary"

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        total = trainer.vocab_size
        first = 0 if self.limit is None else max(0, total - self.limit)
        rows = [trainer.token(token) for token in range(first, total)]
        return [
            TextTable(
                (_numbers(_("id")), ColumnHead(_("token")), _figures(_("count")), ColumnHead(_("from"))),
                tuple((str(row.id), visible(row.text), number(row.count), self._origin(row)) for row in rows),
                first,
            )
        ]

    @staticmethod
    def _origin(row: TokenRow) -> str:
        if row.merge is None:
            return _("special token") if row.origin == "special" else _("alphabet")
        pair = AS_IN_FILES.pair(row.merge.left, row.merge.right)
        return _("{pair}, merge {number}").format(pair=pair, number=number(row.merge.rank + 1))

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """How many tokens there are, and the counts of those in view."""
        yield VocabularySubject()
        first = 0 if self.limit is None else max(0, trainer.vocab_size - self.limit)
        for token in range(first, trainer.vocab_size):
            yield TokenSubject(trainer.texts[token])


class ShowMerges(ListCommand):
    """`show merges [N]`: the merge log; the last ones."""

    NAME = "show merges"
    PANE = "merges"

    def run(self, workspace: Workspace) -> list[Output]:
        last = workspace.trainer.position
        first = 0 if self.limit is None else max(0, last - self.limit)
        return [_merge_table(workspace.trainer, first, last, left_out=first)]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The merges in view."""
        last = trainer.position
        return (MergesSubject(), *_merges_revealed(0 if self.limit is None else max(0, last - self.limit), last))


@dataclass(frozen=True, slots=True)
class TextCommand(LessonCommand):
    """`show WHAT TEXT`: something about a text."""

    encoded: str

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        return cls(parser.line, text, parser.text(_("the text")))


class ShowTokens(TextCommand):
    """`show tokens TEXT`: the tokens of a text, with ids and what each stands for."""

    NAME = "show tokens"

    def run(self, workspace: Workspace) -> list[Output]:
        tokens = Encoder(workspace.trainer).encode(self.encoded)
        return [
            TextTable(
                (ColumnHead(_("token")), _numbers(_("id")), ColumnHead(_("stands for"))),
                tuple(
                    (
                        visible(token.text),
                        _("none") if token.id is None else str(token.id),
                        visible(self.encoded[token.start : token.end]),
                    )
                    for token in tokens
                ),
            )
        ]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """Tokens and ids."""
        return (TokensSubject(self.encoded), LengthSubject(self.encoded), IdsSubject(self.encoded))


class ShowBytes(TextCommand):
    """`show bytes TEXT`: the characters of a text, their bytes, and the symbols for these."""

    NAME = "show bytes"

    def run(self, workspace: Workspace) -> list[Output]:
        return [
            TextTable(
                (
                    ColumnHead(_("character")),
                    ColumnHead(_("code point")),
                    ColumnHead(_("bytes")),
                    ColumnHead(_("symbols")),
                ),
                tuple(
                    (
                        visible(char),
                        f"U+{ord(char):04X}",
                        " ".join(f"{byte:02X}" for byte in utf8(char)),
                        " ".join(bytes_to_chars(utf8(char))),
                    )
                    for char in self.encoded
                ),
            )
        ]


class ShowPolicies(TextCommand):
    """`show policies TEXT`: a text under each policy for unknown symbols, and what the tokens read back as."""

    NAME = "show policies"

    def run(self, workspace: Workspace) -> list[Output]:
        encoder = Encoder(workspace.trainer)
        rows = []
        for policy in UNKNOWN_POLICIES:
            try:
                tokens = encoder.encode(self.encoded, unknown=policy)
            except EncodeError as error:
                rows.append((policy, "-", "-", displayable(str(error))))
            else:
                rows.append((policy, number(len(tokens)), displayable(read_back(encoder, tokens)), _in_a_row(tokens)))
        heads = (ColumnHead(_("policy")), _figures(_("tokens")), ColumnHead(_("reads back as")), ColumnHead(""))
        return [TextTable(heads, tuple(rows))]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The tokens under each policy."""
        return [kind(self.encoded, policy) for policy in UNKNOWN_POLICIES for kind in (TokensSubject, LengthSubject)]


class ShowLongestMatch(TextCommand):
    """`show longest-match TEXT`: its tokens by merges, and those if always the longest that fits were taken."""

    NAME = "show longest-match"

    def run(self, workspace: Workspace) -> list[Output]:
        encoder = Encoder(workspace.trainer)
        ways = {
            _("by merges"): encoder.encode(self.encoded),
            _("by longest match"): longest_match(encoder, self.encoded),
        }
        return [
            TextTable(
                (ColumnHead(_("way")), _figures(_("tokens")), ColumnHead("")),
                tuple((way, number(len(tokens)), _in_a_row(tokens)) for way, tokens in ways.items()),
            )
        ]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The tokens by both ways."""
        return (TokensSubject(self.encoded), LengthSubject(self.encoded), LongestMatchSubject(self.encoded))


@dataclass(frozen=True, slots=True)
class ShowPreTokens(LessonCommand):
    """`show pre-tokens TEXT [by NAME …]`: how a text is split into words; by these pre-tokenizers, to compare them."""

    NAME = "show pre-tokens"
    encoded: str
    pre_tokenizers: tuple[str, ...]

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        encoded, names = parser.text(_("the text")), []
        if parser.keyword("by"):
            names.append(parse_pre_tokenizer(parser))
            while parser.more:
                names.append(parse_pre_tokenizer(parser))
        return cls(parser.line, text, encoded, tuple(names))

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        rows = []
        for name in self.pre_tokenizers or (None,):
            found = pre_tokens(self.encoded, trainer, name)
            label = name or trainer.options.pre_tokenizer
            rows.append((label, number(len(found)), " ".join(map(visible, found))))
        return [TextTable((ColumnHead(_("pre-tokenizer")), _figures(_("words")), ColumnHead("")), tuple(rows))]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The words by each pre-tokenizer."""
        own = trainer.options.pre_tokenizer
        for name in self.pre_tokenizers or (own,):
            for each in (name, None) if name == own else (name,):
                yield PreTokensSubject(self.encoded, each)
                yield WordCountSubject(self.encoded, each)


class ShowTies(LessonCommand):
    """`show ties`: which pair each tie rule would merge now."""

    NAME = "show ties"

    def run(self, workspace: Workspace) -> list[Output]:
        found = winners(workspace.trainer)
        return [
            TextTable(
                (ColumnHead(_("rule")), ColumnHead(_("takes")), ColumnHead(_("because"))),
                tuple(
                    (
                        rule,
                        AS_IN_FILES.pair(pair.left, pair.right),
                        rule_reason(rule) if pair.tied > 1 else _("no other is as frequent"),
                    )
                    for rule in TIE_RULES
                    if (pair := found[rule]) is not None
                ),
            )
        ]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """What each rule takes."""
        return (NextSubject(), *map(WinnerSubject, TIE_RULES))


class ShowDivergence(LessonCommand):
    """`show partings`: where each other tie rule would first diverge from this training."""

    NAME = "show partings"

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        ours = trainer.options.ties
        rules = [rule for rule in TIE_RULES if rule != ours]
        found = divergences(TrainingSnapshot.of(trainer), rules)
        rows = []
        for rule in rules:
            divergence = found[rule]
            if divergence is None:
                rows.append((rule, _("never"), "", ""))
            else:
                pairs = (AS_IN_FILES.pair(*divergence.ours), AS_IN_FILES.pair(*divergence.theirs))
                rows.append((rule, number(divergence.number), *pairs))
        return [
            TextTable(
                (
                    ColumnHead(_("rule")),
                    _figures(_("diverges at merge")),
                    ColumnHead(_("{rule} takes").format(rule=ours)),
                    ColumnHead(_("it takes")),
                ),
                tuple(rows),
            )
        ]


@dataclass(frozen=True, slots=True)
class ShowCurve(LessonCommand):
    """`show curve [N …]`: how long the corpus is after each merge; after these."""

    NAME = "show curve"
    PANE = "curve"
    merges: tuple[int, ...]

    @classmethod
    def parse(cls, parser: LineParser, text: str) -> Self:
        merges = []
        while parser.more:
            merges.append(parser.number(_("the number of merges")))
        return cls(parser.line, text, tuple(merges))

    def run(self, workspace: Workspace) -> list[Output]:
        trainer = workspace.trainer
        totals = [trainer.initial_tokens]
        sizes = [trainer.base_size]
        for made in trainer.steps[: trainer.position]:
            totals.append(totals[-1] - made.replaced)
            sizes.append(sizes[-1] + (not made.reused))
        words = sum(trainer.words.counts)
        size = sum(
            len(utf8(word)) * count for word, count in zip(trainer.words.words, trainer.words.counts, strict=True)
        )
        moments = sorted({merges for merges in self.merges if merges < len(totals)}) or range(len(totals))
        return [
            TextTable(
                (
                    _figures(_("merges")),
                    _figures(_("vocabulary")),
                    _figures(_("tokens")),
                    _figures(_("tokens per word")),
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
        ]

    def reveals(self, trainer: Trainer) -> Iterable[Subject]:
        """The figures of the last moment."""
        return (MergesSubject(), VocabularySubject(), CorpusSubject())


def _merge_table(trainer: Trainer, first: int, last: int, left_out: int = 0) -> TextTable:
    """The merges of the ranks from `first` up to, not including, `last`."""
    steps = [trainer.steps[index] for index in range(first, last)]
    return TextTable(
        (
            _numbers(_("merge")),
            ColumnHead(_("pair")),
            ColumnHead(_("token")),
            _figures(_("counted")),
            _figures(_("replaced")),
            _figures(_("tied")),
            ColumnHead(""),
        ),
        tuple(
            (
                number(step.number),
                AS_IN_FILES.pair(step.merge.left, step.merge.right),
                visible(step.merge.token),
                number(step.counted),
                number(step.replaced),
                number(step.tied) if step.tied > 1 else "-",
                _("own choice") if step.own_choice else "",
            )
            for step in steps
        ),
        left_out,
    )


def _figures(title: str) -> ColumnHead:
    return ColumnHead(title, is_number=True)


def _numbers(title: str) -> ColumnHead:
    return ColumnHead(title, is_number=True, is_name=True)


def _in_a_row(tokens: Iterable[Token]) -> str:
    """Tokens with a space between two of them."""
    return " ".join(visible(token.text) for token in tokens)


# -- all of them ---------------------------------------------------------------------------------------------------

COMMANDS: Final[dict[str, type[LessonCommand]]] = {
    command.NAME: command
    for command in (
        OpenCommand,
        StepCommand,
        UndoCommand,
        GotoCommand,
        CountCommand,
        PickCommand,
        ChooseCommand,
        TiesCommand,
        CheckpointCommand,
        BackCommand,
        SelectCommand,
        PanesCommand,
        EncodeCommand,
        TraceCommand,
        WhyCommand,
        ShowPairs,
        ShowWords,
        ShowVocabulary,
        ShowMerges,
        ShowTokens,
        ShowBytes,
        ShowPolicies,
        ShowLongestMatch,
        ShowPreTokens,
        ShowTies,
        ShowDivergence,
        ShowCurve,
        ExpectCommand,
        OutsideCommand,
    )
}
"""All commands, by name."""


def parse_command(text: str, line: int) -> LessonCommand:
    """The command on a line. Raises `LessonSyntaxError`."""
    text = text.strip()
    parser = LineParser(text, line)
    name = parser.text(_("a command"))
    if name == "show":
        what = parser.text(_("what to show"))
        name = f"show {what}"
        if name not in COMMANDS:
            shown = [each.removeprefix("show ") for each in COMMANDS if each.startswith("show ")]
            if meant := get_close_matches(what, shown, 1):
                message = _("{what!r} cannot be shown; did you mean {meant!r}?")
                raise parser.error(message.format(what=what, meant=meant[0]))
            message = _("{what!r} cannot be shown; what can is {names}")
            raise parser.error(message.format(what=what, names=", ".join(shown)))
    elif name not in COMMANDS:
        names = dict.fromkeys(each.partition(" ")[0] for each in COMMANDS)
        if meant := get_close_matches(name, names, 1):
            message = _("there is no command {name!r}; did you mean {meant!r}?")
            raise parser.error(message.format(name=name, meant=meant[0]))
        message = _("there is no command {name!r}; commands are {names}")
        raise parser.error(message.format(name=name, names=", ".join(names)))
    command = COMMANDS[name].parse(parser, text)
    parser.end()
    return command
