"""The stage: a trainer and what is looked at, moved by the commands of a lesson, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bpe_tui.core.display import displayable, visible
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.teaching.explain import counted_sentence, picked_sentence, shown_pair, step_sentence
from bpe_tui.core.teaching.why_not import LaterMerges, why_not_one_token
from bpe_tui.core.training.states import Phase
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons import commands as c
from bpe_tui.lessons.facts import few_merges_sentence, pair_ids, value_of
from bpe_tui.lessons.places import Place
from bpe_tui.lessons.shown import Column, CommandResult, Failure, Shown, Table, Told
from bpe_tui.lessons.tables import in_a_row, merge_table, table_of
from bpe_tui.lessons.words import written

if TYPE_CHECKING:
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.lessons.lesson import Lesson
    from bpe_tui.lessons.opening import Opening

MOST_WORDS: Final = 8
"""So many words are named of those that a pair's count comes from."""
MOST_MERGES: Final = 20
"""So many merges made by one command are told one by one."""


class _Opened(NamedTuple):
    """A training that was begun."""

    corpus: Corpus
    trainer: Trainer
    rule: str
    """The tie rule that it was opened with."""


class Stage:
    """Carries out commands."""

    def __init__(self, lesson: Lesson) -> None:
        """Open what the lesson begins with. Raises `BpeError`."""
        self._lesson = lesson
        self._opened: dict[Opening, _Opened] = {}
        self.checkpoints: dict[str, Place] = {}
        self.selected: tuple[str, str] | None = None
        """The pair that is looked at, by its texts."""
        self.text: str | None = None
        """The text that is encoded."""
        self.unknown = "token"
        """The policy for its unknown symbols."""
        self.corpus: Corpus
        self.trainer: Trainer
        self.opening = lesson.opening
        self._open(lesson.opening)

    def _open(self, opening: Opening) -> None:
        """Bring in the training of `opening`, as it was left if it was opened before."""
        from bpe_tui.core.corpus.sources import count_words

        if opening not in self._opened:
            corpus, options = self._lesson.sources.find(opening)
            trainer = Trainer(count_words(corpus, options), options)
            self._opened[opening] = _Opened(corpus, trainer, options.ties)
        opened = self._opened[opening]
        self.corpus, self.trainer = opened.corpus, opened.trainer
        self.opening = opening

    @property
    def place(self) -> Place:
        """The moment where the trainer stands."""
        return Place.of(self.trainer, self.opening)

    def go_to(self, place: Place) -> None:
        """Restore a moment."""
        self._open(place.opening)
        place.restore(self.trainer)

    def look_away(self) -> None:
        """Nothing is selected and nothing encoded."""
        self.selected = self.text = None
        self.unknown = "token"

    def run(self, command: c.Command) -> CommandResult:
        """Carry out one command. What goes wrong is in the outcome."""
        try:
            return CommandResult(command, tuple(_HOW[type(command)](self, command)))
        except _Untrue as error:
            sentence = str(error)
        except BpeError as error:
            sentence = _went_wrong(command, str(error))
        return CommandResult(command, failure=Failure(command.line, displayable(sentence)))

    # -- commands that move ----------------------------------------------------------------------------------------

    def open(self, command: c.Open) -> list[Shown]:
        """`open`."""
        self._open(command.opening)
        rule = self._opened[command.opening].rule
        Place(command.opening, (), 0, Phase.READY, rule).restore(self.trainer)  # another page may have trained on it
        return [Told(opened_sentence(self.corpus, self.trainer))]

    def step(self, command: c.Step) -> list[Shown]:
        """`step`."""
        first = self.trainer.position
        for _count in range(command.count):
            if self.trainer.step() is None:
                raise _Wrong(self._end())
        return self._made(first)

    def _end(self) -> str:
        """Why there is no merge more."""
        if not self.trainer.pair_count:
            return _("no pair is left")
        return _("the best pair left occurs less often than the minimum frequency")

    def _made(self, first: int) -> list[Shown]:
        """The merges from rank `first` on: one as a sentence, several as a table, too many as a sentence again."""
        last = self.trainer.position
        if last - first == 1:
            return [Told(step_sentence(self.trainer))]
        if last - first > MOST_MERGES:
            told = _("Made the merges {first} to {last}.")
            return [Told(told.format(first=number(first + 1), last=number(last)))]
        return [merge_table(self.trainer, first, last)] if last > first else []

    def undo(self, command: c.Undo) -> list[Shown]:
        """`undo`."""
        if command.count > self.trainer.position:
            raise _Wrong(few_merges_sentence(self.trainer))
        return self._goto(self.trainer.position - command.count)

    def goto(self, command: c.Goto) -> list[Shown]:
        """`goto`."""
        return self._goto(command.merges)

    def _goto(self, merges: int) -> list[Shown]:
        first = self.trainer.position
        self.trainer.goto(merges)
        if self.trainer.position != merges:
            raise _Wrong(self._end())
        return self._made(first) if merges > first else [Told(back_sentence(merges))]

    def phase(self, command: c.PhaseTo) -> list[Shown]:
        """`count` and `pick`."""
        if self.trainer.phase in (Phase.READY, Phase.MERGED):
            self.trainer.step_phase()
        if command.phase is Phase.PICKED and self.trainer.phase is Phase.COUNTED:
            self.trainer.step_phase()
        if self.trainer.phase is not command.phase:
            raise _Wrong(_("the pair is picked already") if self.trainer.phase is Phase.PICKED else self._end())
        return [Told((counted_sentence if command.phase is Phase.COUNTED else picked_sentence)(self.trainer))]

    def choose(self, command: c.Choose) -> list[Shown]:
        """`choose`."""
        self.trainer.choose(*pair_ids(self.trainer, command.left, command.right))
        return [Told(step_sentence(self.trainer))]

    def ties(self, command: c.Ties) -> list[Shown]:
        """`ties`."""
        self.trainer.set_ties(command.rule)
        return [Told(_("From here on, {rule} decides ties.").format(rule=command.rule))]

    def checkpoint(self, command: c.Checkpoint) -> list[Shown]:
        """`checkpoint`."""
        self.checkpoints[command.name] = self.place
        return []

    def back_to(self, command: c.BackTo) -> list[Shown]:
        """`back to`."""
        self.go_to(self.checkpoints[command.name])
        return [Told(back_sentence(self.trainer.position))]

    # -- commands that look ----------------------------------------------------------------------------------------

    def select(self, command: c.Select) -> list[Shown]:
        """`select`."""
        trainer = self.trainer
        found = trainer.pair_words(*pair_ids(trainer, command.left, command.right))
        if not found.total:
            raise _Wrong(_("this pair does not occur in the corpus as it is split now"))
        self.selected = (command.left, command.right)
        counts = trainer.words.counts
        parts = [
            f"{visible(trainer.word(index).text)}×{number(counts[index])}" + (f"×{times}" if times > 1 else "")
            for index, times in zip(found.indices[:MOST_WORDS].tolist(), found.occurrences.tolist(), strict=False)
        ]
        more = ["…"] if found.indices.size > MOST_WORDS else []
        pair = shown_pair(command.left, command.right)
        return [Told(f"{pair}: {' + '.join([*parts, *more])} = {number(found.total)}")]

    def encode(self, command: c.Encode) -> list[Shown]:
        """`encode`."""
        self.text, self.unknown = command.words, command.unknown
        tokens = Encoder.of(self.trainer).encode(command.words, unknown=command.unknown)
        policy = "" if command.unknown == "token" else f" ({command.unknown})"
        return [Told(f"{displayable(written(command.words))} → {in_a_row(tokens)}{policy}")]

    def trace(self, command: c.Trace) -> list[Shown]:
        """`trace`."""
        self.text, self.unknown = command.words, command.unknown
        start, rows = Encoder.of(self.trainer).trace(command.words, unknown=command.unknown)
        fired = [
            (number(row.rank + 1), shown_pair(row.merge.left, row.merge.right), in_a_row(row.tokens)) for row in rows
        ]
        columns = (Column(_("merge"), is_number=True), Column(_("pair")), Column(_("tokens")))
        return [Table(columns, (("-", "-", in_a_row(start)), *fired))]

    def why(self, command: c.Why) -> list[Shown]:
        """`why`."""
        self.text = command.words
        encoder = Encoder.of(self.trainer)
        tokens = encoder.encode(command.words)
        later = LaterMerges(self.trainer)
        return [Told(one) for one in why_not_one_token(encoder, self.trainer, later, command.words, tokens)]

    def show(self, command: c.Show) -> list[Shown]:
        """`show`."""
        return [table_of(command, self.trainer)]

    # -- statements ------------------------------------------------------------------------------------------------

    def expect(self, command: c.Expect) -> list[Shown]:
        """`expect`: shows nothing, but fails if it is not true."""
        actual = value_of(command.claim.subject, self.trainer)
        if not command.claim.value.agrees(actual):
            told = _("expected {claim}, but it is {actual}")
            raise _Untrue(told.format(claim=command.claim, actual=actual))
        return []


