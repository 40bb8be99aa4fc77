"""Picking a file: a folder's entries, and a line where a path is typed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.segment import Segment
from textual import on
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Input, Static

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.typed_paths import path_of
from bpe_tui.ui.widgets.columns import left, right, size_text
from bpe_tui.ui.widgets.safe_input import SafeInput
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from textual.app import ComposeResult

UP: Final = ".."
MOST_ENTRIES: Final = 20_000
"""Entries of a folder that are listed."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file or a folder."""

    name: str
    is_folder: bool
    size: int
    """In bytes; 0 for a folder."""


class FileRows(RowSource[FileEntry]):
    """A folder's entries that begin like the name being typed."""

    def __init__(self) -> None:
        self._folder = Path()
        self._entries: list[FileEntry] = []
        self._matching: list[FileEntry] = []

    def look(self, typed: str) -> None:
        """List what `typed` may still become."""
        head, name = os.path.split(typed)
        folder = path_of(head) if head else Path()
        if folder != self._folder or not self._entries:
            self._folder = folder
            self._entries = entries_of(folder)
        wanted = name.casefold()
        self._matching = [
            entry
            for entry in self._entries
            if entry.name.casefold().startswith(wanted)
            and (wanted.startswith(".") or entry.name[:1] != "." or entry.name == UP)
        ]

    @property
    def only(self) -> FileEntry | None:
        """The one entry that matches."""
        return self._matching[0] if len(self._matching) == 1 else None

    @property
    def empty_text(self) -> str:
        """What was typed fits nothing."""
        return _("No file here has such a name.")

    def count(self, view: VirtualList[Any]) -> int:
        """Entries that match."""
        return len(self._matching)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[FileEntry]:
        """Those in view."""
        return self._matching[start:stop]

    def draw(self, view: VirtualList[Any], row: FileEntry) -> list[Segment]:
        """Name and size."""
        name = displayable(row.name) + ("/" if row.is_folder else "")
        size = "" if row.is_folder else size_text(row.size)
        style = view.palette.tokens[0] if row.is_folder else None
        width = max(8, view.inner_width - 10)
        return [Segment(left(name, width), style), Segment(right(size, 10), view.palette.muted)]

    def figures(self, view: VirtualList[Any]) -> str:
        """Which folder this is."""
        try:
            return displayable(str(self._folder.resolve()))
        except (OSError, RuntimeError):  # a current folder that is gone, links in a circle
            return displayable(str(self._folder))


class FilePicker(Vertical):
    """The files of a folder, and below them the path; it starts in the folder where the program was started."""

    DEFAULT_CSS = """
    FilePicker {
        height: 1fr;
        & > VirtualList { height: 1fr; }
        & > Horizontal { height: 1; background: $surface; }
        & > Horizontal > Static { width: auto; color: $accent; text-style: bold; }
        & > Horizontal > SafeInput { width: 1fr; }
    }
    """
    files = query_one(VirtualList)
    input = query_one(SafeInput)

    @dataclass
    class Picked(Message):
        """A file was chosen, or a path was typed: of a file or folder, or of nothing that there is."""

        path: Path

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        """`placeholder` says what may be opened."""
        super().__init__(id=id)
        self._placeholder = placeholder
        self._rows = FileRows()

    def compose(self) -> ComposeResult:
        """Files, a path."""
        yield VirtualList(mark("Files"), self._rows)
        with Horizontal():
            yield Static(Content(f" {_('Path')} ▸ "))
            yield SafeInput(self._placeholder)

    def on_mount(self) -> None:
        """List the current folder."""
        self._look("")

    def type(self, text: str) -> None:
        """Go on typing the path with `text`."""
        self.input.focus()
        self._put(self.input.value + text)

    @property
    def only_file(self) -> Path | None:
        """The one file that what is typed may still become; None if there are several or none."""
        entry = self._rows.only
        if entry is None or entry.is_folder:
            return None
        return path_of(os.path.join(os.path.split(self.input.value)[0], entry.name))  # noqa: PTH118 (what is typed stays)

    def put(self, path: str) -> None:
        """Put a path in, instead of what was typed."""
        self.input.focus()
        self._put(path)

    def _put(self, path: str) -> None:
        self.input.value = path
        self.input.cursor_position = len(path)

    def _look(self, typed: str) -> None:
        self._rows.look(typed)
        self.files.to_top()

    @on(Input.Changed)
    def _list_matching(self, event: Input.Changed) -> None:
        self._look(event.value)

    @on(Input.Submitted)
    def _pick_path(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Picked(path_of(event.value)))

    @on(VirtualList.Selected)
    def _pick_entry(self, event: VirtualList.Selected) -> None:
        event.stop()
        entry = event.row
        if entry is None:
            return
        path = os.path.join(os.path.split(self.input.value)[0], entry.name)  # noqa: PTH118 (what is typed stays)
        if entry.is_folder:
            self._put(os.path.normpath(path) + os.sep)
        else:
            self.post_message(self.Picked(path_of(path)))


def entries_of(folder: Path) -> list[FileEntry]:
    """Folders first, then files, by name; the way up before all. An unreadable folder is empty."""
    found: list[FileEntry] = []
    try:
        with os.scandir(folder) as scan:
            for item in scan:
                try:
                    is_folder = item.is_dir()
                    size = 0 if is_folder else item.stat().st_size
                except OSError:
                    continue
                found.append(FileEntry(item.name, is_folder, size))
                if len(found) >= MOST_ENTRIES:
                    break
    except (OSError, ValueError):
        found = []
    found.sort(key=lambda entry: (not entry.is_folder, entry.name.casefold()))
    return [FileEntry(UP, is_folder=True, size=0), *found]
