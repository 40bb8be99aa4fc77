"""Where chips stand: nothing overlaps, nothing is lost, words stay whole where they can."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.encoding.encoder import Token
from bpe_tui.core.encoding.tokenized_text import TokenizedText, TokenizedWord
from bpe_tui.core.readable import CHARACTERS, Notation, TokenStyle
from bpe_tui.ui.encode.chip_layout import ChipLayout

BYTES = Notation(byte_level=True)


def cut_of(words: list[list[str]]) -> TokenizedText:
    """A text of words, each given as its tokens; ids count up."""
    text, spans, shapes = "", [], []
    for word in words:
        start = len(text)
        tokens: list[Token] = []
        place = 0
        for token in word:
            tokens.append(Token(token, len(token), place, place + len(token)))
            place += len(token)
        text += "".join(word)
        spans.append(("".join(word), start, len(text)))
        shapes.append(tuple(tokens))
    return TokenizedText(text, spans, list(range(len(words))), shapes)


def rows_of(layout: ChipLayout) -> list[list[str]]:
    return [[chip.token.text for chip in layout.chips(row)] for row in range(len(layout.rows))]


def test_words_move_to_the_next_row_whole() -> None:
    tokenized = cut_of([["aa", "bb"], ["cc", "dd"], ["ee"]])
    layout = ChipLayout(tokenized, [False] * 3, 11, CHARACTERS)
    assert rows_of(layout) == [["aa", "bb"], ["cc", "dd"], ["ee"]]
    assert [row.top for row in layout.rows] == [0, 3, 6]
    assert layout.height == 8
    wide = ChipLayout(tokenized, [False] * 3, 60, CHARACTERS)
    assert rows_of(wide) == [["aa", "bb", "cc", "dd", "ee"]]
    assert wide.pad == 1


def test_a_line_of_the_text_ends_a_row() -> None:
    layout = ChipLayout(cut_of([["a"], ["b"], ["c"]]), [False, True, False], 60, CHARACTERS)
    assert rows_of(layout) == [["a", "b"], ["c"]]


def test_a_word_longer_than_a_row_is_split_between_tokens() -> None:
    layout = ChipLayout(cut_of([["x"], ["aaaa"] * 5]), [False] * 2, 16, CHARACTERS)
    assert rows_of(layout) == [["x"], ["aaaa"] * 3, ["aaaa"] * 2]


def test_unknowns_and_split_characters_have_a_label() -> None:
    word: TokenizedWord = (Token("Ã", 1, 0, 1), Token("©", 2, 0, 1), Token("[UNK]", None, 1, 2, unknown=True))
    layout = ChipLayout(TokenizedText("éX", [("éX", 0, 2)], [0], [word]), [False], 60, BYTES)
    assert [(label.first, label.last, label.text) for label in layout.labels(0)] == [(0, 1, "é"), (2, 2, "X")]
    assert layout.rows[0].height == 3


def test_a_character_that_is_one_token_has_a_label_only_where_its_bytes_are_shown() -> None:
    tokenized = TokenizedText(" é", [(" é", 0, 2)], [0], [(Token("ĠÃ©", 1, 0, 2),)])
    assert ChipLayout(tokenized, [False], 60, BYTES).labels(0) == []
    table = ChipLayout(tokenized, [False], 60, Notation(True, TokenStyle.TABLE))
    assert [label.text for label in table.labels(0)] == ["␣é"]


@given(
    words=st.lists(st.lists(st.text("ab日", min_size=1, max_size=9), max_size=12), max_size=12),
    width=st.integers(1, 80),
    byte_level=st.booleans(),
    style=st.sampled_from(TokenStyle),
)
def test_no_chip_is_lost_or_overlaps(words: list[list[str]], width: int, byte_level: bool, style: TokenStyle) -> None:
    tokenized = cut_of(words)
    layout = ChipLayout(tokenized, [False] * len(words), width, Notation(byte_level, style))
    numbers = [chip.number for row in range(len(layout.rows)) for chip in layout.chips(row)]
    assert numbers == list(range(len(tokenized)))
    line = 0
    for row, one in enumerate(layout.rows):
        assert one.top == line
        line += one.height + 1
        end = -1
        for chip in layout.chips(row):
            assert chip.left >= end
            end = chip.left + chip.width + 1
            assert end + 1 <= layout.width
            assert layout.row_of(chip.number) == row
            assert layout.chip(chip.number) == chip
            assert layout.nearest(row, chip.left + 1) == chip.number
        assert layout.row_at(one.top) == row
        assert layout.row_at(one.top + one.height) is None
