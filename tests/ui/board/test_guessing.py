"""Your turn on the train screen: nothing gives the answer away, and training goes on by the rule."""

from __future__ import annotations

import re

import pytest

from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.board.modes import Guessing
from bpe_tui.ui.dialogs.ties import TiesDialog
from bpe_tui.ui.session.training import Session
from tests.ui.running import focused, lines, make_app, press, screen_name, status, text_of, train_screen


def session_of(app: BpeApp) -> Session:
    session = train_screen(app).board.session
    assert session is not None
    return session


def in_turn(app: BpeApp) -> bool:
    return isinstance(train_screen(app).board.mode, Guessing)


def is_asking(app: BpeApp) -> bool:
    return in_turn(app) and not train_screen(app).board.revealed.counts


def everything(app: BpeApp) -> str:
    return "\n".join(text_of(widget) for widget in app.screen.query("*") if widget.display and not widget.children)


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
@pytest.mark.parametrize("undone", [0, 3])
async def test_nothing_on_the_screen_gives_the_answer_away(size: tuple[int, int], undone: int) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await press(pilot, *["space"] * undone, *["u"] * undone, "y")
        screen = train_screen(app)
        for pane in "123456":
            await press(pilot, pane)
            shown = everything(app)
            for sign in ("▸1", "=1", "= 20", "→ ug", "20 times", "u+g", "█", "then 3 undone"):
                assert sign not in shown
        assert screen.board.merges.row_count == 0
        await press(pilot, "2")
        rows = [re.sub(r"[│┃ ]+", " ", line).strip() for line in lines(screen.board.pairs)[1:] if " + " in line]
        assert rows[:3] == ["b + u bu ?", "g + s gs ?", "h + u hu ?"]
        await press(pilot, "down")
        assert "Is it g + s? Press enter for yes." in " ".join(screen.board.explanation.sentences)
        assert "=" not in text_of(screen.board.words)


async def test_a_guess_is_judged_and_the_merge_of_the_rule_is_made() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "4", "y")
        screen = train_screen(app)
        assert focused(app) == "pairs"
        assert status(app) == "merge 0/3  vocab 7  counted"
        await press(pilot, "enter")
        assert status(app) == "merge 0/3  vocab 7  picked"
        assert screen.board.explanation.sentences == (
            "Your turn: 0 of 1 right, streak 0.",
            "Wrong: b + u occurs 4 times, but u + g 20 times.",
        )
        assert "✗ Wrong" in text_of(screen.board.explanation)
        assert "▸1 u + g" in text_of(screen.board.pairs)
        assert next(line for line in lines(screen.board.pairs) if "you ✗" in line).startswith("│  6 b + u")
        assert "hug×10 + pug×5 + hugs×5 = 20" in lines(screen.board.words)[-1]
        await press(pilot, "enter")
        assert status(app) == "merge 1/3  vocab 8  counted"
        assert "?" in text_of(screen.board.pairs)
        step = session_of(app).trainer.last_step
        assert step is not None
        assert (step.merge.token, step.own_choice) == ("ug", False)
        await press(pilot, *["down"] * 4, "enter")
        assert "your turn · hug" in text_of(screen.board.status)
        assert "Your turn: 1 of 2 right, streak 1." in screen.board.explanation.sentences
        assert "Right: u + n occurs 16 times, one more than h + ug." in screen.board.explanation.sentences
        assert "you ✓" in text_of(screen.board.pairs)
        await press(pilot, "y")
        assert status(app) == "merge 2/3  vocab 9  merged"
        assert not in_turn(app)
        assert screen.board.notice == "Your turn: 1 of 2 right."
        assert "Next is h + ug" in text_of(screen.board.explanation)


async def test_a_tied_pair_is_right() -> None:
    app = make_app("banana")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "y", *["down"] * 8, "enter")
        assert (
            "Right, a tie: n + a occurs 30 times, and so does a + n" in train_screen(app).board.explanation.sentences[1]
        )
        await press(pilot, "escape")
        assert status(app) == "merge 1/12  vocab 8  merged"
        step = session_of(app).trainer.last_step
        assert step is not None
        assert (step.merge.left, step.merge.right) == ("a", "n")


