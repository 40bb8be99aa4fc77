"""Every action of the program, declared once: bindings, footer, command palette and help all read this table.

On a Cyrillic layout each key does what the Latin key at the same place does: see `CYRILLIC`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from textual.binding import Binding

from bpe_tui.core.i18n import _, mark


class Group(StrEnum):
    """Heading under which the help lists an action; translated where it is shown."""

    LESSON = mark("Go through the lesson")
    STEP = mark("Step through training")
    ASK = mark("Ask and try")
    MOVE = mark("Move around")
    PROGRAM = mark("Program")


class Scope(StrEnum):
    """Who does an action."""

    APP = "app"
    """The program itself, on every screen."""
    SCREEN = "screen"
    """The screen in whose table it is."""
    BOARD = "board"
    """The board of that screen, whatever has the focus."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the learner can do."""

    id: str
    """Name of the `action_…` method of the one who does it, parameters included (`go_pane(1)`)."""
    keys: tuple[str, ...]
    """Keys in Textual's names; the first is the one the footer shows."""
    label: str
    """A word or two, for the footer; like `help` translated where it is shown."""
    help: str
    """What it does, as a phrase that needs no context."""
    group: Group
    scope: Scope = Scope.SCREEN
    shown: str = ""
    """How the keys are written for people; by default made from `keys`."""
    footer: int = 0
    """Importance in the footer: higher stays longer when room is short, 0 is never there."""

    @property
    def key_text(self) -> str:
        """All keys as people write them: `space, n`."""
        return self.shown or ", ".join(key_name(key) for key in self.keys)

    @property
    def is_typed(self) -> bool:
        """Would its first key type a character, while an input has the focus?"""
        return "+" not in self.keys[0] and self.keys[0] not in _CONTROL

    @property
    def bound_keys(self) -> list[str]:
        """Its keys and those at the same places of a Cyrillic layout."""
        return with_cyrillic(self.keys).split(",")

    @property
    def target(self) -> str:
        """The action for `run_action`, with the one who implements it."""
        return f"app.{self.id}" if self.scope is Scope.APP else f"screen.{self.screen_action}"

    @property
    def screen_action(self) -> str:
        """The action as a screen knows it: to its board it hands on by `action_board`."""
        return f"board({self.id!r})" if self.scope is Scope.BOARD else self.id

    @property
    def first_key(self) -> str:
        """The key that the footer shows."""
        return key_name(self.keys[0])


_NAMES: Final = {
    "question_mark": "?",
    "slash": "/",
    "plus": "+",
    "equals_sign": "=",
    "minus": "-",
    "right": "→",
    "left": "←",
    "full_stop": ".",
    "comma": ",",
    "space": mark("space"),
    "enter": mark("enter"),
    "escape": mark("esc"),
    "tab": mark("tab"),
    "shift+tab": mark("shift+tab"),
}
_CONTROL: Final = frozenset(("enter", "escape", "tab", "up", "down", "left", "right"))
"""Keys of one word that type nothing into an input."""

CYRILLIC: Final = {
    **dict(zip("qwertyuiopasdfghjklzxcvbnm", "йцукенгшщзфывапролдячсмить", strict=True)),
    **dict(zip("QWERTYUIOPASDFGHJKLZXCVBNM", "ЙЦУКЕНГШЩЗФЫВАПРОЛДЯЧСМИТЬ", strict=True)),
    "left_square_bracket": "х",
    "right_square_bracket": "ъ",
    "comma": "б",
    "full_stop": "ю",
    "slash": "full_stop",
    "question_mark": "comma",
    "less_than_sign": "Б",
    "greater_than_sign": "Ю",
}
"""The key of the Russian layout (ЙЦУКЕН) at the place of each Latin key, in Textual's names."""


def key_name(key: str) -> str:
    """Textual's name of a key as people write it."""
    return _(_NAMES.get(key, key))


SORTING: Final[tuple[Action, ...]] = (
    Action("sort", ("i",), "sort", "Sort the list by its next column, and at last by none", Group.ASK, footer=31),
    Action("reverse", ("I",), "reverse", "The order of the list the other way round", Group.ASK),
)
"""What a screen offers for lists that can be sorted; so does a click on the head of a column."""
PROGRAM_ACTIONS: Final = (Action("quit", ("q",), "quit", "Leave the program", Group.PROGRAM, Scope.APP, footer=85),)
"""What works on every screen."""

