"""The command palette offers every action of the screen, and the themes; nothing leaves the program unseen."""

from __future__ import annotations

import asyncio

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.command import CommandList, CommandPalette
from textual.events import Click
from textual.pilot import Pilot
from textual.widgets import OptionList
from textual.worker import Worker

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import OptionError
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.encode.actions import ENCODE_ACTIONS
from bpe_tui.ui.safety import OUR_BLANKS, SafeFilter, safe
from bpe_tui.ui.themes import THEMES
from bpe_tui.ui.widgets.safe_input import visible_char
from tests.ui.running import make_app, press, screen_name, status, type_text, until


async def found(pilot: Pilot[None]) -> None:
    """Wait until the palette has found what it searches for, and shows it."""
    await until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))
    await pilot.pause()


async def test_every_action_and_theme_is_there() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        titles = {command.title for command in app.get_system_commands(app.screen)}
        assert {action.help for action in ACTIONS} <= titles
        assert {f"Theme {theme.name}" for theme in THEMES} <= titles
        await press(pilot, "E")
        titles = {command.title for command in app.get_system_commands(app.screen)}
        assert {action.help for action in ENCODE_ACTIONS} <= titles


async def test_an_action_is_run_on_the_screen_below() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "ctrl+p")
        await type_text(pilot, "One merge forward")
        await found(pilot)
        await press(pilot, "enter")
        await pilot.pause()
        assert status(app) == "merge 1/3  vocab 8  merged"


async def test_themes_change_and_unknown_ones_are_told() -> None:
    app = make_app(theme="bpe-light")
    async with app.run_test(size=(80, 24)):
        assert app.theme == "bpe-light"
        app.use_theme("bpe-contrast")
        assert app.current_theme.name == "bpe-contrast"
    with pytest.raises(OptionError, match="no-such-theme"):
        make_app(theme="no-such-theme")


def test_the_last_gate() -> None:
    gate = SafeFilter()
    background = Color(0, 0, 0)
    plain = [Segment("abc é 語 ␣")]
    assert gate.apply(plain, background) is plain
    nasty = [Segment("a\x1b[2Jb"), Segment("c\u202ed\u200b"), Segment("x", None, [])]
    assert [segment.text for segment in gate.apply(nasty, background)] == ["a[2Jb", "cd", "x"]
    fillers = [Segment("a\u115fb\u3164c\ue000d\u00a0e")]
    assert gate.apply(fillers, background) == [Segment("a\ufffd\ufffdbc\ufffdd\u00a0e")]


def test_the_gate_lets_through_what_displayable_does_and_keeps_every_width() -> None:
    codes = (*range(0x3400), *range(0xD700, 0x10000), *range(0x1D000, 0x1F700), *range(0xE0000, 0xE0200))
    for char in map(chr, codes):
        shown = safe(char)
        assert cell_len(shown) == cell_len(char), hex(ord(char))
        if displayable(f"a{char}") == f"a{char}":
            assert shown == char
        elif char not in OUR_BLANKS:
            assert set(shown) <= {"\ufffd"}


def test_what_is_typed_has_stand_ins_of_one_cell() -> None:
    assert [visible_char(char) for char in "aé語\t\x1b\u200b\u202e"] == ["a", "é", "語", "␉", "␛", "�", "�"]


def test_no_character_that_hides_or_steers_is_shown_as_it_is() -> None:
    codes = (*range(0x3400), *range(0xD700, 0x10000), *range(0x1D000, 0x1D400), *range(0xE0000, 0xE0200))
    for char in map(chr, codes):
        shown = visible_char(char)
        assert displayable(f"a{shown}") == f"a{shown}", hex(ord(char))


@pytest.mark.parametrize("key", ["pageup", "pagedown"])
async def test_a_page_is_turned_before_the_list_was_drawn(key: str) -> None:
    app = make_app()
    async with app.run_test(size=(1, 1)) as pilot:
        await press(pilot, "ctrl+p")
        await type_text(pilot, "merge")
        await found(pilot)
        assert app.screen.query_one(OptionList).option_count > 1
        await press(pilot, key)
        await pilot.resize_terminal(80, 24)
        await press(pilot, "pagedown")
        assert (app.screen.query_one(OptionList).highlighted or 0) > 0


async def test_a_search_ends_with_the_program() -> None:
    async def forever() -> None:
        await asyncio.Event().wait()

    app = make_app()
    async with app.run_test() as pilot:
        await press(pilot, "ctrl+p")
        search: Worker[None] = app.screen.run_worker(forever)
        await pilot.pause()
        app.exit()
        assert search.is_cancelled


async def test_the_palette_ends_once_however_often_enter_is_pressed() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g", "ctrl+p")
        palette = app.screen
        palette.dismiss()
        palette.dismiss()
        await pilot.pause()
        assert screen_name(app) == "GoToDialog"


async def test_a_click_where_nothing_is_drawn_does_nothing() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "ctrl+p")
        await found(pilot)
        palette = app.screen
        # A place as before the terminal shrank.
        palette.post_message(Click(palette, 300, 90, 0, 0, 1, False, False, False, 300, 90))
        await pilot.pause()
        assert app.screen is palette
        await press(pilot, "escape")
        assert screen_name(app) == "TrainScreen"


async def test_a_search_that_finds_the_palette_gone_ends_nothing() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "ctrl+p")
        palette = app.screen
        assert isinstance(palette, CommandPalette)
        await palette.query_one(CommandList).remove()
        palette._gather_commands("merge")
        await found(pilot)
        await press(pilot, "escape")
        await press(pilot, "space")
        assert status(app) == "merge 1/3  vocab 8  merged"
