"""Figures in running text, in three languages."""

import pytest

from bpe_tui.lessons.figures import figures_in, number_of
from bpe_tui.lessons.prose import parse_spans

FOUND = [
    ("en", "In 2016, 10,251 of 38.6 million; 1,2 and 3.", ["2016", "10251", "38.6", "1", "2", "3"]),
    ("en", "GPT-2, UTF-8, U+0100, C3, the 10th, `36`, [a 36](b.md), {words}.", []),
    ("en", "thirty-six, two hundred and twelve, four, Twenty-one, nineteenth", ["36", "212", "21"]),
    ("fr", "10\u00a0251 sur 38,6 ; 1,5", ["10251", "38.6", "1.5"]),
    ("fr", "quatre-vingt-dix-sept, vingt et un, deux cents, dix-neuf, trois", ["97", "21", "200", "19"]),
    ("ru", "10\u202f251 из 38,6", ["10251", "38.6"]),
    ("ru", "десятки тысяч, тысяча, пять тысяч", ["1000", "5000"]),
    ("ru", "тридцать шесть, девятнадцати, двадцать одно, две тысячи пятьсот, двумя", ["36", "19", "21", "2500"]),
    ("de", "10 und zehn", ["10"]),
]


@pytest.mark.parametrize(("language", "text", "values"), FOUND)
def test_figures_are_found(language: str, text: str, values: list[str]) -> None:
    assert [figure.value for figure in figures_in(parse_spans(text), language)] == values


def test_figures_know_their_lines() -> None:
    figures = figures_in(parse_spans("One `2\n3` *4\n5*,\nand six.", 7), "en")
    assert [(figure.value, figure.text, figure.line) for figure in figures] == [
        ("4", "4", 8),
        ("5", "5", 9),
        ("6", "six", 10),
    ]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("12 + 4 = 16", True),
        ("12 + 4 = 17", False),
        ("50 − 31 = 19", True),
        ("1 + 2 × 3 = 7", True),
        ("1,000 × 3 = 3,000", True),
        ("that is 16", None),
    ],
)
def test_sums_hold_or_not(text: str, holds: bool | None) -> None:
    assert [figure.holds for figure in figures_in(parse_spans(text), "en")][-1] is holds


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("19", "en", "19"),
        ("1,000", "en", "1000"),
        ("nineteen", "en", "19"),
        ("two", "en", "2"),
        ("dix-huit", "fr", "18"),
        ("a G with a dot", "en", None),
        ("nineteen merges", "en", None),
    ],
)
def test_an_answer_may_be_a_number(text: str, language: str, value: str | None) -> None:
    assert number_of(text, language) == value
