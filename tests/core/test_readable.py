"""Tokens are shown as people read them, and never as what they are not."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bpe_tui.core.corpus.alphabet import bytes_to_chars
from bpe_tui.core.display import displayable, width
from bpe_tui.core.options import make_options
from bpe_tui.core.readable import Notation, TokenStyle, spellings
from bpe_tui.ui.cell_widths import count_spacing_marks

SIGN, TABLE, PLAIN = TokenStyle

count_spacing_marks()


def raw(text: str | bytes) -> str:
    """A text or bytes as a byte-level token."""
    return bytes_to_chars(text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize(
    ("data", "sign", "table", "plain"),
    [
        (" the", "␣the", "Ġthe", " the"),
        (" стол", "␣стол", "ĠÑģÑĤÐ¾Ð»", " стол"),
        ("café", "café", "cafÃ©", "café"),
        (b"\xd1", "ˣD1", "Ñ", "ˣD1"),
        (b" \xd1", "␣ˣD1", "ĠÑ", " ˣD1"),
        (b"\x82\xd0\xbe\xd0", "ˣ82оˣD0", "ĤÐ¾Ð", "ˣ82оˣD0"),
        (b"\xe2\x98", "ˣE2ˣ98", "âĺ", "ˣE2ˣ98"),
        ("  ", "␣␣", "ĠĠ", "␣␣"),
        ("\n\t", "␊␉", "Ċĉ", "␊␉"),
        ("a\n", "a␊", "aĊ", "a␊"),
        # What the text itself holds is not what it stands for.
        ("␣", "⟨2423⟩", "âĲ£", "⟨2423⟩"),
        ("␊␉", "⟨240a⟩⟨2409⟩", "âĲĬâĲī", "⟨240a⟩⟨2409⟩"),
        ("Ġ", "Ġ", "Äł", "Ġ"),
        ("ˣD1", "⟨2e3⟩D1", "Ë£D1", "⟨2e3⟩D1"),
        ("\u00a0\x80", "⟨a0⟩⟨80⟩", "ÂłÂĢ", "⟨a0⟩⟨80⟩"),
        (b"\x80", "ˣ80", "Ģ", "ˣ80"),
        ("हिन्दी", "हिन्दी", "à¤¹à¤¿à¤¨à¥įà¤¦à¥Ģ", "हिन्दी"),
        ("ि", "◌ि", "à¤¿", "◌ि"),
        (b"\xa4\xb9\xe0\xa4\xbf", "ˣA4ˣB9◌ि", "¤¹à¤¿", "ˣA4ˣB9◌ि"),
        ("👍🏽", "👍⟨1f3fd⟩", "ðŁĳįðŁı½", "👍⟨1f3fd⟩"),
        (b"", "", "", ""),
    ],
)
def test_tokens_of_bytes(data: str | bytes, sign: str, table: str, plain: str) -> None:
    assert [Notation(True, style).token(raw(data)) for style in TokenStyle] == [sign, table, plain]


@pytest.mark.parametrize(
    ("text", "sign", "plain"),
    [
        (" the", "␣the", " the"),
        (" ", "␣", "␣"),
        ("Ġthe", "Ġthe", "Ġthe"),
        ("Ñ", "Ñ", "Ñ"),
        ("a␣\n", "a⟨2423⟩␊", "a⟨2423⟩␊"),
        ("स्ते", "स्ते", "स्ते"),
        ("्", "◌्", "◌्"),
    ],
)
def test_tokens_of_characters(text: str, sign: str, plain: str) -> None:
    assert [Notation(False, style).token(text) for style in TokenStyle] == [sign, sign, plain]


def test_special_tokens_are_text_in_any_alphabet() -> None:
    options = make_options("huggingface", specials=("<é>",))
    shown = Notation.of(options)
    assert shown.token("<é>") == "<é>"
    assert shown.token("<é") == "<ˣE9"
    assert Notation.of(make_options("toy")).token("Ã©") == "Ã©"


def test_a_token_that_is_no_sequence_of_bytes_is_text() -> None:
    assert Notation(True).token("<｜begin▁of▁sentence｜>") == "<｜begin▁of▁sentence｜>"


def test_pairs_and_merges() -> None:
    shown = Notation(True)
    assert shown.pair("Ġ", "t") == "␣ + t"
    assert shown.merge("Ñ", "Ĥ") == "ˣD1 + ˣ82 → т"
    assert Notation(True, TABLE).merge("Ġ", "t") == "Ġ + t → Ġt"
    assert shown.text("a ␣") == "a␣⟨2423⟩"


def test_a_key_goes_through_the_styles_that_differ() -> None:
    style, seen = SIGN, []
    for _ in range(4):
        style = Notation(True, style).next_style
        seen.append(style)
    assert seen == [TABLE, PLAIN, SIGN, TABLE]
    assert [Notation(False, style).next_style for style in TokenStyle] == [PLAIN, PLAIN, SIGN]


@pytest.mark.parametrize(
    ("style", "texts", "legend"),
    [
        (TABLE, ["Ġthe", "t"], ("Ġ = a space",)),
        (TABLE, ["Ċ", "Ġa", "Ã", "Ñ", "ĉ"], ("Ġ = a space", "Ċ = a newline", "ĉ = a tab", "Ã = a byte")),
        (TABLE, ["the"], ()),
        (SIGN, ["Ġthe", "Ã©"], ()),
        (SIGN, ["Ġthe", "©", "Ã"], ("ˣA9 = a byte",)),
        (PLAIN, ["aĊ", "Ñ"], ("␊ = a newline", "ˣD1 = a byte")),
    ],
)
def test_the_legend_names_what_is_in_view(style: TokenStyle, texts: list[str], legend: tuple[str, ...]) -> None:
    assert Notation(True, style).legend(texts) == legend


def test_letters_need_no_legend() -> None:
    assert Notation().legend(["Ñ", "Ġ", "a b"]) == ()
    assert Notation().legend(["a\tb"]) == ("␉ = a tab",)
    assert Notation(True, TABLE, frozenset(["<é>"])).legend(["<é>"]) == ()


def test_a_query_is_found_however_it_is_spelled() -> None:
    token = raw(" стол")
    for query in ("стол", " сто", "␣ст", "ĠÑģ", "Ð¾"):
        assert any(way in token for way in spellings(query, byte_level=True)), query
    assert not any(way in token for way in spellings("столы", byte_level=True))
    assert spellings("a␣", byte_level=False) == ("a␣", "a ")
    assert "Ċ" in spellings("␊", byte_level=True)


@given(st.binary(max_size=24), st.sampled_from(TokenStyle))
def test_any_bytes_are_safe_and_measured(data: bytes, style: TokenStyle) -> None:
    shown = Notation(True, style).token(raw(data))
    assert displayable(shown) == shown
    assert cell_len(shown) == width(shown)
    assert bool(shown.strip()) is bool(data)


@given(st.text(max_size=12), st.text(max_size=12))
def test_texts_that_differ_look_different(one: str, other: str) -> None:
    def shown(text: str) -> str:
        return Notation(True).token(raw(text.encode("utf-8", "replace")))

    same = one.encode("utf-8", "replace") == other.encode("utf-8", "replace")
    brackets = {"⟨", "⟩", "◌"} & {*one, *other}
    marks = any(unicodedata.category(char).startswith("M") for char in one + other)
    assert brackets or marks or (shown(one) == shown(other)) is same
