"""Checks: values in prose, strict ones of figures and answers in view, and statements that are corrected."""

from pathlib import Path

import pytest

from bpe_tui.lessons.checking import check, corrected_text
from bpe_tui.lessons.document import LessonFile
from bpe_tui.lessons.lesson import prose_in
from bpe_tui.lessons.prose import plain_text, spans_in
from bpe_tui.lessons.reading import parse_lesson, read_lesson
from bpe_tui.lessons.walk import Walk
from tests.cli.running import run
from tests.lessons.making import FRONT, FRONT_LINES, commands, lesson

STRICT = FRONT.replace("language: en", "language: en\nminutes: 5")
LINES = FRONT_LINES + 1


def found(body: str, front: str = STRICT) -> list[str]:
    """What a strict check finds, without the name of the file."""
    return [message.removeprefix("try.md:") for message in check(lesson(body, front), strict=True).messages]


# -- values in prose -----------------------------------------------------------------------------------------------


def shown(body: str) -> str:
    """The running text of the first page."""
    walk = Walk(lesson(body))
    assert walk.visit.failures == ()
    blocks = [block for item in walk.page.items for block in prose_in(item)]
    return " | ".join(plain_text(spans) for block in blocks for spans in spans_in(block))


def test_values_are_those_of_their_place_on_the_page() -> None:
    body = "{corpus} tokens, *{words}* words.\n\n" + commands("step") + "\n- now {corpus}: {merge 1}\n- {tokens thug}\n"
    assert shown(body) == "113 tokens, 5 words. | now 93: u + g | [UNK] h ug"


def test_braces_that_are_no_value() -> None:
    assert shown(r"\{words} and `{words}` and \{} and `{open`") == "{words} and {words} and {} and {open"


def test_values_in_questions() -> None:
    walk = Walk(lesson("```ask\nOf {words} words?\n- [x] {alphabet}\n- 8\n  wrong: {corpus}\nexplain: {pairs}\n```\n"))
    question = walk.page.question
    assert question is not None
    assert [choice.text for choice in question.choices] == ["7", "8"]
    verdict = walk.answer("8")
    assert verdict is not None
    assert [plain_text(spans) for block in (*question.prose, *verdict.reason, *verdict.explanation)
            for spans in spans_in(block)] == ["Of 5 words?", "113", "6"]  # fmt: skip
    assert verdict.sentence == "Not quite: the answer is 7."


def test_a_value_that_is_not_there_fails() -> None:
    body = "Two\nlines: {merge 3}.\n"
    assert check(lesson(body)).messages == ["try.md:9: expected a value for merge 3, but only 0 merges are made"]


# -- figures -------------------------------------------------------------------------------------------------------

STATED = commands(
    "step", "expect corpus: 93", "expect merge 1: u + g → ug, 20 times", "outside 50,257 1994", "show words"
)


@pytest.mark.parametrize(
    "text",
    [
        "It is 93 long, and 20 pairs are gone.",
        "Merge 1 is {merge 1}, of 50,257 since 1994.",
        "Ten times `hug`, 12 times `pun`.",
        "As 10 + 5 + 5 = 20 shows, in lesson 4 and lessons 3.",
        "Four or two, GPT-2, `99` and [99](x).",
        "It is {words} words, so 5.",
        "Merges 1 is the only one.",
    ],
)
def test_figures_that_are_stated_computed_shown_or_given(text: str) -> None:
    assert found(f"{STATED}\n{text}\n") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("It is\n94 long.", f"{LINES + 10}: 94 is no value"),
        ("All nineteen.", f"{LINES + 9}: nineteen is no value"),
        ("Of 51,257 tokens.", f"{LINES + 9}: 51,257 is no value"),
        ("- a\n- in lesson 99", f"{LINES + 10}: 99 is no value"),
        ("## Nine\n\nHi.", f"{LINES + 9}: Nine is no value"),
        ("All 2 merges.", f"{LINES + 9}: 2 is no value"),
        ("All one hundred merges.", f"{LINES + 9}: hundred is no value"),
        ("As 10 + 5 = 20.", f"{LINES + 9}: the sum that ends in 20 is wrong"),
        ("```note\nHush, 94.\n```", f"{LINES + 10}: 94 is no value"),
    ],
)
def test_a_false_figure_fails(text: str, message: str) -> None:
    (one,) = found(f"{STATED}\n{text}\n")
    assert one.startswith(message)


def test_a_false_figure_in_the_summary_fails() -> None:
    front = STRICT.replace("corpus: hug", "summary: Nine merges.\ncorpus: hug")
    assert found("Hi.", front) == [
        "1: Nine is no value that the lesson states or computes; if it is from outside, say so with `outside`"
    ]
    assert (
        found(commands("step 4", "expect counted 4: 12", "undo 4") + "\n{corpus}: 113", front.replace("Nine", "12"))
        == []
    )