ACTIONS: Final[tuple[Action, ...]] = (
    Action("step", ("space", "n", "right"), "step", "One merge forward", Group.STEP, Scope.BOARD, footer=100),
    Action("undo", ("u", "b", "left"), "back", "One merge back", Group.STEP, Scope.BOARD, footer=95),
    Action("phase", ("s",), "phase", "One phase forward: count, pick, merge", Group.STEP, Scope.BOARD, footer=80),
    Action("phase_back", ("S",), "phase back", "One phase back", Group.STEP, Scope.BOARD),
    Action("step_ten", ("N",), "ten", "Ten merges forward", Group.STEP, Scope.BOARD, footer=40),
    Action("undo_ten", ("U",), "ten back", "Ten merges back", Group.STEP, Scope.BOARD),
    Action("play", ("p",), "play", "Play, one merge after another, or pause", Group.STEP, Scope.BOARD, footer=64),
    Action("faster", ("plus", "equals_sign"), "faster", "Play faster", Group.STEP, Scope.BOARD, shown="+"),
    Action("slower", ("minus",), "slower", "Play slower", Group.STEP, Scope.BOARD, shown="-"),
    Action("go_to", ("g",), "go to", "Go to a merge by its number", Group.STEP, Scope.BOARD, footer=70),
    Action("run", ("f",), "finish", "Run to the target", Group.STEP, Scope.BOARD, footer=50),
    Action("reset", ("r",), "restart", "Back to the start, before any merge", Group.STEP, Scope.BOARD, footer=48),
    Action(
        "ties",
        ("t",),
        "ties",
        "Tie rules: who wins under each, where they diverge, and change",
        Group.ASK,
        Scope.BOARD,
        footer=65,
    ),
    Action("turn", ("y",), "your turn", "Your turn: guess the next merge, then see", Group.ASK, Scope.BOARD, footer=62),
    Action("encode", ("e",), "encode", "Type a text and see its tokens", Group.ASK, Scope.BOARD, footer=75),
    Action(
        "encode_screen",
        ("E",),
        "encode screen",
        "Tokens, ids and the merges that fire, on a screen of their own",
        Group.ASK,
    ),
    Action(
        "word_order",
        ("v",),
        "all words",
        "The whole corpus in its own order, or the words that matter now",
        Group.ASK,
        Scope.BOARD,
        footer=34,
    ),
    Action("filter", ("slash",), "filter", "Show only the rows that hold a text", Group.ASK, Scope.BOARD, footer=35),
    *(replace(action, scope=Scope.BOARD) for action in SORTING),
    Action(
        "token_style",
        ("G",),
        "␣/Ġ",
        "How tokens are shown: as text, as in files with Ġ for a space, or with blanks",
        Group.ASK,
        Scope.BOARD,
        footer=33,
    ),
    Action("pane(1)", ("tab",), "next pane", "Next pane", Group.MOVE, Scope.BOARD),
    Action("pane(-1)", ("shift+tab",), "pane before", "Pane before", Group.MOVE, Scope.BOARD),
    Action("go_pane(1)", ("1",), "corpus", "To the Corpus pane", Group.MOVE, Scope.BOARD),
    Action("go_pane(2)", ("2",), "pairs", "To the Pairs pane", Group.MOVE, Scope.BOARD),
    Action("go_pane(3)", ("3",), "vocabulary", "To the Vocabulary pane", Group.MOVE, Scope.BOARD),
    Action("go_pane(4)", ("4",), "merges", "To the Merges pane", Group.MOVE, Scope.BOARD),
    Action(
        "go_pane(5)",
        ("5",),
        "algorithm",
        "To the Algorithm pane; again: one line of it; again: none",
        Group.MOVE,
        Scope.BOARD,
    ),
    Action("go_pane(6)", ("6",), "curve", "To the Curve pane", Group.MOVE, Scope.BOARD),
    Action("zoom", ("z",), "zoom", "Zoom the focused pane, and back", Group.MOVE, Scope.BOARD, footer=30),
    Action("leave", ("escape",), "back", "Leave the input, the filter, the zoom; stop a run", Group.MOVE),
    Action("open", ("o",), "open", "Open a corpus: bundled, a text, a word-count table", Group.PROGRAM, footer=72),
    Action(
        "open_under",
        ("O",),
        "go on",
        "Open a corpus under the tokenizer that is open",
        Group.PROGRAM,
    ),
    Action(
        "lessons", ("L",), "lessons", "Lessons: walkthroughs with questions, one chapter each", Group.PROGRAM, footer=76
    ),
    Action(
        "challenges", ("Y",), "challenges", "Challenges: tasks for merges and texts of your own", Group.ASK, footer=20
    ),
    Action("write", ("w",), "write", "Write the tokenizer of this moment, or a picture", Group.PROGRAM, footer=25),
    Action("resume", ("R",), "resume", "Resume the saved session of this corpus", Group.PROGRAM),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=90),
    *PROGRAM_ACTIONS,
)
"""All actions of the train screen, in the order in which help and footer list them."""

