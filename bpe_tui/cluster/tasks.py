"""What runs on the workers of a cluster: count the words of a range of a file, and add up counts.

Every task is pure: it depends on its arguments and on files that are only read. A task whose worker died is simply run
again by another one, with the same result. Counts travel as the bytes of `PartialCounts`; the order of words is that of
the text as long as parts are added in the order of their ranges.

A range of a cluster begins and ends at the first places, at or behind its `start` and `end`, where the text may be cut:
its worker finds them, so that the files need not be read where the plan is made.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, Final

from bpe_tui.core.corpus.chunking import ByteRange, Chunker
from bpe_tui.core.corpus.tally import PartialCounts, Tally
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.corpus.word_tables import bounded
from bpe_tui.core.errors import BpeError, CorpusError
from bpe_tui.core.i18n import _, unreadable
from bpe_tui.core.options import Options
from bpe_tui.version import __version__

WINDOW: Final = 1 << 20
"""Bytes that are searched at a time for a place to cut. The size of ranges is a multiple of it."""
_SURE_CUT: Final = 3
"""Bytes that decide whether a text may be cut in the middle of them."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of the corpus, where the workers open it."""

    address: str
    size: int | None
    """In bytes, if its file system reports it."""


def versions() -> tuple[str, str]:
    """What counts depend on beside the text: this program, and the tables of Unicode in `regex`."""
    return __version__, version("regex")


def count_range(number: int, part: ByteRange, options: Options, expected: tuple[str, str], topic: str) -> bytes:
    """The counts of one range; logs its `number` as an event of `topic` when it is done.

    Raises `CorpusError` naming the file, also where the versions here are not the `expected` ones.
    """
    if versions() != expected:
        theirs, ours = (" and ".join(("bpe-tui " + found[0], "regex " + found[1])) for found in (versions(), expected))
        raise CorpusError(
            _("a worker has {theirs}, but here is {ours}; counts are exact only if both are the same").format(
                theirs=theirs, ours=ours
            )
        )
    tally = Tally(options)
    with _opened(part.file) as stream:
        start = _cut_from(stream, part.start, tally.chunker) if part.start else 0
        end = None if part.end is None else _cut_from(stream, part.end, tally.chunker)
        if end is None or start < end:
            if stream.seekable():
                stream.seek(start)
            for _size in tally.read(stream, part.file, end):
                pass
    counted = tally.finish().to_bytes()
    _report(topic, number)
    return counted


def add_up(parts: Sequence[bytes]) -> bytes:
    """The sum of counts; words in order of first appearance, parts taken one after the other."""
    total = PartialCounts()
    for part in parts:
        total.add(PartialCounts.from_bytes(part))
    return total.to_bytes()


def finish(total: bytes, top: int | None, min_count: int) -> tuple[bytes, tuple[str, ...]]:
    """The counts within their bounds, and the notes about what was left out."""
    part = PartialCounts.from_bytes(total)
    kept = bounded(WordCounts(list(part.words), list(part.words.values())), top=top, min_count=min_count)
    part.words = dict(zip(kept.words, kept.counts, strict=True))
    return part.to_bytes(), kept.notes


def files_at(address: str) -> list[RemoteFile]:
    """The files that an fsspec address stands for: one file, a folder with all its files, or a pattern with `*`.

    They are sorted by path, hidden ones left out of folders. Raises `CorpusError` if there are none.
    """
    import fsspec

    with _readable(address):
        system, path = fsspec.core.url_to_fs(address)
        if "*" in path or "?" in path or "[" in path:
            found = [each for each in system.glob(path) if not system.isdir(each)]
        elif system.isdir(path):
            found = [each for each in system.find(path) if not _hidden(each.removeprefix(path))]
        elif system.exists(path):
            return [RemoteFile(address, _size(system.info(path)))]
        else:
            found = []
        if not found:
            raise CorpusError(_("there is no file at {address}").format(address=address))
        found.sort(key=lambda each: each.split("/"))
        return [RemoteFile(system.unstrip_protocol(each), _size(system.info(each))) for each in found]


def _hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _size(info: dict[str, object]) -> int | None:
    size = info.get("size")
    return size if isinstance(size, int) else None


@contextlib.contextmanager
def _opened(address: str) -> Iterator[BinaryIO]:
    with _readable(address):
        if "://" not in address:
            with Path(address).open("rb") as stream:
                yield stream
            return
        import fsspec

        with fsspec.open(address, "rb") as stream:
            yield stream


@contextlib.contextmanager
def _readable(address: str) -> Iterator[None]:
    """Turn any error into a `CorpusError` that names the address; file systems raise whatever their libraries do."""
    try:
        yield
    except BpeError:
        raise
    except Exception as error:
        raise CorpusError(unreadable(address, error)) from None


def _cut_from(stream: BinaryIO, place: int, chunker: Chunker) -> int:
    """The first place behind `place` where the file may be cut, its end if there is none.

    The ranges on both sides of it compute it, with the same result.
    """
    while True:
        stream.seek(place)
        window = stream.read(WINDOW + _SURE_CUT - 1)
        cut = chunker.first_cut(window)
        if cut:
            return place + cut
        if len(window) < WINDOW:
            return place + len(window)
        place += WINDOW


def _report(topic: str, number: int) -> None:
    """Report to the client that a range is counted; outside a worker nothing is reported."""
    with contextlib.suppress(ImportError, ValueError):
        from distributed import get_worker

        get_worker().log_event(topic, number)
