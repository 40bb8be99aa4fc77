"""The exercise: solved right, and in many wrong ways; whatever a file does, there is a finding."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.core import i18n
from bpe_tui.core.teaching.exercise import Finding, FindingKind, judge, skeleton
from bpe_tui.core.teaching.exercise_run import MOST_PRINTED, exercise_corpora, run_exercise
from bpe_tui.lessons.library import bundled

COUNT = """\
def count_pairs(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
"""
PICK = """\
def pick(pairs):
    return max(pairs, key=pairs.get)
"""
MERGE = """\
def merge_all(words, pair):
    merged = []
    for word in words:
        tokens, place = [], 0
        while place < len(word):
            if tuple(word[place : place + 2]) == pair:
                tokens.append(word[place] + word[place + 1])
                place += 2
            else:
                tokens.append(word[place])
                place += 1
        merged.append(tokens)
    return merged
"""
RIGHT = COUNT + PICK + MERGE


def run(source: str, *, seconds: float = 5.0) -> Finding:
    return run_exercise(Path("/nowhere/my_bpe.py"), source.encode(), seconds=seconds)


def judged(source: str) -> Finding:
    """The same without a process of its own, for functions that return and leave all else alone."""
    functions: dict[str, Any] = {}
    exec(source, functions)
    return judge(functions, exercise_corpora())


def altered(old: str, new: str) -> str:
    """What is right, changed in one place."""
    assert old in RIGHT
    return RIGHT.replace(old, new, 1)


def place(finding: Finding) -> tuple[str, str, str, int]:
    return str(finding.kind), finding.function, finding.corpus, finding.merge


def test_solved_right() -> None:
    finding = run(RIGHT)
    assert finding.kind is FindingKind.RIGHT
    assert [name for name, _merges in finding.passed] == ["hug", "banana", "runs"]
    assert dict(finding.passed)["hug"] == 7


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_the_file_to_begin_with_is_python_and_returns_nothing_yet(language: str) -> None:
    i18n.use(language)
    try:
        finding = judged(skeleton())
    finally:
        i18n.use("en")
    assert place(finding) == ("nothing", "count_pairs", "hug", 1)


def test_words_that_occur_often_count_once() -> None:
    finding = run(altered("+ count", "+ 1"))
    assert place(finding) == ("differs", "count_pairs", "hug", 1)
    assert (finding.expected, finding.got) == ("('h', 'u'): 15", "('h', 'u'): 2")
    assert finding.given == "h u g ×10 · h u g s ×5"


def test_overlaps_are_left_out() -> None:
    source = COUNT.replace(
        "        for pair in zip(word, word[1:]):\n",
        "        for pair in {(a, b): 0 for a, b in zip(word, word[1:])}:\n",
    )
    finding = judged(source + PICK + MERGE)
    assert place(finding) == ("differs", "count_pairs", "banana", 1)
    assert (finding.expected, finding.got) == ("('b', 'a'): 25", "('b', 'a'): 20")


def test_a_pair_that_is_not_there_is_counted() -> None:
    finding = judged(altered("    return pairs\n", "    pairs['x', 'y'] = 1\n    return pairs\n"))
    assert (finding.expected, finding.got) == ("('x', 'y'): —", "('x', 'y'): 1")


def test_the_last_of_a_tie_is_picked() -> None:
    finding = judged(altered("max(pairs, key=pairs.get)", "max(reversed(pairs), key=pairs.get)"))
    assert finding.function == "pick"
    assert finding.kind is FindingKind.DIFFERS
    assert finding.expected != finding.got


def test_the_order_of_the_counts_decides_a_tie() -> None:
    finding = judged(altered("    return pairs\n", "    return dict(sorted(pairs.items(), reverse=True))\n"))
    assert (finding.kind, finding.function) == (FindingKind.ORDER, "count_pairs")


def test_a_run_is_merged_from_the_right() -> None:
    source = MERGE.replace("in words:", "in [word[::-1] for word in words]:")
    source = source.replace("word[place : place + 2]) == pair", "word[place : place + 2][::-1]) == pair")
    source = source.replace("word[place] + word[place + 1]", "word[place + 1] + word[place]")
    finding = judged(COUNT + PICK + source.replace("append(tokens)", "append(tokens[::-1])"))
    assert place(finding) == ("differs", "merge_all", "banana", 3)
    assert (finding.expected, finding.got) == ("['aa', 'a', 'ab']", "['a', 'aa', 'ab']")


def test_words_are_lost() -> None:
    assert judged(altered("    return merged\n", "    return merged[1:]\n")).expected == "['h', 'ug']"
    assert judged(altered("    return merged\n", "    return merged[:-1]\n")).got == "4 × list"


@pytest.mark.parametrize(
    ("old", "new", "expected", "got"),
    [
        ("    return pairs\n", "    return list(pairs.items())\n", "dict", "list: [(('h', 'u'), 15)"),
        ("return max(pairs, key=pairs.get)", "return ''.join(max(pairs, key=pairs.get))", "tuple", "str: 'ug'"),
        ("    return merged\n", "    return {}\n", "list", "dict: {}"),
        ("merged.append(tokens)", "merged.append(' '.join(tokens))", "list", "str: 'h ug'"),
    ],
)
def test_values_of_another_type(old: str, new: str, expected: str, got: str) -> None:
    finding = judged(altered(old, new))
    assert finding.kind is FindingKind.TYPE
    assert finding.expected == expected
    assert finding.got.startswith(got)


def test_an_exception_is_told_with_the_learners_own_line() -> None:
    finding = run(altered("    return max(pairs, key=pairs.get)", "    first = pairs['h']\n    return first"))
    assert place(finding) == ("raised", "pick", "hug", 1)
    assert (finding.error, finding.code) == ("KeyError: 'h'", "first = pairs['h']")
    assert RIGHT.splitlines()[finding.line - 1].startswith("    return max")


def test_the_line_of_an_exception_in_a_library_is_the_learners() -> None:
    finding = run("import json\n\njson.loads('{')\n" + RIGHT)
    assert (finding.kind, finding.line, finding.code) == (FindingKind.RAISED, 3, "json.loads('{')")


def test_what_is_no_python() -> None:
    finding = run(RIGHT + "\ndef broken(:\n")
    assert (finding.kind, finding.code) == (FindingKind.SYNTAX, "def broken(:")
    assert run("\0").kind is FindingKind.SYNTAX
    assert run("(" * 10_000).kind is FindingKind.SYNTAX


def test_a_function_is_missing() -> None:
    assert place(run(COUNT + MERGE)) == ("missing", "pick", "", 0)
    assert place(judged(COUNT + MERGE + "pick = 3\n")) == ("missing", "pick", "", 0)


@pytest.mark.parametrize(
    ("loop", "line"),
    [("while True: pass", "while True: pass"), ("import time; time.sleep(60)", "import time; time.sleep(60)")],
)
def test_a_loop_without_end(loop: str, line: str) -> None:
    finding = run(RIGHT.replace("    return merged\n", f"    {loop}\n"), seconds=0.5)
    assert place(finding) == ("time", "merge_all", "hug", 1)
    assert finding.code == line


def test_a_loop_that_catches_everything_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_tui.core.teaching.exercise_run.PATIENCE", 0.3)
    source = "while True:\n    try:\n        while True: abs(1)\n    except BaseException: pass\n"
    # So long that the loop has begun: where else the time ends is said with its line.
    assert run(source, seconds=1) == Finding(FindingKind.TIME)


@pytest.mark.parametrize("leave", ["import sys; sys.exit(0)", "raise SystemExit", "import os; os._exit(0)"])
def test_leaving_the_program(leave: str) -> None:
    assert run(RIGHT.replace("    return merged\n", f"    {leave}\n")).kind is FindingKind.EXITED


def test_too_much_memory() -> None:
    finding = run(altered("    return merged\n", "    return bytearray(1 << 40)\n"))
    assert place(finding) == ("memory", "merge_all", "hug", 1)


def test_what_is_printed_is_kept_and_disturbs_nothing() -> None:
    finding = run("import os\nprint('Hello', 1)\nos.write(1, b'{}')\n" + RIGHT)
    assert (finding.kind, finding.printed) == (FindingKind.RIGHT, "Hello 1\n")
    finding = run("print('x' * 10**6)\n" + RIGHT)
    assert (finding.kind, len(finding.printed)) == (FindingKind.RIGHT, MOST_PRINTED)


def test_a_question_to_the_keyboard_is_an_exception() -> None:
    assert run("input()\n").error == "EOFError: EOF when reading a line"


def test_threads_and_changed_arguments_do_no_harm() -> None:
    source = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n"
    changed = RIGHT.replace(
        "    merged = []\n", "    merged = []\n    words = [words.pop(0) for _ in range(len(words))]\n"
    )
    assert run(
        source + changed.replace("    pairs = {}\n", "    counts.append(1); counts.pop()\n    pairs = {}\n")
    ).kind is (FindingKind.RIGHT)


def test_processes_that_a_file_starts_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_tui.core.teaching.exercise_run.PATIENCE", 0.3)
    number = tmp_path / "number"
    fork = (
        "import os, time\nnumber = os.fork()\nif not number: time.sleep(60)\n"
        f"open({str(number)!r}, 'w').write(str(number))\n"
    )
    run(fork + RIGHT, seconds=0.5)
    child = int(number.read_text())
    for _ in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("what the file has started is still there")


def test_the_corpora_are_the_bundled_ones_and_runs() -> None:
    hug, _banana, runs = exercise_corpora()
    assert dict(zip(hug.words, hug.counts, strict=True)) == {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    assert any("aaa" in word for word in runs.words)
    json.dumps([hug.name, runs.name])


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_the_code_in_the_lesson_is_right(language: str) -> None:
    entry = bundled("write-it-yourself", language)
    assert entry is not None
    blocks = re.findall(r"```python\n(.*?)```", entry.file.text(), re.DOTALL)
    wrong = [block for block in blocks if "range(" in block]
    assert len(wrong) == 1
    code = "\n".join(block for block in blocks if block not in wrong)
    assert judged(code).kind is FindingKind.RIGHT
    names: dict[str, Any] = {}
    exec(code, names)
    merges = names["learn"](names["words"], names["counts"], 3)
    assert merges == [("u", "g"), ("u", "n"), ("h", "ug")]
    assert names["encode"]("thug", merges) == ["t", "hug"]
    exec(wrong[0], names)
    with pytest.raises(IndexError):
        names["merge"](["h", "u", "g"], ("h", "u"))
