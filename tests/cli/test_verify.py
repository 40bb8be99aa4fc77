"""`bpe-tui train --verify`: held to the package `tokenizers`, which must agree and must be able to disagree."""

import sys
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from bpe_tui.cli.commands.verify import Verification, verify
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.training.trainer import Trainer
from tests.cli.running import done, run


@pytest.mark.parametrize(
    "arguments",
    [
        ["hug", "--ties", "lowest-id", "--merges", "9"],
        ["banana", "--ties", "lowest-id", "--merges", "9"],
        ["course-fr", "--ties", "lowest-id"],
        ["story", "--preset", "huggingface", "--vocab-size", "500"],
        ["story", "--preset", "huggingface", "--pre-tokenizer", "cl100k", "--merges", "150"],
        ["story", "--preset", "huggingface", "--pre-tokenizer", "o200k", "--alphabet", "characters", "--merges", "150"],
        [
            "story",
            "--preset",
            "huggingface",
            "--pre-tokenizer",
            "metaspace",
            "--alphabet",
            "characters",
            "--merges",
            "99",
        ],
        ["story", "--preset", "huggingface", "--pre-tokenizer", "none", "--documents", "files", "--merges", "99"],
        ["story", "--preset", "huggingface", "--pattern", r"\w+", "--min-frequency", "3", "--vocab-size", "9000"],
        ["code", "--preset", "huggingface", "--specials-in-corpus", "cut", "--special", "self", "--merges", "99"],
        ["unicode", "--preset", "huggingface", "--vocab-size", "300", "--alphabet", "seen-bytes"],
        ["story", "--preset", "huggingface", "--vocab-size", "9"],
        ["story", "--preset", "huggingface", "--max-token-length", "5", "--initial-alphabet", "é", "--merges", "150"],
        ["code", "--ties", "lowest-id", "--alphabet", "characters", "--limit-alphabet", "20", "--merges", "90"],
    ],
)
def test_it_agrees(arguments: list[str]) -> None:
    result = done("train", *arguments, "--verify")
    assert result.text.splitlines()[-1].startswith(f"Verified: tokenizers {tokenizers.__version__} learns the same")
    plain = done("train", *arguments)
    assert result.text.startswith(plain.text)
    report = done("train", *arguments, "--verify", "--json").json
    assert report["verified"] == {
        "tokenizers": tokenizers.__version__,
        "equal": True,
        "merges": len(report["merges"]),
        "difference": None,
    }


def test_merges_that_make_a_token_again_are_understood(tmp_path: Path) -> None:
    corpus = tmp_path / "again.tsv"
    corpus.write_text("abc\t9\nab\t1\nxbc\t8\nxabc\t7\n", encoding="utf-8")
    for merges in range(1, 8):
        result = run("train", corpus, "--ties", "lowest-id", "--special", "abc", "--merges", merges, "--verify")
        assert result.status == 0, result.text


def trained(name: str, **overrides: Any) -> tuple[Trainer, Verification]:
    corpus = find_corpus([name])
    trainer = Trainer(count_words(corpus, options := options_for(corpus, **overrides)), options)
    return trainer, _verified(trainer, name)


def _verified(trainer: Trainer, name: str) -> Verification:
    trainer.run()
    return verify(trainer, find_corpus([name]))


def test_a_difference_is_found_and_told() -> None:
    _, verdict = trained("course-en", ties="first-seen")
    assert verdict.difference == "merges e + r where merge 2 here is i + s"
    assert verdict.sentence.startswith("Not verified: tokenizers ")
    assert verdict.as_dict()["equal"] is False


def test_a_choice_of_ones_own_is_a_difference() -> None:
    corpus = find_corpus(["hug"])
    options = options_for(corpus, ties="lowest-id", merges=2)
    trainer = Trainer(count_words(corpus, options), options)
    row = trainer.pairs(0, 3)[2]
    trainer.choose(row.left_id, row.right_id)
    difference = _verified(trainer, "hug").difference
    assert difference is not None
    assert f"merge 1 here is {row.left} + {row.right}" in difference


def test_a_difference_ends_in_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_tui.cli.commands.verify._difference", lambda *_: "does something else")
    result = run("train", "hug", "--ties", "lowest-id", "--verify")
    assert result.status == 1
    assert result.text.endswith(f"Not verified: tokenizers {tokenizers.__version__} does something else.\n")


def test_without_the_package_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert ".[hf]" in run("train", "hug", "--ties", "lowest-id", "--verify").error


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["hug"], ["lowest-id", "first-seen"]),
        (["story", "--preset", "minbpe", "--ties", "lowest-id"], ["bytes"]),
        (["paper", "--ties", "lowest-id"], ["--end-of-word"]),
        (["-", "--ties", "lowest-id"], ["stdin"]),
        (["story", "--ties", "lowest-id", "--pattern", "(?r)a"], ["tokenizers cannot cut"]),
    ],
)
def test_what_cannot_be_verified_is_one_sentence(arguments: list[str], named: list[str]) -> None:
    error = run("train", *arguments, "--verify").error
    for part in named:
        assert part in error


def test_a_table_too_large_to_write_out_is_one_sentence(tmp_path: Path) -> None:
    corpus = tmp_path / "huge.tsv"
    corpus.write_text("abc\t4000000000\n", encoding="utf-8")
    assert "12,000,000,000" in run("train", corpus, "--ties", "lowest-id", "--verify").error
