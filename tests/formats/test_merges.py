"""Merges alone: the same segments as subword-nmt, and every slip named by its line."""

from __future__ import annotations

import io
import random
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats import merges
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer
from tests.core.encoders import merged_in_steps
from tests.formats.hf_files import TEXT
from tests.formats.models import ids, texts, tokens, trained


def learned(count: int = 150) -> str:
    """Codes that subword-nmt itself has learned."""
    out = io.StringIO()
    learn_bpe(io.StringIO(TEXT.replace("\t", " ") * 2), out, count, min_frequency=2)
    return out.getvalue()


CODES = {
    "learned": learned(),
    "of its own symbol": "#version: 0.1\nt h\nth e\nthe </w>\ne </w>\na a\naa a\n",
    "without a header": "t h\nth e\nthe </w>\na </w>\n",
    "in disorder": "#version: 0.2\nab a\na b\nb a\nab a</w>\nb b</w>\nab ab\n",
    "one token made twice": "#version: 0.2\na b\nb c\nab c\nabc d\na bc\nd d</w>\n",
    "a merge twice": "#version: 0.2\na b\nb c\na b\nab c</w>\n",
}


@cache
def both(name: str) -> tuple[Any, BPE]:
    """The codes as we read them, and subword-nmt."""
    return merges.read(CODES[name], {}), BPE(io.StringIO(CODES[name]))


def segments(model: Any, word: str) -> list[str]:
    """Our tokens of a word as subword-nmt gives them: without what marks its end."""
    found = tokens(model, word)
    found[-1] = found[-1].removesuffix("</w>")
    return found if found[-1] else found[:-1]


@pytest.mark.parametrize("name", CODES)
@given(text=texts | st.text("abcd the"))
def test_the_same_segments_as_subword_nmt(name: str, text: str) -> None:
    model, theirs = both(name)
    words = [word for word in text.split(" ") if word and "\n" not in word and "\r" not in word and "</w>" not in word]
    for word in words:
        assert segments(model, word) == [part.removesuffix("@@") for part in theirs.segment_tokens([word])], word
    joined = " ".join(words)
    assert merged_in_steps(model.encoder(), joined) == model.encoder().encode(joined)


@pytest.mark.parametrize("seed", range(40))
def test_random_codes_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    parts = ["a", "b", "c", "c</w>", "b</w>"]
    pairs: list[tuple[str, str]] = []
    for _ in range(rng.randint(1, 14)):
        left = rng.choice([part for part in parts if "</w>" not in part])
        pair = (left, rng.choice(parts))
        pairs.append(pair)
        parts.append(pair[0] + pair[1])
    rng.shuffle(pairs)
    codes = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in pairs)
    model, theirs = merges.read(codes, {"end_of_word": "</w>"}), BPE(io.StringIO(codes))
    for _ in range(60):
        word = "".join(rng.choices("abc", k=rng.randint(2, 12)))
        assert segments(model, word) == [part.removesuffix("@@") for part in theirs.segment_tokens([word])], word


def test_symbols_outside_the_alphabet_are_themselves_without_an_id() -> None:
    model, _ = both("learned")
    (token,) = [token for token in model.encoder().encode("☃") if token.unknown]
    assert (token.text, token.id, token.start, token.end) == ("☃</w>", None, 0, 1)
    model = merges.read(CODES["learned"], {"unk": "<unk>"})
    assert tokens(model, "☃") == ["<unk>"]


def test_only_the_first_line_can_be_a_header() -> None:
    model = merges.read("#version: 0.2\n# #\n# a\n## a</w>\n", {})
    assert [(merge.left, merge.right) for merge in model.vocabulary.merges] == [("#", "#"), ("#", "a"), ("##", "a</w>")]
    model = merges.read("# #\n# a\n", {})
    assert len(model.vocabulary.merges) == 2
    with pytest.raises(TokenizerFileError, match="line 2 begins with #version: a header to some tools"):
        merges.read("a b\n#version 2\n", {})


def test_a_mark_line_ends_blank_lines_and_a_last_line_without_end_are_harmless(tmp_path: Path) -> None:
    path = tmp_path / "merges.txt"
    plain = "#version: 0.2\na b\nab c</w>\n"
    expected = merges.read(plain, {})
    for spelt in (plain.rstrip("\n"), plain.replace("\n", "\r\n"), plain.replace("\n", "\n\n"), "\ufeff" + plain):
        path.write_text(spelt, encoding="utf-8", newline="")
        assert read_tokenizer(str(path)) == expected


