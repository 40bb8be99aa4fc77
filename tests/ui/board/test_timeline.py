"""The timeline: what it shows for a moment, and what it asks for."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from bpe_tui.ui.board.timeline import Button, Timeline
from bpe_tui.ui.messages import MomentSelected
from bpe_tui.ui.themes import DEFAULT_VARIABLES


class Line(App[None]):
    """A timeline that goes where it is asked to."""

    def __init__(self, position: int = 30, known: int = 60, target: int = 100) -> None:
        super().__init__()
        self.state = (position, known, target)
        self.asked: list[int] = []
        self.pressed: list[Button] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DEFAULT_VARIABLES[True])

    def compose(self) -> ComposeResult:
        yield Timeline()

    def on_mount(self) -> None:
        self.line.set_state(*self.state)
        self.line.focus()

    @property
    def line(self) -> Timeline:
        return self.query_one(Timeline)

    def on_moment_selected(self, event: MomentSelected) -> None:
        self.asked.append(event.number)
        self.line.set_state(event.number, max(self.state[1], event.number), self.state[2])

    def on_timeline_button_pressed(self, event: Timeline.ButtonPressed) -> None:
        self.pressed.append(event.button)

    @property
    def text(self) -> str:
        return self.line.render_line(0).text


async def test_played_known_unknown_and_target() -> None:
    app = Line()
    async with app.run_test(size=(80, 3)):
        rail = app.text[7:-1]
        assert len(app.text) == 80
        assert app.text.startswith(" ‹ ▶ › ")
        assert rail.index("●") == round(30 * 71 / 100)
        assert rail[: rail.index("●")] == "━" * rail.index("●")
        assert rail.count("─") == round(60 * 71 / 100) - rail.index("●")
        assert rail.endswith("╌┃")


@pytest.mark.parametrize(
    ("position", "known", "target", "ends"),
    [(0, 0, 100, "●╌"), (100, 100, 100, "━●"), (0, 0, 0, "●"), (3, 3, 3, "━●"), (150, 170, 100, "●─")],
)
async def test_ends(position: int, known: int, target: int, ends: str) -> None:
    app = Line(position, known, target)
    async with app.run_test(size=(60, 3)):
        assert ends in app.text
        assert app.text.count("●") == 1
        assert ("┃" in app.text) == (target > 0 and position != target)


async def test_own_choices_have_marks() -> None:
    app = Line()
    async with app.run_test(size=(80, 3)):
        app.line.set_state(30, 60, 100, (10, 50))
        assert app.text.count("◆") == 2
        assert app.text[7 + round(50 * 71 / 100)] == "◆"


@pytest.mark.parametrize(
    ("key", "wanted"),
    [("left", 29), ("right", 31), ("pageup", 20), ("pagedown", 40), ("home", 0), ("end", 100)],
)
async def test_keys(key: str, wanted: int) -> None:
    app = Line()
    async with app.run_test(size=(80, 3)) as pilot:
        await pilot.press(key)
        assert app.asked == [wanted]


async def test_the_target_may_be_run_past_but_pages_stay_on_the_line() -> None:
    app = Line(100, 100, 100)
    async with app.run_test(size=(80, 3)) as pilot:
        await pilot.press("pagedown")
        assert app.asked == []
        await pilot.press("right")
        assert app.asked == [101]


async def test_click_drag_and_buttons() -> None:
    app = Line(0, 100, 100)
    async with app.run_test(size=(80, 3)) as pilot:
        await pilot.mouse_down(Timeline, offset=(7 + 71, 0))
        await pilot.pause()
        assert app.asked == [100]
        assert " 100 " in app.text
        await pilot.hover(Timeline, offset=(7, 0))
        await pilot.mouse_up(Timeline, offset=(7, 0))
        await pilot.pause()
        assert app.asked[-1] == 0
        assert " 0 " not in app.text
        for x, button in ((1, Button.BACK), (3, Button.PLAY), (5, Button.FORWARD)):
            await pilot.mouse_down(Timeline, offset=(x, 0))
            await pilot.mouse_up(Timeline, offset=(x, 0))
            await pilot.pause()
            assert app.pressed[-1] is button
        assert len(app.pressed) == 3


@pytest.mark.parametrize("width", [1, 2, 3, 5, 20, 35, 36, 300])
async def test_any_width(width: int) -> None:
    app = Line(7, 9, 50_000)
    async with app.run_test(size=(width, 2)):
        assert app.line.render_line(0).cell_length <= width
