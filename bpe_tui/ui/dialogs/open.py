"""Opening a corpus: the bundled ones with a line on each, and any text or word-count table on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Input, Static

from bpe_tui.core.corpus.sources import BundledCorpus, bundled_corpora, find_bundled
from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.actions import Action, Group, Scope, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.text import plain
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.file_picker import FilePicker
from bpe_tui.ui.widgets.safe_input import SafeInput
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from pathlib import Path

    from textual import events
    from textual.screen import Screen

HINT: Final = mark("a text, a folder, or a word-count table (.tsv, .json)")
SHORT_HINT: Final = mark("text, folder, .tsv or .json")
WIDE: Final = 72
"""Cells from which on there is room for the longer hint."""


class BundledRows(RowSource[BundledCorpus]):
    """The corpora that come with the program."""

    def __init__(self) -> None:
        self._all = bundled_corpora()

    @property
    def empty_text(self) -> str:
        """The program may have been installed without them."""
        return _("There are none here.")

    def count(self, view: VirtualList[Any]) -> int:
        """All of them."""
        return len(self._all)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[BundledCorpus]:
        """Those in view."""
        return self._all[start:stop]

    def draw(self, view: VirtualList[Any], row: BundledCorpus) -> list[Segment]:
        """Name, preset, description."""
        palette = view.palette
        name = max(len(corpus.name) for corpus in self._all) + 2
        preset = [Segment(left(row.preset, 13), palette.muted)] if view.inner_width >= 60 else []
        return [Segment(left(row.name, name), palette.strong), *preset, Segment(displayable(_(row.description)))]


def bundled_list() -> VirtualList[BundledCorpus]:
    """A list of the corpora that come with the program."""
    return VirtualList(mark("Bundled corpora"), BundledRows(), id="bundled")


OPENING: Final = (
    Action("use", ("enter",), "open", "Open the row or the path", Group.PROGRAM, footer=80),
    Action("focus_next", ("tab",), "files, path", "To the next of lists and path", Group.MOVE, Scope.APP, footer=70),
    Action("focus_previous", ("shift+tab",), "before", "To the one before", Group.MOVE, Scope.APP),
    CANCEL,
)
"""What can be done where something is opened; the library itself moves the focus."""


LESSONS: Final = Action("lessons", ("L",), "lessons", "To the lessons", Group.PROGRAM, footer=60)
"""What else the train screen opens."""


class OpenScreen(Dialog[Request]):
    """Ends with what to open, or None."""

    CSS_PATH = "open.tcss"
    AUTO_FOCUS = "#bundled"
    ACTIONS: ClassVar[tuple[Action, ...]] = (*OPENING, LESSONS)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    picker = query_one(FilePicker)

    def __init__(self, told: str = "") -> None:
        """`told`: why one is asked, in a sentence; untrusted."""
        super().__init__()
        self._told = Static(plain(told), id="open-told")
        self._told.display = bool(told)

    def compose(self) -> ComposeResult:
        """What happened, bundled corpora, files, a path, the keys."""
        yield Static(Content(_("Open a corpus")), id="open-title")
        yield self._told
        yield bundled_list()
        yield FilePicker(_(HINT))
        yield self.key_bar()

    def on_resize(self, event: events.Resize) -> None:
        """Say what may be opened as fully as there is room."""
        self.picker.input.placeholder = _(HINT if event.size.width >= WIDE else SHORT_HINT)

    def on_key(self, event: events.Key) -> None:
        """A letter typed in a list begins a name: it goes where names are typed."""
        if self.picker.input.has_focus or any(event.key in action.bound_keys for action in self.ACTIONS):
            return
        if event.character and (event.character.isalnum() or event.character in "./~_-"):
            event.stop()
            self.picker.type(event.character)

    @on(Input.Changed)
    def _forget_what_was_told(self) -> None:
        self._tell("")

    @on(VirtualList.Selected, "#bundled")
    def _open_bundled(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.dismiss(Request((event.row.name,)))

    @on(FilePicker.Picked)
    def _open_path(self, event: FilePicker.Picked) -> None:
        event.stop()
        path = event.path
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


def use_focused(screen: Screen[Any]) -> None:
    """Open the row, or the path, that has the focus on a screen."""
    focused = screen.focused
    if isinstance(focused, VirtualList):
        focused.action_select()
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
