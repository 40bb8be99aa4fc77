"""The page for the wall is what its command makes, fits its paper, and is true."""

import re
from collections import Counter
from html import unescape
from typing import Any

import pytest

from bpe_tui.cli.app import COMMANDS
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.options import PRESETS, TIE_RULES
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.ui.actions import ACTIONS
from tools.cheat_sheet import ALGORITHM, FILE, HEIGHT, JOIN, LEFT, RIGHT, sheet

SHEET = sheet()
TEXT = re.compile(
    r'<text x="([\d.]+)" y="([\d.]+)" font-family="([^"]+)" font-size="([\d.]+)"[^>]*'
    r'text-anchor="(\w+)"[^>]*>([^<]*)<'
)
TEXTS = [
    (float(x), float(y), family, float(size), anchor, unescape(text))
    for x, y, family, size, anchor, text in TEXT.findall(SHEET)
]
SHOWN = [text for *_place, text in TEXTS]


def test_the_committed_file_is_what_the_command_makes() -> None:
    assert FILE.read_text(encoding="utf-8") == SHEET, "make cheat-sheet makes it anew; look at it before you commit"


def test_it_names_all_that_there_is() -> None:
    assert set(COMMANDS) | set(TIE_RULES) | set(PRESETS) <= set(SHOWN)
    for action in ACTIONS:
        assert action.id.startswith("go_pane") or action.key_text in SHOWN, action.id


def test_it_shows_the_example() -> None:
    assert [text for text in SHOWN if text.startswith("Merge ")] == [
        "Merge 1:  u + g → ug  20 times",
        "Merge 2:  u + n → un  16 times",
        "Merge 3:  h + ug → hug  15 times",
    ]
    assert {"[UNK]", "Done: all 3 merges learned."} <= set(SHOWN)


def test_it_fits_the_paper_and_needs_no_font() -> None:
    assert {family for _x, _y, family, *_rest in TEXTS} == {"monospace", "sans-serif"}
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', SHEET)) == {"#000", "#fff", "none"}
    assert len(TEXTS) == len({(x, y) for x, y, *_rest in TEXTS}) > 150, "two texts at one place"
    commands = {(x, y): len(text) * size * 0.602 for x, y, _family, size, _anchor, text in TEXTS if text in COMMANDS}
    for (x, y), width in commands.items():
        assert all(other <= x or x + width < other for other, base, *_ in TEXTS if base == y), "a command over its text"
    for x, y, family, size, anchor, text in TEXTS:
        width = len(text) * size * (0.602 if family == "monospace" else 0.55)  # of fonts that are rather wide
        begin = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        assert begin >= LEFT - 2, text
        assert begin + width <= RIGHT + 6, text
        assert 30 < y < HEIGHT - 20, text


@pytest.mark.parametrize("corpus", ["hug", "banana"])
def test_its_algorithm_learns_what_the_trainer_learns(corpus: str) -> None:
    names: dict[str, Any] = {"Counter": Counter}
    exec(ALGORITHM + JOIN, names)
    found = find_corpus([corpus])
    options = options_for(found, None)
    counted = count_words(found, options)
    words = {tuple(word): count for word, count in zip(counted.words, counted.counts, strict=True)}
    trainer = Trainer(counted, options)
    trainer.goto(30)
    expected = [(step.merge.left, step.merge.right) for step in trainer.steps]
    assert names["train"](words, 30) == expected
    assert len(expected) > 6
