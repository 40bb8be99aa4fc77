"""What only some systems can do, in one place; each function says, or does nothing, where it cannot be done.

Windows has no process groups, no limits on a process, no locks of this kind and no timers for processor time. The names
are looked up here and nowhere else below the server, which does not run there at all.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final, NoReturn

try:
    import fcntl
    import resource

except ImportError:
    pass
HAS_LIMITS: Final = "resource" in globals()
"""Are there locks on files, limits on a process, and signals for pipes?"""
HAS_GROUPS: Final = hasattr(os, "killpg")
"""Are there groups of processes that can be ended together?"""
HAS_TIMERS: Final = hasattr(signal, "setitimer")
"""Can a process be interrupted, or ended, once its time is up?"""


# -- processes --------------------------------------------------------------------------------------------------------


def end_group(leader: int) -> None:
    """End a process that leads a group, and all others in it; where there are no groups, that process alone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all have ended
        if HAS_GROUPS:
            os.killpg(leader, signal.SIGKILL)
        else:
            os.kill(leader, signal.SIGTERM)  # Windows ends it at once


def end_when_closed(lifeline: int) -> None:
    """Have the kernel end this process, whatever it is doing, once the other end of a pipe is closed.

    Not every system has such a signal for pipes.
    """
    with contextlib.suppress(OSError, AttributeError):
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        if os.read(lifeline, 1) == b"":  # it was closed before
            sys.exit(1)


def wait_for_hang_up(terminal: int) -> bool:
    """Wait until a terminal is closed; False, and at once, where the system does not tell."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(terminal, 0)  # that it is closed is told in any case
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll())


def is_closed_pipe(error: BaseException, system: str = os.name) -> bool:
    """Did writing fail because nobody reads any more? Windows calls that an invalid argument."""
    return isinstance(error, BrokenPipeError) or (
        system == "nt" and isinstance(error, OSError) and error.errno == errno.EINVAL and error.filename is None
    )


# -- time -------------------------------------------------------------------------------------------------------------


def call_after(seconds: float, then: Callable[[], NoReturn]) -> None:
    """Interrupt the main thread after so many seconds, and call `then` there; 0 for not any more."""
    if HAS_TIMERS:
        signal.signal(signal.SIGALRM, lambda _number, _frame: then())
        signal.setitimer(signal.ITIMER_REAL, seconds)


def end_after_processor_time(seconds: float) -> None:
    """Have the kernel end this process after it has used so many seconds; 0 for not any more.

    No handler in Python is called, which native code would keep waiting.
    """
    if HAS_TIMERS:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)


def used_its_time(status: int) -> bool:
    """Was a process of this status ended by `end_after_processor_time`?"""
    return HAS_TIMERS and status == -signal.SIGPROF


def was_killed(status: int) -> bool:
    """Was a process of this status killed, as by a system without memory?"""
    return HAS_TIMERS and status == -signal.SIGKILL


# -- memory -----------------------------------------------------------------------------------------------------------


def told(path: str) -> bytes:
    """What the system tells in a small file of its own. Raises OSError.

    Read as a text through a buffer it takes twice as long, and a helper reads one with each request.
    """
    with Path(path).open("rb", buffering=0) as file:
        return file.read()


def memory_taken() -> tuple[int, int]:
    """The address space and the memory of this process, in bytes. Raises OSError where the system reports neither."""
    if not hasattr(os, "sysconf"):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    size, resident = told("/proc/self/statm").split()[:2]
    page = os.sysconf("SC_PAGE_SIZE")
    return int(size) * page, int(resident) * page


def address_space_limit() -> int | None:
    """Bytes of address space that this process may have; None if that is not limited."""
    if not HAS_LIMITS:
        return None
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def limit_address_space(size: int, *, for_good: bool = False) -> None:
    """Let this process have so many bytes, and write no dump if it crashes, as far as the system can limit that.

    It may ask for another limit later unless this one is `for_good`.
    """
    if not HAS_LIMITS:
        return
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted if for_good else hard))


# -- files ------------------------------------------------------------------------------------------------------------


def lock(file: IO[bytes]) -> None:
    """Lock an open file as long as it is open. Raises BlockingIOError if another process has, OSError if it can't be.

    Where there are no such locks, everybody may write.
    """
    if HAS_LIMITS:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_DEVICES: Final = frozenset(
    (
        "CON",
        "PRN",
        "AUX",
        "NUL",
        "CONIN$",
        "CONOUT$",
        *(f"{port}{sign}" for port in ("COM", "LPT") for sign in "123456789¹²³"),
    )
)
_FORBIDDEN: Final = frozenset('<>:"/\\|?*') | frozenset(map(chr, range(32)))


def is_reserved(name: str, system: str = os.name) -> bool:
    """Does this name of a file stand for something else on this system?

    Windows takes `nul.json` for a device, `a:b` for a hidden part of a file, and drops a dot or a space at the end.
    """
    if system != "nt":
        return False
    if name.endswith((".", " ")) and name not in (".", ".."):
        return True
    return bool(_FORBIDDEN & set(name)) or name.partition(".")[0].rstrip(" ").upper() in _DEVICES


def names_folder(path: str, separators: str = os.sep + (os.altsep or "")) -> bool:
    """Does a path that need not exist name a folder, by a separator at its end?"""
    return path.endswith(tuple(separators))
