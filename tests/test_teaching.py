"""docs/teaching.md is true: its commands are accepted, its keys do what it says, its lessons are those there are."""

import re
import shlex
from pathlib import Path

import pytest

from bpe_tui.lessons.library import entries
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.lesson.actions import LESSON_ACTIONS
from tests.cli.running import done, run

PAGE = (Path(__file__).parents[1] / "docs" / "teaching.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
LINES = [line.partition("  #")[0].strip() for block in BLOCKS for line in block.splitlines()]
INLINE = [text for text in re.findall(r"`(bpe-tui [^`]+)`", PAGE) if text not in LINES]
NEED_SCREEN = "the app needs a terminal; "


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("line", [line for line in [*LINES, *INLINE] if "serve" not in line])
def test_each_command_is_accepted(line: str) -> None:
    before, pipe, command = line.partition(" | ") if " | " in line else ("", "", line)
    words = shlex.split(command)
    assert words[0] == "bpe-tui"
    if "--import" in words:
        done("lesson", "--export", words[-1])
    if words[1] == "exercise":
        assert set(words[2:]) <= {"my_bpe.py", "--once"}  # tests/cli/test_exercise.py runs it; it waits for a save
        return
    stdin = shlex.split(before)[1].replace("\\n", "\n").encode() if pipe else b""
    result = run(*words[1:], stdin=stdin)
    if result.status == 2 and words[1] in ("open", "lesson") and "--plain" not in words:
        assert result.error.startswith(NEED_SCREEN)
    else:
        assert result.status == 0, result.stderr
        assert result.text or "--export" in words or "--import" in words


def test_the_pipe_answers_what_the_page_shows_it_for() -> None:
    assert "2 tokens: [UNK] hug" not in done("open", "hug", "--plain", stdin=b"n\nn\nencode thug\n").text
    assert "3 tokens: [UNK] h ug" in done("open", "hug", "--plain", stdin=b"n\nn\nencode thug\n").text


def test_the_options_of_serve_exist() -> None:
    help_text = done("serve", "--help").text
    found = {word for line in LINES if "serve" in line for word in line.split() if word.startswith("--")}
    assert {"--host", "--lesson", "--clients", "--theme"} == found
    assert all(word in help_text for word in found)


def test_the_lessons_are_those_there_are() -> None:
    rows = re.findall(r"^\| (\d+) ([a-z0-9-]+) \| (\d+) \| [^|]+\? \| [^|]+\. \|$", PAGE, re.MULTILINE)
    bundled = [(str(entry.number), entry.slug, str(entry.file.front().minutes)) for entry in entries("en")]
    assert rows == bundled


def test_the_keys_do_what_the_page_says() -> None:
    keys = {key: action.id for action in (*ACTIONS, *LESSON_ACTIONS) for key in action.keys}
    said = {
        "z": "zoom", "1": "go_pane(1)", "5": "go_pane(5)", "6": "go_pane(6)", "s": "phase", "p": "play",
        "minus": "slower", "plus": "faster", "y": "turn", "Y": "challenges", "e": "encode", "u": "undo", "t": "ties",
    }  # fmt: skip
    assert {key: keys[key] for key in said} == said
    assert next(action.keys for action in LESSON_ACTIONS if action.id == "notes") == ("c",)
