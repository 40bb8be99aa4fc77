"""The curve: numbers in, lines of braille out, at any size."""

from __future__ import annotations

import itertools

import pytest
from textual.app import App, ComposeResult

from bpe_tui.ui.board.curve import Curve
from bpe_tui.ui.board.curve_chart import Chart, MergeAxis, Series
from bpe_tui.ui.messages import MomentSelected
from bpe_tui.ui.themes import DEFAULT_VARIABLES

FALLING = [113, 93, 77, 62]


def lines(chart: Chart) -> list[str]:
    return ["".join(text for text, _ in row) for row in chart.rows()]


def test_values_lie_on_straight_lines_between_merges() -> None:
    series = Series(FALLING, (), 40)
    assert series.value(0) == pytest.approx(113 / 40)
    assert series.value(1.5) == pytest.approx(85 / 40)
    assert series.value(3) == pytest.approx(62 / 40)
    assert series.value(3.5) is None
    assert series.value(4) is None
    assert series.value(1, rule=True) is None


def test_place_figures_and_axis() -> None:
    shown = lines(Chart(Series(FALLING, (), 40), 1, 3, 60, 10))
    assert len(shown) == 10
    assert {len(line) for line in shown} == {60}
    assert sum(line.count("●") for line in shown) == 1
    (here,) = (line for line in shown if "●" in line)
    assert here.startswith("2.33 ")
    assert shown[0].startswith("2.83 ")
    assert shown[8].startswith("1.00 ")
    assert shown[9].lstrip().startswith("0 ")
    assert shown[9].endswith(" 3")
    assert " 1 " in shown[9]


def test_a_long_training_has_a_logarithmic_axis() -> None:
    assert not MergeAxis(1_000).is_logarithmic
    axis = MergeAxis(7_743)
    for merges in (0, 1, 22, 100, 7_743):
        assert axis.merges(axis.share(merges)) == pytest.approx(merges)
    assert 0.5 < axis.share(100) < 0.55
    totals = [100_000 - 10 * k for k in range(7_744)]
    (here,) = (line for line in lines(Chart(Series(totals, (), 10_000), 100, 7_743, 60, 10)) if "●" in line)
    assert 28 < here.index("●") < 36


def test_the_line_falls_and_is_joined() -> None:
    chart = Chart(Series([1000 - 9 * k for k in range(100)], (), 100), 99, 99, 40, 12)
    columns = [
        [row for row, line in enumerate(lines(chart)[:-1]) if line[chart.left + column] not in " ┊"]
        for column in range(chart.width)
    ]
    assert all(columns)
    for before, after in itertools.pairwise(columns):
        assert min(after) >= min(before)
        assert min(after) <= max(before) + 1


def test_what_is_unknown_is_left_empty() -> None:
    chart = Chart(Series(FALLING, (), 40), 0, 30, 60, 10)
    right_half = [line[chart.left + 30 :] for line in lines(chart)[:-1]]
    assert set("".join(right_half)) == {" "}


def test_the_rules_own_path_is_dotted_and_named() -> None:
    rows = Chart(Series([100, 90, 80, 70], [100, 70, 60, 50], 10), 2, 3, 60, 10).rows()
    assert any(name == "rule" for row in rows for _, name in row)
    assert not any(name == "rule" for row in Chart(Series(FALLING, (), 40), 1, 3, 60, 10).rows() for _, name in row)


@pytest.mark.parametrize("width", [0, 1, 2, 16, 28, 96])
@pytest.mark.parametrize("height", [1, 2, 3, 4, 18])
@pytest.mark.parametrize("own", [[40], [40, 40], FALLING, list(range(5000, 2500, -1)), [0, 0]])
def test_any_size_and_any_series(width: int, height: int, own: list[int]) -> None:
    for position in (0, len(own) // 2, len(own) - 1):
        chart = Chart(Series(own, own[:2], 40), position, max(1, len(own) * 2), width, height)
        shown = lines(chart)
        assert len(shown) == height
        assert all(len(line) <= width for line in shown)


class Showing(App[None]):
    """A curve alone, which keeps what is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DEFAULT_VARIABLES[True])

    def compose(self) -> ComposeResult:
        yield Curve()

    def on_moment_selected(self, event: MomentSelected) -> None:
        self.asked.append(event.number)

    @property
    def curve(self) -> Curve:
        return self.query_one(Curve)


async def test_title_clicks_and_keys() -> None:
    app = Showing()
    async with app.run_test(size=(60, 12)) as pilot:
        app.curve.show(FALLING, 1, 3, divisor=40)
        await pilot.pause()
        assert "2.33 tokens per word" in app.curve.render_line(0).text
        await pilot.click(Curve, offset=(57, 5))
        await pilot.click(Curve, offset=(7, 5))
        assert app.asked == [3, 0]
        app.curve.focus()
        await pilot.press("home", "end")
        assert app.asked[2:] == [0, 3]
        app.curve.show(FALLING, 1, 3, divisor=40, rule=[113, 90, 70, 50])
        await pilot.pause()
        assert "rule 2.25" in app.curve.render_line(0).text
        assert "the rule's" in app.curve.render_line(11).text
