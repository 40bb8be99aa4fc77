"""Keys of the user's own: which can be given, what is said of the others, and that everything follows them."""

from __future__ import annotations

import pytest

from bpe_tui.formats.settings import UserSettings
from bpe_tui.lessons.library import entries
from bpe_tui.lessons.reading import read_lesson
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.actions import ACTIONS, first_key, keymap
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.dialogs.help import HelpScreen
from bpe_tui.ui.keymap import CHANGEABLE, TABLES, give_keys, key_of, textual_keymap
from bpe_tui.ui.lesson.screen import LessonScreen
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.running import press, screen_name, status, text_of, train_screen


@pytest.fixture(autouse=True)
def usual_keys_again() -> object:
    """One program has one keyboard: leave the usual one to the next test."""
    yield
    give_keys({})


def app_with(**keys: tuple[str, ...]) -> BpeApp:
    """The app on hug, with keys of the user's own."""
    return BpeApp(*Request(("hug",)).find(), settings=UserSettings(keys=keys))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("j", "j"),
        ("J", "J"),
        ("shift+j", "J"),
        ("?", "question_mark"),
        ("question_mark", "question_mark"),
        (" ", "space"),
        ("+", "plus"),
        ("plus", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("ctrl+t", "ctrl+t"),
        ("ctrl+shift+left", "ctrl+shift+left"),
        ("f5", "f5"),
        ("esc", "escape"),
        (",", "comma"),
        ("é", "é"),
        ("ф", "ф"),
        ("nope", None),
        ("return", None),
        ("ctrl+", None),
        ("++", None),
        ("strg+t", None),
        ("", None),
        ("\x01", None),
        ("jj", None),
    ],
)
def test_how_keys_are_written(written: str, name: str | None) -> None:
    assert key_of(written) == name


def test_the_usual_keys_never_clash_and_need_no_keymap() -> None:
    assert give_keys({}) == []
    assert textual_keymap() == {}
    for actions in TABLES.values():
        keys = [key for action in actions for key in action.keys]
        assert len(keys) == len(set(keys))


def test_the_name_of_an_action_means_the_same_everywhere() -> None:
    for actions in TABLES.values():
        names = [action.setting for action in actions if action.setting]
        assert len(names) == len(set(names))
        for action in actions:
            if action.setting:
                assert set(action.keys) & set(CHANGEABLE[action.setting].keys), action.setting


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"stpe": ("j",)}, 'keys has no action "stpe"; there is step'),
        ({"zzzz": ("j",)}, 'keys has no action "zzzz"; bpe-tui settings --keys lists all'),
        ({"leave": ("j",)}, 'keys has no action "leave"; '),
        ({"step": ("nope",)}, 'keys.step: there is no key "nope"; write a character, or a name such as space, f5'),
        ({"step": ("enter",)}, "keys.step: enter means the same everywhere in the program; choose another key"),
        ({"step": ("j", "2")}, "keys.step: 2 means the same everywhere in the program; choose another key"),
        ({"step": ("ctrl+q",)}, "keys.step: ctrl+q means the same everywhere"),
        ({"step": ("<",)}, "keys.step: < means the same everywhere"),
        ({"step": ("u",)}, 'u would be a key of both "step" and "undo"; give one of them another key'),
        ({"step": ("j",), "undo": ("j",)}, 'j would be a key of both "step" and "undo"'),
        ({"zoom": ("x",)}, 'x would be a key of both "leave_lesson" and "zoom"'),
        ({"step": ("A",)}, 'A would be a key of both “Answer with this choice” and "step"'),
        ({"step": ("right",)}, '→ would be a key of both "next_page" and "step"'),
        ({"copy_ids": ("q",)}, 'q would be a key of both "copy_ids" and "quit"'),
    ],
)
def test_keys_that_cannot_be_given_are_said_in_a_sentence(keys: dict[str, tuple[str, ...]], complaint: str) -> None:
    complaints = give_keys({**keys, "open": ("ctrl+o",)})
    assert len(complaints) == 1
    assert complaint in complaints[0]
    assert first_key("open") == "ctrl+o"
    assert first_key("step") == "space"
    assert not {binding for binding in textual_keymap() if not binding.endswith(".open")}


