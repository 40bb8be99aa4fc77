"""Opening a corpus: the bundled ones with a line on each, and any text or word-count table on the disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from bpe_tui.core.corpus.sources import BundledCorpus, bundled_corpora, find_bundled
from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.text import plain, safe
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.file_table import Entry, FileTable, path_of
from bpe_tui.ui.widgets.safe_input import SafeInput
from bpe_tui.ui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from textual import events
    from textual.screen import Screen

HINT: Final = mark("a text, a folder, or a word-count table (.tsv, .json)")
SHORT_HINT: Final = mark("text, folder, .tsv or .json")
WIDE: Final = 72
"""Cells from which on there is room for the longer hint."""


class BundledTable(VirtualTable[BundledCorpus]):
    """The corpora that come with the program."""

    NAME = mark("Bundled corpora")
    EMPTY = mark("There are none here.")

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._all = bundled_corpora()

    @property
    def has_header(self) -> bool:
        """Names and descriptions speak for themselves."""
        return False

    def count_rows(self) -> int:
        """All of them."""
        return len(self._all)

    def fetch(self, start: int, stop: int) -> list[BundledCorpus]:
        """Those in view."""
        return self._all[start:stop]

    def draw(self, row: BundledCorpus, index: int, width: int) -> list[Segment]:
        """Name, preset, description."""
        name = max(len(corpus.name) for corpus in self._all) + 2
        palette = self.palette
        preset = [Segment(left(row.preset, 13), palette.muted)] if width >= 60 else []
        return [Segment(left(row.name, name), palette.strong), *preset, Segment(safe(_(row.description)))]


OPENING: Final = (
    Action("use", ("enter",), "open", "Open the row or the path", Group.PROGRAM, footer=80),
    Action("other(1)", ("tab",), "files, path", "To the next of lists and path", Group.MOVE, footer=70),
    Action("other(-1)", ("shift+tab",), "before", "To the one before", Group.MOVE),
    CANCEL,
)
"""What can be done where something is opened."""


LESSONS: Final = Action("lessons", ("L",), "lessons", "To the lessons", Group.PROGRAM, footer=60)
"""What else the train screen opens."""


class OpenScreen(Dialog[Request]):
    """Ends with what to open, or None."""

    CSS_PATH = "open.tcss"
    AUTO_FOCUS = "#open-bundled"
    ACTIONS: ClassVar[tuple[Action, ...]] = (*OPENING, LESSONS)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, told: str = "") -> None:
        """`told`: why one is asked, in a sentence; untrusted."""
        super().__init__()
        self._told = Static(plain(told), id="open-told")
        self._told.display = bool(told)

    def compose(self) -> ComposeResult:
        """What happened, bundled corpora, files, a path, the keys."""
        yield Static(Content(_("Open a corpus")), id="open-title")
        yield self._told
        yield BundledTable(id="open-bundled")
        yield FileTable(id="open-files")
        with Horizontal(id="open-path"):
            yield Static(Content(f" {_('Path')} ▸ "))
            yield SafeInput(_(HINT), id="open-input")
        yield self.key_bar()

    def on_mount(self) -> None:
        """Start in the folder where the program was started."""
        self.query_one(FileTable).look("")

    def on_resize(self, event: events.Resize) -> None:
        """Say what may be opened as fully as there is room."""
        self.query_one("#open-input", SafeInput).placeholder = _(HINT if event.size.width >= WIDE else SHORT_HINT)

    def on_key(self, event: events.Key) -> None:
        """A letter typed in a list begins a name: it goes where names are typed."""
        typing = self.query_one("#open-input", SafeInput)
        if typing.has_focus or any(event.key in action.keys for action in self.ACTIONS):
            return
        if event.character and (event.character.isalnum() or event.character in "./~_-"):
            event.stop()
            typing.focus()
            typing.value += event.character
            typing.cursor_position = len(typing.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what the path may become."""
        self._tell("")
        self.query_one(FileTable).look(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open the path, or the only entry that it may become."""
        if event.value.strip():
            self._open(path_of(event.value))

    def on_virtual_table_activated(self, event: VirtualTable.Activated) -> None:
        """Open a bundled corpus or a file; go into a folder."""
        event.stop()
        if isinstance(event.table, BundledTable):
            self.dismiss(Request((event.table.fetch(event.index, event.index + 1)[0].name,)))
        elif isinstance(event.table, FileTable) and (entry := event.table.entry_at(event.index)) is not None:
            self._enter(entry)

    def _enter(self, entry: Entry) -> None:
        field = self.query_one("#open-input", SafeInput)
        head = os.path.split(field.value)[0]
        path = str(Path(head) / entry.name) if head else entry.name
        if not entry.is_folder:
            self._open(path_of(path))
            return
        field.value = os.path.normpath(path) + os.sep
        field.cursor_position = len(field.value)

    def _open(self, path: Path) -> None:
        if is_pipe(path):
            told = _("{name} is a pipe or a device, which may keep the program waiting; save it as a file.")
            self._tell(told.format(name=path))
        elif is_there(path) or find_bundled(str(path)) is not None:
            self.dismiss(Request((str(path),)))
        else:
            self._tell(_("There is no {path}.").format(path=path))

    def _tell(self, sentence: str) -> None:
        self._told.update(plain(sentence))
        self._told.display = bool(sentence)

    def action_use(self) -> None:
        """Open what has the focus."""
        use_focused(self)

    def action_lessons(self) -> None:
        """A lesson instead: the screen below lists them."""
        app = self.app
        self.dismiss(None)
        app.call_later(app.run_action, "screen.lessons")

    def action_other(self, by: int) -> None:
        """To the next of lists and path, or the one before."""
        if by > 0:
            self.focus_next()
        else:
            self.focus_previous()


def use_focused(screen: Screen[Any]) -> None:
    """Open the row, or the path, that has the focus on a screen."""
    focused = screen.focused
    if isinstance(focused, VirtualTable):
        focused.action_activate()
    elif isinstance(focused, SafeInput):
        focused.post_message(Input.Submitted(focused, focused.value))


def is_pipe(path: Path) -> bool:
    """Is it something that reading may wait for?"""
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Is there a file or a folder of that name?"""
    try:
        return path.exists()
    except (OSError, ValueError):  # such as a name that is too long, or no name
        return False
