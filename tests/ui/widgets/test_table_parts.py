"""Columns, frames and the arrangement of panes: small functions with exact results."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from bpe_tui.core.training.states import Step
from bpe_tui.core.training.vocabulary import Merge
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.board.arrangement import PANE_IDS, arrange
from bpe_tui.ui.board.explanation import fit
from bpe_tui.ui.board.merges import _remarks
from bpe_tui.ui.text import wrap
from bpe_tui.ui.themes import Palette
from bpe_tui.ui.widgets.columns import bar, change_text, left, pair_segments, right, short_number
from bpe_tui.ui.widgets.frame import FrameStyles, bottom_line, first_row_at, thumb_span, top_line
from bpe_tui.ui.widgets.key_bar import place_actions

PLAIN = FrameStyles(*[Style.null()] * 3)
STYLE = Style.null()
PALETTE = Palette((STYLE,) * 5, *[STYLE] * 21)
TEXTS = st.text(alphabet="aé語x ", max_size=12)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "    "), (1, "▏   "), (32, "████"), (16, "██  "), (20, "██▌ "), (31, "███▉"), (99, "████")],
)
def test_bars_have_eighths(value: int, text: str) -> None:
    assert bar(value, 32, 4) == text


def test_changes_are_written_with_a_sign() -> None:
    assert [change_text(*each) for each in ((None, False), (0, False), (3, False), (-1200, False), (7, True))] == [
        "",
        "",
        "+3",
        "−1,200",
        "new",
    ]


def test_counts_are_shortened_by_their_unit() -> None:
    assert [short_number(number) for number in (7, 999, 4_067, 120_400, 3_999_999, 10**9)] == [
        "7",
        "999",
        "4k",
        "120k",
        "3M",
        "1G",
    ]


def test_remarks_are_shortened_or_left_out_but_never_cut() -> None:
    merge = Merge("a", "b", "ab", 1, 2, 5_255, 4_999)
    step = Step(5_000, merge, 1_234, 1_230, 4_067, own_choice=True, reused=False, rule="first")
    full = "  your choice, 4,067 tied, 1,234 counted, 1,230 replaced"
    assert [_remarks(step, room) for room in (99, 40, 27, 16, 7, 6)] == [
        full,
        "  yours, 4,067 tied, 1,230 replaced",
        "  yours, 4k tied, only 1k",
        "  yours, 4k tied",
        "  yours",
        "",
    ]


@given(TEXTS, st.integers(0, 20))
def test_cells_are_exactly_as_wide_as_asked(text: str, width: int) -> None:
    assert cell_len(left(text, width)) == cell_len(right(text, width)) == width


@given(TEXTS, TEXTS, st.integers(5, 24))
def test_a_pair_is_exactly_as_wide_as_asked(first: str, second: str, width: int) -> None:
    segments = pair_segments((first, second), (0, 1), width, PALETTE, 2)
    assert cell_len("".join(segment.text for segment in segments)) == width


@given(st.integers(4, 60), st.text(alphabet="ab語 ", max_size=40), st.text(alphabet="12,–", max_size=20))
def test_frame_lines_are_exactly_as_wide_as_the_pane(width: int, note: str, position: str) -> None:
    assert cell_len(top_line(width, "¹", "Corpus", [note], PLAIN).text) == width
    assert cell_len(bottom_line(width, note, position, PLAIN).text) == width


def test_the_title_shows_the_longest_figures_that_fit() -> None:
    figures = ("12 words · 113 → 93 tokens", "113 → 93", "93")
    shown = [top_line(width, "", "Corpus", figures, PLAIN).text for width in (42, 30, 18, 9)]
    assert shown == [
        "╭ Corpus ─ 12 words · 113 → 93 tokens ───╮",
        "╭ Corpus ─ 113 → 93 ─────────╮",
        "╭ Corpus ─ 93 ───╮",
        "╭ Corp… ╮",
    ]


@given(st.integers(1, 50), st.integers(1, 10**6))
def test_the_scroll_bar_reaches_both_ends(height: int, total: int) -> None:
    if total <= height:
        assert thumb_span(height, total, 0) == (0, 0)
        return
    assert thumb_span(height, total, 0)[0] == 0
    assert thumb_span(height, total, total - height)[1] == height
    if height > 1:
        assert first_row_at(0, height, total) == 0
        assert first_row_at(height - 1, height, total) == total - height


@given(st.integers(40, 300), st.integers(12, 90), st.sampled_from(PANE_IDS), st.booleans())
def test_the_focused_pane_is_always_in_view(width: int, height: int, focused: str, zoomed: bool) -> None:
    wanted = arrange(width, height, focused, zoomed=zoomed)
    assert focused in wanted.panes
    assert [pane for pane in PANE_IDS if pane in wanted.panes] == list(wanted.panes)
    assert len(wanted.panes) % wanted.columns == 0


def test_the_four_lists_share_a_small_screen_and_all_panes_a_larger_one() -> None:
    assert arrange(80, 24, "pairs").panes == PANE_IDS[:4]
    assert arrange(80, 24, "curve").panes == ("corpus", "pairs", "algorithm", "curve")
    assert arrange(120, 40, "pairs").panes == PANE_IDS
    assert arrange(40, 12, "merges").panes == ("merges",)


@pytest.mark.parametrize(
    ("size", "heights"), [((80, 20), (2, 2)), ((80, 24), (2, 3)), ((120, 40), (3, 3)), ((40, 12), (3, 3))]
)
def test_long_sentences_get_a_line_more_where_there_is_room(size: tuple[int, int], heights: tuple[int, int]) -> None:
    assert tuple(arrange(*size, "pairs", sentences=lines).explanation_height for lines in (1, 4)) == heights


@given(st.integers(20, 200))
def test_the_footer_drops_what_matters_least(width: int) -> None:
    placed = place_actions(ACTIONS, width)
    assert all(item.end < width + 1 for item in placed)
    assert all(one.end + 2 == other.start for one, other in pairwise(placed))
    shown = {item.action.footer for item in placed}
    hidden = {action.footer for action in ACTIONS if action.footer} - shown
    assert not hidden or min(shown) > max(hidden)


def test_sentences_are_wrapped_and_cut_with_a_sign() -> None:
    lines = wrap("one two three four", 9)
    assert lines == ["one two", "three", "four"]
    assert fit(lines, 2, 9) == ["one two", "three fo…"]
    assert fit(lines, 3, 9) == lines
    assert wrap("", 9) == []
    assert wrap("語語語語語語", 5) == ["語語…"]
    assert wrap("dont 10 251 mots", 8) == ["dont", "10 251", "mots"], "digits of one number stay together"
    assert wrap("de 2 à 1999 mots", 8) == ["de 2 à", "1999", "mots"]
