"""Which panes are where: by the size of the terminal, by what they hold, and by what the learner asked for."""

from bpe_tui.ui.board.algorithm import AlgorithmLine
from bpe_tui.ui.board.arrangement import PANE_IDS, AlgorithmView, arrange, usual_algorithm_view
from tests.ui.running import make_app, press, text_of, train_screen


def test_narrow_terminals_have_corpus_over_pairs_where_there_is_room() -> None:
    assert arrange(60, 20, "pairs").panes == ("corpus", "pairs")
    assert arrange(60, 20, "merges").panes == ("corpus", "merges")
    assert arrange(40, 12, "pairs").panes == ("pairs",)
    assert arrange(60, 40, "pairs").panes == ("corpus", "pairs", "vocabulary", "merges")


def test_a_row_that_can_show_all_it_has_gets_the_lines_of_lower_ones() -> None:
    equal = arrange(100, 30, "pairs")
    assert (equal.columns, equal.panes, equal.heights) == (2, PANE_IDS, ())
    assert arrange(100, 30, "pairs", needs={"pairs": 9, "vocabulary": 10}).heights == (9, 8, 7)
    assert arrange(100, 30, "pairs", needs={"corpus": 10, "merges": 9}).heights == (10, 8, 6)
    assert arrange(100, 30, "pairs", needs={"pairs": 400}).heights == ()  # no use: it would still not be all
    assert arrange(80, 24, "pairs", needs={"pairs": 11}).heights == (11, 7)


def test_a_large_window_shows_the_whole_algorithm() -> None:
    large = arrange(200, 60, "pairs", needs={"algorithm": 34, "pairs": 4_000})
    assert (large.columns, sum(large.heights), large.heights[1]) == (3, 53, 34)
    assert arrange(120, 40, "pairs", needs={"algorithm": 34}).heights == ()


def test_the_algorithm_leaves_its_room_to_long_tokens_unless_it_is_asked_for() -> None:
    assert usual_algorithm_view(120, 15_000) is AlgorithmView.OFF
    assert usual_algorithm_view(120, 5) is AlgorithmView.FULL
    assert usual_algorithm_view(200, 15_000) is AlgorithmView.FULL
    assert "algorithm" not in arrange(120, 40, "pairs", algorithm=AlgorithmView.OFF).panes
    assert "algorithm" in arrange(120, 40, "algorithm", algorithm=AlgorithmView.OFF).panes


async def test_its_key_goes_to_the_algorithm_then_to_one_line_then_to_nothing() -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "space", "5")
        board = train_screen(app).board
        line = board.query_one(AlgorithmLine)
        assert (board.focused_pane, board.algorithm.display, line.display) == ("algorithm", True, False)
        await press(pilot, "5")
        assert (board.focused_pane, board.algorithm.display, line.display) == ("pairs", False, True)
        assert text_of(line).strip() == "⁵ ▸ done = merge_all(words, counts, best)  ← u + g"
        await press(pilot, "s")
        assert text_of(line).strip() == "⁵ ▸ pairs = count_pairs(words, counts)  ← 6 pairs"
        await press(pilot, "5")
        assert (board.algorithm.display, line.display) == (False, False)
        await press(pilot, "tab", "tab", "tab")
        assert board.focused_pane == "curve"  # vocabulary, merges, and past what is not there
        await press(pilot, "5")
        assert (board.focused_pane, board.algorithm.display) == ("algorithm", True)


async def test_panes_grow_with_what_they_hold_and_never_shrink_again() -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "space")
        board = train_screen(app).board
        assert board.pairs.row_count == 6
        assert board.pairs.body_height == 6
        await press(pilot, "f")
        assert board.pairs.row_count < 6
        assert board.pairs.body_height == 6
