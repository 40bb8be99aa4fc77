"""Every key of the train screen does what the table of actions says: dialogs, filter, panes, inputs."""

from __future__ import annotations

from bpe_tui.ui.actions import ACTIONS, Scope
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.board.board import Board
from bpe_tui.ui.train.screen import TrainScreen
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import focused, lines, make_app, press, screen_name, status, text_of, train_screen, type_text

OWNERS = {Scope.APP: BpeApp, Scope.SCREEN: TrainScreen, Scope.BOARD: Board}
PANES = ["corpus", "pairs", "vocabulary", "merges", "algorithm", "curve"]


def test_no_two_actions_share_a_key() -> None:
    keys = [key for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys))


def test_every_action_is_implemented() -> None:
    for action in ACTIONS:
        name = action.id.partition("(")[0]
        assert hasattr(OWNERS[action.scope], f"action_{name}"), action.id


async def test_tie_rules() -> None:
    app = make_app("banana")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        assert screen.board.session is not None
        await press(pilot, "t")
        assert screen_name(app) == "TiesDialog"
        shown = text_of(app.screen.query_one(VirtualList))
        assert "2 pairs share the lead: the rule decides" in shown
        assert "● first-seen      a + n" in shown
        assert "○ greatest-pair   n + a" in shown
        await press(pilot, "escape")
        assert screen.board.session.options.ties == "first-seen"
        await press(pilot, "space", "t", "t", "r")
        assert screen.board.session.options.ties == "greatest-pair"
        assert status(app).startswith("merge 1/12")
        last = screen.board.session.trainer.last_step
        assert last is not None
        assert (last.merge.left, last.merge.right) == ("n", "a")
        await press(pilot, "t", "enter")
        assert screen.board.session.options.ties == "shortest-first"
        last = screen.board.session.trainer.last_step
        assert last is not None
        assert (last.merge.left, last.rule) == ("n", "greatest-pair")


async def test_encode_follows_the_merges_and_escape_comes_back() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "e")
        assert focused(app) == "encode-input"
        await type_text(pilot, "thug q1")
        assert status(app).startswith("merge 0/3")
        await press(pilot, *["backspace"] * 3)
        assert [token.text for token in screen.board.encode_line.tokens.tokens] == ["[UNK]", "h", "u", "g"]
        await press(pilot, "escape")
        assert focused(app) == "pairs"
        await press(pilot, "space", "space", "space")
        assert [token.text for token in screen.board.encode_line.tokens.tokens] == ["[UNK]", "hug"]
        shown = text_of(screen.board.encode_line.tokens)
        assert "⟦[UNK]⟧·hug" in shown
        assert "t is not in the alphabet" in shown


async def test_enter_in_the_encode_pane_opens_the_encode_screen() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "e", "h", "enter")
        assert screen_name(app) == "EncodeScreen"
        await press(pilot, "escape", "escape")
        assert screen_name(app) == "TrainScreen"
        await press(pilot, "escape", "E")
        assert screen_name(app) == "EncodeScreen"


async def test_open_a_bundled_corpus() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o")
        assert screen_name(app) == "OpenScreen"
        await press(pilot, "escape", "o", "down", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert status(app) == "merge 0/10  vocab 11  ready"
        assert "paper · paper · ties first-seen" in text_of(train_screen(app).board.status)


async def test_filter_the_focused_list() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "slash", "g")
        assert screen.board.pairs.filter_text == "g"
        assert screen.board.pairs.row_count == 2
        assert "2 of 6 hold “g”" in lines(screen.board.pairs)[0]
        await press(pilot, "enter")
        assert focused(app) == "pairs"
        await press(pilot, "space")
        assert screen.board.pairs.row_count == 3
        await press(pilot, "escape")
        assert screen.board.pairs.filter_text == ""
        await press(pilot, "1", "slash", "p", "escape")
        assert screen.board.words.row_count == 5
        await press(pilot, "1", "slash", "p", "enter")
        assert screen.board.words.row_count == 2
        await press(pilot, "3", "slash", "g", "enter")
        assert [line.row.text for line in screen.board.vocabulary.rows] == ["g", "ug"]
        await press(pilot, "4", "slash", "x", "enter")
        assert screen.board.merges.row_count == 0


async def test_help_lists_every_key_and_presses_them() -> None:
    app = make_app()
    async with app.run_test(size=(120, 90)) as pilot:
        await press(pilot, "question_mark")
        assert screen_name(app) == "HelpScreen"
        shown = text_of(app.screen.query_one(VirtualList))
        for action in ACTIONS:
            assert action.help in shown
            assert action.key_text in shown
        table = app.screen.query_one(VirtualList)
        row = next(number for number, line in enumerate(lines(table)) if "One merge forward" in line)
        await pilot.click(table, offset=(5, row), times=2)
        await pilot.pause()
        assert status(app) == "merge 1/3  vocab 8  merged"
        await press(pilot, "question_mark", "escape")
        assert screen_name(app) == "TrainScreen"


async def test_quit() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "q")
    assert app.return_code == 0
    assert not app.is_running


async def test_numbers_and_tab_move_between_panes_also_to_those_out_of_view() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        assert not screen.board.curve.display
        for number, pane in enumerate(PANES, start=1):
            await press(pilot, str(number))
            assert focused(app) == pane
            assert app.query_one(f"#{pane}").size.height > 0
        visited = []
        for _ in range(6):
            await press(pilot, "tab")
            visited.append(focused(app))
        assert visited == PANES
        await press(pilot, "shift+tab")
        assert focused(app) == "algorithm"


async def test_space_works_wherever_the_focus_is() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        for number in range(1, 7):
            await press(pilot, str(number), "space")
            assert status(app).startswith((f"merge {number}/", f"merge {number} (target 3)"))


async def test_zoom() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "z")
        assert [pane.id for pane in screen.board.panes.children if pane.display] == ["pairs"]
        assert screen.board.pairs.size.width == 80
        await press(pilot, "4")
        assert [pane.id for pane in screen.board.panes.children if pane.display] == ["merges"]
        await press(pilot, "escape")
        assert [pane.id for pane in screen.board.panes.children if pane.display] == PANES[:4]


async def test_letters_do_nothing_while_an_input_has_the_focus() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = train_screen(app)
        await press(pilot, "e")
        everything = [key for action in ACTIONS for key in action.keys if len(key) == 1 or key == "space"]
        await press(pilot, *everything)
        assert app.screen is screen
        assert status(app) == "merge 0/3  vocab 7  ready"
        assert screen.board.encode_line.input.value == "".join(" " if key == "space" else key for key in everything)


async def test_a_key_of_the_help_is_pressed_before_the_help_was_drawn() -> None:
    app = make_app()
    async with app.run_test(size=(1, 1)) as pilot:
        await press(pilot, "question_mark", "enter")
        assert screen_name(app) == "HelpScreen"
        await press(pilot, "escape", "space")
        await pilot.resize_terminal(80, 24)
        assert status(app) == "merge 1/3  vocab 8  merged"
