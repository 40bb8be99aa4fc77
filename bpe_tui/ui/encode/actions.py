"""What the keys of the encode screen do, in the same form as the program's table of actions."""

from __future__ import annotations

from typing import Final

from bpe_tui.core.i18n import mark
from bpe_tui.ui.actions import LEAVE_PROGRAM, SORTING, Action, Group, first_key, in_table

ENCODE: Final = "encode"
VOCABULARY: Final = "vocabulary"
"""Names of tables of keys."""
ENCODE_ACTIONS: Final[tuple[Action, ...]] = in_table(
    ENCODE,
    Action("step(1)", ("space", "n"), "step", "One merge of the replay forward", Group.STEP, footer=100, name="step"),
    Action("step(-1)", ("u", "b"), "back", "One merge of the replay back", Group.STEP, footer=95, name="undo"),
    Action("step(10)", ("N",), "ten", "Ten merges of the replay forward", Group.STEP, name="step_ten"),
    Action("step(-10)", ("U",), "ten back", "Ten merges of the replay back", Group.STEP, name="undo_ten"),
    Action("play", ("p",), "play", "Play the replay, or pause", Group.STEP, footer=45),
    Action("speed(1)", ("plus", "equals_sign"), "faster", "Play faster", Group.STEP, shown="+", name="faster"),
    Action("speed(-1)", ("minus",), "slower", "Play slower", Group.STEP, shown="-", name="slower"),
    Action("step_to(True)", ("f",), "finish", "The replay to its end", Group.STEP, footer=50, name="run"),
    Action(
        "step_to(False)",
        ("r",),
        "start",
        "The replay to its start: single symbols",
        Group.STEP,
        footer=60,
        name="reset",
    ),
    Action(
        "scope", ("v",), "word/text", "Replay one word, or the whole text", Group.STEP, footer=65, name="word_or_text"
    ),
    Action(
        "moment(-1)",
        ("left_square_bracket",),
        "unlearn",
        "One merge of training back",
        Group.STEP,
        shown="[",
        name="unlearn",
    ),
    Action(
        "moment(1)",
        ("right_square_bracket",),
        "learn",
        "One merge of training forward",
        Group.STEP,
        shown="]",
        name="learn",
    ),
    Action("go_to", ("g",), "go to", "Go to a merge of training by its number", Group.STEP, footer=55),
    Action("encode", ("e",), "type", "To the text", Group.ASK, footer=90),
    Action(
        "token_style",
        ("G",),
        "␣/Ġ",
        "How tokens are shown: as text, as in files with Ġ for a space, or with blanks",
        Group.ASK,
        footer=33,
    ),
    Action("policy", ("k",), "unknown", "Treat unknown symbols another way", Group.ASK, footer=70, name="unknown"),
    Action("special", ("a",), "special", "Special tokens in the text: plain text, or themselves", Group.ASK),
    Action("compare", ("x",), "compare", "Another tokenizer beside this one: where they differ", Group.ASK, footer=62),
    Action("end_comparing", ("X",), "end comparing", "End the comparison", Group.ASK),
    Action(
        "dropout",
        ("d",),
        "dropout",
        "Leave merges out at random (BPE-dropout): off, 0.1, 0.3, 0.5",
        Group.ASK,
        footer=40,
    ),
    Action("seed", ("D",), "seed", "Leave out other merges: another seed of the dropout", Group.ASK),
    Action("vocabulary", ("V",), "vocabulary", "The vocabulary and the merges, as lists", Group.ASK, footer=57),
    Action("copy_ids", ("c",), "copy ids", "Copy the ids of all tokens", Group.ASK, footer=68),
    Action("pane(1)", ("tab",), "next pane", "Next pane", Group.MOVE),
    Action("pane(-1)", ("shift+tab",), "pane before", "Pane before", Group.MOVE),
    Action("go_pane(1)", ("1",), "text", "To the pane Text", Group.MOVE),
    Action("go_pane(2)", ("2",), "tokens", "To the pane Tokens", Group.MOVE),
    Action("go_pane(3)", ("3",), "replay", "To the pane Replay", Group.MOVE),
    Action("go_pane(4)", ("4",), "why not one token?", "To the pane Why not one token?", Group.MOVE),
    Action("go_pane(5)", ("5",), "unknown symbols", "To the pane Unknown symbols", Group.MOVE),
    Action("go_pane(6)", ("6",), "timeline", "To the timeline: step through training", Group.MOVE),
    Action("zoom", ("z",), "zoom", "Zoom the focused pane, and back", Group.MOVE, footer=30),
    Action("leave", ("escape",), "done", "Leave the text, the zoom, the screen", Group.MOVE, footer=85),
    Action("open", ("o",), "open text", "Encode a file", Group.PROGRAM, footer=58),
    Action(
        "open_under",
        ("O",),
        "go on",
        "Open a corpus under this tokenizer: its merges first, then new ones",
        Group.PROGRAM,
        footer=57,
    ),
    Action("write", ("w",), "write", "Write the tokenizer of this moment, or a picture", Group.PROGRAM, footer=25),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=80),
)
"""All actions, in the order in which footer and help list them."""


