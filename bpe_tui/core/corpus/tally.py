"""Counting the words of a part of a corpus, block by block, in bounded memory.

A text is read in blocks that end where the pre-tokenizer cuts anyway (`chunking.py`); the blocks' chunks are counted,
and the pre-tokenizer runs on each distinct chunk once. Both keep the order of first appearance, and so does a sum of
partial counts; so the result is the same however the text was cut.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from bpe_tui.core.corpus.chunking import Chunker
from bpe_tui.core.corpus.encodings import not_utf8, refuse_other_encodings
from bpe_tui.core.corpus.memory import check_whole, check_words
from bpe_tui.core.corpus.pretokenize import PreTokenizer, make_pre_tokenizer
from bpe_tui.core.corpus.types import ShouldStop, raise_if_stopped
from bpe_tui.core.errors import CorpusError
from bpe_tui.core.i18n import plural, unreadable
from bpe_tui.core.options import Options

BLOCK: Final = 4 << 20
"""Bytes that are read and cut at a time."""

_UTF8_BOM: Final = b"\xef\xbb\xbf"
_SEPARATOR: Final = b"\xff"
"""Between two words in UTF-8, where this byte never occurs."""
_HEADER_FIELDS: Final = 3


@dataclass(slots=True)
class PartialCounts:
    """The words counted in a part of a corpus, in order of first appearance."""

    words: dict[str, int] = field(default_factory=dict)
    documents: int = 0
    specials: int = 0

    def add(self, other: PartialCounts) -> None:
        """Add the counts of a later part."""
        words = self.words
        known = words.get
        for word, count in other.words.items():
            words[word] = known(word, 0) + count
        self.documents += other.documents
        self.specials += other.specials

    def to_bytes(self) -> bytes:
        """As 64-bit integers the numbers of words, documents and special tokens, and the words' counts; then the words
        as UTF-8 between 0xFF bytes.
        """
        header = array("q", (len(self.words), self.documents, self.specials))
        counts = array("q", self.words.values())
        return header.tobytes() + counts.tobytes() + _SEPARATOR.join([word.encode() for word in self.words])

    @classmethod
    def from_bytes(cls, data: bytes) -> PartialCounts:
        """The counts that `to_bytes` wrote."""
        item = array("q").itemsize
        number, documents, specials = array("q", data[: _HEADER_FIELDS * item])
        words_begin = (_HEADER_FIELDS + number) * item
        counts = array("q", data[_HEADER_FIELDS * item : words_begin])
        words = data[words_begin:].split(_SEPARATOR) if number else []
        return cls(dict(zip(map(bytes.decode, words), counts, strict=True)), documents, specials)


class Tally:
    """Counts the words of blocks, one after the other."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._pre_tokenizer = make_pre_tokenizer(options)
        self.chunker = Chunker(options)
        lines = options.documents != "files"
        found_in = [token for token in options.specials if not (lines and "\n" in token)]
        self._specials = _pattern(found_in)
        self._cut = _pattern([token for token in options.cut_out if not (lines and "\n" in token)])
        self._chunks: dict[bytes, int] = {}
        self._documents = 0
        self._special_count = 0

    def read(self, stream: BinaryIO, name: str, end: int | None = None, size: int = BLOCK) -> Iterator[int]:
        """Count a file, or a range of it up to position `end`; yields now and then how many bytes more are read.

        Raises `CorpusError` for anything but UTF-8.
        """
        last = b""
        for block, fresh in blocks(stream, self.chunker, name, end, size):
            if block:
                self.add(block)
                check_words(name, len(self._chunks))
                last = block
            yield fresh
        if self._options.documents != "files" and last and not last.endswith(b"\n") and not stream.read(1):
            self._documents += 1  # the file's last line has no end of its own

    def add(self, block: bytes) -> None:
        """Count a block that ends where the chunker allows it. Lines are counted where they end."""
        if self._options.documents != "files":
            self._documents += block.count(b"\n")
        found = self._specials.findall(block) if self._specials is not None else []
        self._special_count += len(found)
        if self._cut is not None and (found or self._options.protected):
            chunks = [chunk for piece in self._cut.split(block) for chunk in self.chunker.chunks(piece)]
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
        """The number of distinct chunks so far."""
        return len(self._chunks)

    def chunks(self) -> PartialCounts:
        """The distinct chunks so far, which `split` makes words of."""
        return PartialCounts(dict(self._decoded()), self._documents, self._special_count)

    def finish(self, should_stop: ShouldStop | None = None) -> PartialCounts:
        """All words so far, in order of first appearance. Raises `PatternError`, and `Cancelled`."""
        words = split(self._decoded(), self._pre_tokenizer, should_stop)
        return PartialCounts(words, self._documents, self._special_count)

    def _decoded(self) -> Iterator[tuple[str, int]]:
        return ((chunk.decode(), count) for chunk, count in self._chunks.items() if chunk)


def _pattern(tokens: Sequence[str]) -> re.Pattern[bytes] | None:
    """The longest of the tokens at the leftmost place; None if there are none."""
    longest_first = sorted(tokens, key=len, reverse=True)
    alternatives = b"|".join(re.escape(token.encode("utf-8", "surrogatepass")) for token in longest_first)
    return re.compile(alternatives) if alternatives else None


def split(
    chunks: Iterable[tuple[str, int]], pre_tokenizer: PreTokenizer, should_stop: ShouldStop | None = None
) -> dict[str, int]:
    """The words of chunks, in order of first appearance. Raises `PatternError`, and `Cancelled`."""
    words: dict[str, int] = {}
    known = words.get
    cut = pre_tokenizer.split
    for chunk, count in chunks:
        raise_if_stopped(should_stop)
        for word in cut(chunk):
            words[word] = known(word, 0) + count
    return words


def blocks(
    stream: BinaryIO, chunker: Chunker, name: str, end: int | None = None, size: int = BLOCK
) -> Iterator[tuple[bytes, int]]:
    """The bytes of `stream` up to position `end` in blocks of about `size`, each valid UTF-8 and cut where it may be.

    With each block comes the number of bytes that were read for it. While no place to cut is found, the blocks are
    empty. A UTF-8 byte-order mark at the start of the stream is dropped. Raises `CorpusError` for anything but UTF-8.
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
                yield _checked(b"".join(kept), name, done - sum(map(len, kept)), stream), 0
            return
        read = len(fresh)
        done += read
        if at_start:
            refuse_other_encodings(fresh, name)
            at_start = False
            fresh = fresh.removeprefix(_UTF8_BOM)
        cut = chunker.last_cut(fresh)
        if cut == 0:
            kept.append(fresh)
            check_whole(name, sum(map(len, kept)))
            yield b"", read
            continue
        block = b"".join((*kept, fresh[:cut]))
        yield _checked(block, name, done - len(fresh) + cut - len(block), stream), read
        kept = [fresh[cut:]] if cut < len(fresh) else []


def _checked(block: bytes, name: str, begin: int, stream: BinaryIO) -> bytes:
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            place = begin + error.start
            raise not_utf8(name, place, block[error.start], _line_at(stream, place)) from error
    return block


def _line_at(stream: BinaryIO, place: int) -> int | None:
    """The number, from 1, of the line with byte `place`; None if the stream cannot be read again."""
    try:
        stream.seek(0)
        left, lines = place, 1
        while left > 0 and (data := stream.read(min(left, BLOCK))):
            lines += data.count(b"\n")
            left -= len(data)
    except (OSError, ValueError):  # such as a pipe
        return None
    return lines


def special_notes(specials: int, options: Options) -> tuple[str, ...]:
    """A note on special tokens in a corpus."""
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
