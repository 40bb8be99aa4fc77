"""Encoding, decoding and the trace: against the textbook, against each other, and policy by policy."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_tui.core.alphabet import bytes_to_chars, utf8, word_symbols
from bpe_tui.core.corpus import WordCounts, count_words, text_corpus
from bpe_tui.core.encoder import UNKNOWN, Encoder, Token
from bpe_tui.core.errors import EncodeError, OptionError
from bpe_tui.core.presets import ALPHABETS, PRE_TOKENIZERS, UNKNOWN_POLICIES, Options, make_options
from bpe_tui.core.pretokenize import METASPACE
from bpe_tui.core.reference import encode as encode_as_textbooks_do
from bpe_tui.core.states import Step
from bpe_tui.core.trainer import Trainer
from bpe_tui.core.vocabulary import Merge, Vocabulary
from bpe_tui.core.word_merges import LearnedMerges
from tests.core.corpora import dialects, hostile_words, tables

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
MIXED = (
    "the cat sat, the cats sat; don't, DON'T 1234 12345\n\n  two  spaces\tand a tab\r\n"
    "café cafe\u0301 naïve 日本語 日本 😀😀 👩\u200d👩\u200d👧 हिन्दी ภาษา aaaa aaaaa banana\u00a0banana ▁x\n"
) * 2
FIRST_MERGES = {"toy": 3, "course": 60, "huggingface": 60, "minbpe": 60, "paper": 10, "subword-nmt": 40}

any_text = st.text() | st.text("abt hecs'.,\n\t 1é日😀\u0301\u200d\u00a0▁") | st.sampled_from(MIXED.split("\n"))


def trained(text: str, preset: str = "course", **overrides: Any) -> Trainer:
    options = make_options(preset, **{"merges": 60, **overrides})
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.run()
    return trainer


def hug(merges: int = 3, **overrides: Any) -> Encoder:
    trainer = Trainer(WordCounts(list(HUG), list(HUG.values())), make_options("toy", merges=merges, **overrides))
    trainer.run()
    return Encoder.of(trainer)


def texts(tokens: list[Token]) -> str:
    return " ".join(token.text for token in tokens)


def in_words(encoder: Encoder, text: str, **how: Any) -> list[list[str]]:
    return [[token.text for token in word] for word in encoder.by_word(text, **how)]


def encoded_plainly(symbols: list[str], merges: list[tuple[str, str]]) -> list[str]:
    """The definition: the pair with the lowest rank, leftmost first, until none is left; of two equal merges the later
    one counts."""
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    tokens = list(symbols)
    while True:
        found = [(ranks[pair], place) for place, pair in enumerate(pairwise(tokens)) if pair in ranks]
        if not found:
            return tokens
        place = min(found)[1]
        tokens[place : place + 2] = [tokens[place] + tokens[place + 1]]


ENCODERS = {
    f"{name}, {alphabet}": Encoder.of(trained(MIXED, pre_tokenizer=name, alphabet=alphabet))
    for name in PRE_TOKENIZERS
    for alphabet in ALPHABETS
}
ENCODERS |= {preset: Encoder.of(trained(MIXED, preset, merges=merges)) for preset, merges in FIRST_MERGES.items()}

encoders = st.sampled_from(sorted(ENCODERS)).map(ENCODERS.__getitem__)
forgiving = st.sampled_from([policy for policy in UNKNOWN_POLICIES if policy != "error"])


# -- what is merged -----------------------------------------------------------------------------------------------


@given(tables, dialects, st.lists(hostile_words, max_size=4), st.integers(0, 40))
def test_encoding_is_the_definition(words: WordCounts, options: Options, fresh: list[str], position: int) -> None:
    trainer = Trainer(words, options.replace(pre_tokenizer="none"))
    trainer.goto(position)
    encoder = Encoder.of(trainer)
    steps = trainer.steps[: trainer.position]
    merges = [(step.merge.left, step.merge.right) for step in steps]
    known = set(trainer.base.alphabet)
    for word in [*words.words, *fresh]:
        symbols = word_symbols(word, options)
        if not known.issuperset(symbols):
            continue
        tokens = [token.text for token in encoder.encode(word)]
        assert tokens == encoded_plainly(symbols, merges)
        # Where tokens are made in one way only, the earliest merge first is the merges in the order learned.
        if not any(step.reused for step in steps):
            assert tokens == encode_as_textbooks_do(symbols, merges)


@given(tables, dialects)
def test_the_words_of_the_corpus_encode_to_how_they_are_split(words: WordCounts, options: Options) -> None:
    trainer = Trainer(words, options.replace(pre_tokenizer="none"))
    trainer.goto(12)
    if any(step.reused for step in trainer.steps):
        return
    encoder = Encoder.of(trainer)
    for index, word in enumerate(words.words):
        assert encoder.encode_ids(word) == list(trainer.word(index).tokens)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14), st.lists(st.integers(-1, 9), max_size=40)
)
def test_short_long_and_traced_words_agree_on_any_merges(pairs: list[tuple[int, int]], symbols: list[int]) -> None:
    merges = LearnedMerges()
    for made, (left, right) in enumerate(pairs, 4):  # some merges use what only later ones make
        if made not in (left, right):
            merges.add(left, right, made)
    pieces = merges.pieces(symbols)
    assert merges._merge_long(symbols) == pieces
    assert merges.merge(symbols) == [token for token, _ in pieces]
    moments = [now for _, now in merges.trace(symbols)]
    assert (moments[-1] if moments else [(symbol, 1) for symbol in symbols]) == pieces


def test_a_merge_waits_if_an_earlier_one_can_fire() -> None:
    merges = LearnedMerges()
    merges.add(9, 0, 8)  # (ab)a, with a token that only the next merge makes
    merges.add(0, 1, 9)
    assert merges.pieces([0, 1, 0, 1]) == merges._merge_long([0, 1, 0, 1]) == [(8, 3), (1, 1)]
    assert list(merges.trace([0, 1, 0, 1])) == [(1, [(9, 2), (0, 1), (1, 1)]), (0, [(8, 3), (1, 1)])]


def test_long_words_merge_as_short_ones() -> None:
    encoder = ENCODERS["none, all-bytes"]
    merges = encoder._lexicon.merges
    rng = random.Random(5)
    for _ in range(30):
        word = "".join(rng.choices(["the ", "cat", "s", " sat", "na", "aaa", "日本", "é"], k=rng.randint(1, 90)))
        symbols = encoder._speller.ids(word)
        tokens = list(symbols)
        merges._merge_short(tokens)
        assert [token for token, _ in merges._merge_long(symbols)] == tokens
        assert encoder.encode_ids(word) == tokens


def test_of_two_merges_of_one_pair_the_later_counts_and_time_travel_knows_both() -> None:
    merges = LearnedMerges()
    for left, right, made in [(0, 1, 4), (2, 3, 5), (0, 1, 6), (0, 1, 7)]:
        merges.add(left, right, made)
    ranks = []
    for moment in (4, 3, 2, 1, 0, 4, 1, 3):
        merges.use(moment)
        ranks.append(merges.rank(0, 1))
    assert ranks == [3, 2, 0, 0, None, 3, 0, 2]
    merges.forget(2)
    assert (len(merges), merges.in_force, merges.rank(0, 1)) == (2, 2, 0)
    merges.forget(0)
    assert (len(merges), merges.rank(0, 1)) == (0, None)


# -- the trace ----------------------------------------------------------------------------------------------------


@given(encoders, any_text, forgiving)
def test_the_trace_ends_in_what_encode_gives(encoder: Encoder, text: str, unknown: str) -> None:
    start, rows = encoder.trace(text, unknown=unknown)
    encoded = encoder.encode(text, unknown=unknown)
    assert start == encoder.start(text, unknown=unknown)
    assert (list(rows[-1].tokens) if rows else start) == encoded
    assert encoder.encode_ids(text, unknown=unknown) == [UNKNOWN if token.id is None else token.id for token in encoded]
    sizes = [len(start), *(len(row.tokens) for row in rows)]
    assert all(before > after for before, after in pairwise(sizes))
    assert all(row.merge.token in {token.text for token in row.tokens} for row in rows)


def test_the_trace_shows_one_row_for_each_merge_that_fired() -> None:
    start, rows = hug(4).trace("hugs mug pun")
    assert texts(start) == "h u g s [UNK] u g p u n"
    assert [(row.rank, row.merge.left, row.merge.right, texts(list(row.tokens))) for row in rows] == [
        (0, "u", "g", "h ug s [UNK] ug p u n"),
        (1, "u", "n", "h ug s [UNK] ug p un"),
        (2, "h", "ug", "hug s [UNK] ug p un"),
        (3, "p", "un", "hug s [UNK] ug pun"),
    ]


def test_special_tokens_stay_as_they_are_in_the_trace() -> None:
    encoder = Encoder.of(trained("ab ab ab <s>", "toy", specials=("ab",), specials_in_corpus="text"))
    start, rows = encoder.trace("abab", allow_special=True)
    assert texts(start) == "ab ab"
    assert rows == []


# -- unknown symbols ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unknown", "tokens"),
    [("token", "h [UNK] [UNK] ug s"), ("fuse", "h [UNK] ug s"), ("drop", "hug s"), ("bytes", "h [UNK] [UNK] ug s")],
)
def test_unknown_policies(unknown: str, tokens: str) -> None:
    assert texts(hug().encode("hXéugs", unknown=unknown)) == tokens


def test_unknown_symbols_are_set_aside_before_any_merge() -> None:
    encoder = hug()
    # Dropped first, so that h and ug meet; merged first, they would stay h and ug.
    (token,) = encoder.encode("hXug", unknown="drop")
    assert (token.text, token.start, token.end) == ("hug", 0, 4)
    assert [(token.text, token.id, token.unknown) for token in encoder.encode("mug")] == [
        ("[UNK]", None, True),
        ("ug", 7, False),
    ]


def test_a_run_of_unknowns_is_fused_within_a_word_only() -> None:
    tokens = hug().encode("XY Z", unknown="fuse")
    assert [(token.text, token.start, token.end) for token in tokens] == [("[UNK]", 0, 2), ("[UNK]", 3, 4)]


def test_the_policy_error_names_symbol_and_place() -> None:
    for encode in (hug().encode, hug().encode_ids, hug().trace, hug().start):
        with pytest.raises(EncodeError, match=r"^'X' at character 6 is not in the alphabet$"):
            encode("hug huXg", unknown="error")
    assert texts(hug().encode("hug", unknown="error")) == "hug"
    with pytest.raises(EncodeError, match="'é' at character 1 "):
        Encoder.of(trained("h", pre_tokenizer="metaspace")).encode("hé", unknown="error")


def test_a_policy_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match="--unknown 'x' is not one of token, fuse, drop, bytes, error"):
        hug().encode("hug", unknown="x")


def test_a_typed_unknown_token_is_no_unknown() -> None:
    trainer = Trainer(WordCounts(["[UNK]", "hug"], [2, 1]), make_options("toy", merges=4))
    trainer.run()
    encoder = Encoder.of(trainer)
    typed, unknown = encoder.encode("[UNK] X")
    assert (typed.text, typed.unknown, typed.id) == ("[UNK]", False, trainer.vocabulary().ids["[UNK]"])
    assert (unknown.text, unknown.unknown, unknown.id) == ("[UNK]", True, None)
    assert all(not token.unknown for token in ENCODERS["huggingface"].encode("[UNK]"))
    assert encoder.encode_ids("[UNK] X") == [typed.id, UNKNOWN]


def test_the_unknown_token_has_an_id_if_it_is_a_special_token() -> None:
    encoder = hug(specials=("<s>", "[UNK]"))
    (unknown,) = encoder.encode("X")
    assert (unknown.id, unknown.unknown) == (1, True)
    assert encoder.encode_ids("Xug") == [1, encoder.id_of("ug")]
    (typed,) = encoder.encode("[UNK]", allow_special=True)
    assert (typed.id, typed.unknown) == (1, False)


@pytest.mark.parametrize("alphabet", ["characters", "seen-bytes"])
def test_byte_fallback(alphabet: str) -> None:
    names = tuple(f"<0x{byte:02X}>" for byte in range(256))
    encoder = hug(specials=names, alphabet=alphabet)
    tokens = encoder.encode("hé日", unknown="bytes")
    assert texts(tokens) == "h <0xC3> <0xA9> <0xE6> <0x97> <0xA5>"
    assert [(token.start, token.end) for token in tokens] == [(0, 1), (1, 2), (1, 2), (2, 3), (2, 3), (2, 3)]
    assert not any(token.unknown for token in tokens)
    assert encoder.decode(encoder.encode_ids("hé日", unknown="bytes")) == "hé日"


def test_byte_fallback_without_all_the_bytes_of_a_symbol() -> None:
    encoder = hug(specials=("<0xC3>",))
    assert texts(encoder.encode("éÃ", unknown="bytes")) == "[UNK] [UNK]"


def test_a_learned_token_that_looks_like_a_byte_is_text() -> None:
    trainer = Trainer(WordCounts(["<0x41>"], [1]), make_options("toy", merges=9))
    trainer.run()
    for encoder in (Encoder.of(trainer), Encoder(trainer.vocabulary(), trainer.options)):
        ids = encoder.encode_ids("<0x41>")
        assert len(ids) == 1
        assert encoder.decode(ids) == "<0x41>"


# -- special tokens -----------------------------------------------------------------------------------------------


def test_special_tokens_are_plain_text_unless_allowed() -> None:
    encoder = ENCODERS["course"]
    text = "the<|endoftext|>cat"
    assert "<|endoftext|>" not in [token.text for token in encoder.encode(text)]
    tokens = encoder.encode(text, allow_special=True)
    (special,) = [token for token in tokens if token.text == "<|endoftext|>"]
    assert (special.id, special.start, special.end, special.unknown) == (0, 3, 16, False)
    assert encoder.encode_ids(text, allow_special=True) == [token.id for token in tokens]
    assert encoder.decode([token.id for token in tokens if token.id is not None]) == text


def test_the_longest_special_token_goes_first() -> None:
    encoder = hug(specials=("<a>", "<a><b>"))
    assert [token.text for token in encoder.encode("<a><b><a>", allow_special=True)] == ["<a><b>", "<a>"]


# -- places -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@given(text=any_text)
def test_characters_cover_what_was_typed(name: str, text: str) -> None:
    encoder = ENCODERS[f"{name}, characters"]
    for token in encoder.encode(text):
        covered = text[token.start : token.end]
        if name == "metaspace":
            covered = covered.replace(" ", METASPACE)
            assert token.unknown or token.text in (covered, METASPACE + covered)
        else:
            assert token.unknown or token.text == covered
        assert not token.unknown or token.end == token.start + 1 or name == "metaspace"


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@given(text=any_text)
def test_bytes_cover_the_characters_they_are_part_of(name: str, text: str) -> None:
    tokens = ENCODERS[f"{name}, all-bytes"].encode(text)
    for token in tokens:
        covered = text[token.start : token.end].replace(" ", METASPACE) if name == "metaspace" else None
        inside = bytes_to_chars(utf8(text[token.start : token.end] if covered is None else METASPACE + covered))
        assert token.text in inside
    starts = [token.start for token in tokens]
    assert starts == sorted(starts)


def test_places_of_accents_emoji_and_parts_of_characters() -> None:
    encoder = Encoder.of(trained("x", "huggingface", merges=0))
    tokens = encoder.encode("e\u0301😀a")
    assert [(token.start, token.end) for token in tokens] == [
        (0, 1),
        *[(1, 2)] * 2,
        *[(2, 3)] * 4,
        (3, 4),
    ]


def test_a_metaspace_that_was_not_typed_covers_nothing() -> None:
    encoder = Encoder.of(trained("hi hi", pre_tokenizer="metaspace", alphabet="characters", merges=0))
    assert [(token.text, token.start, token.end) for token in encoder.encode("hi hi")] == [
        ("▁", 0, 0),
        ("h", 0, 1),
        ("i", 1, 2),
        ("▁", 2, 3),
        ("h", 3, 4),
        ("i", 4, 5),
    ]


def test_an_ending_that_is_a_symbol_covers_nothing() -> None:
    trainer = Trainer(WordCounts(["low"], [1]), make_options("paper", merges=0))
    tokens = Encoder.of(trainer).encode("low lo")
    assert [(token.text, token.start, token.end) for token in tokens[3:]] == [
        ("</w>", 3, 3),
        ("l", 4, 5),
        ("o", 5, 6),
        ("</w>", 6, 6),
    ]


def test_words_come_one_at_a_time() -> None:
    assert in_words(hug(), "hugs XX pun") == [["hug", "s"], ["[UNK]", "[UNK]"], ["p", "un"]]
    assert in_words(hug(), "hugs XX pun", unknown="drop") == [["hug", "s"], [], ["p", "un"]]
    assert in_words(hug(), "hugs", merged=False) == [["h", "u", "g", "s"]]
    text = "pun bug hugs"
    encoder = hug()
    assert in_words(encoder, text, spans=encoder.spans(text)[1:2]) == [["b", "ug"]]


# -- decoding -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["", "</w>"])
@pytest.mark.parametrize("style", ["suffix", "symbol"])
@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "none"])
def test_any_text_comes_back_from_bytes(name: str, style: str, ending: str) -> None:
    trainer = trained(
        MIXED, "huggingface", pre_tokenizer=name, end_of_word=ending, end_of_word_style=style, specials=()
    )
    # Every byte can end a word once all of them have.
    every = [*map(chr, range(0x80)), *(chr(code) for code in range(0x80, 0x110000, 61) if not 0xD800 <= code < 0xE000)]
    if ending:
        words = WordCounts([*trainer.words.words, *every], [*trainer.words.counts, *[1] * len(every)])
        trainer = Trainer(words, trainer.options)
        trainer.run()
    encoder = Encoder.of(trainer)

    @given(any_text)
    def comes_back(text: str) -> None:
        ids = encoder.encode_ids(text)
        assert encoder.decode(ids) == text
        assert encoder.decode_bytes(ids) == text.encode()

    comes_back()


@pytest.mark.parametrize("preset", ["huggingface", "minbpe"])
@given(text=any_text)
def test_any_text_comes_back_under_the_presets_of_bytes(preset: str, text: str) -> None:
    encoder = ENCODERS[preset]
    assert encoder.decode(encoder.encode_ids(text)) == text
    assert encoder.decode(encoder.encode_ids(text, allow_special=True)) == text


def test_a_lone_surrogate_is_the_replacement_character() -> None:
    encoder = ENCODERS["huggingface"]
    for text in ("\ud83d", "\ude00\ud83d", "a\ud83d\ude00b"):
        there = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
        assert encoder.encode_ids(text) == encoder.encode_ids(there)
        assert [(token.start, token.end) for token in encoder.encode(text)] == [
            (token.start, token.end) for token in encoder.encode(there)
        ]


def test_half_a_character_is_a_replacement_on_screen_and_exact_in_bytes() -> None:
    encoder = Encoder.of(trained("x", "minbpe", merges=0))
    assert encoder.decode([0xE6, 0x97]) == "\ufffd"
    assert encoder.decode_bytes([0xE6, 0x97]) == b"\xe6\x97"


@pytest.mark.parametrize("style", ["suffix", "symbol"])
def test_an_ending_becomes_a_space_where_words_do_not_hold_them(style: str) -> None:
    trainer = Trainer(
        WordCounts(["low", "lower", "newest"], [5, 2, 6]), make_options("paper", end_of_word_style=style, merges=9)
    )
    trainer.run()
    encoder = Encoder.of(trainer)
    assert encoder.decode(encoder.encode_ids("lower  low newest ")) == "lower low newest"
    start = encoder.id_of("l")
    assert start is not None
    assert encoder.decode([start, start, *encoder.encode_ids("low"), start]) == "lllow l"


def test_metaspaces_become_spaces() -> None:
    encoder = ENCODERS["metaspace, characters"]
    assert encoder.decode(encoder.encode_ids("two  spaces and")) == "two  spaces and"


@pytest.mark.parametrize("token", [-1, 10, 10**20])
def test_an_id_that_no_token_has(token: int) -> None:
    with pytest.raises(EncodeError, match=f"there is no token with id {token}"):
        hug().decode([0, token])


def test_an_undone_token_has_no_id_and_no_text() -> None:
    trainer = Trainer(WordCounts(list(HUG), list(HUG.values())), make_options("toy", merges=3))
    encoder = Encoder.of(trainer)
    trainer.run()
    assert (encoder.decode([9]), encoder.id_of("hug")) == ("hug", 9)
    trainer.undo()
    assert encoder.id_of("hug") is None
    with pytest.raises(EncodeError, match="no token with id 9"):
        encoder.decode([9])


# -- vocabularies from elsewhere ------------------------------------------------------------------------------------


def test_ids_with_gaps() -> None:
    ids = {"a": 3, "b": 10, "ab": 7, "<s>": 100, "[UNK]": 2}
    vocabulary = Vocabulary(
        tokens=("[UNK]", "a", "ab", "b", "<s>"),
        specials=("<s>",),
        alphabet=("a", "b"),
        merges=(Merge("a", "b", "ab", 3, 10, 7, 0),),
        ids=ids,
    )
    encoder = Encoder(vocabulary, make_options("toy"))
    assert [(token.text, token.id) for token in encoder.encode("abaX")] == [("ab", 7), ("a", 3), ("[UNK]", 2)]
    assert encoder.encode_ids("<s>abX", allow_special=True) == [100, 7, 2]
    assert encoder.decode([100, 7, 10]) == "<s>abb"
    with pytest.raises(EncodeError, match="no token with id 4"):
        encoder.decode([4])


def test_merges_in_any_order_are_used_by_rank() -> None:
    merges = (Merge("b", "c", "bc", 1, 2, 4, 9), Merge("a", "b", "ab", 0, 1, 3, 2))
    tokens = ("a", "b", "c", "ab", "bc")
    vocabulary = Vocabulary(tokens, (), tokens[:3], merges, {token: place for place, token in enumerate(tokens)})
    encoder = Encoder(vocabulary, make_options("toy"))
    assert texts(encoder.encode("abcbc")) == "ab c bc"
    assert [row.rank for row in encoder.trace("abcbc")[1]] == [2, 9]
    merge = encoder.merge_of(1, 2)
    assert merge is not None
    assert merge.rank == 9


# -- following a trainer --------------------------------------------------------------------------------------------


@settings(max_examples=settings().max_examples // 2)
@given(tables, dialects, st.lists(st.sampled_from("nnnubct") | st.integers(0, 9), max_size=25), st.randoms())
def test_an_encoder_that_follows_is_one_made_afresh(
    words: WordCounts,
    options: Options,
    walk: list[str | int],
    random: random.Random,
) -> None:
    trainer = Trainer(words, options.replace(pre_tokenizer="none"))
    following = Encoder.of(trainer)
    for move in walk:
        if isinstance(move, int):
            trainer.goto(move)
        elif move == "n":
            trainer.step()
        elif move == "u":
            trainer.undo()
        elif move == "b":
            trainer.goto(max(0, trainer.position - 3))
        elif move == "t":
            trainer.set_ties(random.choice(["first-seen", "lowest-id"]))
        elif rows := trainer.pairs(0, 100):
            row = random.choice(rows)
            trainer.choose(row.left_id, row.right_id)
        vocabulary = trainer.vocabulary()
        fresh = Encoder(vocabulary, trainer.options)
        assert following.options == trainer.options
        for word in words.words[:3]:
            tokens = following.encode(word)
            assert tokens == fresh.encode(word)
            assert following.trace(word) == fresh.trace(word)
            assert following.encode_ids(word) == fresh.encode_ids(word)
            ids = [token.id for token in tokens if token.id is not None]
            assert following.decode_bytes(ids) == fresh.decode_bytes(ids)
        for token in (*vocabulary.tokens, "no such"):
            assert following.id_of(token) == vocabulary.ids.get(token)
        for merge in vocabulary.merges:
            assert following.merge_of(merge.left_id, merge.right_id) == fresh.merge_of(merge.left_id, merge.right_id)


def test_following_one_merge_looks_at_one_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trained(MIXED, merges=80)
    following = Encoder.of(trainer)
    looked_at: list[int] = []
    step_at = trainer.step_at

    def watched(rank: int) -> Step:
        looked_at.append(rank)
        return step_at(rank)

    monkeypatch.setattr(trainer, "step_at", watched)
    for move in (trainer.undo, trainer.undo, trainer.redo, trainer.undo):
        move()
        looked_at.clear()
        following.encode_ids("the cat")
        assert looked_at == []
    row = trainer.pairs(1, 2)[0]
    trainer.choose(row.left_id, row.right_id)
    looked_at.clear()
    following.encode_ids("the cat")
    assert looked_at == [trainer.position - 1]
