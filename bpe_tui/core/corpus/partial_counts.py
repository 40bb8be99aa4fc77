"""The words counted in a part of a corpus, and how they travel from one process to another."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import BinaryIO, Final

_SEPARATOR: Final = b"\xff"
_HEAD: Final = 3


@dataclass(slots=True)
class Part:
    """Words counted in a part of a corpus."""

    words: dict[str, int] = field(default_factory=dict)
    documents: int = 0
    specials: int = 0


def pack(part: Part, stream: BinaryIO) -> None:
    """Write a part: as 64-bit integers the numbers of words, documents and special tokens, and the words' counts; then
    the words as UTF-8 between 0xFF bytes.
    """
    stream.write(array("q", (len(part.words), part.documents, part.specials)).tobytes())
    stream.write(array("q", part.words.values()).tobytes())
    stream.write(_SEPARATOR.join([word.encode() for word in part.words]))
    stream.flush()


def unpacked(data: bytes) -> Part:
    """The part that `pack` wrote."""
    size = array("q").itemsize
    size_of_head = _HEAD * size
    head = array("q", data[:size_of_head])
    number, documents, specials = head
    words_begin = size_of_head + number * size
    counts = array("q", data[size_of_head:words_begin])
    words = data[words_begin:].split(_SEPARATOR) if number else []
    return Part(dict(zip(map(bytes.decode, words), counts, strict=True)), documents, specials)
