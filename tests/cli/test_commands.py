"""Exit statuses, errors in one line, pipes and locales, and the small commands."""

import fcntl
import importlib
import os
import signal
import subprocess
import sys
import termios
import time
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import typer

from bpe_tui import __version__
from bpe_tui.cli.options import TrainingChoices
from bpe_tui.core.corpus.counting import count_words
from tests.cli.running import done, run

COMMAND = [sys.executable, "-m", "bpe_tui"]


def test_version_and_help() -> None:
    assert done("--version").text == f"bpe-tui {__version__}\n"
    for command in ("open", "train", "encode", "decode", "diff", "count", "corpora", "vocabularies"):
        assert f"  {command} " in done("--help").text
        assert done(command, "--help").text.startswith(f"Usage: bpe-tui {command} ")


def test_corpora_are_listed_with_preset_and_description() -> None:
    lines = done("corpora").text.splitlines()
    assert lines[0].split()[:2] == ["hug", "toy"]
    descriptions = [one["description"] for one in done("corpora", "--json").json]
    places = {line.index(description) for line, description in zip(lines, descriptions, strict=True)}
    assert len(places) == 1


def test_every_bundled_corpus_trains_under_its_own_preset() -> None:
    for corpus in done("corpora", "--json").json:
        assert done("train", corpus["name"], "--json").json["preset"] == corpus["preset"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["train"], ["missing", "CORPUS", "bpe-tui train --help"]),
        (["train", "hug", "--vocab-size", "many"], ["--vocab-size", "int"]),
        (["train", "hug", "--vocab-size", "-1"], ["--vocab-size", "-1"]),
        (["train", "hug", "--vocab-size", "9", "--merges", "3"], ["--vocab-size", "--merges"]),
        (["train", "hug", "--no-such-option"], ["--no-such-option"]),
        (["train", "hug", "--preset", "gpt5"], ["'gpt5'", "subword-nmt"]),
        (["train", "hug", "--ties", "mine"], ["--ties", "'mine'", "lowest-id"]),
        (["train", "hug", "--pattern", "("], ["--pattern", "'('"]),
        (["train", "hug", "--min-frequency", "0"], ["--min-frequency"]),
        (["train", "no-such-file.txt"], ["no-such-file.txt"]),
        (["train", "hug", "-o", "out.xyz"], ["out.xyz", "huggingface"]),
        (["train", "hug", "-o", "out.json", "--format", "word"], ["'word'", "huggingface"]),
        (["train", "hug", "-o", "no-such-folder/out.json"], ["no-such-folder", "folder"]),
        (["train", "hug", "--format", "huggingface"], ["--format", "-o"]),
        (["train", "paper", "-o", "out.json"], ["out.json", "</w>", "suffix"]),
        (["encode", "x"], ["--tokenizer"]),
        (["encode", "x", "-t", "no-such-file.json"], ["no-such-file.json", "no such file"]),
        (["encode", "x", "-t", "."], [".", "directory"]),
        (["decode", "-t", "x.json"], ["ID"]),
        (["unheard-of"], ["unheard-of"]),
        (["trane"], ["no such command 'trane'; there is 'train'; see"]),
        (["corpora", "x"], ["unexpected extra argument (x)"]),
        (["train", "hug", "--pattern", "(" * 5000 + "a" + ")" * 5000], ["--pattern", "nested too deep"]),
        (["train", "hug", "-o", ""], ["empty"]),
        (["train", "hug", "-o", "-", "--format", "session"], ["./-"]),
        (["encode", "x", "-t", ""], ["empty"]),
        (["count", "hug", "-o", ""], ["-o", "empty"]),
        (["lesson", "1", "--record", ""], ["--record", "empty"]),
        (["serve", "--port", "70000"], ["--port", "70000", "65535"]),
        (["serve", "--host", ""], ["--host"]),
        (["serve", "--idle", "nan"], ["--idle"]),
        (["serve", "--public-url", "http://[::1"], ["--public-url http://[::1"]),
        (["serve", "--public-url", "http://host:port"], ["--public-url http://host:port"]),
        (["open", "hug"], ["terminal", "bpe-tui train"]),
        ([], ["terminal", "bpe-tui train"]),
    ],
)
def test_what_cannot_be_done_is_one_line_that_names_the_thing(
    arguments: list[str], named: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    error = run(*arguments).error
    for part in named:
        assert part in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["train", "hug", "--merges"], "l'option '--merges' demande une valeur"),
        (["train", "hug", "--json=3"], "l'option '--json' ne prend pas de valeur"),
        (["train", "hug", "--merge", "3"], "option inconnue : --merge ; il y a --merges"),
        (["train", "hug", "--merges", "x"], "valeur invalide pour '--merges' : 'x' n'est pas un nombre entier"),
        (["train"], "il manque l'argument 'CORPUS'"),
    ],
)
def test_what_is_wrong_on_a_line_is_named_in_the_language_in_force(arguments: list[str], complaint: str) -> None:
    assert run("--lang", "fr", *arguments).error == f"{complaint} ; voyez bpe-tui train --help"


