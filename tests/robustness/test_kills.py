"""`kill -9` at any moment leaves the kept session whole, and the corpus opened again goes on from it.

`BPE_TUI_KILLS=300` kills that many times.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.formats.files import TEMPORARY
from bpe_tui.formats.registry import read_session
from bpe_tui.formats.session.training import resume
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from tests.robustness.terminal import ROOT, Terminal

KILLS: Final = int(os.environ.get("BPE_TUI_KILLS", "2"))
WRITES: Final = 8
KEYS: Final = "    nnnnuuusSNUfrt\r\x1b[B\x1b[A"
WRITER: Final = """
import sys
from pathlib import Path
from bpe_tui.formats.session.store import SessionSlot
place, data = SessionSlot(Path(sys.argv[1])), [bytes([65 + number]) * 3_000_000 for number in range(3)]
print("ready", flush=True)
while True:
    for one in data:
        place.save(one)
"""


def words_of(corpus: str) -> WordCounts:
    """The words of a corpus."""
    return Session.load(*Request((corpus,)).find()).trainer.words


def test_the_program_is_killed_and_goes_on(tmp_path: Path) -> None:
    random, words = Random(7), words_of("course-en")
    target = Session.load(*Request(("course-en",)).find()).trainer.target
    kept, resumed = None, 0
    for number in range(KILLS):
        with Terminal("open", "course-en", XDG_STATE_HOME=str(tmp_path)) as terminal:
            terminal.wait_for("merge 0/")
            if kept is not None:
                position, known = kept.position, len(kept.model.vocabulary.merges)
                terminal.wait_for(f"at merge {position} of {known}")
                began = len(terminal.output)
                terminal.send("R")
                behind = "/" if position <= target else f" (target {target})"
                terminal.wait_for(f"merge {position}{behind}" if position else "", began)
                resumed += 1
            if number == 0:
                terminal.send("  ")
                while not list(tmp_path.rglob("*.json")):
                    terminal.read(0.1)
            end = time.monotonic() + random.uniform(0.0, 1.5)
            while time.monotonic() < end:
                key = random.choice(KEYS)
                terminal.send(key)
                terminal.read(random.uniform(0, 0.1))
            terminal.kill()
        files = [one for one in (tmp_path / "bpe-tui" / "sessions").glob("*.json") if ".before" not in one.name]
        assert len(files) <= 1
        if files:
            kept = read_session(str(files[0]))
            trainer = resume(kept, words)
            assert trainer.position == kept.position
            if not kept.model.vocabulary.merges:
                kept = None
    assert resumed >= (KILLS - 1) * 0.9


def test_a_writer_is_killed_and_the_file_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    random, path = Random(8), tmp_path / "x.bpe.json"
    seen = set()
    for _ in range(max(WRITES, KILLS)):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(random.uniform(0, 0.05))
            writer.send_signal(signal.SIGKILL)
        if path.exists():
            data = path.read_bytes()
            assert data in [bytes([65 + number]) * 3_000_000 for number in range(3)]
            seen.add(data[:1])
    assert seen
    for stale in tmp_path.glob(f"*{TEMPORARY}"):  # they are in nobody's way
        stale.unlink()
