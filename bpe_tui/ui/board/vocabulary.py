"""The vocabulary: every token, how often it occurs in the corpus now, and which merge created it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from rich.segment import Segment

from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.ui.board.session_list import SessionList, SessionRows
from bpe_tui.ui.messages import TokenHighlighted, TokenSelected
from bpe_tui.ui.text import cells, tone_of
from bpe_tui.ui.widgets.columns import left, number_width, right, roomy
from bpe_tui.ui.widgets.sorting import GrowingOrder, SortColumn, by_numbers, head, some_in_order

if TYPE_CHECKING:
    from bpe_tui.core.readable import Notation
    from bpe_tui.core.training.arrays import Indices
    from bpe_tui.core.training.rows import TokenRow
    from bpe_tui.ui.widgets.sorting import SortOrder
    from bpe_tui.ui.widgets.virtual_list import VirtualList


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A token, with what its drawing depends on beside itself."""

    row: TokenRow
    is_new: bool
    """The last merge made it."""


@dataclass(frozen=True, slots=True)
class TokenColumns:
    """Widths of the columns, in cells."""

    id: int = 2
    token: int = 5
    length: int = 3
    count: int = 5
    short: bool = False
    """Are merges given as `#7`, because `merge 7` takes more room than there is?"""

    @property
    def width(self) -> int:
        """All of them, with the blanks between and after."""
        return self.id + self.token + self.length + self.count + 6


ADDED: Final = ("special", "protected")
"""Origins of tokens that no word is made of."""


