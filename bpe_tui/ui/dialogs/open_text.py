"""Opening a text on the encode screen: a file from the disk, taken as it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import CorpusError
from bpe_tui.core.i18n import _, number, unreadable
from bpe_tui.ui.actions import Action, bindings
from bpe_tui.ui.dialogs.dialog import Dialog
from bpe_tui.ui.dialogs.open import OPENING, use_focused
from bpe_tui.ui.text import safe
from bpe_tui.ui.widgets.file_table import FileTable, path_of
from bpe_tui.ui.widgets.safe_input import SafeInput

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bpe_tui.ui.widgets.virtual_table import VirtualTable

MOST: Final = 1_000_000
"""Bytes of the largest text that the editor takes."""


class OpenTextScreen(Dialog[str]):
    """Ends with the text, or None."""

    DEFAULT_CSS = """
    OpenTextScreen { layout: vertical; background: $background; overflow: hidden; }
    OpenTextScreen > FileTable { height: 1fr; }
    OpenTextScreen > Horizontal { height: 1; background: $surface; }
    OpenTextScreen > Horizontal > Static { width: auto; color: $accent; text-style: bold; }
    OpenTextScreen > Horizontal > SafeInput { width: 1fr; }
    OpenTextScreen > .title { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    """
    AUTO_FOCUS = "SafeInput"
    ACTIONS: ClassVar[tuple[Action, ...]] = OPENING
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def compose(self) -> ComposeResult:
        """Files, a path, a hint."""
        yield Static(Content(_("Open a text")), classes="title")
        yield FileTable()
        with Horizontal():
            yield Static(Content(f" {_('Path')} ▸ "))
            yield SafeInput(_("a file in UTF-8; its bytes are taken as they are"))
        yield self.key_bar()

    def on_mount(self) -> None:
        """Start in the folder where the program was started."""
        self.query_one(FileTable).look("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what the path may become."""
        self.query_one(FileTable).look(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open the path."""
        event.stop()
        if event.value.strip():
            self._open(path_of(event.value))

    def on_virtual_table_activated(self, event: VirtualTable.Activated) -> None:
        """Open a file; go into a folder."""
        event.stop()
        entry = self.query_one(FileTable).entry_at(event.index)
        if entry is None:
            return
        field = self.query_one(SafeInput)
        path = os.path.join(os.path.split(field.value)[0], entry.name)  # noqa: PTH118 (what is typed stays as typed)
        if entry.is_folder:
            field.value = os.path.normpath(path) + os.sep
            field.cursor_position = len(field.value)
        else:
            self._open(path_of(path))

    def _open(self, path: Path) -> None:
        try:
            text = read_text(path)
        except CorpusError as error:
            self.app.notify(safe(str(error)), severity="warning", markup=False)
        else:
            self.dismiss(text)

    def action_use(self) -> None:
        """Open what has the focus."""
        use_focused(self)

    def action_other(self, by: int) -> None:
        """To the files, to the path."""
        if by > 0:
            self.focus_next()
        else:
            self.focus_previous()


def read_text(path: Path) -> str:
    """The text of a file, every character of it. Raises `CorpusError` if it cannot be read, or is no UTF-8."""
    name = displayable(str(path))
    try:
        if path.exists() and not path.is_file():
            raise CorpusError(_("{name} cannot be read: it is no file with a text in it.").format(name=name))
        if path.is_file() and path.stat().st_size > MOST:
            told = _("{name} is larger than {most} bytes; bpe-tui encode takes it on the command line.")
            raise CorpusError(told.format(name=name, most=number(MOST)))
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        told = _("{name} is not UTF-8: see byte {place}.").format(name=name, place=number(error.start))
        raise CorpusError(told) from error
    except (OSError, ValueError) as error:
        raise CorpusError(f"{unreadable(name, error)}.") from error
