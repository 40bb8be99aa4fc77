"""What takes a while is opened behind the screen, which is there at once; patterns that never end are stopped."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bpe_tui.core.corpus.patterns import time_limit
from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.options import make_options
from bpe_tui.ui import tasks
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.encode.screen import EncodeScreen
from bpe_tui.ui.session import request as request_module
from bpe_tui.ui.session.request import Request
from tests.cli.running import done
from tests.ui.lessons import everything
from tests.ui.running import press, screen_name, status, text_of, train_screen

ENDLESS = "(?:a|aa)+x"
VICTIM = "a" * 60


@pytest.fixture(autouse=True)
def _nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_module, "SMALL", 10)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Whatever is requested is found only once this event is set."""
    event = threading.Event()
    with_session = Request.with_session

    def wait(request: Request) -> Request:
        event.wait(10)
        return with_session(request)

    monkeypatch.setattr(Request, "with_session", wait)
    return event


async def ended(pilot: Pilot[None]) -> None:
    """Wait until whatever is opened is open, or is not."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def children() -> set[str]:
    """The processes that this one has started, and that still run; other tests may have left a helper of theirs."""
    return {child for file in Path("/proc/self/task").glob("*/children") for child in file.read_text().split()}


async def test_a_large_corpus_is_found_and_read_behind_the_screen(tmp_path: Path, gate: threading.Event) -> None:
    path = tmp_path / "large.txt"
    path.write_text("the cat sat on the mat\n" * 50, encoding="utf-8")
    request = Request((str(path),))
    assert request.is_large
    app = BpeApp(None, None, request=request)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        board = train_screen(app).board
        assert "opening large.txt · reading · esc stops" in text_of(board.status)
        assert "large.txt is being read." in text_of(board.explanation)
        gate.set()
        await ended(pilot)
        await press(pilot, "space")
        assert status(app).startswith("merge 1/100")


async def test_a_large_tokenizer_is_read_behind_the_screen(tmp_path: Path, gate: threading.Event) -> None:
    done("train", "hug", "-o", tmp_path / "t.json")
    request = Request((str(tmp_path / "t.json"),))
    assert request.is_large
    app = BpeApp(None, None, request=request)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "t.json is being read." in text_of(train_screen(app).board.explanation)
        gate.set()
        await ended(pilot)
        assert isinstance(app.screen, EncodeScreen)
        assert app.screen.status.text.startswith("merge 3/3")


async def test_a_large_file_that_cannot_be_opened_asks_for_another(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"model": {"type": "Unigram", "vocab": []}}', encoding="utf-8")
    app = BpeApp(None, None, request=Request((str(path),)))
    async with app.run_test(size=(80, 24)) as pilot:
        await ended(pilot)
        assert screen_name(app) == "OpenScreen"
        assert "broken.json" in "".join(everything(app).split())  # a long path takes several lines


async def test_opening_behind_the_screen_can_be_stopped(tmp_path: Path, gate: threading.Event) -> None:
    path = tmp_path / "large.txt"
    path.write_text("the cat sat on the mat\n", encoding="utf-8")
    app = BpeApp(None, None, request=Request((str(path),)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "escape")
        gate.set()
        await ended(pilot)
        assert screen_name(app) == "OpenScreen"
        await press(pilot, "escape")
        assert "Stopped: no corpus is open." in text_of(train_screen(app).board.explanation)


# -- patterns ---------------------------------------------------------------------------------------------------------


async def test_escape_stops_a_pattern_that_never_ends() -> None:
    # The corpus is small; the pattern would be given up after twenty seconds.
    others = children()
    app = BpeApp(text_corpus(VICTIM), make_options("course", pattern=ENDLESS))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert train_screen(app).board.session is None
        assert children() - others
        await press(pilot, "escape")
        await ended(pilot)
        assert not children() - others
        assert screen_name(app) == "OpenScreen"
        assert "did not finish" not in everything(app)


async def test_the_end_of_the_program_stops_a_pattern_that_never_ends() -> None:
    others = children()
    app = BpeApp(text_corpus(VICTIM), make_options("course", pattern=ENDLESS))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert children() - others
        await press(pilot, "q")
        await app.workers.wait_for_complete()
    assert not children() - others


async def test_a_pattern_that_never_ends_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "TIME_LIMIT", 0.05)
    app = BpeApp(text_corpus(VICTIM), make_options("course", pattern=ENDLESS))
    async with app.run_test(size=(80, 24)) as pilot:
        await ended(pilot)
        assert screen_name(app) == "OpenScreen"
        assert "the pattern '(?:a|aa)+x' did not finish" in " ".join(everything(app).split())


async def test_what_is_typed_ends_too() -> None:
    with time_limit(0.05):
        app = BpeApp(text_corpus("aax b"), make_options("course", pattern=ENDLESS))
        async with app.run_test(size=(120, 40)) as pilot:
            await ended(pilot)
            await press(pilot, "e")
            train_screen(app).board.encode_line.input.value = VICTIM
            await pilot.pause()
            assert "did not finish" in train_screen(app).board.encode_line.tokens.remark
            await press(pilot, "escape", "E")
            assert screen_name(app) == "EncodeScreen"
            assert "not encoded" in everything(app)
