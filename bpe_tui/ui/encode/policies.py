"""The unknown policies side by side: what each makes of the word looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rich.segment import Segment

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.readable import CHARACTERS, Notation
from bpe_tui.ui.encode.actions import encode_key
from bpe_tui.ui.encode.chip_layout import chip_text
from bpe_tui.ui.text import segments_width, token_segments, tone_of
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.virtual_list import RowSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.style import Style

    from bpe_tui.core.teaching.token_facts import PolicyResult
    from bpe_tui.ui.themes import Palette
    from bpe_tui.ui.widgets.virtual_list import VirtualList

MARK: Final = "▸"
POLICY_WIDTH: Final = 5


class PolicyRow(NamedTuple):
    """A policy and its result."""

    result: PolicyResult
    is_used: bool


class PolicyRows(RowSource[PolicyRow]):
    """What each policy makes of a word, and which one is in use."""

    def __init__(
        self, results: Sequence[PolicyResult] = (), used: str = "", base_size: int = 0, notation: Notation = CHARACTERS
    ) -> None:
        """`used` is the policy in use; ids below `base_size` are letters."""
        self._results = results
        self._used = used
        self._base_size = base_size
        self._notation = notation
        self._has_unknown = bool(results) and any(token.unknown for token in results[0].tokens)
        self._token_width = 0

    @property
    def empty_text(self) -> str:
        """Before there is a word."""
        return _("Five ways to treat a symbol that is not in the alphabet.")

    def count(self, view: VirtualList[Any]) -> int:
        """One for each policy."""
        return len(self._results)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[PolicyRow]:
        """Some policies."""
        return [PolicyRow(result, result.policy == self._used) for result in self._results[start:stop]]

    def measure(self, view: VirtualList[Any], rows: Sequence[PolicyRow]) -> object:
        """Fit the column of tokens."""
        palette = view.palette
        widest = max((segments_width(self._tokens(palette, row)) for row in rows if not row.result.error), default=0)
        self._token_width = min(widest, max(8, view.inner_width * 2 // 3))
        return self._token_width

    def draw(self, view: VirtualList[Any], row: PolicyRow) -> list[Segment]:
        """Mark, policy, tokens, remark."""
        palette = view.palette
        name_style = palette.strong if row.is_used else palette.muted
        segments = [
            Segment(f"{MARK} " if row.is_used else "  ", palette.accent),
            Segment(left(row.result.policy, POLICY_WIDTH) + "  ", name_style),
        ]
        if row.result.error:
            return [*segments, Segment(displayable(row.result.error), palette.warn)]
        tokens = self._tokens(palette, row)
        spare = self._token_width - segments_width(tokens)
        remark, style = self._remark(palette, row)
        return [*segments, *tokens, Segment(" " * max(0, spare) + "  "), Segment(remark, style)]

    def figures(self, view: VirtualList[Any]) -> str:
        """The policy in use."""
        return self._used

    def note(self, view: VirtualList[Any]) -> str:
        """How to change it."""
        if not self._has_unknown:
            return _("this word has none: all are alike")
        return _("{unknown} or enter uses another").format(unknown=encode_key("unknown"))

    def _tokens(self, palette: Palette, row: PolicyRow) -> list[Segment]:
        tokens = row.result.tokens
        if not tokens:
            return [Segment(_("nothing"), palette.muted)]
        tones = [tone_of(token.id, self._base_size) for token in tokens]
        return token_segments([chip_text(token, self._notation) for token in tokens], tones, palette)

    def _remark(self, palette: Palette, row: PolicyRow) -> tuple[str, Style]:
        result = row.result
        count = plural("{count} token", "{count} tokens", len(result.tokens))
        if result.loses:
            remark = _("{count}, reads {text}!")
            text = self._notation.text(result.read_back)
            return remark.format(count=number(len(result.tokens)), text=text), palette.warn
        if result.policy == "bytes" and any(token.unknown for token in result.tokens):
            return _("{tokens}, no byte tokens here").format(tokens=count), palette.muted
        return count, palette.muted
