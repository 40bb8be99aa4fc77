"""docs/lessons.md tells the truth: its example runs, and its tables name all that there is."""

import re
from pathlib import Path

import pytest

from bpe_tui.core.errors import LessonError
from bpe_tui.lessons.checking import check
from bpe_tui.lessons.commands import COMMANDS, parse_command
from bpe_tui.lessons.reading import parse_lesson
from bpe_tui.lessons.subjects import SUBJECTS
from bpe_tui.lessons.walk import Walk
from tests.lessons.making import commands, lesson

PAGE = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text(encoding="utf-8")
EXAMPLE = PAGE[PAGE.index("````markdown\n") + len("````markdown\n") : PAGE.index("\n````\n") + 1]
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def examples(section: str) -> list[str]:
    """What stands in backticks in the first column of a section's tables."""
    rows = re.findall(r"^\| (`.*?) \|", SECTIONS[section], re.MULTILINE)
    return [text for row in rows for text in re.findall(r"`([^`]+)`", row)]


def test_the_example_is_a_lesson_and_true() -> None:
    made = parse_lesson(EXAMPLE, "banana.md")
    assert check(made, strict=True).messages == []
    assert (len(made.pages), made.statement_count) == (6, 8)


STATEMENTS = [
    (number, found)
    for number, line in enumerate(EXAMPLE.splitlines(), 1)
    if line.startswith("expect ")
    for found in re.finditer(r"\d+(?= times| pairs, | tied|$)", line)
]


@pytest.mark.parametrize(("number", "found"), STATEMENTS, ids=[f"{row[0]}-{row[1].start()}" for row in STATEMENTS])
def test_the_example_altered_in_one_figure_fails_there(number: int, found: re.Match[str]) -> None:
    lines = EXAMPLE.splitlines()
    altered = str(int(found.group()) + 1)
    lines[number - 1] = found.string[: found.start()] + altered + found.string[found.end() :]
    try:
        told = check(parse_lesson("\n".join(lines), "banana.md")).messages
    except LessonError as error:  # a tie whose size is not that of its list
        told = [str(error)]
    assert [line.partition(": ")[0] for line in told] == [f"banana.md:{number}"]


@pytest.mark.parametrize("section", ["Commands that move", "Commands that look", "Statements"])
def test_the_tables_hold_lines_that_can_be_read(section: str) -> None:
    found = [example.replace("NAME", "hug") for example in examples(section)]
    assert found
    for number, line in enumerate(found, 1):
        assert parse_command(line, number).line == number


def test_the_tables_name_everything() -> None:
    stated = {line.split()[1].rstrip(":") for line in examples("Statements")}
    assert stated == set(SUBJECTS)
    told = [line.split() for name in ("Commands that move", "Commands that look") for line in examples(name)]
    assert {" ".join(words[: 1 + (words[0] == "show")]) for words in told} | {"expect"} == set(COMMANDS)
    with pytest.raises(LessonError) as caught:
        lesson(commands("jump"))
    names = str(caught.value).rpartition("commands are ")[2].split(", ")
    assert {words[0] for words in told} | {"expect"} == set(names)


@pytest.mark.parametrize(
    ("front", "defaults"),
    [
        ("corpus: own", ("first-seen", "spaces", "characters", 100)),
        ("corpus: hug", ("first-seen", "spaces", "characters", 3)),
        ("corpus: text", ("first-seen", "gpt2", "seen-bytes", 100)),
        ("corpus: course-en", ("first-seen", "gpt2", "seen-bytes", 19)),
    ],
)
def test_the_defaults_are_those_of_the_table(front: str, defaults: tuple[str, str, str, int]) -> None:
    body = "```words own\na 1\n```\n\n```corpus text\na b\n```\n"
    trainer = Walk(lesson(body, f"---\ntitle: x\nlanguage: en\n{front}\n---\n")).trainer
    options = trainer.options
    assert (options.ties, options.pre_tokenizer, options.alphabet, trainer.target) == defaults
    row = next(row for row in SECTIONS["The file"].splitlines() if f"`{options.preset}`" in row and row.startswith("|"))
    assert all(f"`{value}`" in row for value in defaults[:3])
