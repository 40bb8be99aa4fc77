"""The list behind all lists: only what is in view is fetched and drawn, however many rows there are."""

from __future__ import annotations

from typing import Any

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.events import MouseMove, MouseScrollDown

from bpe_tui.ui.themes import DEFAULT_VARIABLES
from bpe_tui.ui.widgets.virtual_list import HEADER_FROM, RowSource, VirtualList
from tests.ui.running import lines, press

MANY = 1_000_000


class Numbers(RowSource[str]):
    """A million rows; remembers what was asked for."""

    header_from = HEADER_FROM
    empty_text = "None."

    def __init__(self, total: int = MANY) -> None:
        self.total = total
        self.fetched: list[tuple[int, int]] = []
        self.drawn: list[int] = []
        self.mark = -1

    def count(self, view: VirtualList[Any]) -> int:
        return self.total

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[str]:
        self.fetched.append((start, stop))
        return [f"row {index}{' marked' if index == self.mark else ''}" for index in range(start, stop)]

    def draw(self, view: VirtualList[Any], row: str) -> list[Segment]:
        self.drawn.append(int(row.split()[1]))
        return [Segment(row)]

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        return [Segment("header")]

    def figures(self, view: VirtualList[Any]) -> str:
        return f"{self.total:,}"


class Following(Numbers):
    """Stays with its last row."""

    def followed(self, view: VirtualList[Any]) -> int:
        return self.total - 1


class Showing(App[None]):
    """One table alone."""

    def __init__(self, rows: Numbers) -> None:
        super().__init__()
        self.rows = rows
        self.table = VirtualList("Numbers", rows)
        self.used: list[int] = []
        self.pointed: list[int] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DEFAULT_VARIABLES[True])

    def compose(self) -> ComposeResult:
        yield self.table

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        self.used.append(event.index)

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        self.pointed.append(event.index)


async def test_a_million_rows_cost_what_is_in_view() -> None:
    app = Showing(Numbers())
    async with app.run_test(size=(40, 12)) as pilot:
        await press(pilot, "end")
        assert lines(app.table)[-2].startswith("│ row 999999 ")
        assert "999,992–1,000,000 of 1,000,000" in lines(app.table)[-1]
        assert all(stop - first <= 9 for first, stop in app.rows.fetched)


async def test_only_lines_that_differ_are_drawn_again() -> None:
    app = Showing(Numbers())
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        shown = lines(app.table)
        app.rows.drawn.clear()
        app.table.reload()
        await pilot.pause()
        assert app.rows.drawn == []
        app.rows.mark = 3
        app.table.reload()
        await pilot.pause()
        assert app.rows.drawn == [3]
        assert [line for line in lines(app.table) if line not in shown] == [f"│ {'row 3 marked':<36} │"]


async def test_keys_move_the_cursor_and_the_view() -> None:
    app = Showing(Numbers(30))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        table = app.table
        assert (table.body_top, table.body_height) == (2, 9)
        await press(pilot, "down", "down", "up", "enter")
        assert (table.cursor, app.used) == (1, [1])
        await press(pilot, "pagedown")
        assert (table.cursor, table.scroll_offset.y) == (9, 8)
        await press(pilot, "end", "down")
        assert (table.cursor, table.scroll_offset.y) == (29, 21)
        await press(pilot, "pageup")
        assert (table.cursor, table.scroll_offset.y) == (21, 13)
        await press(pilot, "home", "up")
        assert (table.cursor, table.scroll_offset.y) == (0, 0)
        assert app.pointed == [1, 2, 1, 9, 29, 21, 0]


async def test_wheel_and_scroll_bar_move_the_view_alone() -> None:
    app = Showing(Numbers(100))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        table = app.table
        await pilot._post_mouse_events([MouseScrollDown], table, offset=(5, 5))
        await pilot.pause()
        assert table.scroll_offset.y > 0
        assert table.cursor == 0
        assert [line[-1] for line in lines(table)[1:-1]].count("┃") == 1
        await pilot.mouse_down(table, offset=(39, 10))
        await pilot.pause()
        assert table.scroll_offset.y == 91
        await pilot.hover(table, offset=(39, 2))
        await pilot.pause()
        assert table.scroll_offset.y == 0
        await pilot.mouse_up(table, offset=(39, 2))
        await pilot.hover(table, offset=(5, 4))
        await pilot.pause()
        assert table.hover == 2
        assert table.scroll_offset.y == 0


async def test_what_is_too_wide_is_cut_with_a_sign_and_can_be_panned_to() -> None:
    class Wide(Numbers):
        def draw(self, view: VirtualList[Any], row: str) -> list[Segment]:
            return [Segment("short" if row == "row 0" else "語" * 10 + "abcdefghijklmnop")]

    app = Showing(Wide(2))
    async with app.run_test(size=(24, 6)) as pilot:
        await pilot.pause()
        assert lines(app.table)[1:3] == ["│ short                │", "│ 語語語語語語語語語語›│"]
        await press(pilot, "shift+right", "shift+right", "greater_than_sign", "shift+right")
        assert lines(app.table)[1:3] == ["│ short                │", "│‹語語abcdefghijklmnop │"]
        await press(pilot, *["shift+left"] * 5, "less_than_sign")
        assert lines(app.table)[2] == "│ 語語語語語語語語語語›│"


async def test_a_list_that_follows_its_end_does_so_until_the_learner_leaves_it() -> None:
    app = Showing(Following(30))
    async with app.run_test(size=(40, 12)) as pilot:
        table = app.table
        await pilot.pause()
        assert table.cursor == 29
        app.rows.total = 31
        table.reload()
        assert (table.cursor, table.scroll_offset.y) == (30, 22)
        await press(pilot, "up")
        app.rows.total = 32
        table.reload()
        assert (table.cursor, table.scroll_offset.y) == (29, 22)
        await press(pilot, "end")
        app.rows.total = 33
        table.reload()
        assert table.cursor == 32


async def test_rows_may_vanish_below_the_cursor() -> None:
    app = Showing(Numbers(30))
    async with app.run_test(size=(40, 12)) as pilot:
        await press(pilot, "end")
        app.rows.total = 4
        app.table.reload()
        assert (app.table.cursor, app.table.scroll_offset.y) == (3, 0)
        app.rows.total = 0
        app.table.reload()
        await pilot.pause()
        assert "None." in lines(app.table)[2]
        await press(pilot, "enter", "down", "up", "pagedown")
        assert app.used == []


async def test_rows_are_marked_with_shift_or_the_mouse_and_copied() -> None:
    app = Showing(Numbers(30))
    async with app.run_test(size=(40, 12)) as pilot:
        await press(pilot, "down", "shift+down", "shift+down", "ctrl+c")
        assert app.clipboard == "row 1\nrow 2\nrow 3"
        await press(pilot, "shift+up", "ctrl+c")
        assert app.clipboard == "row 1\nrow 2"
        await press(pilot, "home", "shift+end", "ctrl+c")
        assert app.clipboard.splitlines() == [f"row {index}" for index in range(30)]
        await press(pilot, "escape")
        assert app.table.marked == range(0)
        app.table.to_top()
        await pilot.pause()
        await pilot.mouse_down(app.table, offset=(5, 3))
        await pilot._post_mouse_events([MouseMove], app.table, offset=(5, 5), button=1)
        await pilot.mouse_up(app.table, offset=(5, 5))
        await press(pilot, "ctrl+c")
        assert app.clipboard == "row 1\nrow 2\nrow 3"
