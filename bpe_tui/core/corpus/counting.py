"""Counting the words of a whole corpus: in this process, or on all cores for big input, with the same result."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bpe_tui.core.corpus.memory import LARGE, SAMPLE, check_estimate, check_training
from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.corpus.sources import Corpus, Source
from bpe_tui.core.corpus.tally import PartialCounts, Tally, special_notes
from bpe_tui.core.corpus.types import OnProgress, Progress, ShouldStop, WordCounts, raise_if_stopped
from bpe_tui.core.corpus.word_tables import read_tables
from bpe_tui.core.corpus.workers import count_in_processes, split_in_process
from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _, plural
from bpe_tui.core.options import Options
from bpe_tui.core.runtime import policy

BIG: Final = 8 << 20
"""From this many bytes on, other processes help."""
MANY_WORDS: Final = 20_000
"""From this many distinct words on it matters whether there is memory to train on them."""


def count_words(
    corpus: Corpus,
    options: Options,
    *,
    should_stop: ShouldStop | None = None,
    progress: OnProgress | None = None,
    processes: int | None = None,
    trains: bool = True,
) -> WordCounts:
    """Read `corpus` and count its words, to train on them if `trains`; the same whatever the number of processes.

    Raises `CorpusError` for what cannot be read, `OptionError` for a pattern that does not compile, `PatternError` for
    one that does not end, and `Cancelled` soon after `should_stop()` returns true.
    """
    if corpus.is_word_counts:
        words = read_tables(corpus.sources, should_stop)
        if options.specials and options.specials_in_corpus == "cut":
            words = _with_note_on_specials(words, options)
        words = without_protected(words, options)
    else:
        words = _count_texts(corpus.sources, options, should_stop, progress, processes, trains)
    if trains and len(words.words) > MANY_WORDS:
        is_bytes = options.alphabet != "characters"
        symbols = sum([len(word.encode("utf-8", "replace")) if is_bytes else len(word) for word in words.words])
        check_training(corpus.name, len(words.words), symbols)
    return words


def _with_note_on_specials(words: WordCounts, options: Options) -> WordCounts:
    """The words of a table; a note says so if they hold special tokens, which are cut out of texts only."""
    holding = [word for word in words.words if any(special in word for special in options.specials)]
    if not holding:
        return words
    note = plural(
        "{count} word of the table holds a special token, which is plain text there: a table is cut already",
        "{count} words of the table hold a special token, which is plain text there: a table is cut already",
        len(holding),
    )
    return replace(words, notes=(*words.notes, note))


def without_protected(words: WordCounts, options: Options) -> WordCounts:
    """The words of a table without the protected ones: what lies before and behind them are words of their own.

    Raises `OptionError` for a protected word that holds a blank while no word of the table holds it: it can't be found.
    """
    if not options.protected:
        return words
    for text in options.protected:
        if any(map(str.isspace, text)) and not any(text in word for word in words.words):
            raise OptionError(
                _(
                    "--protect {text} holds a blank, and the words of a table are cut there already; protect its "
                    "parts, or train on text"
                ).format(text=repr(text))
            )
    longest_first = sorted(options.protected, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest_first)))
    kept: dict[str, int] = {}
    for word, count in zip(words.words, words.counts, strict=True):
        for piece in filter(None, pattern.split(word)):
            kept[piece] = kept.get(piece, 0) + count
    return replace(words, words=list(kept), counts=list(kept.values()))


def _count_texts(
    sources: Sequence[Source],
    options: Options,
    should_stop: ShouldStop | None,
    progress: OnProgress | None,
    processes: int | None,
    trains: bool,
) -> WordCounts:
    sizes = [source.size for source in sources]
    total = sum(size or 0 for size in sizes)
    workers = _workers_for(sources, total if None not in sizes else 0, processes)
    make_pre_tokenizer(options)  # refuses a pattern that does not compile before anything is read
    if total >= LARGE:
        _estimate_memory(sources, options, total, trains=trains)
    if workers > 1:
        parts = count_in_processes(sources, options, workers, should_stop=should_stop, progress=progress)
    else:
        parts = [_count_here(sources, options, total if None not in sizes else 0, should_stop, progress)]
    return _sum_of(parts, sources, options)


def _sum_of(parts: Sequence[PartialCounts], sources: Sequence[Source], options: Options) -> WordCounts:
    """The word counts of texts that were counted in parts; the parts are in the order of the text."""
    total = parts[0]
    for part in parts[1:]:
        total.add(part)
    documents = len(sources) if options.documents == "files" else total.documents
    words = total.words
    return WordCounts(list(words), list(words.values()), documents, special_notes(total.specials, options))


def _estimate_memory(sources: Sequence[Source], options: Options, total: int, *, trains: bool) -> None:
    """Estimate from the start of a large text whether there is memory for it. Raises `CorpusError` if not."""
    largest = max(sources, key=lambda source: source.size or 0)
    tally, found = Tally(options), []
    stream = largest.open()
    try:
        for _part in range(2):
            sample = stream.read(SAMPLE // 2)
            tally.add(sample[: tally.chunker.last_cut(sample)])
            found.append(tally.distinct)
    finally:
        stream.close()
    name = largest.name if len(sources) == 1 else _("the corpus")
    check_estimate(name, total, SAMPLE, *found, trains=trains)


def _workers_for(sources: Sequence[Source], total: int, wanted: int | None) -> int:
    """How many processes to count with; 1 is this one alone.

    `total` is the input's size in bytes, 0 if unknown. Only files can be shared out.
    """
    if any(source.path is None or source.encoding or not source.path.is_file() for source in sources):
        return 1
    if wanted is not None:
        return max(1, wanted)
    return _cores() if total >= BIG else 1


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _count_here(
    sources: Sequence[Source],
    options: Options,
    total: int = 0,
    should_stop: ShouldStop | None = None,
    progress: OnProgress | None = None,
) -> PartialCounts:
    """Count texts in this process; `total` is their size in bytes, for `progress`."""
    tally = Tally(options)
    done = 0
    for source in sources:
        stream = source.open(should_stop)
        try:
            for size in tally.read(stream, source.name):
                done += size
                if progress is not None:
                    progress(Progress("counting", done, total))
                raise_if_stopped(should_stop)
        finally:
            if source.path is not None:
                stream.close()
    if should_stop is not None and options.pre_tokenizer == "pattern" and policy().starts_processes:
        return split_in_process(tally.chunks(), options, should_stop)
    return tally.finish(should_stop)
