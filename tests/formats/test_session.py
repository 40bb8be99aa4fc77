"""Session files: everything comes back, and nothing that contradicts itself is taken up."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats import tiktoken
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.registry import read_session, read_tokenizer, write_session
from bpe_tui.formats.session import file as session
from bpe_tui.formats.session.file import SavedSession
from bpe_tui.formats.session.training import CorpusChanged, corpus_names, resume, save
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
    with pytest.raises(CorpusChanged, match="not the one of the session any more"):
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
            models.append(read_json(json.dumps(hf_files.file(random.Random(seed), foreign=True))))
        except TokenizerFileError:
            continue
    for model in models:
        again = session.read(session.write(SavedSession(model, 0)).decode()).model
        assert again.options == model.options
        assert (again.vocabulary, again.dialect, again.unknown) == (model.vocabulary, model.dialect, model.unknown)


def everything(trainer: Trainer) -> Any:
    """All of a state: what is known, where it stands, and what a screen shows of it."""
    return (
        log(trainer),
        (trainer.position, trainer.phase, trainer.options, trainer.stop, trainer.target),
        [trainer.word(index) for index in range(trainer.word_count)],
        trainer.pairs(0, trainer.pair_count),
        [trainer.token(token) for token in range(trainer.vocab_size)],
    )


@pytest.mark.parametrize("seed", range(12))
def test_after_any_moves_the_same_state_comes_back(seed: int) -> None:
    choice = random.Random(seed)
    trainer = trainer_of(choice.choice(["hug", "course-en", "banana"]), min_frequency=choice.choice([1, 3]))
    for _ in range(40):
        move = choice.choice("ssssuuuugpct")
        if move == "s":
            trainer.step()
        elif move == "u":
            trainer.undo()
        elif move == "g":
            trainer.goto(choice.randrange(20))
        elif move == "p":
            trainer.step_phase()
        elif move == "t":
            trainer.set_ties(choice.choice(["first-seen", "lowest-id", "greatest-pair", "shortest-first"]))
        elif trainer.pair_count:
            row = choice.choice(trainer.pairs(0, trainer.pair_count))
            trainer.choose(row.left_id, row.right_id)
    again = session.read(session.write(save(trainer, ["x"])).decode())
    assert everything(resume(again, trainer.words)) == everything(trainer)


def test_a_corpus_that_moved_with_its_session_is_found(tmp_path: Any) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (here / "x.txt").write_text("low lower")
    path = str(here / "x.bpe.json")
    saved = save(trainer_of("hug"), ["/not/there/x.txt", "hug", "x.txt", "y.txt"])
    assert saved.corpus is not None
    assert corpus_names(saved.corpus, path) == (str(here / "x.txt"), "hug", str(here / "x.txt"), "y.txt")


def test_a_name_that_is_no_utf8_comes_back() -> None:
    saved = save(trainer_of("hug"), ["/a/\udcff.txt"])
    assert session.read(session.write(saved).decode()) == saved


def test_a_session_without_the_later_parts_is_read() -> None:
    value = {name: part for name, part in VALUE.items() if name not in ("phase", "walking", "selected")}
    found = session.read(json.dumps(value))
    assert (found.phase, found.walking, found.selected) == ("ready", False, None)
    assert found.model == session.read(json.dumps(VALUE)).model


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
        ({"phase": "x"}, 'its phase is "x"'),
        ({"walking": 1}, "its phase"),
        ({"selected": [1]}, "two ids of tokens"),
        ({"selected": [1, -1]}, "two ids of tokens"),
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
    for part in VALUE.keys() - {"phase", "walking", "selected"}:
        with pytest.raises(TokenizerFileError):
            session.read(json.dumps({name: value for name, value in VALUE.items() if name != part}))
