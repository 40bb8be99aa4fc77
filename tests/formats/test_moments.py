"""What is written of a moment encodes in the format's own tool as the app does at that moment, or is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.timeline import FixedTimeline
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.moment import at_moment
from bpe_tui.formats.registry import obstacle, write_tokenizer
from tests.formats.in_tools import NAMES, compare

LETTERS = "abcd"
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
}


def tokenizer_json(
    pairs: list[tuple[str, str]], symbols: list[str], *, ignore_merges: bool, added: bool, gaps: bool
) -> str:
    """A tokenizer.json of merges in any order, perhaps with an added token after all others, put before every text."""
    tokens = list(dict.fromkeys([*symbols, *(part for pair in pairs for part in (*pair, "".join(pair)))]))
    ids = {token: number for number, token in enumerate(tokens)}
    if gaps and len(tokens) > len(symbols) + 1:  # the last two change places
        ids[tokens[-1]], ids[tokens[-2]] = ids[tokens[-2]], ids[tokens[-1]]
    special = {"id": len(ids), "content": "<s>", "special": True, "normalized": False}
    flags = {"single_word": False, "lstrip": False, "rstrip": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    file: dict[str, Any] = {
        "version": "1.0",
        "added_tokens": [{**special, **flags}] if added else [],
        "pre_tokenizer": byte_level if len(symbols) == 256 else None,
        "decoder": byte_level if len(symbols) == 256 else None,
        "post_processor": {**TEMPLATE, "special_tokens": {"<s>": {"id": "<s>", "ids": [len(ids)], "tokens": ["<s>"]}}}
        if added
        else None,
        "model": {"type": "BPE", "vocab": ids, "merges": pairs, "ignore_merges": ignore_merges},
    }
    return json.dumps(file)


@st.composite
def merge_lists(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Distinct merges whose parts are letters or made by others, in order of training or not."""
    parts = list(LETTERS)
    pairs: list[tuple[str, str]] = []
    for _ in range(draw(st.integers(1, 7))):
        pair = (draw(st.sampled_from(parts)), draw(st.sampled_from(parts)))
        if pair not in pairs and len(pair[0] + pair[1]) <= 8:
            pairs.append(pair)
            parts.append(pair[0] + pair[1])
    return draw(st.permutations(pairs)) if draw(st.booleans()) else pairs


LLAMA_2 = [("ab", "c"), ("a", "b"), ("c", "d"), ("ab", "cd")]
"""Merges of which the first uses what only the second makes."""


@pytest.mark.parametrize("name", NAMES)
@given(
    pairs=merge_lists(),
    fraction=st.floats(0, 1),
    in_bytes=st.booleans(),
    ignore_merges=st.booleans(),
    added=st.booleans(),
    gaps=st.booleans(),
    words=st.lists(st.text(LETTERS + " ", max_size=12), min_size=1, max_size=6),
)
@example(LLAMA_2, 0.25, False, False, False, False, ["abcd", "abc ab"])
@example(LLAMA_2, 0.25, False, True, True, False, ["abcd", "ab", "abc"])
@example(LLAMA_2, 0.25, True, False, False, False, ["abcd", "abc ab"])
def test_a_moment_is_written_as_it_encodes_or_refused(
    name: str,
    pairs: list[tuple[str, str]],
    fraction: float,
    in_bytes: bool,
    ignore_merges: bool,
    added: bool,
    gaps: bool,
    words: list[str],
) -> None:
    symbols = list(BYTE_TO_CHAR if in_bytes else LETTERS)
    whole = read_json(tokenizer_json(pairs, symbols, ignore_merges=ignore_merges, added=added, gaps=gaps))
    position = round(fraction * len(whole.vocabulary.merges))
    model = at_moment(whole, position)
    timeline = FixedTimeline(whole.vocabulary, whole.options)
    timeline.goto(position)
    encoder, of_model = Encoder(timeline, whole.dialect), model.encoder()
    texts = [*words, "".join(words), "", *(left + right for left, right in pairs)]
    if not in_bytes:
        texts = [text.replace(" ", "") for text in texts]
    for text in texts:
        wanted = [token.text for token in encoder.encode(text, unknown=whole.unknown)]
        assert [token.text for token in of_model.encode(text, unknown=model.unknown)] == wanted
        if not model.notes:
            assert encoder.encode_ids(text) == of_model.encode_ids(text)
    refusal = obstacle(model, name)
    with TemporaryDirectory() as folder:
        path = Path(folder) / NAMES[name]
        if refusal:
            with pytest.raises(TokenizerFileError) as caught:
                write_tokenizer(str(path), model, name)
            assert str(caught.value) == f"{path}: {refusal}"
            assert list(Path(folder).iterdir()) == []
            return
        notes = write_tokenizer(str(path), model, name)
        compare(name, model, path, notes, "", texts)


def test_a_merge_whose_part_a_later_one_makes_is_written_with_it(tmp_path: Path) -> None:
    model = read_json(tokenizer_json(LLAMA_2, list(LETTERS), ignore_merges=False, added=False, gaps=False))
    path = tmp_path / "t.json"
    write_tokenizer(str(path), at_moment(model, 1))
    theirs = Tokenizer.from_file(str(path))
    assert set(theirs.get_vocab()) == {*LETTERS, "ab", "abc"}
    assert theirs.encode("abcd").tokens == list(LETTERS)


def test_added_tokens_come_after_those_of_the_moment_and_a_note_says_so(tmp_path: Path) -> None:
    pairs = [("a", "b"), ("ab", "c"), ("c", "d")]
    model = read_json(tokenizer_json(pairs, list(LETTERS), ignore_merges=True, added=True, gaps=False))
    path = tmp_path / "t.json"
    notes = write_tokenizer(str(path), at_moment(model, 1))
    assert notes == ('some ids are numbered anew, because added tokens must come last: "<s>" has 5, not 7',)
    theirs = Tokenizer.from_file(str(path))
    assert theirs.encode("abc").ids == [5, 4, 2]
    assert theirs.encode("abc").tokens == ["<s>", "ab", "c"]
    assert write_tokenizer(str(path), at_moment(model, 3)) == ()
    assert Tokenizer.from_file(str(path)).encode("abc").ids == [7, 5]


def test_what_would_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    model = read_json(tokenizer_json(LLAMA_2, list(LETTERS), ignore_merges=False, added=False, gaps=False))
    ids = {text: number for text, number in model.vocabulary.ids.items() if text != "ab"}
    spoiled = replace(model, vocabulary=replace(model.vocabulary, ids=ids, tokens=tuple(ids)))
    with pytest.raises(TokenizerFileError, match=r'reading it back failed, merge 1, "ab" \+ "c": "ab" is not'):
        write_tokenizer(str(tmp_path / "t.json"), spoiled)
    assert list(tmp_path.iterdir()) == []
