"""Two tokenizers on a text of any length: sums that do not depend on its pieces, kinds of words, first differences."""

from __future__ import annotations

import io
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.readable import AS_IN_FILES
from bpe_tui.core.teaching import fertility
from bpe_tui.core.teaching.fertility import TextComparison, WordClass, compare_texts, pieces_of
from bpe_tui.core.teaching.side_by_side import ComparedTokenizer
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session


def trained(preset: str) -> ComparedTokenizer:
    session = Session.load(*Request(("story",), preset).find())
    session.trainer.goto(200)
    return ComparedTokenizer(preset, session.encoder, AS_IN_FILES)


SIDES = (trained("huggingface"), trained("minbpe"))


def sums(comparison: TextComparison) -> list[object]:
    by_class = {name: (group.words, tuple(group.tokens)) for name, group in comparison.by_class.items()}
    by_script = {name: (group.words, tuple(group.tokens)) for name, group in comparison.by_script.items()}
    counts = [comparison.characters, comparison.bytes, comparison.words, comparison.tokens, comparison.differing]
    return [counts, by_class, by_script, comparison.differences]


# -- pieces ----------------------------------------------------------------------------------------------------------


@given(st.text("ab\n é😀", max_size=60), st.integers(1, 9), st.integers(9, 20))
def test_pieces_are_the_text_cut_at_the_ends_of_lines(text: str, piece: int, longest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fertility, "PIECE", piece)
        patch.setattr(fertility, "LONGEST_PIECE", longest)
        pieces = list(pieces_of(io.BytesIO(text.encode())))
    assert "".join(pieces) == text
    for before, after in itertools.pairwise(pieces):
        assert (before.endswith("\n") and not after[0].isspace()) or len(before.encode()) > longest - 4


def test_a_text_in_pieces_adds_up_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "DON'T shout:\n\n  it's the mouse\nand 2024 naïve cafés.\n" * 40
    whole = compare_texts(SIDES, [text])
    monkeypatch.setattr(fertility, "PIECE", 64)
    in_pieces = compare_texts(SIDES, pieces_of(io.BytesIO(text.encode())))
    assert sums(whole) == sums(in_pieces)
    assert whole.tokens == [len(side.encoder.encode(text)) for side in SIDES]


# -- words -----------------------------------------------------------------------------------------------------------


def test_tokens_count_for_the_word_of_their_first_character_that_is_no_blank() -> None:
    comparison = compare_texts(SIDES, ["the Mouse USA iPhone 2024, привет हिन्दी"])
    words = {name: group.words for name, group in comparison.by_class.items()}
    assert words == {
        WordClass.LOWER: 2,
        WordClass.CAPITALIZED: 1,
        WordClass.UPPER: 1,
        WordClass.MIXED: 1,
        WordClass.NUMBER: 1,
        WordClass.PUNCTUATION: 1,
        WordClass.UNCASED: 1,
        WordClass.BLANK: 6,
    }
    assert {name: group.words for name, group in comparison.by_script.items()} == {
        "Latin": 4,
        "Cyrillic": 1,
        "Devanagari": 1,
    }
    assert [sum(group.tokens[side] for group in comparison.by_class.values()) for side in (0, 1)] == comparison.tokens
    assert comparison.by_script["Cyrillic"].per_word(0) == len(SIDES[0].encoder.encode(" привет")) - 1


def test_first_differences_are_of_different_texts_and_placed_in_the_whole() -> None:
    comparison = compare_texts(SIDES, ["a.\n", "b.\n", "it's"])
    found = [(one.start, one.text, one.tokens, one.kind) for one in comparison.differences]
    assert found[0] == (1, ".\n", ((".", "Ċ"), (".Ċ",)), "pre-tokenizer")
    assert comparison.differing == 2
    assert len(found) == 1
    assert compare_texts(SIDES, ["the"]).equal
