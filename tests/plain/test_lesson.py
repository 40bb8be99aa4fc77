"""`bpe-tui lesson --plain`: page after page by typed lines, judged and recorded as in the app, giving nothing away."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bpe_tui.core.display import width
from bpe_tui.lessons.document import LessonFile
from bpe_tui.lessons.lesson import Lesson
from bpe_tui.lessons.library import LessonEntry, all_entries, bundled
from bpe_tui.lessons.outcomes import Outcome
from bpe_tui.lessons.prose import Prose, spans_in
from bpe_tui.lessons.reading import read_lesson
from bpe_tui.lessons.walk import Walk
from bpe_tui.plain.conversation import Conversation
from bpe_tui.plain.lesson import TYPED, LessonReading, running_text
from bpe_tui.plain.views import VIEWS
from bpe_tui.ui.session.lesson_progress import load
from tests.cli.running import Result, run
from tests.lessons.making import FRONT, commands

LESSON = FRONT + (
    "Read `u g` *now*.\n\n```note\nBreathe.\n```\n\n"
    + commands("step", "show pairs 2")
    + "\n---\n\n```ask\nWhich?\n- [x] this `one`\n- that\n  wrong: It is *far*.\n- those\n"
    + "hint: Look.\nexplain: So.\n```\n"
    + "\n## Next\n\n```ask\nWhich pair is next?\n\nanswer: next\nhint: Count.\nexplain: Both.\n```\n"
)


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was read yet, whoever runs the tests; lines are long."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "try.md"
    path.write_text(LESSON, encoding="utf-8")
    return path


def typed(lesson: object, *lines: str) -> Result:
    return run("lesson", lesson, "--plain", stdin="".join(f"{line}\n" for line in lines).encode())


def test_a_lesson_from_the_first_page_to_the_last(file: Path) -> None:
    result = typed(file, "", "b", "back", "a", "", "u n", "n", "")
    assert (result.status, result.stderr) == (0, "")
    assert result.text == (
        "A try\n3 pages.\nEnter goes on, b goes back, q quits, ? lists what can be typed.\n"
        "\nPage 1 of 3\nmerge 1/5, vocab 8.\n\nRead `u g` now.\n\nMerged u + g → ug: 20 replacements in 3 words.\n\n"
        "  place  pair    token  count\n      1  u + n   un        16\n      2  h + ug  hug       15  new\n"
        "  … and 4 more\n"
        "> \n\nPage 2 of 3\n\nWhich?\na) this `one`\nb) that\nc) those\n"
        "Type an answer. Enter goes on without one, h gives a hint if there is one.\n"
        "Your answer, a to c: b\nNot yet: try once more.\nIt is far.\n"
        "Your answer, a to c: back\n"
        "\nPage 1 of 3\n\nRead `u g` now.\n\nMerged u + g → ug: 20 replacements in 3 words.\n\n"
        "  place  pair    token  count\n      1  u + n   un        16\n      2  h + ug  hug       15  new\n"
        "  … and 4 more\n"
        "> a\nNothing is asked here. Enter goes on, ? lists what can be typed.\n"
        "> \n\nPage 2 of 3\n\nWhich?\na) this `one`\nb) that\nc) those\nNot yet: try once more.\nIt is far.\n"
        "Your answer, a to c: u n\nType the letter of a choice, a to c.\n"
        "Your answer, a to c: n\n\nPage 3 of 3: Next\n\nWhich pair is next?\n"
        "Your answer, a pair such as a + b: \n"
        "\nEnd of the lesson\n2 not answered: pages 2, 3.\nEnter ends the program.\n"
        "Your answer, a pair such as a + b: \n"
    )


def test_answers_are_judged_as_in_the_app(file: Path) -> None:
    """Twice wrong, right at the second try, right at once: the sentences are those of the answer key."""
    result = typed(file, "", "b", "b", "c", "", "h", "p u", "u + n", "")
    told = result.text.split("Your answer")
    assert "Not yet: try once more.\nIt is far.\n" in told[1]
    assert "You have tried that one; choose another." in result.text
    assert "Not quite: the answer is this one.\nSo.\n" in result.text
    assert ": h\nCount.\n" in result.text
    assert ": p u\nNot yet: try once more.\n" in result.text
    walk = Walk(read_lesson_at(file))
    walk.goto(2)
    assert walk.answer("p u") is not None
    verdict = walk.answer("u + n")
    assert verdict is not None
    assert verdict.sentence == "Right: u + n."
    assert verdict.evidence
    assert f": u + n\n{verdict.sentence}\n{verdict.evidence}\nBoth.\n" in result.text
    assert "1 right at the second try.\n1 wrong: page 2.\n" in result.text
    progress = load(str(file))
    assert (progress.furthest, progress.answers) == (2, {"1": ["that", "those"], "2": ["p u", "u + n"]})
    assert progress.outcomes == {"1": Outcome.WRONG, "2": Outcome.SECOND_TRY}


def read_lesson_at(file: Path) -> Lesson:
    """A lesson in a file."""
    return read_lesson(LessonFile(file, str(file)))


def test_an_answered_page_shows_what_came_of_it(file: Path) -> None:
    result = typed(file, "", "this one", "", "b", "b")
    assert result.text.count("Right: this one.\nSo.\n") == 2
    assert result.text.rpartition("> b\n")[2].startswith("\nPage 1 of 3\n")


def test_progress_is_offered_the_next_time(file: Path) -> None:
    typed(file, "", "a")
    result = typed(file, "resume", "b", "g 2", "q")
    assert "Type resume to continue at page 2 of 3.\n" in result.text
    assert "> resume\n\nPage 2 of 3\n" in result.text
    assert result.text.count("\nRight: this one.\n") == 2, "with the answer given then"
    assert result.status == 0
    assert "There is no page to resume at; you are as far as you were.\n" in typed("2", "resume").text


def test_views_notes_and_help(file: Path) -> None:
    result = typed(file, "notes", "words 1", "merges", "?", "", "notes", "pairs x")
    assert "> notes\nBreathe.\n" in result.text
    assert "> words 1\nThe corpus has 5 different words.\nhug, 10 times: h ug\n" in result.text
    assert "> merges\n1. u + g → ug: 20 times\n" in result.text
    for usage, _help in TYPED:
        assert f"- {usage}: " in result.text
    assert "This page has no notes.\n" in result.text


def test_an_answer_may_look_like_a_command(tmp_path: Path) -> None:
    path = tmp_path / "b.md"
    question = "```ask\nWhich letter comes before c?\n\naccept: b\n```\n"
    path.write_text(FRONT + "One.\n\n---\n\n" + question, encoding="utf-8")
    assert "\nRight: b.\n" in typed(path, "", "answer b").text
    assert "\nPage 1 of 2\n" in typed(path, "", "b").text.partition("Your answer:")[2]


def test_enter_opens_the_next_lesson() -> None:
    pages = len(Walk(read_lesson(found("1").file)).lesson.pages)
    result = typed("1", f"g {pages}", "", "")
    title = found("2").file.front().title
    assert f"Enter opens lesson 2: {title}. Type q to leave.\n" in result.text
    assert f"\n{title}\n" in result.text.rpartition("Type q to leave.")[2]
    assert result.text.count("\nPage 1 of ") == 2


def found(name: str) -> LessonEntry:
    entry = bundled(name, "en")
    assert entry is not None
    return entry


# -- nothing is given away ---------------------------------------------------------------------------------------------


PROMPT = "(?:>|Your answer.*:)"


class Reader(io.StringIO):
    """A reader who at each prompt looks at whatever there is to look at, then goes on without an answer."""

    def __init__(self, walk: Walk, heard: io.StringIO, asked: Callable[[str], None]) -> None:
        super().__init__()
        self._walk = walk
        self._heard = heard
        self._asked = asked
        self._is_curious = walk.lesson.language == "en"  # what is withheld is the same in all languages
        self._curious: list[str] = []
        self._seen = -1

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as in typeshed's own StringIO
        """The next line."""
        if self._walk.position != self._seen:
            self._seen = self._walk.position
            if self._is_curious:
                self._curious = [*(view.name for view in VIEWS if view.name != "encode"), "encode hug"]
        if self._curious:
            return self._curious.pop(0) + "\n"
        self._asked(self._heard.getvalue())
        return "\n" if self._walk.can_next else ""


def texts(blocks: tuple[Prose, ...]) -> list[str]:
    """What blocks of prose say."""
    return [running_text(spans).replace("\u00a0", " ") for block in blocks for spans in spans_in(block)]


SWEPT = [entry for entry in all_entries() if entry.language == "en" or entry.number % 4 == 0]
"""All lessons in English; of the translations, whose prose tests/lessons looks at, some."""


@pytest.mark.parametrize("entry", SWEPT, ids=lambda entry: f"{entry.language}-{entry.number}")
def test_no_answer_is_given_away(entry: LessonEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a question is answered, neither the verdict nor the hint nor what proves it, whatever the reader does."""
    monkeypatch.setenv("COLUMNS", "100000")
    walk = Walk(read_lesson(entry.file))
    refusals = (
        "That would give the answer away. Answer the question first.",
        "The lesson will ask about this moment: read on.",
    )
    asked = 0

    def check(heard: str) -> None:
        nonlocal asked
        page = heard.rpartition("\nPage ")[2]
        withheld = walk.withheld
        for view in VIEWS if walk.lesson.language == "en" else ():
            line = "encode hug" if view.name == "encode" else view.name
            answer = re.split(rf"^{PROMPT} {line}\n", page, maxsplit=1, flags=re.MULTILINE)[1]
            answer = re.split(f"^{PROMPT} ", answer, maxsplit=1, flags=re.MULTILINE)[0].strip()
            assert (answer in refusals) == bool(view.clues & withheld), view.name
        question, key = walk.page.question, walk.visit.key
        if question is None or key is None:
            return
        asked += 1
        assert walk.is_asking
        assert key.judge([key.right]).sentence not in page
        for text in texts(question.hint) + texts(question.explanation):
            assert text not in page
        for choice in question.choices:
            for text in texts(choice.reason):
                assert text not in page
        if key.evidence_sentence:
            assert key.evidence_sentence not in page

    heard = io.StringIO()
    reader = Reader(walk, heard, check)
    with pytest.raises(EOFError):
        LessonReading(walk, Conversation(reader, heard)).run()
    assert walk.position == len(walk.lesson.pages) - 1
    assert asked == len(walk.lesson.question_pages)


