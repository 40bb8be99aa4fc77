"""What the words of a command line stand for: texts in any locale, names of files however they are spelled."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from unicodedata import normalize

import pytest

from tests.cli.running import done, run
from tests.robustness.terminal import Terminal

BARE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    """A tokenizer of bytes."""
    path = tmp_path / "x.json"
    done("train", "hug", "--preset", "huggingface", "-o", path)
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("encode", "a\udcff", "-t", "x.json"),
        ("train", "hug", "--special", "<\udcff>"),
        ("train", "hug", "--pattern", "\udcff"),
        ("train", "hug", "--unk", "\udcff"),
        ("diff", "hug", "--ties", "first-seen", "--ties", "lowest-id", "--sample", "\udcff"),
    ],
)
def test_arguments_that_are_no_text_are_refused(arguments: tuple[str, ...]) -> None:
    assert "is not UTF-8 text" in run(*arguments).error


def test_a_text_is_utf8_in_every_locale(tokenizer: Path) -> None:
    command = [sys.executable, "-m", "bpe_tui", "encode", "café naïve", "--ids", "-t", str(tokenizer)]
    expected = done("encode", "café naïve", "--ids", "-t", tokenizer).stdout
    made = subprocess.run(command, env={**os.environ, **BARE}, capture_output=True, check=True)
    assert made.stdout == expected
    refused = subprocess.run(
        [*command[:4], b"a\xff", *command[5:]], env={**os.environ, **BARE}, capture_output=True, check=False
    )
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"'a\\udcff' is not UTF-8 text" in refused.stderr


def test_a_word_with_half_a_character_is_refused_in_a_table(tmp_path: Path) -> None:
    table = tmp_path / "words.json"
    table.write_text('{"ab": 1,\n "a\\ud800": 3}', encoding="utf-8")
    assert "line 2: the word 'a\\ud800' holds a lone surrogate" in run("train", table).error


@pytest.mark.parametrize("forms", [("NFD", "NFC"), ("NFC", "NFD")])
def test_a_file_is_found_however_its_accents_are_composed(
    forms: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    there, typed = ([normalize(form, name) for name in ("café.txt", "é.json")] for form in forms)  # type: ignore[arg-type] # a Literal
    Path(there[0]).write_text("low lower", encoding="utf-8")
    done("train", "hug", "-o", there[1])
    done("train", typed[0], "--merges", "1")
    done("count", f"./{typed[0]}")
    done("encode", "hug", "-t", typed[1])
    done("convert", typed[1], "new.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*there, "new.json"])
    Path(typed[0]).write_text("wide", encoding="utf-8")
    assert b"wide" in done("count", typed[0]).stdout  # what is spelled the same comes first


def test_a_negative_number_among_ids_is_told_as_such(tokenizer: Path) -> None:
    refused = "'-1' is not a token id; ids are whole numbers from 0 up; see bpe-tui decode --help"
    assert run("decode", "1", "-1", "-t", tokenizer).error == refused
    assert run("decode", "-1", "-t", tokenizer).error == refused
    assert run("decode", "-12", "-t", tokenizer).error == refused.replace("-1'", "-12'")
    assert "no such option: -1" in run("train", "hug", "-1").error
    assert (
        "no such option: --tokenize; there is --pre-tokenizer, --tokenizer"
        in run("decode", "1", "--tokenize", tokenizer).error
    )
    assert "no such option: -x" in run("decode", "-x", "1", "-t", tokenizer).error


def test_a_text_in_a_pipe_is_pointed_to_the_command_that_opens_it() -> None:
    with Terminal(stdin=b"hug") as terminal:
        assert terminal.ended() == 2
        assert "to open a text from a pipe, use bpe-tui open -" in terminal.text()


@pytest.mark.parametrize("arguments", [("train", "hug", "--preset", "huggingface", "-o", "new/", "--format", "gpt2")])
def test_a_full_disk_leaves_no_empty_folder(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bpe_tui.formats.files._write", full)
    assert "no space left on device" in run(*arguments).error
    assert list(tmp_path.iterdir()) == []


# -- completion -------------------------------------------------------------------------------------------------------


def completed(line: str, shell: str = "zsh", **environment: str) -> str:
    """What a shell is told for a line."""
    told = subprocess.run(
        [sys.executable, "-m", "bpe_tui"],
        env={
            **os.environ,
            "_BPE_TUI_COMPLETE": f"complete_{shell}",
            "_TYPER_COMPLETE_ARGS": line,
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
            **environment,
        },
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return told.stdout


def test_apostrophes_stay_in_what_zsh_shows() -> None:
    shown = completed("bpe-tui train --", BPE_TUI_LANG="fr", PYTHONIOENCODING="utf-8")
    assert "Ce qu’est un document" in shown
    assert "l''" not in shown
    assert '"--merges"' in completed("bpe-tui train --mer")
    assert completed("bpe-tui tr", "bash") == "train\n"


def test_zsh_completes_at_the_first_tab() -> None:
    script = subprocess.run(
        [sys.executable, "-m", "bpe_tui", "--show-completion", "zsh"],
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert script.startswith("#compdef bpe-tui")
    loaded = script.partition("loadautofunc ]]; then\n")[2]
    assert loaded.splitlines()[0] == '  _bpe_tui_completion "$@"'