def test_figures_of_another_page_count_only_if_stated() -> None:
    assert found(commands("show words") + "\n---\n\nPun: 12.\n") == [
        f"{LINES + 7}: 12 is no value that the lesson states or computes; if it is from outside, say so with `outside`"
    ]


def ask(answer: str, visible: str = "") -> str:
    return f"```ask\nHow many?\n{answer}\n{visible}\n```\n"


def test_a_wrong_number_among_accepted_answers_fails() -> None:
    body = commands("step 2", "expect corpus: 77", "undo 2") + "\n"
    assert found(body + ask("accept: 77 | seventy-seven")) == []
    assert found(body + ask("accept: 78 | seventy-seven")) == [
        f"{LINES + 7}: the answer 78 is no value that the lesson states or computes"
    ]
    assert found(body + ask("accept: 77 | seventy-eight"))[0].endswith(
        "the answer seventy-eight is no value that the lesson states or computes"
    )


def test_a_number_marked_as_right_fails_if_it_is_moved() -> None:
    body = commands("step 2", "expect corpus: 77", "undo 2") + "\n"
    choices = "- [{0}] 77\n- [{1}] 78\n"
    assert [one for one in found(body + ask(choices.format("x", " "))) if "the answer" in one] == []
    assert (
        "the answer 78 is no value that the lesson states or computes" in found(body + ask(choices.format(" ", "x")))[0]
    )


# -- answers in view -----------------------------------------------------------------------------------------------


def question(subject: str, extra: str = "") -> str:
    return f"\n```ask\nWell?\nanswer: {subject}\n{extra}```\n"


LEAKS = [
    ("next", commands("show pairs 1"), LINES + 2),
    ("next", commands("pick"), LINES + 2),
    ("next", commands("count"), LINES + 2),
    ("next", commands("show ties"), LINES + 2),
    ("next", "Look\nat `u + g`.\n", LINES + 1),
    ("next", "Among `p u` and `u g` one has {count u + g}.\n", LINES + 1),
    ("next", "## The pair `u g`\n\nHo.\n", LINES + 1),
    ("winner lowest-id", commands("show ties"), LINES + 2),
    ("count u + n", commands("select u n"), LINES + 2),
    ("count u + n", commands("show pairs 3"), LINES + 2),
    ("count u + n", "- Of `u n` there are 16.\n", LINES + 1),
    ("token u", commands("show vocabulary"), LINES + 2),
    ("word hug", commands("show words 1"), LINES + 2),
    ("tokens thug", commands("trace thug"), LINES + 2),
    ("tokens thug", "It becomes `[UNK] h u g`.\n", LINES + 1),
    ("length thug", commands("show tokens thug"), LINES + 2),
    ("length unhug", "Of `unhug` there are five tokens.\n", LINES + 1),
    ("pre-tokens thug", commands("show pre-tokens thug"), LINES + 2),
    ("corpus", commands("show curve"), LINES + 2),
    ("corpus", "It is 113 long.\n", LINES + 1),
    ("alphabet", commands("open hug merges=5"), LINES + 2),
    ("words", "> Five\n> words.\n", LINES + 1),
    ("decoded Ã©", "It says `é`.\n", LINES + 1),
]


@pytest.mark.parametrize(
    ("subject", "before", "line"), LEAKS, ids=[f"{row[0]}: {row[1].split(chr(10))[-2]}" for row in LEAKS]
)
def test_an_answer_in_view_fails(subject: str, before: str, line: int) -> None:
    leaked = [one for one in found(before + question(subject)) if "gives away" in one]
    assert [one.partition(": ")[0] for one in leaked] == [str(line)]
    pages = "\n---\n\nBetween.\n\n---\n"
    leaked = [one for one in found(before + pages + question(subject)) if "gives away" in one]
    assert len(leaked) == 1
    assert leaked[0].startswith(f"{line}: page 1 gives away the answer to the question on page 3, line ")
    assert found(before + question(subject, "visible: it may be\n")) == [
        one for one in found(before) if "states or computes" in one
    ]


NO_LEAKS = [
    ("next", "Compare `p u` and `u g`.\n"),
    ("next", commands("show pairs 1", "step")),
    ("next", commands("expect next: u + g", "select u n")),
    ("next", "```note\nIt is `u g`.\n```\n"),
    ("count u + n", commands("select p u", "show pairs 1")),
    ("count u + n", "Of `u g` there are {count u + n}.\n"),
    ("tokens thug", commands("trace thug", "step")),
    ("tokens thug", commands("trace hug")),
    ("tokens hug", "`hug` is a word.\n"),
]


@pytest.mark.parametrize(("subject", "before"), NO_LEAKS)
def test_what_gives_nothing_away_passes(subject: str, before: str) -> None:
    assert found(before + question(subject, "hint: It is `u g` or `u n`, {count u + n}.\n")) == []


