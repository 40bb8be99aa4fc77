"""Counting on a cluster: the same table as without one, wherever it is cut, and whichever worker dies on the way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.cluster import tasks
from bpe_tui.cluster.counting import count_on_cluster, cut
from bpe_tui.cluster.local import local_cluster
from bpe_tui.core.corpus.chunking import ByteRange
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import Source, find_corpus
from bpe_tui.core.corpus.tally import PartialCounts, special_notes
from bpe_tui.core.corpus.types import Progress
from bpe_tui.core.corpus.word_tables import bounded
from bpe_tui.core.errors import Cancelled, CorpusError, OptionError
from bpe_tui.core.options import make_options
from tests.cli.running import done, run


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster with two workers."""
    with local_cluster(workers=2) as address:
        yield address


def client_of(address: str) -> Any:
    """A client of a cluster. Its package is imported here: it takes half a second of each process of a test run."""
    from distributed import Client

    return Client(address, set_as_default=False)


def varied_text(lines: int) -> str:
    """Words that come and go, so that their order of first appearance matters."""
    return "".join(
        f"line {number} says w{number % 97} and v{number // 13}, été {number % 7}\n" for number in range(lines)
    )


# -- without a cluster -------------------------------------------------------------------------------------------------

pieces = st.sampled_from(["a", "b ", " c", "  ", "\n", "\r\n", "é", "\ta ", "1 2", "<s>", "\u3000", "don't "])


