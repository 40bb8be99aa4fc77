"""Protected words: one token wherever they are found, learned from no side, and written for `tokenizers`."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer
from bpe_tui.formats.session import file as session
from bpe_tui.formats.session.training import resume, save
from tests.cli.running import done, run

TEXT = "Try C++ or C++17, not C+. New York, New Yorker; C++C++\nThe new york of C++ is not New  York.\n" * 2
PROTECTED = ("C++", "New York", "C++17")


def training(text: str = TEXT, preset: str = "huggingface", **more: object) -> Trainer:
    """A training with protected words."""
    options = make_options(preset, **{"merges": 25, "protected": PROTECTED, **more})
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.run()
    return trainer


def test_tokenizers_learns_the_same_where_they_are_cut_out() -> None:
    trainer = training()
    pieces = re.split("C\\+\\+17|C\\+\\+|New York", TEXT.replace("\n", "\n\0"))
    theirs = Tokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    learner = trainers.BpeTrainer(vocab_size=256 + 25, initial_alphabet=alphabet, show_progress=False)
    theirs.train_from_iterator([part for piece in pieces for part in piece.split("\0")], learner)
    merges = json.loads(theirs.to_str())["model"]["merges"]
    assert [[step.merge.left, step.merge.right] for step in trainer.steps] == merges


def test_they_are_found_in_any_text_as_tokenizers_finds_them(tmp_path: Path) -> None:
    trainer = training()
    path = str(tmp_path / "t.json")
    model = TokenizerModel(trainer.vocabulary(), trainer.options)
    write_tokenizer(path, model)
    theirs, again = Tokenizer.from_file(path), read_tokenizer(path)
    choice = random.Random(1)
    pieces = ["C++", "New York", "17", " ", "C", "+", "er", "<|endoftext|>", "new", "\n", "é"]
    for _ in range(200):
        text = "".join(choice.choices(pieces, k=6))
        ours = [token.id for token in model.encoder().encode(text, allow_special=True)]
        assert ours == theirs.encode(text).ids
        assert again.encoder().encode_ids(text) == model.encoder().encode_ids(text)
        assert model.encoder().decode([token for token in ours if token is not None]) == text
    assert [token.text for token in model.encoder().encode("C++17 New York")] == ["C++17", "Ġ", "New York"]
    assert model.encoder().encode("<|endoftext|>")[0].text != "<|endoftext|>"
    assert theirs.get_added_tokens_decoder()[trainer.ids["C++"]].special is False


@pytest.mark.parametrize("preset", ["course", "minbpe", "subword-nmt", "paper"])
def test_no_merge_is_learned_from_them_and_a_session_keeps_them(preset: str) -> None:
    trainer = training(preset=preset)
    without = training(TEXT.replace("C++17", "\0").replace("C++", "\0").replace("New York", "\0"), preset)
    assert all("C++" not in step.merge.token for step in trainer.steps)
    assert trainer.total_tokens < without.total_tokens
    saved = session.read(session.write(save(trainer, ["x"])).decode())
    assert saved.model == TokenizerModel(trainer.vocabulary(), trainer.options)
    assert resume(saved, trainer.counted_words).vocabulary() == trainer.vocabulary()
    found = saved.model.encoder().encode("New York")
    assert [token.text for token in found] == ["New York"]


def test_in_a_table_they_are_found_inside_of_words(tmp_path: Path) -> None:
    table = tmp_path / "t.tsv"
    table.write_text("aUSAb\t3\nUSA\t2\nab\t1\nUSAb\t4\n")
    result = done("train", table, "--protect", "USA", "--merges", "3", "--json").json
    assert result["words"] == [["a", 3], ["b", 7], ["ab", 1]]
    assert result["options"]["protected"] == ["USA"]
    assert result["vocab"] == ["USA", "a", "b", "ab"]
    error = run("train", table, "--protect", "U S").error
    assert error.startswith("--protect 'U S' holds a blank, and the words of a table are cut there already")


def test_what_cannot_be_protected_is_refused_with_what_to_do(tmp_path: Path) -> None:
    for values, sentence in (
        (("",), "--protect needs a text that is not empty"),
        (("a", "a"), "--protect 'a' is given twice; give it once"),
        (("<|endoftext|>",), "'<|endoftext|>' is a special token too; give it with --special or with --protect"),
    ):
        with pytest.raises(OptionError, match=re.escape(sentence)):
            make_options("course", protected=values)
    model = TokenizerModel(training(preset="minbpe").vocabulary(), training(preset="minbpe").options)
    for name in ("t.model", "t.tiktoken", "merges.txt", "vocab.json"):
        with pytest.raises(TokenizerFileError, match=r'cannot represent the protected "C\+\+"; write a tokenizer.json'):
            write_tokenizer(str(tmp_path / name), model)
    common = ("train", "course-en", "--protect", "is", "--ties", "lowest-id", "--preset", "huggingface")
    assert run(*common, "--verify").error.startswith("--verify cannot be given with --protect")
    done(*common, "--merges", "3", "-o", tmp_path / "t.json")
    assert run("train", "hug", "--from", tmp_path / "t.json", "--protect", "u").error.startswith(
        "--protect cannot be given with --from"
    )
