"""`bpe-tui lesson`: listing, printing, checking."""

import json
import os
import re
import threading
from pathlib import Path

import pytest

from bpe_tui.core import i18n as language
from bpe_tui.core.display import width
from bpe_tui.lessons import library
from bpe_tui.lessons.library import LessonEntry, all_entries
from bpe_tui.lessons.reading import read_lesson
from bpe_tui.lessons.results import TextTable
from bpe_tui.lessons.walk import Walk
from tests.cli.running import done, run
from tests.lessons.making import FRONT, commands

BUNDLED = [pytest.param(entry, id=f"{entry.language}-{entry.number}") for entry in all_entries()]
TRY = """\
Read `u g` *now*.

```note
Breathe.
```

## Do

```bpe
step
encode "a b"
show pairs 2
```

```words mine
ab 3
```

---

```ask
Which?
- [x] this `one`
- that
  wrong: It is *far*.
hint: Look.
explain: So.
```
"""


@pytest.fixture(autouse=True)
def _no_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was read yet, whoever runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "try.md"
    path.write_text(FRONT + TRY, encoding="utf-8")
    return path


def test_the_list() -> None:
    for arguments in (("lesson",), ("lesson", "--list")):
        assert re.search(r"^ *1  what-bpe-is +[0-9]+  What BPE is: ", done(*arguments).text, re.MULTILINE)
    listed = done("lesson", "--list", "--json").json
    assert [one["name"] for one in listed][:2] == ["why-tokens", "what-bpe-is"]
    assert [one["number"] for one in listed] == list(range(17))


def test_a_lesson_as_text(file: Path) -> None:
    assert done("lesson", file, "--print").text == (
        "A try\n=====\n\nRead `u g` *now*.\n\nDo\n--\n\n"
        '    Merged u + g → ug: 20 replacements in 3 words.\n    "a b" → [UNK] b\n\n'
        "    place  pair    token  count\n        1  u + n   un        16\n        2  h + ug  hug       15  new\n"
        "    … and 4 more\n\n"
        "Corpus mine:\n\n    ab 3\n\n"
        "Question 1. Which?\n\n  a) this `one`\n  b) that\n\nHint: Look.\n\n"
        "Answers\n-------\n\nQuestion 1. a) this one. So.\n\nb) that: It is *far*.\n"
    )
    assert "Note: Breathe.\n" in done("lesson", file, "--print", "--notes").text


def test_a_lesson_as_markdown(file: Path) -> None:
    assert done("lesson", file, "--print", "--format", "markdown").text == (
        "# A try\n\nRead `u g` *now*.\n\n## Do\n\n"
        '> Merged u + g → ug: 20 replacements in 3 words.\n\n> "a b" → \\[UNK\\] b\n\n'
        "| place | pair | token | count |   |\n| --: | :-- | :-- | --: | :-- |\n"
        "| 1 | u + n | un | 16 |   |\n| 2 | h + ug | hug | 15 | new |\n\n… and 4 more\n\n"
        "Corpus mine:\n\n```text\nab 3\n```\n\n---\n\n"
        "**Question 1.** Which?\n\n- a) this `one`\n- b) that\n\n**Hint:** Look.\n\n"
        "## Answers\n\n**Question 1. a) this one.** So.\n\n**b) that:** It is *far*.\n"
    )


def test_a_lesson_in_french_keeps_numbers_and_marks_together(tmp_path: Path) -> None:
    path = tmp_path / "essai.md"
    text = "Les mots du corpus, et la suite de cette phrase qui continue encore un peu {corpus} : 10 251 000 fois."
    question = "```ask\nCombien ?\n\n- 1\n  wrong: Non.\n- 10251\n\nanswer: corpus\n```\n"
    question += "\n---\n\n```ask\nCombien ?\n\nanswer: corpus\n```\n"
    path.write_text(f"---\ntitle: Essai\nlanguage: fr\ncorpus: story\n---\n\n{text}\n\n{question}", encoding="utf-8")
    printed = done("lesson", path, "--print", "--lang", "fr").text
    assert "un peu\n10 251 : 10 251 000 fois.\n" in printed
    assert printed.endswith("Question 1. b) 10251.\n\na) 1 : Non.\n\nQuestion 2. 10 251.\n")


def altered(statement: str) -> str:
    """The statement with one figure altered; where there is none, with something that cannot be true."""
    found = re.search(r"(\d+)(?= times| pairs$|$)", statement)
    if found is not None:
        return statement[: found.start()] + str(int(found[1]) + 1) + statement[found.end() :]
    subject = statement.split()[1].rstrip(":")
    if subject in ("merge", "next", "winner"):
        return f"{statement}, 987654321 times"
    other = {"tie": "2 pairs", "stop": "base-too-large", "parting": "987654321"}.get(subject, "else where")
    return f"{statement.rpartition(': ')[0]}: {other}"


