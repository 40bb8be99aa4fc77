"""Running a learner's file: in a process of its own, with a limit on time and on memory."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sys
import threading
import time
import traceback
from io import StringIO
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn

from bpe_tui.core import system
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_bundled, open_bundled, options_for
from bpe_tui.core.helper_process import HelperProcess
from bpe_tui.core.teaching.exercise import RUNS, ExerciseCorpus, Finding, FindingKind, judge

BUNDLED: Final = ("hug", "banana")
"""The bundled corpora that the functions are run on, before the runs."""
SECONDS: Final = 5.0
"""Time for all corpora; the textbook takes a hundredth of it."""
PATIENCE: Final = 3.0
"""Further seconds until a process that does not even notice that its time is up is killed."""
MEMORY: Final = 1 << 30
"""Bytes of address space."""
MOST_PRINTED: Final = 2000
"""Characters of what is printed that are kept."""
_MOST_RESULT: Final = 1 << 20


def exercise_corpora() -> list[ExerciseCorpus]:
    """The corpora that the functions are run on."""
    corpora = []
    for name in BUNDLED:
        bundled = find_bundled(name)
        assert bundled is not None
        corpus = open_bundled(bundled)
        words = count_words(corpus, options_for(corpus))
        corpora.append(ExerciseCorpus(name, tuple(words.words), tuple(words.counts)))
    name, table = RUNS
    return [*corpora, ExerciseCorpus(name, tuple(table), tuple(table.values()))]


def run_exercise(path: Path, source: bytes, *, seconds: float = SECONDS) -> Finding:
    """Run the functions in `source`, which is what is in the file at `path`. Raises OSError if no process starts."""
    task = {
        "path": str(path),
        "source": source.decode("latin-1"),
        "seconds": seconds,
        "corpora": [dataclasses.asdict(corpus) for corpus in exercise_corpora()],
    }
    helper = HelperProcess(__name__)
    try:
        with contextlib.suppress(OSError):
            helper.stdin.write(json.dumps(task).encode())
            helper.stdin.close()
        data = _read(helper, time.monotonic() + seconds + PATIENCE)
    finally:
        helper.end()
    if data is None:
        return Finding(FindingKind.TIME)
    try:
        value = json.loads(data)
    except ValueError:  # it ended before it said anything
        return Finding(FindingKind.EXITED)
    passed = tuple((name, merges) for name, merges in value.pop("passed"))
    return Finding(**{**value, "kind": FindingKind(value["kind"]), "passed": passed})


def _read(helper: HelperProcess, end: float) -> bytes | None:
    """All that the helper writes until it ends; None if it is still there at `end`."""
    found = bytearray()
    while len(found) < _MOST_RESULT:
        data = helper.read(end - time.monotonic())
        if data is None:
            return None
        if not data:
            break
        found += data
    return bytes(found)


# -- in the process --------------------------------------------------------------------------------------------------


class _TimeIsUp(BaseException):
    """Raised by the alarm, wherever the learner's functions are."""


class _Printed(StringIO):
    """Keeps the first of what is printed."""

    def write(self, text: str) -> int:
        room = MOST_PRINTED - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)


def work() -> None:
    """Judge the file that standard input names, and write what was found to standard output as JSON."""
    task = json.loads(sys.stdin.buffer.read())
    out = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    printed = _Printed()
    sys.stdin, sys.stdout, sys.stderr = StringIO(), printed, printed
    system.limit_address_space(MEMORY, for_good=True)
    finding = _judged(task)
    finding = dataclasses.replace(finding, printed=printed.getvalue())
    data = json.dumps(dataclasses.asdict(finding)).encode()
    while data:
        data = data[os.write(out, data) :]
    os._exit(0)  # whatever threads the file has started


def _judged(task: dict[str, Any]) -> Finding:
    path, source = task["path"], task["source"].encode("latin-1")
    where = ("", "", 0)

    def at(function: str, corpus: str, merge: int) -> None:
        nonlocal where
        where = function, corpus, merge

    def end() -> NoReturn:
        raise _TimeIsUp

    corpora = [ExerciseCorpus(one["name"], tuple(one["words"]), tuple(one["counts"])) for one in task["corpora"]]
    sys.path.insert(0, str(Path(path).parent))
    if threading.current_thread() is threading.main_thread():
        system.call_after(task["seconds"], end)
    try:
        code = compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        line = error.lineno or 0
        return Finding(FindingKind.SYNTAX, error=error.msg, line=line, code=_line(source, line))
    except (ValueError, RecursionError, MemoryError) as error:  # a NUL byte; nested too deep
        return Finding(FindingKind.SYNTAX, error=str(error) or type(error).__name__)
    names: dict[str, Any] = {"__name__": "exercise", "__file__": path}
    try:
        exec(code, names)
        return judge(names, corpora, at)
    except BaseException as error:
        kind = {_TimeIsUp: FindingKind.TIME, SystemExit: FindingKind.EXITED, MemoryError: FindingKind.MEMORY}.get(
            type(error), FindingKind.RAISED
        )
        line = _own_line(error.__traceback__, path)
        return Finding(kind, (), *where, error=_described(error), line=line, code=_line(source, line))
    finally:
        system.call_after(0, end)


def _described(error: BaseException) -> str:
    try:
        return traceback.format_exception_only(error)[-1].strip()[:500]
    except Exception:  # the learner's own exception may fail here, too
        return type(error).__name__


def _own_line(found: TracebackType | None, path: str) -> int:
    """The line of the learner's file that was carried out last; 0 if none was."""
    lines = [line for frame, line in traceback.walk_tb(found) if frame.f_code.co_filename == path]
    return lines[-1] if lines else 0


def _line(source: bytes, number: int) -> str:
    lines = source.decode("utf-8", "replace").splitlines()
    return lines[number - 1].strip()[:200] if 0 < number <= len(lines) else ""
