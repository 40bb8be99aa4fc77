"""Models of SentencePiece against the package: ids, tokens and decoding."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import assume, given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.formats.continuing import Continuation
from bpe_tui.formats.corpus_words import report_of
from bpe_tui.formats.moment import at_moment
from bpe_tui.formats.registry import (
    format_called,
    obstacle,
    read_tokenizer,
    recognise,
    refuse_as_corpus,
    write_tokenizer,
)
from bpe_tui.formats.sentencepiece.read import read
from tests.core.encoders import traced
from tests.formats.hf_files import PIECES
from tests.formats.models import ids, tokens
from tests.formats.sentencepiece_models import (
    BYTE,
    CONTROL,
    CORPUS,
    NORMAL,
    TRAININGS,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    field,
    model,
    trained,
)

PARTS = [
    *PIECES,
    *"▁ \0\ufffdﷺｶﾞ한ᄒ각ᆨ𝕒",
    *("ᄒ", "ᅡ", "ᆫ", "A\u0300", "  ", "   ", "▁▁", "a b", "<x>", "the b", "<unk>", "<ctl>", "<0xE2>", "dog", "собака"),
    *(" " * 15, "anana", "狐", "????"),
]
texts = st.text(max_size=40) | st.lists(st.sampled_from(PARTS)).map("".join) | st.sampled_from(CORPUS)
UNK = ("<unk>", 0.0, UNKNOWN)
LETTERS = [("a", -90.0, NORMAL), ("b", -91.0, NORMAL), ("\u2581", -92.0, NORMAL)]


def theirs(data: bytes) -> sentencepiece.SentencePieceProcessor:
    """The package's own reading of a file."""
    return sentencepiece.SentencePieceProcessor(model_proto=data)


@pytest.fixture(scope="module", params=TRAININGS)
def name(request: pytest.FixtureRequest) -> str:
    """The name of a training."""
    made: str = request.param
    return made


@pytest.fixture(scope="module")
def both(name: str) -> tuple[Any, Any, Any]:
    """A trained model, its encoder, and the package's."""
    data = trained(name)
    here = read(data)
    return here, here.encoder(), theirs(data)


@given(data=st.data())
def test_ids_tokens_and_decoding_are_the_package_s(both: tuple[Any, Any, Any], data: st.DataObject) -> None:
    here, encoder, there = both
    text = data.draw(texts)
    expected = there.encode(text)
    assert encoder.encode_ids(text, unknown=here.unknown) == expected
    found = encoder.encode(text, unknown=here.unknown)
    assert [token.id for token in found] == expected
    assert all(0 <= token.start <= token.end <= len(text) for token in found)
    assert encoder.decode(expected) == there.decode(expected)
    some = data.draw(st.lists(st.integers(0, len(here.vocabulary) - 1), max_size=12))
    assert encoder.decode(some) == there.decode(some)


def test_merges_are_its_pieces_by_score(both: tuple[Any, Any, Any]) -> None:
    here, encoder, there = both
    assert [there.id_to_piece(number) for number in range(there.get_piece_size())] == list(here.vocabulary.tokens)
    scores = [there.get_score(merge.id) for merge in here.vocabulary.merges]
    assert len(scores) > 40
    assert scores == sorted(scores, reverse=True)
    for text in CORPUS[-4:]:
        steps = traced(encoder, text, unknown=here.unknown)[1]
        assert steps[-1][1] == encoder.encode(text, unknown=here.unknown)


def test_places_are_those_of_what_was_typed() -> None:
    text = "  the ﬁne   ½ "
    found = [
        (token.text, text[token.start : token.end])
        for token in read(trained("as it comes")).encoder().encode(text, unknown="fuse")
    ]
    assert found == [("▁the", "the"), ("▁fine", " ﬁne"), ("▁1⁄2", "   ½")]


# -- hand-made models -------------------------------------------------------------------------------------------------

hand_made = st.lists(
    st.tuples(
        st.text("ab\u2581é", min_size=1, max_size=5),
        st.integers(-40, 0).map(float),
        st.sampled_from([NORMAL] * 12 + [USER_DEFINED, UNUSED]),
    ),
    max_size=16,
    unique_by=lambda piece: piece[0],
)


