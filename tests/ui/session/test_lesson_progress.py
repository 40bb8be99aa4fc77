"""The progress in lessons: marks and tallies, exported and imported without a loss."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.lessons.library import bundled
from bpe_tui.lessons.outcomes import Outcome, QuestionTally, better
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.session import lesson_progress, progress_transfer
from bpe_tui.ui.session.lesson_progress import LessonProgress
from tests.ui.lessons import tour

FIRST, SECOND, WRONG = Outcome


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Progress is saved in a folder of the test's own."""
    folder = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


def test_an_outcome_is_known_once_a_question_is_answered_and_the_better_one_stays() -> None:
    walk = Walk(tour())
    walk.goto(2)
    walk.answer("h + u")
    assert walk.outcomes == {}
    walk.answer("u + g")
    assert walk.outcomes == {2: SECOND}
    walk.answer("h + u")
    walk.answer("p + u")
    walk.goto(3)
    walk.answer("ug")
    assert walk.outcomes == {2: WRONG, 3: FIRST}
    reached = LessonProgress(1, {"2": ["u + g"]}, {"2": SECOND}).with_walk(walk)
    assert reached.outcomes == {"2": SECOND, "3": FIRST}
    assert reached.answers["2"] == ["h + u", "p + u"]
    assert better(WRONG, None, SECOND) is SECOND
    assert better(None) is None


def test_a_tally_names_pages_as_people_count_them() -> None:
    tally = QuestionTally.of((2, 3, 5, 8), {2: FIRST, 3: WRONG, 5: SECOND})
    assert tally == QuestionTally((3,), (6,), (4,), (9,))
    assert (tally.right, tally.count) == (2, 4)


def test_marks() -> None:
    lesson = tour()
    assert LessonProgress().mark(lesson) == ""
    assert LessonProgress(2).mark(lesson) == "◐ p. 3/5"
    done = LessonProgress(4, {}, {"2": SECOND, "3": WRONG})
    assert done.mark(lesson) == "✓ 1/2"
    assert done.sentence(lesson) == "read; 1 of 2 answered right"


def entry(name: str) -> Path:
    found = bundled(name, "en")
    assert found is not None
    return lesson_progress.file_of(str(found.file.path))


def test_a_file_is_named_without_the_number_of_its_lesson() -> None:
    assert entry("ties").name == "en-ties.json"


def save(name: str, progress: LessonProgress) -> None:
    entry(name).parent.mkdir(parents=True, exist_ok=True)
    entry(name).write_text(json.dumps(progress.as_json), encoding="utf-8")


def load(name: str) -> LessonProgress:
    found = bundled(name, "en")
    assert found is not None
    return lesson_progress.load(str(found.file.path))


def test_what_is_exported_is_imported_and_nothing_that_was_reached_is_lost() -> None:
    save("ties", LessonProgress(7, {"3": ["x", "y"], "5": ["z"]}, {"3": WRONG, "5": FIRST}))
    data, count = progress_transfer.exported()
    assert count == 1
    save("ties", LessonProgress(9, {"3": ["a"], "5": ["b", "c"]}, {"3": FIRST, "5": WRONG}))
    assert progress_transfer.imported(data) == 1
    best = LessonProgress(9, {"3": ["a"], "5": ["z"]}, {"3": FIRST, "5": FIRST})
    assert load("ties") == best
    assert progress_transfer.imported(data) == 1
    assert load("ties") == best
    entry("ties").unlink()
    progress_transfer.imported(data)
    assert load("ties") == LessonProgress(7, {"3": ["x", "y"], "5": ["z"]}, {"3": WRONG, "5": FIRST})


GOOD = {"furthest": 3, "answers": {"1": ["a"]}, "outcomes": {"1": "first-try"}}


def export_of(**more: object) -> bytes:
    lessons = {"en-ties": GOOD, "fr-ties": {**GOOD, **more}}
    return json.dumps({"kind": progress_transfer.KIND, "version": 1, "lessons": lessons}).encode()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff{", "not even JSON"),
        (b"[" * 100_000, "not even JSON"),
        (b"[]", "--export FILE writes one"),
        (b'{"kind": "bpe-tui lesson progress", "version": 2}', "version 2, which only a newer"),
        (b'{"kind": "bpe-tui lesson progress", "version": 1, "lessons": []}', '"lessons"'),
        (b'{"kind": "bpe-tui lesson progress", "version": 1, "lessons": {"../x": {}}}', r'"\.\./x"'),
        (export_of(furthest=-1), '"fr-ties.furthest"'),
        (export_of(furthest=True), '"fr-ties.furthest"'),
        (export_of(answers={"1": "a"}), '"fr-ties.answers"'),
        (export_of(answers={"one": ["a"]}), '"fr-ties.answers"'),
        (export_of(outcomes={"1": "good"}), '"fr-ties.outcomes"'),
        (export_of(outcomes={"1": ["wrong"]}), '"fr-ties.outcomes"'),
    ],
)
def test_a_spoiled_file_is_one_sentence_and_nothing_is_written(data: bytes, sentence: str, state: Path) -> None:
    with pytest.raises(TokenizerFileError, match=sentence):
        progress_transfer.imported(data)
    assert not state.exists()
