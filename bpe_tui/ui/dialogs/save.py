"""Writing from a screen: the tokenizer of the moment shown in one of the formats, a session, or a picture."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark
from bpe_tui.core.runtime import policy
from bpe_tui.core.system import names_folder
from bpe_tui.ui.actions import Action, Group, Scope, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog, ask
from bpe_tui.ui.session.export import (
    PICTURE,
    FileKind,
    download,
    file_name,
    files_of,
    in_memory,
    kind_called,
    kinds,
    obstacle,
    refusals,
    write_picture,
    writer,
)
from bpe_tui.ui.tasks import sentence_of, start_job
from bpe_tui.ui.text import plain
from bpe_tui.ui.typed_paths import path_of
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.safe_input import SafeInput
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.screen import Screen

    from bpe_tui.ui.session.tokenizer import EncodeSession

HINT: Final = mark("A new file is written whole, or not at all; an old one only after a question.")
DOWNLOAD_HINT: Final = mark("Your browser gets the file, and keeps it where it keeps its downloads.")


class FileKindRows(RowSource[FileKind]):
    """One row for each kind of file that can be written."""

    def __init__(self, kinds: list[FileKind]) -> None:
        """`kinds` may become others, which `reload` shows."""
        self._kinds = kinds

    def count(self, view: VirtualList[Any]) -> int:
        """All kinds."""
        return len(self._kinds)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[FileKind]:
        """Those in view."""
        return list(self._kinds[start:stop])

    def draw(self, view: VirtualList[Any], row: FileKind) -> list[Segment]:
        """Name and title; or, of what can't be written, the name and why."""
        palette = view.palette
        name = max(len(kind.name) for kind in self._kinds) + 2
        if row.refusal:
            return [Segment(left(row.name, name) + displayable(row.refusal), palette.muted)]
        return [Segment(left(row.name, name), palette.strong), Segment(row.title)]


