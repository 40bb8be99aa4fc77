"""Nothing pasted is lost: lines, separators, paths."""

from __future__ import annotations

from pathlib import Path

from textual import events
from textual.pilot import Pilot

from bpe_tui.ui.encode.screen import EncodeScreen
from bpe_tui.ui.typed_paths import path_in
from bpe_tui.ui.widgets.file_picker import FilePicker
from tests.ui.running import focused, make_app, press, screen_name, status, text_of, train_screen


async def paste(pilot: Pilot[None], text: str) -> None:
    """Paste as a terminal does."""
    pilot.app.post_message(events.Paste(text))
    await pilot.pause()
    await pilot.pause()


async def test_one_line_is_put_in_whole() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "e")
        for text in ("one\u2028two", "a\x0bb\x85c", "tab\there"):
            await press(pilot, "end", "ctrl+u")
            await paste(pilot, text)
            assert train_screen(app).board.encode_line.input.value == text


async def test_several_lines_go_to_the_encode_screen() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        for text in ("one\ntwo", "\nsecond", "one\rtwo\r", "a\r\nb"):
            kept = text if "\n" in text else text.replace("\r", "\n")
            await press(pilot, "e", "end", "ctrl+u", "h")
            await paste(pilot, text)
            assert isinstance(app.screen, EncodeScreen)
            assert app.screen.area.raw == f"h{kept}"
            told = [notice.message for notice in app._notifications]
            assert told == ["Several lines were pasted: here they all are."]
            app.clear_notifications()
            await press(pilot, "escape", "escape")
            board = train_screen(app).board
            assert board.session is not None
            assert board.session.text == board.encode_line.input.value == f"h{kept}"


async def test_what_is_pasted_where_nothing_is_typed_is_encoded() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await paste(pilot, "hugs")
        assert focused(app) == "encode-input"
        assert train_screen(app).board.encode_line.input.value == "hugs"


async def test_a_path_that_is_pasted_is_offered(tmp_path: Path) -> None:
    path = tmp_path / "my words.txt"
    path.write_text("low lower lowest")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await paste(pilot, str(path).replace(" ", "\\ "))
        assert screen_name(app) == "OpenScreen"
        assert "A path was pasted. Enter opens it." in text_of(app.screen.query_one("#open-message"))
        await press(pilot, "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "my␣words.txt" in text_of(train_screen(app).board.status)
        assert status(app).startswith("merge 0/")
        await press(pilot, "o")
        await paste(pilot, f"'{path}'")
        assert app.screen.query_one(FilePicker).input.value == f"'{path}'"
        await press(pilot, "enter")
        assert screen_name(app) == "TrainScreen"


def test_paths_as_terminals_write_them(tmp_path: Path) -> None:
    path = tmp_path / "a b.txt"
    path.write_text("x")
    for written in (str(path), f"'{path}'", f'"{path}" ', str(path).replace(" ", "\\ "), path.as_uri(), f"{path}\n"):
        assert path_in(written) == path
    for other in ("hug", "", "a/b", "/no/such", f"{path}\n{path}", "'/", "/" * 9999):
        assert path_in(other) is None
