"""Corpus text on its way to the screen: never markup, never an escape, boundaries seen without colour."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.widgets import Static

from bpe_tui.core.display import displayable, visible
from bpe_tui.ui.text import plain, segments_width, token_segments, tone_of
from bpe_tui.ui.themes import Palette, palette_of

NASTY = ["[/]", "[b]", "\x1b[2J", "\x9b", "\x00", "\u202e", "\u200b", "\n", "a\tb", "\ud800", "[@click=app.quit]x[/]"]


def text_of(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


@pytest.fixture
async def palette() -> Palette:
    app: App[None] = App()
    async with app.run_test():
        return palette_of(app)


@pytest.mark.parametrize("text", NASTY)
def test_nothing_unsafe_is_left(text: str) -> None:
    assert displayable(text).isprintable()
    assert plain(text).plain == displayable(text)


def test_spaces_are_seen() -> None:
    assert visible("a b ") == "a␣b␣"


async def test_tokens_have_boundaries_and_one_mark_for_a_pair(palette: Palette) -> None:
    segments = token_segments(["h", "u", "g", "s"], [0, 0, 0, 0], palette, {1, 2})
    assert text_of(segments) == "h·u·g·s"
    marked = [segment.text for segment in segments if segment.style == palette.marked]
    assert marked == ["u", "·", "g"]
    assert palette.marked.bold
    assert palette.marked.underline
    assert palette.marked.bgcolor is not None


async def test_tones_follow_the_token(palette: Palette) -> None:
    toned = [one for one in token_segments(["a", "ug"], [0, 3], palette) if one.text != "·"]
    assert [one.style for one in toned] == [palette.letter, palette.token(3)]
    assert [tone_of(0, 7), tone_of(6, 7), tone_of(7, 7), tone_of(9, 7)] == [0, 0, 1, 3]


async def test_widths_are_cells(palette: Palette) -> None:
    assert segments_width(token_segments(["日本", "e\u0301"], [0, 0], palette)) == 4 + 1 + 1


@pytest.mark.parametrize("text", NASTY)
async def test_a_widget_survives_it(text: str) -> None:
    class Showing(App[None]):
        def compose(self) -> ComposeResult:
            yield Static(plain(f"{text}·{text}"))

    app = Showing()
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = app.export_screenshot()
        assert "\x1b" not in screen
        assert "\u202e" not in screen
