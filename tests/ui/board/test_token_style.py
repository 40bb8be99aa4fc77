"""One key shows the same tokens in another style, in every pane and sentence."""

from __future__ import annotations

from typing import cast

from bpe_tui.core.readable import TokenStyle
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.board.board import Board
from bpe_tui.ui.dialogs.token import TokenDialog
from bpe_tui.ui.encode.screen import EncodeScreen
from tests.ui.lessons import lesson_app, lesson_screen, tour
from tests.ui.running import app_on_text, lines, make_app, press, text_of, train_screen


def pane(app: BpeApp, name: str) -> str:
    """What a pane of the train screen shows."""
    return text_of(train_screen(app).board.query_one(f"#{name}"))


def sentences(board: Board) -> str:
    """What is said below the panes."""
    return text_of(board.explanation)


async def test_a_key_goes_through_the_styles_in_every_pane() -> None:
    app = make_app("course-en")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        board = train_screen(app).board
        for sign in ("␣", "Ġ", " "):
            assert f"{sign}t·h·e" in pane(app, "corpus")
            assert f"{sign}t " in pane(app, "vocabulary")
            assert f"→ {sign}t" in pane(app, "merges")
            assert f"{sign}t + o" in pane(app, "pairs")
            await press(pilot, "G")
        assert "␣t·h·e" in pane(app, "corpus")
        assert board.notice == "Tokens are shown as text, spaces as ␣."
        await press(pilot, "escape", "u", "space")
        assert "Merged ␣ + t → ␣t: 7 replacements" in sentences(board)
        await press(pilot, "G", "escape")
        assert "Merged Ġ + t → Ġt: 7 replacements" in sentences(board)


async def test_russian_is_russian_and_bytes_are_bytes() -> None:
    app = make_app("course-ru")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "Every word starts as single bytes." in sentences(train_screen(app).board)
        assert " bytes" in lines(train_screen(app).board.vocabulary)[0]
        assert "letter" not in pane(app, "vocabulary")
        assert "ˣD0" in pane(app, "pairs")
        await press(pilot, "f")
        assert "то" in pane(app, "corpus")
        assert "Ð" not in pane(app, "corpus") + pane(app, "merges") + pane(app, "vocabulary")
        await press(pilot, "G")
        assert "Ð" in pane(app, "corpus")


async def test_words_of_bytes_are_named_before_what_matters_of_them() -> None:
    app = make_app("course-ru")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "N")
        shown = pane(app, "corpus")
        assert "ˣD0 = a byte" in lines(train_screen(app).board.words)[0]
        assert "␣отдельные ˣD0·ˣBD   → н" in shown
        assert "␣самую     …·ˣD1+ˣ83·…" in shown
        await pilot.resize_terminal(200, 60)
        await pilot.pause()
        assert "␣самую       ␣·с·аˣD0·ˣBC·ˣD1+ˣ83·ˣD1·ˣ8E" in pane(app, "corpus")
        await press(pilot, "G")
        assert "самую" not in pane(app, "corpus")
        await press(pilot, "G", "N", "N", "N", "N", "N", "N", "N")
        assert "a byte" not in lines(train_screen(app).board.words)[0]


async def test_the_table_of_files_has_a_legend() -> None:
    app = make_app("course-fr")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "N", "G")
        assert "Ġ = a space" in lines(train_screen(app).board.words)[0]


async def test_characters_have_two_styles_and_stay_letters() -> None:
    app = app_on_text("to be or not to be", preset="toy", documents="files", pre_tokenizer="none", merges=5)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        board = train_screen(app).board
        assert "Every word starts as single letters." in sentences(board)
        assert "␣" in pane(app, "corpus")
        seen = []
        for _ in range(3):
            await press(pilot, "G")
            seen.append(board.token_display.style)
        assert seen == [TokenStyle.PLAIN, TokenStyle.SIGN, TokenStyle.PLAIN]


async def test_the_style_is_that_of_the_encode_screen_and_of_the_next_corpus_too() -> None:
    app = make_app("course-fr")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "f", "e", *"né", "enter")
        await pilot.pause()
        encoding = app.screen
        assert isinstance(encoding, EncodeScreen)
        await press(pilot, "escape", "G")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "Ã" in text_of(encoding.chips)
        await press(pilot, "escape")
        assert "Ġl" in pane(app, "vocabulary")
        assert cast(BpeApp, train_screen(app).app).token_display.style is TokenStyle.TABLE


async def test_a_filter_finds_tokens_however_they_are_spelled() -> None:
    app = make_app("course-fr")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "f", "4", "slash", *"␣l")
        assert "→ ␣l" in pane(app, "merges")
        await press(pilot, "escape", "2", "slash", "é")
        assert "é" in pane(app, "pairs")


async def test_the_tree_of_a_token_is_in_the_style_too() -> None:
    app = make_app("course-en")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "f", "3", "enter")
        dialog = app.screen
        assert isinstance(dialog, TokenDialog)
        shown = text_of(dialog.query_one("VirtualList"))
        assert "Ġ" not in shown
        assert "␣" in shown
        assert "byte" in shown
        assert "letter" not in shown


async def test_lessons_show_tokens_as_they_write_them() -> None:
    app = lesson_app(tour("corpus: hug", "corpus: course-en"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        board = lesson_screen(app).board
        assert board.token_display.style is TokenStyle.TABLE
        assert cast(BpeApp, board.app).token_display.style is TokenStyle.SIGN