async def test_space_shows_the_answer_and_undo_goes_back_question_by_question() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "y", "space")
        assert "The rule merges u + g" in screen.board.explanation.sentences[1]
        await press(pilot, "space", "s", "s")
        assert status(app) == "merge 2/3  vocab 9  counted"
        assert "no guess yet" in screen.board.explanation.sentences[0]
        await press(pilot, "space", "u")
        assert status(app) == "merge 2/3  vocab 9  counted"
        assert is_asking(app)
        await press(pilot, "u", "S")
        assert status(app) == "merge 0/3  vocab 7  counted"
        await press(pilot, "u", "escape")
        assert status(app) == "merge 0/3  vocab 7  ready"
        assert screen.board.merges.row_count == 2


async def test_going_elsewhere_asks_there_and_where_no_pair_is_left_the_turn_ends() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "y", "enter", "f")
        assert status(app) == "merge 3/3  vocab 10  counted"
        assert is_asking(app)
        await press(pilot, "N")
        assert status(app) == "merge 7 (target 3)  vocab 14  done: no pairs left"
        assert not in_turn(app)
        await press(pilot, "y")
        assert not in_turn(app)
        await press(pilot, "u", "y")
        assert is_asking(app)


async def test_what_would_tell_is_refused_until_the_answer_is_shown() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "y", "t")
        assert screen_name(app) == "TrainScreen"
        await press(pilot, "E")
        assert screen_name(app) == "TrainScreen"
        await press(pilot, "enter", "t")
        assert screen_name(app) == "TiesDialog"
        assert isinstance(app.screen, TiesDialog)
        await press(pilot, "t", "enter")
        assert session_of(app).options.ties == "greatest-pair"
        assert is_asking(app)
        await press(pilot, "p")
        assert not in_turn(app)


async def test_a_turn_with_the_mouse_alone() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "y")
        screen = train_screen(app)
        keys = screen.query_one("#keys")
        await pilot.click(screen.board.pairs, offset=(8, 6), times=2)
        await pilot.pause()
        assert "Right: u + g" in screen.board.explanation.sentences[1]
        await pilot.click(keys, offset=(3, 0))
        await pilot.pause()
        assert status(app) == "merge 1/3  vocab 8  counted"
        await pilot.click(keys, offset=(lines(keys)[0].index("leave"), 0))
        await pilot.pause()
        assert not in_turn(app)
        assert "space step" in lines(keys)[0]


async def test_the_pairs_offered_can_be_filtered() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "y", "slash", "u", "g", "enter")
        pairs = train_screen(app).board.pairs
        assert pairs.row_count == 1
        assert "1 holds “ug”" in lines(pairs)[-1]
        await press(pilot, "enter")
        assert "Right: u + g" in train_screen(app).board.explanation.sentences[1]
        assert pairs.row_count == 6


async def test_after_a_wrong_guess_both_pairs_are_marked_with_their_sums() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "y")
        words = train_screen(app).board.words
        board = train_screen(app).board
        while board.pairs.row_at_cursor is not None and board.pairs.row_at_cursor.row.token != "pu":
            await press(pilot, "down")
        await press(pilot, "enter")
        assert "✗ pun×12 = 12" in lines(words)[0]
        assert "pun×12 + bun×4 = 16" in lines(words)[-1]
        assert "p+u+n" in text_of(words)
        assert "b·u+n" in text_of(words)
        await press(pilot, "enter")
        assert "✗" not in text_of(words)


async def test_where_not_all_words_fit_those_of_the_guess_stand_above_those_of_the_winner() -> None:
    app = make_app("banana")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "y")
        board = train_screen(app).board
        while board.pairs.row_at_cursor is not None and board.pairs.row_at_cursor.row.token != "si":
            await press(pilot, "down")
        await press(pilot, "enter")
        shown = text_of(board.words)
        assert shown.index("your guess") < shown.index("next ")
        assert "✗ " in lines(board.words)[0]
