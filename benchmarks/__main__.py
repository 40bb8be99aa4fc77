"""Measure everything side by side, and print the table of bars.

usage: python -m benchmarks [--quick] [--folder DIR] [--text FILE] [--runs N] [--only PART]…
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.bars import Bars, aligned
from benchmarks.corpora import Corpora, prepare
from benchmarks.environment import peers_python
from benchmarks.growth import fit
from benchmarks.measure import Command, Cost, figures_of, side_by_side
from benchmarks.peers import Programs

OURS = "lowest-id"
PEERS = ("tokenizers", "rustbpe", "gigabpe")
TERABYTE = 1e12


@dataclass(slots=True)
class Bench:
    """One run of everything."""

    corpora: Corpora
    programs: Programs
    runs: int
    quick: bool
    bars: Bars
    peer_seconds: float = 0.0
    """Seconds of a whole training by `tokenizers` on the large text."""

    # -- whole processes ----------------------------------------------------------------------------------------------

    def small(self) -> None:
        """The small text: training, then encoding with what was trained."""
        costs = self._train("small text, 8,000 tokens", self.corpora.text, 8000, (OURS, "tokenizers"))
        self.bars.at_most("small text, 8,000 tokens: time / tokenizers", _time(costs, "tokenizers"), 0.65)
        ours, theirs = self._encode_small()
        name = "encoding the small text in one call"
        self.bars.at_most(f"{name}, ids: time / tokenizers", ours["ids"] / theirs["seconds"], 0.45)
        self.bars.at_most(f"{name}, tokens and places: time / tokenizers", ours["seconds"] / theirs["places"], None)
        word = self._in_turn({"word": self.programs.inside("long_word", self.programs.tokenizer, self.corpora.text)})
        ratio = word["word"]["100000"] / word["word"]["10000"]
        self.bars.at_most("encoding one word: 100,000 letters / 10,000", ratio, 15, digits=1)

    def vocabulary(self) -> None:
        """The small text, encoded with a vocabulary of full size."""
        command = self.programs.train(OURS, self.corpora.english, 50_257)
        side_by_side({OURS: command}, 1)
        ours, theirs = self._encode_small()
        name = "the small text with 50,000 merges in one call"
        self.bars.at_most(f"{name}, ids: time / tokenizers", ours["ids"] / theirs["seconds"], 0.5)
        self.bars.at_most(f"{name}, tokens and places: time / tokenizers", ours["seconds"] / theirs["places"], 0.5)

    def _encode_small(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What encoding the small text costs us and `tokenizers`, with the tokenizer of our last training."""
        encoded = self._in_turn(
            {
                "ours": self.programs.inside("encode", self.programs.tokenizer, self.corpora.text),
                "theirs": self.programs.encode_by_peer(self.corpora.text),
            }
        )
        if encoded["ours"]["hash"] != encoded["theirs"]["hash"]:
            sys.exit("the small text is encoded to other ids by tokenizers than by us")
        return encoded["ours"], encoded["theirs"]

    def loop(self) -> None:
        """The plain loop of the courses."""
        merges = 50 if self.quick else 500
        figures = self._in_turn({"loop": self.programs.inside("loop", self.corpora.text, str(merges))})["loop"]
        say(f"the courses' loop, {merges} merges: {figures['plain']:.1f} s, ours {figures['ours']:.2f} s")
        name = f"{merges} merges of the small text: time / the courses' loop"
        self.bars.at_most(name, figures["ours"] / figures["plain"], 0.01, digits=4)

    def large(self) -> None:
        """The large English text: against all peers, and the tie rules against each other."""
        names = (OURS, "first-seen", *PEERS)
        costs = self._train("English, 32,000 tokens", self.corpora.english, 32_000, names)
        self.peer_seconds = costs["tokenizers"].seconds
        self.bars.at_most("English, 32,000 tokens: time / tokenizers", _time(costs, "tokenizers"), 0.60)
        memory = costs[OURS].megabytes / costs["tokenizers"].megabytes
        self.bars.at_most("English, 32,000 tokens: memory / tokenizers", memory, 1.0)
        self.bars.at_most("English, 32,000 tokens: time / rustbpe", _time(costs, "rustbpe"), 1.2)
        self.bars.at_most("English, 32,000 tokens: time / gigabpe", _time(costs, "gigabpe"), None)
        rules = costs["first-seen"].seconds / costs[OURS].seconds
        self.bars.at_most("English, 32,000 tokens: first-seen / lowest-id", rules, 1.3)

    def mixed(self) -> None:
        """The text in several languages."""
        costs = self._train("mixed languages, 32,000 tokens", self.corpora.mixed, 32_000, (OURS, *PEERS))
        self.bars.at_most("mixed languages, 32,000 tokens: time / tokenizers", _time(costs, "tokenizers"), 0.70)

    # -- from inside --------------------------------------------------------------------------------------------------

    def history(self) -> None:
        """Single steps and undos, and the way back and forth through all merges."""
        if not self.peer_seconds:
            command = self.programs.train("tokenizers", self.corpora.english, 32_000)
            self.peer_seconds = side_by_side({"tokenizers": command}, self.runs)["tokenizers"].seconds
        inside = self._in_turn({"it": self.programs.inside("trainer", str(self.corpora.english), "32000")})["it"]
        phases = ", ".join(f"{name} {inside[name]:.2f} s" for name in ("counting", "indexing", "merging"))
        say(f"English, {inside['merges']:,} merges from inside: {phases}")
        for what in ("step", "undo"):
            spread = inside[what]
            milliseconds = {name: 1000 * seconds for name, seconds in spread.items()}
            say(f"one {what} after 1,000 merges: " + ", ".join(f"{n} {v:.2f} ms" for n, v in milliseconds.items()))
            for name, share in (("median", 15_000), ("p99", 1_500)):
                self.bars.at_most(
                    f"one {what} after 1,000 merges: {name}",
                    milliseconds[name],
                    1000 * self.peer_seconds / share,
                    " ms",
                )
        merges = f"{inside['merges']:,}"
        self.bars.at_most(f"merge {merges} back to 0: time / merging", inside["back"] / inside["merging"], 0.5)
        self.bars.at_most(f"merge 0 again to {merges}: time / merging", inside["again"] / inside["merging"], 0.5)
        self.bars.at_most("history kept for that", inside["history"] / 1e6, 150, " MB", digits=0)

    def growth(self) -> None:
        """Time, memory and distinct words by the size of the text."""
        table = [("MB", "seconds", "CPU", "MB of memory", "all processes", "words", "distinct")]
        for megabytes in (1, 3, 10) if self.quick else (1, 10, 95, 168):
            text = self.corpora.english if megabytes == 95 else self.corpora.part(megabytes)
            size = text.stat().st_size
            cost = side_by_side({OURS: self.programs.train(OURS, text, 32_000)}, self.runs)[OURS]
            counted = figures_of(self.programs.inside("words", text))
            table.append(
                (
                    f"{size / 1e6:.1f}",
                    f"{cost.seconds:.2f}",
                    f"{cost.cpu:.2f}",
                    f"{cost.megabytes:,.0f}",
                    f"{cost.together:,.0f}",
                    f"{counted['occurrences']:,}",
                    f"{counted['words']:,}",
                )
            )
        say("growth, 32,000 tokens:\n" + aligned(table, right=set(range(7))))
        for name, text in (("English", self.corpora.english), ("mixed languages", self.corpora.mixed)):
            points = figures_of(self.programs.inside("samples", text))["points"]
            law, words = fit(points), TERABYTE * points[-1][0] / text.stat().st_size
            say(
                f"Heaps' law, {name}, samples of {points[0][0]:,} to {points[-1][0]:,} words: "
                f"distinct words = {law.factor:.2f} × words ^ {law.exponent:.3f}\n"
                f"carried on to a terabyte, on paper: {words:.2g} words, {law.distinct(words):.2g} distinct"
            )

    # -- how ----------------------------------------------------------------------------------------------------------

    def _train(self, title: str, text: Path, vocab_size: int, names: tuple[str, ...]) -> dict[str, Cost]:
        commands = {name: self.programs.train(name, text, vocab_size) for name in names}
        costs = side_by_side(commands, self.runs)
        table = [("program", "seconds", "CPU", "MB of memory", "all processes")]
        for name, cost in costs.items():
            shown = f"bpe-tui, {name}" if name in (OURS, "first-seen") else name
            figures = (f"{cost.seconds:.2f}", f"{cost.cpu:.2f}", f"{cost.megabytes:,.0f}", f"{cost.together:,.0f}")
            table.append((shown, *figures))
        say(f"{title} ({text.stat().st_size / 1e6:.1f} MB), whole process:\n" + aligned(table, right={1, 2, 3, 4}))
        return costs

    def _in_turn(self, commands: dict[str, Command]) -> dict[str, Any]:
        """The figures of programs that time themselves, run in turn; medians of every number."""
        figures: dict[str, list[Any]] = {name: [] for name in commands}
        for _ in range(self.runs):
            for name, command in commands.items():
                figures[name].append(figures_of(command))
        return {name: _medians(all_runs) for name, all_runs in figures.items()}


