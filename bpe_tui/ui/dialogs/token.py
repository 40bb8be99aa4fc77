"""A token of the vocabulary: its tree down to symbols, where it occurs now, and why it stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size

from bpe_tui.core.i18n import _, mark, number
from bpe_tui.core.teaching.lineage import origin_sentence, place_sentence, token_tree, uses_sentence
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.text import cells, tone_of, wrap
from bpe_tui.ui.widgets.columns import left, number_width, right
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from textual import events

    from bpe_tui.core.teaching.lineage import TreeNode
    from bpe_tui.ui.session.training import Session

WIDTH: Final = 72
"""Cells of the box where there is room."""
BORN: Final = 8
"""Cells of the column of counts at least."""


@dataclass(frozen=True, slots=True)
class TreeLine:
    """A node of the tree, or a line of a sentence."""

    text: str = ""
    node: TreeNode | None = None


class TreeRows(RowSource[TreeLine]):
    """Sentences, then the tree; enter on a node goes to its merge."""

    def __init__(self, session: Session, token: int) -> None:
        trainer = session.trainer
        self._base_size = trainer.base_size
        self._notation = notation = session.notation
        self._row = trainer.token(token)
        self._tree = token_tree(trainer, token)
        sentences = (
            origin_sentence(trainer, token, notation),
            place_sentence(trainer, token, notation),
            uses_sentence(trainer, token, notation),
        )
        self._sentences = tuple(sentence for sentence in sentences if sentence)
        numbers = [number(node.step.number) for node in self._tree if node.step is not None]
        width = max(map(cells, numbers), default=1)
        self._made = max((cells(_made(right(each, width))) for each in numbers), default=cells(notation.symbol_name))
        self._number = width
        self._born = max(BORN, 1 + number_width(*(node.initial_count for node in self._tree)))
        self._widest = max(cells(node.branch + notation.token(node.text)) for node in self._tree)
        self._lines: list[TreeLine] = []
        self._lines_for = -1

    def lines(self, width: int) -> list[TreeLine]:
        """All rows, wrapped to `width`."""
        if self._lines_for != width:
            rows = [TreeLine(line) for sentence in self._sentences for line in wrap(sentence, width)]
            if self._row.origin not in ("special", "protected"):
                rows += [TreeLine(), *(TreeLine(node=node) for node in self._tree)]
            self._lines, self._lines_for = rows, width
        return self._lines

    def count(self, view: VirtualList[Any]) -> int:
        """Sentences and nodes."""
        return len(self.lines(view.inner_width))

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[TreeLine]:
        """The rows in view."""
        return self._lines[start:stop]

    def draw(self, view: VirtualList[Any], row: TreeLine) -> list[Segment]:
        """`├ ug        merge 1   20×`."""
        node, palette = row.node, view.palette
        if node is None:
            return [Segment(row.text)]
        step = node.step
        made = _made(right(number(step.number), self._number)) if step is not None else self._notation.symbol_name
        after = self._made + self._born + 4
        text = self._notation.token(node.text)
        room = max(4, min(self._widest, view.inner_width - after))
        segments = [
            Segment(node.branch, palette.separator),
            Segment(text, palette.token(tone_of(node.token, self._base_size))),
        ]
        blank = room - cells(node.branch) - cells(text)
        return [
            *segments,
            Segment(" " * max(0, blank) + "  "),
            Segment(left(made, self._made), palette.muted),
            Segment(" " + right(f"{number(node.initial_count)}×", self._born)),
        ]

    def figures(self, view: VirtualList[Any]) -> str:
        """`hug · id 9`."""
        return _("{token} · id {id}").format(token=self._notation.token(self._row.text), id=number(self._row.id))

    def note(self, view: VirtualList[Any]) -> str:
        """What the figures of the tree are."""
        return _("× = times created")

    def first_node(self, width: int) -> int:
        """Row of the token itself."""
        return next((place for place, line in enumerate(self.lines(width)) if line.node), 0)


def _made(merge: str) -> str:
    """Where a token came from, in a column."""
    return _("merge {number}").format(number=merge)


class TokenDialog(Dialog[int]):
    """Ends with the number of a merge to go to, or None."""

    AUTO_FOCUS = "VirtualList"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("go", ("enter",), "go to its merge", "Stand right after the merge of this row", Group.STEP, footer=80),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    DEFAULT_CSS = f"TokenDialog > VirtualList {{ width: {WIDTH}; max-width: 100%; max-height: 100%; }}"

    def __init__(self, session: Session, token: int) -> None:
        super().__init__()
        self._rows = TreeRows(session, token)
        self._list = VirtualList(mark("Token"), self._rows)

    def compose(self) -> ComposeResult:
        """The list, and the keys."""
        yield self._list
        yield self.key_bar()

    def on_mount(self) -> None:
        """Fit the box to what it holds."""
        self._fit(self.app.size)
        self.call_after_refresh(self._point)

    def _point(self) -> None:
        self._list.cursor = self._rows.first_node(self._list.inner_width)

    def on_resize(self, event: events.Resize) -> None:
        """Fit the box again."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        rows = len(self._rows.lines(min(WIDTH, size.width) - 4))
        self._list.styles.height = max(4, min(rows + 2, size.height - 1))

    def action_go(self) -> None:
        """Go to the merge of the node under the cursor."""
        self._list.action_select()

    @on(VirtualList.Selected)
    def _go(self, event: VirtualList.Selected) -> None:
        event.stop()
        node = event.row.node if event.row is not None else None
        if node is not None and node.step is not None:
            self.dismiss(node.step.number)
