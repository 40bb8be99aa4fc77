"""A lesson that plays by itself: the same bytes each time, a recording that a terminal can play, a picture a pause."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pyte
import pytest

from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.lessons.reading import parse_lesson
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.recording import (
    CAST,
    LETTERS_PER_SECOND,
    TYPING,
    Pause,
    cast,
    film_lesson,
    film_training,
    parse_keys,
    pictures,
    write,
)
from bpe_tui.ui.session.request import Request
from tests.cli.running import done
from tests.cli.running import run as command
from tests.ui.lessons import tour

SIZE = (80, 24)


async def film() -> list[Pause]:
    return await film_lesson(Walk(tour()), SIZE)


async def test_two_recordings_are_the_same_and_play_in_a_terminal() -> None:
    first, second = await film(), await film()
    recording = cast(first, SIZE, "A tour", "bpe-dark")
    assert recording == cast(second, SIZE, "A tour", "bpe-dark")
    assert pictures(first) == pictures(second)

    header, *events = map(json.loads, recording.decode().splitlines())
    assert (header["version"], header["width"], header["height"], header["title"]) == (2, 80, 24, "A tour")
    assert "timestamp" not in header
    times = [time for time, _kind, _data in events]
    assert times == sorted(times)
    assert all(later - sooner >= TYPING - 0.01 for sooner, later in pairwise(times))

    terminal = pyte.Screen(*SIZE)
    stream = pyte.Stream(terminal)
    screens = []
    for _time, kind, data in events:
        assert kind == "o"
        stream.feed(data)
        screens.append("\n".join(terminal.display))
    assert len(screens) == len(first) + 1
    told = [
        "Read this, and that",
        "Letters",
        "Which pair is merged next?",
        "Your answer ▸  u +",
        "Your answer ▸  u + g",
        "✓ Right: u + g",
    ]
    for sign in (*told, "Which token is new?", "✓ B  ug", "C3 A9"):
        assert any(sign in screen for screen in screens), sign
    assert not terminal.cursor.hidden
    place = next(number for number, screen in enumerate(screens) if "✓ Right: u + g" in screen)
    assert "▸1 u + g" in screens[place]
    assert "▸1" not in screens[place - 1]


def pause(name: str, text: str = "") -> Pause:
    return Pause(name, (text,) * SIZE[1], f"<svg>{name}</svg>", 2.0)


def test_a_folder_holds_a_picture_a_pause_and_keeps_what_is_not_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    assert write(folder, [pause("1"), pause(""), pause("1-answer")], SIZE, "A tour", "bpe-dark") == []
    assert sorted(path.name for path in folder.iterdir()) == ["1-answer.svg", "1.svg"]
    (folder / "notes.txt").write_text("mine")
    assert write(folder, [pause("1")], SIZE, "A tour", "bpe-dark") == [folder / "1-answer.svg"]
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "1.svg").read_text() == "<svg>1</svg>"


def test_what_cannot_be_written_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "folder", tmp_path / "no" / "x.cast"):
        with pytest.raises(TokenizerFileError, match="cannot be"):
            write(path, [pause("1")], SIZE, "A tour", "bpe-dark")
    assert list(tmp_path.iterdir()) == []


def test_only_lines_that_differ_are_sent_again() -> None:
    recording = cast([pause("1", "a"), pause("2", "a"), pause("3", "b")], SIZE, "", "textual-dark")
    _header, first, second, third, last = map(json.loads, recording.decode().splitlines())
    assert first[2].startswith("\x1b[?25l\x1b[2J\x1b[1;1Ha")
    assert (second[0], second[2]) == (2.0, "")
    assert third[2].count("b") == SIZE[1]
    assert last == [6.0, "o", "\x1b[0m\x1b[24;1H\x1b[?25h"]  # the cursor is back, below


MERGES = "---\ntitle: Merges\nlanguage: en\ncorpus: hug\n---\n\nNow.\n\n---\n\n```bpe\ngoto 3\n```\n\n" + "word " * 135


async def test_merges_pass_one_after_another_and_pages_are_up_as_long_as_reading_takes() -> None:
    pauses = await film_lesson(Walk(parse_lesson(MERGES)), SIZE)
    passing = [pause for pause in pauses if not pause.name]
    assert [f"merge {number}/3" in "".join(pause.lines) for number, pause in enumerate(passing)] == [True] * 3
    assert not any("wandered" in "".join(pause.lines) for pause in pauses)
    last = [pause for pause in pauses if pause.name.startswith("2")]
    assert "merge 3/3" in "".join(last[0].lines)
    assert sum(pause.seconds for pause in last) > 135 * 4 / LETTERS_PER_SECOND > 40


def asking(question: str) -> str:
    return MERGES.replace("word " * 135, f"```ask\nHow many?\nanswer: {question}\n```\n")


async def test_merges_that_would_answer_do_not_pass() -> None:
    pauses = await film_lesson(Walk(parse_lesson(asking("merges"))), SIZE)
    before = [pause for pause in pauses if "Right" not in "".join(pause.lines)]
    assert not any("merge 1/3" in "".join(pause.lines) or "merge 3/3" in "".join(pause.lines) for pause in before)


def test_keys_are_names_letters_and_words() -> None:
    assert parse_keys("space  e thug 'up' ESC") == [
        ("space", False),
        ("e", False),
        *((letter, True) for letter in "thug"),
        *((letter, True) for letter in "up"),
        ("escape", False),
    ]
    for text in ("", "  ", "shift+x"):
        with pytest.raises(OptionError, match="--keys"):
            parse_keys(text)


def training() -> BpeApp:
    return BpeApp(*Request(("hug",)).find())


async def test_free_training_is_recorded_the_same_each_time() -> None:
    keys = parse_keys("space space e thug esc")
    first, second = [await film_training(training(), keys, SIZE, pace=2.0) for _time in range(2)]
    assert first == second
    assert [pause.seconds for pause in first] == [2.0] * 4 + [TYPING] * 3 + [2.0] * 2
    screens = ["".join(pause.lines) for pause in first]
    assert ["merge 0/3" in screens[0], "merge 1/3" in screens[1], "merge 2/3" in screens[2]] == [True] * 3
    assert "[UNK]" in screens[7]
    assert [pause.name for pause in first][:2] == ["0", "1"]
    assert all(b'<svg xml:space="preserve" ' in picture for picture in pictures(first).values())


async def test_what_plays_by_the_clock_is_refused_and_quitting_ends_the_recording() -> None:
    with pytest.raises(OptionError, match="playing follows the clock"):
        await film_training(training(), parse_keys("p space"), SIZE)
    assert len(await film_training(training(), parse_keys("space q space"), SIZE)) == 2


def test_the_command_records_keys(tmp_path: Path) -> None:
    path = tmp_path / f"demo{CAST}"
    run = ("open", "hug", "--record", path, "--keys", "space u", "--pace", "1", "--size", "80x24")
    assert done(*run).stderr == ""
    first = path.read_bytes()
    done(*run)
    assert path.read_bytes() == first
    header, *events = map(json.loads, first.splitlines())
    assert (header["width"], [time for time, _kind, _data in events]) == (80, [0, 1, 2, 3])
    assert "give --record as well" in command("open", "hug", "--keys", "space").error
    assert "give --keys as well" in command("open", "hug", "--record", path).error
    assert "playing follows the clock" in command("open", "hug", "--record", path, "--keys", "p").error
    assert path.read_bytes() == first