def test_two_actions_may_swap_their_keys() -> None:
    assert give_keys({"step": ("u",), "undo": ("space",)}) == []
    assert keymap(ACTIONS) == {"train.step": "u,г", "train.undo": "space"}


def test_in_lessons_the_keys_that_turn_pages_come_first() -> None:
    assert give_keys({"step": ("space", "right", "j")}) == []
    assert (textual_keymap()["train.step"], textual_keymap()["lesson.step"]) == ("space,right,j,о", "space,j,о")
    assert give_keys({"next_page": ("n",)}) == []
    assert textual_keymap() == {"lesson.next_page": "n,т", "lesson.step": "space"}


async def test_keys_footer_help_palette_and_sentences_follow() -> None:
    app = app_with(step=("j", "f5"), undo=("space",), help=("H",), quit=("ctrl+w",))
    async with app.run_test(size=(120, 40)) as pilot:
        assert "j step  space back" in text_of(train_screen(app).board.keys)
        assert "single letters. j merges the most" in text_of(train_screen(app).board.explanation)
        assert "None yet: press j." in text_of(train_screen(app).board.merges)
        await press(pilot, "n", "u", "right")  # free now
        assert status(app) == "merge 0/3  vocab 7  ready"
        await press(pilot, "j", "f5", "о")  # the last on a Cyrillic layout
        assert status(app).startswith("merge 3/3")
        await press(pilot, "space")
        assert status(app).startswith("merge 2/3")
        described = {command.title: command.help for command in app.get_system_commands(app.screen)}
        assert described["One merge forward"] == "Key: j, f5"
        await press(pilot, "question_mark")
        assert screen_name(app) == "TrainScreen"
        await press(pilot, "H")
        shown = text_of(app.screen.query_one(VirtualList))
        assert isinstance(app.screen, HelpScreen)
        assert "esc or H closes it" in shown
        assert "j, f5 " in shown
        assert "Each press of j is one such" in shown
        await press(pilot, "H")
        assert screen_name(app) == "TrainScreen"
        await press(pilot, "E")
        await press(pilot, "escape")
        assert "j step  space back" in text_of(app.screen.query_one("#keys"))
        await press(pilot, "escape", "q")
        assert app.is_running
        await press(pilot, "ctrl+w")
    assert not app.is_running


async def test_a_lesson_follows_too() -> None:
    walk = Walk(read_lesson(entries("en")[1].file))
    app = BpeApp(
        walk.corpus,
        walk.trainer.options,
        walk=walk,
        settings=UserSettings(keys={"next_page": ("ctrl+n",), "return": ("k",)}),
    )
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        await press(pilot, "right", "full_stop")
        assert walk.position == 0
        await press(pilot, "ctrl+n")
        assert walk.position == 1
        await press(pilot, "space")
        assert "k brings you back" in text_of(screen.strayed_line)
        await press(pilot, "k")
        assert not walk.strayed


async def test_wrong_keys_are_said_on_the_screen_and_the_usual_ones_work() -> None:
    app = app_with(step=("u",), zoom=("Z",))
    async with app.run_test(size=(80, 24)) as pilot:
        assert [toast.message for toast in app._notifications] == [
            '/dev/null: u would be a key of both "step" and "undo"; give one of them another key'
        ]
        await press(pilot, "space")
        assert status(app).startswith("merge 1/3")
        await press(pilot, "Z")
        assert train_screen(app).board.is_zoomed


async def test_the_next_app_has_the_usual_keys() -> None:
    async with app_with(step=("j",)).run_test():
        assert first_key("step") == "j"
    async with BpeApp(*Request(("hug",)).find()).run_test():
        assert first_key("step") == "space"
