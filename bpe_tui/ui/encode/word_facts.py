"""What there is to say about the token and the word looked at, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.segment import Segment

from bpe_tui.core.i18n import mark
from bpe_tui.ui.board.explanation import wrap
from bpe_tui.ui.text import safe
from bpe_tui.ui.widgets.virtual_table import VirtualTable

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


class WordFacts(VirtualTable[FactLine]):
    """Sentences, wrapped and scrolled."""

    NAME = mark("Why not one token?")
    NUMBER = "⁴"
    EMPTY = mark("Nothing is looked at.")

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, classes=classes)
        self._facts: tuple[Fact, ...] = ()
        self._figures = ""
        self._lines: list[FactLine] = []
        self._lines_for: object = None

    def show(self, facts: Sequence[Fact], figures: str = "") -> None:
        """Show sentences (untrusted) and what they are about."""
        if (tuple(facts), figures) != (self._facts, self._figures):
            self._facts, self._figures = tuple(facts), figures
            self.cursor = 0
            self.scroll_first(0)
        self.reload()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The sentences shown."""
        return self._facts

    @property
    def has_header(self) -> bool:
        """Sentences have no columns to name."""
        return False

    def count_rows(self) -> int:
        """Lines for the width there is."""
        wanted = (self.inner_width, self._facts)
        if wanted != self._lines_for:
            self._lines_for = wanted
            self._lines = [
                FactLine(line, fact.kind, place == 0)
                for fact in self._facts
                for place, line in enumerate(wrap(safe(fact.text), self.inner_width))
            ]
        return len(self._lines)

    def fetch(self, start: int, stop: int) -> list[FactLine]:
        """Some lines."""
        return self._lines[start:stop]

    def draw(self, row: FactLine, index: int, width: int) -> list[Segment]:
        """A line in the style of its kind."""
        palette = self.palette
        if row.kind == "title":
            return [Segment(row.text, palette.strong)]
        if row.kind == "warn":
            return [Segment(row.text, palette.warn)]
        return [Segment(row.text, palette.muted)] if row.kind == "muted" else [Segment(row.text)]

    def figures(self) -> str:
        """The word."""
        return safe(self._figures)
