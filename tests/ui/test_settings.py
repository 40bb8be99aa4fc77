"""What the learner chooses in the app is in the settings file, and is there again at the next start."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from bpe_tui.core.errors import OptionError
from bpe_tui.core.readable import TokenStyle
from bpe_tui.core.runtime import Policy
from bpe_tui.formats.settings import UserSettings, read_settings
from bpe_tui.lessons.library import entries
from bpe_tui.lessons.reading import read_lesson
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui import app as app_module
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.encode.screen import EncodeScreen
from bpe_tui.ui.lesson.screen import LessonScreen
from bpe_tui.ui.session.request import Request
from tests.ui.running import make_app, press, screen_name, text_of, train_screen


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file, which is not there yet."""
    path = tmp_path / "settings.toml"
    monkeypatch.setenv("BPE_TUI_CONFIG", str(path))
    for name in ("NO_MOTION", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)
    return path


def started(theme: str | None = None) -> BpeApp:
    """The app as the user's settings have it."""
    return BpeApp(*Request(("hug",)).find(), theme=theme, settings=read_settings())


def put(file: Path, text: str) -> None:
    """Have the user write a settings file."""
    file.write_text(text)


def text_in(file: Path) -> str:
    """The file as it is now; empty without one."""
    return file.read_text() if file.exists() else ""


def toasts(app: BpeApp) -> list[str]:
    """What is said over the screen."""
    return [toast.message for toast in app._notifications]


async def saved(app: BpeApp, pilot: Pilot[None], file: Path) -> dict[str, Any]:
    """What is in the file, once it is written."""
    await app.workers.wait_for_complete()
    await pilot.pause()
    return tomllib.loads(text_in(file))


async def test_what_is_chosen_is_there_at_the_next_start(file: Path) -> None:
    app = started()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "G", "plus", "plus", "minus")
        app.choose_theme("bpe-contrast")
        app.action_motion()
        app.action_language("fr")
        await pilot.pause()
        assert toasts(app)[-1] == "The language is français from the next start on."
        assert await saved(app, pilot, file) == {
            "blanks": "plain",
            "speed": 4.0,
            "theme": "bpe-contrast",
            "motion": False,
            "language": "fr",
        }
    app = started()
    async with app.run_test(size=(80, 24)) as pilot:
        assert (app.theme, app.animation_level) == ("bpe-contrast", "none")
        assert app.token_display.style is TokenStyle.PLAIN
        assert train_screen(app).board.pace.speed == 4
        await press(pilot, "p")
        assert "playing 4 a second" in text_of(train_screen(app).board.status)
        await press(pilot, "minus", "escape", "E", "escape", "plus", "plus")
        encode = app.screen
        assert isinstance(encode, EncodeScreen)
        assert encode.pace is app.pace
        assert (await saved(app, pilot, file))["speed"] == 8
        app.action_motion()
        assert (await saved(app, pilot, file))["motion"] is True


async def test_a_theme_is_put_on_by_the_cursor_and_taken_off_by_escape(file: Path) -> None:
    app = started()
    async with app.run_test(size=(80, 24)) as pilot:
        app.action_themes()
        await pilot.pause()
        assert screen_name(app) == "ThemesDialog"
        await press(pilot, "down")
        assert app.theme == "bpe-light"
        await press(pilot, "down")
        assert app.theme == "bpe-contrast"
        await press(pilot, "escape")
        assert (screen_name(app), app.theme) == ("TrainScreen", "bpe-dark")
        assert await saved(app, pilot, file) == {}
        await pilot.app.run_action("app.themes")
        await press(pilot, "down", "enter")
        assert (screen_name(app), app.theme) == ("TrainScreen", "bpe-light")
        assert await saved(app, pilot, file) == {"theme": "bpe-light"}


