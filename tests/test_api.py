"""The API for notebooks: its documents run, it gives what the commands give, and it shows hostile text safely."""

import doctest
import json
from pathlib import Path

import pytest

import bpe_tui as bpe
from bpe_tui import api
from tests.cli.running import done

CHECKOUT = Path(__file__).parents[1]


def test_the_examples_in_the_documents_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = doctest.testfile(str(CHECKOUT / "docs" / "api.md"), module_relative=False)
    assert (page.failed, page.attempted > 20) == (0, True)
    module = doctest.testmod(api)
    assert (module.failed, module.attempted > 3) == (0, True)


def test_the_package_offers_what_the_module_does() -> None:
    assert set(bpe.__all__) == set(api.__all__)
    for name in api.__all__:
        assert getattr(bpe, name) is getattr(api, name)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        bpe.nothing_like_it  # noqa: B018


def test_it_learns_and_encodes_what_the_commands_do(tmp_path: Path) -> None:
    training = bpe.train("story", preset="huggingface", vocab_size=400, min_frequency=2)
    report = done("train", "story", "--preset", "huggingface", "--vocab-size", 400, "--min-frequency", 2, "--json").json
    assert [[step.merge.left, step.merge.right, step.counted] for step in training.merges] == [
        [merge["left"], merge["right"], merge["counted"]] for merge in report["merges"]
    ]
    assert list(training.vocabulary) == report["vocab"]
    file = tmp_path / "t.json"
    training.save(file)
    shown = done("encode", "It's naïve 👋", "-t", file, "--json").json["tokens"]
    encoding = bpe.read_tokenizer(file).encode("It's naïve 👋")
    assert [token._asdict() for token in encoding] == shown
    assert encoding[2:4].ids == [token["id"] for token in shown[2:4]]


def test_every_moment_is_reached_again() -> None:
    training = bpe.train("banana", merges=8)
    seen = [(step.merge.left, step.merge.right) for step in training.merges]
    frozen = training.tokenizer
    while training.undo():
        pass
    assert (training.position, len(training.merges)) == (0, 0)
    assert [(step.merge.left, step.merge.right) for step in training.goto(8).merges] == seen == frozen.merges


def test_a_notebook_sees_markup_as_text() -> None:
    training = bpe.train({"<b>&\x1b[2J": 2}, merges=0)
    for shown in (
        training.encode("<b>&\x1b")._repr_html_(),
        training.words()._repr_html_(),
        training.pairs()._repr_html_(),
    ):
        assert "<b>" not in shown
        assert "\x1b" not in shown
        assert "&lt;" in shown
    assert "\x1b" not in repr(training.pairs()) + str(training.encode("\x1b"))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (bpe.train, "give a corpus by name or path, or a text in memory"),
        (lambda: bpe.train("hug", text="x"), "give a corpus by name or path, or a text in memory"),
        (lambda: bpe.train("no-such-corpus"), "no-such-corpus"),
        (lambda: bpe.train("hug", merge=3), "there is no option --merge"),
        (lambda: bpe.train({"a": 0}), "the count of a word is a whole number from 1 on"),
        (lambda: bpe.train("hug").choose("x", "u"), "'x' is no token at this moment"),
        (lambda: bpe.train("hug").encode("x", unknown="error"), "is not in the alphabet"),
        (lambda: bpe.train("hug").encode("hug", dropout=2), "a number from 0 to 1"),
        (lambda: bpe.train("hug").why(""), "there is no word to explain"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(call: object, sentence: str) -> None:
    assert callable(call)
    with pytest.raises(bpe.BpeError, match=sentence) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_json_can_be_made_of_an_encoding() -> None:
    encoding = bpe.train("hug").encode("thug")
    assert json.loads(json.dumps([token._asdict() for token in encoding]))[1]["text"] == "hug"
