"""What the four lists of the board share: rows of a session, and the widget that lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from bpe_tui.core.display import SPACE, visible
from bpe_tui.core.i18n import _, number
from bpe_tui.core.readable import spellings
from bpe_tui.ui.board.revealed import Revealed
from bpe_tui.ui.widgets.virtual_list import HEADER_FROM, RowSource, RowT, VirtualList

if TYPE_CHECKING:
    from textual.message import Message

    from bpe_tui.core.readable import Notation
    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.ui.session.training import Session


class SessionRows(RowSource[RowT], Generic[RowT]):
    """Rows of a session, none until there is one; with a filter only those that hold its text."""

    header_from: int | None = HEADER_FROM

    def __init__(self, empty: str) -> None:
        """`empty` is what the list says without rows; translated there."""
        self._empty = empty
        self._session: Session | None = None
        self.revealed = Revealed()
        """What may be shown of the moment."""
        self.filter_text = ""
        """Only rows that hold this text are listed; empty for all."""
        self.motion = 1.0
        """How much is shown of what the last merge changed, while a short motion carries it; 1 at rest."""

    @property
    def is_ready(self) -> bool:
        """Is there a session to look at?"""
        return self._session is not None

    @property
    def session(self) -> Session:
        """The session; only asked for when there is one."""
        assert self._session is not None
        return self._session

    def use_session(self, session: Session, revealed: Revealed) -> None:
        """Take rows from another session, all of them."""
        self._session, self.revealed = session, revealed
        self.filter_text, self.order = "", None

    @property
    def trainer(self) -> Trainer:
        """The session's trainer."""
        return self.session.trainer

    @property
    def notation(self) -> Notation:
        """Shows tokens."""
        return self.session.notation

    @property
    def shown_filter(self) -> str:
        """The filter's text, safe to show; a `␣` in it means a space."""
        return visible(self.filter_text.replace(SPACE, " "))

    @property
    def wanted(self) -> tuple[str, ...]:
        """The token texts that the filter may mean: a row that holds one of them is listed."""
        return spellings(self.filter_text, byte_level=self.notation.byte_level)

    @property
    def base_size(self) -> int:
        """Ids below this are letters and special tokens."""
        return self.trainer.base_size

    @property
    def empty_text(self) -> str:
        """A filter that fits nothing says so."""
        if self.filter_text:
            return _("Nothing here holds “{text}”; esc ends the filter.").format(text=self.shown_filter)
        return _(self._empty)

    @property
    def version(self) -> object:
        """The moment of the trainer, and what of it may be shown."""
        trainer = self.trainer
        drops, rule = len(trainer.drops), trainer.options.ties
        return self._session, trainer.position, trainer.known, drops, rule, self.revealed

    def filtered(self, view: VirtualList[Any], total: int) -> str:
        """How many of all rows the filter has left, for the title line."""
        return _("{count} of {total} hold “{text}”").format(
            count=number(view.row_count), total=number(total), text=self.shown_filter
        )


class SessionList(VirtualList[RowT], Generic[RowT]):
    """A list over a session, blank until there is one."""

    source: SessionRows[RowT]

    @property
    def filter_text(self) -> str:
        """Only rows that hold this text are listed; empty for all."""
        return self.source.filter_text

    @filter_text.setter
    def filter_text(self, text: str) -> None:
        """List what holds another text, from the top."""
        if text != self.source.filter_text:
            self.source.filter_text = text
            self.to_top()

    def show_session(self, session: Session, revealed: Revealed) -> None:
        """Look at another session, from its top or at the row that is followed."""
        self.source.use_session(session, revealed)
        self._layout_key = None
        self.forget_marks()
        self.cursor = 0
        self.pan = 0
        self._is_following = True
        self.reload()
        if self.source.followed(self) is None:
            self.scroll_first(0)

    def show_moment(self, revealed: Revealed) -> None:
        """Show the session's moment, now or once the list is in view."""
        self.source.revealed = revealed
        if self.display:
            self.reload()

    def post_to_screen(self, message: Message) -> None:
        """Post a message straight to the screen, so that list and board are repainted together.

        All is on the terminal 35 ms after the key; with a message that bubbles, the list is repainted first, and the
        board is done after 45.
        """
        self.screen.post_message(message)
