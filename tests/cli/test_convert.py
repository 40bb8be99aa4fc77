"""`bpe-tui convert`, and the formats in the other commands."""

import ast
import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from bpe_tui.core.corpus.pretokenize import PATTERNS
from bpe_tui.formats.registry import FORMATS
from bpe_tui.ui.session.tokenizer import TokenizerSession
from tests.cli.running import done, run

NAMES = ("t.json", "vocab.json", "merges.txt", "t.tiktoken", "t.model", "t.bpe.json")
GPT2_WAY = ("--pre-tokenizer", "gpt2")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer over all bytes, in the format of tokenizers."""
    path = tmp_path_factory.mktemp("source") / "source.json"
    done("train", "story", "--preset", "huggingface", "--vocab-size", "400", "-o", path)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_a_tokenizer_goes_to_every_format_and_back(name: str, tokenizer: Path, tmp_path: Path) -> None:
    target, back = tmp_path / name, tmp_path / "back.json"
    result = done("convert", tokenizer, target)
    assert result.text == ""
    told = GPT2_WAY if name == "t.tiktoken" else ()
    done("convert", target, back, *told)
    text = "the story, isn't it? é 123\n\n  x"
    expected = done("encode", text, "-t", tokenizer).text
    assert done("encode", text, "-t", target, *told).text == expected
    assert done("encode", text, "-t", back).text == expected
    ids = done("encode", text, "-t", target, *told, "--ids").text
    assert done("decode", *ids.split(), "-t", target, *told).stdout == text.encode()
    assert [str(number) for number in Tokenizer.from_file(str(back)).encode(text).ids] == (
        done("encode", text, "-t", back, "--ids").text.split()
    )


def test_train_writes_every_format(tmp_path: Path) -> None:
    for name in (*NAMES, "folder/"):
        result = done("train", "hug", "--preset", "minbpe", *GPT2_WAY, "--merges", "3", "-o", f"{tmp_path}/{name}")
        assert result.text.count("\n") >= 3
    assert (tmp_path / "folder" / "merges.txt").read_text(encoding="utf-8").endswith("h ug\n")
    assert json.loads((tmp_path / "t.bpe.json").read_bytes())["corpus"]["names"] == ["hug"]


def test_the_format_may_be_told(tokenizer: Path, tmp_path: Path) -> None:
    done("convert", tokenizer, tmp_path / "ranks", "--format", "tiktoken")
    expected = done("encode", "the story", "-t", tokenizer).text
    assert done("encode", "the story", "-t", tmp_path / "ranks", "--from", "tiktoken", *GPT2_WAY).text == expected
    assert done("encode", "the story", "-t", tmp_path / "ranks", *GPT2_WAY).text == expected
    done("convert", tmp_path / "ranks", tmp_path / "x.json", "--from", "tiktoken", "--pattern", r"\w+|\W")
    assert json.loads((tmp_path / "x.json").read_bytes())["pre_tokenizer"]["type"] == "Sequence"


def test_what_its_tool_must_be_told_is_a_note(tokenizer: Path, tmp_path: Path) -> None:
    notes = done("convert", tokenizer, tmp_path / "x.tiktoken").stderr.splitlines()
    said = "note: the file does not say how a text is cut; give tiktoken pat_str="
    (note,) = [note for note in notes if note.startswith(said)]
    assert ast.literal_eval(note.removeprefix(said)) == PATTERNS["gpt2"]
    assert any("<|endoftext|>" in note for note in notes)


def test_a_refusal_is_one_line_and_writes_nothing(tokenizer: Path, tmp_path: Path) -> None:
    done("train", "hug", "-o", tmp_path / "hug.json")
    for target, says in [
        ("x.tiktoken", "this alphabet is of characters"),
        ("x.model", "this alphabet is of characters"),
        ("vocab.json", "an alphabet of bytes, not of characters"),
        ("x.xyz", "the name does not say the format"),
        ("none/x.json", "its folder does not exist"),
    ]:
        assert says in run("convert", tmp_path / "hug.json", tmp_path / target).error
    assert [path.name for path in tmp_path.iterdir()] == ["hug.json"]
    assert "no such file" in run("convert", tmp_path / "missing.json", tmp_path / "x.json").error
    assert "no format 'x'" in run("convert", tokenizer, tmp_path / "y", "--format", "x").error
    assert "no format 'x'" in run("convert", tokenizer, tmp_path / "y.json", "--from", "x").error
    assert "--pattern is not for this format" in run("encode", "a", "-t", tokenizer, "--pattern", "x").error


def test_open_takes_tokenizers_of_every_format(
    tokenizer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[TokenizerSession] = []
    monkeypatch.setattr("bpe_tui.ui.app.run_app", lambda **how: opened.append(how["tokenizer"]))
    for name in NAMES:
        done("convert", tokenizer, tmp_path / name)
    for name in (*NAMES, "."):
        assert run("open", tmp_path / name, terminal=True).status == 0
        assert opened.pop().timeline.known == 400 - 256 - 1


def test_the_help_names_every_format() -> None:
    text = " ".join(done("convert", "--help").text.split())
    for one in FORMATS:
        assert one.name in text
