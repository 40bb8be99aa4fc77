"""The second wall: what Python and the kernel refuse a served process, whatever its program tries."""

import subprocess
import sys
from pathlib import Path

PRELUDE = """
import os, sys, socket, subprocess, shutil, tempfile, glob
from pathlib import Path
from bpe_tui.core.corpus.sources import bundled_corpora, corpora_folder
from bpe_tui.web.guard import confine, limit
limit(700)
confine([corpora_folder()])
"""


def confined(code: str, folder: Path) -> str:
    """The last line that `code` prints behind the walls, or the last line of its traceback."""
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code], capture_output=True, text=True, check=False, timeout=60, cwd=folder
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
    ]
    tried = f"""
for attempt in {attempts!r}:
    try:
        eval(attempt)
    except PermissionError as error:
        assert "out of reach of a served program" in str(error), (attempt, error)
    else:
        raise SystemExit(f"{{attempt}} was let through")
print("all refused")
"""
    assert confined(tried, tmp_path) == "all refused"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "secret.txt"]


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
