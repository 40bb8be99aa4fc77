"""Any text on the encode screen, and long ones: nothing unsafe, nothing changed, no token of an older text."""

from __future__ import annotations

import pytest
from textual import events

from bpe_tui.ui.encode.screen import PANE_IDS
from tests.ui.encoding import Encoding, settle


@pytest.mark.parametrize(
    "text", ["[/]", "\x1b[2J\x9b", "a\u202eb\u200b", "\ud800", "\r\n\u2028\x00", "👩‍👩‍👧 é日本\n\n\n", " ", "\n"]
)
@pytest.mark.parametrize("corpus", ["hug", "course-fr"])
async def test_any_text(text: str, corpus: str) -> None:
    app = Encoding(text, corpus=corpus)
    async with app.run_test(size=(100, 34)) as pilot:
        await settle(app, pilot)
        assert app.session.text == text
        await pilot.press("escape", "home", "right", "end", "v", "u", "u", "k", "2", "3", "4", "5", "1")
        await settle(app, pilot)
        shown = app.export_screenshot()
        assert not any(char in shown for char in "\x1b\x9b\u202e\u200b\x00")
        assert app.encoding.area.raw == text


async def test_a_hundred_thousand_characters() -> None:
    text = ("the hugs of 日本 déjà unhug\n" * 5_000)[:100_000]
    app = Encoding(corpus="story")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        app.post_message(events.Paste(text))
        await settle(app, pilot)
        assert app.session.text == text
        assert len(app.encoding.chips.tokenized) == len(app.session.encoder.encode(text))
        await pilot.press("escape", "v")
        await settle(app, pilot)
        await pilot.press("u")
        await settle(app, pilot)


async def test_old_tokens_say_that_they_are_old_until_a_long_paste_is_read() -> None:
    app = Encoding("hug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        assert "1 token ·" in app.text_of("tokens")
        app.encoding.session.text = "hug" * 30_000
        app.encoding.read_again()
        assert app.encoding.reader.is_running
        for pane in ("tokens", "replay", "why"):
            assert "encoding…" in app.lines(pane)[0]
            assert "hug ·" not in app.text_of(pane)
        assert str(app.encoding.area.border_title) == "¹Text ─ encoding…"
        await settle(app, pilot)
        assert "30,000 tokens · 30,000.00 per word" in app.text_of("tokens")
        assert not any("encoding…" in app.text_of(pane) for pane in PANE_IDS[1:])
