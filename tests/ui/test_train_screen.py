"""The train screen as a whole: mouse, sizes, hostile text, large corpora, and panes that tell one story."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Region
from textual.widget import Widget

from bpe_tui.core.corpus import Progress, WordCounts, count_words, find_corpus, options_for
from bpe_tui.core.errors import Cancelled
from bpe_tui.ui import app as app_module
from bpe_tui.ui import session as session_module
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.session import Request
from bpe_tui.ui.widgets.key_bar import KeyBar
from bpe_tui.ui.widgets.timeline import Timeline
from tests.ui.running import (
    app_on_text,
    focused,
    lines,
    make_app,
    press,
    screen_name,
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
        assert "5 words · 113 → 93 tokens" in lines(screen.words)[0]
        assert "•   10  h·ug" in text_of(screen.words)
        assert "     12  p·u+n" in text_of(screen.words)
        assert "pun×12 + bun×4 = 16" in lines(screen.words)[-1]
        pairs = text_of(screen.pairs)
        assert "▸1 u + n" in pairs
        assert "gone: u + g, g + s, h + u" in pairs
        hug = next(line for line in lines(screen.pairs) if "h + ug" in line)
        assert hug.split()[-2] == "new"
        pu = next(line for line in lines(screen.pairs) if "p + u " in line)
        assert pu.split()[-2] == "−5"
        assert "• 7 ug      2    20  u + g, merge 1" in text_of(screen.vocabulary)
        assert "unused, letter" in text_of(screen.vocabulary)
        assert "●1  u + g → ug" in text_of(screen.merges)
        assert "Merged u + g → ug: 20 replacements in 3 words." in text_of(screen.why)
        assert "Next is u + n → un: 16 times, one more than h + ug." in text_of(screen.why)
        assert "2.58 tokens a word" in lines(screen.curve)[0]


async def test_ties_are_marked_and_only_when_they_are_ties() -> None:
    app = make_app("banana")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = train_screen(app)
        marks = [line[2] for line in lines(screen.pairs)[2:5]]
        assert marks == ["▸", "=", " "]
        await press(pilot, "space")
        assert [line[2] for line in lines(screen.pairs)[2:5]] == ["▸", " ", " "]
        assert "tie of 2" in text_of(screen.merges)


async def test_overlaps_are_shown_as_two_figures() -> None:
    app = app_on_text("aaaab\naaab", preset="toy", ties="first-seen")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        assert "a + a → aa  5  3 replaced" in text_of(train_screen(app).merges)
        await press(pilot, "4", "z")
        assert "a + a → aa   5  5 counted, 3 replaced" in text_of(train_screen(app).merges)


# -- mouse ------------------------------------------------------------------------------------------------------


async def test_every_key_in_the_footer_is_a_button() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        bar = app.screen.query_one(KeyBar)
        labels = [item.action.id for item in bar.placed]
        assert labels == ["step", "undo", "phase", "go_to", "ties", "encode", "open", "help", "quit"]
        places = {item.action.id: item.start for item in bar.placed}
        await pilot.click(bar, offset=(places["step"], 0))
        await pilot.pause()
        assert status(app).startswith("merge 1/3")
        await pilot.click(bar, offset=(places["help"], 0))
        await pilot.pause()
        assert screen_name(app) == "HelpScreen"


async def test_click_points_and_double_click_merges() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await pilot.click(screen.pairs, offset=(10, 4))
        await pilot.pause()
        assert screen.pairs.cursor == 2
        assert "2 of 5 words hold u + n" in lines(screen.words)[0]
        assert status(app).startswith("merge 0/3")
        await pilot.click(screen.pairs, offset=(10, 4), times=2)
        await pilot.pause()
        assert status(app) == "merge 1/3  vocab 8  merged"
        assert "u + n → un" in text_of(screen.merges)


async def test_the_timeline_and_the_curve_can_be_clicked() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = train_screen(app)
        await pilot.click(Timeline, offset=(118, 0))
        await pilot.pause()
        assert status(app).startswith("merge 3/3")
        await pilot.click(Timeline, offset=(1, 0))
        await pilot.pause()
        assert status(app).startswith("merge 2/3")
        await pilot.click(screen.curve, offset=(8, 10))
        await pilot.pause()
        assert status(app).startswith("merge 0/3")


async def test_the_focus_follows_the_mouse_button() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await pilot.click(screen.merges, offset=(5, 5))
        assert focused(app) == "merges"
        await press(pilot, "z")
        assert [pane.id for pane in screen.panes.children if pane.display] == ["merges"]


# -- sizes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(40, 12), (40, 40), (60, 20), (71, 33), (80, 24), (120, 14), (150, 40), (300, 90)])
async def test_every_size_shows_the_focused_pane_and_the_figures(size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        screen = train_screen(app)
        await press(pilot, "space")
        assert "merge 1/3  vocab 8  merged" in text_of(screen.status)
        for number in range(1, 7):
            await press(pilot, str(number))
            pane = screen.query_one(f"#{focused(app)}")
            assert pane.size.height >= 5
            assert pane.size.width >= 18
            assert "".join(lines(screen.why)).strip()
            assert screen.region.contains_region(pane.region)
        used = sum(pane.size.area for pane in screen.panes.children if pane.display)
        assert used == screen.panes.size.area


async def test_too_small_a_terminal_says_what_it_needs_and_comes_back() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        notice = screen.query_one("#too-small")
        assert screen.panes.display
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
        screen.encode_line.input.value = NASTY
        await pilot.pause()
        for key in ("escape", "t", "escape", "z", "1", "2", "3", "4"):
            await press(pilot, key)
            shown = all_text(app)
            assert not [char for char in shown if ord(char) < 32 or 0x7F <= ord(char) < 0xA0]
            assert not set(shown) & set("\u202e\u202c\u200b\ufeff\U000e0041")
        await press(pilot, "z", "1", "slash")
        await type_text(pilot, "[/]")
        assert "hold “[/]”" in lines(screen.words)[0]
        assert "[/·]" in text_of(screen.words)


async def test_without_colour_the_same_text_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "space")
        assert "p·u+n" in text_of(screen.words)
        for strip in screen.words.render_lines(Region(0, 0, *screen.words.outer_size)):
            for segment in strip:
                colours = [segment.style.color, segment.style.bgcolor] if segment.style else []
                for colour in colours:
                    if colour is not None:
                        red, green, blue = colour.get_truecolor()
                        assert red == green == blue


# -- large corpora ----------------------------------------------------------------------------------------------


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
        leaving = ("open", "help", "quit", "leave")
        everything = [key for action in ACTIONS for key in action.keys if action.id not in leaving]
        await press(pilot, *everything)
        assert screen.session is None
        assert "opening large.txt · counting 25% · esc stops" in text_of(screen.status)
        assert "██████████" in text_of(screen.why)
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
        screen.load(*Request((str(path),)).find())
        await press(pilot, "space")
        assert "opening large.txt" in text_of(screen.status)
        await press(pilot, "escape")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "hug · toy" in text_of(screen.status)
        assert status(app).startswith("merge 1/3")


async def test_what_cannot_be_opened_is_told_and_the_session_stays(tmp_path: Path) -> None:
    path = tmp_path / "broken.tsv"
    path.write_text("word\n")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "o", "tab", "tab")
        assert focused(app) == "open-input"
        await type_text(pilot, str(path))
        await press(pilot, "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert status(app) == "merge 1/3  vocab 8  merged"
        assert "broken.tsv" in train_screen(app).notice
        assert "! broken.tsv" in text_of(train_screen(app).why)
        await press(pilot, "1")
        assert "✓ Merged u + g → ug" in text_of(train_screen(app).why)


async def test_the_open_screen_lists_files_while_a_path_is_typed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "one.txt").write_text("low lower lowest")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o", "tab", "tab")
        await type_text(pilot, f"{tmp_path}/o")
        table = app.screen.query_one("FileTable")
        assert "one.txt" in text_of(table)
        assert "folder/" not in text_of(table)
        await press(pilot, "shift+tab", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert screen_name(app) == "TrainScreen"
        assert "one.txt · course" in text_of(train_screen(app).status)
