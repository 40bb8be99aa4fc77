"""Processes that count: several take a share of large files each; one runs a pattern that may not end.

The workers are fresh Python processes that load neither numpy nor a screen; they end by themselves when their parent
has gone, and are killed when counting is given up.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bpe_tui.core.corpus.chunking import ByteRange, Chunker
from bpe_tui.core.corpus.memory import limit_memory, memory_in_use, memory_limit
from bpe_tui.core.corpus.patterns import current_time_limit, time_limit
from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.corpus.sources import Source
from bpe_tui.core.corpus.tally import PartialCounts, Tally, split
from bpe_tui.core.corpus.types import OnProgress, Progress, ShouldStop, raise_if_stopped
from bpe_tui.core.errors import BpeError, Cancelled, CorpusError, OptionError, PatternError
from bpe_tui.core.helper_process import HelperProcess
from bpe_tui.core.i18n import _, current_language, unreadable, use
from bpe_tui.core.options import Options

_WINDOW: Final = 1 << 20
"""Bytes behind a wished-for boundary that are searched for a place to cut."""
_POLL: Final = 0.05
"""Seconds between two checks of `should_stop`."""
_REPORT_INTERVAL: Final = 0.1
"""Seconds between two reports of a worker."""
_ERRORS: Final = {kind.__name__: kind for kind in (CorpusError, OptionError, PatternError)}
"""What a worker may report; any other error is a `CorpusError`."""


def share_out(sources: Sequence[Source], chunker: Chunker, workers: int) -> list[list[ByteRange]]:
    """Cut the files, taken as one, into shares of about equal size, at places where they may be cut."""
    paths = [source.path for source in sources if source.path is not None]
    sizes = [path.stat().st_size for path in paths]
    per_worker = max(1, -(-sum(sizes) // workers))
    shares: list[list[ByteRange]] = [[]]
    room = per_worker
    for path, size in zip(paths, sizes, strict=True):
        start = 0
        while start < size or size == 0:
            end = size
            if size - start > room and len(shares) < workers:
                end = _cut_near(path, start + room, size, chunker)
            shares[-1].append(ByteRange(str(path), start, end))
            room -= end - start
            start = end
            if room <= 0 and len(shares) < workers:
                shares.append([])
                room = per_worker
            if size == 0:
                break
    return [share for share in shares if share]


def _cut_near(path: Path, place: int, size: int, chunker: Chunker) -> int:
    with path.open("rb") as stream:
        stream.seek(place)
        cut = chunker.first_cut(stream.read(_WINDOW))
    return place + cut if cut else size


def count_in_processes(
    sources: Sequence[Source],
    options: Options,
    workers: int,
    *,
    should_stop: ShouldStop | None = None,
    progress: OnProgress | None = None,
) -> list[PartialCounts]:
    """Count the words of files with `workers` processes; the partial counts are in the order of the text.

    Raises `CorpusError`, and `Cancelled` within `_POLL` seconds after `should_stop()` returns true.
    """
    try:
        shares = share_out(sources, Chunker(options), workers)
    except OSError as error:
        raise CorpusError(unreadable(error.filename, error)) from error
    names = {str(source.path): source.name for source in sources}
    total = sum((part.end or 0) - part.start for share in shares for part in share)
    limit = memory_limit()
    memory = None if limit is None else max(1, (limit - memory_in_use()) // len(shares))
    tasks: list[dict[str, object]] = [
        {
            "share": [dataclasses.asdict(part) for part in share],
            "names": {part.file: names[part.file] for part in share},
            "memory": memory,
        }
        for share in shares
    ]
    return _run([(task, b"") for task in tasks], options, total, should_stop, progress)


def split_in_process(chunks: PartialCounts, options: Options, should_stop: ShouldStop) -> PartialCounts:
    """The words of `chunks`, split in a process that ends when `should_stop()` does not want them any more.

    A thread could not be stopped while it runs a pattern. Raises `PatternError`, and `Cancelled`.
    """
    return _run([({}, chunks.to_bytes())], options, 0, should_stop, None)[0]


def _run(
    tasks: Sequence[tuple[dict[str, object], bytes]],
    options: Options,
    total: int,
    should_stop: ShouldStop | None,
    progress: OnProgress | None,
) -> list[PartialCounts]:
    """Give each worker a task with its data; what they count, in that order."""
    common = {
        "options": dataclasses.asdict(options),
        "parent": os.getpid(),
        "language": current_language(),
        "pattern_seconds": current_time_limit(),
    }
    started: list[HelperProcess] = []
    try:
        for task, data in tasks:
            started.append(HelperProcess(__name__))
            _give(started[-1], json.dumps({**common, **task}).encode() + b"\n" + data)
        return _collect(started, total, should_stop, progress)
    finally:
        for worker in started:
            worker.end()


def _give(worker: HelperProcess, data: bytes) -> None:
    """Write all of a worker's input; it reads that before anything else."""
    with contextlib.suppress(OSError):  # it ended already, and its status says so
        worker.stdin.write(data)
        worker.stdin.close()


