"""Counting words on a cluster: the plan, made here, and the wait for its result.

Files are cut into ranges, each counted by a task of its own; the counts are added up in a tree of tasks, still on the
workers, and bounded there. Only the finished table comes here.
"""

from __future__ import annotations

import contextlib
import logging
import re
import time
import uuid
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bpe_tui.cluster import tasks
from bpe_tui.cluster.local import local_cluster
from bpe_tui.cluster.tasks import RemoteFile
from bpe_tui.core.corpus.chunking import ByteRange, Chunker
from bpe_tui.core.corpus.sources import Source
from bpe_tui.core.corpus.tally import PartialCounts, special_notes
from bpe_tui.core.corpus.types import OnProgress, Progress, ShouldStop, WordCounts, raise_if_stopped
from bpe_tui.core.errors import BpeError, CorpusError, OptionError
from bpe_tui.core.i18n import _, mark
from bpe_tui.core.options import Options

LOCAL: Final = "local"
"""Instead of an address: a cluster on this machine, started for this count only."""
RANGE: Final = 64 << 20
"""Bytes that one task counts."""
FAN_IN: Final = 8
"""How many counts are added up by one task."""
_PATIENCE: Final = 10.0
"""Seconds in which a scheduler must answer."""
_POLL: Final = 0.1

_ADDRESS: Final = re.compile(r"(?:(?:tcp|tls|ucx|ws|wss)://)?[^/\s]+:\d+")
_EXTRA: Final = mark("--dask needs the package dask; in your clone of bpe-tui: pip install '.[dask]'")


def is_address(name: str) -> bool:
    """Whether a name on the command line is for fsspec rather than for this machine's file system."""
    return "://" in name


def count_on_cluster(
    inputs: Sequence[Source | str],
    options: Options,
    address: str,
    *,
    top: int | None = None,
    min_count: int = 1,
    should_stop: ShouldStop | None = None,
    progress: OnProgress | None = None,
    range_size: int = RANGE,
) -> WordCounts:
    """Count the words of files on the Dask cluster at `address`, or on one of this machine's own (`LOCAL`).

    `inputs` are files of this machine, which the workers must see at the same path, and addresses for fsspec, which
    only the workers open. The result is that of `bpe_tui.core.corpus.counting.count_words` and `bounded`, even if
    workers die on the way. Raises `OptionError` without Dask or without an answer at `address`, `CorpusError` for what
    cannot be read, and `Cancelled` soon after `should_stop()` returns true.
    """
    with _client(address) as client, _sentences(address):
        files = _files(client, inputs)
        ranges = cut(files, options, -(-range_size // tasks.WINDOW) * tasks.WINDOW)
        sizes = [_size(part, files) for part in ranges]
        done: set[int] = set()
        topic = f"bpe-tui-{uuid.uuid4().hex}"
        client.subscribe_topic(topic, lambda event: done.add(event[1]))
        future = client.compute(_plan(ranges, options, topic, top, min_count))
        try:
            while not future.done():
                raise_if_stopped(should_stop)
                if progress is not None:
                    progress(Progress("counting", sum(sizes[number] for number in tuple(done)), sum(sizes)))
                time.sleep(_POLL)
            total, notes = future.result()
        finally:
            future.cancel()
            client.unsubscribe_topic(topic)
    part = PartialCounts.from_bytes(total)
    documents = len(files) if options.documents == "files" else part.documents
    notes = (*special_notes(part.specials, options), *notes)
    return WordCounts(list(part.words), list(part.words.values()), documents, notes)


def cut(files: Sequence[RemoteFile], options: Options, size: int) -> list[ByteRange]:
    """Ranges of `size` bytes, in order; a file that cannot be cut, or whose size is not known, is one range."""
    can_be_cut = options.documents != "files" or Chunker(options).cuts_at_spaces
    ranges: list[ByteRange] = []
    for file in files:
        for start in range(0, max(file.size or 0, 1) if can_be_cut else 1, size):
            ends = not can_be_cut or file.size is None or start + size >= file.size
            ranges.append(ByteRange(file.address, start, None if ends else start + size))
    return ranges


def _size(part: ByteRange, files: Sequence[RemoteFile]) -> int:
    if part.end is not None:
        return part.end - part.start
    size = next(file.size for file in files if file.address == part.file)
    return (size or 0) - part.start


def _files(client: Any, inputs: Sequence[Source | str]) -> list[RemoteFile]:
    files: list[RemoteFile] = []
    for each in inputs:
        if isinstance(each, str):
            files += client.submit(tasks.files_at, each, pure=False).result()
        elif each.path is None or not each.path.is_file():
            raise CorpusError(_("{name} is no file that the workers of a cluster could read").format(name=each.name))
        else:
            files.append(RemoteFile(str(each.path.resolve()), each.path.stat().st_size))
    return files


def _plan(ranges: Sequence[ByteRange], options: Options, topic: str, top: int | None, min_count: int) -> Any:
    """The task that yields the result, with all that it depends on.

    As one plan rather than task by task, so that the scheduler adds up neighbours as soon as they are counted.
    """
    from dask.delayed import delayed

    count, add, finish = (delayed(each, pure=False) for each in (tasks.count_range, tasks.add_up, tasks.finish))
    parts = [count(number, part, options, tasks.versions(), topic) for number, part in enumerate(ranges)]
    while len(parts) > 1:
        parts = [add(parts[first : first + FAN_IN]) for first in range(0, len(parts), FAN_IN)]
    return finish(parts[0], top, min_count)


@contextlib.contextmanager
def _client(address: str) -> Iterator[Any]:
    """A client of the cluster, its log silenced: what matters is raised."""
    try:
        import distributed
    except ImportError:
        raise OptionError(_(_EXTRA)) from None
    client_of: Any = distributed.Client
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    with local_cluster() if address == LOCAL else contextlib.nullcontext(address) as scheduler:
        try:
            if not _ADDRESS.fullmatch(scheduler):
                raise ValueError(scheduler)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of other versions there; those that matter are compared by the tasks
                client = client_of(scheduler, timeout=_PATIENCE, set_as_default=False)
        except Exception as error:  # each kind of address fails in its own way
            raise OptionError(
                _(
                    "no Dask scheduler answers at {address}; give its address, as tcp://host:8786, or --dask {local}"
                ).format(address=address, local=LOCAL)
            ) from error
        with client:
            yield client


@contextlib.contextmanager
def _sentences(address: str) -> Iterator[None]:
    """Turn what Dask raises into sentences for the user."""
    from distributed import CancelledError, KilledWorker

    try:
        yield
    except BpeError:
        raise
    except KilledWorker:
        raise CorpusError(
            _(
                "the cluster gave up a stretch of the text because one worker after the other died "
                "over it; give the workers more memory"
            )
        ) from None
    except (CancelledError, OSError) as error:
        raise CorpusError(
            _("the cluster at {address} went away while it was counting").format(address=address)
        ) from error
    except Exception as error:
        if "No module named 'bpe_tui" in f"{error} {error.__cause__}":
            raise OptionError(
                _("the scheduler and the workers at {address} need bpe-tui, too; install it there").format(
                    address=address
                )
            ) from None
        raise