@given(
    texts=st.lists(st.lists(pieces, max_size=40).map("".join), min_size=1, max_size=3),
    window=st.sampled_from([4, 8]),
    size=st.integers(1, 3),
    documents=st.sampled_from(["lines", "lines-keepends", "files"]),
    pre_tokenizer=st.sampled_from(["gpt2", "cl100k", "whitespace", "spaces", "metaspace", "none"]),
    specials=st.sampled_from([(), ("<s>",)]),
)
def test_ranges_add_up_to_the_whole(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    window: int,
    size: int,
    documents: str,
    pre_tokenizer: str,
    specials: tuple[str, ...],
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_bytes(text.encode())
    options = make_options("course", documents=documents, pre_tokenizer=pre_tokenizer, specials=specials)
    corpus = find_corpus([str(folder)])
    files = tasks.files_at(f"file://{folder}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "WINDOW", window)
        counted = [
            tasks.count_range(number, part, options, tasks.versions(), "")
            for number, part in enumerate(cut(files, options, size * window))
        ]
        pairs = [tasks.add_up(counted[place : place + 2]) for place in range(0, len(counted), 2)]
        part = PartialCounts.from_bytes(tasks.add_up(pairs))
    whole = count_words(corpus, options, processes=1)
    assert list(part.words.items()) == list(zip(whole.words, whole.counts, strict=True))
    assert special_notes(part.specials, options) == whole.notes


def test_a_folder_is_read_in_the_order_in_which_train_reads_it(tmp_path: Path) -> None:
    for name in ("b.txt", "a-z.txt", "a/y.txt", "a/x.txt", ".hidden.txt", "a/.git/config"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    found = [file.address.removeprefix(f"file://{tmp_path}/") for file in tasks.files_at(f"file://{tmp_path}")]
    assert found == [
        Path(source.name).relative_to(tmp_path).as_posix() for source in find_corpus([str(tmp_path)]).sources
    ]
    assert found == ["a/x.txt", "a/y.txt", "a-z.txt", "b.txt"]
    assert len(tasks.files_at(f"file://{tmp_path}/*/x*")) == 1


def test_a_worker_with_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("a")
    whole = ByteRange(str(path), 0, None)
    with pytest.raises(CorpusError, match="regex 1999"):
        tasks.count_range(0, whole, make_options("course"), ("0.0", "1999"), "")


def test_without_dask_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert ".[dask]" in run("count", "story", "--dask", "local").error


def test_dask_is_not_loaded_unless_it_is_asked_for() -> None:
    code = "import sys, bpe_tui.cluster.counting; print({'dask', 'distributed', 'fsspec'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout == "set()\n"


# -- with one ----------------------------------------------------------------------------------------------------------


def test_counts_stay_exact_when_a_worker_is_killed_in_mid_run(cluster: str, tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_text(varied_text(110_000), encoding="utf-8")
    options = make_options("huggingface")
    source = Source(path.name, path)
    with client_of(cluster) as client:
        before: dict[str, int] = client.run(os.getpid)
    assert len(before) == 2
    killed_at: list[Progress] = []

    def kill_one(progress: Progress) -> None:
        if progress.done and not killed_at:
            killed_at.append(progress)
            os.kill(next(iter(before.values())), signal.SIGKILL)

    counted = count_on_cluster([source], options, cluster, progress=kill_one, range_size=1 << 18)
    assert killed_at[0].done < killed_at[0].total  # in mid-run
    with client_of(cluster) as client:
        assert set(client.run(os.getpid).values()) != set(before.values())
    assert counted == count_words(find_corpus([str(path)]), options, processes=1)


def test_bounds_are_exact(cluster: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(varied_text(40_000), encoding="utf-8")
    options = make_options("course")
    counted = count_on_cluster([f"file://{path}"], options, cluster, top=100, min_count=200, range_size=1 << 18)
    whole = count_words(find_corpus([str(path)]), options)
    assert counted == bounded(whole, top=100, min_count=200)
    assert len(counted.words) == 100


def test_the_command_writes_the_same_table(cluster: str, tmp_path: Path) -> None:
    for name, lines in (("a.txt", 50), ("b.txt", 900)):
        (tmp_path / name).write_text(varied_text(lines), encoding="utf-8")
    done("count", tmp_path, "--dask", cluster, "-o", tmp_path / "cluster.tsv")
    (tmp_path / "cluster.tsv").rename(tmp_path.parent / "cluster.tsv")
    assert done("count", tmp_path).stdout == (tmp_path.parent / "cluster.tsv").read_bytes()
    assert done("count", f"file://{tmp_path}/*.txt", "--dask", cluster).stdout == done("count", tmp_path).stdout


def test_special_tokens_are_told_of(cluster: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("one <s> two <s>\n" * 3, encoding="utf-8")
    options = make_options("course", specials=("<s>",))
    counted = count_on_cluster([f"file://{path}"], options, cluster, min_count=4)
    assert [note.partition(" ")[0] for note in counted.notes] == ["6", "2"]
    assert counted == bounded(count_words(find_corpus([str(path)]), options), min_count=4)


def test_it_stops_when_it_is_told(cluster: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(varied_text(100_000), encoding="utf-8")
    with pytest.raises(Cancelled):
        count_on_cluster([Source("text", path)], make_options("course"), cluster, should_stop=lambda: True)


@pytest.mark.parametrize(
    ("inputs", "named"),
    [
        (["no-such.txt"], ["no-such.txt"]),
        (["file:///no/such/folder"], ["file:///no/such/folder"]),
        (["unheard://of"], ["unheard://of", "Protocol"]),
        (["hug"], ["hug", "table"]),
        (["s3://bucket/counts.tsv"], ["counts.tsv", "table"]),
        (["-"], ["stdin", "workers"]),
    ],
)
def test_what_cannot_be_read_is_named(cluster: str, inputs: list[str], named: list[str]) -> None:
    error = run("count", *inputs, "--dask", cluster).error
    for part in named:
        assert part in error


def test_a_malformed_text_is_refused_from_the_worker(cluster: str, tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"caf\xe9 ole")
    assert "latin.txt, line 1, is not UTF-8: byte 3" in run("count", path, "--dask", cluster).error


def test_an_address_without_a_scheduler_is_one_line() -> None:
    assert "scheduler" in run("count", "story", "--dask", "nowhere").error


def test_what_counting_on_a_cluster_needs_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_tui.cluster.local._HOST", "raise SystemExit(1)")
    with pytest.raises(OptionError, match="does not start"):
        count_on_cluster([], make_options("course"), "local")


def test_the_table_is_bounded_before_it_comes_here() -> None:
    total, notes = tasks.finish(PartialCounts({"a": 3, "b": 1, "c": 2}, documents=4).to_bytes(), 2, 1)
    assert PartialCounts.from_bytes(total) == PartialCounts({"a": 3, "c": 2}, documents=4)
    assert notes == ("1 word with 1 occurrence left out",)


# -- the cluster on this machine ---------------------------------------------------------------------------------------


def test_no_page_is_served_without_having_been_asked_for(cluster: str) -> None:
    with client_of(cluster) as client:
        info = client.scheduler_info()
        ports = [
            info["services"]["dashboard"],
            *(worker["services"]["dashboard"] for worker in info["workers"].values()),
        ]
    assert 8787 not in ports
    for port in ports:
        for page in ("status", "info/main/workers.html", "metrics", "health", "json/counts.json"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"http://127.0.0.1:{port}/{page}", timeout=30)


def test_a_count_that_is_ended_leaves_no_folder(tmp_path: Path) -> None:
    corpus, folders = tmp_path / "x.txt", tmp_path / "temporary"
    corpus.write_text("low lower lowest\n" * 10, encoding="utf-8")
    folders.mkdir()
    counting = subprocess.Popen(
        [sys.executable, "-m", "bpe_tui", "count", str(corpus), "--dask", "local"],
        env={**os.environ, "TMPDIR": str(folders)},
        stdout=subprocess.DEVNULL,
    )
    end = time.monotonic() + 60
    while not list(folders.iterdir()):
        assert time.monotonic() < end
        time.sleep(0.01)
    counting.terminate()
    assert counting.wait(60) == -signal.SIGTERM
    while list(folders.iterdir()):
        assert time.monotonic() < end
        time.sleep(0.05)
