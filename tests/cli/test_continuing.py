"""`bpe-tui train --from`: a tokenizer's merges first, then new ones."""

from pathlib import Path

import pytest
from tokenizers import Tokenizer

from bpe_tui.formats.continuing import Continuation
from tests.cli.running import done, run
from tests.formats import sentencepiece_models


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer with 10 merges of the course's English sentences."""
    path = tmp_path_factory.mktemp("continuing") / "t.json"
    done("train", "course-en", "--merges", "10", "--unk", "<|endoftext|>", "-o", path)
    return path


def test_the_log_and_the_json_say_what_came_from_the_tokenizer(tokenizer: Path) -> None:
    at_once = done("train", "course-en", "--merges", "15", "--unk", "<|endoftext|>", "--json").json
    given = ("--from", tokenizer, "--ties", "first-seen", "--documents", "lines", "--specials-in-corpus", "cut")
    result = done("train", "course-en", *given, "--merges", "5", "--json").json
    assert result["from"] == {"name": "t.json", "merges": 10}
    assert [merge.pop("origin", None) for merge in result["merges"]] == ["tokenizer"] * 10 + [None] * 5
    for ours, theirs in zip(result["merges"], at_once["merges"], strict=True):
        assert {**ours, "tied": 0} == {**theirs, "tied": 0}
    assert result["vocab"] == at_once["vocab"]
    assert result["stopped"] == "merges"
    log = done("train", "course-en", *given, "--vocab-size", str(len(result["vocab"]))).text
    assert log.count("from the tokenizer") == 10
    assert len(log.splitlines()) == 1 + 15 + 2


def test_what_is_written_is_read_by_tokenizers_with_the_old_ids(tokenizer: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done("train", "story", "--from", tokenizer, "--merges", "20", "-o", out)
    before, after = Tokenizer.from_file(str(tokenizer)), Tokenizer.from_file(str(out))
    old, new = before.get_vocab(), after.get_vocab()
    assert {text: new[text] for text in old} == old
    assert sorted(new.values())[-20:] == list(range(len(old), len(old) + 20))
    for text in ("This token", "the story of a dog"):
        ours = done("encode", text, "-t", out, "--json").json["tokens"]
        assert [token["id"] for token in ours] == after.encode(text).ids


def test_a_session_of_it_is_written_and_continued(tokenizer: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.bpe.json"
    done("train", "course-fr", "--from", tokenizer, "--merges", "2", "-o", out)
    result = done("train", "course-fr", "--from", out, "--merges", "1", "--json").json
    assert result["from"]["merges"] == 12
    assert len(result["merges"]) == 13


def test_a_format_that_cannot_hold_the_tokenizer_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "m.model"
    model.write_bytes(sentencepiece_models.trained("nfkc"))
    counted: list[object] = []
    monkeypatch.setattr(Continuation, "count", lambda *given, **_options: counted.append(given))
    result = run("train", "story", "--from", model, "-o", tmp_path / "x.json")
    assert (result.status, counted) == (2, [])
    assert "x.json: " in result.stderr
    assert not (tmp_path / "x.json").exists()


def test_what_contradicts_the_tokenizer_is_refused_with_what_to_do(tokenizer: Path, tmp_path: Path) -> None:
    for options, sentence in (
        (("--alphabet", "characters"), "t.json has its own --alphabet: seen-bytes; leave --alphabet characters out"),
        (("--pre-tokenizer", "spaces"), "t.json has its own --pre-tokenizer: gpt2; leave --pre-tokenizer spaces out"),
        (("--end-of-word", "</w>"), "t.json has its own --end-of-word: none; leave --end-of-word </w> out"),
        (("--pattern", "a+"), "t.json has its own --pattern: gpt2; leave --pattern a+ out"),
        (("--limit-alphabet", "9"), "t.json has its own alphabet; leave --limit-alphabet out"),
        (("--preset", "paper"), "the preset paper has --pre-tokenizer spaces, and t.json has gpt2"),
        (("--preset", "nope"), "there is no preset 'nope'"),
        (("--vocab-size", "5"), "--vocab-size 5: t.json has 41 tokens already; ask for more, or give --merges"),
        (("--verify",), "--verify cannot be given with --from"),
        (("--like", tokenizer), "--from and --like both say how a text is cut"),
    ):
        assert run("train", "hug", "--from", tokenizer, *options).error.startswith(sentence)
    assert "no such file" in run("train", "hug", "--from", tmp_path / "nope.json").error
    assert run("open", "hug", "--from", tokenizer).error.startswith("the app needs a terminal")
