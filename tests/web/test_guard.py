"""The second wall: what Python and the kernel refuse a served process, whatever its program tries."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bpe_tui.web.guard import missing_walls

PRELUDE = """
import os, sys, socket, subprocess, shutil, tempfile, glob
#before
from pathlib import Path
from bpe_tui.core.corpus.sources import bundled_corpora, corpora_folder
from bpe_tui.web.guard import confine, limit, missing_walls
missing_walls()
limit(700)
confine([corpora_folder()])
"""


def confined(code: str, folder: Path, before: str = "") -> str:
    """The last line that `code` prints behind the walls, or the last line of its traceback."""
    prelude = PRELUDE.replace("#before", before)
    done = subprocess.run(
        [sys.executable, "-c", prelude + code], capture_output=True, text=True, check=False, timeout=60, cwd=folder
    )
    return (done.stdout or done.stderr).strip().splitlines()[-1]


def test_nothing_outside_is_read_listed_written_or_started(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("marks", encoding="utf-8")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    attempts = [
        "open('secret.txt')",
        "open('/etc/passwd', 'rb')",
        "open(corpora_folder() / '..' / '..' / '..' / 'etc' / 'passwd')",
        "open('link.py')",
        "open(os.path.join(os.path.dirname(os.__file__), '../../../../../../../etc/passwd'))",
        "os.open('secret.txt', os.O_RDONLY)",
        "Path('secret.txt').read_text()",
        "Path('/proc/self/environ').read_bytes()",
        "list(Path().iterdir())",
        "os.listdir('/')",
        "list(os.scandir('..'))",
        "list(os.walk('/', onerror=lambda error: (_ for _ in ()).throw(error)))",
        "open('new.txt', 'w')",
        "open(os.devnull + 'x', 'w')",
        "open(os.path.join(os.path.dirname(os.__file__), 'new.py'), 'w')",
        "open(bundled_corpora()[0].path, 'a')",
        "os.mkdir('new')",
        "os.remove('secret.txt')",
        "os.rename('secret.txt', 'x')",
        "os.symlink('secret.txt', 'x')",
        "os.chmod('secret.txt', 0)",
        "os.truncate('secret.txt', 0)",
        "shutil.rmtree('.')",
        "tempfile.mkdtemp(dir='.')",
        "subprocess.run(['true'])",
        "os.system('true')",
        "os.execv('/bin/true', ['true'])",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.fork()",
        "os.kill(os.getppid(), 9)",
        "socket.socket().connect(('127.0.0.1', 9))",
        "socket.getaddrinfo('localhost', 80)",
        "socket.socket().bind(('127.0.0.1', 0))",
        "socket.socket(type=socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('127.0.0.1', 9))",
        "socket.gethostbyaddr('127.0.0.1')",
        "__import__('sqlite3').connect('new.db')",
        "__import__('ctypes').CDLL(None).system(b'touch new')",
    ]
    tried = f"""
for attempt in {attempts!r}:
    try:
        eval(attempt)
    except OSError:
        pass
    else:
        raise SystemExit(f"{{attempt}} was let through")
print("all refused")
"""
    assert confined(tried, tmp_path) == "all refused"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "secret.txt"]


def test_python_says_what_is_out_of_reach(tmp_path: Path) -> None:
    told = confined("open('secret.txt')", tmp_path)
    assert told == "PermissionError: [Errno 13] out of reach of a served program: 'secret.txt'"


BEFORE = """
import ctypes, _posixsubprocess, readline, signal, sqlite3, struct, threading
libc = ctypes.CDLL(None, use_errno=True)
found = {name: getattr(libc, name) for name in (
    "system", "fork", "vfork", "syscall", "open", "mkfifo", "mkdir", "chmod", "unlink", "kill", "socket"
)}
victim = os.fork()
if not victim:
    os.closerange(0, 3)
    signal.alarm(10)
    signal.pause()
handle = os.pidfd_open(victim)
program = [b"/bin/touch", b"new"]
ends = (*[-1] * 7, os.pipe()[1])
started = (program, program[:1], True, (), None, None, *ends, False, False, 0, None, None, None, -1, None, True)
"""
"""Code that has got round Python's own guard: it has what it needs at hand before the walls are raised."""
ESCAPES = [
    "found['system'](b'touch new') == 0",
    "found['fork']() != -1",
    "found['vfork']() != -1",
    "found['syscall'](56, signal.SIGCHLD, 0, 0, 0, 0) != -1",  # clone on x86-64
    "found['syscall'](0x40000000 + 57) not in (-1,)",  # fork, as x32 numbers it
    "found['open'](b'secret.txt', 0) != -1",
    "found['open'](b'/etc/passwd', 0) != -1",
    "found['open'](b'new', os.O_CREAT | os.O_WRONLY, 0o600) != -1",
    "found['mkfifo'](b'new', 0o600) == 0",
    "os.mkfifo('new')",
    "found['mkdir'](b'new', 0o700) == 0",
    "found['chmod'](b'secret.txt', 0) == 0",
    "found['unlink'](b'secret.txt') == 0",
    "found['socket'](2, 1, 0) != -1",
    "found['socket'](2, 2, 0) != -1",
    "found['socket'](1, 1, 0) != -1",
    "found['kill'](victim, 9) == 0",
    "signal.pidfd_send_signal(handle, 9)",
    "_posixsubprocess.fork_exec(*started)",
    "sqlite3.connect('new.db').execute('create table x (y)')",
    "sqlite3.connect('marks.db').execute('select * from marks').fetchall()",
    "readline.read_history_file('secret.txt')",
    "socket.socket(type=socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('127.0.0.1', 9))",
    "socket.gethostbyaddr('127.0.0.1')",
]


@pytest.mark.skipif(bool(missing_walls()), reason=f"this system lacks {missing_walls()}")
@pytest.mark.parametrize("python_too", [True, False], ids=["with Python's guard", "the kernel alone"])
def test_code_that_gets_round_python_meets_the_kernel(python_too: bool, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("marks", encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "marks.db")) as marks:
        marks.execute("create table marks (name)")
    tried = f"""
escaped = []
for escape in {ESCAPES!r}:
    try:
        result = eval(escape)
    except OSError:
        continue
    except sqlite3.Error:
        continue
    if result is not False:
        escaped.append(escape)
thread = threading.Thread(target=lambda: None)
thread.start()
thread.join()
first, second = socket.socketpair()
first.send(b"x")
assert os.open('/dev/null', os.O_RDWR) > 0
print(escaped, os.waitpid(victim, os.WNOHANG))
"""
    without = "" if python_too else "sys.addaudithook = lambda hook: None\n"
    assert confined(tried, tmp_path, before=BEFORE + without) == "[] (0, 0)"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["marks.db", "secret.txt"]
    assert (tmp_path / "secret.txt").stat().st_mode & 0o777


def test_what_the_program_needs_is_let_through(tmp_path: Path) -> None:
    needed = """
import textual.app, numpy, regex, bpe_tui.ui.app, bpe_tui.formats.huggingface.write
for corpus in bundled_corpora():
    corpus.path.read_bytes()
open('/proc/meminfo').read()
open(os.devnull, 'w').close()
os.read(os.open(os.devnull, os.O_RDONLY), 1)
print("all there")
"""
    assert confined(needed, tmp_path) == "all there"


def test_the_kernel_limits_memory_and_files(tmp_path: Path) -> None:
    assert confined("bytearray(800_000_000)", tmp_path) == "MemoryError"
    assert confined("import resource; print(resource.getrlimit(resource.RLIMIT_FSIZE))", tmp_path) == "(0, 0)"
