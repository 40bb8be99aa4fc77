"""Running programs one after the other, and what each run cost."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Command = Sequence[str | Path]

_EVERY: Final = 0.02
"""Seconds between two readings of the memory of a program's processes."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one program, whole process."""

    seconds: float
    cpu: float
    """Seconds of work on all cores: it suffers less than `seconds` from what else the machine does."""
    megabytes: float
    """Peak memory of its largest process."""
    together: float
    """Peak memory of all its processes at one time, in MB, as far as it was seen."""


def run(command: Command) -> Cost:
    """Run a program to its end. Exits with its output if it fails."""
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        watch = _Watch(process.pid)
        assert process.stderr is not None
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        together = watch.end()
    if process.returncode:
        sys.exit(f"{command[0]} failed: {errors.decode('utf-8', 'replace')[-500:]}")
    largest = usage.ru_maxrss / 1024
    return Cost(seconds, usage.ru_utime + usage.ru_stime, largest, max(together, largest))


def side_by_side(commands: Mapping[str, Command], runs: int) -> dict[str, Cost]:
    """Run all programs in turn, `runs` times; the medians of time and memory of each."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            costs[name].append(run(command))
    return {name: _median(all_runs) for name, all_runs in costs.items()}


def _median(costs: list[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.seconds for cost in costs),
        statistics.median(cost.cpu for cost in costs),
        statistics.median(cost.megabytes for cost in costs),
        statistics.median(cost.together for cost in costs),
    )


def figures_of(command: Command) -> dict[str, Any]:
    """What a program that measures itself prints, as JSON. Exits with its output if it fails."""
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed: {done.stderr.decode('utf-8', 'replace')[-500:]}")
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


class _Watch:
    """Samples the memory of a process and its children while they run (on Linux; elsewhere it samples nothing)."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._most = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def end(self) -> float:
        """The most seen, in MB."""
        self._over.set()
        self._thread.join()
        return self._most / 2**20

    def _sample(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        while not self._over.wait(_EVERY):
            pids, pages = [self._pid], 0
            for pid in pids:
                try:
                    pages += int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
                    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
                    pids += map(int, children.split())
                except (OSError, IndexError):
                    continue
            self._most = max(self._most, pages * page)
