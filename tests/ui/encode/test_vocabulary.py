"""The vocabulary and the merges of a tokenizer that was opened without a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.encode.screen import EncodeScreen
from bpe_tui.ui.encode.vocabulary import VocabularyScreen
from bpe_tui.ui.session.tokenizer import read_tokenizer_session
from tests.ui.encode.test_tokenizer_screen import written
from tests.ui.encoding import Encoding, settle
from tests.ui.running import lines, press, text_of, type_text


def listing(app: Any) -> VocabularyScreen:
    screen = app.screen
    assert isinstance(screen, VocabularyScreen)
    return screen


async def test_a_tokenizer_has_its_vocabulary_and_merges(tmp_path: Path) -> None:
    session = read_tokenizer_session(written(tmp_path))
    app = BpeApp(None, None, tokenizer=session)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "escape", "V")
        screen = listing(app)
        assert "Vocabulary ─ 297" in lines(screen.entries)[0]
        assert "Merges ─ 40" in lines(screen.learned)[0]
        assert "special token" in lines(screen.entries)[2]
        last = session.timeline.merge_at(39)
        pair = session.notation.pair(last.left, last.right)
        assert any("● 40" in line and pair in line for line in lines(screen.learned))
        await press(pilot, "end")
        assert any(f"{pair}, merge 40" in line for line in lines(screen.entries))


async def test_both_lists_are_sorted_and_filtered(tmp_path: Path) -> None:
    session = read_tokenizer_session(written(tmp_path))
    app = BpeApp(None, None, tokenizer=session)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "escape", "V", "i", "i", "i")
        screen = listing(app)
        view = screen.entries
        lengths = [len(row.text) for row in view.source.fetch(view, 0, view.row_count)]
        assert lengths == sorted(lengths, reverse=True)
        assert "len▼" in lines(view)[1]
        await pilot.click(view, offset=(lines(view)[1].index("token"), 1))
        await pilot.pause()
        texts = [row.text for row in view.source.fetch(view, 0, view.row_count)]
        assert texts == sorted(texts)
        await press(pilot, "tab", "slash")
        await type_text(pilot, "he")
        await press(pilot, "enter")
        found = [row.merge.token for row in screen.learned.source.fetch(screen.learned, 0, screen.learned.row_count)]
        timeline = session.timeline
        assert found == [token for rank in range(timeline.known) if "he" in (token := timeline.merge_at(rank).token)]
        assert f"{len(found)} of 40 hold “he”" in lines(screen.learned)[0]
        await press(pilot, "escape")
        assert screen.learned.row_count == 40


async def test_enter_goes_to_the_moment_of_a_merge() -> None:
    app = Encoding("unhug")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(app, pilot)
        await press(pilot, "escape", "V", "2", "home", "enter")
        await settle(app, pilot)
        assert isinstance(app.screen, EncodeScreen)
        assert app.words == ["u·n·h·ug"]
        await press(pilot, "V")
        view = listing(app).learned
        assert "1, then 2 later" in lines(view)[0]
        assert "un" not in [row.text for row in listing(app).entries.rows]
        await press(pilot, "escape")
        assert isinstance(app.screen, EncodeScreen)
        assert "unhug" in text_of(app.encoding.facts)
