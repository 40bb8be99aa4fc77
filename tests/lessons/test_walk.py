"""Walking: forward, back, away and home again, always to exactly the same state."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.commands import PANES
from bpe_tui.lessons.lesson import Lesson
from bpe_tui.lessons.library import LessonEntry, entries
from bpe_tui.lessons.reading import read_lesson
from bpe_tui.lessons.results import Sentence, TextTable
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.board.arrangement import PANE_IDS
from tests.lessons.making import FRONT, commands, lesson

LONG = "\n---\n\n".join(
    [
        "Begin.\n",
        commands("step", "checkpoint one"),
        commands("count", "pick"),
        commands("step 2", "select p un", "encode thug"),
        commands("undo 2"),
        commands("choose p + ug", "ties lowest-id", "step"),
        commands("undo"),
        commands("back to one", "step", "count"),
        commands("open banana ties=greatest-pair merges=6", "goto 4"),
        commands("open hug merges=5", "step 2"),
        commands("open banana ties=greatest-pair merges=6", "step"),
        commands("back to one"),
    ]
)


def state(trainer: Trainer) -> dict[str, Any]:
    """All that can be seen of a trainer."""
    return {
        "log": [(made.merge, made.tied, made.own_choice, made.rule) for made in trainer.steps],
        "position": trainer.position,
        "phase": trainer.phase,
        "ties": trainer.options.ties,
        "pairs": trainer.pairs(0, 1000),
        "words": [trainer.word(index) for index in range(trainer.word_count)],
        "tokens": [trainer.token(token) for token in range(trainer.vocab_size)],
        "next": trainer.leader(),
    }


def walked(made: Lesson) -> list[dict[str, Any]]:
    walk = Walk(made)
    states = [state(walk.trainer)]
    while walk.can_next:
        walk.next()
        states.append(state(walk.trainer))
    return states


MADE = lesson(LONG)
STATES = walked(MADE)


def test_the_lesson_goes_where_it_says() -> None:
    assert [seen["position"] for seen in STATES] == [0, 1, 1, 3, 1, 3, 2, 2, 4, 2, 1, 1]
    assert [len(seen["log"]) for seen in STATES] == [0, 1, 1, 3, 3, 3, 3, 2, 4, 2, 1, 1]
    assert [str(seen["phase"]) for seen in STATES][:4] == ["ready", "merged", "picked", "merged"]
    assert STATES[5]["log"][1][2], "the pair chosen is no own choice"
    assert STATES[5]["ties"] == "lowest-id"
    assert STATES[11] == STATES[1]


@given(st.lists(st.integers(-1, len(STATES)), min_size=1, max_size=8))
def test_every_way_leads_to_the_same_states(pages: list[int]) -> None:
    walk = Walk(MADE)
    for page in pages:
        visit = walk.goto(page)
        where = min(max(page, 0), len(STATES) - 1)
        assert (walk.position, visit.page.number) == (where, where + 1)
        assert not walk.strayed
        assert state(walk.trainer) == STATES[where]


MOVES = st.sampled_from(["step", "undo", "redo", "phase", "phase back", "ties", "choose", "goto 0", "run"])


def wander(trainer: Trainer, move: str) -> None:
    if move == "step":
        trainer.step()
    elif move == "undo":
        trainer.undo()
    elif move == "redo":
        trainer.redo()
    elif move == "phase":
        trainer.step_phase()
    elif move == "phase back":
        trainer.step_phase_back()
    elif move == "ties":
        trainer.set_ties("shortest-first")
    elif move == "choose":
        rows = trainer.pairs(0, 3)
        if rows:
            trainer.choose(rows[-1].left_id, rows[-1].right_id)
    elif move == "goto 0":
        trainer.goto(0)
    else:
        trainer.run()


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.lists(MOVES, max_size=5), st.sampled_from(["next", "back", "return"])), min_size=1, max_size=6
    ),
    st.integers(0, len(STATES) - 1),
)
def test_wandering_off_and_coming_back(ways: list[tuple[list[str], str]], start: int) -> None:
    walk = Walk(MADE)
    walk.goto(start)
    for moves, way in ways:
        before = state(walk.trainer)
        for move in moves:
            wander(walk.trainer, move)
        after = state(walk.trainer)
        if any(before[what] != after[what] for what in ("position", "phase", "ties", "words")):
            assert walk.strayed
        {"next": walk.next, "back": walk.back, "return": walk.return_}[way]()
        assert not walk.strayed
        assert state(walk.trainer) == STATES[walk.position]


def test_the_ends() -> None:
    walk = Walk(MADE)
    assert (walk.can_back, walk.can_next) == (False, True)
    walk.back()
    assert walk.position == 0
    walk.goto(len(STATES))
    assert (walk.can_back, walk.can_next) == (True, False)
    walk.next()
    assert walk.position == len(STATES) - 1


def test_what_a_page_looks_at() -> None:
    walk = Walk(MADE)
    walk.goto(3)
    assert walk.selected == (walk.trainer.id_of("p"), walk.trainer.id_of("un"))
    assert (walk.visit.selected, walk.visit.text, walk.visit.unknown) == (("p", "un"), "thug", "token")
    walk.next()
    assert (walk.visit.selected, walk.visit.text) == (None, None)
    walk.back()
    assert walk.visit.text == "thug"


def test_which_panes_there_are() -> None:
    body = "Hi.\n\n---\n\n" + commands("panes pairs corpus") + "\n---\n\nHo.\n\n---\n\n" + commands("panes all", "step")
    walk = Walk(lesson(body + "\n---\n\n" + commands("panes none"), FRONT.replace("merges: 5", "panes: vocabulary")))
    assert [walk.visit.panes, *(walk.next().panes for _page in range(4))] == [
        ("vocabulary",),
        ("corpus", "pairs"),
        ("corpus", "pairs"),
        PANES,
        (),
    ]
    assert Walk(MADE).visit.panes is None
    assert PANES == PANE_IDS


def test_a_page_may_look_at_a_token() -> None:
    walk = Walk(lesson(commands("step", "select ug")))
    assert (walk.selected, walk.selected_token) == (None, walk.trainer.id_of("ug"))
    assert walk.results[1].outputs == (Sentence("ug: hug×10 + pug×5 + hugs×5 = 20"),)
    walk = Walk(lesson(commands("step 3", "select ug", "select xy", "select h")))
    assert [failure.sentence for failure in walk.visit.failures] == [
        "expected to select xy, but 'xy' is no token at this moment",
        "expected to select h, but this token does not occur in the corpus as it is split now",
    ]


def test_what_commands_show() -> None:
    walk = Walk(MADE)
    walk.goto(3)
    table, selected, encoded = (result.outputs[0] for result in walk.results)
    assert isinstance(table, TextTable)
    assert [row[:4] for row in table.rows] == [("2", "u + n", "un", "16"), ("3", "h + ug", "hug", "15")]
    assert selected == Sentence("p + un: pun×12 = 12")
    assert encoded == Sentence("thug → [UNK] hug")


def test_more_merges_than_anybody_reads_are_one_sentence() -> None:
    walk = Walk(lesson(commands("open course-en", "goto 21", "undo 3")))
    assert [result.outputs[0] for result in walk.results][1:] == [
        Sentence("Made the merges 1 to 21."),
        Sentence("Back at the moment after merge 18."),
    ]


QUESTIONS = """\
```ask
What is next?
answer: next
explain: It is **the** one.
```