class VocabularyRows(SessionRows[TokenLine]):
    """Tokens in id order, or sorted; the newest is in view."""

    sort_columns = (
        SortColumn("token", mark("token")),
        SortColumn("length", mark("len"), falls=True),
        SortColumn("count", mark("count"), falls=True),
    )

    def __init__(self) -> None:
        super().__init__("")
        self._ids: Sequence[int] = ()
        """The tokens of the moment, by id."""
        self._ordered: Sequence[int] | Indices | None = None
        """Ids in the order of a column; None for their own."""
        self._by_value = GrowingOrder()
        self._columns = TokenColumns()
        self._found: list[int] = []
        self._found_for: tuple[object, str] | None = None
        self._found_to = 0

    def count(self, view: VirtualList[Any]) -> int:
        """All tokens, or those that hold the filter's text."""
        total = self.trainer.vocab_size
        self._ids = self.trainer.token_ids
        found = self._find(total) if self.filter_text else None
        self._ordered = None if self.order is None else self._sorted(self.order, total)
        if self._ordered is not None and found is not None:
            self._ordered = some_in_order(self._ordered, found)
        return total if found is None else len(found)

    def _sorted(self, order: SortOrder, total: int) -> Sequence[int] | Indices:
        trainer = self.trainer
        ids: Sequence[int] | Indices
        texts, is_length = trainer.texts, order.column == "length"
        if trainer.start is not None:  # its tokens need not come in the order of their ids
            values = trainer.token_counts if order.column == "count" else None
            ids = sorted(
                self._ids,
                key=lambda token: (
                    values[token] if values is not None else len(texts[token]) if is_length else texts[token]
                ),
            )
        elif order.column == "count":
            ids = by_numbers(trainer.token_counts[:total])
        else:
            key = (self.session, order.column, len(trainer.drops))
            ids = self._by_value.rows(key, total, lambda token: len(texts[token]) if is_length else texts[token])
        return ids[::-1] if order.descending else ids

    def followed(self, view: VirtualList[Any]) -> int | None:
        """The newest token; before the first merge all tokens are as old, and the list begins at its top."""
        if self.order is not None:
            return None
        return view.row_count - 1 if self.trainer.position else 0

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[TokenLine]:
        """The tokens in view."""
        trainer = self.trainer
        last = trainer.last_step
        newest = last.merge.id if last is not None else -1
        ids: Sequence[int] = self._found[start:stop] if self.filter_text else self._ids[start:stop]
        if self._ordered is not None:
            ids = [int(token) for token in self._ordered[start:stop]]
        return [TokenLine(trainer.token(token), token == newest) for token in ids]

    def measure(self, view: VirtualList[Any], rows: Sequence[TokenLine]) -> object:
        """Columns as wide as the rows in view need."""
        width = view.inner_width
        number = max(2, number_width(*(line.row.id for line in rows)))
        length = max(3 + (self.order is not None), number_width(*(line.row.length for line in rows)))
        count = max(5 + (self.order is not None), number_width(*(line.row.count for line in rows)))
        widest = max((cells(self.notation.token(line.row.text)) for line in rows), default=5)
        token = max(
            5 + (self.order is not None), min(widest, width // 3, width - TokenColumns(number, 0, length, count).width)
        )
        columns = TokenColumns(number, roomy(token, width), length, count)
        room = width - columns.width
        short = any(
            _unused_width(line.row) + _origin_width(line.row, self.notation) > room for line in rows if line.row.merge
        )
        self._columns = replace(columns, short=short)
        return self._columns, self.order

    def draw(self, view: VirtualList[Any], row: TokenLine) -> list[Segment]:
        """` 7  ug     2     20  u + g, merge 1`."""
        token, columns, palette = row.row, self._columns, view.palette
        unused = f"{_('unused')}, " if token.count == 0 and token.origin not in ADDED else ""
        style = palette.muted if unused else palette.token(tone_of(token.id, self.base_size))
        return [
            Segment("•" if row.is_new else " ", palette.new),
            Segment(right(number(token.id), columns.id) + " ", palette.muted),
            Segment(
                left(self.notation.token(token.text), columns.token) + " ",
                style + palette.strong if row.is_new else style,
            ),
            Segment(right(number(token.length), columns.length) + " ", palette.muted),
            Segment(right(number(token.count), columns.count) + "  "),
            *([Segment(unused, palette.tie)] if unused else []),
            *self._origin(view, token, view.inner_width + view.pan - columns.width - cells(unused)),
        ]

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        columns = self._columns
        return [
            Segment(" " + right(_("id"), columns.id) + " "),
            head(_("token"), columns.token, "token", self.order),
            Segment(" "),
            head(_("len"), columns.length, "length", self.order, at_right=True),
            Segment(" "),
            head(_("count"), columns.count, "count", self.order, at_right=True),
            Segment("  " + _("made of")),
        ]

    def is_changed(self, row: TokenLine) -> bool:
        """The last merge made the token."""
        return row.is_new

    def figures(self, view: VirtualList[Any]) -> str | tuple[str, ...]:
        """`7 letters + 1 merged`."""
        trainer = self.trainer
        total = trainer.vocab_size
        if self.filter_text:
            return self.filtered(view, total)
        base = trainer.base
        letters = len(base.alphabet_ids)
        protected = len({*base.protected}.difference(base.alphabet))
        specials = trainer.base_count - letters - protected
        merged = total - trainer.base_count
        parts = [plural("{count} special", "{count} special", specials)] if specials else []
        parts += [plural("{count} protected", "{count} protected", protected)] if protected else []
        if self.notation.byte_level:
            parts.append(plural("{count} byte", "{count} bytes", letters))
        else:
            parts.append(plural("{count} letter", "{count} letters", letters))
        parts += [plural("{count} merged", "{count} merged", merged)] if merged else []
        return " + ".join(parts), number(total)

    def _origin(self, view: VirtualList[Any], token: TokenRow, room: int) -> list[Segment]:
        """What created the token, in `room` cells if possible."""
        palette = view.palette
        if token.merge is None:
            names = {"special": _("special token"), "protected": _("protected")}
            return [Segment(names.get(token.origin) or self.notation.symbol_name, palette.muted)]
        merge, base_size = token.merge, self.base_size
        left_text, right_text = self.notation.token(merge.left), self.notation.token(merge.right)
        rank = number(merge.rank + 1)
        origin = f", #{rank}" if self._columns.short else ", " + _("merge {number}").format(number=rank)
        if cells(left_text) + cells(right_text) + 3 + cells(origin) > room:
            origin = ""  # part of a number would be another number
        return [
            Segment(left_text, palette.token(tone_of(merge.left_id, base_size))),
            Segment(" + ", palette.separator),
            Segment(right_text, palette.token(tone_of(merge.right_id, base_size))),
            Segment(origin, palette.muted),
        ]

    def _find(self, total: int) -> list[int]:
        """Ids of the tokens that hold the filter's text; texts never change, so only new ids are looked at."""
        key = (self.session, self.filter_text)
        if key != self._found_for:
            self._found, self._found_for, self._found_to = [], key, 0
        if total < self._found_to:
            del self._found[bisect_left(self._found, total) :]
        texts, wanted = self.trainer.texts, self.wanted
        if self.trainer.start is not None:
            self._found, self._found_to = [], 0
        new = self._ids[self._found_to : total]
        self._found += [token for token in new if any(way in texts[token] for way in wanted)]
        self._found_to = total
        return self._found


def _origin_width(row: TokenRow, notation: Notation) -> int:
    """Cells that `u + g, merge 1` takes."""
    if row.merge is None:
        return 0
    origin = _("merge {number}").format(number=number(row.merge.rank + 1))
    return cells(notation.pair(row.merge.left, row.merge.right)) + 2 + cells(origin)


def _unused_width(row: TokenRow) -> int:
    """Cells that is said with of a token that no word holds any more."""
    return cells(_("unused")) + 2 if row.count == 0 and row.origin not in ADDED else 0


class VocabularyList(SessionList[TokenLine]):
    """The Vocabulary pane."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Vocabulary"), VocabularyRows(), number="³", id=id)

    def point_at(self, index: int) -> None:
        """Say which token the learner looks at."""
        super().point_at(index)
        line = self.row_at_cursor
        if line is not None:
            self.post_to_screen(TokenHighlighted(line.row.id))

    def action_select(self) -> None:
        """Show the tree of the token under the cursor."""
        line = self.row_at_cursor
        if line is not None:
            self.post_message(TokenSelected(line.row.id))
