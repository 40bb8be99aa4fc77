"""What runs on the workers of a cluster: count the words of a stretch of a file, and add up counts.

Every task is pure: it depends on its arguments and on files that are only read. A task whose worker died is simply run
again by another one, and gives the same. Counts travel as bytes, packed by `bpe_tui.core.corpus.partial_counts.pack`;
the order of words is that of the text as long as parts are added in the order of their stretches.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, Final

from bpe_tui import __version__
from bpe_tui.core.corpus.chunking import Chunker
from bpe_tui.core.corpus.counting import Tally
from bpe_tui.core.corpus.partial_counts import Part, pack, unpacked
from bpe_tui.core.corpus.sources import WordCounts
from bpe_tui.core.corpus.word_tables import bounded
from bpe_tui.core.errors import BpeError, CorpusError
from bpe_tui.core.i18n import _, unreadable
from bpe_tui.core.options import Options

LOOK: Final = 1 << 20
"""Bytes in which a place to cut is looked for at a time. The size of stretches is a multiple of it."""
_SURE_CUT: Final = 3
"""Bytes that tell whether a text may be cut in the midst of them."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a file: what lies between the first places, at or behind `start` and `end`, where it may be cut."""

    number: int
    """Of all stretches of the corpus, in order."""
    address: str
    """A path, or anything that fsspec opens, such as `s3://bucket/file.txt`."""
    start: int
    end: int | None
    """None: to the end of the file."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of the corpus."""

    address: str
    size: int | None
    """In bytes, if its file system tells."""


def versions() -> tuple[str, str]:
    """What decides about counts beside the text: this program, and the tables of Unicode in `regex`."""
    return __version__, version("regex")


def count_stretch(stretch: Stretch, options: Options, expected: tuple[str, str], topic: str) -> bytes:
    """The packed counts of one stretch; tells `topic` when it is done. Raises `CorpusError` naming the file."""
    if versions() != expected:
        theirs, ours = (" and ".join(("bpe-tui " + found[0], "regex " + found[1])) for found in (versions(), expected))
        raise CorpusError(
            _("a worker has {theirs}, but here is {ours}; counts are exact only if both are the same").format(
                theirs=theirs, ours=ours
            )
        )
    tally = Tally(options)
    with _opened(stretch.address) as stream:
        start = _cut_from(stream, stretch.start, tally.chunker) if stretch.start else 0
        end = None if stretch.end is None else _cut_from(stream, stretch.end, tally.chunker)
        if end is None or start < end:
            if stream.seekable():
                stream.seek(start)
            for _size in tally.read(stream, stretch.address, end):
                pass
    counted = packed(tally.finish())
    _tell(topic, stretch.number)
    return counted


def add_up(parts: Sequence[bytes]) -> bytes:
    """The sum of packed counts; words in order of first appearance, parts taken one after the other."""
    total = Part()
    words = total.words
    for each in parts:
        part = unpacked(each)
        for word, count in part.words.items():
            words[word] = words.get(word, 0) + count
        total.documents += part.documents
        total.specials += part.specials
    return packed(total)


def finish(total: bytes, top: int | None, min_count: int) -> tuple[bytes, tuple[str, ...]]:
    """The packed counts within their bounds, and the notes about what was left out."""
    part = unpacked(total)
    kept = bounded(WordCounts(list(part.words), list(part.words.values())), top=top, min_count=min_count)
    part.words = dict(zip(kept.words, kept.counts, strict=True))
    return packed(part), kept.notes


def files_at(address: str) -> list[File]:
    """The files that an fsspec address stands for: one file, a folder with all its files, or a pattern with `*`.

    They are sorted by path, hidden ones left out of folders. Raises `CorpusError` if there are none.
    """
    import fsspec

    with _told(address):
        system, path = fsspec.core.url_to_fs(address)
        if "*" in path or "?" in path or "[" in path:
            found = [each for each in system.glob(path) if not system.isdir(each)]
        elif system.isdir(path):
            found = [each for each in system.find(path) if not _hidden(each.removeprefix(path))]
        elif system.exists(path):
            return [File(address, _size(system.info(path)))]
        else:
            found = []
        if not found:
            raise CorpusError(_("there is no file at {address}").format(address=address))
        found.sort(key=lambda each: each.split("/"))
        return [File(system.unstrip_protocol(each), _size(system.info(each))) for each in found]


def _hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _size(info: dict[str, object]) -> int | None:
    size = info.get("size")
    return size if isinstance(size, int) else None


@contextlib.contextmanager
def _opened(address: str) -> Iterator[BinaryIO]:
    with _told(address):
        if "://" not in address:
            with Path(address).open("rb") as stream:
                yield stream
            return
        import fsspec

        with fsspec.open(address, "rb") as stream:
            yield stream


@contextlib.contextmanager
def _told(address: str) -> Iterator[None]:
    """Name the address in what goes wrong; file systems raise whatever their libraries do."""
    try:
        yield
    except BpeError:
        raise
    except Exception as error:
        raise CorpusError(unreadable(address, error)) from None


def _cut_from(stream: BinaryIO, place: int, chunker: Chunker) -> int:
    """The first place behind `place` where the file may be cut, its end if there is none.

    Neighbouring stretches both ask for it, and get the same answer.
    """
    while True:
        stream.seek(place)
        window = stream.read(LOOK + _SURE_CUT - 1)
        cut = chunker.first_cut(window)
        if cut:
            return place + cut
        if len(window) < LOOK:
            return place + len(window)
        place += LOOK


def packed(part: Part) -> bytes:
    """A part as the tasks hand it on."""
    buffer = io.BytesIO()
    pack(part, buffer)
    return buffer.getvalue()


def _tell(topic: str, number: int) -> None:
    """Tell the client that a stretch is counted; without a worker around, nobody listens."""
    with contextlib.suppress(ImportError, ValueError):
        from distributed import get_worker

        get_worker().log_event(topic, number)
