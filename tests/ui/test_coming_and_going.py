"""How the app greets, waits and says goodbye."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_tui.core import i18n
from bpe_tui.formats.session import folder
from bpe_tui.ui.lesson.screen import LessonScreen
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import make_app, press, screen_name, text_of, train_screen, type_text

WELCOME = "New here? L opens the first lesson. Space takes the first step."


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the state of the program."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return folder.state_folder()


async def test_the_first_start_says_how_to_begin_until_something_is_saved(state: Path) -> None:
    app = make_app()
    app.saves = True
    async with app.run_test(size=(80, 24)) as pilot:
        board = train_screen(app).board
        assert WELCOME in text_of(board.explanation)
        assert "L first lesson" in text_of(board.keys)
        await press(pilot, "L")
        assert isinstance(app.screen, LessonScreen)
        assert app.screen.walk.lesson.title == "Why tokens at all"
    (state / "lessons").mkdir(parents=True, exist_ok=True)
    (state / "lessons" / "en-01.json").write_text("{}")
    again = make_app()
    again.saves = True
    async with again.run_test(size=(80, 24)) as pilot:
        assert WELCOME not in text_of(train_screen(again).board.explanation)
        await press(pilot, "L")
        assert screen_name(again) == "LessonsScreen"


async def test_leaving_says_what_is_saved(state: Path) -> None:
    app = make_app()
    app.saves = True
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "space")
    assert app.save_sessions() == "Your session is saved at merge 2. Open hug the same way and press R to resume."
    untouched = make_app()
    untouched.saves = True
    async with untouched.run_test(size=(80, 24)):
        pass
    assert untouched.save_sessions() == ""


async def test_a_run_waits_while_the_encode_screen_is_in_view() -> None:
    app = make_app("story")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "p")
        assert train_screen(app).board.is_moving
        await press(pilot, "E")
        assert screen_name(app) == "EncodeScreen"
        assert any("The run waits at merge" in notice.message for notice in app._notifications)
        await press(pilot, "escape", "escape")
        assert screen_name(app) == "TrainScreen"
        assert train_screen(app).board.is_moving
        await press(pilot, "space")
        assert not train_screen(app).board.is_moving


async def test_ctrl_c_says_how_to_leave_in_the_language_of_the_user() -> None:
    i18n.use("ru")
    try:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "ctrl+c")
            assert app.is_running
            assert [notice.message for notice in app._notifications] == [
                "q — выход из программы; где вводятся буквы, выход — ctrl+q."
            ]
    finally:
        i18n.use("en")


async def test_a_name_finds_corpora_and_lessons_alike() -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "o")
        assert screen_name(app) == "OpenScreen"
        found = app.screen.query_one("#bundled", VirtualList)
        everything = found.row_count
        await type_text(pilot, "ban")
        assert "banana" in text_of(found).splitlines()[1]
        assert found.row_count < everything
        await press(pilot, "backspace", "backspace", "backspace")
        assert found.row_count == everything
        await type_text(pilot, "tie")
        assert "lesson" in text_of(found)
        await press(pilot, "enter")
        assert isinstance(app.screen, LessonScreen)


async def test_ctrl_q_leaves_from_an_input() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "e", "ctrl+q")
    assert app.return_code == 0
