"""Session files: everything comes back, and nothing that contradicts itself is taken up."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bpe_tui.core.corpus import WordCounts, count_words, find_corpus, options_for
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.trainer import Trainer
from bpe_tui.formats import huggingface, session, tiktoken
from bpe_tui.formats.registry import read_session, read_tokenizer, write_session
from bpe_tui.formats.session import SavedSession, resume, save
from tests.formats import hf_files
from tests.formats.models import ids, trained
from tests.formats.test_tiktoken import CASES, written


def trainer_of(*corpora: str, **overrides: Any) -> Trainer:
    """A trainer at its start."""
    corpus = find_corpus(corpora)
    options = options_for(corpus, **overrides)
    return Trainer(count_words(corpus, options), options)


def walked() -> Trainer:
    """A training with own choices, two tie rules, and merges that were undone."""
    trainer = trainer_of("course-en")
    trainer.goto(5)
    row = trainer.pairs(3, 4)[0]
    trainer.choose(row.left_id, row.right_id)
    trainer.goto(9)
    trainer.set_ties("lowest-id")
    trainer.goto(14)
    row = trainer.pairs(2, 3)[0]
    trainer.choose(row.left_id, row.right_id)
    trainer.goto(17)
    trainer.goto(11)
    return trainer


def log(trainer: Trainer) -> list[Any]:
    """The merge log."""
    return [(step.merge, step.counted, step.own_choice, step.rule) for step in trainer.steps]


def test_a_training_is_taken_up_where_it_stood(tmp_path: Any) -> None:
    path = str(tmp_path / "x.bpe.json")
    trainer = walked()
    saved = save(trainer, ["course-en"], text="two\nlines \u202e")
    assert saved.choices == (6, 15)
    assert saved.rules == ((1, "first-seen"), (10, "lowest-id"))
    write_session(path, saved)
    again = read_session(path)
    assert again == saved
    resumed = resume(again, trainer_of("course-en").words)
    assert log(resumed) == log(trainer)
    assert (resumed.position, resumed.options) == (trainer.position, trainer.options)
    resumed.goto(17)


def test_another_corpus_is_noticed() -> None:
    saved = save(walked(), ["course-en"])
    words = trainer_of("course-en").words
    changed = WordCounts(words.words, [count + 1 for count in words.counts])
    with pytest.raises(TokenizerFileError, match="not the one of the session any more"):
        resume(saved, changed)
    for count in range(3):
        other = SavedSession(saved.model, saved.position, saved.choices[:count], saved.rules, corpus=None)
        if count == 2:
            other = SavedSession(saved.model, saved.position, saved.choices, ((1, "greatest-pair"),), corpus=None)
        with pytest.raises(TokenizerFileError, match=r"merge \d+ (comes out otherwise|of the session cannot be made)"):
            resume(other, words)


def test_every_kind_of_tokenizer_comes_back() -> None:
    models = [trained(preset) for preset in ("toy", "course", "huggingface", "minbpe", "paper", "subword-nmt")]
    models += [tiktoken.read(written(ranks), {}) for ranks in CASES.values()]
    for seed in range(3000, 3020):
        try:
            models.append(huggingface.read(json.dumps(hf_files.file(random.Random(seed), foreign=True))))
        except TokenizerFileError:
            continue
    for model in models:
        again = session.read(session.write(SavedSession(model, 0)).decode()).model
        assert again.options == model.options
        assert (again.vocabulary, again.dialect, again.unknown) == (model.vocabulary, model.dialect, model.unknown)


def test_a_session_is_a_tokenizer_too(tmp_path: Any) -> None:
    path = str(tmp_path / "x.bpe.json")
    trainer = walked()
    write_session(path, save(trainer, ["course-en"]))
    model = read_tokenizer(path)
    assert len(model.vocabulary.merges) == 17
    assert ids(model, "This is") == ids(type(model)(trainer.vocabulary(17), trainer.options), "This is")


def test_a_text_that_utf8_cannot_say_becomes_one_that_it_can() -> None:
    saved = save(walked(), [], text="a\ud800b")
    assert session.read(session.write(saved).decode()).text == "a\ufffdb"


VALUE = json.loads(session.write(save(walked(), ["course-en"], text="x")))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "x"}, "not a session"),
        ({"version": 2}, "its version is 2, and this bpe-tui knows version 1"),
        ({"foo": 1}, '"foo" is not known'),
        ({"position": 18}, "its position is 18, and it has 17 merges"),
        ({"position": -1}, "its position"),
        ({"position": True}, "its position"),
        ({"choices": [18]}, "its choices"),
        ({"rules": [[1, "x"]]}, 'its rule [1, "x"]'),
        ({"rules": {}}, "its rules are no list"),
        ({"text": 1}, "its text is no text"),
        ({"corpus": {"names": [1], "word_counts": False, "digest": ""}}, "names of its corpus"),
        ({"corpus": []}, "its corpus"),
        ({"options": {}}, "its options are not those"),
        ({"options": VALUE["options"] | {"unk": 5}}, "its option unk is 5"),
        ({"options": VALUE["options"] | {"preset": "x"}}, 'its preset "x"'),
        ({"options": VALUE["options"] | {"alphabet": "x"}}, "its options contradict each other"),
        ({"options": VALUE["options"] | {"pre_tokenizer": "pattern", "pattern": "("}}, "its options contradict"),
        ({"options": VALUE["options"] | {"pre_tokenizer": "file"}}, "a file which it does not hold"),
        ({"tokenizer": {}}, "its tokenizer"),
        ({"tokenizer": VALUE["tokenizer"] | {"ids": [1]}}, "an id for every token"),
        ({"tokenizer": VALUE["tokenizer"] | {"merges": [[1, 2, 3]]}}, "merge 1 makes"),
        ({"tokenizer": VALUE["tokenizer"] | {"merges": [[1, 2, 999]]}}, "not three ids of tokens"),
        ({"tokenizer": VALUE["tokenizer"] | {"alphabet": ["xyz"]}}, "one of its alphabet, is no token"),
        ({"tokenizer": VALUE["tokenizer"] | {"dialect": "x"}}, 'its dialect "x"'),
        ({"tokenizer": VALUE["tokenizer"] | {"unknown": "x"}}, "its policy"),
        ({"tokenizer": VALUE["tokenizer"] | {"tokens": ["a", "a"]}}, '"a" is there twice'),
        ({"tokenizer": {"tokenizer.json": {"model": {}}}}, "model"),
    ],
)
def test_what_contradicts_itself_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(TokenizerFileError) as caught:
        session.read(json.dumps(VALUE | change))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_part_that_is_missing_is_named() -> None:
    for part in VALUE:
        with pytest.raises(TokenizerFileError):
            session.read(json.dumps({name: value for name, value in VALUE.items() if name != part}))