class _Wrong(BpeError):
    """A command does not fit this moment."""


class _Untrue(BpeError):
    """A statement is not true."""


def _went_wrong(command: c.Command, why: str) -> str:
    """`expected … but …`."""
    if isinstance(command, c.Expect):
        return _("expected {claim}, but {why}").format(claim=command.claim, why=why)
    return _("expected to {command}, but {why}").format(command=command.text, why=why)


def opened_sentence(corpus: Corpus, trainer: Trainer) -> str:
    """What was opened, in one sentence."""
    words, options = trainer.words, trainer.options
    told = _("{name}: {words}, {distinct}, {symbols}; pre-tokenizer {pre_tokenizer}, ties {ties}.")
    return told.format(
        name=displayable(corpus.name),
        words=plural("{count} word", "{count} words", sum(words.counts)),
        distinct=plural("{count} of them distinct", "{count} of them distinct", len(words.words)),
        symbols=plural("an alphabet of {count} symbol", "an alphabet of {count} symbols", len(trainer.base.alphabet)),
        pre_tokenizer=options.pre_tokenizer,
        ties=options.ties,
    )


def back_sentence(merges: int) -> str:
    """Where a way back has led."""
    if not merges:
        return _("Back at the start, before any merge.")
    return _("Back at the moment after merge {number}.").format(number=number(merges))


_HOW: Final[dict[type[c.Command], Callable[[Stage, Any], list[Shown]]]] = {
    c.Open: Stage.open,
    c.Step: Stage.step,
    c.Undo: Stage.undo,
    c.Goto: Stage.goto,
    c.PhaseTo: Stage.phase,
    c.Choose: Stage.choose,
    c.Ties: Stage.ties,
    c.Checkpoint: Stage.checkpoint,
    c.BackTo: Stage.back_to,
    c.Select: Stage.select,
    c.Encode: Stage.encode,
    c.Trace: Stage.trace,
    c.Why: Stage.why,
    c.Show: Stage.show,
    c.Expect: Stage.expect,
}
"""How each command is carried out."""
