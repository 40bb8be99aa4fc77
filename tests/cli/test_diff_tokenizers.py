"""`bpe-tui diff` of two tokenizer files on a text."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiktoken
from tokenizers import Tokenizer

from bpe_tui.formats.registry import read_tokenizer
from tests.cli.running import done, run

TEXT = "DON'T shout: it's the mouse.\nAnd 2024, naïve café Привет 😀 हिन्दी"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two tokenizers learned from one text: a tokenizer.json, and one of tiktoken."""
    folder = tmp_path_factory.mktemp("tokenizers")
    first, second = folder / "a.json", folder / "b.tiktoken"
    done("train", "story", "--preset", "huggingface", "--merges", "200", "-o", str(first))
    done("train", "story", "--preset", "minbpe", "--merges", "200", "-o", str(second))
    return str(first), str(second)


def test_the_tokens_are_those_of_the_tools(files: tuple[str, str]) -> None:
    report = done("diff", *files, "--text", TEXT, "--json").json
    theirs = Tokenizer.from_file(files[0]).encode(TEXT)
    model = read_tokenizer(files[1])
    ranks = {bytes(model.encoder().decode_bytes([token])): token for token in range(len(model.vocabulary))}
    assert model.options.pattern is not None
    tool = tiktoken.Encoding("b", pat_str=model.options.pattern, mergeable_ranks=ranks, special_tokens={})
    assert [side["tokens"] for side in report["sides"]] == [len(theirs.ids), len(tool.encode(TEXT))]
    assert [side["name"] for side in report["sides"]] == ["a.json", "b.tiktoken"]
    for row in report["differences"]:
        inside = [
            token
            for token, (start, end) in zip(theirs.tokens, theirs.offsets, strict=True)
            if row["start"] <= start and end <= row["start"] + len(row["text"]) and end > start
        ]
        assert set(row["tokens"][0]) >= set(inside) - {"Ġ"}


def test_json_holds_fertility_and_the_first_differences_with_reasons(files: tuple[str, str]) -> None:
    report = done("diff", *files, "--text", TEXT, "--json").json
    assert list(report) == ["equal", "text", "sides", "fertility", "spans", "differing", "differences"]
    assert report["equal"] is False
    assert report["text"]["characters"] == len(TEXT)
    assert report["text"]["bytes"] == len(TEXT.encode())
    scripts = {row["name"]: row["words"] for row in report["fertility"]["script"]}
    assert scripts == {"Latin": 10, "Cyrillic": 1, "Devanagari": 1}
    newline = next(row for row in report["differences"] if row["text"] == ".\n")
    assert newline["kind"] == "pre-tokenizer"
    assert newline["tokens"] == [[".", "Ċ"], [".Ċ"]]
    assert newline["why"] == [
        "a.json: the pre-tokenizer cuts . | ␊, and no merge crosses a cut; b.tiktoken has .␊ in one word."
    ]


def test_the_table(files: tuple[str, str]) -> None:
    text = done("diff", *files, "--text", "the. \nthe mouse").text
    assert text.splitlines()[:5] == [
        "15 characters, 15 bytes, 3 words",
        "",
        "            vocabulary  tokens  tokens per word  bytes per token  unknown  left out",
        "a.json             457      10             3.33             1.50        0         0",
        "b.tiktoken         456      10             3.33             1.50        0         0",
    ]
    assert "lower case" in text


def test_a_file_and_a_bundled_corpus_are_texts_too(files: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(TEXT * 30, encoding="utf-8")
    of_file = done("diff", *files, str(path), "--json").json
    assert of_file == done("diff", *files, "--text", TEXT * 30, "--json").json
    assert done("diff", *files, "story", "--json").json["text"]["characters"] > 10_000
    assert run("diff", *files, str(path), "--exit-code").status == 1
    assert run("diff", files[0], files[0], "--text", TEXT, "--exit-code").status == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("A", "--text", "x"), "two tokenizer files can be compared on a text; 1 was named"),
        (("A", "B"), "there is no text to compare the two on; give --text, or a text file after them"),
        (("A", "B", "--ties", "first-seen"), "--ties is for comparing ways to train"),
        (("A", "B", "hug"), "hug is a word-count table; compare tokenizers on a text"),
        (("story", "--text", "x"), "two tokenizer files can be compared on a text; 0 were named"),
    ],
)
def test_what_cannot_be_compared(files: tuple[str, str], words: tuple[str, ...], sentence: str) -> None:
    given = [{"A": files[0], "B": files[1]}.get(word, word) for word in words]
    result = run("diff", *given)
    assert result.status == 2
    assert sentence in result.error
