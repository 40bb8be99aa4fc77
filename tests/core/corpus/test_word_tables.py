"""Word-count tables as people and programs write them."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import Corpus, Source, find_corpus
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.errors import Cancelled, CorpusError
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer


def read(folder: Path, data: str | bytes, name: str = "t.tsv") -> WordCounts:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    with chdir(folder):
        return count_words(find_corpus([name]), make_options("toy"))


def entries(words: WordCounts) -> list[tuple[str, int]]:
    return list(zip(words.words, words.counts, strict=True))


# -- lines ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("hug\t10\npug\t5\n", [("hug", 10), ("pug", 5)]),
        ("hug 10\npug 5", [("hug", 10), ("pug", 5)]),
        ("hug\t10\r\npug 5\r\n", [("hug", 10), ("pug", 5)]),
        ("\ufeffhug 10\n", [("hug", 10)]),
        ("New York\t3\n", [("New York", 3)]),
        (" hug\t1\n", [(" hug", 1)]),
        ("hug\t 10 \n", [("hug", 10)]),
        ("b 1\na 1\nb 2\n", [("b", 3), ("a", 1)]),
        ("12 7\n", [("12", 7)]),
        ("a\u00a0b\u2028c\x85 2\n", [("a\u00a0b\u2028c\x85", 2)]),  # none of these ends a line or a word
        ("hug 007\n", [("hug", 7)]),
        ("", []),
    ],
)
def test_a_word_and_its_count_on_a_line(tmp_path: Path, data: str, words: list[tuple[str, int]]) -> None:
    counted = read(tmp_path, data)
    assert entries(counted) == words
    assert counted.notes == ()
    assert counted.documents == 0


@pytest.mark.parametrize(
    ("data", "notes"),
    [
        ("hug 1\n\npug 2\n", ("t.tsv: 1 blank line skipped",)),
        ("\n \t\r\nhug 1\n\n", ("t.tsv: 3 blank lines skipped",)),
        ("\n", ("t.tsv: 1 blank line skipped",)),
        ("hug 0\n", ("t.tsv: 1 word with a count of 0 left out",)),
        ("hug 0\nx 1\npug 0\n\n", ("t.tsv: 1 blank line skipped", "t.tsv: 2 words with a count of 0 left out")),
    ],
)
def test_what_is_skipped_is_noted(tmp_path: Path, data: str, notes: tuple[str, ...]) -> None:
    counted = read(tmp_path, data)
    assert counted.notes == notes
    assert not {"hug", "pug"}.intersection(word for word, count in entries(counted) if count == 0)


def test_a_word_that_ends_in_a_space_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_bytes(b"a 1\nab  2\nb c  3\nd \t4\n")  # after a TAB, the space is meant
    counted = count_words(find_corpus([str(path)]), make_options("toy"))
    assert counted.words == ["a", "ab ", "b c ", "d "]
    (note,) = counted.notes
    assert "2 words end in a space (first on line 2): there are two spaces before their counts" in note


def test_special_tokens_in_a_table_are_text_and_that_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_bytes(b"a<s>b\t2\nab\t1\n")
    corpus = find_corpus([str(path)])
    how = {"specials": ("<s>",), "specials_in_corpus": "cut"}
    counted = count_words(corpus, make_options("toy", **how))
    assert counted.words == ["a<s>b", "ab"]
    assert counted.notes == (
        "1 word of the table holds a special token, which is plain text there: a table is cut already",
    )
    assert count_words(corpus, make_options("toy", **{**how, "specials_in_corpus": "text"})).notes == ()
    assert count_words(corpus, make_options("toy", **{**how, "specials": ("<x>",)})).notes == ()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("pug -5", "the count '-5' is not a whole number of 0 or more"),
        ("pug\t2.5", "the count '2.5' is not a whole number of 0 or more"),
        ("pug 1e3", "the count '1e3' is not a whole number of 0 or more"),
        ("pug 1,000", "the count '1,000' is not a whole number of 0 or more"),
        ("pug\tten", "the count 'ten' is not a whole number of 0 or more"),
        ("pug ٣", "the count '٣' is not a whole number of 0 or more"),
        ("New York", "the count 'York' is not a whole number of 0 or more"),
        ("pug", "no count behind the word; write the word, a TAB and the count"),
        ("pug\t", "no count behind the word; write the word, a TAB and the count"),
        ("5", "no count behind the word; write the word, a TAB and the count"),
        ("\t5", "no word before the count 5"),
        (" 5", "no word before the count 5"),
        ("pug " + "9" * 200, f"the count '{'9' * 40}' is not a whole number of 0 or more"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_that_is_wrong_is_named(tmp_path: Path, line: str, complaint: str, end: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, f"hug 10{end}{end}{line}{end}bun 4{end}")
    assert str(caught.value) == f"t.tsv, line 3: {complaint}"


def test_what_is_not_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"^t.tsv, line 2: not UTF-8 \(byte 10 of the file\)$"):
        read(tmp_path, b"hug 10\npug\xe9 5\n")
    with pytest.raises(CorpusError, match=r"^t.tsv is not UTF-8 \(it looks like UTF-16\); give --encoding utf-16, or"):
        read(tmp_path, "hug\t10\n".encode("utf-16"))


# -- JSON -----------------------------------------------------------------------------------------------------------


def test_a_json_object(tmp_path: Path) -> None:
    data = '\ufeff{"hug": 10, "New\\tYork\\n": 1, "\\ud83d\\ude00é": 2, "hug": 5, "none": 0}'
    counted = read(tmp_path, data, "t.json")
    assert entries(counted) == [("hug", 15), ("New\tYork\n", 1), ("😀é", 2)]
    assert counted.notes == ("t.json: 1 word with a count of 0 left out",)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ('{\n "hug": 1,\n "pug": -5}', "t.json, line 3, 'pug': the count '-5' is not a whole number of 0 or more"),
        ('{\n "é": 2.5}', "t.json, line 2, 'é': the count '2.5' is not a whole number of 0 or more"),
        ('{\n\n "\\u00e9": 1e3}', "t.json, line 3, 'é': the count '1000.0' is not a whole number of 0 or more"),
        ('{"hug": true}', "t.json, line 1, 'hug': the count 'true' is not a whole number of 0 or more"),
        ('{"hug": "5"}', "t.json, line 1, 'hug': the count '\"5\"' is not a whole number of 0 or more"),
        ('{"hug": null}', "t.json, line 1, 'hug': the count 'null' is not a whole number of 0 or more"),
        ('{"hug": {"a": 1}}', "t.json, line 1, 'hug': the count '[[\"a\", 1]]' is not a whole number of 0 or more"),
        ('{"": 1}', "t.json: the empty text is not a word"),
        ("[]", "t.json: a word-count table in JSON is one object of words and counts"),
        ('[["hug", 1]]', "t.json: a word-count table in JSON is one object of words and counts"),
        ('[{"hug": 1}]', "t.json: a word-count table in JSON is one object of words and counts"),
        ("7", "t.json: a word-count table in JSON is one object of words and counts"),
        ('{"hug": 1,\n"pug" 2}', "t.json, line 2: not JSON, so no word-count table"),
        ("", "t.json, line 1: not JSON, so no word-count table"),
        ('{"hug": ' + "9" * 5000 + "}", "t.json: not JSON, so no word-count table"),
        ("[" * 100_000, "t.json: not JSON, so no word-count table"),
    ],
)
def test_a_json_file_that_is_no_table(tmp_path: Path, data: str, complaint: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, data, "t.json")
    assert str(caught.value) == complaint


def test_an_empty_object_is_a_table_without_words(tmp_path: Path) -> None:
    assert entries(read(tmp_path, "{}", "t.json")) == []


# -- several tables, large counts, any words ------------------------------------------------------------------------


def test_tables_are_added_up(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("hug 1\npug 2\n")
    (tmp_path / "b.json").write_text('{"bun": 3, "hug": 4}')
    corpus = find_corpus([str(tmp_path / "a.tsv"), str(tmp_path / "b.json")])
    assert entries(count_words(corpus, make_options("toy"))) == [("hug", 5), ("pug", 2), ("bun", 3)]


def test_any_file_is_a_table_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "counts.txt"
    path.write_text("hug 1\n")
    assert entries(count_words(find_corpus([str(path)], word_counts=True), make_options("toy"))) == [("hug", 1)]


@pytest.mark.parametrize("count", [2**31 - 1, 2**31, 2**32 + 1, 2**53 + 1, 2**59 + 1])
def test_counts_far_beyond_32_bits_are_exact(tmp_path: Path, count: int) -> None:
    words = read(tmp_path, f"ab {count}\naab 1\n")
    assert words.counts == [count, 1]
    trainer = Trainer(words, make_options("toy"))
    trainer.run()
    assert [(step.merge.left, step.merge.right, step.counted) for step in trainer.steps] == [
        ("a", "b", count + 1),
        ("a", "ab", 1),
    ]


def test_a_table_that_cannot_be_opened(tmp_path: Path) -> None:
    source = Source("gone.tsv", tmp_path / "gone.tsv")
    with pytest.raises(CorpusError, match=r"^gone.tsv cannot be read: No such file or directory$"):
        count_words(Corpus("gone.tsv", "toy", (source,), is_word_counts=True), make_options("toy"))


words_in_lines = st.text(min_size=1).filter(lambda word: not set("\t\n").intersection(word))
tables = st.dictionaries(words_in_lines, st.integers(1, 2**70), max_size=6)


@given(tables, st.sampled_from(["\n", "\r\n"]))
def test_words_come_as_they_are(tmp_path_factory: pytest.TempPathFactory, table: dict[str, int], end: str) -> None:
    lines = "".join(f"{word}\t{count}{end}" for word, count in table.items())
    assert entries(read(tmp_path_factory.getbasetemp(), "\ufeff" + lines)) == list(table.items())


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 2**70), max_size=6), st.booleans())
def test_json_words_come_as_they_are(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, int], ascii_only: bool
) -> None:
    data = json.dumps(table, ensure_ascii=ascii_only)
    assert entries(read(tmp_path_factory.getbasetemp(), data, "t.json")) == list(table.items())


@pytest.mark.parametrize("name", ["t.tsv", "t.json"])
def test_a_long_table_can_be_cancelled(name: str, tmp_path: Path) -> None:
    rows = [f"w{number}" for number in range(5000)]
    text = json.dumps(dict.fromkeys(rows, 1)) if name == "t.json" else "".join(f"{row} 1\n" for row in rows)
    (tmp_path / name).write_text(text, encoding="utf-8")
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        count_words(find_corpus([str(tmp_path / name)]), make_options("toy"), should_stop=lambda: next(asked))
