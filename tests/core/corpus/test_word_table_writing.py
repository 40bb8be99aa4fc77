"""Word-count tables as they are written: what comes back is what went in, and bounds cut exactly."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import Source, find_corpus, options_for, text_corpus
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.corpus.word_tables import as_json, as_tsv, bounded, read_tables
from bpe_tui.core.errors import CorpusError, OptionError
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer
from tests.core.corpora import learned_fast, tables

any_words = st.text(min_size=1, max_size=6) | st.sampled_from(
    ["\ufeff", "\ufeffa", " ", "\r", "a\r", "#", '"', "\\", "1"]
)
any_tables = st.lists(st.tuples(any_words, st.integers(1, 2**70)), max_size=8, unique_by=lambda entry: entry[0]).map(
    lambda entries: WordCounts([word for word, _ in entries], [count for _, count in entries])
)


def read_back(folder: Path, name: str, data: bytes) -> WordCounts:
    path = folder / name
    path.write_bytes(data)
    return read_tables([Source(name, path)])


@given(any_tables)
def test_json_holds_every_word_there_is(tmp_path_factory: pytest.TempPathFactory, table: WordCounts) -> None:
    assert read_back(tmp_path_factory.getbasetemp(), "table.json", as_json(table)) == table


@given(any_tables)
def test_tsv_holds_every_word_but_those_it_refuses(tmp_path_factory: pytest.TempPathFactory, table: WordCounts) -> None:
    if any(sign in word for word in table.words for sign in "\t\n"):
        with pytest.raises(CorpusError, match=r"\.json"):
            as_tsv(table)
    else:
        assert read_back(tmp_path_factory.getbasetemp(), "table.tsv", as_tsv(table)) == table


def test_a_lone_surrogate_is_refused_in_writing_and_reading(tmp_path: Path) -> None:
    table = WordCounts(["é", "a\ud800"], [1, 2])
    with pytest.raises(CorpusError, match=r"'a\\ud800'.*\.json"):
        as_tsv(table)
    with pytest.raises(CorpusError, match="lone surrogate"):
        read_back(tmp_path, "table.json", as_json(table))


def test_the_word_that_cannot_be_written_is_named() -> None:
    with pytest.raises(CorpusError, match=r"the word 'b\\tc' holds a TAB"):
        as_tsv(WordCounts(["a", "b\tc", "\n"], [1, 1, 1]))
    with pytest.raises(CorpusError, match=r"the word '\\n' holds a newline"):
        as_tsv(WordCounts(["\n"], [1]))


def test_the_files_look_like_this() -> None:
    table = WordCounts(["hug", " a"], [10, 2**40])
    assert as_tsv(table) == b"hug\t10\n a\t1099511627776\n"
    assert as_json(table) == b'{\n  "hug": 10,\n  " a": 1099511627776\n}\n'
    assert json.loads(as_json(WordCounts([], []))) == {}


def test_of_equally_frequent_words_the_first_stay() -> None:
    table = WordCounts(["a", "b", "c", "d", "e"], [1, 5, 1, 7, 1])
    assert bounded(table, top=3) == WordCounts(
        ["a", "b", "d"], [1, 5, 7], notes=("2 words with 2 occurrences left out",)
    )
    assert bounded(table, min_count=5).words == ["b", "d"]
    assert bounded(table, top=1, min_count=2).words == ["d"]
    assert bounded(table, top=5) is table
    assert bounded(table, min_count=8).words == []


@given(tables, st.integers(1, 9), st.integers(1, 5))
def test_bounds_keep_the_most_frequent_words_in_their_order(table: WordCounts, top: int, min_count: int) -> None:
    kept = bounded(table, top=top, min_count=min_count)
    ranked = sorted(zip(table.counts, table.words, strict=True), key=lambda entry: -entry[0])
    wanted = [word for count, word in ranked if count >= min_count][:top]
    assert kept.words == [word for word in table.words if word in wanted]
    assert (
        dict(zip(kept.words, kept.counts, strict=True)).items()
        <= dict(zip(table.words, table.counts, strict=True)).items()
    )


def test_bounds_below_one_are_refused() -> None:
    with pytest.raises(OptionError, match="--top 0"):
        bounded(WordCounts([], []), top=0)
    with pytest.raises(OptionError, match="--min-count -1"):
        bounded(WordCounts([], []), min_count=-1)


@pytest.mark.parametrize("preset", ["course", "huggingface", "minbpe", "subword-nmt"])
def test_training_on_the_table_is_training_on_the_text(preset: str, tmp_path: Path) -> None:
    text = "Low lower lowest, newer wider.\n\tTabs\r\nand  spaces\n\n" * 3 + "the end – été"
    options = make_options(preset, merges=40)
    words = count_words(text_corpus(text), options)
    path = tmp_path / "counts.json"
    path.write_bytes(as_json(words))
    corpus = find_corpus([str(path)])
    from_table, from_text = Trainer(count_words(corpus, options), options), Trainer(words, options)
    from_table.run()
    from_text.run()
    assert len(from_text.steps) > 20
    assert learned_fast(from_table) == learned_fast(from_text)
    assert options_for(corpus).preset == "toy"
