"""The modes of a board: what its keys mean, what its sentences say, and what of the moment is revealed.

    Free        the learner steps through training, and sees all
    Guessing    your turn: the learner guesses each merge before it is shown
    Travelling  merges are made or undone by themselves: playing, or on the way to a merge

A lesson that asks for what training would show has one more, `LessonQuestion`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, number
from bpe_tui.core.teaching.explain import following_sentence, in_words, step_sentence, times
from bpe_tui.core.teaching.guessing_game import GuessingGame
from bpe_tui.core.teaching.lineage import token_sentence
from bpe_tui.core.teaching.overlap import Overlap, overlap_of
from bpe_tui.core.training.states import Phase
from bpe_tui.ui.actions import ANSWERED, ASKING, MOVING, at_start, first_key
from bpe_tui.ui.board.explanation import BULLETS, WARNING, Sentences
from bpe_tui.ui.board.revealed import Revealed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.ui.actions import Action
    from bpe_tui.ui.board.board import Board
    from bpe_tui.ui.session.training import Session

OPENING: Final = mark("Every word starts as single letters. {step} merges the most frequent pair.")
OPENING_IN_BYTES: Final = mark("Every word starts as single bytes. {step} merges the most frequent pair.")
"""Said before the first merge."""
COUNT_FIRST: Final = mark("Press {phase}: first all pairs of neighbours are counted.")
COUNT_AGAIN: Final = mark("Press {phase}: now all pairs are counted again.")
"""Said while the learner goes phase by phase."""
COUNTS_HIDDEN: Final = mark("the counts are hidden")
WHICH_IS_NEXT: Final = mark("which is next?")
"""Titles of the pairs while a question is open."""


class Mode(ABC):
    """One way to use a board; the keys mean what they mean in free training, unless a mode says otherwise."""

    def __init__(self, board: Board, session: Session) -> None:
        self.board = board
        self.session = session

    @property
    def trainer(self) -> Trainer:
        """The trainer that the keys move."""
        return self.session.trainer

    def at_moment(self) -> Mode:
        """The mode of the moment where the trainer has come to: this one, or another one that takes its place."""
        return self.board.usual_mode()

    # -- what is shown ----------------------------------------------------------------------------------------

    @abstractmethod
    def revealed(self) -> Revealed:
        """What may be shown of the moment."""

    @abstractmethod
    def sentences(self) -> Sentences:
        """What happened, and what is next and why."""

    @abstractmethod
    def footer(self) -> Sequence[Action]:
        """The actions that matter now; the last line shows as many as fit."""

    def titles(self, titles: tuple[str, ...]) -> tuple[str, ...]:
        """What the status says: `titles` of the session, from the fullest to the shortest, and what is under way."""
        return titles

    def refusal(self, why: str) -> str:
        """Said if the learner asks for what would give an answer away; `why` is the usual sentence."""
        return why

    # -- what keys do -----------------------------------------------------------------------------------------

    def step(self) -> None:
        """One merge forward."""
        self._move(self.trainer.step, is_seen=True)

    def undo(self) -> None:
        """One merge back."""
        self._move(self.trainer.undo)

    def phase(self) -> None:
        """One phase forward."""
        self._move(self.trainer.step_phase, by_phase=True, is_seen=True)

    def phase_back(self) -> None:
        """One phase back."""
        self._move(self.trainer.step_phase_back, by_phase=True)

    def _move(self, move: Callable[[], object], *, by_phase: bool = False, is_seen: bool = False) -> None:
        """Move, and let a motion carry the change if it `is_seen`."""
        self.session.by_phase = by_phase
        move()
        if is_seen and self.trainer.phase is not Phase.PICKED:
            self.board.carry_change()
        else:
            self.board.end_motion()
        self.board.back_to_leader()
        self.board.refresh_moment()

    def choose(self, pair: tuple[int, int]) -> None:
        """Merge a pair, whatever the rule says."""
        try:
            self.session.choose(pair)
        except BpeError as error:
            self.board.warn(str(error))
        self.board.back_to_leader()
        self.board.refresh_moment()

    def play(self) -> None:
        """Play, one merge after another."""
        self.board.play(self._play_one)

    def _play_one(self) -> bool:
        """One merge while playing, or slowly one phase; False at the target or where no pair is left."""
        if self.board.player is not None and self.board.pace.is_slow:
            return self._play_phase()
        self.session.by_phase = False
        made = self.trainer.step()
        self.board.back_to_leader()
        return made is not None and self.trainer.stop is None

    def _play_phase(self) -> bool:
        trainer, before = self.trainer, (self.trainer.position, self.trainer.phase)
        self.session.by_phase = True
        trainer.step_phase()
        if trainer.phase is not Phase.PICKED:
            self.board.carry_change()
        self.board.back_to_leader()
        has_moved = (trainer.position, trainer.phase) != before
        return has_moved and not (trainer.phase is Phase.MERGED and trainer.stop is not None)

    def turn(self) -> None:
        """Begin a turn: the learner guesses."""
        game = GuessingGame(self.trainer)
        if not game.can_ask:
            self.board.warn(_("There is nothing to guess here: no pair is left that could be merged."))
            return
        self.session.by_phase = False
        self.board.mode = Guessing(self.board, self.session, game)
        self.board.focus_pane("pairs")
        self.board.back_to_leader()
        self.board.refresh_moment()

    def leave(self) -> bool:
        """Leave the mode, as escape does; False if there is nothing to leave."""
        return False


class Free(Mode):
    """The learner steps through training, and sees all; phase by phase, each thing once its phase has come."""

    def revealed(self) -> Revealed:
        """All; going phase by phase, the next pair is marked only once it is picked."""
        by_phase, trainer = self.session.by_phase, self.trainer
        shows_next = not by_phase or trainer.phase is Phase.PICKED
        return Revealed(
            trainer.next_pair if shows_next else None,
            recounted=not (by_phase and trainer.phase is Phase.MERGED and trainer.position),
            merges=trainer.known,
        )

    def sentences(self) -> Sentences:
        """What the last merge did, and what comes next or what is looked at."""
        trainer = self.trainer
        if not trainer.word_count:
            message = _("There is no word in {corpus}.").format(corpus=self.session.corpus.name)
            following = _("{open} opens another corpus.").format(open=first_key("open"))
            return Sentences(message, following, (WARNING, BULLETS[1]))
        if self.board.greeting and trainer.known == trainer.given:
            return Sentences(self.board.greeting, self._next(), ("·", BULLETS[1]))
        return Sentences(self.last_sentence(), self._next())

    def last_sentence(self) -> str:
        """What the last merge did; before the first, how to begin."""
        notation = self.session.notation
        if self.trainer.position:
            return step_sentence(self.trainer, notation)
        sentence = _(OPENING_IN_BYTES) if notation.byte_level else _(OPENING)
        return sentence.format(step=at_start(first_key("step")))

    def _next(self) -> str:
        session, trainer = self.session, self.trainer
        if session.token is not None:
            return token_sentence(trainer, session.token, session.notation)
        if session.selected is not None:
            return selected_sentence(session, session.selected, trainer.next_pair)
        if session.by_phase and trainer.phase in (Phase.READY, Phase.MERGED) and trainer.stop is None:
            return (_(COUNT_AGAIN) if trainer.position else _(COUNT_FIRST)).format(phase=first_key("phase"))
        return following_sentence(trainer, session.notation)

    def footer(self) -> Sequence[Action]:
        """What the screen offers."""
        return self.board.usual_footer()


class Guessing(Mode):
    """Your turn: the ranking is hidden, the learner picks a pair, then it is revealed and the rule's pair merged."""

    def __init__(self, board: Board, session: Session, game: GuessingGame) -> None:
        super().__init__(board, session)
        self.game = game

    def at_moment(self) -> Mode:
        """The question is about the current moment; where no pair is left, the turn ends."""
        game, trainer, verdict = self.game, self.trainer, self.game.verdict
        if self.board.is_moving:
            return self
        if verdict is not None and (verdict.position, verdict.rule) != (trainer.position, trainer.options.ties):
            game.ask()
        if game.is_asking:
            if not game.can_ask:
                return self._end()
            trainer.show_phase(Phase.COUNTED)
            self.session.by_phase = False
        return self

    # -- what is shown ----------------------------------------------------------------------------------------

    def revealed(self) -> Revealed:
        """While a question is open neither counts nor what comes next; nothing beyond this moment before the end."""
        game, position = self.game, self.trainer.position
        if game.is_asking:
            question = _(WHICH_IS_NEXT)
            titles: tuple[str, ...] = (f"{question} · {_(COUNTS_HIDDEN)}", question)
            if game.asked:
                titles = (f"{question} · {game.score}", f"{question} {game.brief_score}", question)
            return Revealed(counts=False, merges=position, rule_path=False, pairs_title=titles)
        count = number(self.trainer.pair_count)
        return Revealed(
            self._answer,
            merges=position,
            rule_path=False,
            verdict=game.verdict,
            pairs_title=(f"{count} · {game.score}", count),
        )

    @property
    def _answer(self) -> tuple[int, int] | None:
        """The pair that the rule merges, whatever was undone before."""
        leader = self.trainer.leader()
        return (leader.left_id, leader.right_id) if leader is not None else None

    def titles(self, titles: tuple[str, ...]) -> tuple[str, ...]:
        """It is the learner's turn; the sentences show the score."""
        return (*(_("your turn · {title}").format(title=title) for title in titles), _("your turn"))

    def sentences(self) -> Sentences:
        """The score, and the question or the verdict."""
        verdict, selected = self.game.verdict, self.session.selected
        score = _("Your turn: {score}.").format(score=self.game.score)
        if verdict is None:
            question = _("Which pair is merged next? Enter picks it.")
            if selected is not None:
                question = _("Is it {pair}? Press enter for yes.").format(
                    pair=displayable(self.session.pair_text(selected))
                )
            return Sentences(score, question, ("·", "?"))
        bullet = BULLETS[1] if verdict.picked is None else "✓" if verdict.is_right else "✗"
        if selected is not None:
            return Sentences(score, selected_sentence(self.session, selected, self._answer), ("·", bullet))
        if verdict.picked is not None and not verdict.scored:
            score = _("Your turn: {score}; this one was known and did not count.").format(score=self.game.score)
        return Sentences(score, verdict.sentence(self.session.notation), ("·", bullet))

    def footer(self) -> Sequence[Action]:
        """What can be done with the question, or after it."""
        return ASKING if self.game.is_asking else ANSWERED

    # -- what keys do -----------------------------------------------------------------------------------------

    def step(self) -> None:
        """From the question to its answer, from the answer to the next question."""
        self._go_on()

    def phase(self) -> None:
        """The same as a step."""
        self._go_on()

    def choose(self, pair: tuple[int, int]) -> None:
        """Guess; or continue, if the answer is shown."""
        self._go_on(pair)

    def _go_on(self, guess: tuple[int, int] | None = None) -> None:
        if not self.game.is_asking:
            self._merge_answer()
        elif self.game.answer(guess) is not None:
            self.session.by_phase = True
            self.trainer.show_phase(Phase.PICKED)
        self.board.pairs.filter_text = ""
        self.board.back_to_leader()
        self.board.refresh_moment()

    def _merge_answer(self) -> None:
        if self._answer is not None:
            self.session.choose(self._answer)
        self.game.ask()

    def undo(self) -> None:
        """An answer is hidden again; else one merge back."""
        if self.game.is_asking:
            super().undo()
            return
        self.game.ask()
        self.board.back_to_leader()
        self.board.refresh_moment()

    def phase_back(self) -> None:
        """The same as undoing."""
        self.undo()

    def play(self) -> None:
        """The turn ends: playing would answer by itself."""
        self.leave()
        self.board.action_play()

    def turn(self) -> None:
        """End the turn."""
        self.leave()

    def leave(self) -> bool:
        """End the turn; an answer that is shown is merged first."""
        if not self.game.is_asking:
            self._merge_answer()
        self.board.mode = self._end()
        self.board.refresh_moment()
        return True

    def _end(self) -> Mode:
        """Back to free training, with the score."""
        game = self.game
        self.session.by_phase = False
        self.trainer.show_phase(Phase.MERGED)
        self.board.back_to_leader()
        if game.asked:
            message = _("Your turn: {right} of {asked} right.")
            if game.best_streak > 1:
                message = _("Your turn: {right} of {asked} right, longest streak {streak}.")
            self.board.show_notice(
                message.format(right=number(game.right), asked=number(game.asked), streak=number(game.best_streak))
            )
        return self.board.usual_mode()


