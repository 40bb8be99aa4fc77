"""A file is taken as it is, or refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App

from bpe_tui.core.errors import CorpusError
from bpe_tui.ui.dialogs.open_text import OpenTextScreen, read_text
from bpe_tui.ui.themes import DEFAULT_VARIABLES


def test_every_character_is_kept(tmp_path: Path) -> None:
    text = "\ufeffone\r\ntwo\rthree\u2028four\x00\n"
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert read_text(tmp_path / "a.txt") == text


@pytest.mark.parametrize(("data", "told"), [(b"ab\xff", "byte 2"), (b"x" * 1_000_001, "larger than")])
def test_what_cannot_be_taken(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(CorpusError, match=told):
        read_text(tmp_path / "a.txt")


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        read_text(tmp_path / "none.txt")
    with pytest.raises(CorpusError, match="cannot be read"):
        read_text(tmp_path)


class Opening(App[None]):
    """Keeps what is opened."""

    opened: str | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DEFAULT_VARIABLES[True])

    def on_mount(self) -> None:
        self.push_screen(OpenTextScreen(), self.keep)

    def keep(self, text: str | None) -> None:
        self.opened = text


async def test_a_path_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("hug pug")
    monkeypatch.chdir(tmp_path)
    app = Opening()
    async with app.run_test() as pilot:
        await pilot.press(*"b.txt", "enter")
        assert isinstance(app.screen, OpenTextScreen)
        await pilot.press(*["backspace"] * 5, *"a.txt", "enter")
        assert app.opened == "hug pug"


async def test_a_file_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").write_text("hug")
    monkeypatch.chdir(tmp_path)
    app = Opening()
    async with app.run_test() as pilot:
        await pilot.press("tab", "down", "enter")
        await pilot.pause()
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.opened == "hug"
