"""Choosing a lesson: all that come with the program, and how far each was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.display import clip, displayable
from bpe_tui.core.errors import LessonError
from bpe_tui.core.i18n import _, current_language, mark, number, plural
from bpe_tui.lessons.library import LessonEntry, entries
from bpe_tui.lessons.prose import parse_spans, plain_text
from bpe_tui.lessons.reading import read_bundled
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.session import lesson_progress
from bpe_tui.ui.session.lesson_progress import BEGUN, READ, LessonProgress
from bpe_tui.ui.text import cells
from bpe_tui.ui.widgets.columns import left, right
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

SUMMARY_FROM: Final = 60
"""Cells from which on there is room for what a lesson is about."""


@dataclass(frozen=True, slots=True)
class LessonRow:
    """A lesson in the list."""

    entry: LessonEntry
    title: str
    summary: str
    progress: str
    """How far it was read: `✓ 4/5` with the questions answered rightly, `◐ p. 9/24`; empty if not at all."""
    minutes: str
    """How long it takes; empty if it does not say."""
    details: str
    """All of that in sentences."""


def row_of(entry: LessonEntry, *, saves: bool) -> LessonRow:
    """The row of a lesson, with its progress if that is saved; of one that cannot be read, with the reason."""
    try:
        lesson = read_bundled(entry.file)
    except LessonError as error:
        sentence = displayable(str(error))
        return LessonRow(entry, entry.slug, sentence, "", "", sentence)
    progress = lesson_progress.load(lesson.path) if saves else LessonProgress()
    minutes = "" if lesson.minutes is None else _("{minutes} min").format(minutes=number(lesson.minutes))
    summary = displayable(plain_text(parse_spans(lesson.summary)))
    pages = plural("{count} page", "{count} pages", len(lesson.pages))
    questions = plural("{count} question", "{count} questions", len(lesson.question_pages))
    details = " · ".join(filter(None, (pages, questions, minutes, progress.sentence(lesson))))
    return LessonRow(
        entry, displayable(lesson.title), summary, progress.mark(lesson), minutes, f"{summary}\n{details}".strip()
    )


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
        """Number, title, what it is about, how far it was read, how long it takes."""
        palette, width = view.palette, view.inner_width
        progress = max((cells(each.progress) for each in self._all), default=0)
        minutes = max((cells(each.minutes) for each in self._all), default=0)
        room = width - 4 - (progress + 2 if progress else 0) - (minutes + 2 if minutes else 0)
        title = min(max(cells(each.title) for each in self._all) + 2, room)
        segments = [
            Segment(right(str(row.entry.number), 2) + "  ", palette.accent),
            Segment(left(row.title, title), palette.strong),
        ]
        if width >= SUMMARY_FROM and room > title:
            segments.append(Segment(left(clip(row.summary, room - title), room - title)))
        else:
            segments.append(Segment(" " * max(0, room - title)))
        if progress:
            segments.append(Segment("  " + left(row.progress, progress), palette.accent))
        if minutes:
            segments.append(Segment("  " + right(row.minutes, minutes), palette.muted))
        return segments

    def figures(self, view: VirtualList[Any]) -> str:
        """How many, and how many of them were read."""
        read = sum(row.progress.startswith(READ) for row in self._all)
        count = number(len(self._all))
        return _("{read} of {count} read").format(read=number(read), count=count) if read else count

    def note(self, view: VirtualList[Any]) -> str:
        """What enter does."""
        return _("enter opens a lesson")


class LessonsScreen(Dialog[LessonEntry]):
    """Ends with the lesson to open, or None."""

    DEFAULT_CSS = """
    LessonsScreen > Vertical { width: 96%; max-width: 110; height: auto; max-height: 100%; background: $surface; }
    LessonsScreen #lesson-details { height: 4; padding: 0 2; color: $foreground; }
    """
    AUTO_FOCUS = "VirtualList"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("use", ("enter",), "open", "Open the lesson of this row", Group.PROGRAM, footer=80),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, *, saves: bool) -> None:
        """`saves`: is progress saved, so that the list can show it?"""
        super().__init__()
        self._rows = LessonRows(saves=saves)
        self._list = VirtualList(mark("Lessons"), self._rows)

    def compose(self) -> ComposeResult:
        """The list, and more about the lesson under the cursor."""
        with Vertical():
            yield self._list
            yield Static(id="lesson-details")
        yield self.key_bar()

    def on_mount(self) -> None:
        """Start at the lesson to read next: the first one that was begun, else the first that was not read."""
        rows = self._rows.rows
        begun = [place for place, row in enumerate(rows) if row.progress.startswith(BEGUN)]
        unread = [place for place, row in enumerate(rows) if not row.progress]
        self._list.cursor = next(iter((*begun, *unread)), 0)
        self._show_details()

    def on_resize(self) -> None:
        """The list is as high as it must, and leaves room for the details and the keys."""
        self._list.styles.height = max(4, min(len(self._rows.rows) + 2, self.app.size.height - 5))

    @on(VirtualList.Highlighted)
    def _look(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._show_details()

    def _show_details(self) -> None:
        rows = self._rows.rows
        if rows:
            self.query_one("#lesson-details", Static).update(Content(rows[self._list.cursor].details))

    @on(VirtualList.Selected)
    def _open(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.dismiss(event.row.entry)

    def action_use(self) -> None:
        """Open the lesson under the cursor."""
        self._list.action_select()
