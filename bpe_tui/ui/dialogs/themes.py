"""Choosing a theme: the one under the cursor is put on at once, and taken off again by escape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual import on

from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.themes import THEMES
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.theme import Theme


class ThemeRows(RowSource["Theme"]):
    """The program's own themes."""

    def count(self, view: VirtualList[Any]) -> int:
        """All of them."""
        return len(THEMES)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[Theme]:
        """Those in view."""
        return list(THEMES[start:stop])

    def draw(self, view: VirtualList[Any], row: Theme) -> list[Segment]:
        """Its name."""
        return [Segment(row.name, view.palette.strong)]

    def note(self, view: VirtualList[Any]) -> str:
        """What enter does."""
        return _("enter keeps it")


class ThemesDialog(Dialog[str]):
    """Ends with the name of the theme to keep, or None, and then with the one that there was before."""

    DEFAULT_CSS = """
    ThemesDialog { align: right top; background: transparent; }
    ThemesDialog > VirtualList { width: 36; max-width: 100%; height: 5; background: $surface; }
    """
    AUTO_FOCUS = "VirtualList"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("keep", ("enter",), "keep it", "Keep this theme", Group.PROGRAM, footer=80),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, current: str, put_on: Callable[[str], object]) -> None:
        """`current`: name of the theme now; `put_on` shows the program in another one."""
        super().__init__()
        self._before = current
        self._put_on = put_on
        self._list = VirtualList(mark("Themes"), ThemeRows())

    def compose(self) -> ComposeResult:
        """The list, and the keys."""
        yield self._list
        yield self.key_bar()

    def on_mount(self) -> None:
        """Start at the theme that there is."""
        names = [theme.name for theme in THEMES]
        self._list.cursor = names.index(self._before) if self._before in names else 0

    @on(VirtualList.Highlighted)
    def _preview(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._put_on(THEMES[event.index].name)

    @on(VirtualList.Selected)
    def _keep(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.dismiss(THEMES[event.index].name)

    def action_keep(self) -> None:
        """Keep the theme under the cursor."""
        self._list.action_select()

    def action_cancel(self) -> None:
        """Back to the theme that there was."""
        self._put_on(self._before)
        super().action_cancel()
