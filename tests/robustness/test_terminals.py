"""Terminals that cannot draw, or shall not colour: bytes on a pseudo-terminal."""

from __future__ import annotations

import locale
import re
from pathlib import Path

import pytest

from tests.robustness.terminal import PATIENCE, Terminal

COLOUR = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
"""A sequence that sets a colour, the default ones included."""
MARKED = re.compile(r"\x1b\[(?:[0-9;]*;)?7(?:;[0-9;]*)?m")
"""One that reverses."""


def has_locale(name: str) -> bool:
    """Is there such a locale here?"""
    try:
        locale.setlocale(locale.LC_CTYPE, name)
    except locale.Error:
        return False
    finally:
        locale.setlocale(locale.LC_CTYPE, "")
    return True


@pytest.mark.parametrize("arguments", [(), ("open", "hug"), ("lesson", "1"), ("lesson",)])
def test_a_dumb_terminal_gets_one_sentence(arguments: tuple[str, ...]) -> None:
    with Terminal(*arguments, TERM="dumb") as terminal:
        assert terminal.ended() == 2
        assert b"\x1b" not in terminal.output
        assert terminal.text().strip() == (
            "bpe-tui: the app needs a terminal that can place its cursor, and TERM is dumb; "
            "here use bpe-tui train, bpe-tui lesson NAME --print, or add --plain"
        )


@pytest.mark.parametrize("encoding", ["koi8-r", "ascii"])
def test_an_encoding_without_the_signs_gets_one_sentence(encoding: str) -> None:
    with Terminal("open", "hug", PYTHONIOENCODING=encoding) as terminal:
        assert terminal.ended() == 2
        assert b"\x1b" not in terminal.output
        assert terminal.text().strip() == (
            f"bpe-tui: the app is drawn with signs that {encoding.upper()} lacks; a UTF-8 locale has them, "
            "or here use bpe-tui train, bpe-tui lesson NAME --print, or add --plain"
        )


def test_a_locale_of_koi8_is_refused() -> None:
    encoding = (
        "KOI8-R" if has_locale("ru_RU.KOI8-R") else "(ASCII|US-ASCII|ANSI_X3.4-1968)"
    )  # a locale that is missing is C
    with Terminal("open", "hug", "--lang", "en", LC_ALL="ru_RU.KOI8-R", PYTHONUTF8="0") as terminal:
        assert terminal.ended() == 2
        assert re.match(f"bpe-tui: the app is drawn with signs that {encoding} lacks; ", terminal.text().strip())


def test_no_color_sends_no_colour(tmp_path: Path) -> None:
    with Terminal("open", "hug", NO_COLOR="1", XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("New here?")
        terminal.send(" ")
        terminal.wait_for("Merged u + g")
        terminal.send("2\x1b[Bo")
        terminal.wait_for("Bundled corpora")
        terminal.settle()
        drawn = terminal.output.decode("utf-8", "replace")
        assert not COLOUR.findall(drawn)
        assert MARKED.search(drawn)
        terminal.send("\x1b")
        terminal.settle()
        terminal.send("q")
        assert terminal.ended() == 0
        assert "Your session is saved at merge 1. Open hug the same way and press R to resume." in terminal.text()


def test_a_cyrillic_key_steps_in_a_real_terminal(tmp_path: Path) -> None:
    with Terminal("open", "hug", XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("New here?")
        terminal.send("т")
        terminal.wait_for("Merged u + g")
        terminal.send("й")
        assert terminal.ended() == 0


def test_keys_that_are_no_utf8_end_nothing(tmp_path: Path) -> None:
    with Terminal("open", "hug", "--merges", "5", XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("New here?")
        for keys, merged in (
            (b"\xff\xfe", "u + g"),
            (b"\xe9", "u + n"),
            (b"\xe6\x97", "h + ug"),
            (b"\x1b[M\xa0\xc0\xb0", "p + un"),
            (b"\x1b[200~caf\xe9\x1b[201~", "p + ug"),
        ):
            terminal.send(keys)
            terminal.settle()
            terminal.send("\x1b")
            terminal.settle()
            assert f"Merged {merged}" not in terminal.text()
            terminal.send(" ")
            terminal.wait_for(f"Merged {merged}")
        terminal.send("q")
        assert terminal.ended() == 0
        assert "Traceback" not in terminal.text()


SHELL = """
import os, signal, subprocess, sys, termios
child = subprocess.Popen([sys.executable, "-m", "bpe_tui", "open", "hug"], process_group=0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
os.tcsetpgrp(0, child.pid)
os.waitpid(child.pid, os.WUNTRACED)
os.tcsetpgrp(0, os.getpgrp())
modes = termios.tcgetattr(0)[3]
print("stopped, echo", bool(modes & termios.ECHO), "lines", bool(modes & termios.ICANON), flush=True)
input()
os.tcsetpgrp(0, child.pid)
os.killpg(child.pid, signal.SIGCONT)
sys.exit(child.wait())
"""
"""What a shell does for a program in the foreground, and for `fg` once that is suspended."""


def test_ctrl_z_suspends_and_fg_draws_the_screen_again(tmp_path: Path) -> None:
    with Terminal(SHELL, program=("-c",), XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("New here?")
        terminal.settle()
        terminal.send("\x1a")
        terminal.wait_for("stopped, echo True lines True")
        assert terminal.output.rfind(b"\x1b[?1049l") > terminal.output.rfind(b"\x1b[?1049h")
        since = len(terminal.output)
        terminal.send("\n")
        terminal.wait_for("Encode ▸", since)
        terminal.wait_for("word, as it is split now", since)
        terminal.settle()
        terminal.send(" ")
        terminal.wait_for("Merged u + g", since)
        terminal.send("q")
        assert terminal.ended() == 0


BEHIND_MAKE = """
import signal, subprocess, sys
from pathlib import Path
signal.signal(signal.SIGHUP, signal.SIG_IGN)
heard = lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)
app = subprocess.Popen([sys.executable, "-m", "bpe_tui"], preexec_fn=heard)
Path(sys.argv[1]).write_text(str(app.wait()))
"""
"""The system tells the first program on a terminal alone that this is closed; the app is another one."""


def test_an_app_whose_terminal_is_closed_ends_also_if_no_signal_says_so(tmp_path: Path) -> None:
    status = tmp_path / "status"
    with Terminal(BEHIND_MAKE, str(status), program=("-c",), XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("New here?")
        terminal.settle()
        terminal.hang_up()
        assert terminal.process.wait(PATIENCE) == 0
    assert status.read_text() == "0"