def test_what_is_withheld_is_shown_once_it_is_answered() -> None:
    """The same view, refused before the answer, gives it afterwards: so the refusals are of something."""
    entry = found("1")
    walk = Walk(read_lesson(entry.file))
    page = next(place for place in walk.lesson.question_pages if "u n" in str(walk.lesson.pages[place].question))
    lines = [f"g {page + 1}", "pairs", "16", "pairs"]
    before, after = typed("1", *lines).text.split("pairs\n")[1:3]
    assert before.startswith("That would give the answer away.")
    assert "u + n → un: 16 times" not in before
    walk.goto(page)
    assert walk.answer("16") is not None
    if walk.withheld:
        assert after.startswith("The lesson will ask about this moment: read on.")
    else:
        assert "u + n → un: 16 times" in after


# -- on any terminal ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["4", "12"])
@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_a_page_fits_forty_columns(name: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("BPE_TUI_LANG", language)
    entry = bundled(name, language)
    assert entry is not None
    walk, heard = Walk(read_lesson(entry.file)), io.StringIO()
    with pytest.raises(EOFError):
        LessonReading(walk, Conversation(io.StringIO("\n" * (len(walk.lesson.pages) - 1)), heard)).run()
    lines = heard.getvalue().splitlines()
    assert max(map(width, lines)) <= 40
    assert len(lines) > 100
    assert not re.search("[\u2500-\u257f\x1b\r\u00a0]", heard.getvalue())


def test_what_cannot_be_combined() -> None:
    assert run("lesson", "--plain").error == ("--plain needs the name of a lesson; bpe-tui lesson --list lists them")
    for more in ("--print", "--check", "--json", "--theme=bpe-dark"):
        assert "--plain" in run("lesson", "1", "--plain", more).error or more == "--json"
    assert (
        "the app needs a terminal; without one, use bpe-tui lesson NAME --print, or --plain for its questions"
        in run("lesson", "1").error
    )


def test_a_cyrillic_keyboard_works_by_place(file: Path) -> None:
    """The key of `a` types ф, that of `b` и; but a free answer stays what it is."""
    result = typed(file, "", "ф", "и", "", "", "и", "й")
    assert "Your answer, a to c: ф\nRight: this one.\n" in result.text
    assert "> и\n\nPage 1 of 3\n" in result.text
    assert "such as a + b: и\nNot yet: try once more.\n" in result.text


def test_the_status_withholds_what_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "v.md"
    question = "```ask\nHow many tokens are there?\n\nanswer: vocabulary\n```\n"
    path.write_text(FRONT + "One.\n\n---\n\n" + commands("step") + "\n" + question, encoding="utf-8")
    before, after = typed(path, "", "8", "r").text.split("Right: 8.", maxsplit=1)
    assert "\nPage 2 of 2\nmerge 1/5, vocab ?.\n" in before
    assert "vocab 8" not in before
    assert "\nPage 2 of 2\nmerge 1/5, vocab 8.\n" in after


@pytest.mark.parametrize("cells", [200, 30])
def test_code_keeps_its_blanks(cells: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(cells))
    path = tmp_path / "code.md"
    path.write_text(
        FRONT + "```\nif a:\n    b =  1\n\n    c = some_name(another, and_another)\n```\n", encoding="utf-8"
    )
    code = typed(path).text.partition("\n\n  if a:\n")[2]
    assert code.startswith("      b =  1\n\n      c = some_name(another,")
    assert "\n      and_another)\n" in code or cells == 200
