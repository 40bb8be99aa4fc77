"""Counting words: streaming, in bounded memory, on all cores for big input.

A text is read in blocks that end where the pre-tokenizer cuts anyway (`chunking.py`); the blocks' chunks are counted,
and the pre-tokenizer runs on each distinct chunk once. Since both keep the order of first appearance, so does the
result, however the text was cut and whoever counted.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, Final

from bpe_tui.core.corpus.chunking import Chunker
from bpe_tui.core.corpus.memory import LARGE, SAMPLE, check_estimate, check_whole, check_words
from bpe_tui.core.corpus.partial_counts import Part
from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.corpus.sources import Progress, Source, WordCounts
from bpe_tui.core.errors import Cancelled, CorpusError
from bpe_tui.core.i18n import _, plural, unreadable
from bpe_tui.core.options import Options

BLOCK: Final = 4 << 20
"""Bytes that are read and cut at a time."""
BIG: Final = 8 << 20
"""From this many bytes on, other processes help."""

_UTF8_BOM: Final = b"\xef\xbb\xbf"


class Tally:
    """Counts the words of blocks, one after the other."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._pre_tokenizer = make_pre_tokenizer(options)
        self.chunker = Chunker(options)
        lines = options.documents != "files"
        specials = [special for special in options.specials if not (lines and "\n" in special)]
        specials.sort(key=len, reverse=True)
        alternatives = b"|".join(re.escape(special.encode("utf-8", "surrogatepass")) for special in specials)
        self._specials = re.compile(alternatives) if alternatives else None
        self._chunks: dict[bytes, int] = {}
        self._documents = 0
        self._special_count = 0

    def read(self, stream: BinaryIO, name: str, end: int | None = None, size: int = BLOCK) -> Iterator[int]:
        """Count a file, or a stretch of it up to position `end`; yields the size of each block that is done.

        Raises `CorpusError` for anything but UTF-8.
        """
        block = b""
        for block in blocks(stream, self.chunker, name, end, size):
            self.add(block)
            check_words(name, len(self._chunks))
            yield len(block)
        if self._options.documents != "files" and block and not block.endswith(b"\n") and not stream.read(1):
            self._documents += 1  # the file's last line has no end of its own

    def add(self, block: bytes) -> None:
        """Count a block that ends where the chunker says it may; of its lines, those that end in it."""
        if self._options.documents != "files":
            self._documents += block.count(b"\n")
        found = self._specials.findall(block) if self._specials is not None else []
        if found:
            self._special_count += len(found)
        if found and self._options.specials_in_corpus == "cut" and self._specials is not None:
            chunks = [chunk for piece in self._specials.split(block) for chunk in self.chunker.chunks(piece)]
        else:
            chunks = self.chunker.chunks(block)
        # A block's own table is small enough for the processor's cache; only its distinct chunks go to the large one.
        counted = Counter(chunks)
        if not self._chunks:
            self._chunks.update(counted)
            return
        known = self._chunks.get
        for chunk, count in counted.items():
            self._chunks[chunk] = known(chunk, 0) + count

    @property
    def distinct(self) -> int:
        """Chunks that differ, so far."""
        return len(self._chunks)

    def finish(self) -> Part:
        """All words so far, in order of first appearance."""
        self._chunks.pop(b"", None)
        words: dict[str, int] = {}
        known = words.get
        split = self._pre_tokenizer.split
        for chunk, count in self._chunks.items():
            for word in split(chunk.decode()):
                words[word] = known(word, 0) + count
        return Part(words, self._documents, self._special_count)


def blocks(stream: BinaryIO, chunker: Chunker, name: str, end: int | None = None, size: int = BLOCK) -> Iterator[bytes]:
    """The bytes of `stream` up to position `end` in blocks of about `size`, each valid UTF-8 and cut where it may be.

    A UTF-8 byte-order mark at the start of the stream is dropped. Raises `CorpusError` for anything but UTF-8.
    """
    at_start = not stream.seekable() or stream.tell() == 0
    done = 0 if at_start else stream.tell()
    kept: list[bytes] = []
    while True:
        try:
            fresh = stream.read(size if end is None else max(0, min(size, end - done)))
        except OSError as error:
            raise CorpusError(unreadable(name, error)) from error
        if not fresh:
            if kept:
                yield _checked(b"".join(kept), name, done - sum(map(len, kept)), stream)
            return
        done += len(fresh)
        if at_start:
            refuse_other_encodings(fresh, name)
            at_start = False
            fresh = fresh.removeprefix(_UTF8_BOM)
        cut = chunker.last_cut(fresh)
        if cut == 0:
            kept.append(fresh)
            check_whole(name, sum(map(len, kept)))
            continue
        block = b"".join((*kept, fresh[:cut]))
        yield _checked(block, name, done - len(fresh) + cut - len(block), stream)
        kept = [fresh[cut:]] if cut < len(fresh) else []


