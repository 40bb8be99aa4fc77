"""Enter on a word: how it came to be split as it is."""

from __future__ import annotations

from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import lines, make_app, press, screen_name, status


async def test_the_splits_of_a_word_merge_by_merge() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "space", "space", "1", "enter")
        assert screen_name(app) == "WordHistoryDialog"
        shown = lines(app.screen.query_one(VirtualList))
        assert "hug · 2 merges" in shown[0]
        assert [line.strip("│ ").split() for line in shown[1:4]] == [
            ["start", "h·u·g"],
            ["merge", "1", "h·ug"],
            ["merge", "3", "hug"],
        ]
        await press(pilot, "down", "enter")
        assert screen_name(app) == "TrainScreen"
        assert status(app).startswith("merge 1/3")
        await press(pilot, "1", "down", "down", "enter")
        assert "pun · 0 merges" in lines(app.screen.query_one(VirtualList))[0]
