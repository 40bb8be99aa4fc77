"""The bundled corpora are there, described, and hold the bytes that lessons and docs rely on."""

import unicodedata
from pathlib import Path

import pytest

from bpe_tui.core.corpus.sources import CATALOGUE, BundledCorpus, bundled_corpora, corpora_folder, find_bundled
from bpe_tui.core.options import PRESETS, make_options

NAMES = ["hug", "paper", "course-en", "course-fr", "course-ru", "banana", "unicode", "code", "story"]
EVERY_CORPUS = pytest.mark.parametrize("corpus", bundled_corpora(), ids=lambda corpus: corpus.name)


def lines_of(name: str) -> list[str]:
    corpus = find_bundled(name)
    assert corpus is not None
    return corpus.path.read_text(encoding="utf-8").splitlines()


def test_the_corpora_are_listed_in_a_fixed_order() -> None:
    assert [corpus.name for corpus in bundled_corpora()] == NAMES


def test_a_corpus_is_found_by_its_exact_name_only() -> None:
    hug = find_bundled("hug")
    assert hug is not None
    assert (hug.name, hug.path.name, hug.preset, hug.options) == ("hug", "hug.tsv", "toy", {})
    assert find_bundled("Hug") is None
    assert find_bundled("hug.tsv") is None
    assert find_bundled("") is None


@EVERY_CORPUS
def test_a_corpus_brings_a_preset_and_options_that_exist(corpus: BundledCorpus) -> None:
    assert corpus.preset in PRESETS
    options = make_options(corpus.preset, **corpus.options)
    assert (options.vocab_size is None) != (options.merges is None)


@EVERY_CORPUS
def test_a_corpus_says_what_it_is_and_whose(corpus: BundledCorpus) -> None:
    assert corpus.description.endswith(".")
    assert len(corpus.description) <= 55  # so that a list at 80 columns shows all of it
    assert "\n" not in corpus.description
    assert corpus.source
    assert corpus.licence


@EVERY_CORPUS
def test_a_file_is_plain_utf8_with_a_last_newline(corpus: BundledCorpus) -> None:
    data = corpus.path.read_bytes()
    text = data.decode("utf-8")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text
    assert not text.startswith("\ufeff")


@EVERY_CORPUS
def test_a_word_count_table_holds_a_word_a_tab_and_a_count(corpus: BundledCorpus) -> None:
    if corpus.path.suffix != ".tsv":
        return
    for line in corpus.path.read_text(encoding="utf-8").splitlines():
        word, count = line.split("\t")
        assert word
        assert int(count) > 0


def test_every_file_in_the_folder_has_its_table_and_its_row() -> None:
    folder = corpora_folder()
    files = {path.name for path in folder.iterdir()} - {CATALOGUE, "README.md"}
    assert files == {corpus.path.name for corpus in bundled_corpora()}
    readme = (folder / "README.md").read_text(encoding="utf-8")
    for corpus in bundled_corpora():
        assert f"| `{corpus.name}` |" in readme


def test_the_checkout_has_the_corpora_at_its_top() -> None:
    assert corpora_folder() == Path(__file__).parents[3] / "corpora"


def test_hug_and_paper_are_the_counts_everyone_knows() -> None:
    assert lines_of("hug") == ["hug\t10", "pug\t5", "pun\t12", "bun\t4", "hugs\t5"]
    assert lines_of("paper") == ["low\t5", "lower\t2", "newest\t6", "widest\t3"]


def test_the_course_sentences_are_verbatim() -> None:
    assert lines_of("course-en") == [
        "This is the Hugging Face Course.",
        "This chapter is about tokenization.",
        "This section shows several tokenizer algorithms.",
        "Hopefully, you will be able to understand how they are trained and generate tokens.",
    ]
    assert lines_of("course-fr") == [
        "C'est le cours d'Hugging Face.",
        "Ce chapitre traite de la tokenisation.",
        "Cette section présente plusieurs algorithmes de tokenizer.",
        "Avec un peu de chance, vous serez en mesure de comprendre comment ils sont entraînés et génèrent des tokens.",
    ]


def test_unicode_says_the_same_sentence_composed_and_decomposed() -> None:
    composed, decomposed, *_ = lines_of("unicode")
    assert composed != decomposed
    assert unicodedata.normalize("NFD", composed) == decomposed
    assert unicodedata.normalize("NFC", decomposed) == composed


def test_unicode_holds_what_its_description_promises() -> None:
    text = "\n".join(lines_of("unicode"))
    names = {unicodedata.name(char, "").split()[0] for char in text if char != "\n"}
    assert {"CJK", "HANGUL", "HIRAGANA", "DEVANAGARI", "THAI", "ARABIC", "HEBREW", "CYRILLIC", "GREEK"} <= names
    assert {"ZERO", "VARIATION", "EMOJI", "REGIONAL"} <= names  # joiners, emoji style, skin tones, flags


def test_the_story_is_about_ten_kilobytes() -> None:
    corpus = find_bundled("story")
    assert corpus is not None
    assert 9_000 <= corpus.path.stat().st_size <= 12_000


def test_the_code_is_a_program_that_runs(capsys: pytest.CaptureFixture[str]) -> None:
    corpus = find_bundled("code")
    assert corpus is not None
    # Its dataclasses look for the module that they stand in; builtins is one that is surely there.
    program: dict[str, object] = {"__name__": "builtins"}
    exec(corpus.path.read_text(encoding="utf-8") + "\nmain()\n", program)
    assert capsys.readouterr().out == (
        "no plum left\nAda pays 10\nAda gets 10 back\napple: 8 left at 3\npear: 1 left at 4\nplum: sold out\n"
    )
