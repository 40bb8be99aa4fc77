"""`make bench-ui`: key to first and to last byte at 120×40, beside the bare screen in the same run.

usage: python -m benchmarks.ui [--text FILE] [--big FILE] [--presses N] [--only PART]

`--text` is a text of about a megabyte (by default one is made), `--big` one of about a hundred (left out if not given).
`--only` takes one part of the run: `text`, `held` (a key held down, and then rest), `lists` (panes of half a million
rows), `big`, `start` or `tokenizers` (with 50,000 and 200,000 merges).
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.ui.long_lists import ROWS, write_long_table
from benchmarks.ui.made_tokenizers import write_tokenizer_json
from benchmarks.ui.terminal import Answer, Terminal

OURS = (sys.executable, "-m", "bpe_tui")
BARE = (sys.executable, "-m", "benchmarks.ui.bare")
PAGE_DOWN, PAGE_UP = "\x1b[6~", "\x1b[5~"
STARTS = 5
PARTS = ("text", "held", "lists", "big", "start", "tokenizers")
REPEAT = 1 / 30
"""Seconds between the repeats of a held key."""
HELD_BAR = 50.0
"""Milliseconds that the answer to a held key may take."""
REST, REST_BAR = 5.0, 10.0
"""Seconds of rest, and the milliseconds of processor time in them: the clock's own step."""
TRAINED = ("--preset", "huggingface")


@dataclass(frozen=True, slots=True)
class Figures:
    """Medians and 95th percentiles in milliseconds."""

    first: float
    first_p95: float
    last: float

    @classmethod
    def of(cls, presses: list[Answer | None]) -> Figures:
        """The figures of several presses, those left out that changed nothing on the screen."""
        answers = [answer for answer in presses if answer is not None]
        if not answers:
            raise SystemExit("no key was answered")
        firsts = sorted(answer.first for answer in answers)
        lasts = [answer.last for answer in answers]
        return cls(statistics.median(firsts), firsts[int(0.95 * len(firsts))], statistics.median(lasts))


class Ratios(NamedTuple):
    """How many times the bare screen's own a median is."""

    first: float
    last: float


class Beside:
    """A bare screen that is kept beside what is measured: keys go to both in turn, so that both meet the same load."""

    def __init__(self, bare: Terminal, presses: int) -> None:
        self._bare = bare
        self._presses = presses
        bare.settled()

    def measure(self, terminal: Terminal, key: str) -> tuple[Figures, Figures]:
        """What a key takes in `terminal`, and what repainting the bare screen takes."""
        ours, bare = [], []
        for _ in range(self._presses):
            ours.append(terminal.answer(key))
            bare.append(self._bare.answer(" "))
        return Figures.of(ours), Figures.of(bare)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ui")
    parser.add_argument("--text", type=Path)
    parser.add_argument("--big", type=Path)
    parser.add_argument("--presses", type=int, default=60)
    parser.add_argument("--only", choices=PARTS)
    arguments = parser.parse_args()
    parts = PARTS if arguments.only is None else (arguments.only,)
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state  # sessions of these runs are thrown away
        _run(parts, arguments.text, arguments.big, arguments.presses)


def _run(parts: Sequence[str], text: Path | None, big: Path | None, presses: int) -> None:
    with Terminal(BARE) as bare:
        beside = Beside(bare, presses)
        if "text" in parts or "big" in parts:
            with _text(text) as path, _opened(path, 500, "8000") as terminal:
                step = _measure(terminal, " ", "space on the text", beside)
            if "big" in parts and big is not None:
                _measure_big(big, beside, step)
        if "held" in parts:
            with _text(text) as path, _opened(path, 500, "8000") as terminal:
                _measure_held(terminal, presses)
        if "lists" in parts:
            _measure_lists(beside)
    if "start" in parts:
        ours, theirs = _starts(OURS, BARE)
        _bar("first settled paint of bpe-tui", ours, theirs, 1.5)
    if "tokenizers" in parts:
        _measure_tokenizers(presses)
    if "big" in parts:
        if big is None:
            print("give --big FILE for the figures on a large corpus")
        else:
            _measure_opening(big, presses)


def _measure_held(terminal: Terminal, presses: int) -> None:
    """A key held down, as a usual terminal repeats it; then the rest, once all motion is over."""
    taken = sorted(terminal.held(" ", presses, REPEAT))
    print(f"space held, first byte: median {statistics.median(taken):.2f} ms")
    _bar("space held, first byte, p95", taken[int(0.95 * len(taken))], HELD_BAR, 1.0)
    terminal.settled(3.0)  # the session is saved a while after the last step
    _bar(f"at rest for {REST:.0f} s, processor time", terminal.processor_time(REST), REST_BAR, 1.0)


