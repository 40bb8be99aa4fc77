"""Figures in running text, in digits and in words: what a check compares with the values that a lesson states."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bpe_tui.lessons.prose import Spans, Style

LEAST_IN_WORDS: Final = 5
"""Smaller numbers in words are left alone: two neighbours, one of three."""
_HIDDEN: Final = "\x00"
"""In the place of code, links and computed values, which hold no figures."""
_THOUSANDS: Final = {"en": ","}
_DECIMAL: Final = {"en": "."}
"""Elsewhere a space and a comma."""
_SPACES: Final = "\u00a0\u202f "


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text."""

    value: str
    """In digits, with a point where there are decimals: `10251`, `38.6`."""
    text: str
    """As it is written."""
    line: int
    """Of the file."""
    holds: bool | None = None
    """Is it the right result of a sum in the text? None if it is no result."""


def figures_in(spans: Spans, language: str) -> Iterator[Figure]:
    """The figures of running text, in order; those of names such as GPT-2 are none."""
    text, lines = "", []
    for span in spans:
        shown = span.text if span.style not in (Style.CODE, Style.LINK) and not span.is_computed else _HIDDEN
        lines += [span.line + shown.count("\n", 0, at) for at in range(len(shown))]
        text += shown
    code = language.partition("-")[0]
    sums = {match.end("result"): _holds(match, code) for match in _sum_pattern(code).finditer(text)}
    found = [
        (match.start(), _value(match[0], code), match[0], sums.get(match.end()))
        for match in _figure_pattern(code).finditer(text)
    ]
    found += [(at, value, words, None) for at, value, words in _in_words(text, code)]
    for at, value, written, holds in sorted(found, key=lambda each: each[0]):
        yield Figure(value, written, lines[at], holds)


def plain_figure(text: str) -> str:
    """A text with the thousands of its figures joined: `10,251` as `10251`."""
    return re.sub(f"(?<=\\d)[,{_SPACES}](?=\\d{{3}}(?!\\d))", "", text)


def _figure_pattern(language: str) -> re.Pattern[str]:
    thousands, decimal = re.escape(_THOUSANDS.get(language, _SPACES)), re.escape(_DECIMAL.get(language, ","))
    return re.compile(
        rf"(?<![\w{decimal}])(?<![A-Za-z][-+])(?:\d{{1,3}}(?:[{thousands}]\d{{3}})+(?!\d)|\d+)(?:[{decimal}]\d+)?(?!\w)"
    )


def _value(text: str, language: str) -> str:
    decimal = _DECIMAL.get(language, ",")
    digits = re.sub(f"[{_THOUSANDS.get(language, _SPACES)}]", "", text)
    return digits.replace(decimal, ".")


def _sum_pattern(language: str) -> re.Pattern[str]:
    number = _figure_pattern(language).pattern
    return re.compile(rf"(?P<sum>{number}(?:\s[-+−×·*]\s{number})+)\s=\s(?P<result>{number})")


def _holds(match: re.Match[str], language: str) -> bool:
    """Is `12 + 4 = 16` right?"""
    parts = re.split(r"\s([-+−×·*])\s", match["sum"])
    terms, sign = [Fraction(_value(parts[0], language))], 1
    for operator, text in zip(parts[1::2], parts[2::2], strict=True):
        value = Fraction(_value(text, language))
        if operator in "×·*":
            terms[-1] *= value
        else:
            sign = 1 if operator == "+" else -1
            terms.append(sign * value)
    return sum(terms) == Fraction(_value(match["result"], language))


# -- numbers in words ----------------------------------------------------------------------------------------------


def _numbers(text: str) -> dict[str, int]:
    """`2 two, 100 cent cents`: the number of each word."""
    rows = (row.split() for row in text.split(","))
    return {word: int(row[0]) for row in rows for word in row[1:]}


