"""Helper processes: for work that is shared out, and for what might never end or take its whole process down.

A helper is a fresh Python process that imports one module and runs its `work`. It talks through its standard streams,
hears no key of our terminal, and does not outlive us where the system can see to that. What it writes is read by
threads, as not every system can wait for several pipes at once.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Final

from bpe_tui.core import system

_ROOT: Final = str(Path(__file__).resolve().parents[2])
_PART: Final = 1 << 16
"""Bytes that are read at once."""
_MOST_REPORTED: Final = 1 << 20
"""Bytes of what a helper reports that are kept, the last ones."""
_PATIENCE: Final = 1.0
"""Seconds for which the last of what an ended helper wrote is waited for; what it started may hold its pipes open."""


class HelperProcess:
    """A running helper."""

    def __init__(self, module: str) -> None:
        """Start one that runs `work()` of a module. Raises OSError if the system starts no more processes."""
        has_lifeline = system.HAS_LIMITS
        lifeline, self._lifeline = os.pipe() if has_lifeline else (-1, -1)
        code = f"import sys; sys.path.insert(0, {_ROOT!r}); "
        if has_lifeline:
            code += f"from bpe_tui.core.system import end_when_closed; end_when_closed({lifeline}); "
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", f"{code}from {module} import work; work()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(lifeline,) if has_lifeline else (),
                # Ctrl-C goes to the parent, which ends its helpers. Windows has the second one.
                start_new_session=system.HAS_GROUPS,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except BaseException:
            self._cut_lifeline()
            raise
        finally:
            if has_lifeline:
                os.close(lifeline)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.stdin: IO[bytes] = self._process.stdin
        self.report = bytearray()
        """What it has written to standard error."""
        self._output: SimpleQueue[bytes] = SimpleQueue()
        self._readers = [
            Thread(target=_read_all, args=(stream, take), daemon=True)
            for stream, take in ((self._process.stdout, self._output.put), (self._process.stderr, self._keep))
        ]
        for reader in self._readers:
            reader.start()

    @property
    def number(self) -> int:
        """Of the process."""
        return self._process.pid

    def read(self, seconds: float) -> bytes | None:
        """What it writes next to standard output: nothing at its end, and None if nothing comes in so many seconds."""
        try:
            found = self._output.get(timeout=max(0.0, seconds))
        except Empty:
            return None
        if not found:
            self._output.put(found)  # the end stays the end
        return found

    def _keep(self, part: bytes) -> None:
        self.report += part
        del self.report[:-_MOST_REPORTED]

    def wait(self) -> int:
        """Wait for its end. Returns its status; where there are signals, the negative number of one that ended it."""
        status = self._process.wait()
        for reader in self._readers:
            reader.join(_PATIENCE)
        return status

    def end(self) -> None:
        """End it at once, and what it has started."""
        if self._process.returncode is None:  # nobody else has its number yet
            system.end_group(self._process.pid)
        self.wait()
        with contextlib.suppress(OSError):
            self.stdin.close()
        self._cut_lifeline()

    def _cut_lifeline(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._lifeline)
        self._lifeline = -1


def _read_all(stream: IO[bytes], take: Callable[[bytes], None]) -> None:
    """Hand over what comes, and nothing at the end; only the reader closes what it may be waiting for."""
    with stream:
        while part := os.read(stream.fileno(), _PART):
            take(part)
        take(b"")
