"""Sessions that are kept by themselves are found again, to the same state; a corpus that changed is noticed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bpe_tui.core.errors import CorpusError, TokenizerFileError
from bpe_tui.formats.registry import read_session
from bpe_tui.formats.session import store as kept
from bpe_tui.formats.session.file import write
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.dialogs.reopen import ReopenDialog
from bpe_tui.ui.session import autosave
from bpe_tui.ui.session.autosave import slot_of
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from tests.ui.running import press, screen_name, status, text_of, train_screen, type_text, until
from tests.ui.train.test_random_keys import state


@pytest.fixture(autouse=True)
def _places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(autosave, "POLL", 0.02)
    monkeypatch.chdir(tmp_path)


def keeping_app(*names: str) -> BpeApp:
    request = Request(names or ("hug",)).with_session()
    return BpeApp(*request.find(), request=request, saves=True)


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
        await until(pilot, lambda: "Press R to resume" in text_of(train_screen(again).board.explanation))
        assert "t ties" in text_of(train_screen(again).board.keys)
        assert "R resume" not in text_of(train_screen(again).board.keys)  # no room for it; the sentence stays instead
        await press(pilot, "down", "escape")
        assert "Press R to resume" in text_of(train_screen(again).board.explanation)
        await pilot.resize_terminal(120, 40)
        assert "R resume" in text_of(train_screen(again).board.keys)
        assert status(again).startswith("merge 0/3")
        await press(pilot, "R")
        await until(pilot, lambda: not status(again).startswith("merge 0/3"))
        await pilot.pause()
        assert shown(session_of(again)) == before
        await press(pilot, "R")
        assert "No saved session" in train_screen(again).board.notice


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
        assert "Your progress is only in memory" in train_screen(app).board.notice
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
    with pytest.raises(TokenizerFileError):
        places[4].load()


def test_sessions_from_the_future_do_not_drive_out_the_one_just_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST", 3)
    for number in range(5):
        old = tmp_path / "kept" / f"{number}{kept.SUFFIX}"
        old.parent.mkdir(exist_ok=True)
        old.write_bytes(b"x")
        os.utime(old, (4_000_000_000 + number,) * 2)
    place = kept.SessionSlot(tmp_path / "kept" / f"new{kept.SUFFIX}")
    place.save(b"y")
    assert place.path.read_bytes() == b"y"
    assert sorted(one.name[0] for one in place.path.parent.iterdir()) == ["3", "4", "n"]


def test_a_slot_has_one_writer_and_others_write_beside(tmp_path: Path) -> None:
    slot = kept.SessionSlot(tmp_path / "sessions" / f"a{kept.SUFFIX}")
    first, second = kept.SessionWriter(slot, None), kept.SessionWriter(slot, None)
    first.save(b"one")
    second.save(b"two")
    assert (first.is_beside, second.is_beside) == (False, True)
    assert (first.slot.path.read_bytes(), second.slot.path.read_bytes()) == (b"one", b"two")
    first.close()
    third = kept.SessionWriter(slot, None)
    assert not third.is_beside
    assert third.renamed is not None
    assert third.renamed.read_bytes() == b"one"
    third.save(b"three")
    third.close()
    fourth = kept.SessionWriter(slot, slot.version())
    assert fourth.renamed is None
    fourth.close()
    second.close()
    assert not list((tmp_path / "locks").iterdir())


def test_a_writer_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from bpe_tui.formats.session import store\n"
        "held = store.SessionWriter(store.SessionSlot(Path(sys.argv[1])), None); held.save(b'one')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    path = tmp_path / "sessions" / f"a{kept.SUFFIX}"
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    writer = kept.SessionWriter(kept.SessionSlot(path), None)
    assert not writer.is_beside
    writer.close()


@pytest.mark.parametrize("spoil", ["version", "truncated"])
async def test_what_cannot_be_read_is_kept_and_said(tmp_path: Path, spoil: str) -> None:
    place = slot_of(Session.load(*Request().find()))
    app = keeping_app()
    async with app.run_test() as pilot:
        await pilot.pause(0.1)
        await press(pilot, "f")
        await until(pilot, place.path.exists)
        await pilot.pause(0.1)
    data = place.path.read_bytes()
    data = data[:200] if spoil == "truncated" else data.replace(b'"version": 1', b'"version": 9')
    place.path.write_bytes(data)
    again = keeping_app()
    async with again.run_test(size=(150, 40)) as pilot:
        await until(pilot, lambda: "This session is kept" in train_screen(again).board.notice)
        await press(pilot, "space")
        await until(pilot, lambda: len(list(place.path.parent.iterdir())) == 2)
        await until(pilot, place.path.exists)
        await pilot.pause(0.1)
    found = {one.name.endswith(kept.BEFORE): one.read_bytes() for one in place.path.parent.iterdir()}
    assert found[True] == data
    assert read_session(str(place.path)).position == 1


async def test_two_at_once_lose_nothing_and_the_second_is_told(tmp_path: Path) -> None:
    place = slot_of(Session.load(*Request().find()))
    first, second = keeping_app(), keeping_app()
    async with first.run_test() as one, second.run_test(size=(150, 40)) as two:
        await one.pause(0.1)
        await two.pause(0.1)
        await press(one, "f")
        await until(one, place.path.exists)
        await press(two, "space")
        await until(two, lambda: "open in another bpe-tui" in train_screen(second).board.notice)
    found = sorted(read_session(str(path)).position for path in place.path.parent.iterdir())
    assert found == [1, 3]


async def test_one_after_the_other_both_open_loses_nothing(tmp_path: Path) -> None:
    place = slot_of(Session.load(*Request().find()))
    second = keeping_app()
    async with second.run_test(size=(150, 40)) as two:
        await two.pause(0.1)
        first = keeping_app()
        async with first.run_test() as one:
            await one.pause(0.1)
            await press(one, "f")
            await until(one, place.path.exists)
            await one.pause(0.1)
        await press(two, "space")
        await until(two, lambda: "before is kept in" in train_screen(second).board.notice)
    found = sorted(read_session(str(path)).position for path in place.path.parent.iterdir())
    assert found == [1, 3]


async def test_a_text_without_merges_is_offered(tmp_path: Path) -> None:
    place = slot_of(Session.load(*Request().find()))
    app = keeping_app()
    async with app.run_test() as pilot:
        await pilot.pause(0.1)
        session_of(app).text = "hugs"
        await until(pilot, place.path.exists)
        await pilot.pause(0.1)
    again = keeping_app()
    async with again.run_test() as pilot:
        await until(pilot, lambda: "R brings back the text" in train_screen(again).board.greeting)
        await press(pilot, "R")
        await until(pilot, lambda: session_of(again).text == "hugs")


def test_a_session_from_stdin_does_not_read_the_keys(tmp_path: Path) -> None:
    session = Session.load(*Request(("hug",)).find())
    session.corpus = replace(session.corpus, names=("-",))
    path = tmp_path / "s.bpe.json"
    path.write_bytes(write(session.saving()()))
    with pytest.raises(CorpusError, match="it came through stdin and is in no file"):
        Request((str(path),)).with_session().find()


def test_a_session_takes_no_options_and_names_what_is_missing(tmp_path: Path) -> None:
    session = Session.load(*Request(("hug",)).find())
    (tmp_path / "x.txt").write_text("low lower", encoding="utf-8")
    from bpe_tui.formats.registry import write_session
    from bpe_tui.formats.session.training import save

    write_session("x.bpe.json", save(session.trainer, [str(tmp_path / "x.txt")]))
    with pytest.raises(Exception, match="leave yours out"):
        Request(("x.bpe.json",), overrides={"merges": 5}).with_session().find()
    (tmp_path / "x.txt").unlink()
    with pytest.raises(Exception, match=r"x\.bpe\.json is a session whose corpus cannot be opened: there is no file"):
        Request(("x.bpe.json",)).with_session().find()
    (tmp_path / "y.bpe.json").write_text('{"format": "bpe-tui session", "version": 7}', encoding="utf-8")
    with pytest.raises(TokenizerFileError, match="version"):
        Request(("y.bpe.json",)).with_session()