@given(pieces=hand_made, flags=st.tuples(*[st.booleans()] * 4), data=st.data())
def test_any_pieces_mean_what_they_mean_there_or_are_refused(
    pieces: list[tuple[str, float, int]], flags: tuple[bool, ...], data: st.DataObject
) -> None:
    """Also pieces that score higher than their parts, that no merge makes, and runs of one score."""
    dummy, extra, escape, suffix = flags
    there_already = {text for text, _, _ in pieces}
    file = model(
        [UNK, *pieces, *(piece for piece in LETTERS if piece[0] not in there_already)],
        trainer=field(3, 2) + field(24, int(suffix)),
        normalizer=field(3, int(dummy)) + field(4, int(extra)) + field(5, int(escape)),
    )
    there = theirs(file)
    here, reason = None, ""
    try:
        here = read(file)
    except TokenizerFileError as refused:
        reason = str(refused)
    assert here is not None or "not supported" in reason
    assume(here is not None)
    assert here is not None
    encoder = here.encoder()
    for text in data.draw(st.lists(st.text("aab \u2581éx", max_size=24), min_size=5, max_size=20)):
        assert encoder.encode_ids(text, unknown=here.unknown) == there.encode(text)
        assert encoder.decode(there.encode(text)) == there.decode(there.encode(text))


@given(
    lengths=st.sets(st.integers(2, 12), min_size=1, max_size=8),
    others=st.lists(
        st.text("a\u2581", min_size=2, max_size=5).filter(lambda text: "a" in text), unique=True, max_size=5
    ),
    data=st.data(),
)
def test_runs_of_one_score_grow_from_the_left(lengths: set[int], others: list[str], data: st.DataObject) -> None:
    """As in the models of Llama and Mistral."""
    runs = [("\u2581" * length, -1e9, NORMAL) for length in sorted(lengths, key=hash)]
    scored = [(text, -1.0 - place, NORMAL) for place, text in enumerate(others[:3])]
    scored += [(text, -2e9 - place * 1e8, NORMAL) for place, text in enumerate(others[3:])]
    file = model([UNK, *runs, *scored, *LETTERS], normalizer=field(4, 0))
    here, there = read(file), theirs(file)
    encoder = here.encoder()
    for _ in range(10):
        text = data.draw(st.text("a   ", max_size=60))
        assert encoder.encode_ids(text, unknown=here.unknown) == there.encode(text)


# -- what is refused ---------------------------------------------------------------------------------------------------

