"""A list that looks at the session: shared by the four lists of the train screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from bpe_tui.core.i18n import _, number
from bpe_tui.ui.board.revealed import Revealed
from bpe_tui.ui.text import visible
from bpe_tui.ui.widgets.table_view import RowT
from bpe_tui.ui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from textual.message import Message

    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.ui.session.training import Session


class SessionTable(VirtualTable[RowT], Generic[RowT]):
    """A list over a session, empty until there is one."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, classes=classes)
        self._session: Session | None = None
        self.revealed = Revealed()
        """What may be shown of the moment."""
        self._moment: object = None
        """What the rows in view were fetched for."""

    @property
    def is_ready(self) -> bool:
        """Is there a session to look at?"""
        return self._session is not None

    @property
    def empty_text(self) -> str:
        """A filter that fits nothing says so."""
        if self.filter_text:
            return _("Nothing here holds “{text}”; esc ends the filter.").format(text=visible(self.filter_text))
        return super().empty_text

    def filtered(self, total: int) -> str:
        """How many of all rows the filter has left, for the title line."""
        return _("{count} of {total} hold “{text}”").format(
            count=number(self.row_count), total=number(total), text=visible(self.filter_text)
        )

    @property
    def session(self) -> Session:
        """The session; only asked for when there is one."""
        assert self._session is not None
        return self._session

    @property
    def trainer(self) -> Trainer:
        """Its trainer."""
        return self.session.trainer

    @property
    def base_size(self) -> int:
        """Ids below this are letters and special tokens."""
        return self.session.trainer.base_size

    def show_session(self, session: Session, revealed: Revealed) -> None:
        """Look at another session, from its top."""
        self._session, self.revealed = session, revealed
        self._layout_key = None
        self.set_reactive(VirtualTable.filter_text, "")
        self.cursor = 0
        self.pan = 0
        self._following = self.FOLLOWS_END
        self.reload()
        if not self._following:
            self.scroll_first(0)

    def show_moment(self, revealed: Revealed) -> None:
        """Show the moment where the session stands, now or once the list is in view."""
        self.revealed = revealed
        if self.display:
            self.reload()

    def reload(self) -> None:
        """Nothing to look at before there is a session."""
        if self._session is not None:
            self._moment = self._moment_now()
            super().reload()

    def catch_up(self) -> None:
        """Reload if the trainer stands elsewhere than at the last look."""
        if self._session is not None and self._moment != self._moment_now():
            self.reload()

    def point_at(self, index: int) -> None:
        """Nothing to point at before there is a session."""
        if self._session is not None:
            super().point_at(index)

    def _moment_now(self) -> object:
        trainer = self.trainer
        drops, rule = len(trainer.drops), trainer.options.ties
        return self._session, trainer.position, trainer.known, drops, rule, self.revealed

    def tell_screen(self, message: Message) -> None:
        """Hand a message straight to the screen: climbing up to it would take longer than a repaint waits."""
        self.screen.post_message(message)

    def row_in_view(self, index: int) -> RowT | None:
        """The row with this index if it is on the screen."""
        line = index - self._first
        return self._rows[line] if 0 <= line < len(self._rows) else None
