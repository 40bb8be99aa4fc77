"""The modes of a board: what each of them reveals of a moment, and how one gives way to another."""

from __future__ import annotations

import pytest

from bpe_tui.ui import player as player_module
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.board.board import Board
from bpe_tui.ui.board.modes import Free, Guessing, Travelling
from bpe_tui.ui.lesson.question import LessonQuestion
from tests.ui.lessons import lesson_app, lesson_screen, tour
from tests.ui.running import lines, make_app, press, text_of, train_screen


def board_of(app: BpeApp) -> Board:
    return train_screen(app).board


def next_texts(board: Board) -> str:
    """The pair that may be shown as the next one."""
    assert board.session is not None
    pair = board.revealed.next_pair
    return "" if pair is None else board.session.pair_text(pair)


async def test_free_training_reveals_all_and_phase_by_phase_the_next_pair_once_it_is_picked() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        board = board_of(app)
        assert isinstance(board.mode, Free)
        assert next_texts(board) == "u + g"
        seen = []
        for key in ("s", "s", "s", "space", "u"):
            await press(pilot, key)
            seen.append(next_texts(board))
        assert seen == ["", "u + g", "", "h + ug", "u + n"]
        assert board.revealed.merges == 2
        assert board.revealed.counts
        assert board.revealed.rule_path


async def test_a_turn_reveals_nothing_beyond_its_moment_and_the_answer_only_when_it_is_shown() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        board = board_of(app)
        await press(pilot, "space", "down", "enter", "u", "y")  # an own choice undone is not what the rule merges
        assert isinstance(board.mode, Guessing)
        assert (board.revealed.counts, board.revealed.merges, board.revealed.rule_path) == (False, 1, False)
        assert next_texts(board) == ""
        await press(pilot, "space")
        assert (board.revealed.counts, board.revealed.merges, board.revealed.rule_path) == (True, 1, False)
        assert next_texts(board) == "u + n"
        assert board.revealed.verdict is not None
        await press(pilot, "y")
        assert isinstance(board.mode, Free)
        assert board.revealed.verdict is None


async def test_travelling_gives_way_to_the_mode_that_it_began_in(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app("story", merges=1000)
    async with app.run_test(size=(80, 24)) as pilot:
        board = board_of(app)
        with monkeypatch.context() as slowly:
            slowly.setattr(player_module, "SLICE", 0)
            await press(pilot, "y", "f")
            assert isinstance(board.mode, Travelling)
            assert not board.revealed.counts
            assert "your turn · running" in text_of(board.status)
            await press(pilot, "y")  # stops, and ends the turn
            assert isinstance(board.mode, Free)
            assert not board.is_moving
            await press(pilot, "p", "s")
            assert isinstance(board.mode, Free)
            assert board.session is not None
            assert board.session.trainer.state == "counted"


async def test_a_lesson_shows_all_while_it_runs_away_from_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    app = lesson_app(tour("corpus: hug", "corpus: story"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "right", "right")
        board = lesson_screen(app).board
        assert isinstance(board.mode, LessonQuestion)
        monkeypatch.setattr(player_module, "SLICE", 0)
        await press(pilot, "escape", "2", "f")
        assert isinstance(board.mode, Travelling)
        assert board.revealed.counts
        await press(pilot, "escape", "l")
        assert isinstance(board.mode, LessonQuestion)
        assert not board.revealed.counts


async def test_the_program_is_left_by_the_last_line_in_a_turn_too() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "y")
        keys = board_of(app).keys
        await pilot.click(keys, offset=(lines(keys)[0].index("quit"), 0))
    assert app.return_code == 0
