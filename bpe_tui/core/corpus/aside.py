"""Counting aside: in a copy of this process, while this one loads what comes next.

To load numpy takes as long as to count a megabyte, and a second core has nothing better to do. Smaller texts are not
worth a process, for larger ones `processes.py` starts several.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Final

from bpe_tui.core.corpus.counting import BIG, cores, count_here, count_words, sum_of
from bpe_tui.core.corpus.sources import Corpus
from bpe_tui.core.corpus.tally import PartialCounts
from bpe_tui.core.corpus.types import Progress, WordCounts
from bpe_tui.core.options import Options

WORTH: Final = 1 << 17
"""From this many bytes on, a text is counted aside."""


@contextlib.contextmanager
def counted_aside(
    corpus: Corpus, options: Options, progress: Callable[[Progress], None] | None = None
) -> Iterator[Callable[[], WordCounts]]:
    """Begin to count words; what is yielded waits for them. It raises, and returns, what `count_words` does."""
    if not _is_worth_it(corpus):
        yield lambda: count_words(corpus, options, progress=progress)
        return
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        _count_and_end(corpus, options, sending)
    os.close(sending)
    with os.fdopen(receiving, "rb") as stream:
        ended = False

        def words() -> WordCounts:
            nonlocal ended
            data = stream.read()
            ended = True
            if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
                return count_words(corpus, options, progress=progress)  # here, which tells what is wrong
            return sum_of([PartialCounts.from_bytes(data)], corpus.sources, options)

        try:
            yield words
        finally:
            if not ended:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)


def _is_worth_it(corpus: Corpus) -> bool:
    """Is it a text in files, neither small nor large, is there a second core, and can this process be copied?"""
    if corpus.is_word_counts or cores() < 2 or not hasattr(os, "fork") or threading.active_count() > 1:
        return False
    if any(source.path is None or not source.path.is_file() for source in corpus.sources):
        return False
    return WORTH <= sum(source.size or 0 for source in corpus.sources) < BIG


def _count_and_end(corpus: Corpus, options: Options, sending: int) -> None:
    """What the copy does, and all it does: of what the process it was copied from has begun, it finishes nothing."""
    status = 1
    try:
        with os.fdopen(sending, "wb") as stream:
            stream.write(count_here(corpus.sources, options).to_bytes())
        status = 0
    finally:
        os._exit(status)
