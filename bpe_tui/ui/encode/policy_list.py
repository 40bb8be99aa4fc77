"""The unknown policies side by side: what each makes of the word looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.segment import Segment
from textual.message import Message

from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.ui.encode.chip_layout import chip_text
from bpe_tui.ui.text import safe, segments_width, token_segments, tone_of, visible
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.style import Style

    from bpe_tui.core.teaching.token_facts import PolicyResult

MARK: Final = "▸"
POLICY_WIDTH: Final = 5


class PolicyRow(NamedTuple):
    """A policy and its result."""

    result: PolicyResult
    is_used: bool
    is_alike: bool
    """No symbol of the word is unknown, so that all policies agree."""


class PolicyList(VirtualTable[PolicyRow]):
    """One line a policy; enter uses it."""

    NAME = mark("Unknown symbols")
    NUMBER = "⁵"
    EMPTY = mark("Five ways to treat a symbol that is not in the alphabet.")

    @dataclass
    class PolicyChosen(Message):
        """The learner wants another policy."""

        policy: str

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id, classes=classes)
        self._results: tuple[PolicyResult, ...] = ()
        self._used = ""
        self._base_size = 0
        self._has_unknown = False
        self._token_width = 0

    def show(self, results: Sequence[PolicyResult], used: str, *, base_size: int, has_unknown: bool) -> None:
        """Show what each policy makes of a word, and which one is in use."""
        self._results, self._used, self._base_size = tuple(results), used, base_size
        self._has_unknown = has_unknown
        self.reload()

    @property
    def has_header(self) -> bool:
        """Five rows speak for themselves."""
        return False

    def count_rows(self) -> int:
        """One for each policy."""
        return len(self._results)

    def fetch(self, start: int, stop: int) -> list[PolicyRow]:
        """Some policies."""
        return [
            PolicyRow(result, result.policy == self._used, not self._has_unknown)
            for result in self._results[start:stop]
        ]

    def measure(self, rows: Sequence[PolicyRow], width: int) -> object:
        """Fit the column of tokens."""
        widest = max((segments_width(self._tokens(row)) for row in rows if not row.result.error), default=0)
        self._token_width = min(widest, max(8, width * 2 // 3))
        return self._token_width

    def draw(self, row: PolicyRow, index: int, width: int) -> list[Segment]:
        """Mark, policy, tokens, remark."""
        palette = self.palette
        name_style = palette.strong if row.is_used else palette.muted
        segments = [
            Segment(f"{MARK} " if row.is_used else "  ", palette.accent),
            Segment(left(row.result.policy, POLICY_WIDTH) + "  ", name_style),
        ]
        if row.result.error:
            return [*segments, Segment(safe(row.result.error), palette.warn)]
        tokens = self._tokens(row)
        spare = self._token_width - segments_width(tokens)
        remark, style = self._remark(row)
        return [*segments, *tokens, Segment(" " * max(0, spare) + "  "), Segment(remark, style)]

    def figures(self) -> str:
        """The policy in use."""
        return self._used

    def note(self) -> str:
        """How to change it."""
        return _("k or enter uses another") if self._has_unknown else _("this word has none: all are alike")

    def action_activate(self) -> None:
        """Use the policy under the cursor."""
        if 0 <= self.cursor < len(self._results):
            self.post_message(self.PolicyChosen(self._results[self.cursor].policy))

    def _tokens(self, row: PolicyRow) -> list[Segment]:
        tokens = row.result.tokens
        if not tokens:
            return [Segment(_("nothing"), self.palette.muted)]
        tones = [0 if token.id is None else tone_of(token.id, self._base_size) for token in tokens]
        return token_segments([chip_text(token) for token in tokens], self.palette, tones=tones)

    def _remark(self, row: PolicyRow) -> tuple[str, Style]:
        palette = self.palette
        result = row.result
        count = plural("{count} token", "{count} tokens", len(result.tokens))
        if result.loses:
            told = _("{count}, reads {text}!")
            return told.format(count=number(len(result.tokens)), text=visible(result.read_back)), palette.warn
        if result.policy == "bytes" and any(token.unknown for token in result.tokens):
            return _("{tokens}, no byte tokens here").format(tokens=count), palette.muted
        return count, palette.muted
