"""One plain sentence a step: what happened, and what comes next and why."""

from __future__ import annotations

from typing import Final, NamedTuple

from rich.segment import Segment
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from bpe_tui.core.display import clip, displayable
from bpe_tui.ui.text import wrap
from bpe_tui.ui.themes import palette_of
from bpe_tui.ui.widgets.selectable import selectable

BULLETS: Final = ("✓", "▸")
"""Before what was done, and before what is next."""
WARNING: Final = "!"
"""Before what cannot be done."""


class Sentences(NamedTuple):
    """What is said of a moment; either sentence may be empty."""

    done: str
    """What happened."""
    following: str
    """What is next and why."""
    bullets: tuple[str, str] = BULLETS
    """Before each of them, a sign of one cell."""


class Line(NamedTuple):
    """A line of the wrapped sentences."""

    bullet: str
    text: str
    sentence: int
    """0: what was done; 1: what is next."""


class Explanation(Widget):
    """Two sentences fit to be read aloud: what was done, then what is next."""

    DEFAULT_CSS = """
    Explanation { height: 2; background: $surface; color: $foreground; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._sentences: tuple[str, str] = ("", "")
        self._bullets = BULLETS
        self._is_notice = False
        self._wrapped: tuple[object, list[Line]] | None = None

    @property
    def sentences(self) -> tuple[str, str]:
        """What was done, and what is next; either may be empty."""
        return self._sentences

    def show(self, sentences: Sentences, *, is_notice: bool = False) -> None:
        """Show two sentences (untrusted text in them is made safe).

        Where there is too little room, the first one gives way; but not a notice, which is shown only once.
        """
        shown = (displayable(sentences.done), displayable(sentences.following))
        if (shown, sentences.bullets, is_notice) != (self._sentences, self._bullets, self._is_notice):
            self._sentences, self._bullets, self._is_notice = shown, sentences.bullets, is_notice
            self.refresh()

    @property
    def lines_needed(self) -> int:
        """Lines that both sentences take when nothing is cut; 0 before there is a size."""
        width = self.size.width - 2
        return sum(len(wrap(sentence, width)) for sentence in self._sentences) if width > 0 else 0

    def render_line(self, y: int) -> Strip:
        """A line of the wrapped sentences."""
        width, height = self.size
        base = self.rich_style
        key = (self._sentences, self._bullets, self._is_notice, width, height)
        if self._wrapped is None or self._wrapped[0] != key:
            self._wrapped = (key, self._lines(width, height))
        lines = self._wrapped[1]
        if y >= len(lines):
            return Strip.blank(width, base)
        palette = palette_of(self.app)
        styles = ((palette.new, palette.muted), (palette.accent, palette.strong))
        if self._is_notice:
            first = palette.warn if self._bullets[0] == WARNING else palette.new
            styles = ((first, palette.strong), (palette.muted, palette.muted))
        bullet, text, place = lines[y]
        bullet_style, style = styles[place]
        strip = Strip([Segment(bullet, base + bullet_style), Segment(text, base + style)])
        return selectable(self, strip.adjust_cell_length(width, base), y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The part of the sentences that is selected."""
        lines = self._wrapped[1] if self._wrapped is not None else []
        return selection.extract("\n".join(line.bullet + line.text for line in lines)), "\n"

    def _lines(self, width: int, height: int) -> list[Line]:
        """The lines; one sentence gives way to the other if there is too little room."""
        wrapped = [wrap(sentence, width - 2) for sentence in self._sentences]
        if all(wrapped):
            first, second = (0, 1) if self._is_notice else (1, 0)
            wrapped[first] = fit(wrapped[first], height, width - 2)
            wrapped[second] = fit(wrapped[second], height - len(wrapped[first]), width - 2)
        return [
            Line(f"{self._bullets[place]} " if number == 0 else "  ", text, place)
            for place, lines in enumerate(wrapped)
            for number, text in enumerate(lines)
        ]


def fit(lines: list[str], height: int, width: int) -> list[str]:
    """At most `height` lines; the last one shows that something was cut."""
    if len(lines) <= height:
        return lines
    shown = lines[: max(0, height)]
    if shown:
        shown[-1] = clip(f"{shown[-1]} {lines[len(shown)]}", width)
        if not shown[-1].endswith("…"):
            shown[-1] = clip(shown[-1] + " …", width)
    return shown
