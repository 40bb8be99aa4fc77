"""The files of a folder, as a name is typed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.segment import Segment

from bpe_tui.core.i18n import mark
from bpe_tui.ui.text import safe
from bpe_tui.ui.widgets.columns import left, right, size_text
from bpe_tui.ui.widgets.virtual_table import VirtualTable

UP: Final = ".."
MOST_FILES: Final = 20_000
"""Entries of a folder that are listed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or a folder."""

    name: str
    is_folder: bool
    size: int


class FileTable(VirtualTable[Entry]):
    """A folder's entries that begin like the name being typed."""

    NAME = mark("Files")
    EMPTY = mark("Nothing here has such a name.")

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._folder = Path()
        self._entries: list[Entry] = []
        self._listed: list[Entry] = []

    @property
    def has_header(self) -> bool:
        """Names and sizes speak for themselves."""
        return False

    def look(self, typed: str) -> None:
        """List what `typed` may still become."""
        head, name = os.path.split(typed)
        folder = path_of(head) if head else Path()
        if folder != self._folder or not self._entries:
            self._folder = folder
            self._entries = entries_of(folder)
        wanted = name.casefold()
        self._listed = [
            entry
            for entry in self._entries
            if entry.name.casefold().startswith(wanted)
            and (wanted.startswith(".") or entry.name[:1] != "." or entry.name == UP)
        ]
        self.cursor = 0
        self.scroll_first(0)
        self.reload()

    def entry_at(self, index: int) -> Entry | None:
        """The entry of a row."""
        return self._listed[index] if 0 <= index < len(self._listed) else None

    def count_rows(self) -> int:
        """Entries that match."""
        return len(self._listed)

    def fetch(self, start: int, stop: int) -> list[Entry]:
        """Those in view."""
        return self._listed[start:stop]

    def draw(self, row: Entry, index: int, width: int) -> list[Segment]:
        """Name and size."""
        name = safe(row.name) + ("/" if row.is_folder else "")
        size = "" if row.is_folder else size_text(row.size)
        style = self.palette.tokens[0] if row.is_folder else None
        return [Segment(left(name, max(8, width - 10)), style), Segment(right(size, 10), self.palette.muted)]

    def figures(self) -> str:
        """Which folder this is."""
        try:
            return safe(str(self._folder.resolve()))
        except (OSError, RuntimeError):  # a current folder that is gone, links in a circle
            return safe(str(self._folder))


def path_of(typed: str) -> Path:
    """The path that was typed, `~` understood."""
    path = Path(typed.strip())
    try:
        return path.expanduser()
    except RuntimeError:  # the home of nobody
        return path


def entries_of(folder: Path) -> list[Entry]:
    """Folders first, then files, by name; the way up before all. An unreadable folder is empty."""
    found: list[Entry] = []
    try:
        with os.scandir(folder) as scan:
            for item in scan:
                try:
                    is_folder = item.is_dir()
                    size = 0 if is_folder else item.stat().st_size
                except OSError:
                    continue
                found.append(Entry(item.name, is_folder, size))
                if len(found) >= MOST_FILES:
                    break
    except (OSError, ValueError):
        found = []
    found.sort(key=lambda entry: (not entry.is_folder, entry.name.casefold()))
    return [Entry(UP, is_folder=True, size=0), *found]
