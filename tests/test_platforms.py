"""Windows, as far as it can be tried elsewhere: a Python that hides what Windows lacks, and its names and encodings.

`make lint` checks the types as Windows has them, so that a name which is missing there is found without these tests.
"""

import errno
import json
import ntpath
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.core.corpus.sources import find_corpus
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.system import is_closed_pipe, is_reserved, names_folder
from bpe_tui.formats.files import write_all_atomically
from bpe_tui.ui.typed_paths import path_in
from tests.cli.running import run

ROOT = Path(__file__).parents[1]
POORER = ROOT / "tests" / "poorer_system"
WALK = """
import asyncio, json, os, sys
from bpe_tui.core import system
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.teaching.exercise_run import run_exercise
from pathlib import Path
from tests.cli.running import run
from tests.ui.running import make_app, status

out = {"lacks": [name for name in ("fork", "killpg", "fchmod", "sysconf") if not hasattr(os, name)]}
for name in ("fcntl", "resource", "termios", "pty"):
    try:
        exec(f"import {name}")
    except ImportError:
        out["lacks"].append(name)
out["system"] = [system.HAS_LIMITS, system.HAS_GROUPS, system.HAS_TIMERS]
for command in json.loads(sys.argv[1]):
    done = run(*command)
    out[" ".join(command)] = [done.status, done.stdout.decode("utf-8", "replace"), done.stderr]
corpus = find_corpus(["text.txt"])
counted = count_words(corpus, options_for(corpus), processes=3)
out["counted"] = [list(counted.words[:2]), [int(each) for each in counted.counts[:2]], len(counted.words)]
endless = b"def count_pairs(words, counts):\\n    while True: pass\\npick = merge_all = count_pairs\\n"
out["exercise"] = [run_exercise(Path("mine.py"), source, seconds=0.2).kind for source in (b"x = (", endless)]

async def step():
    app = make_app("hug")
    app.is_alone = True
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("space", "ctrl+z", "space", "u")
        await pilot.pause()
        return status(app)

out["app"] = asyncio.run(step())
print(json.dumps(out))
"""
COMMANDS = [
    ["--version"],
    ["train", "hug", "--json"],
    ["train", "hug", "-o", "hug.json"],
    ["train", "banana", "-o", "hug.json"],
    ["encode", "banana", "-t", "hug.json"],
    ["encode", "ﬁne", "-t", "normalized.json", "--json"],
    ["lesson", "1", "--check"],
    ["serve"],
    ["serve", "--help"],
]
"""What is run on the poorer system; each file is written over the one before."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a text of many words, and a tokenizer with a normalizer that the package `tokenizers` runs."""
    folder = tmp_path_factory.mktemp("poorer")
    (folder / "text.txt").write_text("".join(f"word{number}\n" for number in range(3000)), encoding="utf-8")
    model = {"type": "BPE", "vocab": {"f": 0, "i": 1, "n": 2, "e": 3, "fi": 4}, "merges": ["f i"]}
    file = {"version": "1.0", "added_tokens": [], "normalizer": {"type": "NFKC"}, "model": model}
    (folder / "normalized.json").write_text(json.dumps(file), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def walked(folder: Path) -> dict[str, Any]:
    """What came of all this on the poorer system, in one process and those that it starts."""
    done = subprocess.run(
        [sys.executable, "-c", WALK, json.dumps(COMMANDS)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{POORER}{os.pathsep}{ROOT}", "XDG_STATE_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_system_is_poorer(walked: dict[str, Any]) -> None:
    assert walked["lacks"] == ["fork", "killpg", "fchmod", "sysconf", "fcntl", "resource", "termios", "pty"]
    assert walked["system"] == [False, False, False]


def test_commands_print_there_what_they_print_here(walked: dict[str, Any]) -> None:
    for command in (["--version"], ["train", "hug", "--json"], ["lesson", "1", "--check"], ["serve", "--help"]):
        here = run(*command)
        assert walked[" ".join(command)] == [0, here.stdout.decode(), ""]


def test_a_file_is_written_over_an_older_one(walked: dict[str, Any], folder: Path) -> None:
    assert walked["train banana -o hug.json"][0] == 0
    status, printed, _ = walked["encode banana -t hug.json"]
    assert (status, printed) == (0, run("encode", "banana", "-t", folder / "hug.json").stdout.decode())
    assert [each.name for each in folder.iterdir() if each.suffix == ".tmp"] == []


def test_helper_processes_start_answer_and_end(walked: dict[str, Any]) -> None:
    assert walked["counted"] == [["word", "0"], [3000, 1], 3001]
    status, printed, _ = walked["encode ﬁne -t normalized.json --json"]
    assert status == 0
    assert [token["id"] for token in json.loads(printed)["tokens"]] == [4, 2, 3]
    assert walked["exercise"] == ["syntax", "time"]  # nothing interrupts the second one: it is ended from outside


def test_serve_says_what_it_needs(walked: dict[str, Any]) -> None:
    status, printed, said = walked["serve"]
    assert (status, printed, said.count("\n")) == (2, "", 1)
    assert "splits off a process for each client, which this system cannot" in said


def test_the_app_opens_steps_and_is_not_suspended(walked: dict[str, Any]) -> None:
    assert walked["app"] == "merge 1/3  vocab 8  merged"


# -- names and paths --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        *[(name, True) for name in ("CON", "nul", "nul.json", "Aux.tar.gz", "com1", "LPT9.txt", "com¹", "NUL .json")],
        *[(name, True) for name in ("hug.", "hug ", "hug.json.", "hug:b", "what?.json", "a\tb", "CONIN$")],
        *[
            (name, False)
            for name in ("console.json", "null", "com", "com10", "hug.json", ".hug", "nulls.txt", "..", "")
        ],
    ],
)
def test_names_that_windows_keeps_for_something_else(name: str, is_one: bool) -> None:
    assert is_reserved(name, "nt") is is_one
    assert not is_reserved(name, "posix")
    reference = getattr(ntpath, "isreserved", None)  # from Python 3.13 on
    assert reference is None or reference(name) is is_one


def test_no_name_of_a_file_is_that_of_a_drive() -> None:
    assert is_reserved("a:b", "nt")


def test_a_reserved_name_is_refused_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_tui.core.system.is_reserved.__defaults__", ("nt",))
    said = run("train", "hug", "-o", tmp_path / "nul.json").error
    assert 'keeps the name "nul.json" for something else; choose another' in said
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_named_by_any_separator_of_the_system() -> None:
    windows = ntpath.sep + ntpath.altsep
    assert [names_folder(path, windows) for path in ("C:\\new\\", "new/", "C:\\new")] == [True, True, False]
    assert [names_folder(path, "/") for path in ("new/", "new\\")] == [True, False]


def test_paths_are_pasted_as_windows_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (r"C:\my texts\a.txt", "a b.txt"):
        Path(name).write_text("hug", encoding="utf-8")
    (tmp_path / "C:").mkdir()
    (tmp_path / "C:" / "a b.txt").write_text("hug", encoding="utf-8")
    assert path_in(r'"C:\my texts\a.txt"', "nt") == Path(r"C:\my texts\a.txt")
    assert path_in(r"C:\my texts\a.txt", "nt") == Path(r"C:\my texts\a.txt")
    assert path_in("file:///C:/a%20b.txt", "nt") == Path("C:/a b.txt")
    assert path_in(r"\no\such.txt", "nt") is None
    assert path_in(r"./a\ b.txt", "posix") == Path("a b.txt")


def test_a_corpus_is_the_file_whatever_the_case_where_case_means_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.txt").write_text("hug", encoding="utf-8")
    corpus = find_corpus([str(tmp_path / "text.txt")])
    assert corpus.comes_from(tmp_path / "text.txt")
    assert not corpus.comes_from(tmp_path / "TEXT.TXT")
    monkeypatch.setattr(os.path, "normcase", ntpath.normcase)
    assert corpus.comes_from(tmp_path / "TEXT.TXT")


# -- files and streams ------------------------------------------------------------------------------------------------


def test_a_file_that_another_program_holds_open_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(errno.EACCES, "Access is denied", str(self), 5, str(target))

    monkeypatch.setattr(Path, "replace", refuse)
    (tmp_path / "hug.json").write_text("older", encoding="utf-8")
    with pytest.raises(TokenizerFileError, match=r"^cannot be written, access is denied$"):
        write_all_atomically({str(tmp_path / "hug.json"): b"newer"})
    assert [(each.name, each.read_text(encoding="utf-8")) for each in tmp_path.iterdir()] == [("hug.json", "older")]
    said = run("train", "hug", "-o", tmp_path / "hug.json").error
    assert said.endswith("cannot be written, access is denied")
    assert (tmp_path / "hug.json").read_text(encoding="utf-8") == "older"


def test_files_have_the_same_line_ends_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "linesep", "\r\n")
    assert run("train", "hug", "-o", tmp_path / "merges.txt").status == 0
    assert run("count", "hug", "-o", tmp_path / "hug.tsv").status == 0
    for name in ("merges.txt", "hug.tsv"):
        written = (tmp_path / name).read_bytes()
        assert written.count(b"\n") > 2
        assert b"\r" not in written


@pytest.mark.parametrize("encoding", ["cp1252", "cp866", "cp437", "ascii"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_console_encoding_ends_a_command(encoding: str, language: str, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a łał łał", encoding="utf-8")
    done = run(f"--lang={language}", "train", text, "--preset", "paper", "--pre-tokenizer", "none", encoding=encoding)
    assert (done.status, done.stderr) == (0, "")
    table = done.stdout.decode(encoding)
    assert "\\u2423" in table  # `␣`, which none of them has
    assert "\\u0142" in table  # nor `ł`
    assert run("encode", "a b", "-t", tmp_path / "none.json", encoding=encoding).error


def test_a_reader_that_went_away_is_recognised_by_either_system() -> None:
    invalid = OSError(errno.EINVAL, "Invalid argument")
    assert is_closed_pipe(BrokenPipeError(errno.EPIPE, "Broken pipe"), "posix")
    assert is_closed_pipe(invalid, "nt")
    assert not is_closed_pipe(invalid, "posix")
    assert not is_closed_pipe(OSError(errno.EINVAL, "Invalid argument", "a?.txt"), "nt")
    assert not is_closed_pipe(OSError(errno.ENOSPC, "No space left on device"), "nt")
