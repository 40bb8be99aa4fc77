"""Seed tokens: their merges come first, are ordinary merges to every tool, and are undone and redone like any."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, text_corpus
from bpe_tui.core.errors import OptionError
from bpe_tui.core.options import TIE_RULES, make_options
from bpe_tui.core.readable import CHARACTERS
from bpe_tui.core.teaching.explain import next_sentence, step_sentence
from bpe_tui.core.training.states import Origin
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import write_tokenizer
from bpe_tui.formats.session import file as session
from bpe_tui.formats.session.training import resume, save
from tests.cli.running import done, run


def training(corpus: str = "course-en", preset: str = "course", **more: object) -> Trainer:
    """A training with seeds, before any other merge."""
    options = make_options(preset, **more)
    return Trainer(count_words(find_corpus([corpus]), options), options)


def test_the_merges_of_seeds_come_first_by_count_and_then_by_the_rule() -> None:
    trainer = training("hug", "toy", seed_tokens=("hugs", "bug"), merges=6)
    assert trainer.position == trainer.given == 4
    assert [(step.merge.token, step.counted, step.tied, step.origin) for step in trainer.steps] == [
        ("ug", 20, 0, Origin.SEED),
        ("hug", 15, 0, Origin.SEED),
        ("hugs", 5, 0, Origin.SEED),
        ("bug", 0, 0, Origin.SEED),  # made of `b` and the seed's own `ug`; the corpus has none
    ]
    assert step_sentence(trainer, CHARACTERS) == (
        "Merged b + ug → bug, for a seed token: the pair does not occur in this corpus."
    )
    trainer.run()
    assert [step.merge.token for step in trainer.steps[4:]] == ["un", "pun"]
    fresh = training("hug", "toy")
    trainer.goto(0)
    assert trainer.pairs() == fresh.pairs()
    assert next_sentence(trainer, CHARACTERS).startswith("Next is u + g → ug, for a seed token: 20 times.")
    trainer.goto(1)
    trainer.choose(*(token for token in (trainer.id_of("u"), trainer.id_of("n")) if token is not None))
    assert [step.origin for step in trainer.steps] == [Origin.SEED, Origin.COUNT]  # another choice ends them


def test_tokenizers_encodes_with_them_as_we_do(tmp_path: Path) -> None:
    trainer = training("story", "huggingface", seed_tokens=(" morning", "ing", "été", "Zz"), merges=40)
    trainer.run()
    model = TokenizerModel(trainer.vocabulary(), trainer.options)
    write_tokenizer(str(tmp_path / "t.json"), model)
    theirs = Tokenizer.from_file(str(tmp_path / "t.json"))
    for text in ("Good morning, singing", "un été", "ZzZz mornings"):
        assert theirs.encode(text).ids == model.encoder().encode_ids(text)
    assert [token.text for token in model.encoder().encode("été morning")] == ["Ã©tÃ©", "Ġmorning"]


@pytest.mark.parametrize("seed", range(8))
def test_a_session_with_seeds_comes_back_from_any_moment(seed: int) -> None:
    choice = random.Random(seed)
    ties = choice.choice(TIE_RULES)
    trainer = training(ties=ties, seed_tokens=(" token", "is", "ization"), merges=20)
    words = trainer.counted_words
    for _ in range(30):
        move = choice.choice("sssugct" if seed % 2 else "sssut")
        if move == "s":
            trainer.step()
        elif move == "u":
            trainer.undo()
        elif move == "g":
            trainer.goto(choice.randrange(25))
        elif move == "t":
            trainer.set_ties(choice.choice(TIE_RULES))
        elif trainer.pair_count:
            row = choice.choice(trainer.pairs(0, trainer.pair_count))
            trainer.choose(row.left_id, row.right_id)
    again = resume(session.read(session.write(save(trainer, ["x"])).decode()), words)
    assert [step._replace(tied=0) for step in again.steps] == [step._replace(tied=0) for step in trainer.steps]
    assert (again.position, again.options, again.target) == (trainer.position, trainer.options, trainer.target)
    assert again.pairs() == trainer.pairs()


def test_a_seed_that_cannot_be_made_is_refused_with_what_to_do() -> None:
    for options, sentence in (
        (("--seed-token", "xug"), "--seed-token 'xug': 'x' is not in the alphabet; name its characters in"),
        (("--seed-token", "h ug"), "--seed-token 'h ug': the pre-tokenizer spaces makes 'h' + 'ug' of it"),
        (("--seed-token", "hugs", "--max-token-length", "4"), "--seed-token 'hugs' has 4 symbols, and --max-token"),
        (("--seed-token", ""), "--seed-token needs a text that is not empty"),
        (("--seed-token", "hu", "--seed-token", "hu"), "--seed-token 'hu' is given twice"),
        (("--seed-token", "hu", "--special", "hu"), "--seed-token 'hu' is a special or protected token already"),
    ):
        assert run("train", "hug", *options).error.startswith(sentence)
    common = ("--seed-token", "is", "--preset", "huggingface", "--verify")
    assert run("train", "course-en", *common).error.startswith("--verify cannot be given with --seed-token")
    result = done("train", "hug", "--seed-token", "xug", "--initial-alphabet", "x", "--merges", "1", "--json").json
    assert [merge["origin"] for merge in result["merges"]] == ["seed", "seed"]
    assert result["stopped"] == "merges"


def test_word_endings_belong_to_a_seed_that_has_one() -> None:
    for preset, first in (("subword-nmt", "ing</w>"), ("paper", "ing</w>")):
        options = make_options(preset, seed_tokens=("ing</w>",), min_frequency=1)
        trainer = Trainer(count_words(text_corpus("sing king ingot"), options), options)
        assert trainer.steps[-1].merge.token == first
        assert trainer.steps[-1].replaced == 2
    with pytest.raises(OptionError, match="is not in the alphabet"):
        training("hug", "toy", seed_tokens=("hug</w>",))
