"""Choosing a lesson: all that come with the program, and how far each was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on

from bpe_tui.core.display import clip, displayable
from bpe_tui.core.errors import LessonError
from bpe_tui.core.i18n import _, current_language, mark, number
from bpe_tui.lessons.library import LessonEntry, entries
from bpe_tui.lessons.prose import parse_spans, plain_text
from bpe_tui.lessons.reading import read_lesson
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.session import lesson_progress
from bpe_tui.ui.text import cells
from bpe_tui.ui.widgets.columns import left, right
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

DONE: Final = mark("✓ read")
SUMMARY_FROM: Final = 60
"""Cells from which on there is room for what a lesson is about."""


@dataclass(frozen=True, slots=True)
class LessonRow:
    """A lesson in the list."""

    entry: LessonEntry
    title: str
    summary: str
    progress: str
    """How far it was read; if not at all, how long it takes, if it says so."""


def row_of(entry: LessonEntry, *, saves: bool) -> LessonRow:
    """The row of a lesson, with its progress if that is saved; of one that cannot be read, with the reason."""
    try:
        lesson = read_lesson(entry.file)
    except LessonError as error:
        return LessonRow(entry, entry.slug, displayable(str(error)), "")
    furthest, pages = lesson_progress.load(lesson).furthest if saves else 0, len(lesson.pages)
    progress = "" if lesson.minutes is None else _("{minutes} min").format(minutes=number(lesson.minutes))
    if furthest >= pages - 1:
        progress = _(DONE)
    elif furthest:
        progress = _("page {page} of {pages}").format(page=number(furthest + 1), pages=number(pages))
    summary = plain_text(parse_spans(lesson.summary))
    return LessonRow(entry, displayable(lesson.title), displayable(summary), progress)


class LessonRows(RowSource[LessonRow]):
    """The lessons in order."""

    def __init__(self, *, saves: bool) -> None:
        self.rows = self._all = [row_of(entry, saves=saves) for entry in entries(current_language())]

    @property
    def empty_text(self) -> str:
        """A language may have no lessons."""
        return _("There are none here.")

    def count(self, view: VirtualList[Any]) -> int:
        """All of them."""
        return len(self._all)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[LessonRow]:
        """Those in view."""
        return self._all[start:stop]

    def draw(self, view: VirtualList[Any], row: LessonRow) -> list[Segment]:
        """Number, title, what it is about, how far it was read."""
        palette, width = view.palette, view.inner_width
        progress = max((cells(each.progress) for each in self._all), default=0)
        room = width - 4 - (progress + 2 if progress else 0)
        title = min(max(cells(each.title) for each in self._all) + 2, room)
        segments = [
            Segment(right(str(row.entry.number), 2) + "  ", palette.accent),
            Segment(left(row.title, title), palette.strong),
        ]
        if width >= SUMMARY_FROM and room > title:
            segments.append(Segment(left(clip(row.summary, room - title), room - title)))
        else:
            segments.append(Segment(" " * max(0, room - title)))
        return [*segments, Segment("  " + right(row.progress, progress) if progress else "", palette.muted)]

    def figures(self, view: VirtualList[Any]) -> str:
        """How many."""
        return number(len(self._all))

    def note(self, view: VirtualList[Any]) -> str:
        """What enter does."""
        return _("enter opens a lesson")


class LessonsScreen(Dialog[LessonEntry]):
    """Ends with the lesson to open, or None."""

    DEFAULT_CSS = """
    LessonsScreen > VirtualList { width: 96%; max-width: 110; height: 13; max-height: 92%; }
    """
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("use", ("enter",), "open", "Open the lesson of this row", Group.PROGRAM, footer=80),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, *, saves: bool) -> None:
        """`saves`: is progress saved, so that the list can show it?"""
        super().__init__()
        self._saves = saves

    def compose(self) -> ComposeResult:
        """The list."""
        yield VirtualList(mark("Lessons"), LessonRows(saves=self._saves))
        yield self.key_bar()

    @on(VirtualList.Selected)
    def _open(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.dismiss(event.row.entry)

    def action_use(self) -> None:
        """Open the lesson under the cursor."""
        self.query_one(VirtualList).action_select()
