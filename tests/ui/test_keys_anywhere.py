"""What keys do in every focus and on every layout, and that the last line offers no other ones."""

from __future__ import annotations

import pytest

from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.cyrillic import CYRILLIC
from bpe_tui.ui.dialogs.help import HelpScreen
from bpe_tui.ui.encode.screen import EncodeScreen
from bpe_tui.ui.widgets.key_bar import KeyBar
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import focused, make_app, press, screen_name, status, train_screen


def offered(bar: KeyBar) -> list[str]:
    """The keys in the last line."""
    return [item.action.first_key for item in bar.placed]


async def test_the_last_line_offers_what_keys_do_while_something_is_typed() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        bar = train_screen(app).board.keys
        assert offered(bar)[0] == "space"
        assert "L" in offered(bar)
        await press(pilot, "e")
        assert offered(bar) == ["enter", "esc", "tab", "ctrl+q"]
        await press(pilot, "escape", "slash")
        assert offered(bar) == ["enter", "esc", "tab", "ctrl+q"]
        assert [item.action.label for item in bar.placed][:2] == ["keep the filter", "end it"]
        await press(pilot, "escape")
        assert offered(bar)[0] == "space"
        await press(pilot, "E")
        assert screen_name(app) == "EncodeScreen"
        bar = app.screen.query_one(KeyBar)
        assert offered(bar) == ["esc", "tab", "ctrl+q"]
        await press(pilot, "escape")
        assert offered(bar)[0] == "space"


async def test_the_open_dialog_offers_no_letter_while_a_name_is_typed() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o")
        assert "L" in offered(app.screen.query_one(KeyBar))
        await press(pilot, "x")
        assert offered(app.screen.query_one(KeyBar)) == ["enter", "tab", "esc"]


@pytest.mark.parametrize("width", [80, 100, 120])
async def test_lessons_are_offered_from_80_columns_on(width: int) -> None:
    app = make_app()
    async with app.run_test(size=(width, 30)):
        bar = train_screen(app).board.keys
        assert "L" in offered(bar)
        assert ("p" in offered(bar)) == (width >= 100)


async def test_arrows_step_and_undo_whatever_list_has_the_focus() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        for pane in "123456":
            await press(pilot, pane, "right", "right", "left")
            assert status(app).startswith("merge 1/3")
            await press(pilot, "left")
            assert status(app).startswith("merge 0/3")


async def test_shifted_arrows_pan_a_list_and_arrows_alone_do_in_dialogs() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        words = train_screen(app).board.words
        await press(pilot, "1", "shift+right", "greater_than_sign", "shift+left")
        assert words.pan == 8
        await press(pilot, "question_mark", "right")
        assert app.screen.query_one(VirtualList).pan == 8


async def test_a_cyrillic_layout_works_by_place() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "т", "т")
        assert status(app).startswith("merge 2/3")
        await press(pilot, "г")
        assert status(app).startswith("merge 1/3")
        await press(pilot, "Т")
        assert status(app).startswith("merge 8/3") or "done" in status(app)
        await press(pilot, "к", "ы")
        assert status(app) == "merge 0/3  vocab 7  counted"
        await press(pilot, "у")
        assert focused(app) == "encode-input"
        await press(pilot, "п", "у")
        assert train_screen(app).board.encode_line.input.value == "пу"
        await press(pilot, "escape", "full_stop")
        assert focused(app) == "filter-input"
        await press(pilot, "escape", "comma")
        assert isinstance(app.screen, HelpScreen)
        await press(pilot, "й")
        assert screen_name(app) == "TrainScreen"
        await press(pilot, "Д")
        assert screen_name(app) == "LessonsScreen"
        await press(pilot, "escape", "щ")
        assert screen_name(app) == "OpenScreen"
        await press(pilot, "escape", "У")
        assert screen_name(app) == "EncodeScreen"


def test_every_letter_has_its_place_on_the_cyrillic_layout() -> None:
    letters = {key for action in ACTIONS for key in action.keys if len(key) == 1 and key.isalpha()}
    assert letters <= set(CYRILLIC)
    assert [CYRILLIC[key] for key in "nuseybgq"] == list("тгыунипй")
    assert len(set(CYRILLIC.values())) == len(CYRILLIC)


async def test_a_key_that_comes_before_the_screen_is_there_does_nothing() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        session = train_screen(app).board.session
        assert session is not None
        for screen, action in ((EncodeScreen(session), "leave"), (HelpScreen(ACTIONS), "cancel")):
            app.push_screen(screen)
            assert not await app.run_action(action, screen)
            await pilot.pause()
            assert app.screen is screen
            assert await app.run_action(action, screen)
            await press(pilot, "escape")
            train_screen(app)
