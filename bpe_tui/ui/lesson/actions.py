"""What can be done in a lesson, beside all that can be done on the train screen."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bpe_tui.ui.actions import ACTIONS, LEAVE_PROGRAM, TRAIN, Action, Group, in_table

LESSON: Final = "lesson"
"""Name of a table of keys."""
NEXT, BEFORE, RETURN = in_table(
    LESSON,
    Action("next_page", ("right", "full_stop"), "next", "Next page", Group.LESSON, footer=120),
    Action("page_before", ("left", "comma"), "before", "Page before", Group.LESSON, footer=115),
    Action(
        "return", ("l",), "back to the lesson", "Back to where the lesson is, after you went elsewhere", Group.LESSON
    ),
)
ANSWER: Final = Action("answer", ("enter",), "answer", "Read on; answer with the marked choice, or type", Group.LESSON)
READ: Final = Action("answer", ("enter",), "read on", "See what is below", Group.LESSON, footer=125)
"""What the same key does while there is more of the page below."""
NEXT_LESSON: Final = Action(
    "answer", ("enter",), "next lesson", "Open the lesson after this one", Group.LESSON, footer=125
)
LIST_LESSONS: Final = Action("answer", ("enter",), "lessons", "Choose a lesson", Group.LESSON, footer=125)
"""What it does on the last page: the latter after the last lesson, and after one of the learner's own."""
LETTERS: Final = "ABCD"
"""Keys of the first choices."""
CHOICES: Final = tuple(
    Action(f"choice({place})", (letter,), "answer", "Answer with this choice", Group.LESSON)
    for place, letter in enumerate(LETTERS)
)
HINT, NOTES, NARRATION, RESUME, LEAVE = in_table(
    LESSON,
    Action("hint", ("h",), "hint", "A hint for the question", Group.LESSON),
    Action("notes", ("c",), "notes", "Show the presenter's notes, or hide them", Group.LESSON),
    Action("narration", ("0",), "narration", "To the narration", Group.LESSON),
    Action("resume", ("R",), "resume", "Resume at the page that you had reached", Group.LESSON),
    Action("leave_lesson", ("x",), "leave", "Leave the lesson, and train on freely", Group.LESSON),
)

TYPING: Final = (
    replace(ANSWER, footer=125),
    NEXT,
    BEFORE,
    Action("leave", ("escape",), "keys", "From the answer back to the keys", Group.LESSON, footer=110),
    LEAVE_PROGRAM,
)
"""What matters while an answer is typed."""

LESSON_ACTIONS: Final = (NEXT, BEFORE, RETURN, ANSWER, *CHOICES, HINT, NOTES, NARRATION, RESUME, LEAVE)
"""What a lesson adds."""
_TURNED: Final = frozenset((*NEXT.keys, *BEFORE.keys))
"""Keys that turn pages, whatever they do on the train screen."""
_NOT_IN_LESSONS: Final = frozenset(("resume", "challenges", "open_under"))
"""Ids of what the train screen offers and a lesson does not, or does in its own way."""
ALL: Final = (
    *LESSON_ACTIONS,
    *(
        replace(
            action,
            keys=tuple(key for key in action.keys if key not in _TURNED),
            table=action.table.replace(TRAIN, LESSON),
            yields_to=(NEXT, BEFORE),
        )
        for action in ACTIONS
        if action.id not in _NOT_IN_LESSONS
    ),
)
"""All actions of the lesson screen."""


def footer(
    *,
    narrating: bool,
    reading: bool,
    strayed: bool,
    asking: bool,
    ending: bool,
    has_next: bool,
    has_hint: bool,
    has_notes: bool,
    offered: bool,
) -> tuple[Action, ...]:
    """The actions as the last line weighs them now."""
    weights = {
        RETURN.id: 130 if strayed else 0,
        ANSWER.id: 125 if asking and narrating else 0,
        NEXT.id: 0 if ending else NEXT.footer,
        HINT.id: 110 if asking and has_hint else 0,
        NOTES.id: 60 if has_notes else 0,
        NARRATION.id: 0 if narrating else 105,
        RESUME.id: 112 if offered else 0,
        LEAVE.id: 55,
    }
    enter = replace(ANSWER, footer=weights[ANSWER.id])
    if narrating and reading:
        enter = READ
    elif ending:
        enter = NEXT_LESSON if has_next else LIST_LESSONS
    return tuple(
        enter if action is ANSWER else replace(action, footer=weights.get(action.id, action.footer)) for action in ALL
    )
