"""A lesson that plays by itself: the same bytes each time, a recording that a terminal can play, a picture a pause."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pyte
import pytest

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.recording import MOST, Pause, cast, film_lesson, pictures, write
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
    assert all(1 <= later - sooner <= MOST for sooner, later in pairwise(times))

    terminal = pyte.Screen(*SIZE)
    stream = pyte.Stream(terminal)
    screens = []
    for _time, kind, data in events:
        assert kind == "o"
        stream.feed(data)
        screens.append("\n".join(terminal.display))
    assert len(screens) == len(first) + 1
    told = ["Read this, and that", "Letters", "Which pair is merged next?", "Your answer ▸  u + g", "✓ Right: u + g"]
    for sign in (*told, "Which token is new?", "✓ B  ug", "C3 A9"):
        assert any(sign in screen for screen in screens), sign
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
    assert last == [6.0, "o", "\x1b[0m"]
