"""With this folder first on PYTHONPATH, a Python and all that it starts have no more than Windows has.

Python runs this file when it starts. The modules are hidden from our code alone; the names are gone for everybody, in
so far as the standard library and pytest can do without them on this system.
"""

import asyncio
import builtins
import importlib.util
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

HIDDEN = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
OURS = ("bpe_tui", "tests", "benchmarks", "__main__")
GONE = {
    os: "fork forkpty setsid setpgid getpgid killpg geteuid getegid fchmod mkfifo nice openpty readv sched_getaffinity "
    "set_blocking sysconf O_ASYNC O_NONBLOCK O_NOFOLLOW",
    select: "poll",
    signal: "SIGALRM SIGHUP SIGIO SIGPROF SIGTSTP SIGCONT setitimer getitimer pause",
    time: "tzset",
}

_import = builtins.__import__
_find_spec = importlib.util.find_spec
_popen = subprocess.Popen.__init__


def _poorer_import(
    name: str,
    globals: Mapping[str, object] | None = None,  # noqa: A002 (these are their names)
    locals: Mapping[str, object] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    importer = str((globals or {}).get("__name__"))
    if name in HIDDEN and importer.startswith(OURS):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _import(name, globals, locals, fromlist, level)


def _poorer_find_spec(name: str, package: str | None = None) -> Any:
    return None if name in HIDDEN else _find_spec(name, package)


def _poorer_popen(self: Any, *arguments: Any, **named: Any) -> None:
    for each in ("pass_fds", "preexec_fn"):
        assert not named.get(each), f"there is no {each} on Windows"
    _popen(self, *arguments, **named)


def _no_signal_handler(self: Any, *arguments: Any) -> None:
    raise NotImplementedError


builtins.__import__ = _poorer_import
importlib.util.find_spec = _poorer_find_spec
subprocess.Popen.__init__ = _poorer_popen  # type: ignore[method-assign]
asyncio.SelectorEventLoop.add_signal_handler = _no_signal_handler  # type: ignore[assignment, method-assign]
for _module, _names in GONE.items():
    for _name in _names.split():
        if hasattr(_module, _name):
            delattr(_module, _name)
