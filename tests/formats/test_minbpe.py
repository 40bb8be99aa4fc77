"""minbpe's files: the same ids and texts as a minbpe-style tokenizer, and every slip named by its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from bpe_tui.core.corpus.memory import limit_memory, memory_in_use
from bpe_tui.core.corpus.pretokenize import PATTERNS
from bpe_tui.core.errors import EncodeError, TokenizerFileError
from bpe_tui.formats import minbpe
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer
from tests.formats.hf_files import TEXT
from tests.formats.minbpe_tool import GPT4, MinbpeTool
from tests.formats.models import ids, texts, tokens, trained

PATTERN_LINES = {
    "no pattern": "",
    "GPT-4": GPT4,
    "GPT-2": PATTERNS["gpt2"],
    "own": r"\p{L}+| ",
    "spaces in it": r" ?\w+",
}


def spelt(pattern: str = "", specials: str = "", merges: str = "97 98\n256 99\n") -> str:
    """A file."""
    lines = specials.splitlines()
    return f"minbpe v1\n{pattern}\n{len(lines)}\n{specials}{merges}"


@pytest.mark.parametrize("name", PATTERN_LINES)
def test_files_of_the_tool_encode_as_there(name: str, tmp_path: Path) -> None:
    tool = MinbpeTool(PATTERN_LINES[name])
    tool.train(TEXT, 60)
    tool.special_tokens = {"<s>": 1000, "<s>x": 999}
    tool._build()
    path = tmp_path / "x.model"
    tool.save(path)
    model = read_tokenizer(str(path))
    again = tmp_path / "again.model"
    notes = write_tokenizer(str(again), model)
    assert again.read_bytes() == path.read_bytes()
    tool, encoder = MinbpeTool.as_told(notes).load(again), model.encoder()
    assert bool(notes) == (name != "GPT-4")

    @given(text=texts)
    def agrees(text: str) -> None:
        for special in (True, False):
            expected = tool.encode(text, specials=special)
            assert encoder.encode_ids(text, unknown=model.unknown, allow_special=special) == expected
            assert encoder.decode(expected) == tool.decode(expected)

    agrees()


def test_of_special_tokens_the_first_in_the_file_is_taken() -> None:
    model = minbpe.read(spelt(specials="<s> 300\n<s>x 301\n"))
    assert ids(model, "<s>x", special=True) == [300, ord("x")]


def test_special_tokens_end_at_the_last_space_and_the_pattern_is_kept_as_it_is() -> None:
    model = minbpe.read(spelt(" x| y ", "<a b> 300\n 7 301\n"))
    assert dict(model.dialect.specials_in_order) == {"<a b>": 300, " 7": 301}
    assert model.options.pattern == " x| y "


def test_two_tokens_may_have_one_text(tmp_path: Path) -> None:
    model = minbpe.read(spelt(merges="97 98\n98 99\n97 257\n256 99\n"))
    assert ids(model, "abc") == [259]
    assert model.encoder().decode([258]) == model.encoder().decode([259]) == "abc"
    with pytest.raises(TokenizerFileError, match='two tokens have the text "abc"'):
        write_tokenizer(str(tmp_path / "x.json"), model)


def test_of_a_merge_that_is_there_twice_the_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    path.write_text(spelt(merges="97 98\n99 100\n97 98\n258 258\n"), encoding="utf-8")
    model = read_tokenizer(str(path))
    assert model.warnings == (f"{path}: the merge on line 6 is the one on line 4 again; the last one counts",)
    assert ids(model, "abab") == MinbpeTool().load(path).encode("abab") == [259]
    with pytest.raises(EncodeError, match="no token with id 256"):
        model.encoder().decode([256])
    with pytest.raises(TokenizerFileError, match="line 7 uses id 256, which is lost"):
        minbpe.read(spelt(merges="97 98\n99 100\n97 98\n256 256\n"))


def test_line_ends_of_windows_are_harmless() -> None:
    assert minbpe.read(spelt().replace("\n", "\r\n")) == minbpe.read(spelt())


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("minbpe v2\n\n0\n", "does not begin with minbpe v1"),
        ("", "does not begin with minbpe v1"),
        ("minbpe v1\n\n", "ends before its pattern"),
        ("minbpe v1\n\nx\n", 'line 3, "x", is not the number of special tokens'),
        ("minbpe v1\n\n-1\n", 'line 3, "-1"'),
        ("minbpe v1\n\n2\n<s> 300\n", "line 3 promises 2 special tokens"),
        (spelt(specials="<s>\n"), 'line 4, "<s>", is not a special token and its id'),
        (spelt(specials="<s> x\n"), 'line 4, "<s> x"'),
        (spelt(specials="<s> 300\n<s> 301\n"), "line 5: the special token"),
        (spelt(specials="<s> 300\n<t> 300\n"), 'line 5: the special token "<t>" has id 300, as another has'),
        (spelt(specials="<s> 257\n"), 'line 4: the special token "<s>" has id 257, as another has'),
        (spelt(specials="<s> 99999999999\n"), "line 4"),
        (spelt(merges="97 98 99\n"), 'line 4, "97 98 99", is not two ids'),
        (spelt(merges="97  98\n"), "line 4"),
        (spelt(merges="97 x\n"), "line 4"),
        (spelt(merges="97 98\n\n97 99\n"), 'line 5, "", is not two ids'),
        (spelt(merges="97 256\n"), 'line 4, "97 256": merge 1 makes id 256, and can only use ids below'),
        (spelt(merges="97 98\n97\r98\n"), "line 5 holds a carriage return"),
        (spelt("("), 'its pattern "(" is not a regular expression'),
        (spelt("(a)b"), 'its pattern "(a)b" has a group'),
    ],
)
def test_a_slip_is_named_by_its_line(content: str, says: str) -> None:
    with pytest.raises(TokenizerFileError) as caught:
        minbpe.read(content)
    assert says in str(caught.value)


# -- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", ["gpt2", "cl100k", "o200k", "whitespace", "none"])
def test_what_is_written_encodes_the_same_there(cut: str, tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    model = trained("minbpe", pre_tokenizer=cut)
    notes = write_tokenizer(str(path), model)
    tool, again = MinbpeTool.as_told(notes).load(path), read_tokenizer(str(path))
    assert bool(notes) == (cut != "cl100k")
    assert again.vocabulary.merges == model.vocabulary.merges
    as_trained, as_read = model.encoder(), again.encoder()

    @given(text=texts)
    def agrees(text: str) -> None:
        assert as_trained.encode_ids(text) == as_read.encode_ids(text) == tool.encode(text)

    agrees()


def test_a_note_says_which_pattern_minbpe_has_to_be_given(tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    (note,) = write_tokenizer(
        str(path), trained("minbpe", "one two  three " * 9, pattern=r"\w+|'\s", pre_tokenizer=None)
    )
    assert note.endswith('RegexTokenizer("\\\\w+|\'\\\\s")')
    plain, told = MinbpeTool().load(path), MinbpeTool.as_told([note]).load(path)
    assert plain.encode("one 's") != told.encode("one 's") == ids(read_tokenizer(str(path)), "one 's")
    assert "BasicTokenizer()" in write_tokenizer(str(path), trained("minbpe", pre_tokenizer="none"))[0]
    assert write_tokenizer(str(path), trained("minbpe")) == ()


def test_special_tokens_go_behind_the_merges(tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    model = trained("minbpe", specials=("<|endoftext|>", "<s>"), merges=20)
    (note,) = write_tokenizer(str(path), model)
    assert "numbered anew" in note
    tool, again = MinbpeTool().load(path), read_tokenizer(str(path))
    assert tool.special_tokens == {"<|endoftext|>": 276, "<s>": 277}
    text = f"{TEXT}<s>x<|endoftext|>"
    assert ids(again, text, special=True) == tool.encode(text, specials=True)
    assert tokens(again, text, allow_special=True) == tokens(model, text, allow_special=True)


def test_ids_that_are_not_minbpes_are_numbered_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    model = trained("huggingface")
    notes = write_tokenizer(str(path), model)
    assert "numbered anew" in notes[0]
    assert tokens(read_tokenizer(str(path)), TEXT) == tokens(model, TEXT)


def test_the_vocab_for_people_lies_beside(tmp_path: Path) -> None:
    write_tokenizer(
        str(tmp_path / "x.model"), minbpe.read(spelt(specials="<s> 300\n", merges="97 98\n195 169\n10 256\n"))
    )
    lines = (tmp_path / "x.vocab").read_text(encoding="utf-8").splitlines()
    assert lines[10] == "[\\u000a] 10"
    assert lines[97] == "[a] 97"
    assert lines[200] == "[�] 200"
    assert lines[256:] == ["[a][b] -> [ab] 256", "[�][�] -> [é] 257", "[\\u000a][ab] -> [\\u000aab] 258", "[<s>] 300"]


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"alphabet": "characters"}, "this alphabet is of characters"),
        ({"alphabet": "seen-bytes"}, "minbpe needs all 256 bytes"),
        ({"end_of_word": "</w>"}, "words end in"),
        ({"pre_tokenizer": "metaspace"}, "metaspace cannot be said in one"),
        ({"pattern": "(a)|."}, "the group in the pattern"),
        ({"pattern": "a\n|."}, "on one line"),
        ({"specials": ("a b",)}, "cannot read the special token"),
    ],
)
def test_what_it_cannot_say_is_refused_and_nothing_written(
    overrides: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(TokenizerFileError, match=says):
        write_tokenizer(str(tmp_path / "x.model"), trained("minbpe", **overrides))
    assert list(tmp_path.iterdir()) == []


def test_merges_that_double_a_token_again_and_again_are_refused() -> None:
    lines = ["minbpe v1", "", "0", "97 97", *(f"{token} {token}" for token in range(256, 315))]
    with pytest.raises(
        TokenizerFileError, match=r"^line 29: the tokens made so far have more than 67,108,864 characters"
    ):
        minbpe.read("\n".join(lines) + "\n")
    limit_memory(memory_in_use() + 40_000_000)
    try:
        lower = r"^line 2[0-8]: the tokens made so far have more than (?!67,)[0-9]{1,2},[0-9]{3},[0-9]{3} characters"
        with pytest.raises(TokenizerFileError, match=lower):
            minbpe.read("\n".join(lines) + "\n")
    finally:
        limit_memory(None)