def test_an_explanation_gives_away_what_is_asked_after_it() -> None:
    body = question("count u + n", "explain: So `u g` is next.\n") + "\n---\n" + question("next")
    (one,) = found(body)
    assert one.startswith(f"{LINES + 5}: page 1 gives away the answer to the question on page 2")


def test_answers_of_the_author_in_view_fail() -> None:
    assert "gives away" in found("A dotted G.\n\n" + ask("accept: Ġ | dotted g"))[0]
    body = "It is a loss.\n\n" + ask("- [x] a loss\n- a gain\n  wrong: No.")
    assert "gives away" in found(body)[0]
    assert found("Loss or gain?\n\n" + ask("- [x] loss\n- gain\n  wrong: No.")) == []


def test_an_answer_in_the_status_line_fails() -> None:
    body = commands("expect target: 5") + "\n"
    assert found(body + ask("accept: 5")) == [
        f"{LINES + 5}: the app shows the answer 5; write `withhold: {clue}`, or let answer: compute it"
        for clue in ("merges", "words")
    ]
    assert found(body + ask("accept: 5", "withhold: merges words")) == []


def test_wrong_choices_without_a_reason_and_no_minutes() -> None:
    body = "```ask\nWhich?\n- [x] a\n- b\n  wrong: No.\n- c\n```\n"
    assert found(body) == [f"{LINES + 1}: nothing explains why c is wrong; write `wrong:` below it"]
    assert found(body, FRONT)[0] == "1: the front matter has no minutes"


def test_a_reason_at_a_choice_that_is_right_fails() -> None:
    body = "```ask\nWhich?\n- u g\n  wrong: No.\n- u n\nanswer: next\n```\n"
    assert check(lesson(body)).messages == ["try.md:8: expected u g to be wrong, as its reason says, but it is right"]


# -- corrections ---------------------------------------------------------------------------------------------------

WRONG = [
    ("expect merge 1: u n → un, 21 times", "expect merge 1: u + g → ug, 20 times"),
    ("expect merge 1: ?", "expect merge 1: u + g → ug, 20 times"),
    ("expect next: u g", "expect next: u + n"),
    ("expect next: u n, 2 tied", "expect next: u + n"),
    ("expect tie: 2 pairs, 7 times", "expect tie: none"),
    ("expect tokens thug: t hug", "expect tokens thug: [UNK] h ug"),
    ("expect tokens X unknown=error: X", "expect tokens X unknown=error: refused"),
    ('expect pre-tokens "a b": ab', 'expect pre-tokens "a b": a b'),
    ("expect vocabulary: ?", "expect vocabulary: 8"),
    ("  expect corpus: 1", "  expect corpus: 93"),
    ("expect stop: merges", "expect stop: none"),
]


@pytest.mark.parametrize(("wrong", "right"), WRONG)
def test_statements_are_corrected(wrong: str, right: str) -> None:
    text = FRONT + "Hi.\r\n\n" + commands("step", wrong, "expect merges: 1")
    report = check(parse_lesson(text))
    assert len(report.messages) == 1
    corrected = corrected_text(text, report.failures)
    assert corrected == text.replace(wrong, right)
    assert check(parse_lesson(corrected)).messages == []


def test_what_cannot_be_corrected_stays() -> None:
    text = FRONT + commands("expect merge 9: u + g", "step 99")
    failures = check(parse_lesson(text)).failures
    assert len(failures) == 2
    assert corrected_text(text, failures) == text


def test_the_command_corrects_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(FRONT + commands("step", "expect corpus: 1", "expect words: ?", "undo 4"), encoding="utf-8")
    result = run("lesson", "--check", "--lenient", "--fix", path)
    assert result.status == 1
    assert "mine.md: 2 statements corrected" in result.stderr
    assert result.text == f"{path}:12: expected to undo 4, but only 1 merge is made\n"
    assert "expect corpus: 93\nexpect words: 5\n" in path.read_text(encoding="utf-8")
    again = run("lesson", "--check", "--lenient", "--fix", path)
    assert (again.text, again.stderr) == (result.text, "")


def test_the_command_checks_strictly(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(STRICT + "Of 5 words.\n\n" + commands("expect words: 5"), encoding="utf-8")
    assert run("lesson", "--check", path).text == "1 lesson, 1 statement, 1 figure in prose: all are true.\n"
    path.write_text(STRICT + "Of 9 words.\n", encoding="utf-8")
    result = run("lesson", "--check", path)
    assert (result.status, result.text.startswith(f"{path}:9: 9 is no value")) == (1, True)
    assert run("lesson", "--check", "--strict", path).text == result.text
    assert run("lesson", "--check", "--lenient", path).status == 0
    assert run("lesson", "--lenient", path).status == 2


def test_a_file_is_named_as_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text(FRONT + "Hi.", encoding="utf-8")
    assert read_lesson(LessonFile(tmp_path / "mine.md", "mine")).path == "mine"
