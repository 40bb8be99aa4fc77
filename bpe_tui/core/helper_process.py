"""Helper processes: for work that is shared out, and for what might never end or take its whole process down.

A helper is a fresh Python process that imports one module and runs its `work`. It talks through its standard streams,
hears no key of our terminal, and does not outlive us.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Final

_ROOT: Final = str(Path(__file__).resolve().parents[2])


class HelperProcess:
    """A running helper."""

    def __init__(self, module: str) -> None:
        """Start one that runs `work()` of a module. Raises OSError if the system starts no more processes."""
        lifeline, self._lifeline = os.pipe()
        code = (
            f"import sys; sys.path.insert(0, {_ROOT!r}); from bpe_tui.core.helper_process import end_with_parent; "
            f"end_with_parent({lifeline}); from {module} import work; work()"
        )
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(lifeline,),
                start_new_session=True,  # Ctrl-C goes to the parent, which ends its helpers
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(lifeline)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.stdin: IO[bytes] = self._process.stdin
        self.stdout: IO[bytes] = self._process.stdout
        self.stderr: IO[bytes] = self._process.stderr

    @property
    def number(self) -> int:
        """Of the process."""
        return self._process.pid

    def wait(self) -> int:
        """Wait for its end. Returns its status; the negative number of a signal if one ended it."""
        return self._process.wait()

    def end(self) -> None:
        """End it at once, and what it has started."""
        if self._process.returncode is None:  # nobody else has its number yet
            with contextlib.suppress(ProcessLookupError, PermissionError):  # all have ended
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        with contextlib.suppress(OSError):
            os.close(self._lifeline)
        self._lifeline = -1


def end_with_parent(lifeline: int) -> None:
    """In a helper: have the kernel end this process, whatever it is doing, once the other end of a pipe is closed.

    Where the system has no such signal for pipes, a helper notices the end of its input.
    """
    import fcntl

    with contextlib.suppress(OSError, AttributeError):
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        if os.read(lifeline, 1) == b"":  # it was closed before
            sys.exit(1)
