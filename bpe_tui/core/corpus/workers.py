"""Counting with several processes: each takes a share of the input, and sends its counts back.

The workers are fresh Python processes that load neither numpy nor a screen; they end by themselves when their parent
has gone, and are killed when counting is given up.
"""

from __future__ import annotations

import dataclasses
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bpe_tui.core.corpus.chunking import ByteRange, Chunker
from bpe_tui.core.corpus.memory import limit_memory, memory_in_use, memory_limit
from bpe_tui.core.corpus.sources import Source
from bpe_tui.core.corpus.tally import PartialCounts, Tally
from bpe_tui.core.corpus.types import OnProgress, Progress, ShouldStop
from bpe_tui.core.errors import Cancelled, CorpusError
from bpe_tui.core.i18n import _, current_language, unreadable, use
from bpe_tui.core.options import Options

_WINDOW: Final = 1 << 20
"""Bytes behind a wished-for boundary that are searched for a place to cut."""
_POLL: Final = 0.05
"""Seconds between two checks of `should_stop`."""
_REPORT_INTERVAL: Final = 0.1
"""Seconds between two reports of a worker."""


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
    started = [_start(share, names, options, memory) for share in shares]
    try:
        return _collect(started, total, should_stop, progress)
    finally:
        for worker in started:
            worker.kill()
            worker.wait()
            for stream in (worker.stdin, worker.stdout, worker.stderr):
                if stream is not None:
                    stream.close()


def _start(
    share: list[ByteRange], names: dict[str, str], options: Options, memory: int | None
) -> subprocess.Popen[bytes]:
    task = {
        "share": [dataclasses.asdict(part) for part in share],
        "names": {part.file: names[part.file] for part in share},
        "options": dataclasses.asdict(options),
        "parent": os.getpid(),
        "language": current_language(),
        "memory": memory,
    }
    package_root = str(Path(__file__).resolve().parents[3])
    code = f"import sys; sys.path.insert(0, {package_root!r}); from bpe_tui.core.corpus.workers import work; work()"
    worker = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C goes to the parent, which ends its workers
    )
    assert worker.stdin is not None
    worker.stdin.write(json.dumps(task).encode())
    worker.stdin.close()
    return worker


def _collect(
    workers: list[subprocess.Popen[bytes]],
    total: int,
    should_stop: ShouldStop | None,
    progress: OnProgress | None,
) -> list[PartialCounts]:
    results = [bytearray() for _ in workers]
    reports = [bytearray() for _ in workers]
    with selectors.DefaultSelector() as selector:
        for index, worker in enumerate(workers):
            for pipe, sink in ((worker.stdout, results[index]), (worker.stderr, reports[index])):
                assert pipe is not None
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, selectors.EVENT_READ, sink)
        while selector.get_map():
            for key, _events in selector.select(_POLL):
                data = os.read(key.fd, 1 << 20)
                if data:
                    key.data.extend(data)
                else:
                    selector.unregister(key.fileobj)
            if should_stop is not None and should_stop():
                raise Cancelled("stopped")
            if progress is not None:
                progress(Progress("counting", sum(map(_bytes_done, reports)), total))
    parts = []
    for worker, result, report in zip(workers, results, reports, strict=True):
        if worker.wait() != 0:
            lines = report.decode("utf-8", "replace").splitlines()
            errors = [line.removeprefix("error ") for line in lines if line.startswith("error ")]
            status = worker.returncode
            raise CorpusError(
                errors[0] if errors else _("a helper process ended with status {status}").format(status=status)
            )
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
    task = json.load(sys.stdin.buffer)
    use(task["language"])
    limit_memory(task["memory"])
    options = Options(**{**task["options"], "specials": tuple(task["options"]["specials"])})
    try:
        part = _count_share([ByteRange(**part) for part in task["share"]], task["names"], options, task["parent"])
    except (CorpusError, OSError) as error:
        _report(f"error {error}")
        raise SystemExit(1) from None
    sys.stdout.buffer.write(part.to_bytes())


def _report(line: str) -> None:
    """Tell the parent how far this worker has come, or why it gave up."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _count_share(share: Sequence[ByteRange], names: dict[str, str], options: Options, parent: int) -> PartialCounts:
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
                if os.getppid() != parent:
                    raise SystemExit(1)  # the parent has gone; the result has no reader
    return tally.finish()
