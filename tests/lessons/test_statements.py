"""Statements: true ones pass, and each of them fails when one figure in it is altered."""

import re

import pytest

from bpe_tui.lessons.checking import check
from bpe_tui.lessons.subjects import SUBJECTS
from tests.lessons.making import FRONT_LINES, commands, lesson

TRUE = [
    "expect merge 4: p + un → pun, 12 times, 12 replaced",
    "expect merge 1: u g",
    "expect counted 2: 16",
    "expect replaced 4: 12",
    "expect next: p + ug, 5 times, 2 tied",
    "expect tie: 2 pairs, 5 times: hug + s, p + ug",
    "expect tie: 2 pairs",
    "expect tied: 2",
    "expect winner lowest-id: p + ug, 5 times",
    "expect parting lowest-id: never",
    "expect count p + ug: 5",
    "expect count u + g: 0",
    "expect token ug: 5",
    "expect word hugs: hug s",
    "expect tokens thug: [UNK] hug",
    'expect tokens "hug  pun": hug pun',
    "expect tokens hXug unknown=drop: hug",
    "expect tokens hXug unknown=error: refused",
    "expect tokens X unknown=drop: nothing",
    "expect tokens unhug dropout=0.3 seed=1: un h ug",
    "expect length unhug seed=4 dropout=0.3: 5",
    "expect length thug: 2",
    "expect ids thug: none 9",
    "expect longest-match hugun: hug un",
    'expect pre-tokens "a b": a b',
    'expect pre-tokens "don\'t go" by gpt2: don \'t " go"',
    'expect word-count "a b" by gpt2: 2',
    "expect decoded cafÃ©: café",
    "expect vocabulary: 11",
    "expect alphabet: 7",
    "expect words: 5",
    "expect word-total: 36",
    "expect corpus: 50",
    "expect pairs: 3",
    "expect merges: 4",
    "expect target: 5",
    "expect stop: none",
    "expect lesson ties: 12",
]


def failures(statement: str) -> list[str]:
    return check(lesson("Hi.\n\n" + commands("goto 4", statement))).messages


def test_all_subjects_are_tried() -> None:
    assert {line.split()[1].rstrip(":") for line in TRUE} == set(SUBJECTS)


@pytest.mark.parametrize("statement", TRUE)
def test_true_statements_pass(statement: str) -> None:
    assert failures(statement) == []


ALTERED = [
    (statement, statement[: found.start()] + str(int(found.group()) + 1) + statement[found.end() :])
    for statement in TRUE
    for found in re.finditer(r"(?<!=)(?<!=0\.)\b\d+\b(?! pairs, 5 times:)", statement)
]
WRONG = [
    *(altered for _, altered in ALTERED),
    "expect next: hug + s",
    "expect next: p + ug → pugs",
    "expect tie: none",
    "expect tie: 2 pairs: hug + s, b + un",
    'expect tokens thug: "[UNK]" hug',
    "expect tokens thug: t hug",
    "expect tokens hXug unknown=drop: refused",
    "expect stop: merges",
    "expect parting lowest-id: 5",
    "expect word cat: cat",
    "expect token cat: 0",
    "expect winner first-seen: hug + s",
]


@pytest.mark.parametrize("statement", WRONG)
def test_altered_statements_fail_with_file_and_line(statement: str) -> None:
    (told,) = failures(statement)
    assert told.startswith(f"try.md:{FRONT_LINES + 5}: expected ")
    assert ", but " in told


def test_where_a_rule_parts() -> None:
    body = "Hi.\n\n" + commands("open course-en", "expect parting lowest-id: 2", "expect parting lowest-id: 3")
    assert check(lesson(body)).messages == ["try.md:13: expected parting lowest-id: 3, but it is 2"]


def test_what_is_said_of_a_failure() -> None:
    assert failures("expect merge 1: u + g → ug, 21 times") == [
        "try.md:12: expected merge 1: u + g → ug, 21 times, but it is u + g → ug, 20 times"
    ]
    assert failures("expect tokens thug: t hug") == ["try.md:12: expected tokens thug: t hug, but it is [UNK] hug"]
    assert failures("expect merge 9: u + g") == ["try.md:12: expected merge 9: u + g, but only 4 merges are made"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("step 9", "expected to step 9, but no pair is left"),
        ("undo 5", "only 4 merges are made"),
        ("goto 99", "expected to goto 99, but no pair is left"),
        ("choose u g", "this pair does not occur"),
        ("choose x y", "'x' is no token at this moment"),
        ("select u g", "does not occur"),
        ("encode hXug unknown=error", "'X' at character 1 is not in the alphabet"),
    ],
)
def test_commands_that_cannot_be_carried_out_fail(line: str, told: str) -> None:
    (found,) = failures(line)
    assert found.startswith("try.md:12: expected to ")
    assert told in found


def test_a_step_that_the_minimum_frequency_forbids_fails() -> None:
    body = "Hi.\n\n" + commands("open hug min-frequency=16", "step 3")
    told = "expected to step 3, but the best pair left occurs less often than the minimum frequency"
    assert check(lesson(body)).messages == [f"try.md:{FRONT_LINES + 5}: {told}"]


def test_a_question_that_no_choice_answers_fails() -> None:
    ask = "```ask\nHow?\n- t h u g\n- t hug\nanswer: tokens thug\n```\n"
    assert check(lesson(ask)).messages == ["try.md:8: expected one choice to be right, but the answer is [UNK] h u g"]
    ask = "```ask\nHow?\n- u g\n- u + g\nanswer: next\n```\n"
    assert check(lesson(ask)).messages == ["try.md:8: expected one choice to be wrong, but the answer is u + g"]


def test_a_question_about_what_is_not_there_fails() -> None:
    (told,) = check(lesson("```ask\nHow often?\nanswer: token cat\n```\n")).messages
    assert told == "try.md:8: expected an answer to the question, but it is no token at this moment"


def test_failures_of_all_pages_are_told_in_order() -> None:
    body = commands("expect merges: 1") + "\n---\n\n" + commands("step", "expect merges: 2", "expect merges: 3")
    assert [told.split(":")[1] for told in check(lesson(body)).messages] == ["9", "16", "17"]