---

```bpe
goto 4
```

```ask
And now?
answer: next
```

---

```ask
How is thug cut?
- `t hug`
- `[UNK] hug`
answer: tokens thug
```

---

```ask
How many tokens?
answer: vocabulary
```

---

```ask
Which one?
- [x] this
- [ ] that
```

---

```ask
What stands for a space?
accept: Ġ | G with a dot
```
"""


def test_questions() -> None:
    walk = Walk(lesson(QUESTIONS))
    for right in ("u + g", "u g", "u+g", "ug", " u  g "):
        verdict = walk.answer(right)
        assert verdict is not None
        assert verdict.is_right, right
        assert verdict.sentence == "Right: u + g."
        assert len(verdict.explanation) == 1
    wrong, again = walk.answer("u + n"), walk.answer("p + u")
    assert wrong is not None
    assert again is not None
    assert (wrong.is_right, again.is_right) == (False, False)
    assert wrong.sentence == "Not yet: try once more."
    assert again.sentence == "Not quite: the answer is u + g."
    assert walk.verdict == again

    walk.next()
    assert walk.verdict != wrong
    winner, tied, wrong = (walk.answer(answer) for answer in ("p ug", "hug s", "b un"))
    assert winner is not None
    assert tied is not None
    assert wrong is not None
    assert (winner.is_right, tied.is_right, wrong.is_right) == (True, True, False)
    assert winner.sentence == "Right: p + ug."
    assert tied.sentence == (
        "Right, a tie: 2 pairs occur 5 times each. first-seen takes p + ug, because it comes first in the corpus."
    )

    for answers in (
        [("t hug", False), ("[UNK] hug", True), ("[UNK]·hug", True)],
        [("11", True), ("12", False), ("", False)],
        [("this", True), ("that", False), ("those", False)],
        [("ġ", True), ("G with a  dot.", True), ("_", False)],
    ):
        walk.next()
        for answer, is_right in answers:
            verdict = walk.answer(answer)
            assert verdict is not None
            assert verdict.is_right is is_right, answer


def test_a_page_without_a_question_takes_no_answer() -> None:
    walk = Walk(MADE)
    assert walk.answer("u + g") is None
    assert walk.answers == {}


def test_progress_is_remembered() -> None:
    made = lesson(QUESTIONS)
    walk = Walk(made)
    walk.answer("u + n")
    walk.answer("u + g")
    walk.goto(2)
    walk.answer("[UNK] hug")
    other = Walk(made)
    other.resume(walk.progress)
    assert other.position == 2
    assert other.verdict == walk.verdict
    assert other.verdict is not None
    assert (
        other.progress
        == walk.progress
        == {
            "page": 2,
            "answers": {"0": ["u + n", "u + g"], "2": ["[UNK] hug"]},
            "outcomes": {"0": "second-try", "2": "first-try"},
        }
    )


def test_answers_remembered_as_single_texts_are_still_known() -> None:
    walk = Walk(lesson(QUESTIONS))
    walk.resume({"page": 1, "answers": {"0": "u + n", "1": ["b un", 3], "2": []}})
    assert (walk.position, walk.answers) == (1, {0: ["u + n"]})


@given(
    st.dictionaries(
        st.sampled_from(["page", "answers", "x"]),
        st.none() | st.integers() | st.text() | st.dictionaries(st.text() | st.integers(), st.text() | st.none()),
    )
)
def test_progress_that_makes_no_sense_is_left_out(progress: dict[str, Any]) -> None:
    walk = Walk(MADE)
    walk.resume(progress)
    assert 0 <= walk.position < len(STATES)
    assert all(0 <= page < len(STATES) for page in walk.answers)


@pytest.mark.parametrize("entry", entries("en"), ids=lambda entry: entry.slug)
def test_bundled_lessons_are_the_same_forward_and_back(entry: LessonEntry) -> None:
    walk = Walk(read_lesson(entry.file))

    def seen() -> tuple[object, ...]:
        trainer = walk.trainer
        step = trainer.last_step
        return walk.corpus.name, trainer.state, trainer.total_tokens, trainer.vocab_size, trainer.options, step

    forward = [seen()]
    while walk.can_next:
        walk.next()
        forward.append(seen())
    back = [seen()]
    while walk.can_back:
        walk.back()
        back.append(seen())
    assert back[::-1] == forward
