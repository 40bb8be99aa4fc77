"""Every action of the table by keyboard alone, and by mouse alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from textual.pilot import Pilot

from bpe_tui.ui.actions import ACTIONS, Action, Scope
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.board.board import Board
from bpe_tui.ui.dialogs.help import HelpRow
from bpe_tui.ui.train.screen import TrainScreen
from bpe_tui.ui.widgets.key_bar import KeyBar
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import make_app, press, screen_name

OWNERS = {Scope.APP: BpeApp, Scope.SCREEN: TrainScreen, Scope.BOARD: Board}
Calls = list[tuple[object, ...]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """What was done since, in place of the doing itself; help is left as it is."""
    done: Calls = []

    def recorder(name: str) -> Callable[..., None]:
        def record(_: object, *arguments: object) -> None:
            done.append((name, *arguments))

        return record

    for action in ACTIONS:
        name = action.id.partition("(")[0]
        if name != "help":
            monkeypatch.setattr(OWNERS[action.scope], f"action_{name}", recorder(name))
    return done


def expected(action: Action) -> tuple[object, ...]:
    name, _, argument = action.id.rstrip(")").partition("(")
    return (name, int(argument)) if argument else (name,)


async def test_every_action_has_a_key_that_does_it(calls: Calls) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for action in ACTIONS:
            for key in action.keys:
                calls.clear()
                await press(pilot, key)
                if action.id == "help":
                    assert screen_name(app) == "HelpScreen"
                    await press(pilot, "escape")
                else:
                    assert calls == [expected(action)], key


async def click_help(pilot: Pilot[None], app: BpeApp) -> VirtualList[HelpRow]:
    bar = app.screen.query_one(KeyBar)
    place = next(item for item in bar.placed if item.action.id == "help")
    await pilot.click(bar, offset=(place.start, 0))
    await pilot.pause()
    return app.screen.query_one(VirtualList)


@pytest.mark.parametrize(("size", "actions"), [((40, 12), ACTIONS), ((120, 40), ACTIONS[::6])])
async def test_every_action_can_be_reached_by_the_mouse(
    size: tuple[int, int], actions: Sequence[Action], calls: Calls
) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for action in actions:
            if action.id == "help":
                continue
            table = await click_help(pilot, app)
            row = next(
                place
                for place, line in enumerate(table.source.fetch(table, 0, table.row_count))
                if line.action == action
            )
            table.scroll_first(row)
            await pilot.pause()
            calls.clear()
            await pilot.double_click(table, offset=(5, table.body_top + row - table.scroll_offset.y))
            await pilot.pause()
            assert screen_name(app) == "TrainScreen"
            assert calls == [expected(action)]


async def test_dialogs_are_left_by_their_last_line_or_a_click_beside_them() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        for key, name in (
            ("g", "GoToDialog"),
            ("w", "WriteDialog"),
            ("question_mark", "HelpScreen"),
            ("t", "TiesDialog"),
        ):
            await press(pilot, key)
            assert screen_name(app) == name
            bar = app.screen.query_one(KeyBar)
            place = next(item for item in bar.placed if item.action.id == "cancel")
            await pilot.click(bar, offset=(place.start, 0))
            await pilot.pause()
            assert screen_name(app) == "TrainScreen"
            await press(pilot, key)
            await pilot.click(offset=(0, 0))
            await pilot.pause()
            assert screen_name(app) == "TrainScreen"
        await press(pilot, "o")
        bar = app.screen.query_one(KeyBar)
        place = next(item for item in bar.placed if item.action.id == "cancel")
        await pilot.click(bar, offset=(place.start, 0))
        await pilot.pause()
        assert screen_name(app) == "TrainScreen"


async def test_a_key_that_is_held_opens_one_dialog_and_leaves_it_once() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, TrainScreen)
        screen.board.action_go_to()
        screen.board.action_go_to()
        await pilot.pause()
        assert len(app.screen_stack) == 2
        dialog = app.screen
        dialog.dismiss(None)
        dialog.dismiss(None)
        await pilot.pause()
        assert screen_name(app) == "TrainScreen"
