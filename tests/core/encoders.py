"""Encoders of all kinds, and texts for them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.encoding.dialect import PLAIN, Dialect
from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.encoding.replay import trace
from bpe_tui.core.encoding.timeline import FixedTimeline
from bpe_tui.core.options import ALPHABETS, PRE_TOKENIZERS, UNKNOWN_POLICIES, Options, make_options
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.core.training.vocabulary import Merge, Vocabulary

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
MIXED = (
    "the cat sat, the cats sat; don't, DON'T 1234 12345\n\n  two  spaces\tand a tab\r\n"
    "café cafe\u0301 naïve 日本語 日本 😀😀 👩\u200d👩\u200d👧 हिन्दी ภาษา aaaa aaaaa banana\u00a0banana ▁x\n"
) * 2
FIRST_MERGES = {"toy": 3, "course": 60, "huggingface": 60, "minbpe": 60, "paper": 10, "subword-nmt": 40}

any_text = st.text() | st.text("abt hecs'.,\n\t 1é日😀\u0301\u200d\u00a0▁") | st.sampled_from(MIXED.split("\n"))


def trained(text: str, preset: str = "course", **overrides: Any) -> Trainer:
    """A trainer at the end of its training."""
    options = make_options(preset, **{"merges": 60, **overrides})
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.run()
    return trainer


def hug(merges: int = 3, **overrides: Any) -> Encoder:
    """An encoder of the corpus hug."""
    trainer = Trainer(WordCounts(list(HUG), list(HUG.values())), make_options("toy", merges=merges, **overrides))
    trainer.run()
    return Encoder(trainer)


def finished(vocabulary: Vocabulary, options: Options | None = None, dialect: Dialect = PLAIN) -> Encoder:
    """An encoder of a vocabulary whose training is not known."""
    return Encoder(FixedTimeline(vocabulary, options or make_options("toy")), dialect)


def texts(tokens: list[Token]) -> str:
    """The tokens' texts, a space between them."""
    return " ".join(token.text for token in tokens)


def in_words(encoder: Encoder, text: str, **how: Any) -> list[list[str]]:
    """The tokens' texts, word by word."""
    words = [encoder.tokens_of([span], **how) for span in encoder.spans(text)]
    return [[token.text for token in word] for word in words]


def traced(encoder: Encoder, text: str, **how: Any) -> tuple[list[Token], list[tuple[Merge, list[Token]]]]:
    """The tokens of a text before any merge, and each merge that fires with the tokens after it."""
    words, replay = trace(encoder, text, **how)
    start, *states = [words.with_distinct(replay.all_tokens(row)).tokens() for row in range(len(replay) + 1)]
    return start, [(fired.merge, tokens) for fired, tokens in zip(replay.rows, states, strict=True)]


def merged_in_steps(encoder: Encoder, text: str, **how: Any) -> list[Token]:
    """The tokens of a text after the last of the merges that `traced` shows, without those after each of the others."""
    words, replay = trace(encoder, text, **how)
    return words.with_distinct(replay.all_tokens(len(replay))).tokens()


def encoded_plainly(symbols: list[str], merges: list[tuple[str, str]]) -> list[str]:
    """The definition: the pair with the lowest rank, leftmost first, until none is left; of two equal merges the later
    one counts."""
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    tokens = list(symbols)
    while True:
        found = [(ranks[pair], place) for place, pair in enumerate(pairwise(tokens)) if pair in ranks]
        if not found:
            return tokens
        place = min(found)[1]
        tokens[place : place + 2] = [tokens[place] + tokens[place + 1]]


ENCODERS = {
    f"{name}, {alphabet}": Encoder(trained(MIXED, pre_tokenizer=name, alphabet=alphabet))
    for name in PRE_TOKENIZERS
    for alphabet in ALPHABETS
}
ENCODERS |= {preset: Encoder(trained(MIXED, preset, merges=merges)) for preset, merges in FIRST_MERGES.items()}

encoders = st.sampled_from(sorted(ENCODERS)).map(ENCODERS.__getitem__)
forgiving = st.sampled_from([policy for policy in UNKNOWN_POLICIES if policy != "error"])