@pytest.mark.parametrize("char", ["\u2028", "\u0085", "\u00a0", "\u3000", "\x0b", "\x0c", "\x1c"])
def test_other_separators_are_text(char: str) -> None:
    model = merges.read(f"#version: 0.2\na {char}\na{char} b</w>\n", {})
    assert tokens(model, f"a{char}b") == [f"a{char}b</w>"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("a b\na \n", 'line 2, "a ", ends in a space'),
        ("#version: 0.2\n\na\tb\n", "line 3 holds a tab"),
        ("a b\na b c\n", 'line 2, "a b c", has 3 fields'),
        ("a b\nab\n", 'line 2, "ab", has 1 field; a merge is two tokens'),
        ("a b\n a b\n", "line 2"),
        ("a b\na  b\n", 'line 2, "a  b", has 2 fields and spaces too many'),
        ("a b\na\rb c\n", "line 2 holds a carriage return"),
        ("a b\nxy b\n", 'line 2, "xy" + "b": no line makes "xy"'),
        ("", "holds no merges"),
        ("#version: 0.9\na b</w>\n", "names no version that is known"),
        ("#version: x\na b</w>\n", "names no version that is known"),
    ],
)
def test_a_slip_is_named_by_its_line(content: str, says: str) -> None:
    with pytest.raises(TokenizerFileError) as caught:
        merges.read(content, {})
    assert says in str(caught.value)


def test_a_merge_twice_is_a_warning_with_both_lines() -> None:
    assert both("a merge twice")[0].warnings == (
        "the merge on line 4 is the one on line 2 again; the first one counts",
    )
    model = merges.read("Ġ a\nb c\nĠ a\n", {"pre_tokenizer": "gpt2", "alphabet": "all-bytes"})
    assert model.warnings == ("the merge on line 3 is the one on line 1 again; the last one counts",)


def test_what_the_merges_are_taken_for() -> None:
    assert both("learned")[0].options.end_of_word == "</w>"
    assert both("of its own symbol")[0].options.end_of_word_style == "symbol"
    gpt2 = merges.read("Ġ t\n", {})
    assert (gpt2.options.pre_tokenizer, gpt2.options.alphabet) == ("gpt2", "all-bytes")
    assert "taken for GPT-2's merges" in gpt2.warnings[0]
    plain = merges.read("a b\n", {})
    assert (plain.options.pre_tokenizer, plain.options.alphabet, plain.options.end_of_word) == (
        "spaces",
        "characters",
        "",
    )
    assert "taken for merges of characters" in plain.warnings[0]
    told = merges.read("a b\n", {"pre_tokenizer": "gpt2", "alphabet": "all-bytes", "specials": ("<s>",)})
    assert told.warnings == ()
    assert told.vocabulary.ids["<s>"] == 0
    assert ids(told, "é")


NO_ENDING = "l o\nlo w\n"
"""Two merges learned on `lowly lowing lows lowing lowly`, before any that ends a word."""


@pytest.mark.parametrize("header", ["#version: 0.2\n", "#version: 0.1\n", ""])
def test_a_header_of_subword_nmt_means_subword_nmt_also_without_an_ending(header: str) -> None:
    model, theirs = merges.read(header + NO_ENDING, {}), BPE(io.StringIO(header + NO_ENDING))
    for word in ("low", "lowly", "lo", "lowlo", "wl"):
        assert segments(model, word) == [part.removesuffix("@@") for part in theirs.segment_tokens([word])]
    assert tokens(model, "low")[0] == ("lo" if "2" in header else "low")
    assert "subword-nmt" in model.warnings[0]
    assert "--end-of-word" in model.warnings[0]
    plain = merges.read(header + NO_ENDING, {"end_of_word": "", "pre_tokenizer": "spaces"})
    assert tokens(plain, "low") == ["low"]


def test_our_own_codes_without_an_ending_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "x.codes"
    model = trained("subword-nmt", "lowly lowing lows lowing lowly", merges=2, min_frequency=1)
    write_tokenizer(str(path), model)
    again = read_tokenizer(str(path))
    assert "</w>" not in path.read_text(encoding="utf-8")
    for word in ("lowly", "lowing", "lows"):
        assert segments(again, word) == segments(model, word)


