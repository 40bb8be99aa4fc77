"""The progress bar: what it says, how often, and to whom."""

import io

from bpe_tui.cli.progress import ProgressBar, describe
from bpe_tui.core.corpus.types import Progress
from tests.cli.running import run


def test_the_line_tells_share_rate_and_time_left() -> None:
    assert describe("merging", 250, 1000, 2.0) == ("merging   [######------------------]  25%  125 merges/s  0:06 left")
    assert describe("reading", 90_000_000, 100_000_000, 3.0).endswith("90%  30.0 MB/s  0:00 left")
    assert (
        describe("encoding", 1_000, 4_000, 0.5) == "encoding  [######------------------]  25%  2,000 words/s  0:02 left"
    )
    assert describe("merging", 1, 7201, 1.0).endswith("2:00:00 left")


def test_what_is_not_known_is_left_out() -> None:
    assert describe("indexing", 0, 0, 1.0).startswith("indexing  0.0 MB/s")
    assert "left" not in describe("merging", 0, 10, 0.0)


def test_quick_work_shows_no_bar_and_slow_work_not_every_report() -> None:
    stream, now = io.StringIO(), [0.0]
    bar = ProgressBar(stream, clock=lambda: now[0])
    bar(Progress("merging", 1, 100))
    bar.clear()
    assert stream.getvalue() == ""
    for done in range(100):
        now[0] += 0.01
        bar(Progress("merging", done, 100))
    bar.clear()
    pictures = stream.getvalue().split("\r\x1b[K")
    assert 5 <= len(pictures) <= 10
    assert pictures[-1] == ""


def test_the_table_is_the_same_on_a_terminal() -> None:
    assert run("train", "hug", terminal=True).text == run("train", "hug").text
