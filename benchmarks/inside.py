"""Parts of our own program, timed from inside, each in a process of its own; prints figures as JSON.

usage: python -m benchmarks.inside WHAT ARGUMENT…, where WHAT is one of the functions below
"""

from __future__ import annotations

import hashlib
import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, text_corpus
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer

STEPS = 1000
"""Single steps, and undos, that are timed."""


def timed(action: Callable[[], Any]) -> float:
    """Seconds that `action` takes."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def trainer(text: str, vocab_size: str) -> dict[str, Any]:
    """Train, and go through the history: phases, single steps and undos after the first 1,000 merges, all the way."""
    options = make_options("huggingface", vocab_size=int(vocab_size))
    corpus = find_corpus([text])
    begin = time.perf_counter()
    words = count_words(corpus, options)
    counted = time.perf_counter()
    fresh = Trainer(words, options)
    indexed = time.perf_counter()
    fresh.goto(min(1000, fresh.target // 2))
    start = time.perf_counter()
    steps = [timed(fresh.step) for _ in range(STEPS)]
    rest = time.perf_counter()
    fresh.run()
    merged = time.perf_counter()
    merges = fresh.position
    fresh.goto(len(steps) + min(1000, fresh.target // 2))
    undos = [timed(fresh.undo) for _ in range(STEPS)]
    fresh.goto(merges)
    back = timed(lambda: fresh.goto(0))
    again = timed(lambda: fresh.goto(merges))
    return {
        "words": len(words.words),
        "occurrences": sum(words.counts),
        "symbols": fresh.initial_tokens,
        "merges": merges,
        "counting": counted - begin,
        "indexing": indexed - counted,
        "merging": (start - indexed) + sum(steps) + (merged - rest),
        "step": _spread(steps),
        "undo": _spread(undos),
        "back": back,
        "again": again,
        "history": fresh.history_bytes,
    }


def _spread(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {"median": statistics.median(ordered), "p99": ordered[len(ordered) * 99 // 100], "max": ordered[-1]}


def words(text: str) -> dict[str, Any]:
    """Distinct words of a text, and all words."""
    counted = count_words(find_corpus([text]), make_options("huggingface"))
    return {"words": len(counted.words), "occurrences": sum(counted.counts)}


def samples(text: str) -> dict[str, Any]:
    """Words and distinct words of even samples of a text: every 128th line, every 32nd, … and all lines.

    The beginning of a text that was put together from several would show how these differ, not how words repeat.
    """
    options = make_options("huggingface")
    lines = Path(text).read_bytes().decode().splitlines(keepends=True)
    points = []
    for every in (128, 32, 8, 2, 1):
        counted = count_words(text_corpus("".join(lines[::every])), options)
        points.append([sum(counted.counts), len(counted.words)])
    return {"points": points}


def loop(text: str, merges: str) -> dict[str, Any]:
    """The plain loop of the courses, and ours, from the same text in memory to the same merges."""
    from benchmarks.plain_loop import learn

    content = Path(text).read_bytes().decode()
    options = make_options("course", merges=int(merges))
    made: list[Trainer] = []

    def ours() -> None:
        made.append(Trainer(count_words(text_corpus(content), options, processes=1), options))
        made[0].run()

    seconds = timed(ours)
    begin = time.perf_counter()
    learned = learn(content, int(merges))
    plain = time.perf_counter() - begin
    if [(step.merge.left, step.merge.right) for step in made[0].steps] != learned:
        sys.exit("the plain loop and ours have learned different merges")
    return {"ours": seconds, "plain": plain}


def encode(tokenizer: str, text: str) -> dict[str, Any]:
    """Encode a text in one call: to tokens with their places, and, by another encoder, to ids alone."""
    from bpe_tui.formats.registry import read_tokenizer

    model = read_tokenizer(tokenizer)
    content = Path(text).read_bytes().decode()
    encoder, fresh = model.encoder(), model.encoder()
    tokens: list[Any] = []
    seconds = timed(lambda: tokens.extend(encoder.encode(content)))
    alone = timed(lambda: fresh.encode_ids(content))
    ids = [token.id for token in tokens]
    found = hashlib.sha256(json.dumps(ids).encode()).hexdigest()
    return {"seconds": seconds, "ids": alone, "tokens": len(ids), "hash": found}


def long_word(tokenizer: str, text: str) -> dict[str, Any]:
    """Encode one word of 10,000 letters, and one of 100,000: letters of the text, without what is between them."""
    from bpe_tui.formats.registry import read_tokenizer

    letters = "".join(filter(str.isalpha, Path(text).read_bytes()[:400_000].decode("utf-8", "ignore")))
    seconds = {}
    for size in (10_000, 100_000):
        encoder = read_tokenizer(tokenizer).encoder()
        seconds[str(size)] = timed(partial(encoder.encode, letters[:size]))
    return seconds


if __name__ == "__main__":
    measures = {each.__name__: each for each in (trainer, words, samples, loop, encode, long_word)}
    print(json.dumps(measures[sys.argv[1]](*sys.argv[2:])))