@pytest.mark.parametrize(
    ("module", "offered"),
    [
        ("train", {field.name for field in fields(TrainingChoices)}),
        ("open", {field.name for field in fields(TrainingChoices)}),
        ("serve", {field.name for field in fields(TrainingChoices)}),
        ("diff", {field.name for field in fields(TrainingChoices)} - {"preset", "ties"}),
    ],
)
def test_a_command_that_trains_offers_every_training_option(module: str, offered: set[str]) -> None:
    app = typer.Typer()
    importlib.import_module(f"bpe_tui.cli.commands.{module}").add_to(app)
    assert offered <= {parameter.name for parameter in typer.main.get_command(app).params}


@pytest.mark.parametrize("arguments", [("train", "-o", "x.bpe.json"), ("count", "-o", "x.tsv")])
def test_a_link_to_itself_is_no_place_to_write_to(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    link = Path(arguments[-1])
    link.symlink_to(link)
    assert "symbolic links" in run(*arguments, "hug").error
    assert link.is_symlink()


@pytest.mark.parametrize("arguments", [("train",), ("count",), ("lesson", "--print"), ("encode", "x", "-t")])
def test_a_circle_of_links_is_not_called_a_file_that_is_not_there(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("round").symlink_to("round")
    assert "symbolic links" in run(*arguments, "round").error


def test_a_link_that_leads_nowhere_is_not_taken_for_the_bundled_corpus_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hug").symlink_to("hug")
    assert "symbolic links" in run("train", "hug").error


def test_a_pattern_that_eats_memory_is_to_blame_and_not_the_corpus() -> None:
    limited = "import resource; resource.setrlimit(resource.RLIMIT_AS, (600_000_000,) * 2)\n"
    program = "from bpe_tui.cli.main import main; main(['train', 'story', '--pattern', '(?R)?a'])"
    made = subprocess.run([sys.executable, "-c", limited + program], capture_output=True, text=True, check=False)
    assert "the pattern '(?R)?a' needs too much memory" in made.stderr


def test_a_tokenizer_is_written_into_a_pipe() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "bpe_tui", "train", "hug", "-o", "/dev/stdout", "--format", "merges"],
        capture_output=True,
        check=True,
    )
    assert b"\nh ug\n" in made.stdout


def test_a_closed_stdin_holds_no_text() -> None:
    made = subprocess.run(
        ["/bin/sh", "-c", '"$0" -m bpe_tui count - <&-', sys.executable], capture_output=True, check=True
    )
    assert (made.stdout, made.stderr.count(b"\n")) == (b"", 1)


def test_the_corpus_is_not_overwritten(tmp_path: Path) -> None:
    counts = tmp_path / "counts.json"
    counts.write_text('{"hug": 10}', encoding="utf-8")
    assert "is the corpus itself" in run("train", counts, "-o", counts).error
    assert counts.read_text(encoding="utf-8") == '{"hug": 10}'


def test_errors_show_hostile_names_with_stand_ins() -> None:
    error = run("train", "evil\x1b[2J\nname").error
    assert "␛[2J␊name" in error


def test_a_bad_corpus_or_option_is_reported_before_the_app_takes_the_screen() -> None:
    assert "no-such-corpus" in run("open", "no-such-corpus", terminal=True).error
    assert "'mine'" in run("open", "hug", "--ties", "mine", terminal=True).error


