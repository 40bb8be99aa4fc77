"""Opening a corpus from the train screen: behind it, with progress and cancel, and what cannot be opened."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.corpus.types import Progress, WordCounts
from bpe_tui.core.errors import Cancelled
from bpe_tui.ui import app as app_module
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.encode.screen import EncodeScreen
from bpe_tui.ui.session import training as session_module
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.widgets.file_picker import FilePicker
from tests.formats.sentencepiece_models import trained as trained_sentencepiece
from tests.formats.test_vocabularies import install, packages
from tests.ui.running import (
    make_app,
    press,
    press_fast,
    screen_name,
    status,
    text_of,
    train_screen,
    type_text,
)

__all__ = ["packages"]


async def test_a_large_corpus_is_opened_behind_the_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def slow(*args: Any, **options: Any) -> WordCounts:
        options["progress"](Progress("counting", 30, 120))
        gate.wait(10)
        return count_words(*args, **options)

    monkeypatch.setattr(app_module, "SMALL", 10)
    monkeypatch.setattr(session_module, "count_words", slow)
    path = tmp_path / "large.txt"
    path.write_text("the cat sat on the mat\n" * 50)
    corpus = find_corpus([str(path)])
    app = app_module.BpeApp(corpus, options_for(corpus))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        leaving = ("open", "help", "quit", "leave", "lessons", "challenges")
        everything = [key for action in ACTIONS for key in action.keys if action.id not in leaving]
        await press_fast(pilot, *everything)
        assert screen.board.session is None
        assert "opening large.txt · counting 25% · esc stops" in text_of(screen.board.status)
        assert "██████████" in text_of(screen.board.explanation)
        gate.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        await press(pilot, "1", "space")
        assert status(app).startswith("merge 1/100")


async def test_opening_can_be_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*args: Any, should_stop: Callable[[], bool], **options: Any) -> WordCounts:
        while not should_stop():
            time.sleep(0.01)
        raise Cancelled("stopped")

    path = tmp_path / "large.txt"
    path.write_text("the cat sat on the mat\n")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        monkeypatch.setattr(session_module, "count_words", endless)
        screen.opener.load(*Request((str(path),)).find())
        await press(pilot, "space")
        assert "opening large.txt" in text_of(screen.board.status)
        await press(pilot, "escape")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "hug · toy" in text_of(screen.board.status)
        assert status(app).startswith("merge 1/3")


async def test_what_cannot_be_opened_is_told_and_the_session_stays(tmp_path: Path) -> None:
    path = tmp_path / "broken.tsv"
    path.write_text("word\n")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "o", "tab", "tab")
        field = app.screen.query_one(FilePicker).input
        assert app.focused is field
        field.value = f"{tmp_path}/"
        await type_text(pilot, "broken.tsv")
        await press(pilot, "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert status(app) == "merge 1/3  vocab 8  merged"
        assert "broken.tsv" in train_screen(app).board.notice
        assert text_of(train_screen(app).board.explanation).startswith(f" ! {path.parents[0].anchor}")
        await press(pilot, "1")
        assert "✓ Merged u + g → ug" in text_of(train_screen(app).board.explanation)


async def test_the_open_screen_lists_files_while_a_path_is_typed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "one.txt").write_text("low lower lowest")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o", "tab", "tab")
        app.screen.query_one(FilePicker).input.value = f"{tmp_path}/"
        await type_text(pilot, "o")
        table = app.screen.query_one(FilePicker).files
        assert "one.txt" in text_of(table)
        assert "folder/" not in text_of(table)
        await press(pilot, "shift+tab", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert screen_name(app) == "TrainScreen"
        assert "one.txt · course" in text_of(train_screen(app).board.status)


async def test_a_name_can_be_typed_at_once() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o")
        await type_text(pilot, "banax")
        await press(pilot, "enter")
        assert "There is no banax." in text_of(app.screen.query_one("#open-message"))
        assert "No bundled corpus or lesson has such a name." in text_of(app.screen.query_one("#bundled"))
        await press(pilot, "backspace")
        assert "banana" in text_of(app.screen.query_one("#bundled"))
        await press(pilot, "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "banana · toy" in text_of(train_screen(app).board.status)


async def test_an_installed_vocabulary_is_listed_and_opened_by_its_name(packages: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.model"
    model.write_bytes(trained_sentencepiece("identity"))
    install(packages, "mistral-v1", model)
    app = make_app()
    async with app.run_test(size=(80, 40)) as pilot:
        await press(pilot, "o", "end")
        shown = text_of(app.screen.query_one("#bundled"))
        assert "Bundled corpora, installed vocabularies" in shown
        assert "32,000 tokens, from the package mistral-common" in shown
        await type_text(pilot, "mistral")
        assert "hug" not in text_of(app.screen.query_one("#bundled"))
        await press(pilot, "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, EncodeScreen)
        assert app.screen.session.name == "mistral-v1"


async def test_a_current_folder_that_is_gone_lists_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o")
        assert screen_name(app) == "OpenScreen"
        assert "─ . ─" in text_of(app.screen.query_one(FilePicker).files)
