"""Hostile texts and names of files through every place of the app, judged by the bytes that a terminal gets.

`BPE_TUI_LONG=1` opens each few inputs in a session of their own; else one session has to do.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tests.robustness.hostile import LONG, Hostile, check_harmless, hostile, shapes
from tests.robustness.terminal import Late, Terminal

TEXTS = [one for one in hostile() if one.is_text and 0 < len(one.data) < 60_000]
GROUP = 6 if LONG else len(TEXTS)
GROUPS = [TEXTS[start : start + GROUP] for start in range(0, len(TEXTS), GROUP)]
UP, DOWN, PAGE_DOWN, END, TAB, ENTER = "\x1b[A", "\x1b[B", "\x1b[6~", "\x1b[F", "\t", "\r"
ESCAPE = "\x1b[27u"
"""As kitty sends it: no program has to wait whether more follows."""
CTRL_P, CTRL_Q = "\x10", "\x11"


ATTEMPTS: Final = 4
"""Walks, of which one has to come to its end; harmless have to be all."""
STEPS: Final[tuple[tuple[str, str], ...]] = (
    ("     123" + PAGE_DOWN + DOWN, "merge 5/"),
    ("2" + DOWN + PAGE_DOWN + ENTER + "3" + END + UP, ""),
    (ENTER, "esc"),  # where a token came from
    (ESCAPE + "4" + UP + END, ""),
    ("t", "diverges at"),
    (DOWN + ESCAPE, ""),
    ("y", "which is next"),
    (DOWN + ENTER + ESCAPE * 3, ""),
    ("sss", ""),
    ("?", "esc"),
    (PAGE_DOWN + END + ESCAPE + "zz", ""),
    ("/", "Filter "),
    ("\u202ex\u200b[/]", "Nothing here holds"),
    (ESCAPE * 2 + CTRL_P, ""),
    ("[/]\u202e\u200b", ""),
    (ESCAPE * 3, ""),
    ("e", ""),
    ("\u202e[/]\u200bthug", "thug"),
    (ENTER, "Why not one token?"),
    (" " + ESCAPE, ""),  # a space, so that the text has the focus when it is left
    ("o", "Open a text"),
    ("x.txt" + ENTER, ""),
    ("2" + DOWN + DOWN + "3" + DOWN, ""),
    ("45zz", "Unknown symbols"),
    (ESCAPE * 3, ""),
    ("w", "picture"),
    (END + UP + TAB + ENTER, "Wrote"),
    ("o", "Open a corpus"),
    (TAB + PAGE_DOWN + END + TAB, ""),
    ("no\u202e\u200b[/]" + ENTER, "There is no"),
    (ESCAPE * 2, ""),
    ("\x1b[<35;20;5M\x1b[<35;70;20M", ""),  # the mouse rests, for what would be told beside it
)
"""Keys, and what they bring: every place where text is shown."""


def walk(one: Terminal) -> bool:
    """Look at every place; False if a key came too early for a busy machine, so that the way was lost."""
    one.wait_for("merge 0/")
    for keys, shown in STEPS:
        began = len(one.output)
        one.send(keys)
        one.settle(0.2)
        try:
            one.wait_for(shown, began, patience=20)
        except Late:
            return False
    return True


def made(folder: Path, group: list[Hostile]) -> str:
    """Files with the texts, and with names that are as bad; the name of one that holds all."""
    for one in group:
        word = one.data.split(b"\n")[0][:40].replace(b"/", b"_").replace(b"\0", b"")
        (folder / os.fsdecode(b"n" + word + b"\xff.txt")).write_bytes(one.data)
    joined = b"\n".join(one.data for one in group)
    (folder / "x.txt").write_text("".join(one.data.decode()[:60] for one in group), encoding="utf-8")
    name = os.fsdecode(b"all" + group[-1].data.split(b"\n")[0][:20].replace(b"/", b"_").replace(b"\0", b"") + b".txt")
    (folder / name).write_bytes(joined)
    return name


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The shapes of sequences of a session with nothing hostile."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "plain.txt").write_bytes(b"low lower lowest new newer\n" * 3)
    with Terminal("open", "plain.txt", folder=folder, XDG_STATE_HOME=str(folder)) as terminal:
        terminal.wait_for("merge 0/")
        for keys in (" ", "2", DOWN, "t", ESCAPE, CTRL_P, "x", ESCAPE * 3, "E", ESCAPE * 3, "o", ESCAPE * 3):
            terminal.send(keys)
            terminal.settle(0.15)
        terminal.send(CTRL_Q)
        assert terminal.ended() == 0
        return shapes(terminal.output)


@pytest.mark.parametrize("number", range(len(GROUPS)))
def test_nothing_planted_reaches_the_terminal(number: int, tmp_path: Path, known: set[str]) -> None:
    group = GROUPS[number]
    name = made(tmp_path, group)
    options = ("--alphabet", "characters", "--pre-tokenizer", "spaces", "--merges", "60") if number % 2 else ()
    planted = tuple(sequence for one in group for sequence in one.planted)
    for attempt in range(ATTEMPTS):
        with Terminal("open", name, *options, folder=tmp_path, XDG_STATE_HOME=str(tmp_path / f"{attempt}")) as terminal:
            arrived = walk(terminal)
            assert terminal.process.poll() is None, terminal.text()[-3000:]
            terminal.send(CTRL_Q)
            assert terminal.ended() == 0
            check_harmless(terminal.output, planted, known)
        if arrived:
            return
    raise AssertionError("no walk came to its end")