def test_a_tokenizer_is_opened_with_its_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    monkeypatch.setattr("bpe_tui.ui.app.run_app", lambda **how: opened.append(how["tokenizer"]))
    done("train", "hug", "--preset", "minbpe", "-o", tmp_path / "hug.tiktoken")
    run("open", tmp_path / "hug.tiktoken", "--pre-tokenizer", "gpt2", terminal=True)
    assert opened[0].options.pre_tokenizer == "gpt2"
    assert "opens alone" in run("open", tmp_path / "hug.tiktoken", "hug", terminal=True).error
    assert (
        "--merges is not for this format" in run("open", tmp_path / "hug.tiktoken", "--merges=3", terminal=True).error
    )
    (tmp_path / "hug.tiktoken").write_text("not base64", encoding="utf-8")
    refused = run("open", tmp_path / "hug.tiktoken", terminal=True)
    assert (refused.status, len(refused.error.splitlines())) == (2, 1)
    assert len(opened) == 1


def test_a_table_of_stdin_is_opened_in_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    monkeypatch.setattr("bpe_tui.ui.app.run_app", lambda **how: opened.append(how))
    monkeypatch.setattr("bpe_tui.cli.commands.open._take_stdin", lambda request: replace(request, text="hug\t10\n"))
    run("open", "-", "--word-counts", terminal=True)
    corpus, options = opened[0]["request"].find()
    assert (count_words(corpus, options).counts, options.preset) == ([10], "toy")


def test_stdin_must_be_the_only_corpus_of_the_app() -> None:
    assert "only corpus" in run("open", "-", "hug", terminal=True).error


def test_too_little_memory_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("bpe_tui.core.corpus.sources.find_corpus", exhausted)
    assert "memory" in run("train", "hug").error


def test_a_bug_of_ours_is_no_user_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("bpe_tui.core.corpus.sources.find_corpus", broken)
    with pytest.raises(ZeroDivisionError):
        run("train", "hug")


# -- in a process of its own ------------------------------------------------------------------------------------------


def finished_process(*arguments: object, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run one command line in a process of its own, to its end."""
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, **more}
    return subprocess.run([*COMMAND, *map(str, arguments)], check=False, **settings)


def test_a_reader_that_goes_away_is_met_with_silence() -> None:
    for arguments in (["train", "story", "--merges", "3000"], ["train", "story", "--json"], ["--help"]):
        process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(60) == 0


def test_a_closed_stdout_does_not_crash() -> None:
    shell = ["sh", "-c", f"{sys.executable} -m bpe_tui train hug >&-"]
    assert subprocess.run(shell, check=True, capture_output=True, timeout=60).stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_a_full_disk_is_said_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        finished = finished_process("train", "hug", stdout=full)
    assert finished.returncode == 2
    assert finished.stderr.startswith(b"bpe-tui: no space left on device")
    assert finished.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}], ids=["utf8", "ascii"]
)
def test_a_bare_locale_is_enough(locale: dict[str, str]) -> None:
    environment = {**os.environ, **locale}
    for arguments in (["train", "course-ru"], ["train", "course-ru", "--json"], ["train", "нет.txt"]):
        finished = finished_process(*arguments, env=environment)
        assert b"Traceback" not in finished.stderr
        assert finished.returncode == (2 if "нет.txt" in arguments else 0)


def test_the_app_without_a_terminal_is_refused_in_one_line(tmp_path: Path) -> None:
    corpus = tmp_path / "x.txt"
    corpus.write_bytes(b"abc")
    finished = finished_process("open", corpus, stdin=subprocess.DEVNULL)
    assert finished.returncode == 2
    assert finished.stdout == b""
    assert finished.stderr.count(b"\n") == 1


def test_an_interrupt_ends_quietly_with_status_130() -> None:
    process = subprocess.Popen(
        [*COMMAND, "train", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(b"waiting for more\n")
    process.stdin.flush()
    waiting = bytearray(4)
    while fcntl.ioctl(process.stdin, termios.FIONREAD, waiting) or any(waiting):  # until it waits for more
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=60)
    assert (process.returncode, output, error) == (130, b"", b"")


@pytest.mark.parametrize(
    ("arguments", "status"), [("lesson 1 --print", 0), ("train hug -o x.json", 2), ("count hug -o x.tsv", 2)]
)
def test_a_current_folder_that_is_gone(arguments: str, status: int, tmp_path: Path) -> None:
    made = subprocess.run(
        ["/bin/sh", "-c", f'cd "$1" && rmdir "$1" && "$0" -m bpe_tui {arguments}', sys.executable, tmp_path],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=False,
    )
    assert made.returncode == status
    assert (b"x." in made.stderr and made.stderr.count(b"\n") == 1) if status else not made.stderr
