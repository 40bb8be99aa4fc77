"""Stepping on the train screen: by keys, by the timeline, and by what panes ask for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bpe_tui.core.errors import BpeError
from bpe_tui.ui.train.train_view import TrainView

if TYPE_CHECKING:
    from bpe_tui.ui.board.timeline import Timeline
    from bpe_tui.ui.messages import MomentSelected, PairHighlighted, PairSelected, TokenHighlighted


async def in_one_repaint() -> None:
    """Let the panes ask for their repaint before the screen goes on, so that they share one with the pane that asked.

    Else the screen would repaint that pane alone at once, and the others two frames later.
    """
    await asyncio.sleep(0)


class TrainSteps(TrainView):
    """The train screen, moving through training."""

    # -- stepping ---------------------------------------------------------------------------------------------

    def go(self, merges: int | None) -> None:
        """Go to the moment after that many merges; None is the target."""
        if self.session is not None and self.player is not None:
            self.session.by_phase = False
            self.back_to_leader()
            self.player.go(merges)

    def _move(self, forward: bool) -> bool:
        """One merge forward or back; False if there is none."""
        if self.session is None or self.player is None:
            return False
        trainer = self.session.trainer
        self.session.by_phase = False
        moved = trainer.step() if forward else trainer.undo()
        self.back_to_leader()
        return moved is not None

    def action_step(self) -> None:
        """One merge forward."""
        self._stop_moving()
        self._move(True)
        self.show_moment()

    def action_undo(self) -> None:
        """One merge back."""
        self._stop_moving()
        self._move(False)
        self.show_moment()

    def action_phase(self) -> None:
        """One phase forward."""
        self._phase(True)

    def action_phase_back(self) -> None:
        """One phase back."""
        self._phase(False)

    def _phase(self, forward: bool) -> None:
        if self.session is not None:
            self._stop_moving()
            trainer = self.session.trainer
            self.session.by_phase = True
            if forward:
                trainer.step_phase()
            else:
                trainer.step_phase_back()
            self.back_to_leader()
            self.show_moment()

    def action_step_ten(self) -> None:
        """Ten merges forward."""
        if self.session is not None:
            self.go(self.session.trainer.position + 10)

    def action_undo_ten(self) -> None:
        """Ten merges back."""
        if self.session is not None:
            self.go(max(0, self.session.trainer.position - 10))

    def action_run(self) -> None:
        """Run to the target."""
        self.go(None)

    def action_reset(self) -> None:
        """Back to the start."""
        self.go(0)

    def action_play(self) -> None:
        """Play or pause."""
        if self.player is not None:
            self.player.play(self._beat)
            self.show_moment()

    def _beat(self) -> bool:
        """One merge while playing; False at the target or where no pair is left."""
        if self.session is None or not self._move(True):
            return False
        return self.session.trainer.stop is None

    def action_faster(self) -> None:
        """Play faster."""
        self._change_speed(1)

    def action_slower(self) -> None:
        """Play slower."""
        self._change_speed(-1)

    def _change_speed(self, by: int) -> None:
        if self.player is not None:
            self.player.change_speed(by)
            self.show_figures()

    def _stop_moving(self) -> None:
        """Whatever goes by itself stops; the panes show where."""
        if self.player is not None and self.player.halt():
            self.show_moment()

    # -- what panes ask for -----------------------------------------------------------------------------------

    async def on_pair_highlighted(self, event: PairHighlighted) -> None:
        """Another pair is looked at, unless it is gone since."""
        if self.session is None or event.pair == self.session.selected:
            return
        if event.pair is None or self.session.knows(event.pair):
            self.session.selected, self.session.token = event.pair, None
            self.show_question()
            await in_one_repaint()

    async def on_token_highlighted(self, event: TokenHighlighted) -> None:
        """Another token of the vocabulary is looked at: a sentence tells of it."""
        if self.session is not None and event.token < self.session.trainer.vocab_size:
            self.session.token = event.token
            self.show_figures()
            await in_one_repaint()

    def on_pair_selected(self, event: PairSelected) -> None:
        """Merge a pair, whatever the rule says."""
        if self.session is None or self.player is None:
            return
        self.player.halt()
        try:
            self.session.choose(event.pair)
        except BpeError as error:
            self.complain(str(error))
        self.back_to_leader()
        self.show_moment()

    def on_moment_selected(self, event: MomentSelected) -> None:
        """Go to a merge of the log or of the curve."""
        self.go(event.number)

    def on_timeline_moved(self, event: Timeline.Moved) -> None:
        """Go where the knob is."""
        self.go(event.position)

    async def on_timeline_pressed(self, event: Timeline.Pressed) -> None:
        """A button of the timeline does what its key does."""
        await self.run_action(f"screen.{event.button}")
