"""The parts of the benchmarks that compute rather than run: what they tell must be right, too."""

import resource
import sys
from pathlib import Path

import pytest

from benchmarks.bars import Bars
from benchmarks.corpora import prepare
from benchmarks.growth import fit
from benchmarks.measure import figures_of, run, side_by_side
from benchmarks.plain_loop import learn
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, text_corpus
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer


def test_the_plain_loop_learns_what_the_preset_of_the_course_learns() -> None:
    (source,) = find_corpus(["story"]).sources
    assert source.path is not None
    text = source.path.read_text(encoding="utf-8")
    options = make_options("course", merges=60)
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.run()
    assert learn(text, 60) == [(step.merge.left, step.merge.right) for step in trainer.steps]


def test_heaps_law_is_found_in_points_that_follow_it() -> None:
    law = fit([(words, 3 * words**0.7) for words in (1e5, 1e6, 1e7)])
    assert (round(law.factor, 6), round(law.exponent, 6)) == (3, 0.7)
    assert round(law.distinct(1e10)) == round(3e7)


def test_a_bar_is_reached_or_not() -> None:
    bars = Bars()
    bars.at_most("a", 0.65, 0.65)
    bars.at_most("longer", 1.2, 1.0, " ms")
    bars.at_most("told", 7.5, None)
    assert bars.short == 1
    assert bars.table().splitlines() == [
        "figure  measured        bar",
        "a           0.65     ≤ 0.65  ok",
        "longer   1.20 ms  ≤ 1.00 ms  short",
        "told        7.50",
    ]


def test_parts_are_cut_at_the_end_of_a_line_and_go_on_in_the_next_text(tmp_path: Path) -> None:
    (tmp_path / "en.txt").write_bytes(b"".join(b"line %05d\n" % number for number in range(150_000)))
    (tmp_path / "ml.txt").write_text("été\n" * 300_000, encoding="utf-8")
    corpora = prepare(tmp_path, None, quick=False)
    both = (tmp_path / "en.txt").read_bytes() + (tmp_path / "ml.txt").read_bytes()
    assert corpora.text.read_bytes() == both[: both.index(b"\n", 1_100_000) + 1]
    assert corpora.part(1.1) == corpora.text
    assert corpora.part(2).read_bytes() == both[: both.index(b"\n", 2_000_000) + 1]
    assert prepare(tmp_path, tmp_path / "ml.txt", quick=False).text == tmp_path / "ml.txt"


def test_programs_are_run_in_turn_and_measured() -> None:
    # A child's peak is at least what this process holds when it starts the child, so "slow" must need more than that.
    heavy = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 + 200
    costs = side_by_side(
        {"quick": [sys.executable, "-c", ""], "slow": [sys.executable, "-c", f"b = b'x' * ({heavy} << 20)"]}, 2
    )
    assert list(costs) == ["quick", "slow"]
    assert costs["quick"].megabytes < heavy <= costs["slow"].megabytes
    assert 0 < costs["quick"].seconds < 30
    assert figures_of([sys.executable, "-c", "print('{\"a\": 1}')"]) == {"a": 1}
    with pytest.raises(SystemExit, match="no such thing"):
        run([sys.executable, "-c", "import sys; sys.exit('no such thing')"])
