"""The lists of the train screen while a corpus is counted: there is no session yet, and keys come all the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.app import App, ComposeResult

from bpe_tui.ui.board.merges import MergeLog
from bpe_tui.ui.board.pairs import PairList
from bpe_tui.ui.board.session_list import SessionList
from bpe_tui.ui.board.vocabulary import VocabularyList
from bpe_tui.ui.board.words import WordList
from bpe_tui.ui.themes import DEFAULT_VARIABLES
from bpe_tui.ui.widgets.virtual_list import VirtualList

KEYS = [binding.key for binding in VirtualList.BINDINGS if not isinstance(binding, tuple)]


class Waiting(App[None]):
    """One list, and nothing to list."""

    def __init__(self, table: SessionList[object]) -> None:
        super().__init__()
        self.table = table

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DEFAULT_VARIABLES[True])

    def compose(self) -> ComposeResult:
        yield self.table


@pytest.mark.parametrize("kind", [WordList, PairList, VocabularyList, MergeLog])
async def test_no_key_asks_for_a_session_that_is_not_there(kind: Callable[[], SessionList[object]]) -> None:
    table = kind()
    async with Waiting(table).run_test(size=(40, 10)) as pilot:
        table.focus()
        await pilot.press(*KEYS)
        await pilot.click(offset=(5, 3), times=2)
        table.filter_text = "a"
        await pilot.press(*KEYS)
        assert (table.cursor, table.row_count) == (0, 0)
