"""What `show` and its like tell, row by row."""

import pytest

from bpe_tui.lessons.results import Sentence, TextTable
from bpe_tui.lessons.walk import Walk
from tests.lessons.making import commands, lesson


def table(*lines: str) -> TextTable:
    """What the last of these commands shows."""
    walk = Walk(lesson(commands(*lines)))
    assert walk.visit.failures == ()
    shown = walk.results[-1].outputs[-1]
    assert isinstance(shown, TextTable)
    return shown


ROWS = [
    (("goto 1", "show words 2"), [("10", "h ug"), ("5", "p ug")], 3),
    (("goto 1", "show pairs 3"), [("1", "u + n", "un", "16", ""), ("2", "h + ug", "hug", "15", "new")], None),
    (("goto 2", "show vocabulary 2"), [("7", "ug", "20", "u + g, merge 1"), ("8", "un", "16", "u + n, merge 2")], 7),
    (("choose p u", "show merges"), [("1", "p + u", "pu", "17", "17", "-", "own choice")], 0),
    (("goto 3", "show merges 1"), [("3", "h + ug", "hug", "15", "15", "-", "")], 2),
    (("goto 2", "show curve 0 2"), [("0", "7", "113", "3.14", "1.00"), ("2", "9", "77", "2.14", "1.47")], 0),
    (("goto 4", "show ties"), [("first-seen", "p + ug", "it comes first in the corpus")], None),
    (
        ("open banana merges=6", "show partings"),
        [("lowest-id", "4", "an + an", "an + a"), ("greatest-pair", "1", "a + n", "n + a")],
        None,
    ),
    (("goto 3", "show tokens thug"), [("[UNK]", "none", "t"), ("hug", "9", "hug")], 0),
    (('show bytes "é "',), [("é", "U+00E9", "C3 A9", "Ã ©"), ("␣", "U+0020", "20", "Ġ")], 0),
    (
        ("goto 3", "show policies hXug"),
        [
            ("token", "3", "h[UNK]ug", "h [UNK] ug"),
            ("fuse", "3", "h[UNK]ug", "h [UNK] ug"),
            ("drop", "1", "hug", "hug"),
        ],
        None,
    ),
    (
        ("goto 4", "show longest-match hugun"),
        [("by merges", "2", "hug un"), ("by longest match", "2", "hug un")],
        0,
    ),
    (
        ('show pre-tokens "I\'m a b" by gpt2 none',),
        [("gpt2", "4", "I 'm ␣a ␣b"), ("none", "1", "I'm␣a␣b")],
        0,
    ),
    (
        ("goto 3", "trace unhug dropout=1 seed=2"),
        [("-", "-", "u n h u g"), ("1", "u + g (dropped)", "u n h u g"), ("2", "u + n (dropped)", "u n h u g")],
        None,
    ),
    (("goto 3", "trace unhug"), [("-", "-", "u n h u g"), ("1", "u + g", "u n h ug"), ("2", "u + n", "un h ug")], None),
]


@pytest.mark.parametrize(("lines", "rows", "left_out"), ROWS, ids=[row[0][-1] for row in ROWS])
def test_tables(lines: tuple[str, ...], rows: list[tuple[str, ...]], left_out: int | None) -> None:
    shown = table(*lines)
    assert list(shown.rows[: len(rows)]) == rows
    assert all(len(row) == len(shown.heads) for row in shown.rows)
    if left_out is not None:
        assert (len(shown.rows), shown.left_out) == (len(rows), left_out)


def test_longest_match_may_differ_from_the_merges() -> None:
    lines = ("open own", "goto 2", "show longest-match abc")
    own = "\n```words own\nbc 9\nab 5\n```\n"
    walk = Walk(lesson(commands(*lines) + own))
    shown = walk.results[-1].outputs[0]
    assert isinstance(shown, TextTable)
    assert shown.rows == (("by merges", "2", "a bc"), ("by longest match", "2", "ab c"))


def test_sentences() -> None:
    walk = Walk(lesson(commands("open banana", "count", "step", "ties lowest-id", "goto 0", "why xa", "select a n")))
    told = [result.outputs[0].text for result in walk.results if isinstance(result.outputs[0], Sentence)]
    assert told == [
        "banana: 42 words, 12 of them distinct, an alphabet of 7 symbols; pre-tokenizer spaces, ties first-seen.",
        "Of 14 pairs the 2 most frequent ones occur 30 times each: a tie.",
        "Merged a + n → an: 30 replacements in 3 words.",
        "From here on, lowest-id decides ties.",
        "Back at the start, before any merge.",
        "x is not in the alphabet. An unknown symbol is never merged, so this word cannot become one token.",
        "a + n: banana×6×2 + bananas×4×2 + ananas×5×2 = 30",
    ]
