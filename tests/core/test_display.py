"""What reaches a terminal is visible, harmless and as wide as we say."""

import re
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bpe_tui.core.display import CARRIER, MARKS_THAT_JOIN, clip, displayable, is_mark, is_plain, visible, width
from bpe_tui.ui.cell_widths import count_spacing_marks
from tests.code_points import code_points

UNSAFE_KINDS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"}
STAND_IN = re.compile("[␀-␟␡]|⟨[0-9a-f]+⟩")

count_spacing_marks()

# Text that mixes the plain with the treacherous far more often than chance would.
TREACHEROUS = st.lists(
    st.one_of(
        st.characters(),
        st.sampled_from("ae ⟨⟩…字한😀\x1b\x9b\u0301\u0302\u200d\ufe0f\u202e\u093f\U0001f3fd\U0001f1eb\u3099\u0e33␣␉"),
    )
).map("".join)


def test_every_code_point_is_itself_or_a_stand_in() -> None:
    stand_ins = {}
    for char in code_points(surrogates=True):
        shown = displayable(char)
        if is_mark(char):
            assert shown == CARRIER + char, f"{ord(char):x}"
        elif shown != char:
            stand_ins[char] = shown
        else:
            assert category(char) not in UNSAFE_KINDS | {"Mn", "Mc"}, f"{ord(char):x}"
            assert category(char) != "Zs" or char == " ", f"{ord(char):x}"
            assert cell_len(char) == width(char) >= 1, f"{ord(char):x}"
    assert len(set(stand_ins.values())) == len(stand_ins)
    for char, shown in stand_ins.items():
        assert STAND_IN.fullmatch(shown), f"{ord(char):x}"
        assert displayable(shown) == shown, f"{ord(char):x}"
        assert width(shown) == len(shown), f"{ord(char):x}"
    assert {cell_len(char) for char in set("".join(stand_ins.values()))} == {1}


def test_a_mark_joins_the_letter_before_it_and_a_spacing_one_takes_a_cell() -> None:
    joining = [char for char in code_points(surrogates=True) if displayable("a" + char) != "a" + displayable(char)]
    assert {"\u0301", "\u093f"} <= set(joining)
    for mark in joining:
        assert is_mark(mark)
        assert displayable("a" + mark) == "a" + mark
        cells = {"Mn": 1, "Mc": 2}[category(mark)]
        assert cell_len("a" + mark) == width("a" + mark) == cells, f"{ord(mark):x}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("a plain text", "a plain text"),
        ("\x00\t\n\r\x1b[31m", "␀␉␊␍␛[31m"),
        ("\x7f\x9b", "␡⟨9b⟩"),
        ("a\u200bb", "a⟨200b⟩b"),
        ("\u202eevil", "⟨202e⟩evil"),
        ("a\u2028b\u2029c\x85", "a⟨2028⟩b⟨2029⟩c⟨85⟩"),
        ("10\u00a0km", "10⟨a0⟩km"),
        ("\u3000", "⟨3000⟩"),
        ("soft\u00adhyphen", "soft⟨ad⟩hyphen"),
        ("\ufeffBOM", "⟨feff⟩BOM"),
        ("\ud83d", "⟨d83d⟩"),
        ("\ue000\uffff\U000e0041", "⟨e000⟩⟨ffff⟩⟨e0041⟩"),
        ("\u2800", "⟨2800⟩"),
        # Composed and decomposed letters both keep their normal look.
        ("\u00e9e\u0301", "\u00e9e\u0301"),
        # A mark without a letter stands on a circle.
        ("\u0301a", "◌\u0301a"),
        (" \u0301", " ◌\u0301"),
        ("\u200d\u0301", "⟨200d⟩◌\u0301"),
        ("\x1b\u0301", "␛◌\u0301"),
        # A family is three people and two joiners.
        ("👩\u200d👧\u200d👦", "👩⟨200d⟩👧⟨200d⟩👦"),
        ("👍🏽", "👍⟨1f3fd⟩"),
        ("🇫🇷", "⟨1f1eb⟩⟨1f1f7⟩"),
        ("❤\ufe0f", "❤⟨fe0f⟩"),
        ("1\ufe0f\u20e3", "1⟨fe0f⟩⟨20e3⟩"),
        # Vowel signs stay with their letter, on whichever side of it they are.
        ("के", "के"),
        ("कि", "कि"),
        ("\u093fक", "◌\u093fक"),
        ("हिन्दी தமிழ் বাংলা", "हिन्दी தமிழ் বাংলা"),
        ("ภาษา", "ภาษา"),
        ("שלום سلام", "שלום سلام"),
    ],
)
def test_stand_ins(text: str, shown: str) -> None:
    assert displayable(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        (" the", "␣the"),
        ("a  b", "a␣␣b"),
        ("\t\n", "␉␊"),
        ("\u00a0", "⟨a0⟩"),
        (" \u0301", "␣◌\u0301"),
        # The signs themselves are not what they stand for.
        ("a␣b", "a⟨2423⟩b"),
        ("␉␊␀␡", "⟨2409⟩⟨240a⟩⟨2400⟩⟨2421⟩"),
    ],
)
def test_visible_shows_spaces_too(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        # As tmux has them, by the C library; wcwidth 0.9 agrees where no stand-in is shown, but for conjuncts.
        ("हि", 2),
        ("हिन्दी", 5),
        ("क्ष", 2),
        ("தமிழ்", 4),
        ("কো", 2),
        ("বাংলা", 5),
        ("తెలుగు", 5),
        ("മലയാളം", 6),
        ("ગુજરાતી", 6),
        ("ਪੰਜਾਬੀ", 5),
        ("မြန်မာ", 5),
        ("ଓଡ଼ିଆ", 3),
        ("བོད", 2),
        ("กำ", 2),
        ("ไทย", 3),
        ("각", 2),
        ("e\u0301", 1),
        # Terminals disagree on these, so what shows them is a stand-in.
        ("👩\u200d👧", 2 + 6 + 2),
        ("🇫🇷", 7 + 7),
        ("❤\ufe0f", 1 + 6),
        ("👍🏽", 2 + 7),
    ],
)
def test_clusters_take_the_cells_that_terminals_give_them(text: str, cells: int) -> None:
    shown = displayable(text)
    assert width(shown) == cells
    assert cell_len(shown) == cells


