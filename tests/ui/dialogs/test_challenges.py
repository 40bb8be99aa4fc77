"""The challenges in the app: taken on, judged by the board, the best scores kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.session import challenge_bests, progress_transfer
from tests.ui.lessons import everything, lesson_app, tour
from tests.ui.running import make_app, press, screen_name, status, train_screen


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scores are saved in a folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def saving_app(*names: str) -> BpeApp:
    app = make_app(*names)
    app.saves = True
    return app


async def test_a_challenge_is_taken_on_and_solved() -> None:
    app = saving_app("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "Y")
        assert screen_name(app) == "ChallengesDialog"
        assert "0 of 6 done" in everything(app)
        await press(pilot, "home")
        assert "Make banana one token" in everything(app)
        assert "Press enter to open banana." in everything(app)
        await press(pilot, "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        session = train_screen(app).board.session
        assert session is not None
        assert session.corpus.name == "banana"
        trainer = session.trainer
        for left, right in (("b", "a"), ("n", "a"), ("ba", "na"), ("bana", "na")):
            session.choose((trainer.ids[left], trainer.ids[right]))
        train_screen(app).board.refresh_moment()
        await press(pilot, "Y", "home")
        assert "1 of 6 done" in everything(app)
        assert "★ banana in one token" in everything(app)
        assert "✓ 4 merges so far, and banana is banana." in everything(app)
        await press(pilot, "escape", "u", "Y", "home")
        assert "★ banana in one token" in everything(app)
        assert "› 3 merges so far, and banana is bana na." in everything(app)
        await press(pilot, "escape")
    assert challenge_bests.load_bests() == {"one-token": 4, "beat-the-rule": 170}


async def test_a_text_is_typed_and_no_answer_given_away() -> None:
    app = make_app("hug")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "Y", "end", "enter", *"bcaa", "escape", "Y", "end")
        assert "★ Four rules, four ways" in everything(app)
        await press(pilot, "escape", "y", "Y")
        assert screen_name(app) == "TrainScreen"
        assert status(app).startswith("merge 0/3")
    assert challenge_bests.load_bests() == {}


async def test_in_a_lesson_there_are_none() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "Y")
        assert screen_name(app) == "LessonScreen"


def test_the_better_score_stays_and_what_cannot_be_is_refused(state: Path) -> None:
    merged = challenge_bests.merged_bests({"one-token": 5, "scaffolding": 5}, {"one-token": 4, "four-ways": 7})
    assert merged == {"one-token": 4, "scaffolding": 5, "four-ways": 7}
    values: tuple[object, ...] = ([], {"one-token": 3}, {"one-token": True}, {"one-token": "4"})
    for value in values:
        with pytest.raises(ValueError, match=r"one-token|no object"):
            challenge_bests.checked_bests(value)
    assert challenge_bests.checked_bests({"of-tomorrow": 1, "one-token": 4}) == {"one-token": 4}


def test_they_are_exported_and_imported_with_the_progress_in_lessons() -> None:
    challenge_bests.save_bests({"one-token": 4, "scaffolding": 6})
    data, _count = progress_transfer.exported()
    challenge_bests.save_bests({"one-token": 6, "scaffolding": 5})
    progress_transfer.imported(data)
    assert challenge_bests.load_bests() == {"one-token": 4, "scaffolding": 5}
    with pytest.raises(TokenizerFileError, match='"challenges"'):
        progress_transfer.imported(data.replace(b'"one-token": 4', b'"one-token": 1'))
