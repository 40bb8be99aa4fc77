"""The walls around a served process: whatever its program does, the system of the server stays out of reach.

The screens of the app offer nothing that reaches a file (`core.policy`). This is the second wall, for what a screen may
have forgotten: Python asks the guard before it opens or lists a file, starts a process or calls another computer, and
the guard cannot be taken away again. The kernel adds limits on memory and a size of nought for every file written.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

READABLE_FILES: Final = frozenset(
    ("/dev/null", "/proc/meminfo", "/proc/self/status", "/proc/self/statm", "/proc/self/limits", "/proc/cpuinfo")
)
"""Files of the system that tell how much room there is."""
READABLE_SYSTEM: Final = "/sys/fs/cgroup/"
"""… and the folder that tells how much of it a container may use."""
LISTING: Final = frozenset(("os.listdir", "os.scandir"))
FORBIDDEN: Final = frozenset(
    (
        *("os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.link", "os.symlink", "os.truncate", "os.chdir"),
        *("os.chmod", "os.chown", "os.chflags", "os.utime", "os.setxattr", "os.removexattr", "os.kill", "os.killpg"),
        *("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn"),
        *("pty.spawn", "os.startfile", "webbrowser.open"),
        *("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"),
    )
)
"""What is never done here, by the names of Python's audit events."""
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def limit(memory: int) -> None:
    """Ask the kernel: at most `memory` megabytes, no file written, no dump of a crash; behind the server in all."""
    import resource

    limits = {
        resource.RLIMIT_AS: memory * 1_000_000,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 128,
    }
    for what, most in limits.items():
        with contextlib.suppress(OSError, ValueError):  # where a system lacks one, the others still hold
            resource.setrlimit(what, (most, most))
    with contextlib.suppress(OSError):
        os.nice(5)


def confine(folders: Iterable[Path]) -> None:
    """From now on read nothing but Python, its packages, this one, and `folders`; write and start nothing."""
    guard = _Guard(folders)
    sys.dont_write_bytecode = True
    sys.addaudithook(guard)


class _Guard:
    """Asked by Python before each step outside."""

    def __init__(self, folders: Iterable[Path]) -> None:
        package = Path(__file__).resolve().parent.parent
        paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
        # The checkout that the package may lie in is on the path as well, and isn't meant: only the package itself is.
        others = [entry for entry in sys.path if entry and Path(entry).resolve() != package.parent]
        self._readable = tuple({_under(str(folder)) for folder in (*paths, *others, package, *folders)})
        # Importing a module lists the folders on the path.
        self._listable = frozenset(_under(entry) for entry in sys.path if entry)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Raises `PermissionError` for what is out of reach."""
        if event == "open":
            self._check_open(arguments[0], arguments[2])
        elif event in LISTING:
            if not isinstance(arguments[0], int):
                place = _under(arguments[0] if arguments[0] is not None else os.curdir)
                if place not in self._listable and not place.startswith(self._readable):
                    _refuse(arguments[0])
        elif event in FORBIDDEN:
            _refuse(event)

    def _check_open(self, path: Any, flags: int) -> None:
        if isinstance(path, int):  # what is open already
            return
        real = os.path.realpath(os.fsdecode(path))
        if real == os.devnull:
            return
        readable = real.startswith((*self._readable, READABLE_SYSTEM)) or os.fsdecode(path) in READABLE_FILES
        if flags & WRITING or not readable:
            _refuse(path)


def _under(folder: str | bytes | os.PathLike[str]) -> str:
    """The start of all paths in a folder."""
    return os.path.join(os.path.realpath(os.fsdecode(folder)), "")  # noqa: PTH118 (a separator is to end it)


def _refuse(what: object) -> None:
    raise PermissionError(errno.EACCES, "out of reach of a served program", str(what)[:200])
