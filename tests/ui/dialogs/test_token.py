"""A token of the vocabulary: looked at, opened, and gone to its merges from there."""

from __future__ import annotations

import pytest

from bpe_tui.ui.dialogs.token import TokenDialog
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import app_on_text, lines, make_app, press, screen_name, status, text_of, train_screen


async def test_a_token_under_the_cursor_says_where_it_stands() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "space", "space", "3", "up", "up", "up")
        assert "u stays in the vocabulary: every u was merged into ug" in text_of(train_screen(app).board.explanation)
        await press(pilot, "space")
        assert "stays in the vocabulary" not in text_of(train_screen(app).board.explanation)


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (200, 60)])
async def test_enter_opens_its_tree_and_escape_leaves_it(size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await press(pilot, "space", "space", "space", "3", "enter")
        assert isinstance(app.screen, TokenDialog)
        shown = "\n".join(lines(app.screen.query_one(VirtualList)))
        assert "hug · id 9" in shown
        assert "├ h" in shown
        assert "merge 1" in shown
        assert "15×" in shown
        await press(pilot, "escape")
        assert screen_name(app) == "TrainScreen"


async def test_enter_on_a_node_goes_to_its_merge() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "space", "space", "3", "enter", "down", "down", "enter")
        assert screen_name(app) == "TrainScreen"
        assert status(app).startswith("merge 1/3")


async def test_the_mouse_opens_a_token_and_closes_it() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "space", "space")
        await pilot.double_click("#vocabulary", offset=(5, 3))
        await pilot.pause()
        assert isinstance(app.screen, TokenDialog)
        await pilot.click(offset=(1, 1))
        await pilot.pause()
        assert screen_name(app) == "TrainScreen"


async def test_hostile_tokens_are_shown_safely() -> None:
    app = app_on_text("[/]\x1b[31m\u202e " * 5, merges=6)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "f", "3", "enter")
        shown = text_of(app.screen.query_one(VirtualList))
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        await press(pilot, "escape")
