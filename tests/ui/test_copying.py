"""Rows, lists and sentences reach the terminal's clipboard as they read."""

from tests.ui.running import app_on_text, lines, make_app, press, train_screen


async def test_a_row_a_list_and_the_sentences_are_copied() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "2", "down", "ctrl+y")
        assert app.clipboard.split() == ["2", "h", "+", "ug", "hug", "15", *app.clipboard.split()[6:7], "new"]
        await press(pilot, "4", "ctrl+l")
        assert [line.split() for line in app.clipboard.splitlines()] == [
            ["#", "merge", "count"],
            ["●1", "u", "+", "g", "→", "ug", "20"],
        ]
        await press(pilot, "escape", "m")
        assert app.clipboard.splitlines() == [
            "Merged u + g → ug: 20 replacements in 3 words.",
            "Next is u + n → un: 16 times, one more than h + ug.",
        ]


async def test_a_list_is_copied_beyond_what_is_in_view() -> None:
    app = make_app("story", merges=60)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "f")
        await app.workers.wait_for_complete()
        await press(pilot, "4", "ctrl+l")
        assert len(app.clipboard.splitlines()) == 1 + train_screen(app).board.merges.row_count == 61


async def test_what_is_copied_holds_no_control_character() -> None:
    app = app_on_text("a\x1b[2Jb a\x1b[2Jb\u202e", preset="toy")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "1", "ctrl+l")
        assert "\x1b" not in app.clipboard
        assert "\u202e" not in app.clipboard
        assert "␛" in app.clipboard


async def test_a_sentence_is_selected_with_the_mouse_and_copied() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        board = train_screen(app).board
        line = lines(board.explanation)[0]
        start, end = line.index("Merged"), line.index(":") - 1
        await pilot.mouse_down(board.explanation, offset=(start, 0))
        await pilot.hover(board.explanation, offset=(end, 0))
        await pilot.mouse_up(board.explanation, offset=(end, 0))
        await press(pilot, "ctrl+c")
        assert app.clipboard == "Merged u + g → ug"
        assert lines(board.explanation)[0] == line


async def test_the_status_line_is_selected_whole_by_two_clicks() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.click(train_screen(app).board.status, times=2)
        await press(pilot, "ctrl+c")
        assert "merge 0/3  vocab 7  ready" in app.clipboard
