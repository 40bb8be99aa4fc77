"""Hostile texts through every command: what is printed holds nothing that steers a terminal.

`BPE_TUI_LONG=1` takes all inputs, and the ones that are millions of bytes long.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import Result, run
from tests.robustness.hostile import LONG, Hostile, check_harmless, distinct_words, hostile, long_line

INPUTS = hostile()
PROGRESS = re.compile(rb"\r[^\n\r]*|\x1b\[K")
SAMPLE = INPUTS if LONG else INPUTS[::30]


def test_there_are_two_hundred_inputs() -> None:
    assert len({one.name for one in INPUTS}) == len(INPUTS) >= 200


def checked(result: Result, one: Hostile) -> Result:
    """A result that is harmless, and of which the user can tell what happened."""
    check_harmless(result.stdout, one.planted)
    check_harmless(PROGRESS.sub(b"", result.stderr.encode()), one.planted)
    assert result.status in (0, 1, 2)
    assert "Traceback" not in result.stderr
    if result.status == 2:
        assert f"\n{result.stderr}".count("\nbpe-tui: ") == 1
        assert result.stdout == b""
    return result


@pytest.mark.parametrize("one", SAMPLE, ids=lambda one: str(one.name))
def test_plain_output_is_harmless(one: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.txt"
    path.write_bytes(one.data)
    results = [
        run("train", path, "--merges", "8"),
        run("train", path, "--merges", "5", "--alphabet", "characters", "--pre-tokenizer", "none"),
        run("train", "-", "--merges", "5", "--preset", "minbpe", stdin=one.data),
        run("diff", path, "--ties", "first-seen", "--ties", "greatest-pair", "--merges", "8"),
        run("train", path, "--word-counts", "--merges", "3"),
        run("encode", "-", "-t", path, stdin=one.data),
        run("count", path, terminal=True),
        run("train", path, "--merges", "2", "--json", terminal=True),
    ]
    assert one.is_text == (results[0].status == 0)
    if one.is_text and one.data:
        trained = run("train", path, "--merges", "8", "--alphabet", "characters", "-o", tmp_path / "x.bpe.json")
        results += [
            trained,
            run("encode", "-", "-t", tmp_path / "x.bpe.json", "--trace", stdin=one.data[:2000]),
            run("encode", "-", "-t", "x.bpe.json", "--unknown", "error", stdin="\u2603".encode() + one.data[:500]),
            run("encode", one.data[:300], "-t", "x.bpe.json", "--json", terminal=True),
            run("decode", *range(40), "-t", "x.bpe.json", terminal=True),
            run(
                "diff",
                "x.txt",
                "--ties",
                "first-seen",
                "--ties",
                "lowest-id",
                "--text",
                "x\x1b[31m",
                "--json",
                terminal=True,
            ),
            run("convert", "x.bpe.json", "x.model"),
            run("convert", "x.bpe.json", "merges.txt"),
        ]
    for result in results:
        checked(result, one)


@pytest.mark.parametrize("one", [one for one in SAMPLE if len(one.data) < 5000], ids=lambda one: str(one.name))
def test_arguments_are_harmless(one: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As names of files, options and texts; and tokenizer files that hold nothing else."""
    monkeypatch.chdir(tmp_path)
    word = os.fsdecode(one.data[:150].replace(b"\0", b"").replace(b"/", b"_")) or "x"
    line = word.partition("\n")[0] or "x"
    names = ["x.json", "x.bpe.json", "x.model", "x.tiktoken", "merges.txt"]
    for name in names:
        Path(name).write_bytes(one.data)
    results = [
        run("train", line),
        run("open", line),
        run("train", "hug", "--ties", word),
        run("train", "hug", "--preset", word),
        run("train", "hug", "--special", word, "--unk", word, "--end-of-word", word),
        run("train", "hug", "--pattern", word),
        run("train", "hug", "-o", f"{line}/x.json"),
        run("train", "hug", "-o", "y.json", "--format", word),
        run("diff", "hug", "--ties", word, "--ties", "lowest-id"),
        run("decode", word, "-t", line),
        run(line),
        run("train", f"--{line}"),
        *(run("encode", word, "-t", name) for name in names),
        *(run("decode", "1", "-t", name) for name in names),
        *(run("convert", name, "z.json") for name in names),
    ]
    try:
        Path(f"n{line[:40]}.txt").write_bytes(one.data)
    except OSError:
        pass
    else:
        results += [run("train", f"n{line[:40]}.txt"), run("train", "."), run("encode", "x", "-t", f"n{line[:40]}.txt")]
    for result in results:
        checked(result, one)


@pytest.mark.parametrize("make", [long_line, distinct_words] if LONG else [lambda: distinct_words(2000)])
def test_large_texts_are_harmless(make: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(make())
    one = Hostile("large", b"", (b"\x1b[31m", "\u202e".encode()))
    for arguments in (
        ("train", path, "--merges", "5"),
        ("diff", path, "--merges", "3", "--ties", "first-seen", "--ties", "lowest-id"),
    ):
        assert checked(run(*arguments), one).status == 0
    assert checked(run("count", path, terminal=True), one).status == 0
