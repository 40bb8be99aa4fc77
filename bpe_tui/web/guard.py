"""The walls around a served process: whatever its program does, the system of the server stays out of reach.

The screens of the app offer nothing that reaches a file (`core.runtime`). Here is what holds for what a screen may have
forgotten, and for code that should not be there at all:

- limits of the kernel on memory, open files and written bytes;
- Landlock (Linux 5.13): no file is opened and no folder listed outside those that are named, and nothing is made,
  removed, renamed or executed anywhere;
- a seccomp filter (Linux on x86-64 and ARM64): no process, no socket, no signal, no change to a file's owner, mode or
  times, none of the kernel's rarer doors;
- a guard in Python (an audit hook), on every system: it refuses with a sentence. Where the kernel has
  no walls it is the only one, and code that goes round Python gets round it.

None of them can be taken away again. That a path exists, and how large it is, code of its own could find out.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

READABLE_FILES: Final = frozenset(
    ("/dev/null", "/proc/meminfo", "/proc/self/status", "/proc/self/statm", "/proc/self/limits", "/proc/cpuinfo")
)
"""Files in which the system shows how much memory there is."""
READABLE_SYSTEM: Final = "/sys/fs/cgroup/"
"""… and the folder with how much of it a container may use."""
SHARED_LIBRARIES: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
"""What a compiled module may need when it is imported late."""
PROCESS: Final = "/proc/self"
LISTING: Final = frozenset(("os.listdir", "os.scandir"))
FORBIDDEN: Final = frozenset(
    (
        *("os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.link", "os.symlink", "os.truncate", "os.chdir"),
        *("os.chmod", "os.chown", "os.chflags", "os.utime", "os.setxattr", "os.removexattr", "os.kill", "os.killpg"),
        *("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn"),
        *("pty.spawn", "os.startfile", "webbrowser.open", "ctypes.dlopen", "ctypes.dlsym", "sqlite3.connect"),
        *("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"),
        *("socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo", "signal.pthread_kill"),
    )
)
"""What is never done here, by the names of Python's audit events."""
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FORBIDDEN_CALLS: Final = (
    *("fork", "vfork", "execve", "execveat", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp"),
    *("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_getfd"),
    *("pidfd_send_signal", "setpgid", "setsid", "socket", "connect", "bind", "listen", "accept", "accept4"),
    *("sendmsg", "sendmmsg", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "removexattr"),
    *("lremovexattr", "fremovexattr", "mknod", "mknodat", "truncate", "chdir", "fchdir", "chroot", "pivot_root"),
    *("mount", "umount2", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "mount_setattr"),
    *("unshare", "setns", "name_to_handle_at", "open_by_handle_at", "inotify_add_watch", "fanotify_init"),
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("add_key", "request_key", "keyctl", "shmget", "msgget", "semget", "mq_open", "quotactl", "acct", "syslog"),
    *("swapon", "swapoff", "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load"),
    *("reboot", "settimeofday", "clock_settime", "adjtimex", "sethostname", "setdomainname", "iopl", "ioperm"),
)
"""System calls that a served program never makes."""
CLONE_THREAD: Final = 0x10000
X32: Final = 0x40000000
"""Added to the numbers of system calls by a second way to make them, which some kernels for x86-64 have."""


def missing_walls() -> list[str]:
    """The names of the kernel's walls that this system lacks.

    To be asked once before `limit` and `confine`: the C library is looked up with the means that these take away.
    """
    return [name for name, wall in (("Landlock", _landlock()), ("seccomp", _seccomp())) if wall is None]


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
    """From now on read nothing but Python, its packages, this one, and `folders`; write and start nothing.

    It holds for this thread and those that it starts, so no other may be running yet.
    """
    guard = _Guard(folders)
    sys.dont_write_bytecode = True
    ruleset, calls = _landlock(), _seccomp()
    if ruleset is not None:
        _restrict_files(ruleset, guard.readable)
    if calls is not None:
        calls.load()
    sys.addaudithook(guard)


# -- the kernel's walls -----------------------------------------------------------------------------------------------


def _landlock() -> Any:
    """A Landlock ruleset that allows nothing yet; None where there is no Landlock."""
    if sys.platform != "linux":
        return None
    try:
        import landlockpy
    except ImportError:
        return None
    if not landlockpy.supported():
        return None
    return landlockpy.Ruleset(scoped=landlockpy.Scope.SIGNAL | landlockpy.Scope.ABSTRACT_UNIX_SOCKET)


def _restrict_files(ruleset: Any, folders: Iterable[str]) -> None:
    from landlockpy import AccessFS

    read = AccessFS.READ_FILE | AccessFS.READ_DIR
    files = (*SHARED_LIBRARIES, *READABLE_FILES, READABLE_SYSTEM, PROCESS)
    with ruleset:
        for path in {*folders, *files}:
            with contextlib.suppress(FileNotFoundError):
                folder = read if Path(path).is_dir() else AccessFS.READ_FILE
                ruleset.allow_path(path, folder | AccessFS.WRITE_FILE if path == os.devnull else folder)
        ruleset.restrict()


@cache
def _seccomp() -> Any:
    """The filter of system calls, made once for all processes that are split off; None where there is none."""
    if sys.platform != "linux":
        return None
    try:
        import seccompy
    except ImportError:
        return None
    try:
        if not seccompy.supported():
            return None
        calls = seccompy.Filter()
        for name in FORBIDDEN_CALLS:
            with contextlib.suppress(ValueError):  # this kind of computer has no such call
                number = seccompy.syscall_nr(name)
                calls.errno(number, errno.EPERM)
                calls.errno(number | X32, errno.EPERM)
        # Threads are made by `clone` as processes are. The newer `clone3` hides its flags from a filter; where the
        # kernel lacks it, as we pretend, the C library takes `clone`.
        calls.errno("clone3", errno.ENOSYS)
        for number in (seccompy.syscall_nr("clone"), seccompy.syscall_nr("clone") | X32):
            calls.errno(number, errno.EPERM, args=[(0, seccompy.CmpOp.MASKED_EQ, 0, CLONE_THREAD)])
        # Without an address it is `send`, by which an event loop wakes itself up.
        calls.errno("sendto", errno.EPERM, args=[(4, seccompy.CmpOp.NE, 0)])
        assert calls.program  # compile it now
    except (seccompy.UnsupportedError, seccompy.SeccompError):
        return None
    return calls


# -- Python's own -----------------------------------------------------------------------------------------------------


class _Guard:
    """Asked by Python before each step outside."""

    def __init__(self, folders: Iterable[Path]) -> None:
        package = Path(__file__).resolve().parent.parent
        paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
        others = [entry for entry in sys.path if entry and Path(entry).resolve() != package.parent]
        self.readable = tuple({_under(str(folder)) for folder in (*paths, *others, package, *folders)})
        """The folders that may be read, each with a separator at its end."""
        # Importing a module lists the folders on the path.
        self._listable = frozenset(_under(entry) for entry in sys.path if entry)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Raises `PermissionError` for what is out of reach."""
        if event == "open":
            self._check_open(arguments[0], arguments[2])
        elif event in LISTING:
            if not isinstance(arguments[0], int):
                place = _under(arguments[0] if arguments[0] is not None else os.curdir)
                if place not in self._listable and not place.startswith(self.readable):
                    _refuse(arguments[0])
        elif event in FORBIDDEN:
            _refuse(event)

    def _check_open(self, path: Any, flags: int) -> None:
        if isinstance(path, int):  # what is open already
            return
        real = os.path.realpath(os.fsdecode(path))
        if real == os.devnull:
            return
        readable = real.startswith((*self.readable, READABLE_SYSTEM)) or os.fsdecode(path) in READABLE_FILES
        if flags & WRITING or not readable:
            _refuse(path)


def _under(folder: str | bytes | os.PathLike[str]) -> str:
    """The start of all paths in a folder."""
    return os.path.join(os.path.realpath(os.fsdecode(folder)), "")  # noqa: PTH118 (a separator is to end it)


def _refuse(what: object) -> None:
    raise PermissionError(errno.EACCES, "out of reach of a served program", str(what)[:200])
