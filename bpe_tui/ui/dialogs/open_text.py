"""Opening a text on the encode screen: a file from the disk, taken as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Static

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import CorpusError
from bpe_tui.core.i18n import _, number, unreadable
from bpe_tui.ui.actions import Action, bindings
from bpe_tui.ui.dialogs.dialog import Dialog
from bpe_tui.ui.dialogs.open import OPENING, use_focused
from bpe_tui.ui.widgets.file_picker import FilePicker

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.binding import BindingType

MOST: Final = 1_000_000
"""Bytes of the largest text that the editor takes."""


class OpenTextScreen(Dialog[str]):
    """Ends with the text, or None."""

    DEFAULT_CSS = """
    OpenTextScreen { layout: vertical; background: $background; overflow: hidden; }
    OpenTextScreen > .title { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    """
    AUTO_FOCUS = "SafeInput"
    ACTIONS: ClassVar[tuple[Action, ...]] = OPENING
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    picker = query_one(FilePicker)

    def __init__(self, path: str = "") -> None:
        """`path`: what is in the input to begin with."""
        super().__init__()
        self._path = path

    def on_mount(self) -> None:
        """Begin with what was pasted."""
        if self._path:
            self.picker.put(self._path)

    def compose(self) -> ComposeResult:
        """Files, a path, a hint."""
        yield Static(Content(_("Open a text")), classes="title")
        yield FilePicker(_("a file in UTF-8; its bytes are taken as they are"))
        yield self.key_bar()

    @on(FilePicker.Picked)
    def _open(self, event: FilePicker.Picked) -> None:
        event.stop()
        try:
            text = read_text(event.path)
        except CorpusError as error:
            self.app.notify(displayable(str(error)), severity="warning", markup=False)
        else:
            self.dismiss(text)

    def action_use(self) -> None:
        """Open what has the focus."""
        use_focused(self)


def read_text(path: Path) -> str:
    """The text of a file, every character of it. Raises `CorpusError` if it cannot be read, or is no UTF-8."""
    name = displayable(str(path))
    try:
        if path.exists() and not path.is_file():
            raise CorpusError(_("{name} cannot be read: it is no file with a text in it.").format(name=name))
        if path.is_file() and path.stat().st_size > MOST:
            message = _("{name} is larger than {most} bytes; bpe-tui encode takes it on the command line.")
            raise CorpusError(message.format(name=name, most=number(MOST)))
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        message = _("{name} is not UTF-8: see byte {place}.").format(name=name, place=number(error.start))
        raise CorpusError(message) from error
    except (OSError, ValueError) as error:
        raise CorpusError(f"{unreadable(name, error)}.") from error
