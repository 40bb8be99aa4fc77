"""The text input keeps every character it is given, and prints none that is unsafe."""

from __future__ import annotations

import pytest
from textual import events
from textual.app import App, ComposeResult

from bpe_tui.ui.widgets.verbatim_area import VerbatimArea

VERBATIM = [
    "plain",
    "two\nlines\n",
    "\r\n windows\r\n",
    "tab\there",
    "esc \x1b[31m red \x9b",
    "nul \x00 del \x7f",
    "separators \x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029 end",
    "no-break\u00a0space",
    "bidi \u202e and zero\u200bwidth",
    "cafe\u0301 and \u0301orphan",
    "private \U000f0000\U000f0001 use",
    "family 👩‍👩‍👧",
    "日本語",
    "[b]markup[/]",
]


class Writing(App[None]):
    """An input alone."""

    def compose(self) -> ComposeResult:
        yield VerbatimArea()

    @property
    def area(self) -> VerbatimArea:
        return self.query_one(VerbatimArea)


@pytest.mark.parametrize("text", VERBATIM)
async def test_what_is_loaded_or_pasted_is_what_is_read(text: str) -> None:
    app = Writing()
    async with app.run_test(size=(60, 10)) as pilot:
        app.area.load_raw(text)
        await pilot.pause()
        assert app.area.raw == text
        assert app.area.raw_offset == len(text)
        shown = app.export_screenshot()
        assert not any(char in shown for char in "\x1b\x9b\u202e\u200b\x0b\U000f0000")
        app.area.load_raw("")
        app.post_message(events.Paste(text))
        await pilot.pause()
        assert app.area.raw == text
        await pilot.press("ctrl+z")
        assert app.area.raw == ""


@pytest.mark.parametrize("text", VERBATIM)
async def test_what_is_copied_is_what_was_given(text: str) -> None:
    app = Writing()
    async with app.run_test(size=(60, 10)):
        app.area.load_raw(text)
        app.area.select_all()
        app.area.action_copy()
        assert app.clipboard == text
        app.area.action_cut()
        assert (app.clipboard, app.area.raw) == (text, "")
        app.area.action_paste()
        assert app.area.raw == text


async def test_a_line_end_of_the_terminal_is_a_line_end() -> None:
    app = Writing()
    async with app.run_test() as pilot:
        app.post_message(events.Paste("one\rtwo"))
        await pilot.pause()
        assert app.area.raw == "one\ntwo"


async def test_offsets_are_code_points_of_the_text() -> None:
    app = Writing()
    async with app.run_test():
        text = "ab\n\x1b\u200bc\n\ne\u0301x"
        app.area.load_raw(text)
        for offset in range(len(text) + 1):
            row = text.count("\n", 0, offset)
            app.area.move_cursor((row, offset - (text.rfind("\n", 0, offset) + 1)))
            assert app.area.raw_offset == offset


async def test_stand_ins_are_one_cell_wide() -> None:
    app = Writing()
    async with app.run_test():
        app.area.load_raw("a\x1b\u200b\u00a0\tb")
        line = app.area.get_line(0)
        assert line.plain == "a␛▯⍽␉b"
        assert line.cell_len == 6


async def test_typing_goes_on_after_a_stand_in() -> None:
    app = Writing()
    async with app.run_test() as pilot:
        app.area.load_raw("\x1b")
        app.area.focus()
        await pilot.press("x", "enter", "y", "left", "backspace")
        assert app.area.raw == "\x1bxy"


async def test_a_hundred_thousand_characters() -> None:
    app = Writing()
    text = ("the quick \x1b brown fox\n" * 5_000)[:100_000]
    async with app.run_test(size=(80, 24)) as pilot:
        app.area.focus()
        app.post_message(events.Paste(text))
        await pilot.pause()
        assert app.area.raw == text
        await pilot.press("x")
        assert app.area.raw == text + "x"


async def test_undo_that_takes_the_scroll_bar_away() -> None:
    app = Writing()
    async with app.run_test(size=(30, 4)) as pilot:
        app.area.focus()
        await pilot.press(*["enter"] * 8, "x", *["ctrl+z"] * 4)
        await pilot.press(*["ctrl+y"] * 4)
        assert app.area.raw in ("\n" * 8 + "x", "\n" * 8)