def refuse_other_encodings(data: bytes, name: str) -> None:
    """Raises `CorpusError` if the start of a text looks like UTF-16 or UTF-32."""
    if b"\0" in data[:4096] or data[:1] in (b"\xff", b"\xfe"):
        from bpe_tui.core.corpus.encodings import guess, other_encoding

        if (encoding := guess(data)) is not None:
            raise other_encoding(name, encoding)


def _checked(block: bytes, name: str, begin: int, stream: BinaryIO) -> bytes:
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            from bpe_tui.core.corpus.encodings import not_utf8

            place = begin + error.start
            raise not_utf8(name, place, block[error.start], _line_at(stream, place)) from error
    return block


def _line_at(stream: BinaryIO, place: int) -> int | None:
    """The line in which byte `place` stands, from 1; None if the stream cannot be read again."""
    try:
        stream.seek(0)
        left, lines = place, 1
        while left > 0 and (data := stream.read(min(left, BLOCK))):
            lines += data.count(b"\n")
            left -= len(data)
    except (OSError, ValueError):  # such as a pipe
        return None
    return lines


def count_texts(
    sources: Sequence[Source],
    options: Options,
    *,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
    processes: int | None = None,
    trains: bool = True,
) -> WordCounts:
    """Count the words of texts; see `bpe_tui.core.corpus.sources.count_words`."""
    sizes = [source.size for source in sources]
    total = sum(size or 0 for size in sizes)
    workers = _workers_for(sources, total if None not in sizes else 0, processes)
    make_pre_tokenizer(options)  # a pattern that does not compile is told before anything is read
    if total >= LARGE:
        _estimate_memory(sources, options, total, trains=trains)
    if workers > 1:
        from bpe_tui.core.corpus.workers import count_in_processes

        parts = count_in_processes(sources, options, workers, should_stop=should_stop, progress=progress)
    else:
        parts = [count_part(sources, options, total if None not in sizes else 0, should_stop, progress)]
    return of_parts(parts, sources, options)


def of_parts(parts: Sequence[Part], sources: Sequence[Source], options: Options) -> WordCounts:
    """The word counts of texts that were counted in parts, in their order."""
    words = parts[0].words
    for part in parts[1:]:
        for word, count in part.words.items():
            words[word] = words.get(word, 0) + count
    documents = len(sources) if options.documents == "files" else sum(part.documents for part in parts)
    specials = sum(part.specials for part in parts)
    return WordCounts(list(words), list(words.values()), documents, specials, _notes(specials, options))


def _estimate_memory(sources: Sequence[Source], options: Options, total: int, *, trains: bool) -> None:
    """Guess from the start of a large text whether there is memory for it. Raises `CorpusError` if not."""
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
    return cores() if total >= BIG else 1


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_part(
    sources: Sequence[Source],
    options: Options,
    total: int = 0,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Part:
    """Count texts in this process; `total` is their size in bytes, for those who are told of the progress."""
    tally = Tally(options)
    done = 0
    for source in sources:
        stream = source.open(should_stop)
        try:
            for size in tally.read(stream, source.name):
                done += size
                if progress is not None:
                    progress(Progress("counting", done, total))
                if should_stop is not None and should_stop():
                    raise Cancelled("stopped")
        finally:
            if source.path is not None:
                stream.close()
    return tally.finish()


def _notes(specials: int, options: Options) -> tuple[str, ...]:
    if not specials:
        return ()
    if options.specials_in_corpus == "cut":
        note = plural(
            "{count} special token was found in the corpus and cut out first",
            "{count} special tokens were found in the corpus and cut out first",
            specials,
        )
    else:
        note = plural(
            "{count} special token was found in the corpus and learned as plain text",
            "{count} special tokens were found in the corpus and learned as plain text",
            specials,
        )
    return (note,)
