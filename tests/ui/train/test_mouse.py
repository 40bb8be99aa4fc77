"""The train screen by mouse alone: buttons, rows, timeline and curve."""

from __future__ import annotations

from bpe_tui.ui.board.timeline import Timeline
from bpe_tui.ui.widgets.key_bar import KeyBar
from tests.ui.running import (
    focused,
    lines,
    make_app,
    press,
    screen_name,
    status,
    text_of,
    train_screen,
)


async def test_every_key_in_the_footer_is_a_button() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        bar = app.screen.query_one(KeyBar)
        labels = [item.action.id for item in bar.placed]
        assert labels == ["step", "undo", "phase", "encode", "open", "lessons", "help", "quit"]
        places = {item.action.id: item.start for item in bar.placed}
        await pilot.click(bar, offset=(places["step"], 0))
        await pilot.pause()
        assert status(app).startswith("merge 1/3")
        await pilot.click(bar, offset=(places["help"], 0))
        await pilot.pause()
        assert screen_name(app) == "HelpScreen"


async def test_click_points_and_double_click_merges() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await pilot.click(screen.board.pairs, offset=(10, 4))
        await pilot.pause()
        assert screen.board.pairs.cursor == 2
        assert "2 of 5 words hold u + n" in lines(screen.board.words)[0]
        assert status(app).startswith("merge 0/3")
        await pilot.click(screen.board.pairs, offset=(10, 4), times=2)
        await pilot.pause()
        assert status(app) == "merge 1/3  vocab 8  merged"
        assert "u + n → un" in text_of(screen.board.merges)


async def test_the_timeline_and_the_curve_can_be_clicked() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = train_screen(app)
        await pilot.click(Timeline, offset=(118, 0))
        await pilot.pause()
        assert status(app).startswith("merge 3/3")
        await pilot.click(Timeline, offset=(1, 0))
        await pilot.pause()
        assert status(app).startswith("merge 2/3")
        await pilot.click(screen.board.curve, offset=(8, 10))
        await pilot.pause()
        assert status(app).startswith("merge 0/3")


async def test_the_focus_follows_the_mouse_button() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await pilot.click(screen.board.merges, offset=(5, 5))
        assert focused(app) == "merges"
        await press(pilot, "z")
        assert [pane.id for pane in screen.board.panes.children if pane.display] == ["merges"]
