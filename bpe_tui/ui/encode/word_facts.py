"""What there is to say about the token and the word looked at, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rich.segment import Segment

from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.board.explanation import wrap
from bpe_tui.ui.text import safe
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Sequence


class Fact(NamedTuple):
    """A sentence, and what kind it is: `title`, `plain`, `muted`, `warn`."""

    text: str
    kind: str = "plain"


class FactLine(NamedTuple):
    """A line of a wrapped sentence."""

    text: str
    kind: str
    is_first: bool


class FactRows(RowSource[FactLine]):
    """Sentences (untrusted), wrapped to the width of the list."""

    def __init__(self, facts: tuple[Fact, ...] = (), about: str = "") -> None:
        self.facts = facts
        """The sentences."""
        self.about = about
        """What they are about."""
        self._lines: list[FactLine] = []
        self._width = -1

    @property
    def empty_text(self) -> str:
        """Before there is a text."""
        return _("Nothing is looked at.")

    def count(self, view: VirtualList[Any]) -> int:
        """Lines for the width there is."""
        if view.inner_width != self._width:
            self._width = view.inner_width
            self._lines = [
                FactLine(line, fact.kind, place == 0)
                for fact in self.facts
                for place, line in enumerate(wrap(safe(fact.text), self._width))
            ]
        return len(self._lines)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[FactLine]:
        """Some lines."""
        return self._lines[start:stop]

    def draw(self, view: VirtualList[Any], row: FactLine) -> list[Segment]:
        """A line in the style of its kind."""
        palette = view.palette
        if row.kind == "title":
            return [Segment(row.text, palette.strong)]
        if row.kind == "warn":
            return [Segment(row.text, palette.warn)]
        return [Segment(row.text, palette.muted)] if row.kind == "muted" else [Segment(row.text)]

    def figures(self, view: VirtualList[Any]) -> str:
        """The word."""
        return safe(self.about)


class WordFacts(VirtualList[FactLine]):
    """What there is to say about a word."""

    source: FactRows

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Why not one token?"), FactRows(), number="⁴", id=id)

    def show(self, facts: Sequence[Fact], about: str = "") -> None:
        """Show sentences (untrusted) and what they are about."""
        if (tuple(facts), about) != (self.source.facts, self.source.about):
            self.source = FactRows(tuple(facts), about)
            self.cursor = 0
            self.scroll_first(0)
        self.reload()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The sentences shown."""
        return self.source.facts
