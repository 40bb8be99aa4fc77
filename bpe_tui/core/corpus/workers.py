"""Counting with several processes: each takes a stretch of the input, and sends its words back.

The helpers are fresh Python processes that load neither numpy nor a screen; they end by themselves when their parent
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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bpe_tui.core.corpus.chunking import Chunker
from bpe_tui.core.corpus.counting import Tally
from bpe_tui.core.corpus.memory import allow, allowed, held
from bpe_tui.core.corpus.partial_counts import Part, pack, unpacked
from bpe_tui.core.corpus.sources import Progress, Source
from bpe_tui.core.errors import Cancelled, CorpusError
from bpe_tui.core.i18n import _, language_in_force, unreadable, use
from bpe_tui.core.options import Options

_LOOK: Final = 1 << 20
"""Bytes behind a wished-for boundary in which a place to cut is looked for."""
_POLL: Final = 0.05
"""Seconds between two looks at `should_stop`."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a file: bytes from `start` to before `end`."""

    path: str
    start: int
    end: int


def share_out(sources: Sequence[Source], chunker: Chunker, workers: int) -> list[list[Stretch]]:
    """Cut the files, taken as one, into `workers` stretches of about equal size at places where they may be cut."""
    paths = [source.path for source in sources if source.path is not None]
    sizes = [path.stat().st_size for path in paths]
    per_worker = max(1, -(-sum(sizes) // workers))
    shares: list[list[Stretch]] = [[]]
    room = per_worker
    for path, size in zip(paths, sizes, strict=True):
        start = 0
        while start < size or size == 0:
            end = size
            if size - start > room and len(shares) < workers:
                end = _cut_near(path, start + room, size, chunker)
            shares[-1].append(Stretch(str(path), start, end))
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
        cut = chunker.first_cut(stream.read(_LOOK))
    return place + cut if cut else size


def count_in_processes(
    sources: Sequence[Source],
    options: Options,
    workers: int,
    *,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> list[Part]:
    """Count the words of files with `workers` processes; the parts are in the order of the text."""
    try:
        shares = share_out(sources, Chunker(options), workers)
    except OSError as error:
        raise CorpusError(unreadable(error.filename, error)) from error
    names = {str(source.path): source.name for source in sources}
    total = sum(stretch.end - stretch.start for share in shares for stretch in share)
    limit = allowed()
    memory = None if limit is None else max(1, (limit - held()) // len(shares))
    helpers = [_start(share, names, options, memory) for share in shares]
    try:
        return _collect(helpers, total, should_stop, progress)
    finally:
        for helper in helpers:
            helper.kill()
            helper.wait()
            for stream in (helper.stdin, helper.stdout, helper.stderr):
                if stream is not None:
                    stream.close()


def _start(
    share: list[Stretch], names: dict[str, str], options: Options, memory: int | None
) -> subprocess.Popen[bytes]:
    task = {
        "stretches": [dataclasses.asdict(stretch) for stretch in share],
        "names": {stretch.path: names[stretch.path] for stretch in share},
        "options": dataclasses.asdict(options),
        "parent": os.getpid(),
        "language": language_in_force(),
        "memory": memory,
    }
    package_root = str(Path(__file__).resolve().parents[3])
    code = f"import sys; sys.path.insert(0, {package_root!r}); from bpe_tui.core.corpus.workers import helper; helper()"
    helper_process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C goes to the parent, which ends its helpers
    )
    assert helper_process.stdin is not None
    helper_process.stdin.write(json.dumps(task).encode())
    helper_process.stdin.close()
    return helper_process


def _collect(
    helpers: list[subprocess.Popen[bytes]],
    total: int,
    should_stop: Callable[[], bool] | None,
    progress: Callable[[Progress], None] | None,
) -> list[Part]:
    results = [bytearray() for _ in helpers]
    reports = [bytearray() for _ in helpers]
    with selectors.DefaultSelector() as selector:
        for index, helper_process in enumerate(helpers):
            for pipe, sink in ((helper_process.stdout, results[index]), (helper_process.stderr, reports[index])):
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
    for helper_process, result, report in zip(helpers, results, reports, strict=True):
        if helper_process.wait() != 0:
            lines = report.decode("utf-8", "replace").splitlines()
            said = [line.removeprefix("error ") for line in lines if line.startswith("error ")]
            status = helper_process.returncode
            raise CorpusError(
                said[0] if said else _("a helper process ended with status {status}").format(status=status)
            )
        parts.append(unpacked(bytes(result)))
    return parts


def _bytes_done(report: bytearray) -> int:
    """The last figure that a helper has reported."""
    end = report.rfind(b"\n")
    line = report[report.rfind(b"\n", 0, max(end, 0)) + 1 : max(end, 0)]
    return int(line) if line.isdigit() else 0


def helper() -> None:
    """What a helper process does: read its task, count, write the words to standard output."""
    task = json.load(sys.stdin.buffer)
    use(task["language"])
    allow(task["memory"])
    options = Options(**{**task["options"], "specials": tuple(task["options"]["specials"])})
    try:
        part = _count_stretches([Stretch(**stretch) for stretch in task["stretches"]], options, task)
    except (CorpusError, OSError) as error:
        _report(f"error {error}")
        raise SystemExit(1) from None
    pack(part, sys.stdout.buffer)


def _report(line: str) -> None:
    """Tell the parent how far this helper has come, or why it gave up."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _count_stretches(stretches: list[Stretch], options: Options, task: dict[str, object]) -> Part:
    tally = Tally(options)
    names = task["names"]
    assert isinstance(names, dict)
    done, reported = 0, time.monotonic()
    for stretch in stretches:
        with Path(stretch.path).open("rb") as stream:
            stream.seek(stretch.start)
            for size in tally.read(stream, names[stretch.path], stretch.end):
                done += size
                if time.monotonic() - reported > 0.1:
                    reported = time.monotonic()
                    _report(str(done))
                if os.getppid() != task["parent"]:
                    raise SystemExit(1)  # nobody waits for the result any more
    return tally.finish()
