"""Choosing what the encode screen shows beside its tokenizer: a file, another moment, another preset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.i18n import _, mark, number
from bpe_tui.core.options import PRESETS
from bpe_tui.ui.actions import Action, bindings
from bpe_tui.ui.dialogs.dialog import Dialog
from bpe_tui.ui.dialogs.open import OPENING, is_pipe, is_there, use_focused
from bpe_tui.ui.text import cells, plain
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.file_picker import FilePicker
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.binding import BindingType

HINT: Final = mark("a tokenizer file, or the number of a merge")


@dataclass(frozen=True, slots=True)
class ComparisonChoice:
    """What to show beside; one of its fields is set."""

    moment: int | None = None
    """After so many merges of what is open."""
    preset: str = ""
    """A training on the same text as this preset does it."""
    path: Path | None = None
    """A tokenizer file."""


class ChoiceRows(RowSource[ComparisonChoice]):
    """Moments, and presets if there is a text to train on."""

    def __init__(self, position: int, *, has_corpus: bool, preset: str) -> None:
        moments = [position, *(other for other in (0, position // 2) if other != position)]
        self._rows = [ComparisonChoice(moment=moment) for moment in dict.fromkeys(moments)]
        if has_corpus:
            self._rows += [ComparisonChoice(preset=name) for name in PRESETS if name != preset]
        self._position = position

    def count(self, view: VirtualList[Any]) -> int:
        """All of them."""
        return len(self._rows)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[ComparisonChoice]:
        """Some of them."""
        return self._rows[start:stop]

    def draw(self, view: VirtualList[Any], row: ComparisonChoice) -> list[Segment]:
        """Name and what it means."""
        name = row.preset or _("merge {number}").format(number=number(row.moment or 0))
        if row.preset:
            meaning = _("the same text, trained as this preset does it")
        elif row.moment == self._position:
            meaning = _("this moment: it stays, while you move the timeline")
        else:
            meaning = _("an earlier moment") if row.moment else _("single symbols, before any merge")
        width = max(cells(name), 14)
        return [Segment(left(name, width) + "  ", view.palette.strong), Segment(meaning, view.palette.muted)]


class CompareScreen(Dialog[ComparisonChoice]):
    """Ends with what to show beside, or None."""

    DEFAULT_CSS = """
    CompareScreen { layout: vertical; background: $background; overflow: hidden; }
    CompareScreen > .title { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    CompareScreen #message { height: auto; color: $text-warning; padding: 0 1; display: none; }
    CompareScreen #choices { height: 11; max-height: 45%; }
    CompareScreen FilePicker { min-height: 4; }
    """
    AUTO_FOCUS = "#choices"
    ACTIONS: ClassVar[tuple[Action, ...]] = OPENING
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, position: int, *, has_corpus: bool, has_files: bool, preset: str = "", path: str = "") -> None:
        """What there is to choose from.

        Args:
            position: Merges at the moment shown.
            has_corpus: Can the same text be trained on anew?
            has_files: May files be read?
            preset: That of the training shown.
            path: What is in the input to begin with.
        """
        super().__init__()
        self._rows = ChoiceRows(position, has_corpus=has_corpus, preset=preset)
        self._has_files = has_files
        self._path = path

    def on_mount(self) -> None:
        """Begin with what was pasted."""
        if self._path and self._has_files:
            self.query_one(FilePicker).put(self._path)

    def compose(self) -> ComposeResult:
        """Moments and presets, files, a path."""
        yield Static(Content(_("Compare with another tokenizer")), classes="title")
        yield Static(id="message")
        yield VirtualList(mark("Moments and presets"), self._rows, id="choices")
        if self._has_files:
            yield FilePicker(_(HINT))
        yield self.key_bar()

    @on(VirtualList.Selected, "#choices")
    def _choose(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.dismiss(event.row)

    @on(FilePicker.Picked)
    def _choose_path(self, event: FilePicker.Picked) -> None:
        event.stop()
        path = event.path
        typed = str(path)
        if is_there(path) and not is_pipe(path):
            self.dismiss(ComparisonChoice(path=path))
        elif typed.isascii() and typed.isdecimal():
            self.dismiss(ComparisonChoice(moment=int(typed[:9])))
        else:
            message = self.query_one("#message", Static)
            message.update(plain(_("There is no {path}.").format(path=path)))
            message.display = True

    def action_use(self) -> None:
        """Choose what has the focus."""
        use_focused(self)
