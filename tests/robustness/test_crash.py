"""A bug ends the program with the terminal as it was, the session kept, and a report without the user's text."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from bpe_tui.core.runtime import AT_A_DESK, Policy, impose
from bpe_tui.formats.crash_reports import report, written
from bpe_tui.formats.registry import read_session
from tests.robustness.terminal import ROOT, Terminal

SECRET: Final = "confidential"
BROKEN: Final = """
import sys
from bpe_tui.cli.main import run
from bpe_tui.ui.board.board import Board

def broken(self):
    text = self.session.trainer.words.words[0]
    raise ValueError(text)

Board.action_play = broken
run()
"""
BROKEN_COMMAND: Final = """
from bpe_tui.cli.main import run
from bpe_tui.core.corpus import counting as corpus

def broken(*given, **more):
    raise ValueError("confidential")

corpus.count_words = broken
run()
"""
RESTORED: Final = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l")
"""The screen from before, the cursor, the mouse."""


def test_a_crash_of_the_app(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(f"{SECRET} {SECRET} low lower", encoding="utf-8")
    with Terminal("open", "x.txt", program=("-c", BROKEN), folder=tmp_path, XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("merge 0/")
        terminal.send("  ")
        terminal.wait_for("merge 2/")
        began = len(terminal.output)
        terminal.send("p")
        assert terminal.ended() == 2
        last = terminal.output[began:]
    assert all(sequence in last for sequence in RESTORED)
    plain = last[last.rindex(b"\x1b[?1049l") :].decode()
    assert plain.count("bpe-tui: something broke (ValueError)") == 1
    assert SECRET not in plain
    assert "Traceback" not in plain
    kept = list((tmp_path / "bpe-tui" / "sessions").glob("*.json"))
    assert [read_session(str(one)).position for one in kept] == [2]
    told = next((tmp_path / "bpe-tui" / "crashes").iterdir()).read_text(encoding="utf-8")
    assert "ValueError" in told
    assert "in broken" in told
    assert "textual: " in told
    assert SECRET not in told
    assert str(tmp_path) not in told


def test_a_crash_of_a_command(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-c", BROKEN_COMMAND, "train", "hug"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (made.returncode, made.stdout, made.stderr.count(b"\n")) == (2, b"", 1)
    assert b"something broke (ValueError)" in made.stderr
    assert SECRET.encode() not in made.stderr + next((tmp_path / "bpe-tui" / "crashes").iterdir()).read_bytes()


@pytest.mark.parametrize("sign", [signal.SIGHUP])
def test_a_terminal_that_is_closed_keeps_the_session(sign: signal.Signals, tmp_path: Path) -> None:
    with Terminal(XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("merge 0/3")
        terminal.send("   ")
        terminal.wait_for("merge 3/3")
        terminal.process.send_signal(sign)
        assert terminal.ended() == 0
    kept = next((tmp_path / "bpe-tui" / "sessions").glob("*.json"))
    assert read_session(str(kept)).position == 3


def test_a_report_tells_the_cause_and_no_more() -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise RuntimeError(SECRET) from error
    except RuntimeError as error:
        told = report(error)
    assert told.index("builtins.RuntimeError") < told.index("builtins.KeyError")
    assert "test_crash.py" in told
    assert SECRET not in told
    assert str(ROOT) not in told


def test_where_nothing_may_be_kept_no_report_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    impose(Policy(is_served=True))
    try:
        assert written(ValueError()) is None
    finally:
        impose(AT_A_DESK)
    assert list(tmp_path.iterdir()) == []
    assert written(ValueError()) is not None
