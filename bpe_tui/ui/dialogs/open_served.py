"""Opening a corpus where no file can be reached: the bundled ones, and a text of the learner's own."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.actions import Action, Group, Scope, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.dialogs.open import BundledRows, bundled_list
from bpe_tui.ui.served_driver import too_large
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.text import plain
from bpe_tui.ui.widgets.verbatim_area import VerbatimArea
from bpe_tui.ui.widgets.virtual_list import VirtualList

PLACE: Final = mark("Type or paste a text here, or give the page a file.")


class OpenServedScreen(Dialog[Request]):
    """Ends with what to open, or None."""

    DEFAULT_CSS = """
    OpenServedScreen { layout: vertical; background: $background; overflow: hidden; }
    OpenServedScreen > .title { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    OpenServedScreen > .message { height: auto; padding: 0 1; color: $warning; }
    OpenServedScreen > #bundled { height: 11; max-height: 45%; }
    OpenServedScreen > VerbatimArea { height: 1fr; padding: 0 1; }
    """
    AUTO_FOCUS = "#bundled"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("use", ("enter",), mark("open"), mark("Open the corpus under the cursor"), Group.PROGRAM, footer=80),
        Action(
            "focus_next",
            ("tab",),
            mark("your own text"),
            mark("To your own text, to the corpora"),
            Group.MOVE,
            Scope.APP,
            footer=70,
        ),
        Action("use_text", ("ctrl+o",), mark("open the text"), mark("Open your own text"), Group.PROGRAM, footer=75),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, message: str = "") -> None:
        """`message`: why one is asked, in a sentence; untrusted."""
        super().__init__()
        self._message = Static(plain(message), classes="message")
        self._message.display = bool(message)

    def compose(self) -> ComposeResult:
        """Bundled corpora, a text, the keys."""
        yield Static(Content(_("Open a corpus")), classes="title")
        yield self._message
        yield bundled_list(BundledRows())
        yield Static(Content(_("Your own text")), classes="title")
        yield VerbatimArea(placeholder=_(PLACE))
        yield self.key_bar()

    @on(VirtualList.Selected)
    def _open_bundled(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.dismiss(Request((event.row.name,)))

    def take_text(self, name: str, text: str) -> None:
        """A text came from the learner's browser: open it."""
        self.dismiss(Request(text=text, title=name))

    def action_use(self) -> None:
        """Open the corpus under the cursor."""
        self.query_one(VirtualList).action_select()

    def action_use_text(self) -> None:
        """Open the learner's own text."""
        text = self.query_one(VerbatimArea).raw
        reason = too_large(text) if text.strip() else _(PLACE)
        if reason:
            self.app.notify(reason, severity="warning", markup=False)
            self.set_focus(self.query_one(VerbatimArea))
        else:
            self.dismiss(Request(text=text, title=_("text")))
