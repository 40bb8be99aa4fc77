"""Where room is short, numbers in lists and titles are shortened or left out, never cut, and keep their unit."""

from __future__ import annotations

import re
from itertools import product

import pytest

from bpe_tui.ui.app import BpeApp
from tests.ui.running import app_on_text, lines, train_screen

LETTERS = "abcdefghijklmnop"
MANY_TIES = " ".join(f"{''.join(letters)}{number}" for number, letters in enumerate(product(LETTERS, repeat=3)))


def app_far_on() -> BpeApp:
    """A moment with numbers of four digits everywhere."""
    return app_on_text(MANY_TIES, merges=1_500)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
async def test_no_number_is_cut(size: tuple[int, int]) -> None:
    app = app_far_on()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = train_screen(app)
        screen.board.words.source.trainer.goto(1_500)
        screen.board.refresh_moment()
        for key, table in (("3", screen.board.vocabulary), ("4", screen.board.merges)):
            await pilot.press(key)
            await pilot.pause()
            shown = [line for line in lines(table)[1:-1] if re.search(r"\d", line)]
            assert shown
            assert not any(re.search(r"[\d,]›|\d,?…", line) for line in shown), "\n".join(shown)
        assert any(re.search(r"\dk tied|\d,\d{3} tied|\b\d+ tied", line) for line in lines(screen.board.merges))


async def test_the_corpus_title_keeps_its_unit() -> None:
    app = app_far_on()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = train_screen(app)
        screen.board.words.source.trainer.goto(1_500)
        screen.board.refresh_moment()
        words = screen.board.words
        assert re.search(r"Corpus ─ [\d,]+ changed · [\d,]+ next ─", lines(words)[0])
        await pilot.press("v")
        assert all(text.endswith(" tokens") for text in words.source.figures(words))
        assert " tokens ─" in lines(words)[0]
