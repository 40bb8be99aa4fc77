"""The curve: how far the corpus has shrunk after each merge, and the current moment on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType

from bpe_tui.core.i18n import _, mark, number
from bpe_tui.ui.board.curve_chart import Chart, MergeAxis, Row, Series, figure_width
from bpe_tui.ui.board.revealed import Revealed
from bpe_tui.ui.board.rule_path import RulePath
from bpe_tui.ui.messages import MomentSelected
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.style import Style
    from textual import events

    from bpe_tui.ui.session.training import Session
    from bpe_tui.ui.themes import Palette


class ChartRows(RowSource[Row]):
    """The lines of a chart of one moment."""

    def __init__(self, series: Series, position: int = 0, end: int = 1, unit: str = "word", remark: str = "") -> None:
        """`remark` is said in the place of the key to the lines, if there is only one line."""
        self.series = series
        """What the chart shows."""
        self.position = position
        """Merges applied."""
        self.end = end
        """Merge at the right end."""
        self._unit = unit
        self._remark = remark

    @property
    def empty_text(self) -> str:
        """Before there is anything to draw."""
        return _("The curve starts with the first merge.")

    def count(self, view: VirtualList[Any]) -> int:
        """As many lines as fit."""
        return view.body_height if self.series.own else 0

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[Row]:
        """The lines of the chart."""
        chart = Chart(self.series, self.position, self.end, view.inner_width, view.body_height)
        return chart.rows()[start:stop]

    def draw(self, view: VirtualList[Any], row: Row) -> list[Segment]:
        """A line with the styles of the current theme."""
        return [Segment(text, _style(view.palette, name)) for text, name in row]

    def figures(self, view: VirtualList[Any]) -> tuple[str, ...]:
        """The value at the current moment, and what the rule alone would have reached."""
        value = self.series.value(self.position)
        if value is None:
            return ()
        own = number(value, ".2f")
        is_byte = self._unit == "byte"
        text = (_("{tokens} tokens per byte") if is_byte else _("{tokens} tokens per word")).format(tokens=own)
        rule = self.series.value(self.position, rule=True)
        if rule is None:
            return text, (_("{tokens} per byte") if is_byte else _("{tokens} per word")).format(tokens=own), own
        both = _("{own} · rule {rule}")
        others = number(rule, ".2f")
        return both.format(own=text, rule=others), both.format(own=own, rule=others), own

    def note(self, view: VirtualList[Any]) -> str:
        """The key to the two lines."""
        if self.series.rule:
            return _("⠒⠒ your way  ⠂⠂ the rule's")
        return self._remark or (_("logarithmic") if MergeAxis(self.end).is_logarithmic else "")


class Curve(VirtualList[Row], inherit_bindings=False):
    """Tokens per word against merges; a click or the arrow keys go to a place on it."""

    source: ChartRows
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home", "move_to(0)", "To the start", show=False),
        Binding("end", "move_to(1)", "To the end of what is known", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        nothing = ChartRows(Series((), (), 1))
        super().__init__(mark("Curve"), nothing, number="⁶", has_cursor=False, id=id)
        self.path = RulePath(self, self._show_again)
        """The rule's own way beside the learner's."""
        self._session: Session | None = None
        self._revealed = Revealed()

    def show_session(self, session: Session, revealed: Revealed) -> None:
        """Look at another session from now on."""
        self._session = session
        self.show_moment(revealed)

    def show_moment(self, revealed: Revealed) -> None:
        """Show the session's current moment, and the merges that may be shown."""
        self._revealed = revealed
        self._show_again()

    def _show_again(self) -> None:
        """Show the moment, with what is known of the rule's own way by now."""
        session, revealed = self._session, self._revealed
        if session is None or not self.display:
            return
        trainer, shown = session.trainer, revealed.merges
        totals = trainer.totals if shown == trainer.known else trainer.totals[: shown + 1]
        rule = self.path.totals(session) if revealed.rule_path else ()
        self.show(totals, trainer.position, max(trainer.target, shown), divisor=session.word_total, rule=rule)

    def show(
        self,
        own: Sequence[int],
        position: int,
        end: int,
        *,
        divisor: int,
        unit: str = "word",
        rule: Sequence[int] = (),
    ) -> None:
        """Show a moment; costs what is visible, so the sequences may be as long as training.

        Args:
            own: Tokens of the corpus after 0, 1, 2, … merges, as far as known.
            position: Merges applied now.
            end: Merge at the right end.
            divisor: Words (or bytes) of the corpus, counted with their frequencies.
            unit: `word` or `byte`.
            rule: The same as `own` for the rule's own path, if the learner left it.
        """
        series = Series(own, rule, max(1, divisor))
        self.use_source(ChartRows(series, position, max(end, len(own) - 1, 1), unit, self.path.remark))

    # -- keys and mouse ---------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Go to the merge under the mouse."""
        chart = self.source
        left = figure_width(chart.series, self.inner_width, self.body_height)
        width = self.inner_width - left
        column = event.x - 2 - left
        if chart.series.own and 0 <= column < width and width > 1:
            merges = round(MergeAxis(chart.end).merges(column / (width - 1)))
            self.post_message(MomentSelected(min(merges, len(chart.series.own) - 1)))

    def action_move_to(self, end: int) -> None:
        """Ask for the start or the end of what is known."""
        self.post_message(MomentSelected(len(self.source.series.own) - 1 if end else 0))


def _style(palette: Palette, name: str) -> Style:
    styles: dict[str, Style] = {
        "played": palette.accent,
        "known": palette.muted,
        "rule": palette.tie,
        "axis": palette.faint,
        "figure": palette.muted,
        "here": palette.accent,
    }
    return styles[name]
