"""Plain lines of `train` mean what Typer makes of them, and nothing else is taken for one."""

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_tui.cli import commands, train
from bpe_tui.cli.choices import TrainingChoices
from bpe_tui.cli.plain import plain_training

words = st.sampled_from(
    ["hug", "a.txt", "", "3", "007", "-", "--", "-3", "٣", "1_0", "--preset", "--ties", "--vocab-size", "--merges"]
) | st.sampled_from(["--min-frequency", "-o", "--output", "--json", "--merges=3", "-ofile", "--help", "--nonsense"])


def what_typer_asks_for(line: list[str]) -> dict[str, Any]:
    """The training that a line asks for when Typer reads it."""
    asked: list[dict[str, Any]] = []

    def carry_out(corpora: list[str], training: TrainingChoices, **own: Any) -> int:
        asked.append({"corpora": corpora, "training": training, **own})
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train, "carry_out_training", carry_out)
        assert commands.carry_out(line) == 0
    return asked[0]


@settings(max_examples=60)
@given(st.lists(words, max_size=6))
def test_a_plain_line_means_what_typer_makes_of_it(rest: list[str]) -> None:
    line = ["train", *rest]
    plain = plain_training(line)
    if plain is None:
        return
    typers = what_typer_asks_for(line)
    ours, theirs = plain.pop("training"), typers.pop("training")
    assert ours.reading() == theirs.reading()
    assert (ours.word_counts, ours.encoding) == (theirs.word_counts, theirs.encoding)
    assert typers == {**dict.fromkeys(("format_name", "like")), "as_json": False, "verify": False, **plain}


def test_a_line_with_everything_is_plain() -> None:
    line = "train a b --preset huggingface --ties first-seen --vocab-size 300 --min-frequency 2 -o out.json"
    plain = plain_training(line.split())
    assert plain is not None
    assert plain["corpora"] == ["a", "b"]
    assert plain["out"] == "out.json"
    assert plain["training"].reading() == {
        "preset": "huggingface",
        "ties": "first-seen",
        "vocab_size": 300,
        "min_frequency": 2,
    }


@pytest.mark.parametrize(
    "line",
    [
        "",
        "open hug",
        "train",
        "train -",
        "train hug --merges",
        "train hug --merges -3",
        "train hug --merges x",
        "train hug --json",
        "train hug --merges=3",
        "train hug --nonsense 3",
        "--version train hug",
    ],
)
def test_other_lines_are_left_to_typer(line: str) -> None:
    assert plain_training(line.split()) is None


def test_a_plain_line_loads_no_typer() -> None:
    code = (
        "import sys; from bpe_tui.cli.main import main; status = main(['train', 'hug', '--merges', '3']); "
        "print(status, 'typer' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "0 False"
