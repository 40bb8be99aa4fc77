"""The keys that move through training: merges, phases, long ways, playing."""

from __future__ import annotations

import pytest
from textual.widget import Widget
from textual.widgets import Static

from bpe_tui.ui import player as player_module
from bpe_tui.ui.board.pairs import PairList
from tests.ui.running import lines, make_app, press, screen_name, status, text_of, train_screen, until


@pytest.mark.parametrize(("forward", "back"), [("space", "u"), ("n", "b")])
async def test_one_merge_forward_and_back(forward: str, back: str) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = train_screen(app)
        lists: list[Widget] = [screen.board.words, screen.board.pairs, screen.board.vocabulary]
        first = [text_of(table) for table in lists]
        assert status(app) == "merge 0/3  vocab 7  ready"
        seen = []
        for _ in range(3):
            await press(pilot, forward)
            seen.append(status(app))
        assert seen == [
            "merge 1/3  vocab 8  merged",
            "merge 2/3  vocab 9  merged",
            "merge 3/3  vocab 10  done: target reached",
        ]
        await press(pilot, back, back, back)
        assert status(app) == "merge 0/3  vocab 7  ready"
        assert [text_of(table) for table in lists] == first
        assert "then 3 undone" in lines(screen.board.merges)[0]


async def test_the_target_may_be_run_past_but_not_the_last_pair() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *["space"] * 20)
        assert status(app) == "merge 7 (target 3)  vocab 14  done: no pairs left"
        assert "No pair is left." in text_of(train_screen(app).board.pairs)


async def test_phases_forward_and_back() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        seen = []
        for _ in range(4):
            await press(pilot, "s")
            seen.append(status(app).split("  ")[-1])
        assert seen == ["counted", "picked", "merged", "counted"]
        assert sum(line.row.count for line in screen.board.pairs.rows) == 93 - 36
        assert "93 − 36 ends = 57 pairs" in lines(screen.board.words)[-1]
        assert "u+n" not in text_of(screen.board.words)
        await press(pilot, "s")
        assert "u+n" in text_of(screen.board.words)
        seen = []
        for _ in range(5):
            await press(pilot, "S")
            seen.append(status(app))
        assert seen == [
            "merge 1/3  vocab 8  counted",
            "merge 1/3  vocab 8  merged",
            "merge 0/3  vocab 7  picked",
            "merge 0/3  vocab 7  counted",
            "merge 0/3  vocab 7  ready",
        ]


async def test_ten_forward_and_back() -> None:
    app = make_app("story")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "N", "N")
        assert status(app).startswith("merge 20/250")
        await press(pilot, "U")
        assert status(app).startswith("merge 10/250")
        await press(pilot, "U", "U")
        assert status(app).startswith("merge 0/250")


async def test_run_and_restart() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "f")
        assert status(app) == "merge 3/3  vocab 10  done: target reached"
        assert "Done: all 3 merges learned." in text_of(train_screen(app).board.explanation)
        await press(pilot, "r")
        assert status(app) == "merge 0/3  vocab 7  ready"


def shown_anew(table: PairList) -> list[str]:
    """What the list shows when it looks at the trainer again."""
    table.reload()
    return lines(table)


async def test_a_long_run_leaves_the_screen_alive_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app("story", merges=1000)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        player = screen.board.player
        assert player is not None
        with monkeypatch.context() as slowly:
            slowly.setattr(player_module, "SLICE", 0)
            await press(pilot, "f")
            assert player.way == (0, 1000)
            assert "‖" in text_of(screen.board.timeline)
            assert "On the way to merge 1,000: " in text_of(screen.board.explanation)
            assert "esc stop" in text_of(screen.board.keys)
            await press(pilot, "p")
            assert not player.is_moving
            assert "▶" in text_of(screen.board.timeline)
            await press(pilot, "f", "escape")
            assert not player.is_travelling
            position = train_screen(app).board.merges.source.trainer.position
            assert f"●{position} " in text_of(screen.board.merges)
            assert lines(screen.board.pairs) == shown_anew(screen.board.pairs)
            await press(pilot, "f", "w", "escape")
            assert "esc stop" not in text_of(screen.board.keys)
            assert lines(screen.board.pairs) == shown_anew(screen.board.pairs)
        assert "Next is" in text_of(screen.board.explanation)
        await press(pilot, "f")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert status(app) == "merge 846/1,000  vocab 896  done: no pairs left"