CHARS = [UNK, *LETTERS]
REFUSED: dict[str, tuple[bytes, str]] = {
    "unigram": (model(CHARS, trainer=field(3, 1)), "a SentencePiece model of the kind unigram; only"),
    "no kind": (model(CHARS, trainer=b""), "of the kind unigram"),
    "word": (model(CHARS, trainer=field(3, 3)), "of the kind word"),
    "char": (model(CHARS, trainer=field(3, 4)), "of the kind char"),
    "scores": (model([*CHARS, ("ab", -1.0, NORMAL), ("ba", -1.0, NORMAL)]), '"ab" and "ba" have the same score, -1,'),
    "runs": (
        model([*CHARS, ("aa", -1.0, NORMAL), ("aaa", -2.0, NORMAL), ("aaaa", -2.0, NORMAL)]),
        '"aaaa" and "aaa" have the same score, -2,',
    ),
    "not a number": (model([*CHARS, ("ab", float("nan"), NORMAL)]), 'the score of "ab" is no number'),
    "unused": (model([*CHARS, ("ab", -1.0, UNUSED)]), '"ab" is marked as unused, and would be used'),
    "unused character": (model([*CHARS, ("c", -1.0, UNUSED)]), '"c" is marked as unused, and would be used'),
    "alien": (model([*CHARS, ("ax", -1.0, NORMAL)]), '"ax" is a piece, but its character "x" is none'),
    "twice": (model([*CHARS, ("a", -1.0, CONTROL)]), 'pieces 1 and 4 are both "a"'),
    "empty": (model([*CHARS, ("", -1.0, NORMAL)]), "piece 4 is empty"),
    "kind": (model([*CHARS, ("c", -1.0, 9)]), 'piece 4, "c", is of a kind that is not known, 9'),
    "no unknown": (model(LETTERS), "0 unknown pieces"),
    "control": (model([*CHARS, ("c", 0.0, CONTROL)]), 'the control symbol "c" is one character'),
    "NUL": (model([*CHARS, ("c\0d", 0.0, USER_DEFINED)]), "has a NUL in it"),
    "byte": (model([*CHARS, ("<0x41>", 0.0, BYTE)]), '"<0x41>" is called a byte, and byte_fallback is off'),
    "bytes": (model(CHARS, trainer=field(3, 2) + field(35, 1)), "pieces for 0 of the 256 bytes"),
    "no byte": (
        model([*CHARS, ("<0xzz>", 0.0, BYTE)], trainer=field(3, 2) + field(35, 1)),
        '"<0xzz>" is called a byte, and is written otherwise',
    ),
    "no text": (model([*CHARS, (b"\xff", 0.0, NORMAL)]), "piece 4 is not UTF-8 text"),
    "self-test": (model(CHARS, more=field(4, b"")), "samples to test itself"),
    "denormalizer": (model(CHARS, more=field(5, field(2, b"x"))), "its denormalizer"),
    "map": (model(CHARS, normalizer=field(2, b"\4\0\0\0abcdefgh")), "its map of characters is broken"),
    "map without text": (model(CHARS, normalizer=field(2, b"\4\0\0\0abcd")), "its map of characters is broken"),
    "a field": (model(CHARS, trainer=field(3, b"2")), "a value is not of the kind that is expected"),
    "a message": (model(CHARS, more=field(2, 7)), "a value is not of the kind that is expected"),
    "a length": (model(CHARS, more=b"\x0a\x7f"), "no field of protobuf"),
    "a group": (model(CHARS, more=b"\x0b"), "no field of protobuf"),
    "field 0": (model(CHARS, more=b"\x00\x00"), "no field of protobuf"),
    "an endless number": (model(CHARS, more=b"\x30" + b"\xff" * 11), "no field of protobuf"),
    "half a float": (model(CHARS, more=b"\x35\0\0"), "no field of protobuf"),
    "long": (model([*CHARS, ("ab" * 40_000, -1.0, NORMAL)]), "its pieces are too long"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_followed_is_refused_by_name(case: str, tmp_path: Path) -> None:
    data, says = REFUSED[case]
    path = tmp_path / "tokenizer.model"
    path.write_bytes(data)
    with pytest.raises(TokenizerFileError) as caught:
        read_tokenizer(str(path), name="sentencepiece")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def units(byte: int, place: int) -> bytes:
    """A trie of three blocks of 256 units that maps one byte: the root is in the first, the byte in the second."""
    trie = [0] * 768
    trie[0] = 256 << 10
    trie[256 ^ byte] = 768 << 10 | 1 << 8 | byte
    trie[512 ^ byte] = 1 << 31 | place
    return b"".join(unit.to_bytes(4, "little") for unit in trie)


def test_a_map_that_reads_past_its_end_or_makes_no_text_is_refused() -> None:
    trie = units(ord("q"), 0)
    whole = len(trie).to_bytes(4, "little") + trie + b"b\0\xff\0"
    file = model([*CHARS], normalizer=field(2, whole))
    assert ids(read(file), "qa") == theirs(file).encode("qa") == ids(read(file), "ba")
    for bad, says in {
        len(trie).to_bytes(4, "little") + units(ord("q"), 2) + b"b\0\xff\0": "no UTF-8 text",
        len(trie).to_bytes(4, "little") + units(ord("q"), 9) + b"b\0\xff\0": "is broken",
        len(trie).to_bytes(4, "little") + units(0xE2, 0) + b"b\0\xff\0": "a part of a character",
        (len(trie) - 1024).to_bytes(4, "little") + trie[:-1024] + b"b\0": "is broken",
        (10_000).to_bytes(4, "little") + trie + b"b\0": "is broken",
    }.items():
        with pytest.raises(TokenizerFileError, match=says):
            read(model([*CHARS], normalizer=field(2, bad)))


def test_what_merging_never_makes_is_harmless() -> None:
    """Pieces that are unused, or have a user-defined symbol or a space in them."""
    file = model(
        [*CHARS, ("bab", -1.0, UNUSED), ("<x>", 0.0, USER_DEFINED), ("a<x>", -3.0, NORMAL), ("a b", -3.0, NORMAL)]
    )
    here, there = read(file), theirs(file)
    assert not here.vocabulary.merges
    for text in ("bab", "a<x>", "a b a<x>b"):
        assert ids(here, text) == there.encode(text)


# -- around it ---------------------------------------------------------------------------------------------------------


def test_it_is_known_by_its_content_whatever_its_name(tmp_path: Path) -> None:
    for name in ("tokenizer.model", "x.json", "x.tiktoken", "notes.txt", "nothing"):
        path = tmp_path / name
        path.write_bytes(trained("identity"))
        assert recognise(str(path)) is format_called("sentencepiece")
        assert len(read_tokenizer(str(path)).vocabulary) == len(read(trained("identity")).vocabulary)
        with pytest.raises(TokenizerFileError, match=r"is a tokenizer \(SentencePiece's \.model\), not a corpus"):
            refuse_as_corpus(str(path))
    with pytest.raises(TokenizerFileError, match="--pre-tokenizer is not for this format"):
        read_tokenizer(str(tmp_path / "tokenizer.model"), {"pre_tokenizer": "gpt2"})


def test_control_symbols_are_text_unless_special_tokens_are_allowed() -> None:
    here, there = read(trained("symbols")), theirs(trained("symbols"))
    assert here.vocabulary.specials == ("<s>", "</s>", "<ctl>")
    text = "the dog<ctl>the fox"
    assert ids(here, text) == there.encode(text)
    control = there.piece_to_id("<ctl>")
    assert ids(here, text, special=True) == [*there.encode("the dog"), control, *there.encode("the fox")]
    assert tokens(here, "<s>", allow_special=True) == ["<s>"]


@pytest.fixture(scope="module", params=["identity", "like Llama"])
def converted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Any]:
    """A trained model in the package, and its tokenizer.json in `tokenizers` and here."""
    data = trained(request.param)
    path = str(tmp_path_factory.mktemp("converted") / "tokenizer.json")
    write_tokenizer(path, read(data))
    return theirs(data), Tokenizer.from_file(path), read_tokenizer(path)


@given(text=texts.filter(lambda text: "<s>" not in text and "</s>" not in text))
def test_a_tokenizer_json_of_it_encodes_the_same(converted: tuple[Any, Any, Any], text: str) -> None:
    there, in_tokenizers, here = converted
    expected = there.encode(text)
    assert in_tokenizers.encode(text, add_special_tokens=False).ids == expected
    assert ids(here, text) == expected


REASONS = {
    ("as it comes", "huggingface"): "grapheme clusters",
    ("symbols, identity", "huggingface"): "user-defined symbols",
    ("suffixes, across words", "huggingface"): "cannot put a space behind a text",
    ("identity", "gpt2"): "an alphabet of bytes",
    ("identity", "merges"): "a file of merges cannot represent",
    ("identity", "tiktoken"): "tiktoken merges bytes",
    ("identity", "minbpe"): "minbpe merges bytes",
    ("identity", "sentencepiece"): "models of SentencePiece are only read",
}


@pytest.mark.parametrize("case", REASONS)
def test_what_cannot_hold_it_says_why(case: tuple[str, str]) -> None:
    name, target = case
    assert REASONS[case] in obstacle(read(trained(name)), target)


@pytest.mark.parametrize("name", ["nfkc", "symbols, identity", "suffixes, across words"])
def test_a_session_holds_it(name: str, tmp_path: Path) -> None:
    here = read(trained(name))
    path = str(tmp_path / "x.bpe.json")
    write_tokenizer(path, here)
    again = read_tokenizer(path)
    assert (again.vocabulary, again.options, again.dialect) == (here.vocabulary, here.options, here.dialect)
    rng = random.Random(5)
    for _ in range(20):
        text = "".join(rng.choices(PARTS, k=8))
        assert ids(again, text) == ids(here, text)


def test_an_earlier_moment_is_a_model_with_fewer_pieces() -> None:
    here = read(trained("identity"))
    earlier = at_moment(here, 40)
    encoder = here.encoder()
    encoder.timeline.goto(40)
    assert len(earlier.vocabulary.merges) == 40
    for text in CORPUS:
        assert ids(earlier, text) == encoder.encode_ids(text, unknown=here.unknown)
    assert encoder.encode_ids(CORPUS[-1], unknown="fuse") != ids(here, CORPUS[-1])


@pytest.mark.parametrize("name", TRAININGS)
def test_training_goes_on_from_a_model(name: str) -> None:
    """Its pieces keep their ids, and what no new merge touches is encoded as `sentencepiece` does."""
    before = read(trained(name))
    theirs = sentencepiece.SentencePieceProcessor(model_proto=trained(name))
    continuation = Continuation("t.model", before)
    options = continuation.options({"merges": 12})
    corpus = text_corpus("the quickest doggy, quickest foxes\u3000\uff46ox  the  quickest doggy\n" * 4)
    trainer = continuation.trainer(continuation.count(corpus, options), options)
    trainer.run()
    after = continuation.model_with(trainer.vocabulary(), options)
    size = len(before.vocabulary)
    assert len(after.vocabulary) > size
    assert dict(list(after.vocabulary.ids.items())[:size]) == dict(before.vocabulary.ids)
    ours = after.encoder()
    draw = random.Random(name)
    parts = (
        "the ",
        "quickest",
        " doggy",
        "fox",
        " ",
        "\uff46",
        "\ufb01",
        "é",
        "犬",
        "<x>",
        "▁",
        "anana",
        "1",
        "\n",
        "ж",
    )
    as_before = 0
    for _ in range(120):
        text = "".join(draw.choices(parts, k=draw.randrange(9)))
        found = [token.id or 0 for token in ours.encode(text, unknown=after.unknown)]
        if max(found, default=0) < size:
            as_before += 1
            assert found == theirs.encode(text)
    assert as_before > 5


def test_characters_outside_a_model_become_bytes_where_it_falls_back_on_them() -> None:
    continuation = Continuation("t.model", read(trained("like Llama")))
    options = continuation.options({"merges": 2})
    words = continuation.count(text_corpus("the dog \u2603\u2603 dog"), options)
    assert continuation.trainer(words, options).words.notes == (
        "2 characters of the corpus are not in the alphabet of t.model and become bytes: no merge crosses them",
    )


def test_a_seed_outside_the_alphabet_of_a_model_is_refused_without_advice_that_from_refuses() -> None:
    continuation = Continuation("t.model", read(trained("as it comes")))
    options = continuation.options({"merges": 2, "seed_tokens": ("d\u2603g",)})
    words = continuation.count(text_corpus("the dog\n"), options)
    with pytest.raises(OptionError, match=r"is not in the alphabet of t\.model; leave the seed out, or train without"):
        continuation.trainer(words, options)


@pytest.mark.parametrize("name", ["as it comes", "like Llama", "suffixes", "symbols"])
def test_a_report_on_a_model_counts_what_sentencepiece_makes(name: str) -> None:
    model = read(trained(name))
    theirs = sentencepiece.SentencePieceProcessor(model_proto=trained(name))
    lines = [*(line.rstrip("\r") for line in CORPUS), "\uff46ox  \ufb01ne <x> banana \u2603"]
    report = report_of(model, text_corpus("\n".join(lines)))
    assert report.corpus is not None
    assert report.corpus.total.tokens == sum(len(theirs.encode(line)) for line in lines)