class Travelling(Mode):
    """Merges are made or undone by themselves, in free training or in a turn; any key that moves stops that first."""

    def __init__(self, under: Mode) -> None:
        super().__init__(under.board, under.session)
        self._under = under
        """The mode that it is done in, and that there is again at the end."""

    def at_moment(self) -> Mode:
        """Until it has arrived."""
        self._under = self._under.at_moment()
        return self if self.board.is_moving else self._under

    def revealed(self) -> Revealed:
        """What the mode below reveals."""
        return self._under.revealed()

    def titles(self, titles: tuple[str, ...]) -> tuple[str, ...]:
        """How fast it plays, or that it runs."""
        player = self.board.player
        if player is not None and player.is_playing:
            speed = number(player.pace.speed, "g")
            titles = tuple(_("playing {speed} a second · {title}").format(speed=speed, title=title) for title in titles)
        else:
            titles = tuple(_("running · {title}").format(title=title) for title in titles)
        return self._under.titles(titles)

    def sentences(self) -> Sentences:
        """How much of the way is done; playing, what is said of each moment."""
        under, player = self._under.sentences(), self.board.player
        if player is None or player.way is None:
            return under
        start, goal = player.way
        position = self.trainer.position
        share = abs(position - start) / max(1, abs(goal - start))
        message = _("On the way to merge {goal}: {share} of the way is done.")
        return Sentences(
            message.format(goal=number(goal), share=f"{share:.0%}"),
            _("esc stops here, at merge {position}.").format(position=number(position)),
            ("·", under.bullets[1]),
        )

    def footer(self) -> Sequence[Action]:
        """How to stop, and how to change the speed."""
        return MOVING

    def _stopped(self) -> Mode:
        """Stop; the mode that there is then."""
        self.board.stop()
        return self._under

    def step(self) -> None:
        """Stop, and one merge forward."""
        self._stopped().step()

    def undo(self) -> None:
        """Stop, and one merge back."""
        self._stopped().undo()

    def phase(self) -> None:
        """Stop, and one phase forward."""
        self._stopped().phase()

    def phase_back(self) -> None:
        """Stop, and one phase back."""
        self._stopped().phase_back()

    def choose(self, pair: tuple[int, int]) -> None:
        """Stop, and merge a pair."""
        self._stopped().choose(pair)

    def play(self) -> None:
        """Pause."""
        self.board.stop()

    def turn(self) -> None:
        """Stop, and begin a turn, or end it."""
        self._stopped().turn()


def selected_sentence(session: Session, pair: tuple[int, int], next_pair: tuple[int, int] | None) -> str:
    """Where the pair looked at occurs, and what a key would do with it; empty if no pair is left."""
    found, leader = session.trainer.pair_words(*pair), session.trainer.leader()
    if leader is None or next_pair is None:
        return ""
    message = _("{pair} occurs {times} {in_words}.")
    overlap = overlap_of(session.trainer, *pair) or Overlap(0, 0)
    if overlap.counted:
        message = _(
            "{pair} occurs {times} {in_words}: counted {counted}, replaced {replaced}, "
            "because overlapping occurrences merge only once."
        )
    message = message.format(
        pair=session.pair_text(pair),
        times=times(found.total),
        in_words=in_words(len(found.indices)),
        counted=number(overlap.counted),
        replaced=number(overlap.replaced),
    )
    if pair != next_pair:
        do = _("Enter merges it instead of {pair}.").format(pair=session.pair_text(next_pair))
    elif pair == (leader.left_id, leader.right_id):
        do = _("It leads: {step} merges it.").format(step=first_key("step"))
    else:
        do = _("{step} merges it.").format(step=at_start(first_key("step")))
    return f"{message} {do}"
