"""The algorithm pane shows the reference itself, with the lines of the phase marked."""

from __future__ import annotations

import inspect

from textual.app import App, ComposeResult

from bpe_tui.core.teaching import reference
from bpe_tui.ui.board.algorithm import Algorithm, loop_lines, parse
from bpe_tui.ui.themes import DEFAULT_VARIABLES

EXAMPLE = """
for step in range(9):
    # phase: count
    pairs = count(words)
    more = 1

    best = pick(pairs)  # phase: pick
    # phase: merge
    for word in words:
        merge(word, "a # b")
done = True  # the end
"""


def text_of(pieces: tuple[tuple[str, str], ...]) -> str:
    return "".join(text for text, _ in pieces)


def test_every_line_is_a_line_of_the_reference() -> None:
    source = {line.split("  # phase:")[0].strip() for line in inspect.getsource(reference).splitlines()}
    lines = [text_of(line.pieces).strip() for line in loop_lines()]
    assert all(line in source for line in lines if line)


def test_each_phase_has_its_line_in_the_first_dozen() -> None:
    phases = [line.phase for line in loop_lines()[:12]]
    assert [phase for phase in phases if phase] == ["count", "pick", "merge"]
    assert text_of(loop_lines()[0].pieces).startswith("while ")


def test_markers_before_a_block_and_behind_a_line() -> None:
    lines = parse(EXAMPLE.strip())
    assert [line.phase for line in lines] == ["", "count", "count", "", "pick", "merge", "merge", ""]
    assert not any("phase:" in text_of(line.pieces) for line in lines)
    assert text_of(lines[1].pieces) == "  pairs = count(words)"
    kinds = {text: kind for line in lines for text, kind in line.pieces}
    assert kinds["for"] == "word"
    assert kinds['"a # b"'] == "text"
    assert kinds["# the end"] == "note"


def test_an_excerpt_that_is_no_program_is_shown_plain() -> None:
    (line,) = parse("x = (1,")
    assert text_of(line.pieces) == "x = (1,"


class Showing(App[None]):
    """The pane alone."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DEFAULT_VARIABLES[True])

    def compose(self) -> ComposeResult:
        yield Algorithm()

    @property
    def lines(self) -> list[str]:
        pane = self.query_one(Algorithm)
        return [pane.render_line(y).text for y in range(pane.size.height)]


async def test_the_mark_follows_the_phase_into_view() -> None:
    app = Showing()
    async with app.run_test(size=(60, 6)) as pilot:
        pane = app.query_one(Algorithm)
        await pilot.pause()
        for state, word in (("counted", "count_pairs"), ("picked", "pick("), ("merged", "merge_all(")):
            pane.set_phase(state, "u + g [/]")
            await pilot.pause()
            (marked,) = (line for line in app.lines if "▸" in line)
            assert word in marked
            assert "← u + g [/]" in marked
        pane.set_phase("ready")
        await pilot.pause()
        assert not any("▸" in line for line in app.lines)
