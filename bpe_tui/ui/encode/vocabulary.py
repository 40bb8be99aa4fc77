"""The vocabulary and the merges of a tokenizer, as lists to be sorted and filtered: no corpus is needed for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.containers import Horizontal
from textual.getters import query_one
from textual.widgets import Input

from bpe_tui.core.display import SPACE, visible
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.readable import ARROW, PLUS, spellings
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.board.status_bar import StatusBar
from bpe_tui.ui.dialogs.dialog import DismissOnce, ask
from bpe_tui.ui.dialogs.help import HelpScreen
from bpe_tui.ui.encode.actions import VOCABULARY_ACTIONS
from bpe_tui.ui.text import cells, tone_of
from bpe_tui.ui.widgets.columns import left, number_width, right
from bpe_tui.ui.widgets.filter_line import FilterLine
from bpe_tui.ui.widgets.key_bar import KeyBar
from bpe_tui.ui.widgets.sorting import SortColumn, head
from bpe_tui.ui.widgets.virtual_list import HEADER_FROM, RowSource, RowT, VirtualList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from bpe_tui.core.training.vocabulary import Merge
    from bpe_tui.ui.session.tokenizer import EncodeSession

WIDE: Final = 72
"""Cells from which on the lists are side by side."""
FILTERING: Final[tuple[Action, ...]] = (
    Action("submit", ("enter",), "keep the filter", "Keep the filter", Group.ASK, footer=100),
    Action("leave", ("escape",), "end it", "End the filter", Group.MOVE, footer=90),
)
INTRODUCTION: Final = mark(
    "All that the tokenizer knows at the moment shown: its tokens, and the merges that made them in the order learned."
)
EXPLANATIONS: Final = (
    (mark("Vocabulary"), mark("Every token: its id, its length in characters, what it is made of.")),
    (mark("Merges"), mark("Every merge by its number; those after the moment shown are there too, in italics.")),
)


class TokenEntry(NamedTuple):
    """A token of the vocabulary."""

    id: int
    text: str
    merge: Merge | None
    """What made it first; None for what was there from the start."""


class LearnedEntry(NamedTuple):
    """A merge."""

    merge: Merge
    is_here: bool
    """It is the last one at the moment shown."""
    is_later: bool


class _TimelineRows(RowSource[RowT], Generic[RowT]):
    """Rows of a tokenizer, sorted and filtered once for each order and filter."""

    header_from = HEADER_FROM

    def __init__(self, session: EncodeSession) -> None:
        self.session = session
        """The tokenizer and the moment."""
        self.filter_text = ""
        """Only rows that hold this text are listed; empty for all."""
        self._rows: list[int] = []
        self._rows_for: object = None

    @property
    def empty_text(self) -> str:
        """A filter that fits nothing says so."""
        if self.filter_text:
            return _("Nothing here holds “{text}”; esc ends the filter.").format(text=self.shown_filter)
        return _("There are none here.")

    @property
    def shown_filter(self) -> str:
        """The filter's text, safe to show."""
        return visible(self.filter_text.replace(SPACE, " "))

    def _sorted(
        self, everything: Callable[[], list[int]], keys: dict[str, Callable[[int], Any]], text: Callable[[int], str]
    ) -> list[int]:
        """The rows to list, made anew only for another order or filter."""
        wanted_for = (self.order, self.filter_text, self.session.timeline.position)
        if wanted_for != self._rows_for:
            rows = everything()
            if self.filter_text:
                wanted = spellings(self.filter_text, byte_level=self.session.notation.byte_level)
                rows = [row for row in rows if any(way in text(row) for way in wanted)]
            if self.order is not None:
                rows.sort(key=keys[self.order.column], reverse=self.order.descending)
            self._rows, self._rows_for = rows, wanted_for
        return self._rows

    def _shown(self, total: int) -> str:
        if not self.filter_text:
            return number(total)
        return _("{count} of {total} hold “{text}”").format(
            count=number(len(self._rows)), total=number(total), text=self.shown_filter
        )