async def test_go_to_a_merge_by_number() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g")
        assert screen_name(app) == "GoToDialog"
        await press(pilot, "2", "x", "enter")
        complaint = app.screen.query_one("#complaint", Static)
        assert str(complaint.content) == "2x is not a whole number from 0 to 999,999,999."
        await press(pilot, "backspace", "enter")
        assert status(app) == "merge 2/3  vocab 9  merged"
        await press(pilot, "g", "escape")
        assert status(app) == "merge 2/3  vocab 9  merged"
        await press(pilot, "g", "enter")
        assert status(app) == "merge 2/3  vocab 9  merged"
        await press(pilot, "g", "0", "enter")
        assert status(app) == "merge 0/3  vocab 7  ready"


async def test_enter_on_a_pair_merges_it_as_your_own_choice() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "down")
        assert "2 of 5 words hold p + u" in lines(screen.board.words)[0]
        assert "pug×5 + pun×12 = 17" in lines(screen.board.words)[-1]
        assert "Enter merges it instead of u + g." in text_of(screen.board.explanation)
        await press(pilot, "enter")
        assert status(app) == "merge 1/3  vocab 8  merged"
        assert "p + u → pu" in text_of(screen.board.merges)
        assert "your choice" in text_of(screen.board.merges)
        assert "5 words" in lines(screen.board.words)[0]
        await press(pilot, "u", "down", "escape")
        assert "5 words" in lines(screen.board.words)[0]


async def test_enter_on_a_merge_goes_there() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "f", "4", "home", "enter")
        assert status(app) == "merge 1/3  vocab 8  merged"
        await press(pilot, "end", "enter")
        assert status(app) == "merge 3/3  vocab 10  done: target reached"


async def test_play_pause_and_speed() -> None:
    app = make_app("story")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        player = screen.board.player
        assert player is not None
        assert screen.board.session is not None
        await press(pilot, "plus", "plus", "plus", "plus", "plus", "plus")
        assert player.pace.speed == 30
        await press(pilot, "minus")
        assert player.pace.speed == 15
        await press(pilot, "p")
        assert player.is_playing is True
        assert "playing 15 a second" in text_of(screen.board.status)
        trainer = screen.board.session.trainer
        await until(pilot, lambda: trainer.position >= 3)
        await press(pilot, "p")
        assert "playing" not in text_of(screen.board.status)


async def test_playing_ends_at_the_target() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        player = screen.board.player
        assert player is not None
        await press(pilot, *["plus"] * 6, "p")
        await until(pilot, lambda: not player.is_playing)
        assert status(app) == "merge 3/3  vocab 10  done: target reached"


async def test_after_a_merge_the_ranking_is_out_of_date_until_the_pairs_are_counted() -> None:
    app = make_app("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        pairs = train_screen(app).board.pairs
        await press(pilot, *"ssssss")
        assert "out of date" in lines(pairs)[0]
        rows = [line.split() for line in lines(pairs)[2:-1]]
        assert rows[0][1:6] == ["1", "u", "+", "n", "un"]
        assert rows[0][-2] == "merged"
        assert [row[-3] for row in rows[1:4]] == ["15", "12", "5"]
        await press(pilot, "s")
        assert "out of date" not in lines(pairs)[0]
        assert "new" in text_of(pairs)
        await press(pilot, "S")
        assert "out of date" in lines(pairs)[0]
        await press(pilot, "space", "u")
        assert "out of date" not in lines(pairs)[0]
