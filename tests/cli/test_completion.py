"""Completion in the shells themselves: a line is typed, TAB is pressed, and the shell completes it.

`make test` installs zsh and fish where it can, as it does a browser.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.robustness.terminal import Terminal

EXEC = "import os, sys; os.execvp(sys.argv[1], sys.argv[1:])"
LINES = [
    ("bpe-tui tra", "bpe-tui train"),
    ("bpe-tui train hu", "bpe-tui train hug"),
    ("bpe-tui train --preset hug", "bpe-tui train --preset huggingface"),
    ("bpe-tui train --ties=x --min-f", "bpe-tui train --ties=x --min-frequency"),
    ("bpe-tui lesson why-t", "bpe-tui lesson why-tokens"),
    ("bpe-tui open myt", "bpe-tui open mytext.txt"),
    ("bpe-tui encode -t my\\ o", "bpe-tui encode -t my other.json"),
]
"""What is typed, and what a TAB makes of it: a command, a corpus, a preset, an option, a lesson, files."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files to complete, and the scripts that the program prints for the shells."""
    folder = tmp_path_factory.mktemp("completion")
    for name in ("mytext.txt", "my other.json"):
        (folder / name).touch()
    for shell in ("bash", "zsh", "fish"):
        script = subprocess.run(
            [sys.executable, "-m", "bpe_tui", "--show-completion", shell],
            env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
            capture_output=True,
            check=True,
        ).stdout
        (folder / f"bpe-tui.{shell}").write_bytes(script)
    return folder


def path() -> str:
    """Where the shells find the program."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="module", params=["bash", "zsh"])
def shell(request: pytest.FixtureRequest, folder: Path) -> Iterator[Terminal]:
    """A shell on a terminal, with completion loaded as its manual says."""
    words = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}[request.param]
    load = {"bash": "", "zsh": "autoload -Uz compinit; compinit -u -D; "}[request.param]
    with Terminal(*words, folder=folder, program=("-c", EXEC), PATH=path(), PS1="> ", LC_ALL="C.UTF-8") as terminal:
        terminal.send(f"{load}source bpe-tui.{request.param}; echo RE''ADY\n")
        terminal.wait_for("READY")
        yield terminal


@pytest.mark.parametrize(("typed", "completed"), LINES)
def test_bash_and_zsh_complete_at_a_tab(shell: Terminal, typed: str, completed: str) -> None:
    began = len(shell.output)
    shell.send(f"{typed}\t\x01echo \n")  # ctrl+a: the line is not run, but printed
    shell.wait_for(f"{completed}\r\n", since=began)


def test_fish_completes(folder: Path) -> None:
    asked = "".join(f"echo (complete -C '{typed}' | string split -f 1 \\t)\n" for typed, _ in LINES)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source bpe-tui.fish\n{asked}"],
        cwd=folder,
        env={**os.environ, "PATH": path(), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "train",
        "hug",
        "huggingface",
        "--min-frequency",
        "why-tokens",
        "mytext.txt",
        "my other.json",
    ]
