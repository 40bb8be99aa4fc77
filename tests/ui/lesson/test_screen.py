"""The lesson screen: pages drive the trainer, questions are judged, the learner may wander and come back."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from textual import events

from bpe_tui.core import runtime as policy
from bpe_tui.lessons.library import entries, find
from bpe_tui.lessons.outcomes import Outcome
from bpe_tui.lessons.reading import parse_lesson, read_lesson
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.board.arrangement import PANE_IDS
from bpe_tui.ui.lesson.actions import LESSON_ACTIONS
from bpe_tui.ui.lesson.choice_line import ChoiceLine
from bpe_tui.ui.lesson.question import LessonQuestion
from bpe_tui.ui.session import lesson_progress
from bpe_tui.ui.train.screen import TrainScreen
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.lessons.making import lesson
from tests.ui.lessons import everything, file_with, lesson_app, lesson_screen, told, tour
from tests.ui.running import focused, make_app, press, screen_name, text_of, type_text


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Progress is kept in a folder of the test's own."""
    folder = tmp_path / "state"
    monkeypatch.setattr("bpe_tui.ui.session.lesson_progress.state_folder", lambda: folder)
    return folder


def files_in(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


@pytest.mark.parametrize("size", [(40, 12), (120, 40)])
async def test_pages_drive_the_trainer_forward_and_back(size: tuple[int, int]) -> None:
    app = lesson_app(tour())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = lesson_screen(app)
        assert told(app) == "Read this, and that: h u g."
        await press(pilot, "right")
        assert "• one letter, one token" in told(app)
        assert "→ see Vocabulary (3)" in told(app)
        if size[0] > 40:
            assert screen.board.vocabulary.display
        await press(pilot, "full_stop", "right")
        assert screen.board.status.text == "merge 1/3  vocab 8  merged"
        assert screen.board.encode_line.input.value == "thug"
        assert "› Merged u + g → ug" in told(app)
        await press(pilot, "right")
        session = screen.board.session
        assert session is not None
        assert session.corpus.name == "banana"
        assert "✗ Line 5" in told(app)
        assert "expected merges: 7" in told(app)
        assert "C3 A9" in told(app)
        await press(pilot, "right")
        assert "page 5 of 5" in str(screen.narration.border_subtitle)
        await press(pilot, "comma", "left")
        assert screen.board.status.text == "merge 0/3  vocab 7  ready"
        assert screen.board.encode_line.input.value == ""
        await press(pilot, "left", "left", "left")
        assert screen.walk.position == 0


async def test_the_learner_may_wander_off_and_come_back() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = lesson_screen(app)
        await press(pilot, "right")
        assert "wandered off" not in everything(app)
        await press(pilot, "2", "down", "enter")
        assert "wandered off" in everything(app)
        assert "l back to the lesson" in everything(app)
        await press(pilot, "l")
        assert "wandered off" not in everything(app)
        assert screen.board.status.text == "merge 0/3  vocab 7  ready"
        assert focused(app) == "narration"
        await press(pilot, "space")
        await pilot.click("#strayed")
        await pilot.pause()
        assert screen.board.status.text == "merge 0/3  vocab 7  ready"


async def test_the_next_merge_is_hidden_until_it_is_answered_in_words() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "right", "right")
        shown = everything(app)
        for sign in ("▸1", "= 20", "→ ug", "u+g", "█"):
            assert sign not in shown
        await press(pilot, "escape", "y", "t", "E")
        assert screen_name(app) == "LessonScreen"
        assert "Look at" not in told(app)
        await press(pilot, "h")
        assert "Look at hug." in told(app)
        await type_text(pilot, "h u")
        await press(pilot, "enter")
        assert "✗ Not yet: try once more." in told(app)
        assert "▸1 u + g" not in everything(app)
        await type_text(pilot, "p u")
        await press(pilot, "enter")
        evidence = "› u + g: hug×10 + pug×5 + hugs×5 = 20"
        assert f"✗ Not quite: the answer is u + g. {evidence} It stands in three words." in told(app)
        assert focused(app) == "narration"
        assert "▸1 u + g" in everything(app)
        await press(pilot, "right", "left")
        assert "Not quite" in told(app)


async def test_the_next_merge_is_answered_in_the_pairs_pane() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "right", "right", "escape", "2", *["down"] * 4)
        screen = lesson_screen(app)
        assert isinstance(screen.board.mode, LessonQuestion)
        await press(pilot, "enter")
        assert "✓ Right: u + g." in told(app)
        assert screen.board.status.text == "merge 0/3  vocab 7  ready"
        assert screen.board.revealed.counts