def _measure_lists(beside: Beside) -> None:
    """A page in each pane, with half a million rows in it."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "words.tsv"
        write_long_table(table)
        with Terminal((*OURS, "open", str(table), "--merges", str(ROWS))) as terminal:
            terminal.wait_for("ready")
            terminal.settled(0.6)
            for key, name in (("1", "corpus"), ("2", "pairs")):
                terminal.press(key)
                _measure(terminal, PAGE_DOWN, f"a page in the {name} pane of {ROWS:,}", beside)
            terminal.press("f")
            terminal.wait_for("done: target reached")
            terminal.settled(0.6)
            for key, name in (("3", "vocabulary"), ("4", "merges")):
                terminal.press(key)
                _measure(terminal, PAGE_UP, f"a page in the {name} pane of {ROWS:,}", beside)


def _measure_tokenizers(presses: int) -> None:
    """The first paint on large tokenizers, and keys in a long text, beside the same on the corpus hug."""
    with tempfile.TemporaryDirectory() as folder:
        smaller, larger = Path(folder) / "smaller.json", Path(folder) / "larger.json"
        text = write_tokenizer_json(smaller, 50_000)
        write_tokenizer_json(larger, 200_000)
        hug, paint, large = _starts(*((*OURS, "open", name) for name in ("hug", str(smaller), str(larger))))
        _bar("first settled paint on a tokenizer of 50,000 merges", paint, hug, 3.0)
        _bar("first settled paint on a tokenizer of 200,000 merges", large, hug, 8.0)
        with Terminal((*OURS, "open", "hug")) as few, Terminal((*OURS, "open", str(smaller))) as many:
            few.settled()
            few.press("E")
            few.paste("hugs a bun")
            many.settled()
            many.paste(text)
            ours, theirs = [], []
            for number in range(presses):
                key = "\x7f" if number % 2 else "u"
                theirs.append(few.answer(key))
                ours.append(many.answer(key))
            _bar(
                f"a key in a text of {len(text):,}, 50,000 merges, last byte",
                Figures.of(ours).last,
                Figures.of(theirs).last,
                2.0,
            )


def _measure_big(big: Path, beside: Beside, step: Ratios) -> None:
    """Steps on a large corpus, beside the bare screen and beside the same steps on a small one."""
    with _opened(big, 500, "32000") as terminal:
        for key, name in ((" ", "space"), ("u", "u")):
            taken = _measure(terminal, key, f"{name} on the large corpus", beside)
            for byte, ours, above in zip(Ratios._fields, taken, step, strict=True):
                _bar(f"{name} on the large corpus beside the text, {byte} byte", ours, above, 1.25, "times bare")
        terminal.press("2")
        _measure(terminal, PAGE_DOWN, "a page down in its pairs", beside)


def _measure_opening(big: Path, presses: int) -> None:
    """Keys while the words of a large corpus are counted, beside the same keys in an app that has nothing to do."""
    with Terminal(OURS) as terminal:
        terminal.settled()
        idle = Figures.of([terminal.answer("\t") for _ in range(presses)])
    with Terminal((*OURS, "open", str(big), *TRAINED, "--vocab-size", "32000")) as terminal:
        terminal.settled(0.2, 3)
        busy = Figures.of([terminal.answer("\t") for _ in range(presses)])
    _bar("a key while the large corpus is counted, first byte, p95", busy.first_p95, idle.first_p95, 4.0)


def _measure(terminal: Terminal, key: str, what: str, beside: Beside) -> Ratios:
    ours, bare = beside.measure(terminal, key)
    _bar(f"{what}, first byte, median", ours.first, bare.first, 1.5)
    _bar(f"{what}, first byte, p95", ours.first_p95, bare.first_p95, 2.0)
    _bar(f"{what}, last byte, median", ours.last, bare.last, 1.5)
    return Ratios(ours.first / bare.first, ours.last / bare.last)


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


def _bar(what: str, ours: float, yardstick: float, bar: float, unit: str = "ms") -> None:
    ratio = ours / yardstick
    verdict = "ok" if ratio <= bar else "SHORT"
    print(f"{what:63} {ours:8.2f} {unit}  {ratio:5.2f} × {yardstick:.2f}  bar {bar:.2f}  {verdict}")


@contextmanager
def _text(given: Path | None) -> Iterator[Path]:
    """The text to measure on: the one given, or a megabyte made of the bundled story's words."""
    if given is not None:
        yield given
        return
    from random import Random

    from bpe_tui.core.corpus.sources import corpora_folder

    words = (corpora_folder() / "story.txt").read_text(encoding="utf-8").split()
    random = Random(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        lines = (" ".join(random.choices(words, k=12)) + random.choice("abcdefgh") * 3 for _ in range(16_000))
        path.write_text("\n".join(lines), encoding="utf-8")
        yield path


if __name__ == "__main__":
    main()
