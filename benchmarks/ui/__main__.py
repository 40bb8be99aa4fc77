"""`make bench-ui`: key to first and to last byte at 120×40, beside the bare screen in the same run.

usage: python -m benchmarks.ui [--text FILE] [--big FILE] [--presses N] [--only PART]

`--text` is a text of about a megabyte (by default one is made), `--big` one of about a hundred (left out if not given).
`--only` takes one part of the run: `text`, `lists` (panes of half a million rows), `big` or `start`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.ui.long_lists import ROWS, write_long_table
from benchmarks.ui.terminal import Answer, Terminal

OURS = (sys.executable, "-m", "bpe_tui")
BARE = (sys.executable, "-m", "benchmarks.ui.bare")
PAGE_DOWN, PAGE_UP = "\x1b[6~", "\x1b[5~"
TRAINED = ("--preset", "huggingface")


@dataclass(frozen=True, slots=True)
class Figures:
    """Medians and 95th percentiles in milliseconds."""

    first: float
    first_p95: float
    last: float

    @classmethod
    def of(cls, answers: list[Answer]) -> Figures:
        """The figures of several presses."""
        firsts = sorted(answer.first for answer in answers)
        lasts = [answer.last for answer in answers]
        return cls(statistics.median(firsts), firsts[int(0.95 * len(firsts))], statistics.median(lasts))


STARTS = 5
PARTS = ("text", "lists", "big", "start")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ui")
    parser.add_argument("--text", type=Path)
    parser.add_argument("--big", type=Path)
    parser.add_argument("--presses", type=int, default=60)
    parser.add_argument("--only", choices=PARTS)
    arguments = parser.parse_args()
    parts = PARTS if arguments.only is None else (arguments.only,)
    with Terminal(BARE) as terminal:
        terminal.settled()
        bare = _presses(terminal, " ", arguments.presses)
    print(f"bare screen: first byte {bare.first:.1f} ms (p95 {bare.first_p95:.1f}), last byte {bare.last:.1f} ms")
    step = bare
    if "text" in parts or "big" in parts:
        with _text(arguments.text) as text:
            step = _measure_text(text, bare, arguments.presses)
    if "lists" in parts:
        _measure_lists(bare, arguments.presses)
    if "start" in parts:
        ours, theirs = _starts(OURS, BARE)
        _bar("first settled paint of bpe-tui", ours, theirs, 1.5)
    if "big" in parts:
        if arguments.big is None:
            print("give --big FILE for the figures on a large corpus")
        else:
            _measure_big(arguments.big, bare, step, arguments.presses)


def _measure_text(text: Path, bare: Figures, presses: int) -> Figures:
    with _opened(text, 500, "8000") as terminal:
        step = _presses(terminal, " ", presses)
    _bar("space on the text, first byte, median", step.first, bare.first, 1.5)
    _bar("space on the text, first byte, p95", step.first_p95, bare.first_p95, 2.0)
    _bar("space on the text, last byte, median", step.last, bare.last, 1.5)
    return step


def _measure_lists(bare: Figures, presses: int) -> None:
    """A page in each pane, with half a million rows in it."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "words.tsv"
        write_long_table(table)
        with Terminal((*OURS, "open", str(table), "--merges", str(ROWS))) as terminal:
            terminal.wait_for("ready")
            terminal.settled(0.6)
            for key, name in (("1", "corpus"), ("2", "pairs")):
                _measure_page(terminal, key, PAGE_DOWN, name, bare, presses)
            terminal.press("f")
            terminal.wait_for("done: merges")
            terminal.settled(0.6)
            for key, name in (("3", "vocabulary"), ("4", "merges")):
                _measure_page(terminal, key, PAGE_UP, name, bare, presses)


def _measure_page(terminal: Terminal, pane: str, key: str, name: str, bare: Figures, presses: int) -> None:
    terminal.press(pane)
    page = _presses(terminal, key, presses)
    _bar(f"a page in the {name} pane of {ROWS:,}, first byte", page.first, bare.first, 1.5)
    _bar(f"a page in the {name} pane of {ROWS:,}, last byte", page.last, bare.last, 1.5)


def _measure_big(big: Path, bare: Figures, step: Figures, presses: int) -> None:
    with _opened(big, 500, "32000") as terminal:
        forward, back = _presses(terminal, " ", presses), _presses(terminal, "u", presses)
        terminal.press("2")
        page = _presses(terminal, PAGE_DOWN, presses)
    _bar("space on the large corpus, first byte", forward.first, step.first, 1.25)
    _bar("space on the large corpus, last byte", forward.last, step.last, 1.25)
    _bar("u on the large corpus, first byte", back.first, step.first, 1.25)
    _bar("u on the large corpus, last byte", back.last, step.last, 1.25)
    _bar("a page down in its pairs, first byte", page.first, bare.first, 1.5)
    _bar("a page down in its pairs, last byte", page.last, bare.last, 1.5)
    with Terminal(OURS) as terminal:
        terminal.settled()
        idle = _presses(terminal, "\t", presses)
    with Terminal((*OURS, "open", str(big), *TRAINED, "--vocab-size", "32000")) as terminal:
        terminal.settled(0.2, 3)
        busy = _presses(terminal, "\t", presses)
    _bar("a key while the large corpus is counted, first byte, p95", busy.first_p95, idle.first_p95, 4.0)


def _starts(*commands: tuple[str, ...]) -> list[float]:
    """Medians of the starts of each, in turn: milliseconds to the first settled paint."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(STARTS):
        for command, taken in zip(commands, times, strict=True):
            with Terminal(command) as terminal:
                taken.append(terminal.settled())
    return list(map(statistics.median, times))


@contextmanager
def _opened(path: Path, merges: int, vocab: str) -> Iterator[Terminal]:
    """The app on a text, after `merges` merges."""
    with Terminal((*OURS, "open", str(path), *TRAINED, "--vocab-size", vocab)) as terminal:
        terminal.wait_for("ready")
        terminal.settled(0.6)
        terminal.press("g")
        terminal.press(str(merges))
        terminal.press("\r")
        terminal.wait_for(f"{merges}/")
        terminal.settled(0.6)
        yield terminal


def _presses(terminal: Terminal, key: str, presses: int) -> Figures:
    answers = [answer for answer in (terminal.answer(key) for _ in range(presses)) if answer is not None]
    if not answers:
        raise SystemExit(f"no answer to {key!r}")
    return Figures.of(answers)


def _bar(what: str, ours: float, yardstick: float, bar: float) -> None:
    ratio = ours / yardstick
    verdict = "ok" if ratio <= bar else "SHORT"
    print(f"{what:60} {ours:8.1f} ms  {ratio:5.2f} × {yardstick:.1f} ms  bar {bar:.2f}  {verdict}")


@contextmanager
def _text(given: Path | None) -> Iterator[Path]:
    """The text to measure on: the one given, or a megabyte made of the bundled story's words."""
    if given is not None:
        yield given
        return
    from random import Random

    from bpe_tui.core.bundled import corpora_folder

    words = (corpora_folder() / "story.txt").read_text(encoding="utf-8").split()
    random = Random(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        lines = (" ".join(random.choices(words, k=12)) + random.choice("abcdefgh") * 3 for _ in range(16_000))
        path.write_text("\n".join(lines), encoding="utf-8")
        yield path


if __name__ == "__main__":
    main()