async def test_who_merges_instead_of_guessing_sees_all_until_coming_back() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "right", "right", "escape", "space")
        screen = lesson_screen(app)
        assert screen.board.status.text == "merge 1/3  vocab 8  merged"
        assert screen.board.revealed.counts
        await press(pilot, "l")
        assert isinstance(screen.board.mode, LessonQuestion)


@pytest.mark.parametrize(("keys", "sign"), [(["A"], "✗ A h"), (["down", "enter"], "✓ B ug")])
async def test_choices_are_made_by_letter_or_arrows(keys: list[str], sign: str) -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, *["right"] * 3, *keys)
        assert sign in told(app)
        assert ("Right: ug." in told(app)) == (sign == "✓ B ug")
        await press(pilot, "A")
        assert sign in told(app)


async def test_a_choice_can_be_clicked_and_notes_are_the_presenters() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Wait for" not in told(app)
        await press(pilot, "c")
        assert "Presenter's note █ Wait for the last people." in told(app)
        await press(pilot, "c", *["right"] * 3)
        assert "Wait for" not in told(app)
        lines = list(lesson_screen(app).narration.query(ChoiceLine))
        await pilot.click(lines[1], offset=(3, 0))
        await pilot.pause()
        assert "✓ B ug" in told(app)


async def test_progress_is_kept_and_offered(tmp_path: Path) -> None:
    path = file_with(tmp_path)
    app = lesson_app(path, saves=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, *["right"] * 3, "B", "left")
    app = lesson_app(path, saves=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = lesson_screen(app)
        assert screen.walk.position == 0
        assert "R resume" in everything(app)
        await press(pilot, "R")
        assert screen.walk.position == 3
        assert "✓ B ug" in told(app)
        assert "R resume" not in everything(app)


@pytest.mark.parametrize(
    "data", [b'{"furthest": "x", "answers": [1], "outcomes": {"1": []}}', b"\xff{", b"[]", b"[" * 9999]
)
def test_spoiled_progress_is_none(tmp_path: Path, state: Path, data: bytes) -> None:
    lesson = read_lesson(file_with(tmp_path))
    reached = lesson_progress.LessonProgress(3, {"1": ["u + g"]}, {"1": Outcome.SECOND_TRY})
    lesson_progress.save(lesson.path, reached)
    assert lesson_progress.load(lesson.path) == reached
    (kept,) = (state / "lessons").iterdir()
    kept.write_bytes(data)
    assert lesson_progress.load(lesson.path) == lesson_progress.LessonProgress()


async def test_served_progress_is_not_kept(tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_policy", policy.Policy(is_served=True))
    app = lesson_app(file_with(tmp_path), saves=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "right", "right")
    assert files_in(state) == []


async def test_a_lesson_is_opened_from_the_list_and_left_again() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "space", "L", "enter")
        assert screen_name(app) == "LessonScreen"
        await press(pilot, "right", "x")
        assert screen_name(app) == "TrainScreen"
        assert "merge 1/3" in everything(app)
        await press(pilot, "o", "L")
        assert screen_name(app) == "LessonsScreen"
        assert "13 min" in text_of(app.screen.query_one(VirtualList))
        await press(pilot, "escape")
        assert screen_name(app) == "TrainScreen"


async def test_leaving_a_lesson_trains_on_at_its_moment_or_opens_what_was_chosen() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, *["right"] * 3, "x", "space")
        assert isinstance(app.screen, TrainScreen)
        assert app.screen.board.status.text == "merge 2/3  vocab 9  merged"
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "o", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert type(app.screen) is TrainScreen
        assert app.screen.board.session is not None


async def test_panes_and_narration_are_walked_through_and_zoomed() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "tab")
        assert focused(app) == "corpus"
        await press(pilot, "shift+tab", "shift+tab")
        assert focused(app) == "curve"
        await press(pilot, "tab", "z")
        screen = lesson_screen(app)
        assert (screen.beside.display, screen.board.panes.display) == (True, False)
        await press(pilot, "escape", "2", "z")
        assert (screen.beside.display, screen.board.panes.display) == (False, True)
        await press(pilot, "z", "0")
        assert (screen.beside.display, screen.board.panes.display) == (True, True)


async def test_hostile_prose_is_shown_and_not_obeyed() -> None:
    lesson = tour("Read *this*", "[/] [b]x[/b] \x1b[31m `a\u202eb` *[A]*")
    app = lesson_app(lesson)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "[/] [b]x[/b] ␛[31m a⟨202e⟩b [A]" in told(app)