def test_all_bytes_are_symbols_also_at_the_end_of_a_word() -> None:
    how = {"alphabet": "all-bytes", "end_of_word": "</w>", "pattern": r"\p{L}+|\p{N}"}
    for codes in ("#version: 0.2\na b\nab c</w>\n", CLIP):
        model = merges.read(codes, how)
        assert tokens(model, "abc7") == ["abc</w>", "7</w>"]
        assert all(token in model.vocabulary.ids for byte in BYTE_TO_CHAR for token in (byte, byte + "</w>"))


CLIP = '"bpe_simple_vocab_16e6.txt#version: 0.2\na b\nab c</w>\n'


def test_the_merges_of_clip_are_known_by_their_header(tmp_path: Path) -> None:
    path = tmp_path / "bpe_simple_vocab_16e6.txt"
    path.write_text(CLIP, encoding="utf-8")
    with pytest.raises(TokenizerFileError, match=r"OpenAI's CLIP.*the tokenizer\.json of the same model"):
        read_tokenizer(str(path))
    how = {"alphabet": "all-bytes", "end_of_word": "</w>", "pattern": r"\p{L}+|\p{N}"}
    assert "48,894" in read_tokenizer(str(path), how).warnings[0]
    many = CLIP + "".join(
        f"{left} {right}\n" for left in BYTE_TO_CHAR for right in BYTE_TO_CHAR if left + right != "ab"
    )
    assert len(merges.read(many, how).vocabulary.merges) == 49152 - 256 - 2


# -- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["suffix", "symbol"])
def test_what_is_written_encodes_the_same_there(style: str, tmp_path: Path) -> None:
    path = tmp_path / "x.codes"
    model = trained("subword-nmt", TEXT.replace("\t", " "), end_of_word_style=style, min_frequency=1)
    assert write_tokenizer(str(path), model) == ()
    theirs = BPE(io.StringIO(path.read_text(encoding="utf-8")))
    again = read_tokenizer(str(path))
    for word in TEXT.split():
        parts = [part.removesuffix("@@") for part in theirs.segment_tokens([word])]
        assert segments(model, word) == segments(again, word) == parts


def test_other_merges_are_read_back_with_the_options_told(tmp_path: Path) -> None:
    path = tmp_path / "merges.txt"
    model = trained("huggingface")
    notes = write_tokenizer(str(path), model)
    assert "--pre-tokenizer gpt2 --alphabet all-bytes" in notes[0]
    assert path.read_bytes().startswith(b"#version: 0.2\n")
    again = read_tokenizer(str(path), {"preset": "huggingface"})
    assert again.vocabulary == model.vocabulary


def test_a_note_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "merges.txt"
    pattern = r"[^\r\n\p{L}\p{N}]?'?\p{L}+|\p{N}{1,2}|\s*[\r\n]+|\s+(?!\S)|\s+|[^\s\p{L}\p{N}]+|\$(never)"
    model = trained("huggingface", pattern=pattern, pre_tokenizer=None, end_of_word="_'$", merges=30)
    (note, *_) = write_tokenizer(str(path), model)
    said = note.partition("read it with ")[2]
    words = shlex.split(said)
    assert words == ["--pattern", pattern, "--alphabet", "all-bytes", "--end-of-word", "_'$"]
    names = [word.removeprefix("--").replace("-", "_") for word in words[::2]]
    again = read_tokenizer(str(path), dict(zip(names, words[1::2], strict=True)))
    assert tokens(again, TEXT) == tokens(model, TEXT)


@pytest.mark.parametrize("char", [" ", "\n", "\t", "\r"])
def test_a_part_with_a_space_or_line_end_cannot_be_written(char: str, tmp_path: Path) -> None:
    model = trained(
        "course", f"a{char}b " * 9, alphabet="characters", pre_tokenizer="none", documents="files", merges=3
    )
    with pytest.raises(TokenizerFileError, match="holds a space, tab or newline"):
        write_tokenizer(str(tmp_path / "merges.txt"), model)
    assert list(tmp_path.iterdir()) == []


def test_a_merge_that_looks_like_a_header_cannot_be_written(tmp_path: Path) -> None:
    model = trained("course", "#version2 " * 9, alphabet="characters", pre_tokenizer="spaces", merges=9)
    with pytest.raises(TokenizerFileError, match="it would look like a header"):
        write_tokenizer(str(tmp_path / "merges.txt"), model)
