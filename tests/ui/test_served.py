"""The app under the policy of a served process, without a server: what is offered, and what is handed over."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.core.errors import BpeError
from bpe_tui.core.runtime import AT_A_DESK, Policy, impose
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.dialogs.open_served import OpenServedScreen
from bpe_tui.ui.dialogs.save import WriteDialog
from bpe_tui.ui.served_driver import TextUploaded, too_large
from bpe_tui.ui.session.export import download
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.widgets.safe_input import SafeInput
from bpe_tui.ui.widgets.verbatim_area import VerbatimArea
from tests.ui.running import make_app, press, screen_name, status, train_screen


@pytest.fixture(autouse=True)
def _served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    impose(Policy(is_served=True, text_limit=100))
    yield
    impose(AT_A_DESK)
    assert list(tmp_path.iterdir()) == []


class Downloads:
    """Takes what the app hands over."""

    def __init__(self, app: BpeApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files: dict[str, bytes] = {}

        def deliver(content: io.BytesIO, *, save_filename: str, **_: Any) -> None:
            self.files[save_filename] = content.read()

        monkeypatch.setattr(app, "deliver_binary", deliver)


def notes(app: BpeApp) -> str:
    """All that was notified."""
    return " ".join(str(note.message) for note in app._notifications)


async def test_a_text_of_ones_own_is_opened_within_the_limit() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o")
        assert isinstance(app.screen, OpenServedScreen)
        await press(pilot, "ctrl+o")
        assert "Type or paste a text" in notes(app)
        area = app.screen.query_one(VerbatimArea)
        assert area.has_focus
        area.load_raw("é" * 51)
        await press(pilot, "ctrl+o")
        assert "102 B" in notes(app)
        assert "100 B" in notes(app)
        area.load_raw("tick tock")
        await press(pilot, "ctrl+o")
        await app.workers.wait_for_complete()
        await pilot.pause()
        session = train_screen(app).board.session
        assert session is not None
        assert session.corpus.name == "text"
        assert session.trainer.words.words == ["tick", " tock"]


async def test_an_uploaded_text_goes_to_the_screen_that_has_a_use_for_it() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(TextUploaded("low.txt", "low low lower"))
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert status(app).startswith("merge 0/")
        session = train_screen(app).board.session
        assert session is not None
        assert session.corpus.name == "low.txt"
        await press(pilot, "E")
        app.post_message(TextUploaded("x", "lowest"))
        await pilot.pause()
        assert app.screen.query_one(VerbatimArea).raw == "lowest"
        await press(pilot, "tab", "question_mark")
        app.post_message(TextUploaded("x", "other"))
        app.post_message(TextUploaded("x", "x" * 101))
        app.post_message(TextUploaded("x", " \n"))
        await pilot.pause()
        assert "Leave this first" in notes(app)
        assert "101 B" in notes(app)
        assert "There is no text" in notes(app)
        assert screen_name(app) == "HelpScreen"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("/etc/passwd", "passwd"),
        ("../../x.json", "x.json"),
        ("~/y", "y"),
        ("a\\b", "b"),
        ("..", "hug.json"),
        ("/", "hug.json"),
    ],
)
async def test_what_is_written_is_handed_over_under_a_bare_name(
    typed: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    downloads = Downloads(app, monkeypatch)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "w")
        assert isinstance(app.screen, WriteDialog)
        app.screen.query_one(SafeInput).value = typed
        app.screen.action_write()
        await pilot.pause()
        await pilot.pause()
        assert f"{name} goes to your browser" in train_screen(app).board.notice
    assert list(downloads.files) == [name]
    assert json.loads(downloads.files[name])["model"]["type"] == "BPE"


async def test_a_picture_shows_the_screen_without_the_dialog(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app()
    downloads = Downloads(app, monkeypatch)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "w", "end", "enter", "enter")
        await pilot.pause()
    assert downloads.files["hug.svg"].startswith(b"<svg")
    assert b"goes to your" not in downloads.files["hug.svg"]


async def test_several_files_go_in_one_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app()
    downloads = Downloads(app, monkeypatch)
    async with app.run_test(size=(80, 24)):
        assert download(app, "x-vocab.json", {"x-vocab.json": b"1", "x-merges.txt": b"2"}) == "x-vocab.zip"
    with zipfile.ZipFile(io.BytesIO(downloads.files["x-vocab.zip"])) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"x-vocab.json": b"1", "x-merges.txt": b"2"}


def test_requests_reach_no_file(tmp_path: Path) -> None:
    for name in (__file__, str(tmp_path), "missing.txt", "-"):
        with pytest.raises(BpeError, match="out of reach"):
            Request((name,)).find()


def test_a_text_is_as_large_as_its_bytes() -> None:
    assert too_large("é" * 50) == ""
    assert too_large("é" * 51) == "That text has 102 B; 100 B are the most that is taken here."
    impose(AT_A_DESK)
    assert too_large("é" * 51) == ""