def encode_key(setting: str) -> str:
    """The key of an action for a sentence, by its name in the settings."""
    return first_key(setting, ENCODE_ACTIONS)


TYPING: Final[tuple[Action, ...]] = (
    Action("leave", ("escape",), "to the keys", "Leave the text", Group.MOVE, footer=100),
    Action("pane(1)", ("tab",), "next pane", "Next pane", Group.MOVE, footer=90),
    LEAVE_PROGRAM,
)
"""What the last line offers while a text is typed."""

_OF_THE_REPLAY: Final = {"play", "scope", "step(1)", "step(-1)", "step_to(True)", "step_to(False)"}
"""What the last line offers of the replay, by id."""
COMPARING: Final[tuple[Action, ...]] = in_table(
    ENCODE,
    Action("step(1)", ("space", "n"), "next difference", "To the next difference", Group.STEP, footer=100, name="step"),
    Action("step(-1)", ("u", "b"), "back", "To the difference before", Group.STEP, footer=95, name="undo"),
    Action("end_comparing", ("X",), "end comparing", "End the comparison", Group.ASK, footer=92),
    *(action for action in ENCODE_ACTIONS if action.id not in _OF_THE_REPLAY and action.id != "end_comparing"),
)
"""What the last line offers while two tokenizers are side by side."""

VOCABULARY_ACTIONS: Final[tuple[Action, ...]] = in_table(
    VOCABULARY,
    Action("go", ("enter",), "go to its merge", "Go to the moment after the merge of this row", Group.STEP, footer=80),
    Action("filter", ("slash",), "filter", "Show only the rows that hold a text", Group.ASK, footer=75),
    *SORTING,
    Action("pane(1)", ("tab",), "next pane", "Next pane", Group.MOVE, footer=70),
    Action("pane(-1)", ("shift+tab",), "pane before", "Pane before", Group.MOVE),
    Action("go_pane(1)", ("1",), "vocabulary", "To the Vocabulary pane", Group.MOVE),
    Action("go_pane(2)", ("2",), "merges", "To the Merges pane", Group.MOVE),
    Action("leave", ("escape",), "back", "Leave the filter, the screen", Group.MOVE, footer=90),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=85),
)
"""All actions of the lists of tokens and merges."""

INTRODUCTION: Final = mark(
    "Any text falls into the tokens learned so far. First it is cut into words and symbols, then the merges fire in "
    "the order in which they were learned. Move the timeline, and the same text falls apart in another way."
)
EXPLANATIONS: Final = (
    (mark("Text"), mark("Type or paste; nothing is changed, and what cannot be seen has a sign of its own.")),
    (mark("Tokens"), mark("One chip a token, its id below. ⟦ ⟧ is a symbol that the alphabet does not have.")),
    (
        mark("Replay"),
        mark(
            "The merges that fired, in order, in the selected word or in the whole text. Each press of {step} is one."
        ),
    ),
    (
        mark("Why not one token?"),
        mark("What is known of the selected token, and the first merge missing in its word."),
    ),
    (
        mark("Side by side"),
        mark(
            "With {compare}: the same text in the tokens of two tokenizers, aligned by characters. ┃ frames what "
            "differs, and the list below explains why."
        ),
    ),
    (mark("Unknown symbols"), mark("Five ways to treat what is not in the alphabet, side by side. Enter uses one.")),
    (
        mark("Timeline"),
        mark("All merges of training on one line. Click or drag to go anywhere. On it the keys of the replay move it."),
    ),
)
