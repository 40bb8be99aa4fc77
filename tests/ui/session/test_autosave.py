"""Sessions that are kept by themselves are found again, to the same state; a corpus that changed is noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats.registry import read_session
from bpe_tui.formats.session import store as kept
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.dialogs.reopen import ReopenDialog
from bpe_tui.ui.session import autosave
from bpe_tui.ui.session.autosave import slot_of
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from tests.ui.running import press, screen_name, status, text_of, train_screen, type_text
from tests.ui.train.test_random_keys import state


@pytest.fixture(autouse=True)
def _places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(autosave, "POLL", 0.02)
    monkeypatch.chdir(tmp_path)


def keeping_app(*names: str) -> BpeApp:
    request = Request(names or ("hug",)).with_session()
    return BpeApp(*request.find(), request=request, saves=True)


async def until(pilot: Pilot[None], happened: Callable[[], bool]) -> None:
    """Wait until it has happened, which is soon."""
    for _ in range(200):
        await pilot.pause(0.02)
        if happened():
            return
    raise AssertionError("it does not happen")


def shown(session: Session) -> tuple[object, ...]:
    """All that a session is."""
    log = [(step.merge, step.own_choice, step.rule) for step in session.trainer.steps]
    return (
        *state(session),
        log,
        session.trainer.phase,
        session.options,
        session.text,
        session.selected,
        session.by_phase,
        tuple(session.choices),
        tuple(session.trainer.totals),
    )


def session_of(app: BpeApp) -> Session:
    session = train_screen(app).board.session
    assert session is not None
    return session


MOVES = (
    ("space", "down", "down", "enter", "space", "u", "s", "s"),
    ("f", "u", "u", "down", "down"),
)


@pytest.mark.parametrize("moves", MOVES)
async def test_a_corpus_opened_again_goes_on_to_the_same_state(moves: tuple[str, ...]) -> None:
    app = keeping_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "e")
        await type_text(pilot, "thug")
        await press(pilot, "escape", "2", *moves)
        before = shown(session_of(app))
        place = slot_of(session_of(app))
        await until(pilot, lambda: place.path.exists() and read_session(str(place.path)).text == "thug")
        train_screen(app).saver.save_now()  # type: ignore[union-attr]  # it is there: this app keeps
    again = keeping_app()
    async with again.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "R goes on" in text_of(train_screen(again).board.explanation))
        assert "t ties" in text_of(train_screen(again).board.keys)
        assert "R go on" not in text_of(train_screen(again).board.keys)  # no room for it; the sentence stays instead
        await press(pilot, "down", "escape")
        assert "R goes on" in text_of(train_screen(again).board.explanation)
        await pilot.resize_terminal(120, 40)
        assert "R go on" in text_of(train_screen(again).board.keys)
        assert status(again).startswith("merge 0/3")
        await press(pilot, "R")
        await until(pilot, lambda: not status(again).startswith("merge 0/3"))
        await pilot.pause()
        assert shown(session_of(again)) == before
        await press(pilot, "R")
        assert "no earlier session" in train_screen(again).board.notice


async def test_nothing_is_kept_or_offered_before_anything_happened(tmp_path: Path) -> None:
    for _ in range(2):
        app = keeping_app()
        async with app.run_test() as pilot:
            await pilot.pause(0.2)
            assert not train_screen(app).board.notice
    assert not (tmp_path / "state").exists()


async def test_an_offer_that_is_not_taken_stays_beside(tmp_path: Path) -> None:
    place = slot_of(Session.load(*Request().find()))
    for moves in (("f",), ("space",)):
        app = keeping_app()
        async with app.run_test() as pilot:
            await pilot.pause(0.1)
            await press(pilot, *moves)
            await until(pilot, place.path.exists)
            await pilot.pause(0.1)
    found = {one.name.endswith(kept.BEFORE): read_session(str(one)).position for one in place.path.parent.iterdir()}
    assert found == {True: 3, False: 1}


async def test_a_session_file_is_opened_where_it_stood(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("low lower lowest low low", encoding="utf-8")
    app = keeping_app("x.txt")
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "space", "space", "space", "u", "w", "end", "up", "enter", "enter")
        await until(pilot, (tmp_path / "x.bpe.json").exists)
        before = shown(session_of(app))
    again = keeping_app("x.bpe.json")
    async with again.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: train_screen(again).board.session is not None)
        assert shown(session_of(again)) == before
        assert not train_screen(again).board.notice


async def test_a_corpus_that_changed_is_said_and_can_be_opened_anew(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_text("low lower lowest low low", encoding="utf-8")
    app = keeping_app("x.txt")
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "space", "space", "w", "end", "up", "enter", "enter")
        await until(pilot, lambda: (tmp_path / "x.bpe.json").exists() and slot_of(session_of(app)).path.exists())
    corpus.write_text("other words", encoding="utf-8")
    again = keeping_app("x.bpe.json")
    async with again.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: screen_name(again) == "ReopenDialog")
        assert isinstance(again.screen, ReopenDialog)
        await press(pilot, "enter")
        await until(
            pilot, lambda: screen_name(again) == "TrainScreen" and train_screen(again).board.session is not None
        )
        assert session_of(again).trainer.words.words == ["other", "Ġwords"] or session_of(again).trainer.position == 0
    plain = keeping_app("x.txt")
    async with plain.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: bool(train_screen(plain).board.notice))
        assert "the corpus has changed" in train_screen(plain).board.notice


async def test_what_cannot_be_kept_is_said_once_and_stays_in_memory(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be", encoding="utf-8")
    app = keeping_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "space")
        await until(pilot, lambda: bool(train_screen(app).board.notice))
        assert "Your steps are kept in memory only" in train_screen(app).board.notice
        train_screen(app).saver._next = 0.0  # type: ignore[union-attr]  # it is there: this app keeps
        await press(pilot, "space")
        await asyncio.sleep(0.2)
        await pilot.pause()
        assert not train_screen(app).board.notice
        assert status(app).startswith("merge 2/3")
        app.save_sessions()  # it was told before, so it is not told again
        (tmp_path / "state").unlink()
        await press(pilot, "space")
        app.save_sessions()
        assert read_session(str(slot_of(session_of(app)).path)).position == 3


def test_the_oldest_sessions_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 3)
    places = [kept.SessionSlot(tmp_path / "kept" / f"{number}{kept.SUFFIX}") for number in range(5)]
    for place in places:
        place.save(b"x")
    assert sorted(one.name for one in (tmp_path / "kept").iterdir()) == [place.path.name for place in places[2:]]
    assert places[4].load() is None


def test_a_session_takes_no_options_and_names_what_is_missing(tmp_path: Path) -> None:
    session = Session.load(*Request(("hug",)).find())
    (tmp_path / "x.txt").write_text("low lower", encoding="utf-8")
    from bpe_tui.formats.registry import write_session
    from bpe_tui.formats.session.training import save

    write_session("x.bpe.json", save(session.trainer, [str(tmp_path / "x.txt")]))
    with pytest.raises(Exception, match="leave yours out"):
        Request(("x.bpe.json",), overrides={"merges": 5}).with_session().find()
    (tmp_path / "x.txt").unlink()
    with pytest.raises(Exception, match=r"x\.bpe\.json is a session whose corpus is not to be had: there is no file"):
        Request(("x.bpe.json",)).with_session().find()
    (tmp_path / "y.bpe.json").write_text('{"format": "bpe-tui session", "version": 7}', encoding="utf-8")
    with pytest.raises(TokenizerFileError, match="version"):
        Request(("y.bpe.json",)).with_session()
