"""Pre-tokenizers against `tokenizers` and tiktoken, on code points of every kind and on hostile texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from unittest.mock import patch

import pytest
import regex
import tiktoken
import tiktoken_ext.openai_public
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from bpe_tui.core.corpus.alphabet import alphabet_text
from bpe_tui.core.corpus.pretokenize import METASPACE, PATTERNS, PreTokenizer, drops_text, make_pre_tokenizer
from bpe_tui.core.errors import OptionError
from bpe_tui.core.options import PRE_TOKENIZERS, make_options
from tests.code_points import code_points

BATCH = 1 << 12
BYTES = [bytes([byte]) for byte in range(256)]
# Put between any two code points: of all, or of all but the large blocks in which each is like the next.
BETWEEN_ALL = ["", "'"]
BETWEEN_MOST = ["a", "A", "1", " ", "\n", "'l", "\u0301"]

hostile = st.text("ab Zé1٣²ǅʰ\u0301日😀'slLvVeE./-_\t\n\r\v\f\x1c\x85\xa0\u200b\u2009\u2028\u3000\u212aſ▁") | st.text()

OUTSIDE = {
    "gpt2": pre_tokenizers.Split(Regex(PATTERNS["gpt2"]), "isolated"),
    "cl100k": pre_tokenizers.Split(Regex(PATTERNS["cl100k"]), "isolated"),
    "o200k": pre_tokenizers.Split(Regex(PATTERNS["o200k"]), "isolated"),
    "whitespace": pre_tokenizers.Whitespace(),
    "spaces": pre_tokenizers.Split(" ", "removed"),
    "metaspace": pre_tokenizers.Metaspace(),
}
"""What `tokenizers` has for each pre-tokenizer."""


@cache
def ours(name: str) -> PreTokenizer:
    return make_pre_tokenizer(make_options("course", pre_tokenizer=name))


@cache
def most_code_points() -> list[str]:
    """All code points, but only every fiftieth unassigned or private one, Chinese character and Korean syllable."""
    uniform = regex.compile(r"[\p{Cn}\p{Co}\p{Unified_Ideograph}\uAC00-\uD7A3]")
    return [char for place, char in enumerate(code_points()) if place % 50 == 0 or not uniform.match(char)]


def batches(chars: Sequence[str], between: str) -> list[str]:
    """Texts of all the characters; each begins with the last one of the text before, so that all neighbours meet."""
    return [between.join(chars[max(0, start - 1) : start + BATCH]) for start in range(0, len(chars), BATCH)]


def split_by_tokenizers(name: str, text: str) -> list[str]:
    return [word for word, _ in OUTSIDE[name].pre_tokenize_str(text)]


@cache
def tiktoken_pattern(name: str) -> str:
    """The pattern of this name as the package has it, without the ranks that it would fetch."""
    encodings = {"gpt2": "r50k_base", "cl100k": "cl100k_base", "o200k": "o200k_base"}
    with patch.object(tiktoken_ext.openai_public, "load_tiktoken_bpe", return_value={}):
        pattern: str = getattr(tiktoken_ext.openai_public, encodings[name])()["pat_str"]
    return pattern


def split_by_tiktoken(name: str, text: str, words: list[str]) -> list[str]:
    """The words of `text` for tiktoken, at least as far as to tell whether they are `words`.

    tiktoken gives tokens, not words. But a word that is a token is encoded as that token, so with the words expected as
    tokens, and any two neighbours too, each token is a word where the split is the expected one.
    """
    expected = [word.encode() for word in words]
    tokens = list(dict.fromkeys([*BYTES, *expected, *map(b"".join, pairwise(expected))]))
    ranks = {token: rank for rank, token in enumerate(tokens)}
    encoding = tiktoken.Encoding("test", pat_str=tiktoken_pattern(name), mergeable_ranks=ranks, special_tokens={})
    return [tokens[rank].decode("utf-8", "replace") for rank in encoding.encode_ordinary(text)]


# -- every code point ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "whitespace"])
@pytest.mark.parametrize("between", BETWEEN_ALL)
def test_every_code_point_is_where_tokenizers_has_it(name: str, between: str) -> None:
    for text in batches(code_points(), between):
        assert ours(name).split(text) == split_by_tokenizers(name, text)


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "whitespace"])
@pytest.mark.parametrize("between", BETWEEN_MOST)
def test_next_to_letters_digits_and_spaces_too(name: str, between: str) -> None:
    for text in batches(most_code_points(), between):
        assert ours(name).split(text) == split_by_tokenizers(name, text)


@pytest.mark.parametrize("name", ["spaces", "metaspace"])
def test_only_a_space_counts_for_spaces_and_metaspace(name: str) -> None:
    for text in batches(code_points()[: 1 << 17], " ") + batches(code_points(), ""):
        assert ours(name).split(text) == split_by_tokenizers(name, text)


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k"])
@pytest.mark.parametrize("between", BETWEEN_ALL)
def test_every_code_point_is_where_tiktoken_has_it(name: str, between: str) -> None:
    for text in batches(code_points(), between):
        words = ours(name).split(text)
        assert split_by_tiktoken(name, text, words) == words


# -- hostile texts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OUTSIDE)
@given(text=hostile)
def test_hostile_texts_are_split_as_tokenizers_splits_them(name: str, text: str) -> None:
    assert ours(name).split(text) == split_by_tokenizers(name, text)


@given(hostile)
def test_gpt2_is_the_byte_level_of_tokenizers(text: str) -> None:
    options = make_options("course")
    theirs = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(text)
    assert [alphabet_text(word, options) for word in ours("gpt2").split(text)] == [word for word, _ in theirs]


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k"])
@given(text=hostile)
def test_hostile_texts_are_split_as_tiktoken_splits_them(name: str, text: str) -> None:
    text += "."  # see the next test
    words = ours(name).split(text)
    assert split_by_tiktoken(name, text, words) == words


def test_white_space_at_the_very_end_is_as_in_tokenizers_and_minbpe() -> None:
    # Since tiktoken 0.8 its cl100k takes all white space at the end of a text as one word, newlines or not. The
    # pattern that GPT-4 came with, which tokenizers and minbpe have, does not.
    assert ours("cl100k").split("a\n ") == split_by_tokenizers("cl100k", "a\n ") == ["a", "\n", " "]
    assert regex.findall(tiktoken_pattern("cl100k"), "a\n ") == ["a", "\n "]


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@given(text=hostile)
def test_spans_are_where_the_words_stand(name: str, text: str) -> None:
    spans = ours(name).spans(text)
    assert [word for word, _, _ in spans] == ours(name).split(text)
    end = 0
    for word, start, after in spans:
        assert end <= start <= after
        covered = text[start:after]
        end = after
        if name == "metaspace":
            assert word in (covered.replace(" ", METASPACE), METASPACE + covered.replace(" ", METASPACE))
        else:
            assert word == covered
    if not drops_text(make_options("course", pre_tokenizer=name)):
        assert "".join(text[start:after] for _, start, after in spans) == text


# -- single pre-tokenizers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("none", "two words\n", ["two words\n"]),
        ("none", "", []),
        ("spaces", "  a\tb  c\u00a0d\n ", ["a\tb", "c\u00a0d\n"]),
        ("spaces", "   ", []),
        ("whitespace", "don't stop—naïve_x 1.5", ["don", "'", "t", "stop", "—", "naïve_x", "1", ".", "5"]),
        ("metaspace", "", []),
        ("metaspace", "a  b", ["▁a", "▁", "▁b"]),
        ("metaspace", " a", ["▁a"]),
        ("gpt2", "DON'T don't 12345", ["DON", "'", "T", " don", "'t", " 12345"]),
        ("cl100k", "DON'T don't 12345", ["DON", "'T", " don", "'t", " ", "123", "45"]),
        ("o200k", "DON'T HTTPServer 12345", ["DON'T", " HTTPServer", " ", "123", "45"]),
        ("o200k", "a/b//\n\nc", ["a", "/b", "//\n\n", "c"]),
        ("gpt2", "a   b", ["a", "  ", " b"]),
        ("gpt2", "a\u3000 b", ["a", "\u3000", " b"]),
        ("cl100k", "x\n\n  y", ["x", "\n\n", " ", " y"]),
    ],
)
def test_words(name: str, text: str, words: list[str]) -> None:
    assert ours(name).split(text) == words


def test_a_metaspace_put_before_the_text_covers_nothing() -> None:
    assert ours("metaspace").spans("ab c") == [("▁ab", 0, 2), ("▁c", 2, 4)]
    assert ours("metaspace").spans(" ab") == [("▁ab", 0, 3)]


# -- patterns of one's own ------------------------------------------------------------------------------------------


def own(pattern: str) -> PreTokenizer:
    return make_pre_tokenizer(make_options("course", pattern=pattern))


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\p{L}+", ["one", "two"]),
        (r"(\w)(\w+)", ["one", "two"]),  # groups change nothing
        (r"\d*", ["1", "2"]),  # what is matched with no text is no word
        (r"o", ["o", "o"]),
    ],
)
def test_the_matches_of_a_pattern_are_the_words(pattern: str, words: list[str]) -> None:
    assert own(pattern).split("one, 1 two 2") == words


def test_a_pattern_that_is_none() -> None:
    with pytest.raises(OptionError, match=r"^--pattern '\(' is not a regular expression: .*at position"):
        own("(")
