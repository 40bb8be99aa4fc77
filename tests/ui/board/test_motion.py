"""The short motion after a merge and after counting: it shows the way, any key ends it, and at rest nothing runs."""

from __future__ import annotations

import pytest

from bpe_tui.ui import player as player_module
from bpe_tui.ui.board.motion import Motion
from tests.ui.running import lines, make_app, press, status, text_of, train_screen


@pytest.fixture
def moving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Motion although no terminal is there; its frames don't come by themselves."""
    monkeypatch.setattr(Motion, "is_wanted", True)
    monkeypatch.setattr("bpe_tui.ui.board.motion.FRAME", 3600)


@pytest.mark.usefixtures("moving")
async def test_a_merge_joins_its_halves_and_counts_move_to_where_they_stay() -> None:
    app = make_app("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        board = train_screen(app).board
        await press(pilot, "space")
        assert "h·u+g" in text_of(board.words)
        assert lines(board.pairs)[3].split()[1:] == ["2", "h", "+", "ug", "hug", "0", "new", "│"]
        await press(pilot, "down", "up")
        assert "h·ug" in text_of(board.words)
        assert "u+g" not in text_of(board.words)
        assert lines(board.pairs)[3].split()[6] == "15"


@pytest.mark.usefixtures("moving")
async def test_the_frames_end_by_themselves_and_leave_no_timer() -> None:
    app = make_app("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        board = train_screen(app).board
        await press(pilot, "space")
        shares = [board.motion.share]
        while board.motion.share < 1:
            board.motion._advance()
            shares.append(board.motion.share)
        assert shares == sorted(shares)
        assert len(shares) == 4
        assert board.motion._timer is None
        await pilot.pause()
        assert "h·ug" in text_of(board.words)


@pytest.mark.usefixtures("moving")
async def test_a_long_way_and_a_step_back_do_not_move() -> None:
    app = make_app("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        board = train_screen(app).board
        await press(pilot, "space", "N")
        assert board.motion.share == 1
        await press(pilot, "u")
        assert board.motion.share == 1


@pytest.mark.parametrize("setting", ["NO_MOTION", "animations"])
async def test_nothing_moves_where_it_is_switched_off(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app("hug")
    async with app.run_test(size=(80, 24)):
        motion = train_screen(app).board.motion
        wanted = [motion.is_wanted]  # nobody looks
        monkeypatch.setattr(type(app), "is_headless", False)
        app.animation_level = "full"
        wanted.append(motion.is_wanted)
        if setting == "NO_MOTION":
            monkeypatch.setenv("NO_MOTION", "1")
        else:
            app.animation_level = "none"
        wanted.append(motion.is_wanted)
        assert wanted == [False, True, False]


async def test_playing_slowly_plays_phases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_module, "SPEEDS", (0.5, 0.5, 0.5))
    app = make_app("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        board = train_screen(app).board
        await press(pilot, "p")
        assert board.player is not None
        seen = [status(app)]
        for _ in range(3):
            board.player._beat()
            await pilot.pause()
            seen.append(status(app))
        await press(pilot, "p")
        assert [text.split()[-1] for text in seen] == ["counted", "picked", "merged", "counted"]
        assert [text.split()[1] for text in seen] == ["0/3", "0/3", "1/3", "1/3"]