class TokenEntries(_TimelineRows[TokenEntry]):
    """The tokens at the moment shown, by id."""

    sort_columns = (
        SortColumn("id", mark("id"), falls=True),
        SortColumn("token", mark("token")),
        SortColumn("length", mark("len"), falls=True),
    )

    def __init__(self, session: EncodeSession) -> None:
        super().__init__(session)
        self._widths = (2, 5, 4)

    def count(self, view: VirtualList[Any]) -> int:
        """All, or those that hold the filter's text."""
        timeline = self.session.timeline
        texts = timeline.texts

        def everything() -> list[int]:
            return [token for token in sorted(timeline.ids.values()) if timeline.has_token(token)]

        keys: dict[str, Callable[[int], Any]] = {
            "id": lambda token: token,
            "token": texts.__getitem__,
            "length": lambda token: len(texts[token]),
        }
        return len(self._sorted(everything, keys, texts.__getitem__))

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[TokenEntry]:
        """The tokens in view."""
        timeline = self.session.timeline
        return [TokenEntry(token, timeline.texts[token], timeline.made_by(token)) for token in self._rows[start:stop]]

    def measure(self, view: VirtualList[Any], rows: Any) -> object:
        """Columns as wide as the rows in view need."""
        notation = self.session.notation
        arrow = self.order is not None
        widest = max((cells(notation.token(row.text)) for row in rows), default=5)
        self._widths = (
            max(2 + arrow, number_width(*(row.id for row in rows))),
            max(5 + arrow, min(widest, max(8, view.inner_width // 3))),
            max(3 + arrow, number_width(*(len(row.text) for row in rows))),
        )
        return self._widths, self.order

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        ids, token, length = self._widths
        return [
            head(_("id"), ids, "id", self.order, at_right=True),
            Segment("  "),
            head(_("token"), token, "token", self.order),
            Segment("  "),
            head(_("len"), length, "length", self.order, at_right=True),
            Segment("  " + _("made of")),
        ]

    def draw(self, view: VirtualList[Any], row: TokenEntry) -> list[Segment]:
        """` 257  ␣the  4  ␣t + he, merge 12`."""
        palette, notation, base = view.palette, self.session.notation, self.session.timeline.base_size
        ids, token, length = self._widths
        segments = [
            Segment(right(number(row.id), ids) + "  ", palette.muted),
            Segment(left(notation.token(row.text), token), palette.token(tone_of(row.id, base))),
            Segment("  " + right(number(len(row.text)), length) + "  ", palette.muted),
        ]
        merge = row.merge
        if merge is None:
            is_symbol = row.text in self.session.timeline.base.alphabet
            return [*segments, Segment(notation.symbol_name if is_symbol else _("special token"), palette.muted)]
        return [
            *segments,
            Segment(notation.token(merge.left), palette.token(tone_of(merge.left_id, base))),
            Segment(PLUS, palette.separator),
            Segment(notation.token(merge.right), palette.token(tone_of(merge.right_id, base))),
            Segment(self._origin(view, merge), palette.muted),
        ]

    def _origin(self, view: VirtualList[Any], merge: Merge) -> str:
        """`, merge 31`, or as much of it as there is room for behind the pair: part of a number is another number."""
        room = view.inner_width + view.pan - sum(self._widths) - 6
        room -= cells(self.session.notation.pair(merge.left, merge.right))
        rank = number(merge.rank + 1)
        forms = (", " + _("merge {number}").format(number=rank), f", #{rank}", "")
        return next(form for form in forms if cells(form) <= max(0, room))

    def figures(self, view: VirtualList[Any]) -> str:
        """How many there are."""
        return self._shown(self.session.timeline.vocab_size)


class LearnedEntries(_TimelineRows[LearnedEntry]):
    """The merges in the order learned."""

    sort_columns = (
        SortColumn("number", "#", falls=True),
        SortColumn("pair", mark("pair")),
        SortColumn("makes", mark("makes")),
        SortColumn("length", mark("len"), falls=True),
    )

    def __init__(self, session: EncodeSession) -> None:
        super().__init__(session)
        self._widths = (1, 5, 5, 3)

    def count(self, view: VirtualList[Any]) -> int:
        """All, or those that hold the filter's text."""
        timeline = self.session.timeline
        merge_at = timeline.merge_at
        keys: dict[str, Callable[[int], Any]] = {
            "number": lambda rank: rank,
            "pair": lambda rank: (merge_at(rank).left, merge_at(rank).right),
            "makes": lambda rank: merge_at(rank).token,
            "length": lambda rank: len(merge_at(rank).token),
        }
        return len(self._sorted(lambda: list(range(timeline.known)), keys, lambda rank: merge_at(rank).token))

    def followed(self, view: VirtualList[Any]) -> int | None:
        """The last merge of the moment, in the order learned."""
        whole = self.order is None and not self.filter_text
        return self.session.timeline.position - 1 if whole else None

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[LearnedEntry]:
        """The merges in view."""
        timeline = self.session.timeline
        here = timeline.position
        return [
            LearnedEntry(timeline.merge_at(rank), rank == here - 1, rank >= here) for rank in self._rows[start:stop]
        ]

    def measure(self, view: VirtualList[Any], rows: Any) -> object:
        """Columns as wide as the rows in view need."""
        notation, arrow = self.session.notation, self.order is not None
        pairs = max((cells(notation.pair(row.merge.left, row.merge.right)) for row in rows), default=5)
        makes = max((cells(notation.token(row.merge.token)) for row in rows), default=5)
        length = max(3 + arrow, number_width(*(len(row.merge.token) for row in rows)))
        numbers = max(1 + arrow, number_width(*(row.merge.rank + 1 for row in rows)))
        room = max(12, view.inner_width - numbers - length - len(ARROW) - 6)
        pairs = max(4 + arrow, min(pairs, room * 3 // 5))
        self._widths = (numbers, pairs, max(5 + arrow, min(makes, room - pairs)), length)
        return self._widths, self.order

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        numbers, pair, makes, length = self._widths
        return [
            Segment("  "),
            head("#", numbers, "number", self.order, at_right=True),
            Segment("  "),
            head(_("pair"), pair, "pair", self.order),
            Segment(" " * len(ARROW)),
            head(_("makes"), makes, "makes", self.order),
            Segment("  "),
            head(_("len"), length, "length", self.order, at_right=True),
        ]

    def draw(self, view: VirtualList[Any], row: LearnedEntry) -> list[Segment]:
        """`● 12  ␣t + he → ␣the  4`."""
        palette, notation, base = view.palette, self.session.notation, self.session.timeline.base_size
        numbers, pair, makes, length = self._widths
        merge = row.merge
        segments = [
            Segment("● " if row.is_here else "  ", palette.accent),
            Segment(right(number(merge.rank + 1), numbers) + "  ", palette.muted),
            Segment(left(notation.pair(merge.left, merge.right), pair)),
            Segment(ARROW, palette.separator),
            Segment(left(notation.token(merge.token), makes), palette.token(tone_of(merge.id, base))),
            Segment("  " + right(number(len(merge.token)), length), palette.muted),
        ]
        if row.is_later:
            return [Segment(segment.text, palette.muted + Style(italic=True)) for segment in segments]
        return segments

    def figures(self, view: VirtualList[Any]) -> str:
        """How many there are, and how many of them come later."""
        timeline = self.session.timeline
        later = timeline.known - timeline.position
        if later and not self.filter_text:
            return plural(
                "{position}, then {count} later",
                "{position}, then {count} later",
                later,
                position=number(timeline.position),
            )
        return self._shown(timeline.known)


class VocabularyScreen(DismissOnce[int | None]):
    """Ends with the number of a merge to go to, or None."""

    DEFAULT_CSS = """
    VocabularyScreen { layout: vertical; background: $background; }
    VocabularyScreen > Horizontal { height: 1fr; }
    VocabularyScreen VirtualList { width: 1fr; height: 1fr; }
    VocabularyScreen.-narrow > Horizontal { layout: vertical; }
    VocabularyScreen FilterLine { display: none; }
    VocabularyScreen.-filtering FilterLine { display: block; }
    """
    ACTIONS: ClassVar[tuple[Action, ...]] = VOCABULARY_ACTIONS
    """What can be done here; footer, palette and help read it."""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(VOCABULARY_ACTIONS)]
    AUTO_FOCUS = "#entries"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (a list, as in the library's class)

    entries = query_one("#entries", VirtualList)
    learned = query_one("#learned", VirtualList)
    filter_line = query_one("#vocabulary-filter", FilterLine)
    status = query_one("#status", StatusBar)

    def __init__(self, session: EncodeSession) -> None:
        super().__init__()
        self._session = session
        self._lists: dict[str, _TimelineRows[Any]] = {
            "entries": TokenEntries(session),
            "learned": LearnedEntries(session),
        }
        self._chosen = "entries"

    def compose(self) -> ComposeResult:
        """Status, the two lists, a filter, the keys."""
        yield StatusBar(id="status")
        with Horizontal():
            yield VirtualList(mark("Vocabulary"), self._lists["entries"], number="¹", id="entries")
            yield VirtualList(mark("Merges"), self._lists["learned"], number="²", id="learned")
        yield FilterLine(id="vocabulary-filter")
        yield KeyBar(VOCABULARY_ACTIONS, id="keys")

    def on_mount(self) -> None:
        """Show the moment."""
        self.status.show_timeline(self._session.titles, self._session.timeline)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember the list, and offer the keys that work now."""
        if event.widget.id in self._lists:
            self._chosen = event.widget.id
        self.query_one(KeyBar).use_actions(FILTERING if event.widget is self.filter_line.input else VOCABULARY_ACTIONS)

    @property
    def _list(self) -> VirtualList[Any]:
        return self.query_one(f"#{self._chosen}", VirtualList)

    def action_pane(self, by: int) -> None:
        """To the other list."""
        names = list(self._lists)
        self.query_one(f"#{names[(names.index(self._chosen) + by) % len(names)]}").focus()

    def action_go_pane(self, number: int) -> None:
        """To a list by its number."""
        self.query_one(f"#{list(self._lists)[number - 1]}").focus()

    # -- order and filter -------------------------------------------------------------------------------------

    def action_sort(self) -> None:
        """Sort the list by its next column."""
        self._list.sort_by_next()

    def action_reverse(self) -> None:
        """The order the other way round."""
        self._list.reverse_order()

    def action_filter(self) -> None:
        """Filter the list."""
        self.filter_line.name_list(_(self._list.list_title))
        with self.prevent(Input.Changed):
            self.filter_line.input.value = self._lists[self._chosen].filter_text
        self.add_class("-filtering")
        self.call_after_refresh(self.set_focus, self.filter_line.input)

    @on(Input.Changed, "#filter-input")
    def _filter(self, event: Input.Changed) -> None:
        event.stop()
        self._use_filter(event.value)

    def _use_filter(self, text: str) -> None:
        self._lists[self._chosen].filter_text = text
        self._list.to_top()

    @on(Input.Submitted, "#filter-input")
    def _keep_filter(self, event: Input.Submitted) -> None:
        event.stop()
        self._end_filter()

    def _end_filter(self) -> None:
        self.remove_class("-filtering")
        self.set_focus(self._list)

    # -- the way out ------------------------------------------------------------------------------------------

    def action_go(self) -> None:
        """Go to the moment after the merge under the cursor, or of the token there."""
        self._list.action_select()

    @on(VirtualList.Selected)
    def _go(self, event: VirtualList.Selected) -> None:
        event.stop()
        merge = event.row.merge if event.row is not None else None
        if merge is not None:
            self.dismiss(merge.rank + 1)

    def action_leave(self) -> None:
        """Leave the filter, then the screen."""
        if self.has_class("-filtering"):
            self._use_filter("")
            self._end_filter()
        elif self._lists[self._chosen].filter_text:
            self._use_filter("")
        else:
            self.dismiss(None)

    def action_help(self) -> None:
        """Explain this screen."""
        ask(self, HelpScreen(self.ACTIONS, INTRODUCTION, EXPLANATIONS), self._help_chose)

    async def _help_chose(self, action: str | None) -> None:
        if action is not None:
            await self.run_action(action)