def statements(entry: LessonEntry) -> tuple[str, ...]:
    """The lines of a lesson that state something."""
    return tuple(line for line in entry.file.path.read_text(encoding="utf-8").split("\n") if line.startswith("expect "))


ENGLISH = {entry.number: statements(entry) for entry in all_entries() if entry.language == "en"}
STATING = [
    pytest.param(entry, id=f"{entry.language}-{entry.number}")
    for entry in all_entries()
    if entry.language == "en" or statements(entry) != ENGLISH[entry.number]
]
"""A translation that states just what the English lesson does would fail in the same way."""


@pytest.mark.parametrize("entry", STATING)
def test_each_statement_in_a_bundled_lesson_fails_once_it_is_altered(entry: LessonEntry, tmp_path: Path) -> None:
    lines = entry.file.path.read_text(encoding="utf-8").split("\n")
    stated = [number for number, line in enumerate(lines, 1) if line.startswith("expect ")]
    for number in stated:
        lines[number - 1] = altered(lines[number - 1])
    path = tmp_path / "altered.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    result = run("lesson", "--check", "--lenient", path)
    assert result.status == 1
    assert [int(line.removeprefix(f"{path}:").partition(":")[0]) for line in result.text.splitlines()] == stated


@pytest.mark.parametrize("entry", BUNDLED)
def test_bundled_lessons_print_without_escapes_in_lines_that_fit(entry: LessonEntry) -> None:
    text = done("lesson", entry.file.path, "--print", "--notes").text
    assert not re.search(r"[^\n -~\u00a1-\uffff]", text)
    assert [line for line in text.splitlines() if width(line) > 80] == []


@pytest.mark.parametrize("entry", [param for param in BUNDLED if str(param.id).startswith("en")])
def test_bundled_lessons_are_markdown_with_all_their_tables(entry: LessonEntry) -> None:
    text = done("lesson", entry.file.path, "--print", "--format", "markdown").text
    assert text.startswith(f"# {entry.file.front().title}\n")
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    walk = Walk(read_lesson(entry.file))
    shown = [result for page in range(len(walk.lesson.pages)) for result in walk.goto(page).results]
    assert len(tables) == sum(isinstance(output, TextTable) for result in shown for output in result.outputs)
    for table in tables:
        assert len({row.replace("\\|", "").count("|") for row in table.splitlines()}) == 1
    assert not re.search(r"[^\n -~\u00a0-\uffff]", text)


def test_spaces_that_must_not_break_do_not(tmp_path: Path) -> None:
    path = tmp_path / "fr.md"
    words = "mot " * 18
    path.write_text(FRONT.replace(": en", ": fr") + f"{words}encores\u202f? « \u00a0»\n", encoding="utf-8")
    assert done("lesson", path, "--print").text.split("\n\n")[1] == f"{words.rstrip()}\nencores ? «  »\n"
    assert "encores\u00a0?" in done("lesson", path, "--print", "--format", "markdown").text


def test_no_line_begins_with_a_mark_that_follows_a_space(tmp_path: Path) -> None:
    path = tmp_path / "fr.md"
    for words, mark in (("mot " * 19 + "mots", "?"), ("mot " * 19 + "`mot`", ";"), ("слов " * 15 + "слово", "— да")):
        path.write_text(FRONT.replace(": en", ": fr") + f"{words} {mark}\n", encoding="utf-8")
        first, second = done("lesson", path, "--print").text.split("\n\n")[1].splitlines()
        assert (first, second) == (words.rpartition(" ")[0], f"{words.rpartition(' ')[2]} {mark}")