async def test_keys_faster_than_the_screen_break_nothing() -> None:
    random = Random(11)
    keys = [key for action in LESSON_ACTIONS if action.id != "leave_lesson" for key in action.keys]
    keys += [
        "space",
        "n",
        "u",
        "s",
        "S",
        "t",
        "y",
        "e",
        "2",
        "down",
        "down",
        "enter",
        "enter",
        "escape",
        "tab",
        "z",
    ] * 2
    app = lesson_app(tour())
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.pause()
        for _batch in range(12):
            for key in random.choices(keys, k=25):
                char = {"space": " ", "full_stop": ".", "comma": ","}.get(key, key if len(key) == 1 else None)
                app.post_message(events.Key(key, char))
            await pilot.pause()
        for _dialog in range(4):
            await press(pilot, "escape")
        screen = lesson_screen(app)
        await press(pilot, "l")
        fresh = Walk(screen.walk.lesson)  # the keys may have opened another
        fresh.goto(screen.walk.position)
        ours, theirs = screen.walk.trainer, fresh.trainer
        assert (ours.position, ours.phase, ours.vocab_size) == (theirs.position, theirs.phase, theirs.vocab_size)
        assert ours.pairs(0, ours.pair_count) == theirs.pairs(0, theirs.pair_count)


async def test_a_question_for_a_count_hides_the_counts() -> None:
    question = "```ask\nHow often does `u n` occur?\n\nanswer: count u + n\n```\n"
    app = lesson_app(lesson("One.\n\n---\n\nTwo.\n\n---\n\nThree.\n\n---\n\nFour.\n\n---\n\n" + question))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = lesson_screen(app)
        for _page in range(4):  # from where the moment begins
            assert isinstance(screen.board.mode, LessonQuestion)
            assert "16" not in text_of(screen.board.pairs)
            assert "the counts are hidden" in text_of(screen.board.pairs)
            assert "The lesson will ask about this moment" in text_of(screen.board.explanation)
            await press(pilot, "right")
        assert "16" not in text_of(screen.board.pairs)
        assert "Count in the words" in text_of(screen.board.explanation)
        await press(pilot, "escape", "2", "enter")
        assert screen.board.notice == "A number is asked for: answer in the lesson."
        assert screen.walk.verdict is None
        await press(pilot, "0", "enter")
        await type_text(pilot, "16")
        await press(pilot, "enter")
        assert "✓" in told(app)
        assert "16" in text_of(screen.board.pairs)
        assert screen.board.revealed.counts


async def test_enter_reads_all_of_a_page_before_it_answers_or_turns_it() -> None:
    app = lesson_app(read_lesson(find("what-bpe-is", "en")))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        narration = lesson_screen(app).narration
        assert narration.size.height >= 5  # beside it only a line of sentences
        assert "enter read on" in text_of(lesson_screen(app).board.keys)
        seen = {0}
        while narration.has_more:
            await press(pilot, "enter")
            assert narration.scroll_offset.y not in seen
            assert narration.scroll_offset.y - max(seen) < narration.size.height  # no line is jumped over
            seen.add(narration.scroll_offset.y)
        assert narration.scroll_offset.y == narration.max_scroll_y
        assert "read on" not in text_of(lesson_screen(app).board.keys)
        assert lesson_screen(app).walk.position == 0
        await press(pilot, "enter")
        assert lesson_screen(app).walk.position == 1
        assert narration.scroll_offset.y == 0


QUIZ = """---
title: A quiz
language: en
corpus: hug
panes: corpus vocabulary
---

Words.

---

How many?

```ask
How many merges?
answer: target
```

---

```bpe
step
panes all
select ug
```

---

```ask
How many words?
accept: 5
withhold: words corpus splits
```

---

```bpe
goto 3
panes none
show pairs
```
"""


async def test_panes_come_as_the_lesson_introduces_them() -> None:
    app = lesson_app(parse_lesson(QUIZ))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        board = lesson_screen(app).board
        panes = [pane.id for pane in board.panes.children if pane.display]
        assert panes == ["corpus", "vocabulary"]
        await press(pilot, "2")
        assert board.notice == "The lesson shows this pane later."
        await press(pilot, *["tab"] * 2)
        assert board.focused_pane == "vocabulary"
        await press(pilot, "tab")
        assert board.focused_pane == "narration"
        await press(pilot, "right", "right")
        shown = [pane.id for pane in board.panes.children if pane.display]
        assert shown == [pane for pane in PANE_IDS if pane not in ("corpus", "curve")]  # the next page asks for these
        await press(pilot, "right", "right")
        assert not board.panes.display
        assert "h + ug" not in told(app)
        assert "p + un" in told(app)  # no pane shows the table


