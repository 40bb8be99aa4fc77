"""A text as words and tokens: the same tokens as the encoder's, figures, places, and what is said about them."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for, text_corpus
from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.encoding.replay import Replay, replay
from bpe_tui.core.encoding.tokenized_text import TokenizedText, finish, tokenize
from bpe_tui.core.options import UNKNOWN_POLICIES
from bpe_tui.core.training.trainer import Trainer

STORY = "the hugs of the pugs\nunhug déjà vu\n日本 naïve aaaa banana\n" * 3


def trained(name: str = "hug", merges: int = 3) -> tuple[Trainer, Encoder]:
    corpus = find_corpus([name])
    options = options_for(corpus)
    trainer = Trainer(count_words(corpus, options), options)
    trainer.goto(merges)
    return trainer, Encoder(trainer)


def trained_on(text: str, preset: str = "course", **overrides: object) -> Encoder:
    corpus = text_corpus(text)
    options = options_for(corpus, preset, **overrides)
    trainer = Trainer(count_words(corpus, options), options)
    trainer.run()
    return Encoder(trainer)


ENCODERS = {
    "course": trained_on(STORY, merges=30),
    "characters": trained_on(STORY, "toy", merges=30),
    "subword-nmt": trained_on(STORY, "subword-nmt", merges=30),
    "metaspace": trained_on(STORY, "toy", pre_tokenizer="metaspace", merges=30),
    "one word": trained_on(STORY, "minbpe", pre_tokenizer="none", documents="files", merges=30),
}


def whole_replay(encoder: Encoder, reading: TokenizedText) -> Replay:
    spans, times = reading.occurrences()
    policy = "token" if reading.policy == "error" else reading.policy
    return finish(replay(encoder, spans, times, policy))


def texts(tokens: list[Token]) -> list[str]:
    return [token.text for token in tokens]


# -- reading ----------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(
    text=st.text(st.sampled_from("theugspdéà 日\n aX\r"), max_size=40),
    name=st.sampled_from(sorted(ENCODERS)),
    policy=st.sampled_from([one for one in UNKNOWN_POLICIES if one != "error"]),
)
def test_reading_is_encoding_and_the_replay_ends_in_it(text: str, name: str, policy: str) -> None:
    encoder = ENCODERS[name]
    reading = finish(tokenize(encoder, text, policy))
    tokenized = reading
    tokens = [token for word in range(len(tokenized.spans)) for token in tokenized.word(word)]
    assert tokens == encoder.encode(text, unknown=policy)
    assert [tokenized.token(index) for index in range(len(tokenized))] == tokens
    assert tokenized.figures().tokens == len(tokens) == len(tokenized)
    made = whole_replay(encoder, reading)
    assert tokenized.with_distinct(made.all_tokens(len(made))).distinct_words == list(tokenized.distinct_words)


@settings(deadline=None, max_examples=60)
@given(text=st.text(st.sampled_from("theugspdéà 日\n a"), max_size=30), name=st.sampled_from(sorted(ENCODERS)))
def test_the_replay_counts_the_places_of_each_merge(text: str, name: str) -> None:
    encoder = ENCODERS[name]
    reading = finish(tokenize(encoder, text))
    made = whole_replay(encoder, reading)
    sizes = [len(reading.with_distinct(made.all_tokens(row))) for row in range(len(made) + 1)]
    assert [row.places for row in made.rows] == [before - after for before, after in itertools.pairwise(sizes)]


def test_words_of_the_course_after_three_merges() -> None:
    _, encoder = trained()
    tokenized = finish(tokenize(encoder, "thug hugs unhug bug"))
    assert [texts(tokenized.word(word)) for word in range(4)] == [
        ["[UNK]", "hug"],
        ["hug", "s"],
        ["un", "hug"],
        ["b", "ug"],
    ]
    figures = tokenized.figures()
    assert (figures.tokens, figures.characters, figures.bytes, figures.words, figures.unknown) == (8, 19, 19, 4, 1)


def test_places_find_words_and_tokens() -> None:
    _, encoder = trained()
    tokenized = finish(tokenize(encoder, "thug hugs"))
    assert [tokenized.token_at(place) for place in range(9)] == [0, 1, 1, 1, 1, 2, 2, 2, 3]
    assert [tokenized.word_at(place) for place in (0, 3, 4, 5, 8, 99)] == [0, 0, 0, 1, 1, 1]
    empty = finish(tokenize(encoder, ""))
    assert (empty.token_at(0), empty.word_at(0), len(empty)) == (-1, -1, 0)


def test_a_word_that_is_dropped_has_no_token() -> None:
    _, encoder = trained()
    tokenized = finish(tokenize(encoder, "XYZ hug", "drop"))
    assert (tokenized.word(0), texts(tokenized.word(1))) == ([], ["hug"])
    assert tokenized.token_at(1) == -1
    assert tokenized.token_at(5) == 0


def test_a_policy_that_refuses_says_why_and_still_shows_tokens() -> None:
    _, encoder = trained()
    reading = finish(tokenize(encoder, "hug XY", "error"))
    assert "'X' at character 4" in reading.error
    assert texts(reading.word(1)) == ["[UNK]", "[UNK]"]


def test_line_ends() -> None:
    encoder = ENCODERS["course"]
    tokenized = finish(tokenize(encoder, "the\nhugs of\n\npugs"))
    assert [span[0] for span, ends in zip(tokenized.spans, tokenized.line_ends(), strict=True) if ends] == [
        "\n",
        "\n",
        "\n",
    ]
    dropped_between = finish(tokenize(ENCODERS["characters"], "a b\nc d"))
    assert [span[0] for span, ends in zip(dropped_between.spans, dropped_between.line_ends(), strict=True) if ends] == [
        "b\nc"
    ]


# -- replay -----------------------------------------------------------------------------------------------------


def test_the_replay_of_one_word() -> None:
    _, encoder = trained()
    span = encoder.spans("unhug")[0]
    made = finish(replay(encoder, [span], [1]))
    states = [[token.text for token in made.tokens(0, row)] for row in range(len(made) + 1)]
    assert states == [["u", "n", "h", "u", "g"], ["u", "n", "h", "ug"], ["un", "h", "ug"], ["un", "hug"]]
    assert [sorted(made.fresh(0, row)) for row in range(4)] == [[], [3], [0], [1]]
    assert [(row.merge.rank, row.places) for row in made.rows] == [(0, 1), (1, 1), (2, 1)]


def test_a_run_is_merged_in_all_its_places_at_once() -> None:
    encoder = ENCODERS["one word"]
    span = encoder.spans("aaaa")[0]
    made = finish(replay(encoder, [span], [5]))
    assert made.rows[0].places in (5, 10)
    assert all(row.words == (0,) for row in made.rows)
