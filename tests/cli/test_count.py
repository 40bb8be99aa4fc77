"""`bpe-tui count`: tables of words, and what training makes of them."""

import json
from pathlib import Path

import pytest

from tests.cli.running import done, run

TEXTS = {
    "b.txt": "the cat and the hat\nthe end",
    "a/one.txt": "one cat, two hats\r\n\nand  spaces\n",
    "a/two.txt": "été 12 été\n<|endoftext|>done\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a few texts."""
    for name, text in TEXTS.items():
        path = tmp_path / "texts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return tmp_path / "texts"


def test_the_words_stand_in_order_of_first_appearance() -> None:
    result = done("count", "-", stdin=b"the cat\nthe hat the end\n")
    assert result.stdout == b"the\t2\n cat\t1\n hat\t1\n the\t1\n end\t1\n"
    assert result.stderr == ""
    assert done("count", "-", "-o", "-", stdin=b"the cat\nthe hat the end\n").stdout == result.stdout


def test_the_words_are_cut_as_training_cuts_them() -> None:
    counted = done("count", "-", "--pre-tokenizer", "whitespace", stdin="Ça va, ça va.".encode()).text
    assert counted.splitlines() == ["Ça\t1", "va\t2", ",\t1", "ça\t1", ".\t1"]
    assert done("count", "-", "--pattern", "a+", stdin=b"baab aa a").text == "aa\t2\na\t1\n"
    assert done("count", "-", "--preset", "subword-nmt", stdin=b"a  b a").text == "a\t2\nb\t1\n"
    assert done("count", "-", "--special", "<x>", stdin=b"a<x>a").text == "a\t2\n"
    assert done("count", "-", "--special", "<x>", "--specials-in-corpus", "text", stdin=b"a<x>a").text == (
        "a\t2\n<\t1\nx\t1\n>\t1\n"
    )


@pytest.mark.parametrize("suffix", ["tsv", "json"])
@pytest.mark.parametrize("preset", ["course", "huggingface", "minbpe", "subword-nmt"])
def test_training_on_the_table_of_a_folder_is_training_on_the_folder(folder: Path, preset: str, suffix: str) -> None:
    table = folder.parent / f"counts.{suffix}"
    common = ("--preset", preset)
    result = run("count", folder, *common, "-o", table)
    if suffix == "tsv" and preset in ("huggingface", "minbpe"):  # these have words with newlines
        assert "newline" in result.error
        assert ".json" in result.error
        assert not table.exists()
        return
    assert result.status == 0
    assert result.stdout == b""
    from_table = done("train", table, *common, "--merges", "30", "--json").json
    from_text = done("train", folder, *common, "--merges", "30", "--json").json
    assert from_table == from_text
    assert len(from_text["merges"]) > 5


def test_a_table_brings_the_preset_toy(folder: Path) -> None:
    done("count", folder, "-o", folder.parent / "counts.tsv")
    assert done("train", folder.parent / "counts.tsv", "--json").json["preset"] == "toy"


def test_json_holds_words_with_tabs_and_newlines(tmp_path: Path) -> None:
    table = tmp_path / "counts.json"
    done("count", "-", "--pattern", r"[ab\s]+", "-o", table, stdin=b"a\tbca\tbxa b")
    assert json.loads(table.read_text(encoding="utf-8")) == {"a\tb": 2, "a b": 1}
    assert done("train", table, "--merges", "0", "--json").json["words"] == [["a\tb", 2], ["a b", 1]]


def test_a_tsv_refuses_a_word_by_name_and_leaves_the_old_file(tmp_path: Path) -> None:
    table = tmp_path / "counts.tsv"
    table.write_text("old\t1\n", encoding="utf-8")
    error = run("count", "-", "--pre-tokenizer", "none", "-o", table, stdin=b"plain\na\tb\n").error
    assert r"'a\tb'" in error
    assert "TAB" in error
    assert ".json" in error
    assert [path.name for path in tmp_path.iterdir()] == ["counts.tsv"]
    assert table.read_text(encoding="utf-8") == "old\t1\n"
    assert r"'a\tb'" in run("count", "-", "--pre-tokenizer", "none", stdin=b"a\tb\n").error


def test_bounds_are_exact_and_told() -> None:
    text = b"d c c b b a a a e\n"
    result = done("count", "-", "--pre-tokenizer", "spaces", "--top", "2", stdin=text)
    assert result.text == "c\t2\na\t3\n"  # b occurs as often as c, but later
    assert result.stderr == "note: 3 words with 4 occurrences left out\n"
    assert done("count", "-", "--pre-tokenizer", "spaces", "--min-count", "2", stdin=text).text == "c\t2\nb\t2\na\t3\n"
    both = done("count", "-", "--pre-tokenizer", "spaces", "--min-count", "2", "--top", "9", stdin=text)
    assert both.text == "c\t2\nb\t2\na\t3\n"


def test_tables_are_added_up(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("hug\t10\npug\t5\n", encoding="utf-8")
    (tmp_path / "b.json").write_text('{"pun": 1, "hug": 2}', encoding="utf-8")
    assert done("count", tmp_path / "a.tsv", tmp_path / "b.json").text == "hug\t12\npug\t5\npun\t1\n"
    assert done("count", "hug", "--top", "1").text == "pun\t12\n"


def test_a_terminal_sees_stand_ins() -> None:
    result = run("count", "-", "--preset", "huggingface", stdin=b"a\x1b[2J b\n", terminal=True)
    assert result.status == 0
    assert "\x1b[2J" not in result.text
    assert "␣b\t1\n" in result.text
    assert "␊\t1\n" in result.text


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], ["INPUT"]),
        (["no-such.txt"], ["no-such.txt"]),
        (["x.txt", "--top", "0"], ["--top 0"]),
        (["x.txt", "--min-count", "0"], ["--min-count 0"]),
        (["x.txt", "-o", "counts.csv"], ["counts.csv", ".tsv", ".json"]),
        (["x.txt", "-o", "nowhere/counts.tsv"], ["nowhere", "folder"]),
        (["x.txt", "-o", "folder.tsv"], ["folder.tsv", "folder"]),
        (["old.json", "-o", "old.json"], ["old.json", "inputs"]),
        (["x.txt", "old.json"], ["x.txt", "old.json"]),
        (["s3://bucket/x.txt"], ["s3://bucket/x.txt", "--dask"]),
        (["x.txt", "--merges", "3"], ["--merges"]),
        (["x.txt", "--preset", "mine"], ["'mine'"]),
    ],
)
def test_what_cannot_be_counted_is_one_line(
    arguments: list[str], named: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.txt").write_text("text", encoding="utf-8")
    (tmp_path / "old.json").write_text('{"a": 1}', encoding="utf-8")
    (tmp_path / "folder.tsv").mkdir()
    error = run("count", *arguments).error
    for part in named:
        assert part in error
    assert (tmp_path / "old.json").read_text(encoding="utf-8") == '{"a": 1}'
    assert len(list(tmp_path.iterdir())) == 3
