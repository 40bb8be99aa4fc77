"""`bpe-tui train`: the merge log as a table and as JSON, and the ends of training."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import done, run

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "reference_cases.json").read_text(encoding="utf-8"))
"""Made by running the tools that the presets are named after."""


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_json_gives_the_merges_of_the_tool_that_the_preset_is_named_after(case: dict[str, Any], tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(case["text"], encoding="utf-8", newline="")
    report = done("train", corpus, *case["arguments"], "--json").json
    figures = len(case["merges"][0])  # some tools tell how often a pair was counted and replaced
    names = ("left", "right", "counted", "replaced")[:figures]
    assert [[merge[name] for name in names] for merge in report["merges"]] == case["merges"]
    for name in ("words", "alphabet", "vocab"):
        if name in case:
            assert report[name] == case[name]


def test_json_of_hug_is_exactly_this() -> None:
    report = done("train", "hug", "--json").json
    assert list(report) == ["preset", "options", "words", "alphabet", "vocab", "merges", "stopped"]
    assert report["preset"] == "toy"
    assert report["words"] == [["hug", 10], ["pug", 5], ["pun", 12], ["bun", 4], ["hugs", 5]]
    assert report["alphabet"] == ["b", "g", "h", "n", "p", "s", "u"]
    assert report["vocab"] == ["b", "g", "h", "n", "p", "s", "u", "ug", "un", "hug"]
    assert report["merges"] == [
        {"left": "u", "right": "g", "token": "ug", "id": 7, "counted": 20, "replaced": 20, "tied": 1},
        {"left": "u", "right": "n", "token": "un", "id": 8, "counted": 16, "replaced": 16, "tied": 1},
        {"left": "h", "right": "ug", "token": "hug", "id": 9, "counted": 15, "replaced": 15, "tied": 1},
    ]
    assert report["stopped"] == "merges"
    assert report["options"] == {
        "documents": "lines",
        "pre_tokenizer": "spaces",
        "pattern": None,
        "alphabet": "characters",
        "raw_byte_ids": False,
        "end_of_word": "",
        "end_of_word_style": "suffix",
        "ties": "first-seen",
        "specials": [],
        "specials_in_corpus": "cut",
        "unk": "[UNK]",
        "min_frequency": 1,
        "max_token_length": None,
        "limit_alphabet": None,
        "initial_alphabet": "",
        "protected": [],
        "seed_tokens": [],
        "vocab_size": None,
        "merges": 3,
    }


def test_the_table_of_hug_is_aligned_and_ends_in_the_stop_sentence() -> None:
    lines = done("train", "hug", "--merges", "6").text.splitlines()
    assert lines[:7] == [
        "#  pair     token  counted  replaced  tied",
        "1  u + g    ug          20        20     -",
        "2  u + n    un          16        16     -",
        "3  h + ug   hug         15        15     -",
        "4  p + un   pun         12        12     -",
        "5  p + ug   pug          5         5     2",
        "6  hug + s  hugs         5         5     -",
    ]
    assert lines[7] == ""
    assert len(lines) == 9


def test_wide_characters_do_not_disturb_the_columns(tmp_path: Path) -> None:
    corpus = tmp_path / "wide.tsv"
    corpus.write_text("日本\t3\nab\t2\n", encoding="utf-8")
    lines = done("train", corpus, "--merges", "2").text.splitlines()
    assert lines[1:3] == ["1  日 + 本  日本         3         3     -", "2  a + b    ab           2         2     -"]


def test_a_merge_of_a_token_that_existed_already_is_marked(tmp_path: Path) -> None:
    corpus = tmp_path / "again.tsv"
    corpus.write_text("abc\t9\nab\t1\nxbc\t8\nxabc\t7\n", encoding="utf-8")
    result = done("train", corpus, "--merges", "3", "--special", "abc")
    marked = [line for line in result.text.splitlines() if "existed" in line]
    assert len(marked) == 1
    assert " abc " in marked[0]
    assert "note: 1 merge makes a token that existed already" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "stopped"),
    [
        (["--merges", "2"], "merges"),
        (["--vocab-size", "9"], "vocab-size"),
        (["--vocab-size", "2"], "base-too-large"),
        (["--merges", "99"], "no-pairs"),
        (["--merges", "99", "--min-frequency", "16"], "min-frequency"),
    ],
)
def test_every_end_of_training_has_its_name_and_a_sentence(arguments: list[str], stopped: str) -> None:
    assert done("train", "hug", *arguments, "--json").json["stopped"] == stopped
    sentence = done("train", "hug", *arguments).text.splitlines()[-1]
    assert sentence.endswith(".")
    assert len(sentence.split()) > 4


def test_a_base_that_is_too_large_is_one_plain_sentence(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_bytes(b"abc")
    result = done("train", corpus, "--vocab-size", "2")
    assert result.text.count("\n") == 1
    assert result.stderr == ""


def test_json_is_utf8_and_not_escaped(tmp_path: Path) -> None:
    result = run("train", "course-fr", "--json", encoding="ascii")
    assert "Ġ" in result.text
    assert "Ã©" in result.text


def test_special_tokens_in_the_corpus_are_reported(tmp_path: Path) -> None:
    corpus = tmp_path / "special.txt"
    corpus.write_text("one<|endoftext|>two\n", encoding="utf-8")
    assert "1 special token was found in the corpus and cut out first" in done("train", corpus).stderr
    learned = done("train", corpus, "--specials-in-corpus", "text")
    assert "learned as plain text" in learned.stderr
    assert " e + n " in learned.text or "en" in learned.text


def test_what_is_in_the_corpus_cannot_reach_the_terminal(tmp_path: Path) -> None:
    corpus = tmp_path / "hostile.tsv"
    corpus.write_bytes("\x1b[31m\t5\n\u202e\u200b\t4\n".encode())
    text = done("train", corpus, "--merges", "5").text
    assert "\x1b" not in text
    assert "␛" in text
    assert "\u202e" not in text


def test_stdin_is_a_corpus() -> None:
    report = done("train", "-", "--merges", "1", "--json", stdin=b"abab abab\n").json
    assert report["words"] == [["abab", 1], ["Ġabab", 1]]


def test_word_counts_from_stdin() -> None:
    report = done("train", "-", "--word-counts", "--json", stdin=b"hug 10\npug 5\n").json
    assert report["preset"] == "toy"
    assert report["words"] == [["hug", 10], ["pug", 5]]


def test_the_progress_bar_is_for_terminals_only(tmp_path: Path) -> None:
    assert done("train", "story").stderr == ""