_ENGLISH: Final = _numbers(
    "2 two, 3 three, 4 four, 5 five, 6 six, 7 seven, 8 eight, 9 nine, 10 ten, 11 eleven, 12 twelve, 13 thirteen,"
    "14 fourteen, 15 fifteen, 16 sixteen, 17 seventeen, 18 eighteen, 19 nineteen, 20 twenty, 30 thirty, 40 forty,"
    "50 fifty, 60 sixty, 70 seventy, 80 eighty, 90 ninety, 100 hundred, 1000 thousand"
)
_FRENCH: Final = _numbers(
    "2 deux, 3 trois, 4 quatre, 5 cinq, 6 six, 7 sept, 8 huit, 9 neuf, 10 dix, 11 onze, 12 douze, 13 treize,"
    "14 quatorze, 15 quinze, 16 seize, 20 vingt vingts, 30 trente, 40 quarante, 50 cinquante, 60 soixante,"
    "100 cent cents, 1000 mille"
)
_RUSSIAN: Final = _numbers(
    "2 два две двух двум двумя двое двоих, 3 три трёх трех трём трем тремя трое троих,"
    "4 четыре четырёх четырех четырём четырем четырьмя, 5 пять пяти пятью, 6 шесть шести шестью, 7 семь семи семью,"
    "8 восемь восьми восемью восьмью, 9 девять девяти девятью, 10 десять десяти десятью,"
    "11 одиннадцать одиннадцати одиннадцатью, 12 двенадцать двенадцати двенадцатью,"
    "13 тринадцать тринадцати тринадцатью, 14 четырнадцать четырнадцати четырнадцатью,"
    "15 пятнадцать пятнадцати пятнадцатью, 16 шестнадцать шестнадцати шестнадцатью,"
    "17 семнадцать семнадцати семнадцатью, 18 восемнадцать восемнадцати восемнадцатью,"
    "19 девятнадцать девятнадцати девятнадцатью, 20 двадцать двадцати двадцатью, 30 тридцать тридцати тридцатью,"
    "40 сорок сорока, 50 пятьдесят пятидесяти, 60 шестьдесят шестидесяти, 70 семьдесят семидесяти,"
    "80 восемьдесят восьмидесяти, 90 девяносто девяноста, 100 сто ста, 200 двести двухсот, 300 триста трёхсот,"
    "400 четыреста четырёхсот, 500 пятьсот пятисот, 600 шестьсот шестисот, 700 семьсот семисот,"
    "800 восемьсот восьмисот, 900 девятьсот девятисот, 1000 тысяча тысячи тысяч тысячу тысячей"
)
_WORDS: Final = {"en": _ENGLISH, "fr": _FRENCH, "ru": _RUSSIAN}
_ONES: Final = {"en": ("one",), "fr": ("un", "une"), "ru": ("один", "одна", "одно", "одного", "одной", "одну", "одним")}
"""Numbers after tens only: alone they are mostly none."""
_INDEFINITE: Final = frozenset(("тысяч", "тысячи", "тысячей"))
"""Alone these are no number, as in `десятки тысяч`: tens of thousands."""
_JOINTS: Final = {"en": r"[-\s]|\sand\s", "fr": r"[-\s]|[-\s]et[-\s]", "ru": r"\s"}


def number_of(text: str, language: str) -> str | None:
    """A text that is nothing but a whole number, in digits or in words, in digits only; None if it is more or less."""
    figure = plain_figure(text)
    if figure.isdecimal():
        return figure
    found = list(_in_words(text, language.partition("-")[0], least=0))
    return found[0][1] if len(found) == 1 and found[0][2] == text.strip() else None


def _in_words(text: str, language: str, least: int = LEAST_IN_WORDS) -> Iterable[tuple[int, str, str]]:
    """Numbers in words: where, the value in digits, the words."""
    words = _WORDS.get(language)
    if words is None:
        return
    ones = dict.fromkeys(_ONES[language], 1)
    first, other = (rf"(?:{'|'.join(sorted(those, key=len, reverse=True))})\b" for those in (words, {**words, **ones}))
    pattern = rf"(?<![\w-]){first}(?:(?:{_JOINTS[language]}){other})*(?![\w-])"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        if match[0].casefold() in _INDEFINITE:
            continue
        parts = re.findall(other, match[0], re.IGNORECASE)
        value = _sum_of_words([{**words, **ones}[part.casefold()] for part in parts])
        if value >= least:
            yield match.start(), str(value), match[0]


def _sum_of_words(values: list[int]) -> int:
    """Two, hundred, thirty: 230; and in French four, twenty, ten: 90."""
    total = current = 0
    for value in values:
        if value == 1000:
            total += max(current, 1) * value
            current = 0
        elif value == 100 or (value == 20 and current == 4):
            current = max(current, 1) * value
        else:
            current += value
    return total + current