def _collect(
    workers: list[HelperProcess],
    total: int,
    should_stop: ShouldStop | None,
    progress: OnProgress | None,
) -> list[PartialCounts]:
    results = [bytearray() for _ in workers]
    for worker, result in zip(workers, results, strict=True):
        while (data := worker.read(_POLL)) != b"":
            result += data or b""
            raise_if_stopped(should_stop)
            if progress is not None:
                progress(Progress("counting", sum(_bytes_done(each.report) for each in workers), total))
    parts = []
    for worker, result in zip(workers, results, strict=True):
        status = worker.wait()
        if status != 0:
            lines = worker.report.decode("utf-8", "replace").splitlines()
            errors = [line.partition(" ")[::2] for line in lines if line.partition(" ")[0] in _ERRORS]
            if errors:
                kind, sentence = errors[0]
                raise _ERRORS[kind](sentence)
            raise CorpusError(_("a helper process ended with status {status}").format(status=status))
        parts.append(PartialCounts.from_bytes(bytes(result)))
    return parts


def _bytes_done(report: bytearray) -> int:
    """The last figure that a worker has reported."""
    end = report.rfind(b"\n")
    line = report[report.rfind(b"\n", 0, max(end, 0)) + 1 : max(end, 0)]
    return int(line) if line.isdigit() else 0


# -- in a worker ------------------------------------------------------------------------------------------------------


def work() -> None:
    """What a worker process does: read its task from standard input, count, write the counts to standard output."""
    task = json.loads(sys.stdin.buffer.readline())
    use(task["language"])
    options = Options(
        **{
            **task["options"],
            "specials": tuple(task["options"]["specials"]),
            "protected": tuple(task["options"]["protected"]),
            "seed_tokens": tuple(task["options"]["seed_tokens"]),
        }
    )

    parent: int = task["parent"]

    def is_orphan() -> bool:
        return os.getppid() != parent  # the result has no reader any more

    try:
        with time_limit(task["pattern_seconds"]):
            if "share" in task:
                limit_memory(task["memory"])
                counts = _count([ByteRange(**part) for part in task["share"]], task["names"], options, is_orphan)
            else:
                counts = PartialCounts.from_bytes(sys.stdin.buffer.read())
                counts.words = split(counts.words.items(), make_pre_tokenizer(options), is_orphan)
    except Cancelled:
        raise SystemExit(1) from None
    except (BpeError, OSError) as error:
        kind = type(error).__name__
        _report(f"{kind if kind in _ERRORS else CorpusError.__name__} {error}")
        raise SystemExit(1) from None
    sys.stdout.buffer.write(counts.to_bytes())


def _report(line: str) -> None:
    """Tell the parent how far this worker has come, or why it gave up."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _count(
    share: Sequence[ByteRange], names: dict[str, str], options: Options, should_stop: ShouldStop
) -> PartialCounts:
    tally = Tally(options)
    done, reported = 0, time.monotonic()
    for part in share:
        with Path(part.file).open("rb") as stream:
            stream.seek(part.start)
            for size in tally.read(stream, names[part.file], part.end):
                done += size
                if time.monotonic() - reported > _REPORT_INTERVAL:
                    reported = time.monotonic()
                    _report(str(done))
                if should_stop():
                    raise Cancelled("stopped")
    return tally.finish(should_stop)