def test_a_language_without_lessons_shows_the_english_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    for name in ("en/1-one.md", "en/2-two.md", "fr/2-two.md", "fr/readme.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FRONT.replace("language: en", f"language: {name[:2]}") + "Hi.", encoding="utf-8")
    listed = done("--lang", "fr", "lesson", "--list", "--json").json
    assert [(one["number"], one["name"], one["language"]) for one in listed] == [(1, "one", "en"), (2, "two", "fr")]
    language.use("en")


def test_a_table_that_is_too_wide_is_narrowed(tmp_path: Path) -> None:
    path = tmp_path / "wide.md"
    words = f"```words long\n{'ab' * 40} 2\n```\n"
    path.write_text(
        FRONT + words + commands("open long merges=9", "goto 5", "show words", "show merges 1"), encoding="utf-8"
    )
    lines = done("lesson", path, "--print").text.splitlines()[7:]  # the corpus itself is as it is
    assert max(map(len, lines)) <= 80
    place = lines.index("    count  word")
    assert lines[place + 1 : place + 3] == [
        f"        2  {'ab' * 16} {'ab' * 16}",
        " " * 11 + "ab" * 8,
    ]
    assert lines[-4:-1] == [
        "    merge  pair                  token                 counted  replaced  tied",
        "        5  abababababababab +    abababababababababab        8         4     -",
        "           abababababababab      abababababab",
    ]


def test_without_utf8_the_rest_is_escaped(file: Path) -> None:
    result = run("lesson", file, "--print", encoding="ascii")
    assert (result.status, result.stderr) == (0, "")
    assert b"Merged u + g \\u2192 ug" in result.stdout


def test_untrusted_text_does_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "bad.md"
    body = "a\x1b[2J `\x9b` [x](http://\x1b)\n\n## \x1b\n\n```\n\x1b\u202e\n```\n\n" + commands('encode "\x1b[0m"')
    path.write_text(FRONT.replace("A try", "A\x1btry") + body, encoding="utf-8")
    for form in ("text", "markdown"):
        assert not re.search(
            r"[^\n -~\u00a1-\u2029\u202f-\uffff]", done("lesson", path, "--print", "--format", form).text
        )


def test_all_bundled_lessons_are_true() -> None:
    assert re.fullmatch(
        r"\d+ lessons?, [\d,]+ statements, [\d,]+ figures in prose: all are true\.\n", done("lesson", "--check").text
    )


def test_a_lesson_that_is_not_true(file: Path) -> None:
    file.write_text(FRONT + "Hi.\n\n" + commands("step", "expect merge 1: u + g → ug, 21 times"), encoding="utf-8")
    told = f"{file}:12: expected merge 1: u + g → ug, 21 times, but it is u + g → ug, 20 times\n"
    result = run("lesson", "--check", "--lenient", file)
    assert (result.status, result.text, result.stderr) == (1, told, "")
    printed = run("lesson", "--print", file)
    assert (printed.status, printed.stderr) == (0, f"note: {told}")


def test_a_lesson_that_cannot_be_read(file: Path) -> None:
    file.write_text(FRONT + "Hi.\n\n" + commands("jump"), encoding="utf-8")
    for flag in ("--check", "--print"):
        assert run("lesson", flag, file).error.startswith(f"{file}:11: there is no command 'jump'")


def test_names() -> None:
    assert (
        done("lesson", "--print", "1").text
        == done("lesson", "--print", "what-bpe-is").text
        == done("lesson", "1-what-bpe-is", "--print").text
    )
    assert run("lesson", "--print", "none-such").error.startswith("there is no lesson 'none-such', and no such file;")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--list", "--check"), "--list, --print and --check each do another thing"),
        (("1", "--format", "text"), "give --print as well"),
        (("1", "--notes"), "give --print as well"),
        (("1", "--print", "--format", "html"), "--format 'html' is not one of text, markdown"),
        (("--print",), "--print needs the name of a lesson"),
        (("--list", "1"), "--list lists all lessons"),
        (("--json", "1"), "--json lists the lessons"),
        (("1",), "use bpe-tui lesson NAME --print"),
        (("--record", "x.cast"), "--record plays one lesson and writes it; give its name"),
        (("1", "--print", "--record", "x.cast"), "--record plays one lesson"),
        (("1", "--size", "80x24"), "give --record as well"),
        (("1", "--record", "x.gif"), "--record x.gif: give a file that ends in .cast, or a folder"),
        (("1", "--record", "no/such.cast"), "--record no/such.cast: there is no folder to put it in"),
        (("1", "--record", "x.cast", "--size", "20x400"), "--size '20x400' is not columns x rows such as 80x24"),
        (("1", "--record", "x.cast", "--theme", "pink"), "there is no theme 'pink'"),
    ],
)
def test_requests_that_make_no_sense(arguments: tuple[str, ...], told: str) -> None:
    assert told in run("lesson", *arguments).error


def test_a_lesson_is_read_from_a_pipe_and_no_device_without_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("---\n", encoding="utf-8"))
    writer.start()
    assert run("lesson", "--check", pipe).error.startswith(f"{pipe}:1: ")
    writer.join()
    assert "more than 16 MB" in run("lesson", "--check", "/dev/zero").error


def test_progress_is_listed_exported_and_imported(tmp_path: Path) -> None:
    first = done("lesson", "--list", "--json").json[0]
    assert (first["furthest_page"], first["right_answers"]) == (0, 0)
    progress = {"furthest": first["pages"] - 1, "answers": {}, "outcomes": {}}
    name = f"{first['language']}-{first['name']}"
    value = {
        "kind": "bpe-tui lesson progress",
        "version": 1,
        "lessons": {name: progress},
        "challenges": {"one-token": 4},
    }
    file = tmp_path / "progress.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    assert done("lesson", "--import", file).stderr == f"note: {file}: progress in 1 lesson\n"
    assert re.search(rf"✓ 0/{first['questions']} +{first['minutes']} ", done("lesson", "--list").text)
    again = tmp_path / "again.json"
    done("lesson", "--export", again)
    assert json.loads(again.read_bytes()) == value
    file.write_text("{", encoding="utf-8")
    assert run("lesson", "--import", file).error == f"{file}: not a file of lesson progress, not even JSON"
    assert "none.json cannot be read" in run("lesson", "--import", tmp_path / "none.json").error
    assert "give one of them alone" in run("lesson", "ties", "--export", again).error
