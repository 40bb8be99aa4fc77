"""`bpe-tui open -`: the text comes through a pipe, however long or slow, and the keys from the terminal."""

from __future__ import annotations

from pathlib import Path

from tests.robustness.terminal import Terminal

ESCAPE, CTRL_Q = "\x1b[27u", "\x11"


def test_a_long_text_is_read_behind_the_screen(tmp_path: Path) -> None:
    text = b"".join(b"low lower w%d\n" % (number % 97) for number in range(100_000))
    # More than a pipe holds, so that it is written while the program reads.
    with Terminal("open", "-", stdin=text, XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("merge 0/")
        assert "opening stdin" in terminal.text()
        terminal.send(" ")
        terminal.wait_for("merge 1/")
        terminal.send(CTRL_Q)
        assert terminal.ended() == 0


def test_a_slow_text_is_waited_for_behind_the_screen(tmp_path: Path) -> None:
    with Terminal("open", "-", stdin=b"low low", stdin_stays=True, XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("opening stdin")
        assert terminal.process.stdin is not None
        terminal.process.stdin.write(b"er low")
        terminal.process.stdin.close()
        terminal.wait_for("merge 0/")
        terminal.send(CTRL_Q)
        assert terminal.ended() == 0


def test_a_text_that_never_comes_can_be_given_up(tmp_path: Path) -> None:
    with Terminal("open", "-", stdin=b"", stdin_stays=True, XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("esc stops")
        terminal.send(ESCAPE)
        terminal.wait_for("Open a corpus")
        terminal.send(CTRL_Q)
        assert terminal.ended() == 0
    with Terminal("open", "-", stdin=b"", stdin_stays=True, XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("opening stdin")
        terminal.send(CTRL_Q)
        assert terminal.ended() == 0


def test_what_is_no_text_is_refused_before_or_behind_the_screen(tmp_path: Path) -> None:
    with Terminal("open", "-", stdin=b"a\xffb", XDG_STATE_HOME=str(tmp_path)) as terminal:
        assert terminal.ended() == 2
        assert "stdin, line 1, is not UTF-8" in terminal.text()
        assert b"\x1b[?1049h" not in terminal.output
    with Terminal("open", "-", stdin=b"a\n" * 300_000 + b"\xff", XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("is not UTF-8")
        terminal.wait_for("Open a corpus")
        terminal.send(CTRL_Q)
        assert terminal.ended() == 0
