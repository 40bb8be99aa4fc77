"""Help: what the train screen shows, and every key; each key in it can be pressed there and then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.actions import ACTIONS as TRAINING
from bpe_tui.ui.actions import Action, Group, bindings, first_key, with_cyrillic
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.text import cells, wrap
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Sequence

INTRODUCTION: Final = mark(
    "Byte-pair encoding splits every word into letters, counts which two tokens occur side by side most often, and "
    "makes them one token. Then it counts again. Each press of {step} is one such merge; {undo} takes it back."
)
EXPLANATIONS: Final = (
    (mark("Corpus"), mark("The words with their counts, split as they are now. The pair in question is marked: u+g.")),
    (
        mark("Pairs"),
        mark("All pairs by count. ▸ is the one that is merged next, = has the same count. Enter merges another one."),
    ),
    (
        mark("Vocabulary"),
        mark(
            "Every token: its id, length, count in the corpus now, its parts. Enter shows its tree, and why it stays."
        ),
    ),
    (mark("Merges"), mark("What was learned, in order. Enter on one goes back, or forth, to that moment.")),
    (mark("Algorithm"), mark("The textbook loop; the line of the current phase is marked.")),
    (
        mark("Curve"),
        mark("Tokens per word, shrinking with every merge. After a choice of your own, dots show the rule's way."),
    ),
    (mark("Timeline"), mark("All merges on one line, your own choices marked ◆. Click or drag to go anywhere.")),
    (
        mark("Your turn"),
        mark(
            "Press {turn}: counts are hidden, you choose the pair that comes next, and then you see. "
            "A tied one is right."
        ),
    ),
    (
        mark("Runs"),
        mark("In aaaa the pair a + a is counted 3 times but merged twice: of two that overlap only one can merge."),
    ),
    (mark("Encode"), mark("Press {encode} and type: your text with the merges learned at this moment.")),
)
LIST_KEYS: Final = (
    (mark("up, down, pageup, pagedown, home, end"), mark("Move through a list")),
    (mark("shift+↓, shift+↑, shift+end"), mark("Mark rows, as dragging the mouse does; ctrl+c copies them")),
    (mark("shift+←, shift+→, <, >"), mark("See what is cut off at the side; in dialogs ← and → do it too")),
    (
        mark("enter"),
        mark(
            "On a pair: merge it. On a word: its history. On a token: its tree. On a merge: go there. "
            "In the filter: keep it"
        ),
    ),
    (mark("ctrl+p"), mark("All actions by name")),
)


@dataclass(frozen=True, slots=True)
class HelpRow:
    """A line of the help."""

    key: str
    text: str
    action: Action | None = None
    is_heading: bool = False
    is_wide: bool = False
    """The text begins where keys do."""


class HelpRows(RowSource[HelpRow]):
    """Headings, panes and keys in one list."""

    def __init__(self, actions: Sequence[Action], introduction: str, explanations: Sequence[tuple[str, str]]) -> None:
        self._actions = actions
        self._introduction = introduction
        self._explanations = explanations
        self._lines: list[HelpRow] = []
        self._lines_for = -1

    def count(self, view: VirtualList[Any]) -> int:
        """Lines for the width there is."""
        if self._lines_for != view.inner_width:
            self._lines = self._make_lines(view.inner_width)
            self._lines_for = view.inner_width
        return len(self._lines)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[HelpRow]:
        """The lines in view."""
        return self._lines[start:stop]

    def draw(self, view: VirtualList[Any], row: HelpRow) -> list[Segment]:
        """A key and what it does."""
        palette = view.palette
        if row.is_heading:
            return [Segment(row.text, palette.accent)]
        if row.is_wide:
            return [Segment(row.text)]
        return [Segment(left(row.key, key_width(view.inner_width)), palette.strong), Segment(row.text)]

    def _make_lines(self, width: int) -> list[HelpRow]:
        """The whole help, wrapped to `width`."""
        keys = {action.setting: action.first_key for action in self._actions if action.setting}
        rows = [HelpRow("", _("How it works"), is_heading=True)]
        rows += [HelpRow("", line, is_wide=True) for line in wrap(_(self._introduction).format(**keys), width)]
        rows += [HelpRow("", ""), HelpRow("", _("What you see"), is_heading=True)]
        for name, text in self._explanations:
            rows += _entry(_(name), _(text).format(**keys), width)
        there = {action.group for action in self._actions}
        for group in filter(there.__contains__, Group):
            rows += [HelpRow("", ""), HelpRow("", _(group.value), is_heading=True)]
            for action in self._actions:
                if action.group is group:
                    rows += _entry(action.key_text, _(action.help), width, action)
        rows += [HelpRow("", ""), HelpRow("", _("In a list"), is_heading=True)]
        for key, text in LIST_KEYS:
            rows += _entry(_(key), _(text), width)
        return rows

    def figures(self, view: VirtualList[Any]) -> str:
        """How to leave."""
        return _("esc or {help} closes it").format(help=first_key("help"))

    def note(self, view: VirtualList[Any]) -> str:
        """What enter does."""
        return _("enter or a double click on a key presses it")


class HelpScreen(Dialog[str]):
    """Ends with the action to run, or None."""

    DEFAULT_CSS = """
    HelpScreen > VirtualList { width: 92%; max-width: 96; height: 92%; min-height: 11; }
    """
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("press", ("enter",), "press this key", "Press the key of this row", Group.PROGRAM, footer=80),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(ACTIONS),
        Binding(with_cyrillic(("question_mark",)), "cancel", "Close", show=False, id="train.help"),
        Binding(with_cyrillic(("q",)), "cancel", "Close", show=False, id="app.quit"),
    ]

    def __init__(
        self,
        actions: Sequence[Action] = TRAINING,
        introduction: str = INTRODUCTION,
        explanations: Sequence[tuple[str, str]] = EXPLANATIONS,
    ) -> None:
        """Help for a screen: its table of actions, what it is for, and a name and a text for each pane."""
        super().__init__()
        self._rows = HelpRows(actions, introduction, explanations)

    def compose(self) -> ComposeResult:
        """The list."""
        yield VirtualList(mark("Help"), self._rows)
        yield self.key_bar()

    def action_press(self) -> None:
        """Press the key of the row under the cursor."""
        self.query_one(VirtualList).action_select()

    @on(VirtualList.Selected)
    def _press(self, event: VirtualList.Selected) -> None:
        event.stop()
        if event.row is not None and event.row.action is not None:
            self.dismiss(event.row.action.target)


def key_width(width: int) -> int:
    """Cells of the column with the keys."""
    return 14 if width >= 48 else 11


def _entry(key: str, text: str, width: int, action: Action | None = None) -> Sequence[HelpRow]:
    """A key and its text, the text wrapped; a key too long for its column has a line of its own."""
    room = key_width(width)
    lines = wrap(text, width - room)
    rows: list[HelpRow] = []
    if cells(key) >= room:
        rows.append(HelpRow("", key, action))
        key = ""
    rows.append(HelpRow(key, lines[0] if lines else "", action))
    rows += [HelpRow("", line, action) for line in lines[1:]]
    return rows