MOVING: Final[tuple[Action, ...]] = (
    Action("leave", ("escape",), "stop", "Stop here", Group.STEP, footer=100),
    Action("faster", ("plus",), "faster", "Play faster", Group.STEP, Scope.BOARD, footer=70),
    Action("slower", ("minus",), "slower", "Play slower", Group.STEP, Scope.BOARD, footer=65),
    Action("step", ("space",), "stop and step", "Stop, and one merge forward", Group.STEP, Scope.BOARD, footer=60),
    Action("undo", ("u",), "stop and back", "Stop, and one merge back", Group.STEP, Scope.BOARD, footer=55),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=80),
    *PROGRAM_ACTIONS,
)
"""What the last line offers while merges go by themselves."""

_END_TURN: Final = Action("turn", ("y",), "leave", "End your turn", Group.ASK, Scope.BOARD, footer=95)
_IN_TURN: Final = (
    Action("undo", ("u",), "back", "One merge back", Group.STEP, Scope.BOARD, footer=80),
    Action("filter", ("slash",), "filter", "Show only the rows that hold a text", Group.ASK, Scope.BOARD, footer=60),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=70),
    Action("quit", ("q",), "quit", "Leave the program", Group.PROGRAM, Scope.APP, footer=65),
)
ASKING: Final = (
    Action(
        "guess", ("enter",), "choose this pair", "Guess the pair under the cursor", Group.ASK, Scope.BOARD, footer=100
    ),
    Action("step", ("space",), "show me", "Show the answer", Group.STEP, Scope.BOARD, footer=85),
    _END_TURN,
    *_IN_TURN,
)
"""What the last line offers while the question of a turn is open."""
ANSWERED: Final = (
    Action(
        "guess", ("enter",), "merge it, next question", "Merge it and ask again", Group.ASK, Scope.BOARD, footer=100
    ),
    _END_TURN,
    *_IN_TURN,
)
"""What it offers when the answer is shown."""
LEAVE_PROGRAM: Final = Action("quit", ("ctrl+q",), "quit", "Leave the program", Group.PROGRAM, Scope.APP, footer=70)
"""The key that leaves the program also where letters are typed."""
TYPING: Final = (
    Action("submit", ("enter",), "encode screen", "On a screen of its own", Group.ASK, footer=100),
    Action("leave", ("escape",), "back to the panes", "Leave the input", Group.MOVE, footer=90),
    Action("pane(1)", ("tab",), "next pane", "Next pane", Group.MOVE, Scope.BOARD, footer=80),
    LEAVE_PROGRAM,
)
"""What it offers while the encode input has the focus."""
FILTERING: Final = (
    Action("submit", ("enter",), "keep the filter", "Keep the filter", Group.ASK, footer=100),
    Action("leave", ("escape",), "end it", "End the filter", Group.MOVE, footer=90),
    Action("pane(1)", ("tab",), "next pane", "Next pane", Group.MOVE, Scope.BOARD, footer=80),
    LEAVE_PROGRAM,
)
"""What it offers while a filter is typed."""
STOP_OPENING: Final = Action("leave", ("escape",), "stop", "Stop opening", Group.PROGRAM, footer=98)
"""What it offers too while a corpus is being opened."""


def bindings(actions: Iterable[Action]) -> list[Binding]:
    """Bindings for a screen: those of its own actions, and of what its board does."""
    return _bindings([action for action in actions if action.scope is not Scope.APP])


def app_bindings() -> list[Binding]:
    """Bindings for the app."""
    return _bindings(PROGRAM_ACTIONS)


def with_cyrillic(keys: Sequence[str], taken: Collection[str] = ()) -> str:
    """Keys as a binding lists them, with those at the same places of a Cyrillic layout, but for those `taken`."""
    twins = [CYRILLIC[key] for key in keys if key in CYRILLIC]
    return ",".join([*keys, *(twin for twin in twins if twin not in taken)])


def _bindings(actions: Sequence[Action]) -> list[Binding]:
    taken = {key for action in actions for key in action.keys}
    return [
        Binding(with_cyrillic(action.keys, taken), action.screen_action, action.label, tooltip=action.help, show=False)
        for action in actions
    ]