def test_a_pile_of_marks_does_not_grow_out_of_its_line() -> None:
    pile = "\u0301" * (MARKS_THAT_JOIN + 2)
    assert displayable("a" + pile) == "a" + "\u0301" * MARKS_THAT_JOIN + "◌\u0301\u0301"


def test_every_control_character_looks_different() -> None:
    controls = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
    assert len({displayable(control) for control in controls}) == len(controls)


@pytest.mark.parametrize(("text", "plain"), [("", True), ("a b~", True), ("a\tb", False), ("é", False)])
def test_plain_is_printable_ascii(text: str, plain: bool) -> None:
    assert is_plain(text) is plain


@given(TREACHEROUS)
def test_any_text_is_safe_measured_and_stable(text: str) -> None:
    shown = displayable(text)
    assert not UNSAFE_KINDS.intersection(map(category, shown))
    assert width(shown) == cell_len(shown)
    assert displayable(shown) == shown


@given(TREACHEROUS, TREACHEROUS)
def test_pieces_shown_side_by_side_are_as_wide_as_their_sum(left: str, right: str) -> None:
    assert cell_len(displayable(left) + displayable(right)) == width(displayable(left)) + width(displayable(right))


@pytest.mark.parametrize(
    ("text", "cells", "clipped"),
    [
        ("hello", 5, "hello"),
        ("hello", 4, "hel…"),
        ("hello", 1, "…"),
        ("hello", 0, ""),
        ("hello", -1, ""),
        ("", 3, ""),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),  # half a character is not shown
        ("e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),  # the mark goes with its letter
        ("किकि", 4, "किकि"),
        ("किकि", 3, "कि…"),
        ("किकि", 2, "…"),
    ],
)
def test_clip(text: str, cells: int, clipped: str) -> None:
    assert clip(text, cells) == clipped


@given(TREACHEROUS, st.integers(0, 30))
def test_clipped_text_fits_and_is_cut_only_if_it_must(text: str, cells: int) -> None:
    shown = displayable(text)
    clipped = clip(shown, cells)
    assert cell_len(clipped) <= cells
    if width(shown) <= cells:
        assert clipped == shown
    elif cells:
        assert clipped.endswith("…")
        assert shown.startswith(clipped[:-1])
        left_out = shown[len(clipped) - 1 :]
        whole = next((place for place, char in enumerate(left_out) if place and not is_mark(char)), len(left_out))
        assert not is_mark(left_out[0])
        assert cell_len(clipped) + cell_len(left_out[:whole]) > cells
