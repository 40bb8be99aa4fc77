"""What is pasted on the encode screen where nothing is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from bpe_tui.ui.dialogs.compare import CompareScreen
from bpe_tui.ui.dialogs.open_text import OpenTextScreen
from bpe_tui.ui.widgets.file_picker import FilePicker
from tests.ui.encoding import Encoding, settle


@pytest.mark.parametrize(
    ("name", "content", "dialog"),
    [
        ("my words.txt", "hugs hug", OpenTextScreen),
        ("merges.txt", "#version: 0.2\nh u\nhu g\n", CompareScreen),
    ],
)
async def test_a_path_offers_to_open_what_it_names(tmp_path: Path, name: str, content: str, dialog: type) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    app = Encoding("bun")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(app, pilot)
        encoding = app.encoding
        await pilot.press("escape")
        app.post_message(events.Paste(str(path)))
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, dialog)
        assert app.screen.query_one(FilePicker).input.value == str(path)
        await pilot.press("enter")
        for _ in range(200):
            await pilot.pause(0.01)
            if app.screen is encoding and not encoding.comparer.is_running:
                break
        await settle(app, pilot)
        if dialog is OpenTextScreen:
            assert app.session.text == "hugs hug"
        else:
            assert encoding.comparer.other is not None
            assert encoding.comparer.other.name == "merges.txt"


async def test_any_other_text_is_encoded() -> None:
    app = Encoding("bun")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(app, pilot)
        await pilot.press("escape")
        app.post_message(events.Paste(" hug"))
        await pilot.pause()
        await settle(app, pilot)
        assert app.session.text == "bun hug"
        assert app.focused is app.encoding.area
