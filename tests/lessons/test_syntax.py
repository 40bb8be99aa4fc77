"""Words of a line: operands, quotes, punctuation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.lessons.syntax import LessonSyntaxError, Word, quoted, split_words


def texts(line: str) -> list[str]:
    return [word.text for word in split_words(line, 1)]


def test_operands_and_punctuation() -> None:
    assert split_words("merge 1: u + g -> ug, 20 times", 1) == [
        Word("merge"),
        Word("1"),
        Word(":", mark=True),
        Word("u"),
        Word("+", mark=True),
        Word("g"),
        Word("→", mark=True),
        Word("ug"),
        Word(",", mark=True),
        Word("20"),
        Word("times"),
    ]


def test_quotes_make_a_text_of_anything() -> None:
    assert split_words(r'"a b" "+" "\"\\\n\u00e9":', 1) == [
        Word("a b", quoted=True),
        Word("+", quoted=True),
        Word('"\\\né', quoted=True),
        Word(":", mark=True),
    ]


def test_a_value_after_an_equals_sign_may_be_quoted() -> None:
    assert split_words('pattern="a b" ties=lowest-id x=', 1) == [
        Word("pattern=a b"),
        Word("ties=lowest-id"),
        Word("x="),
    ]


def test_odd_characters_need_no_quotes() -> None:
    odd = ["Ġto", "ken.", "[UNK]", "<|end|>", "don't", "a:b", "1,000", "é"]
    assert texts(" ".join(odd)) == odd


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('"open', "a quote is open"),
        ('say"hi"', "runs into a quote"),
        ('"a"b', "after a closing quote comes a space"),
        (r'"\w"', "an escape that JSON does not know"),
        (r'"\ud800"', "half a character"),
    ],
)
def test_bad_quotes(line: str, told: str) -> None:
    with pytest.raises(LessonSyntaxError, match=told) as caught:
        split_words(line, 7)
    assert caught.value.line == 7


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_written_is_read_back(text: str) -> None:
    words = split_words(quoted(text), 1)
    assert [(word.text, word.mark) for word in words] == [(text, False)]


@given(st.text())
def test_any_line_is_words_or_a_fault(line: str) -> None:
    at, words = 3, []
    try:
        words = split_words(line, 3)
    except LessonSyntaxError as fault:
        at = fault.line
    else:
        assert bool(words) == bool(line.split())
    assert at == 3