async def test_the_palette_has_them_all(file: Path) -> None:
    app = started()
    async with app.run_test(size=(80, 24)) as pilot:
        titles = {command.title: command.callback for command in app.get_system_commands(app.screen)}
        assert {"Try the themes", "Motion off", "Language English", "Language français", "Language русский"} <= set(
            titles
        )
        titles["Theme bpe-light"]()
        titles["Motion off"]()
        assert await saved(app, pilot, file) == {"theme": "bpe-light", "motion": False}
        assert "Motion on" in {command.title for command in app.get_system_commands(app.screen)}


def test_what_comes_first(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(file, 'theme = "bpe-light"\nmotion = false\n')
    assert started().theme == "bpe-light"
    monkeypatch.setenv("TEXTUAL_THEME", "nord")
    assert started().theme == "nord"
    assert started("bpe-contrast").theme == "bpe-contrast"
    with pytest.raises(OptionError, match="there is no theme 'none'; choose one of bpe-dark, bpe-light, bpe-contrast"):
        started("none")
    assert started().animation_level == "none"
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "full")
    assert started().animation_level == "full"


async def test_wrong_settings_are_said_and_the_app_opens(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(file, 'theme = "bpe-lihgt"\nspeed = "fast"\n')
    monkeypatch.setenv("TEXTUAL_THEME", "nrod")
    app = started()
    async with app.run_test(size=(80, 24)):
        assert app.theme == "bpe-dark"
        wanted = "but must be a number of merges per second, such as 2"
        names = "choose one of bpe-dark, bpe-light, bpe-contrast"
        assert toasts(app) == [
            f'{file}: speed is "fast", {wanted}; until then it does not count',
            f"TEXTUAL_THEME: there is no theme 'nrod'; {names}",
            f"{file}: there is no theme 'bpe-lihgt'; {names}",
        ]


async def test_a_broken_file_is_said_and_stays_as_it_is(file: Path) -> None:
    put(file, "theme = bpe-light\n")
    app = started()
    async with app.run_test(size=(80, 24)) as pilot:
        assert len(toasts(app)) == 1
        assert "is not TOML" in toasts(app)[0]
        await press(pilot, "G")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert toasts(app)[-1] == toasts(app)[0]
    assert text_in(file) == "theme = bpe-light\n"


async def test_what_was_chosen_last_is_written_at_the_end(file: Path) -> None:
    app = started()
    async with app.run_test(size=(80, 24)):
        pass
    app._writer._waiting["theme"] = "bpe-light"  # type: ignore[union-attr]  # as if its thread had not begun
    app.save_settings()
    assert tomllib.loads(text_in(file)) == {"theme": "bpe-light"}


async def test_lessons_show_tokens_as_they_do_and_remember_only_the_speed(file: Path) -> None:
    put(file, 'blanks = "plain"\n')
    walk = Walk(read_lesson(entries("en")[3].file))
    app = BpeApp(walk.corpus, walk.trainer.options, walk=walk, settings=read_settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        assert screen.board.token_display.style.name == "TABLE"
        await press(pilot, "G", "plus")
        assert screen.board.token_display.style.name != "TABLE"
        assert await saved(app, pilot, file) == {"blanks": "plain", "speed": 4}


@pytest.mark.parametrize("policy", [Policy(), Policy(is_served=True)])
def test_served_clients_read_and_keep_none(file: Path, monkeypatch: pytest.MonkeyPatch, policy: Policy) -> None:
    put(file, 'theme = "bpe-light"\n')
    monkeypatch.setattr(app_module, "policy", lambda: policy)
    assert app_module._settings() == (None if policy.is_served else UserSettings(theme="bpe-light"))


async def test_an_app_without_settings_reads_and_keeps_none(file: Path) -> None:
    put(file, 'theme = "bpe-light"\n')
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.theme == "bpe-dark"
        app.choose_theme("bpe-contrast")
        await press(pilot, "G", "plus")
        assert await saved(app, pilot, file) == {"theme": "bpe-light"}
        assert not [command for command in app.get_system_commands(app.screen) if command.title.startswith("Language")]
