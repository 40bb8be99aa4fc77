"""Every action of the program, declared once: bindings, footer, command palette and help all read this table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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


class Place(StrEnum):
    """Where an action works."""

    ALL = "all"
    """On every screen: the program itself does it."""
    SCREEN = "screen"
    """On the screen in whose table it stands."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the learner can do."""

    id: str
    """Name of the `action_…` method, parameters included (`go_pane(1)`)."""
    keys: tuple[str, ...]
    """Keys in Textual's names; the first is the one the footer shows."""
    label: str
    """A word or two, for the footer; like `help` translated where it is shown."""
    help: str
    """What it does, as a phrase that needs no context."""
    group: Group
    place: Place = Place.SCREEN
    shown: str = ""
    """How the keys are written for people; by default made from `keys`."""
    footer: int = 0
    """Importance in the footer: higher stays longer when room is short, 0 is never there."""

    @property
    def key_text(self) -> str:
        """All keys as people write them: `space, n`."""
        return self.shown or ", ".join(key_name(key) for key in self.keys)

    @property
    def target(self) -> str:
        """The action for `run_action`, with the one who implements it."""
        return f"{'app' if self.place is Place.ALL else 'screen'}.{self.id}"

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


def key_name(key: str) -> str:
    """Textual's name of a key as people write it."""
    return _(_NAMES.get(key, key))


PROGRAM_ACTIONS: Final = (Action("quit", ("q",), "quit", "Leave the program", Group.PROGRAM, Place.ALL, footer=85),)
"""What works on every screen."""

ACTIONS: Final[tuple[Action, ...]] = (
    Action("step", ("space", "n"), "step", "One merge forward", Group.STEP, footer=100),
    Action("undo", ("u", "b"), "back", "One merge back", Group.STEP, footer=95),
    Action("phase", ("s",), "phase", "One phase forward: count, pick, merge", Group.STEP, footer=80),
    Action("phase_back", ("S",), "phase back", "One phase back", Group.STEP),
    Action("step_ten", ("N",), "ten", "Ten merges forward", Group.STEP, footer=40),
    Action("undo_ten", ("U",), "ten back", "Ten merges back", Group.STEP),
    Action("play", ("p",), "play", "Play, one merge after another, or pause", Group.STEP, footer=45),
    Action("faster", ("plus", "equals_sign"), "faster", "Play faster", Group.STEP, shown="+"),
    Action("slower", ("minus",), "slower", "Play slower", Group.STEP, shown="-"),
    Action("go_to", ("g",), "go to", "Go to a merge by its number", Group.STEP, footer=70),
    Action("run", ("f",), "finish", "Run to the target", Group.STEP, footer=50),
    Action("reset", ("r",), "restart", "Back to the start, before any merge", Group.STEP, footer=48),
    Action("ties", ("t",), "ties", "Tie rules: who wins under each, where they part, and change", Group.ASK, footer=65),
    Action("turn", ("y",), "your turn", "Your turn: guess the next merge, then see", Group.ASK, footer=62),
    Action("encode", ("e",), "encode", "Type a text and see its tokens", Group.ASK, footer=75),
    Action(
        "encode_screen",
        ("E",),
        "encode screen",
        "Tokens, ids and the merges that fire, on a screen of their own",
        Group.ASK,
    ),
    Action("filter", ("slash",), "filter", "Show only the rows that hold a text", Group.ASK, footer=35),
    Action("pane(1)", ("tab",), "next pane", "Next pane", Group.MOVE),
    Action("pane(-1)", ("shift+tab",), "pane before", "Pane before", Group.MOVE),
    Action("go_pane(1)", ("1",), "corpus", "To the Corpus pane", Group.MOVE),
    Action("go_pane(2)", ("2",), "pairs", "To the Pairs pane", Group.MOVE),
    Action("go_pane(3)", ("3",), "vocabulary", "To the Vocabulary pane", Group.MOVE),
    Action("go_pane(4)", ("4",), "merges", "To the Merges pane", Group.MOVE),
    Action("go_pane(5)", ("5",), "algorithm", "To the Algorithm pane", Group.MOVE),
    Action("go_pane(6)", ("6",), "curve", "To the Curve pane", Group.MOVE),
    Action("zoom", ("z",), "zoom", "Zoom the focused pane, and back", Group.MOVE, footer=30),
    Action("leave", ("escape",), "back", "Leave the input, the filter, the zoom; stop a run", Group.MOVE),
    Action("open", ("o",), "open", "Open a corpus: bundled, a text, a word-count table", Group.PROGRAM, footer=72),
    Action("lessons", ("L",), "lessons", "Lessons: walkthroughs with questions, one chapter each", Group.PROGRAM),
    Action("write", ("w",), "write", "Write the tokenizer of this moment, or a picture", Group.PROGRAM, footer=25),
    Action("resume", ("R",), "go on", "Go on with the session that was kept of this corpus", Group.PROGRAM),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=90),
    *PROGRAM_ACTIONS,
)
"""All actions of the train screen, in the order in which help and footer list them."""

MOVING: Final[tuple[Action, ...]] = (
    Action("leave", ("escape",), "stop", "Stop here", Group.STEP, footer=100),
    Action("faster", ("plus",), "faster", "Play faster", Group.STEP, footer=70),
    Action("slower", ("minus",), "slower", "Play slower", Group.STEP, footer=65),
    Action("step", ("space",), "stop and step", "Stop, and one merge forward", Group.STEP, footer=60),
    Action("undo", ("u",), "stop and back", "Stop, and one merge back", Group.STEP, footer=55),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=80),
    *PROGRAM_ACTIONS,
)
"""What the last line offers while merges go by themselves."""


def bindings(actions: Iterable[Action], place: Place = Place.SCREEN) -> list[Binding]:
    """Bindings for the class that implements the actions of `place`."""
    return [
        Binding(",".join(action.keys), action.id, action.label, tooltip=action.help, show=False)
        for action in actions
        if action.place is place
    ]
