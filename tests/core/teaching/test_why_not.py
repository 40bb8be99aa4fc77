"""Why a word isn't one token: true of any tokenizer, and never other than what the replay shows."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.encoding.dialect import PLAIN, Dialect
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.options import make_options
from bpe_tui.core.readable import CHARACTERS
from bpe_tui.core.teaching.why_not import why_not_one_token
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats.huggingface.read import read as read_json
from tests.core.encoders import HUG, any_text, encoders, finished, traced


def hug(merges: int = 3, **overrides: object) -> tuple[Trainer, Encoder]:
    trainer = Trainer(WordCounts(list(HUG), list(HUG.values())), make_options("toy", merges=merges, **overrides))
    trainer.goto(merges)
    return trainer, Encoder(trainer)


def why(encoder: Encoder, text: str, unknown: str = "token", *, allow_special: bool = False) -> str:
    """What is said of the first word."""
    span = encoder.spans(text, allow_special=allow_special)[0]
    return " ".join(why_not_one_token(encoder, text, span, CHARACTERS, unknown=unknown))


def made_of(tokens: str, merges: str, dialect: Dialect = PLAIN) -> Encoder:
    """An encoder of tokens and merges, written with spaces between; merges are `a+b`."""
    texts = tuple(tokens.split())
    ids = {text: number for number, text in enumerate(texts)}
    made = []
    for rank, pair in enumerate(merges.split()):
        left, right = pair.split("+")
        made.append(Merge(left, right, left + right, ids[left], ids[right], ids[left + right], rank))
    alphabet = tuple(text for text in texts if len(text) == 1)
    return finished(Vocabulary(texts, (), alphabet, tuple(made), ids), dialect=dialect)


def test_the_first_missing_merge_is_named() -> None:
    _, encoder = hug()
    assert "The first merge missing is hug + s: it occurs 5 times in the corpus" in why(encoder, "hugs")
    assert "p + un occurs 12 times" in why(encoder, "hugs")
    assert "un + hug: the two never occur side by side" in why(encoder, "unhug")
    assert why(encoder, "mug") == (
        "m is not in the alphabet. An unknown symbol is never merged, so this word cannot become one token."
    )
    assert why(encoder, "hug") == "hug is one token: merge 3 made it of h + ug."
    assert why(encoder, "h") == "h is a symbol of the alphabet, one token from the start."
    assert "is the next to be merged" in why(encoder, "pun")


def test_a_pair_below_the_minimum_frequency_is_not_said_to_come_next() -> None:
    _, encoder = hug(4, min_frequency=8)
    assert why(encoder, "bun") == (
        "The first merge missing is b + un: it occurs 4 times in the corpus, below the minimum frequency of 8."
    )


def test_a_merge_that_comes_later_is_named() -> None:
    trainer, encoder = hug(5)
    trainer.goto(1)
    assert why(encoder, "hug") == (
        "Not yet: merge 3, h + ug → hug, is learned later; this is the moment after merge 1."
    )
    said = why(encoder, "bun")
    assert said.startswith("The first merge missing is b + u: it occurs 4 times")
    assert said.endswith("The next one to fire here is merge 2, u + n → un.")


def test_another_history_makes_other_later_merges() -> None:
    trainer, encoder = hug()
    ids = {text: token for text, token in trainer.ids.items() if len(text) == 1}
    u_n, p_u = (ids["u"], ids["n"]), (ids["p"], ids["u"])
    assert encoder.later_merge(*u_n) is None
    trainer.goto(1)
    found = encoder.later_merge(*u_n)
    assert found is not None
    assert found.rank == 1
    assert encoder.later_merge(*p_u) is None
    trainer.choose(*p_u)
    assert encoder.later_merge(*p_u) is None
    trainer.goto(1)
    found = encoder.later_merge(*p_u)
    assert found is not None
    assert (found.rank, found.token) == (1, "pu")
    assert encoder.later_merge(*u_n) is None


# -- of several pairs that make a token, the one that fires ------------------------------------------------------------


def test_the_merge_that_fired_is_named_and_not_the_first_that_makes_the_token() -> None:
    encoder = made_of("a b c ab bc abc", "a+bc ab+c a+b b+c")  # abc is made by merge 1 as well, which nothing reaches
    assert why(encoder, "abc") == "abc is one token: merge 2 made it of ab + c."


def test_what_fires_first_instead_is_named() -> None:
    encoder = made_of("a b c d ab bc abc cd", "a+bc b+c c+d")
    assert why(encoder, "abc") == "abc is one token: merge 1 made it of a + bc."
    encoder = made_of("a b c ab bc abc", "a+b b+c a+bc")
    assert why(encoder, "abc") == (
        "The first merge missing is ab + c: it was never learned. "
        "abc is in the vocabulary, made by merge 3, a + bc → abc; but here merge 1, a + b → ab fires first."
    )


def test_a_merge_may_come_first_though_it_was_learned_later() -> None:
    encoder = made_of("a b c ab bc abc", "a+bc a+b b+c")
    assert why(encoder, "abc").endswith(
        "abc is in the vocabulary, made by merge 1, a + bc → abc; but here merge 2, a + b → ab fires first."
    )


@given(encoders, any_text)
def test_sentences_name_only_merges_of_the_trace(encoder: Encoder, text: str) -> None:
    for span in encoder.spans(text):
        _, rows = traced(encoder, text[span[1] : span[2]])
        for sentence in why_not_one_token(encoder, text, span, CHARACTERS):
            if "is one token: merge" in sentence and rows:
                assert f"merge {rows[-1][0].rank + 1:,} made it of" in sentence
            if "fires first" in sentence:
                assert any(f"here merge {merge.rank + 1:,}," in sentence for merge, _ in rows)


merge_lists = st.lists(st.tuples(st.text("abc", min_size=1, max_size=2), st.text("abc", min_size=1, max_size=2)))


@given(merge_lists, st.text("abc", min_size=2, max_size=6))
def test_a_token_made_in_several_ways_is_explained_by_the_way_it_took(pairs: list[tuple[str, str]], word: str) -> None:
    """Hand-made merges in any order: some are never reached, some make what others make."""
    texts = list(dict.fromkeys([*"abc", *(part for left, right in pairs for part in (left, right, left + right))]))
    merges = dict.fromkeys(f"{left}+{right}" for left, right in pairs)
    encoder = made_of(" ".join(texts), " ".join(merges))
    (span,) = encoder.spans(word)
    sentences = why_not_one_token(encoder, word, span, CHARACTERS)
    fired = [merge for merge, _ in encoder.trace_word(encoder.symbols_of(span))]
    if len(encoder.encode(word)) == 1:
        assert sentences == [
            f"{word} is one token: merge {fired[-1].rank + 1} made it of {fired[-1].left} + {fired[-1].right}."
        ]
    else:
        left, right = next(pairwise([token.text for token in encoder.encode(word)]))
        assert sentences[0] == f"The first merge missing is {left} + {right}: it was never learned."


# -- tokens that no merge made here ------------------------------------------------------------------------------------


def test_a_word_that_is_kept_whole_is_said_to_be() -> None:
    encoder = made_of("a b c ab bc abc", "a+b b+c a+bc", Dialect(whole_words=True))
    assert why(encoder, "abc") == "abc is in the vocabulary, and this tokenizer keeps a word that is a token whole."
    assert why(encoder, "ab") == "ab is one token: merge 1 made it of a + b."


@pytest.mark.parametrize(
    ("special", "kind"), [(True, "a special token"), (False, "an added token")], ids=["special", "added"]
)
def test_tokens_found_in_the_text_and_put_around_it(special: bool, kind: str) -> None:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    around = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    template = {
        "type": "TemplateProcessing",
        "single": [around, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [4], "tokens": ["<s>"]}},
    }
    file = {
        "version": "1.0",
        "added_tokens": [{"id": 4, "content": "<s>", **flags, "special": special}],
        "post_processor": template,
        # Its merges make the same text of ordinary letters.
        "model": {"type": "BPE", "vocab": {"<": 0, "s": 1, ">": 2, "<s": 3, "<s>": 4}, "merges": ["< s", "<s >"]},
    }
    encoder = read_json(json.dumps(file)).encoder()
    text = "<s>"
    put, *found = [
        why_not_one_token(encoder, text, span, CHARACTERS)[0] for span in encoder.spans(text, allow_special=True)
    ]
    assert put == "<s> is put around every text by this tokenizer."
    assert found == [f"<s> is {kind}, found in the text before any merge."]
    if special:  # as plain text
        assert why_not_one_token(encoder, text, encoder.spans(text)[1], CHARACTERS) == [
            "<s> is one token: merge 2 made it of <s + >."
        ]


def test_what_is_unknown_to_a_tokenizer_without_a_corpus() -> None:
    assert why(made_of("a b", ""), "x") == "x is not in the alphabet."
    assert why(hug()[1], "x") == "x is not in the alphabet: it was not in the text the alphabet was taken from."


def test_a_word_of_which_nothing_is_left() -> None:
    assert why(hug()[1], "XY", "drop").startswith("Nothing is left of this word")
    assert why(hug()[1], "hXug", "drop") == "hug is one token: merge 3 made it of h + ug."
