"""Every action of the program, declared once: bindings, footer, command palette and help all read this table.

On a Cyrillic layout each key does what the Latin key at the same place does: see `CYRILLIC`. Users may give actions
other keys: `use_keys` says which, all that names a key asks the action for it, and `ui/keymap.py` gives the same keys
to Textual.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from textual.binding import Binding
from textual.keys import key_to_character

from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.cyrillic import CYRILLIC


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
    """Its usual keys in Textual's names; the first is the one the footer shows."""
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
    name: str = ""
    """Name in the settings; by default the id. Actions of the same name on several screens get the same keys."""
    table: str = ""
    """The table of keys it is in, by the name of its screen; empty where keys cannot be changed, as in dialogs."""
    yields_to: tuple[Action, ...] = ()
    """Actions to which it leaves the keys that both have."""

    @property
    def setting(self) -> str:
        """Its name in the settings; empty if its keys cannot be changed."""
        name = self.name or self.id
        return name if self.table and self.keys[:1] and self.keys[0] not in FIXED and name.isidentifier() else ""

    @property
    def binding_id(self) -> str | None:
        """By what Textual's keymap calls its bindings; None if its keys cannot be changed."""
        return f"{self.table}.{self.setting}" if self.setting else None

    @property
    def keys_now(self) -> tuple[str, ...]:
        """Its keys: those that the user gave it, else the usual ones."""
        if not _users_keys:
            return self.keys
        yielded = [key for action in self.yields_to for key in action.keys_now]
        return tuple(key for key in _users_keys.get(self.setting, self.keys) if key not in yielded)

    @property
    def key_text(self) -> str:
        """All keys as people write them: `space, n`."""
        keys = self.keys_now
        return self.shown if self.shown and keys == self.keys else ", ".join(key_name(key) for key in keys)

    @property
    def is_typed(self) -> bool:
        """Would its first key type a character, while an input has the focus?"""
        return "+" not in self.keys[0] and self.keys[0] not in _CONTROL

    @property
    def bound_keys(self) -> list[str]:
        """Its keys and those at the same places of a Cyrillic layout."""
        return with_cyrillic(self.keys_now).split(",")

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
        return key_name(next(iter(self.keys_now), ""))


_users_keys: Mapping[str, tuple[str, ...]] = {}
"""The keys that the user gave to actions, by their names in the settings."""


def use_keys(keys: Mapping[str, tuple[str, ...]]) -> None:
    """From now on these actions have these keys, by their names in the settings; all others have their usual ones."""
    global _users_keys  # noqa: PLW0603 - one program has one keyboard
    _users_keys = dict(keys)


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
FIXED: Final = frozenset((*_CONTROL, "shift+tab", "ctrl+q", *"0123456")) - {"left", "right"}
"""Keys that mean the same everywhere: an action whose first key is one of them keeps it."""


def key_name(key: str) -> str:
    """Textual's name of a key as people write it."""
    modifiers, plus, last = key.rpartition("+")
    if plus and key not in _NAMES:
        return f"{modifiers}+{key_name(last)}"
    character = key_to_character(key) if len(key) > 1 else None
    return _(_NAMES.get(key) or (character if character is not None and character.isprintable() else key))


def at_start(key: str) -> str:
    """The name of a key as a sentence begins with it: `Space`, but `q`."""
    return key if len(key) == 1 else key[:1].upper() + key[1:]


def in_table(table: str, *actions: Action) -> tuple[Action, ...]:
    """The actions as those of a screen whose keys can be changed; what is in another table stays there."""
    return tuple(action if action.table else replace(action, table=table) for action in actions)


APP: Final = "app"
TRAIN: Final = "train"
"""Names of tables of keys."""
SORTING: Final[tuple[Action, ...]] = (
    Action("sort", ("i",), "sort", "Sort the list by its next column, and at last by none", Group.ASK, footer=31),
    Action("reverse", ("I",), "reverse", "The order of the list the other way round", Group.ASK),
)
"""What a screen offers for lists that can be sorted; so does a click on the head of a column."""
PROGRAM_ACTIONS: Final = in_table(
    APP, Action("quit", ("q",), "quit", "Leave the program", Group.PROGRAM, Scope.APP, footer=85)
)
"""What works on every screen."""

ACTIONS: Final[tuple[Action, ...]] = in_table(
    TRAIN,
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

MOVING: Final[tuple[Action, ...]] = in_table(
    TRAIN,
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
_IN_TURN: Final = in_table(
    TRAIN,
    Action("undo", ("u",), "back", "One merge back", Group.STEP, Scope.BOARD, footer=80),
    Action("filter", ("slash",), "filter", "Show only the rows that hold a text", Group.ASK, Scope.BOARD, footer=60),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=70),
    *(replace(action, footer=65) for action in PROGRAM_ACTIONS),
)
ASKING: Final = in_table(
    TRAIN,
    Action(
        "guess", ("enter",), "choose this pair", "Guess the pair under the cursor", Group.ASK, Scope.BOARD, footer=100
    ),
    Action("step", ("space",), "show me", "Show the answer", Group.STEP, Scope.BOARD, footer=85),
    _END_TURN,
    *_IN_TURN,
)
"""What the last line offers while the question of a turn is open."""
ANSWERED: Final = in_table(
    TRAIN,
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


def first_key(setting: str, actions: Iterable[Action] = ACTIONS) -> str:
    """The key of an action for a sentence, by its name in the settings."""
    return next(action.first_key for action in actions if action.setting == setting)


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
        Binding(
            with_cyrillic(action.keys, taken),
            action.screen_action,
            action.label,
            tooltip=action.help,
            show=False,
            id=action.binding_id,
        )
        for action in actions
    ]


def keymap(actions: Sequence[Action]) -> dict[str, str]:
    """For Textual: the keys of those of a screen's actions that have not their usual ones, by the ids of bindings."""
    taken = {key for action in actions for key in action.keys_now}
    return {
        action.binding_id: with_cyrillic(action.keys_now, taken)
        for action in actions
        if action.binding_id is not None and action.keys_now != action.keys
    }