class WriteDialog(Dialog[tuple[FileKind, str]]):
    """Ends with what to write and where, or None; that an old file is overwritten has been agreed to.

    The name decides the kind, as on the command line: the cursor follows what is typed, and the name what is chosen.
    """

    CSS_PATH = "dialog.tcss"
    AUTO_FOCUS = "VirtualList"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("write", ("enter",), "write", "Write the file", Group.PROGRAM, footer=80),
        Action(
            "focus_next",
            ("tab",),
            "format or file",
            "To the format, to the name of the file",
            Group.MOVE,
            Scope.APP,
            footer=70,
        ),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, session: EncodeSession) -> None:
        super().__init__()
        self._session = session
        self._kinds = kinds(session)
        self._list = VirtualList(mark("Write"), FileKindRows(self._kinds))
        self._field = SafeInput(id="write-path")
        self._usual = _(HINT if policy().reaches_files else DOWNLOAD_HINT)
        self._hint = Static(Content(self._usual), classes="dialog-hint")
        self._agreed: str | None = None
        self._offered = ""
        self._chosen = 0
        """The row that decides while the name does not."""

    def compose(self) -> ComposeResult:
        """Formats, a path, a hint, the keys."""
        with Vertical():
            yield self._list
            with Horizontal(id="write-line"):
                yield Static(Content(f" {_('File')} ▸ "))
                yield self._field
            yield self._hint
        yield self.key_bar()

    def on_mount(self) -> None:
        """Offer the first kind that can be written."""
        self._list.cursor = self._chosen = next(place for place, kind in enumerate(self._kinds) if not kind.refusal)
        self._offer()
        find = refusals(self._session)
        start_job(self, lambda job: find(), group="refusals", done=self._show_refusals)

    def _show_refusals(self, found: dict[str, str]) -> None:
        """Which formats cannot represent the tokenizer of this moment, whatever the options of its training."""
        before = self.kind
        self._kinds[:] = [replace(kind, refusal=kind.refusal or found.get(kind.name, "")) for kind in self._kinds]
        self._list.reload()
        if self.kind != before:
            self._offer()

    def on_resize(self, event: events.Resize) -> None:
        """Leave room for name, hint and keys."""
        self._list.styles.height = max(3, min(len(self._kinds) + 2, event.size.height - 5))

    @property
    def kind(self) -> FileKind:
        """The kind under the cursor."""
        return self._kinds[self._list.cursor]

    def _offer(self) -> None:
        """Offer a name for the kind chosen; of one that the learner has typed, only the ending changes."""
        offered, typed = file_name(self._session, self.kind), self._field.value
        named = kind_called(self._kinds, typed.strip())
        if typed == self._offered or named is None or named.name != self.kind.name:
            self._chosen = self._list.cursor
        if typed == self._offered:
            self._field.value = self._offered = offered
            self._field.cursor_position = len(offered)
        elif named is not None and named.name != self.kind.name and typed.endswith(named.suffix):
            self._field.value = typed.removesuffix(named.suffix) + self.kind.suffix
        self._show_hint(self.kind.refusal or self._usual)

    def _show_hint(self, text: str) -> None:
        self._hint.update(plain(text))

    @on(VirtualList.Highlighted)
    def _take_kind(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._agreed = None
        self._offer()

    @on(VirtualList.Selected)
    def _ask_for_name(self, event: VirtualList.Selected) -> None:
        event.stop()
        if self.kind.refusal:
            self._show_hint(self.kind.refusal)
        else:
            self.set_focus(self._field)

    @on(Input.Changed)
    def _take_name(self, event: Input.Changed) -> None:
        event.stop()
        if self._agreed is not None:
            self._agreed = None
            self._show_hint(self._usual)
        named = kind_called(self._kinds, _kept_of(event.value)) if event.value != self._offered else None
        self._list.cursor = self._chosen if named is None else self._kinds.index(named)

    @on(Input.Submitted)
    def _write(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_write()

    def action_write(self) -> None:
        """Write, if nothing is in the way; ask first if a file would be lost."""
        typed = self._field.value.strip()
        kind = self.kind
        if kind.refusal or not typed:
            self._show_hint(kind.refusal or _("Type a name for the file."))
            return
        if not policy().reaches_files:
            name = _kept_of(typed)
            self.dismiss((kind, name if name.strip(".") else file_name(self._session, kind)))
            return
        path = str(path_of(typed))
        if names_folder(typed):
            path = os.path.join(path, "")  # noqa: PTH118 (a path forgets the separator)
        wrong = obstacle(self._session, Path(path), kind)
        if wrong:
            self._show_hint(wrong)
        elif self._agreed != path and (old := [str(one) for one in files_of(kind, path) if one.exists()]):
            self._agreed = path
            self._show_hint(_overwrite(old))
            self.set_focus(self._field)
        else:
            self.dismiss((kind, path))


def _kept_of(typed: str) -> str:
    """What of a typed name counts: its last part where files are out of reach, since a browser has its own folders."""
    typed = typed.strip()
    return typed if policy().reaches_files else Path(typed.replace("\\", "/")).name


def _overwrite(names: list[str]) -> str:
    """The question before files are overwritten; a format may have two."""
    if len(names) == 1:
        return _("There is {name} already. Enter once more overwrites it.").format(name=names[0])
    return _("There are {name} and {other} already. Enter once more overwrites them.").format(
        name=names[0], other=names[1]
    )


class FileWriter:
    """Writes files for a screen: asks what and where, writes in a thread, and reports how it went."""

    def __init__(self, screen: Screen[None], notify: Callable[[str], None], warn: Callable[[str], None]) -> None:
        """`notify` shows a sentence (untrusted) that something was done, `warn` that it could not be."""
        self._screen = screen
        self._notify = notify
        self._warn = warn

    def ask(self, session: EncodeSession | None) -> None:
        """Ask what to write of a session, and where; nothing is asked if nothing is open."""
        if session is not None:
            ask(self._screen, WriteDialog(session), partial(self._write, session))

    def _write(self, session: EncodeSession, chosen: tuple[FileKind, str] | None) -> None:
        if chosen is None:
            return
        kind, path = chosen
        # What makes a picture waits until the dialog is gone.
        if not policy().reaches_files:
            self._screen.call_after_refresh(self._download, session, kind, path)
        elif kind.name == PICTURE:
            self._screen.call_after_refresh(self._write_picture, path)
        else:
            self._start(session, kind, path)

    def _start(self, session: EncodeSession, kind: FileKind, path: str) -> None:
        try:
            work = writer(session, kind, path)
        except BpeError as error:
            self._warn(str(error))
        else:
            start_job(
                self._screen,
                lambda job: work(),
                group="write",
                done=partial(self._report, path),
                failed=lambda error: self._warn(sentence_of(error)),
            )

    def _download(self, session: EncodeSession, kind: FileKind, name: str) -> None:
        """Hand the file to the learner's browser instead."""
        app = self._screen.app
        try:
            files = in_memory(session, kind, name, app.export_screenshot)
        except BpeError as error:
            self._warn(str(error))
        else:
            self._notify(_("{name} goes to your browser.").format(name=download(app, name, files)))

    def _write_picture(self, path: str) -> None:
        try:
            write_picture(path, self._screen.app.export_screenshot())
        except BpeError as error:
            self._warn(str(error))
        else:
            self._report(path)

    def _report(self, path: str, notes: tuple[str, ...] = ()) -> None:
        self._notify(" ".join((_("Wrote {path}.").format(path=path), *notes)))
