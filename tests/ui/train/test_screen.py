"""The train screen as a whole: panes that tell one story, sizes, hostile text, no colour."""

from __future__ import annotations

import pytest
from textual.geometry import Region
from textual.widget import Widget

from bpe_tui.ui import app as app_module
from tests.ui.running import (
    app_on_text,
    focused,
    lines,
    make_app,
    press,
    status,
    text_of,
    train_screen,
    type_text,
)

NASTY = "[/] [b]bold[/b] :cat: \x1b[31mred \x9b1m \u202eabc\u202c a\u200bb \x00 \ufeff tab\there \U000e0041"


async def test_one_step_tells_one_story_in_all_panes() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = train_screen(app)
        await press(pilot, "space")
        assert "5 words · 113 → 93 tokens" in lines(screen.board.words)[0]
        assert "•   10  h·ug" in text_of(screen.board.words)
        assert "     12  p·u+n" in text_of(screen.board.words)
        assert "pun×12 + bun×4 = 16" in lines(screen.board.words)[-1]
        pairs = text_of(screen.board.pairs)
        assert "▸1 u + n" in pairs
        assert "gone: u + g, g + s, h + u" in pairs
        hug = next(line for line in lines(screen.board.pairs) if "h + ug" in line)
        assert hug.split()[-2] == "new"
        pu = next(line for line in lines(screen.board.pairs) if "p + u " in line)
        assert pu.split()[-2] == "−5"
        assert "• 7 ug      2    20  u + g, merge 1" in text_of(screen.board.vocabulary)
        assert "unused, letter" in text_of(screen.board.vocabulary)
        assert "●1  u + g → ug" in text_of(screen.board.merges)
        assert "Merged u + g → ug: 20 replacements in 3 words." in text_of(screen.board.explanation)
        assert "Next is u + n → un: 16 times, one more than h + ug." in text_of(screen.board.explanation)
        assert "2.58 tokens per word" in lines(screen.board.curve)[0]


async def test_ties_are_marked_and_only_when_they_are_ties() -> None:
    app = make_app("banana")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = train_screen(app)
        marks = [line[2] for line in lines(screen.board.pairs)[2:5]]
        assert marks == ["▸", "=", " "]
        await press(pilot, "space")
        assert [line[2] for line in lines(screen.board.pairs)[2:5]] == ["▸", " ", " "]
        assert "2 tied" in text_of(screen.board.merges)


async def test_overlaps_are_shown_as_two_figures() -> None:
    app = app_on_text("aaaab\naaab", preset="toy", ties="first-seen")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        assert "a + a → aa  5  3 replaced" in text_of(train_screen(app).board.merges)
        await press(pilot, "4", "z")
        assert "a + a → aa   5  5 counted, 3 replaced" in text_of(train_screen(app).board.merges)


# -- mouse ------------------------------------------------------------------------------------------------------


# -- sizes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(40, 12), (40, 40), (60, 20), (71, 33), (80, 24), (120, 14), (150, 40), (300, 90)])
async def test_every_size_shows_the_focused_pane_and_the_figures(size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        screen = train_screen(app)
        await press(pilot, "space")
        assert "merge 1/3  vocab 8  merged" in text_of(screen.board.status)
        for number in range(1, 7):
            await press(pilot, str(number))
            pane = screen.query_one(f"#{focused(app)}")
            assert pane.size.height >= 5
            assert pane.size.width >= 18
            assert "".join(lines(screen.board.explanation)).strip()
            assert screen.region.contains_region(pane.region)
        used = sum(pane.size.area for pane in screen.board.panes.children if pane.display)
        assert used == screen.board.panes.size.area


async def test_a_word_is_drawn_as_it_was_when_it_was_looked_at() -> None:
    app = make_app()
    async with app.run_test(size=(40, 12)) as pilot:
        screen = train_screen(app)
        await press(pilot, "f", "1")
        hug = screen.board.words.rows[0]
        await press(pilot, "2", "r", "down", "enter")
        assert status(app) == "merge 1/3  vocab 8  merged"  # the token of merge 3 is gone, and the pane is out of view
        assert "".join(segment.text for segment in screen.board.words.source.draw(screen.board.words, hug)).endswith(
            " hug"
        )
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "h+u·g" in text_of(screen.board.words)
        assert "pu·n" in text_of(screen.board.words)


async def test_too_small_a_terminal_says_what_it_needs_and_comes_back() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        notice = screen.query_one("#too-small")
        assert screen.board.panes.display
        for width, height in ((39, 24), (80, 11)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert [child.id for child in screen.children if child.display] == ["too-small"]
            assert "40 × 12" in text_of(notice)
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert "too-small" not in [child.id for child in screen.children if child.display]


# -- hostile text -----------------------------------------------------------------------------------------------


def all_text(app: app_module.BpeApp) -> str:
    """Everything that the screen would send to the terminal, less its own escapes."""
    screen = app.screen
    shown: list[str] = []
    for widget in screen.query(Widget):
        if widget.size and not list(widget.children):
            strips = widget.render_lines(Region(0, 0, *widget.outer_size))
            shown += [strip.text for strip in strips]
    return "".join(shown)


async def test_hostile_text_never_reaches_the_terminal_and_is_never_markup() -> None:
    app = app_on_text(NASTY, preset="course", alphabet="characters")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = train_screen(app)
        await press(pilot, "space", "down", "e")
        screen.board.encode_line.input.value = NASTY
        await pilot.pause()
        for key in ("escape", "t", "escape", "z", "1", "2", "3", "4"):
            await press(pilot, key)
            shown = all_text(app)
            assert not [char for char in shown if ord(char) < 32 or 0x7F <= ord(char) < 0xA0]
            assert not set(shown) & set("\u202e\u202c\u200b\ufeff\U000e0041")
        await press(pilot, "z", "1", "slash")
        await type_text(pilot, "[/]")
        assert "hold “[/]”" in lines(screen.board.words)[0]
        assert "[/·]" in text_of(screen.board.words)


async def test_without_colour_the_same_text_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "space")
        assert "p·u+n" in text_of(screen.board.words)
        for strip in screen.board.words.render_lines(Region(0, 0, *screen.board.words.outer_size)):
            for segment in strip:
                assert segment.style is None or segment.style.color is segment.style.bgcolor is None
        rows = screen.board.pairs.render_lines(Region(0, 0, *screen.board.pairs.outer_size))
        assert any(segment.style and segment.style.reverse for segment in rows[screen.board.pairs.body_top])


# -- large corpora ----------------------------------------------------------------------------------------------
