"""Writing a tokenizer or a picture: where, what not, and never over an old file without a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from bpe_tui.formats.registry import read_tokenizer
from bpe_tui.formats.session.file import read as read_session
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.dialogs.save import WriteDialog
from bpe_tui.ui.session.export import PICTURE, SESSION, file_name, files_of, kinds, obstacle, writer
from bpe_tui.ui.session.training import Session
from tests.ui.running import app_on_text, make_app, press, screen_name, status, train_screen, type_text, until


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def finished(pilot: Pilot[None], app: BpeApp) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()


def names_in(folder: Path) -> list[str]:
    """Names of the files there."""
    return [each.name for each in folder.iterdir()]


def hint(app: BpeApp) -> str:
    return str(app.screen.query_one(".dialog-hint", Static).content)


async def test_the_tokenizer_of_this_moment_is_written(tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "space", "w", "enter", "enter")
        assert screen_name(app) == "TrainScreen"
        await finished(pilot, app)
    model = read_tokenizer(str(tmp_path / "hug.json"))
    assert [merge.token for merge in model.vocabulary.merges] == ["ug", "un"]
    assert names_in(tmp_path) == ["hug.json"]


async def test_an_old_file_is_overwritten_only_after_a_question(tmp_path: Path) -> None:
    old = tmp_path / "hug.json"
    old.write_text("mine", encoding="utf-8")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "w", "enter", "enter")
        assert isinstance(app.screen, WriteDialog)
        assert "There is hug.json already" in hint(app)
        assert old.read_text(encoding="utf-8") == "mine"
        await press(pilot, "x", "backspace")
        assert "already" not in hint(app)
        await press(pilot, "enter")
        assert old.read_text(encoding="utf-8") == "mine"
        await press(pilot, "enter")
        await finished(pilot, app)
    assert json.loads(old.read_text(encoding="utf-8"))["model"]["type"] == "BPE"


async def test_an_old_file_is_known_by_its_path_as_a_terminal_pastes_it(tmp_path: Path) -> None:
    old = tmp_path / "my hug.json"
    old.write_text("mine", encoding="utf-8")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "w", "enter")
        await retype(pilot, f"'{old}'")
        await press(pilot, "enter")
        assert "my hug.json already" in hint(app)
        await press(pilot, "enter")
        await finished(pilot, app)
    assert json.loads(old.read_text(encoding="utf-8"))["model"]["type"] == "BPE"


async def test_a_picture_shows_the_screen_without_the_dialog(tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "space", "w", "end", "enter", "enter")
        await until(pilot, (tmp_path / "hug.svg").exists)
        assert screen_name(app) == "TrainScreen"
    svg = (tmp_path / "hug.svg").read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "Corpus" in svg
    assert "Write" not in svg


async def test_what_a_format_cannot_say_is_refused_in_a_sentence(tmp_path: Path) -> None:
    app = app_on_text("low low", merges=2)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "w")
        found = kinds(train_session(app))
        place = next(place for place, kind in enumerate(found) if kind.name == SESSION)
        assert "in no file" in found[place].refusal
        await press(pilot, "home", *["down"] * place, "enter")
        assert hint(app) == found[place].refusal
        assert isinstance(app.screen, WriteDialog)
        app.screen.action_write()
        await pilot.pause()
        assert screen_name(app) == "WriteDialog"
        await press(pilot, "escape")
    assert names_in(tmp_path) == []


def train_session(app: BpeApp) -> Session:
    session = app._session
    assert session is not None
    return session


async def test_names_that_cannot_be_written_to_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("low lower", encoding="utf-8")
    app = make_app("text.txt")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        session = train_screen(app).board.session
        assert session is not None
        assert "folder" in obstacle(session, tmp_path)
        assert f"no folder {tmp_path / 'not'}" in obstacle(session, tmp_path / "not" / "there.json")
        assert "corpus itself" in obstacle(session, Path("text.txt"))
        assert obstacle(session, Path("a\0b")) != ""
        assert obstacle(session, Path("x" * 5000)) != ""
        assert obstacle(session, Path("new.json")) == ""
        await press(pilot, "w", "enter")
        await retype(pilot, "~nobody-is-called-so/x.json")
        await press(pilot, "enter")
        assert screen_name(app) == "WriteDialog"


async def test_an_error_while_writing_is_told(tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "w", "enter")
        await retype(pilot, "/proc/nothing.json")
        await press(pilot, "enter")
        await finished(pilot, app)
        assert screen_name(app) == "TrainScreen"
        assert status(app).startswith("merge 0/3")
        assert "/proc/nothing.json" in train_screen(app).board.notice


async def test_names_are_made_of_the_corpus_name() -> None:
    app = app_on_text("low low")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        session = train_screen(app).board.session
        assert session is not None
        picture = kinds(session)[-1]
        assert picture.name == PICTURE
        assert file_name(session, picture) == "text.svg"


async def test_every_kind_is_refused_or_written_and_can_be_read_again(tmp_path: Path) -> None:
    app = make_app("course-en", preset="minbpe", merges=20)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "f")
        session = train_session(app)
        for kind in kinds(session):
            if kind.refusal or kind.name == PICTURE:
                continue
            path = tmp_path / file_name(session, kind)
            writer(session, kind, str(path))()
            assert all(one.exists() for one in files_of(kind, str(path)))
            assert len(read_tokenizer(str(path)).vocabulary.merges) == 20, kind


async def test_a_session_is_written_with_its_undone_merges(tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "f", "u")
        session = train_session(app)
        kind = next(kind for kind in kinds(session) if kind.name == SESSION)
        assert not kind.refusal
        writer(session, kind, str(tmp_path / "hug.bpe.json"))()
        saved = read_session((tmp_path / "hug.bpe.json").read_text(encoding="utf-8"))
    assert (saved.position, len(saved.model.vocabulary.merges)) == (2, 3)
    assert saved.corpus is not None
    assert saved.corpus.names == ("hug",)


async def retype(pilot: Pilot[None], name: str) -> None:
    """Another name in the field that has the focus."""
    await press(pilot, "end", "ctrl+u")
    await type_text(pilot, name)


async def test_the_name_decides_the_format_and_a_slash_means_a_folder(tmp_path: Path) -> None:
    app = make_app("course-en", preset="huggingface", merges=5)
    async with app.run_test(size=(100, 30)) as pilot:
        for name, files in [
            ("a.tiktoken", {"a.tiktoken"}),
            ("g/", {"vocab.json", "merges.txt"}),
            ("b.bpe.json", {"b.bpe.json"}),
            ("plain", {"plain"}),
        ]:
            await press(pilot, "f", "w", "enter")
            await retype(pilot, name)
            await press(pilot, "enter")
            await finished(pilot, app)
            folder = tmp_path / "g" if name == "g/" else tmp_path
            assert files <= set(names_in(folder)), name
    read = {
        name: read_tokenizer(str(tmp_path / name), name=said)
        for name, said in [
            ("a.tiktoken", "tiktoken"),
            ("g", "gpt2"),
            ("b.bpe.json", "session"),
            ("plain", "huggingface"),
        ]
    }
    assert {len(model.vocabulary.merges) for model in read.values()} == {5}


async def test_the_cursor_follows_the_name_and_the_ending_of_the_name_the_cursor() -> None:
    app = make_app("course-en", preset="huggingface", merges=5)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "f", "w")
        dialog = app.screen
        assert isinstance(dialog, WriteDialog)
        await press(pilot, "enter")
        await retype(pilot, "x.tiktoken")
        assert dialog.kind.name == "tiktoken"
        await press(pilot, *["backspace"] * 9)
        assert dialog.kind.name == "huggingface"  # the row that was chosen before
        await type_text(pilot, ".tiktoken")
        await press(pilot, "shift+tab", "home")
        assert dialog.kind.name == "huggingface"
        assert dialog._field.value == "x.json"


async def test_what_a_format_cannot_hold_at_this_moment_is_said_before_enter(tmp_path: Path) -> None:
    app = make_app("course-en", preset="huggingface", merges=5)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "w")
        dialog = app.screen
        assert isinstance(dialog, WriteDialog)
        await finished(pilot, app)
        refused = {kind.name: kind.refusal for kind in dialog._kinds if kind.refusal}
        assert refused["merges"] == "there are no merges to write"
        place = next(place for place, kind in enumerate(dialog._kinds) if kind.name == "merges")
        await press(pilot, "home", *["down"] * place)
        assert hint(app) == refused["merges"]
        await press(pilot, "escape", "space", "w")
        await finished(pilot, app)
        dialog = app.screen
        assert isinstance(dialog, WriteDialog)
        assert not {kind.name for kind in dialog._kinds if kind.refusal} & {"merges", "gpt2", "tiktoken", "huggingface"}