def _time(costs: dict[str, Cost], peer: str) -> float:
    return costs[OURS].seconds / costs[peer].seconds


def _medians(figures: list[Any]) -> Any:
    first = figures[0]
    if isinstance(first, dict):
        return {name: _medians([each[name] for each in figures]) for name in first}
    return statistics.median(figures) if isinstance(first, (int, float)) else first


def say(text: str) -> None:
    """Print at once, so that a long run can be followed."""
    print(text + "\n", flush=True)


def main() -> None:
    """Parse the command line and run the parts asked for."""
    parts: dict[str, Callable[[Bench], None]] = {
        "small": Bench.small,
        "vocabulary": Bench.vocabulary,
        "loop": Bench.loop,
        "large": Bench.large,
        "mixed": Bench.mixed,
        "history": Bench.history,
        "growth": Bench.growth,
    }
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="one run on texts of 10 MB; the bars are for the large ones"
    )
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="where the texts are, or are put")
    parser.add_argument("--environment", type=Path, default=Path(".venv-bench"), help="where the peers are installed")
    parser.add_argument("--text", type=Path, help="the small text; otherwise the first 1.1 MB of the English one")
    parser.add_argument(
        "--runs", type=int, help="how often each program runs; its medians are printed (3, or 1 if quick)"
    )
    parser.add_argument("--only", action="append", choices=parts, help="one part of the table; may be repeated")
    given = parser.parse_args()
    corpora = prepare(given.folder, given.text, quick=given.quick)
    programs = Programs(peers_python(given.environment).absolute(), corpora.parts)
    bench = Bench(corpora, programs, given.runs or (1 if given.quick else 3), given.quick, Bars())
    for name, part in parts.items():
        if given.only is None or name in given.only:
            part(bench)
    if not bench.bars.rows:
        return
    if given.quick:
        say("Quick: the bars are those of the large texts, so take the verdicts as hints.")
    say(bench.bars.table())
    short = bench.bars.short
    say("All bars are reached." if not short else f"{short} of the bars {'is' if short == 1 else 'are'} not reached.")


if __name__ == "__main__":
    main()