async def test_figures_and_panes_that_answer_are_withheld_from_where_their_moment_begins() -> None:
    app = lesson_app(parse_lesson(QUIZ))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        board = lesson_screen(app).board
        assert board.status.text == "merge ?  vocab 7  ready"
        assert "merges" not in board.pane_ids
        await press(pilot, "right")
        assert lesson_screen(app).narration.field is app.focused
        await type_text(pilot, "three")
        await press(pilot, "enter")
        assert "✓ Right: 3." in told(app)
        assert board.status.text == "merge 0/3  vocab 7  ready"
        await press(pilot, "right")
        assert board.status.text == "merge 1/3  vocab 8  merged"
        assert board.session is not None
        assert board.session.token == board.session.trainer.id_of("ug")
        assert "corpus" not in board.pane_ids
        await press(pilot, "1")
        assert board.notice == "That would give the answer away. Answer the question first."
        await press(pilot, "right")
        await type_text(pilot, "5")
        await press(pilot, "enter", "1")
        assert board.focused_pane == "corpus"


async def test_typing_goes_straight_into_the_answer() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "right", "right", "left", "right")  # arrows turn pages as long as nothing is typed
        screen = lesson_screen(app)
        assert screen.walk.position == 2
        await type_text(pilot, "u h")
        await press(pilot, "left", "left", "backspace")
        assert screen.narration.field is not None
        assert screen.narration.field.value == " h"
        await press(pilot, "escape", "left")
        assert screen.walk.position == 1


async def test_the_end_says_how_the_questions_were_answered_and_enter_opens_the_next_lesson() -> None:
    app = lesson_app(read_lesson(find("ties", "en")), saves=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = lesson_screen(app)
        walk, last = screen.walk, len(screen.walk.lesson.pages) - 1
        for page in walk.lesson.question_pages[:3]:
            screen.turn_to(page)
            key, question = walk.visit.key, walk.page.question
            assert key is not None
            assert question is not None
            if page == walk.lesson.question_pages[0]:
                wrong = next((one.text for one in question.choices if not key.is_right(one.text)), "nonsense")
                screen.give_answer(wrong)
                if walk.is_asking:
                    screen.give_answer("nonsense")
            else:
                right = next((one.text for one in question.choices if key.is_right(one.text)), key.right)
                screen.give_answer(right)
        screen.turn_to(last)
        await pilot.pause()
        if walk.is_asking:
            assert "End of the lesson" not in told(app)
            screen.give_answer("nonsense")
            screen.give_answer("nonsense")
            await pilot.pause()
        assert "End of the lesson" in told(app)
        assert "✓ 2 right at the first try" in told(app)
        assert f"wrong: page {walk.lesson.question_pages[0] + 1}" in told(app)
        following = screen.following
        assert following is not None
        assert f"→ Press enter for lesson {following.number}: " in told(app)
        await press(pilot, "right")
        assert screen.board.notice == "This is the last page; enter opens the next lesson."
        while screen.narration.has_more:
            await press(pilot, "enter")
        assert "enter next lesson" in everything(app)
        await press(pilot, "enter")
        assert lesson_screen(app).walk.lesson.path == following.file.name
        assert lesson_screen(app).walk.position == 0


async def test_after_a_lesson_of_ones_own_enter_lists_the_lessons() -> None:
    app = lesson_app(tour())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        lesson_screen(app).turn_to(4)
        await pilot.pause()
        assert "· 2 not answered: pages 3, 4" in told(app)
        assert "→ Press enter for the list of lessons." in told(app)
        while lesson_screen(app).narration.has_more:
            await press(pilot, "enter")
        await press(pilot, "enter")
        assert screen_name(app) == "LessonsScreen"


async def test_the_list_shows_marks_and_describes_the_lesson_under_the_cursor() -> None:
    lessons = [read_lesson(entry.file) for entry in entries("en")]
    questions = lessons[0].question_pages
    outcomes = {str(page): Outcome.FIRST_TRY for page in questions[1:]}
    last = len(lessons[0].pages) - 1
    lesson_progress.save(lessons[0].path, lesson_progress.LessonProgress(last, {}, outcomes))
    lesson_progress.save(lessons[2].path, lesson_progress.LessonProgress(3))
    app = lesson_app(tour(), saves=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "L")
        shown = everything(app)
        assert f"✓ {len(questions) - 1}/{len(questions)}" in shown
        assert f"◐ p. 4/{len(lessons[2].pages)}" in shown
        assert "read up to page 4" in shown  # the one that was begun is under the cursor
        await press(pilot, "home")
        shown = " ".join(everything(app).split())
        assert f"read; {len(questions) - 1} of {len(questions)} answered right" in shown
        assert lessons[0].summary[-30:].strip("`") in shown.replace("`", "")
