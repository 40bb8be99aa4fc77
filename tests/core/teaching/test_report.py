"""The figures of a report: by hand for hug, and for random texts and merges against plainly encoding them."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.sources import find_corpus, text_corpus
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.options import make_options
from bpe_tui.core.readable import AS_IN_FILES
from bpe_tui.core.teaching.fertility import TextComparison, WordClass
from bpe_tui.core.teaching.report import (
    NO_LETTERS,
    PARTS,
    SPECIAL,
    CorpusReport,
    CostlyWord,
    FertilityGroup,
    MergeDepth,
    TokenUse,
    UnreachableReason,
    UseBand,
)
from bpe_tui.core.teaching.side_by_side import ComparedTokenizer
from bpe_tui.core.training.vocabulary import Vocabulary
from bpe_tui.formats.corpus_words import documents_for, report_of
from bpe_tui.formats.model import TokenizerModel, assemble
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session


def trained(corpus: str, preset: str, merges: int) -> TokenizerModel:
    session = Session.load(*Request((corpus,), preset).find())
    session.trainer.goto(merges)
    return TokenizerModel(session.trainer.vocabulary(), session.trainer.options)


HUG = trained("hug", "toy", 3)
MODELS = {
    name: trained("story", name, merges)
    for name, merges in {"huggingface": 300, "minbpe": 300, "course": 50, "paper": 150, "subword-nmt": 150}.items()
}


def corpus_of(model: TokenizerModel, text: str, documents: str | None = None) -> CorpusReport:
    found = report_of(model, text_corpus(text), documents).corpus
    assert found is not None
    return found


# -- by hand ---------------------------------------------------------------------------------------------------------


def test_the_figures_of_hug() -> None:
    report = report_of(HUG, find_corpus(["hug"]))
    own, found = report.vocabulary, report.corpus
    assert (own.size, own.specials, own.symbols, own.merged, own.others, own.merges) == (10, 0, 7, 3, 0, 3)
    assert own.by_length == {1: 7, 2: 2, 3: 1}
    assert own.by_script == {"Latin": 10}
    assert own.longest[:3] == (("hug", 3), ("ug", 2), ("un", 2))
    assert own.unreachable == ()
    assert found is not None
    # hug×10, p ug×5, p un×12, b un×4, hug s×5
    assert (found.pre_tokens, found.distinct, found.documents) == (36, 5, 0)
    total = found.total
    assert (total.words, total.tokens, total.characters, total.bytes, total.unknown) == (36, 62, 113, 113, 0)
    assert (total.whole_words, found.by_tokens) == (10, {1: 10, 2: 26})
    assert (total.half, total.most) == (1, 3)
    assert found.by_class == {WordClass.LOWER: FertilityGroup(36, 62)}
    assert found.by_script == {"Latin": FertilityGroup(36, 62)}
    assert found.depths == (MergeDepth(0, 113, 26), MergeDepth(1, 93, 31), MergeDepth(2, 77, 47), MergeDepth(3, 62, 62))
    assert found.most_used[:3] == (TokenUse(4, "p", 17), TokenUse(8, "un", 16), TokenUse(9, "hug", 15))
    assert [use.text for use in found.never_used] == ["g", "h", "n", "u"]
    assert found.costly[0] == CostlyWord("pun", 12, ("p", "un"))
    assert [(band.least, band.tokens, band.occurrences) for band in found.by_use] == [
        (0, 4, 0),
        (1, 0, 0),
        (2, 3, 14),
        (10, 3, 48),
    ]


def test_unknown_symbols_are_counted_by_what_they_were() -> None:
    found = corpus_of(HUG, "thug hugs 2024 том")
    assert found.total.unknown == 1 + 4 + 3
    assert dict(found.unknown_symbols) == {"t": 1, "2": 2, "0": 1, "4": 1, "т": 1, "о": 1, "м": 1}
    assert found.by_script == {
        NO_LETTERS: FertilityGroup(1, 4),
        "Latin": FertilityGroup(2, 4),
        "Cyrillic": FertilityGroup(1, 3),
    }
    assert found.by_class[WordClass.NUMBER] == FertilityGroup(1, 4)
    dropped = TokenizerModel(HUG.vocabulary, HUG.options, "drop")
    found = corpus_of(dropped, "thug hugs 2024 том")
    assert (found.total.tokens, found.total.unknown, found.total.left_out) == (3, 0, 8)


def test_what_a_document_is_follows_from_the_tokenizer() -> None:
    assert documents_for(HUG) == "lines"
    assert documents_for(MODELS["huggingface"]) == documents_for(MODELS["minbpe"]) == "files"
    assert documents_for(MODELS["course"]) == "lines"  # it has never seen a newline
    own_pattern = TokenizerModel(MODELS["huggingface"].vocabulary, make_options("huggingface", pattern=r"\S+\s*"))
    assert documents_for(own_pattern) == "lines-keepends"
    assert corpus_of(HUG, "hug\nhug").total.tokens == 2
    assert corpus_of(HUG, "hug\nhug", "files").total.unknown == 1


# -- against plainly encoding ----------------------------------------------------------------------------------------

texts = st.lists(
    st.sampled_from(["the", " the", " mouse", "DON'T", "it's", " ", "  ", "\n", "\n\n", "\t", "2024", " 7", "café"])
    | st.sampled_from(["Привет", "हिन्दी", "😀", "!?", " —", "aB", "\u200b", "x" * 5])
    | st.characters(exclude_categories=["Cs"]),
    max_size=25,
).map("".join)


@given(st.sampled_from(sorted(MODELS)), texts, st.sampled_from(["files", "lines"]))
def test_all_sums_are_those_of_the_encoded_text(name: str, text: str, documents: str) -> None:
    model = MODELS[name]
    encoder = model.encoder()
    parts = [text] if documents == "files" else [line.removesuffix("\r") for line in text.split("\n")]
    if text.startswith("\ufeff"):
        parts[0] = parts[0][1:]
    tokens = [token for part in parts for token in encoder.encode(part)]
    found = corpus_of(model, text, documents)
    assert found.total.tokens == len(tokens)
    assert found.total.unknown == sum(token.unknown for token in tokens) == found.total.unknown
    for groups in (found.by_class.values(), found.by_script.values()):
        assert sum(group.tokens for group in groups) == len(tokens)
    assert sum(found.by_tokens.values()) == found.total.words
    counted = Counter(token.id for token in tokens if not token.unknown)
    assert {use.id: use.count for use in found.most_used} == dict(Counter(counted).most_common(20)) or len(counted) > 20
    assert sum(band.occurrences for band in found.by_use) == counted.total()
    unused = {use.text for use in found.never_used}
    assert unused.isdisjoint(model.vocabulary.tokens[token] for token in counted if token is not None)


@given(st.sampled_from(["huggingface", "minbpe", "paper"]), texts)
def test_the_depths_are_what_fewer_merges_give(name: str, text: str) -> None:
    model = MODELS[name]
    found = corpus_of(model, text, "files")
    encoder = model.encoder()
    made = [encoder.timeline.made_by(token.id) for token in encoder.encode(text) if token.id is not None]
    for depth in found.depths:
        encoder.timeline.goto(depth.merges)
        assert depth.needed == len(encoder.encode(text.removeprefix("\ufeff")))
        assert depth.made == sum(merge is None or merge.rank < depth.merges for merge in made) or "\ufeff" in text


@given(st.sampled_from(["huggingface", "minbpe"]), texts)
def test_kinds_and_scripts_are_those_of_a_comparison(name: str, text: str) -> None:
    """A comparison sees the text itself, in which no pre-tokenizer has cut a word."""
    model, text = MODELS[name], text.removeprefix("\ufeff")
    side = ComparedTokenizer("x", model.encoder(), AS_IN_FILES)
    comparison = TextComparison((side, side), explained=0)
    comparison.add(text)
    found = corpus_of(model, text, "files")
    assert found.total.words == comparison.words
    assert found.total.bytes == comparison.bytes
    assert {kind: (group.words, group.tokens) for kind, group in found.by_class.items()} == {
        kind: (group.words, group.tokens[0]) for kind, group in comparison.by_class.items()
    }
    assert {name: (group.words, group.tokens) for name, group in found.by_script.items() if name != NO_LETTERS} == {
        name: (group.words, group.tokens[0]) for name, group in comparison.by_script.items()
    }


# -- tokens out of reach ---------------------------------------------------------------------------------------------


def with_merges(pairs: list[tuple[str, str]], preset: str = "toy", alphabet: str = "ab") -> TokenizerModel:
    tokens = list(dict.fromkeys([*alphabet, *(left + right for left, right in pairs)]))
    ids = {text: number for number, text in enumerate(tokens)}
    merges = assemble(pairs, ids, str)
    vocabulary = Vocabulary(tuple(tokens), (), tuple(alphabet), merges, ids)
    return TokenizerModel(vocabulary, make_options(preset, alphabet="characters", specials=(), end_of_word=""))


@st.composite
def merge_lists(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Merges as no training makes them: of any tokens that are there."""
    tokens, pairs = ["a", "b"], []
    for _count in range(draw(st.integers(1, 6))):
        pair = (draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens)))
        if len(pair[0] + pair[1]) <= 4 and pair not in pairs:
            pairs.append(pair)
            tokens = list(dict.fromkeys([*tokens, pair[0] + pair[1]]))
    return pairs


@given(merge_lists())
def test_unreachable_is_what_no_text_is_encoded_to(pairs: list[tuple[str, str]]) -> None:
    model = with_merges(pairs)
    encoder = model.encoder()
    found = {
        token.text
        for length in range(1, 9)
        for letters in itertools.product("ab", repeat=length)
        for token in encoder.encode("".join(letters))
    }
    unreachable = report_of(model).vocabulary.unreachable
    assert all(token.reason is UnreachableReason.MERGES for token in unreachable)
    named = {token.text for token in unreachable}
    assert named.isdisjoint(found)
    assert set(model.vocabulary.tokens) - found == named


def test_a_token_whose_merges_never_come_to_it_shows_what_comes_instead() -> None:
    model = with_merges([("a", "b"), ("b", "a"), ("a", "ba")])
    (token,) = report_of(model).vocabulary.unreachable
    assert (token.text, token.reason, token.becomes) == ("aba", UnreachableReason.MERGES, ("ab", "a"))


def test_a_token_that_is_always_cut() -> None:
    model = with_merges([("a", " "), ("a ", "b"), (" ", "b")], "course", "ab ")
    tokens = {token.text: token for token in report_of(model).vocabulary.unreachable}
    assert {text: token.reason for text, token in tokens.items()} == {
        "a ": UnreachableReason.CUT,
        "a b": UnreachableReason.CUT,
    }
    assert tokens["a b"].becomes == ("a", " b")


def test_bytes_that_no_text_has() -> None:
    own = report_of(MODELS["huggingface"]).vocabulary
    assert {token.reason for token in own.unreachable} == {UnreachableReason.NOT_UTF8}
    data = sorted(MODELS["minbpe"].vocabulary.ids[token.text] for token in own.unreachable)  # there an id is the byte
    assert data == [0xC0, 0xC1, *range(0xF5, 0x100)]
    assert own.by_script[PARTS] == 128
    assert own.by_script[SPECIAL] == 1


def test_parts_of_words_that_no_word_is_are_in_reach() -> None:
    """With `</w>` the text of a token is a word that ends: what stands inside words needs something behind it."""
    for name in ("paper", "subword-nmt"):
        assert report_of(MODELS[name]).vocabulary.unreachable == ()


def test_a_token_without_a_merge() -> None:
    plain = with_merges([("a", "b")])
    tokens = (*plain.vocabulary.tokens, "bb")
    ids = {text: number for number, text in enumerate(tokens)}
    model = TokenizerModel(Vocabulary(tokens, (), ("a", "b"), plain.vocabulary.merges, ids), plain.options)
    (token,) = report_of(model).vocabulary.unreachable
    assert (token.text, token.reason, token.becomes) == ("bb", UnreachableReason.NO_MERGE, ("b", "b"))


@pytest.mark.parametrize("least", [0, 1, 2, 10])
def test_bands_of_use_cover_the_vocabulary(least: int) -> None:
    found = corpus_of(MODELS["huggingface"], "the mouse " * max(least, 1))
    assert sum(band.tokens for band in found.by_use) == len(MODELS["huggingface"].vocabulary) - 1
    assert found.by_use[0] == UseBand(0, 0, len(found.never_used) + 13, 0)


def test_an_encoder_is_left_at_its_moment() -> None:
    model = MODELS["course"]
    encoder = Encoder(model.encoder().timeline)
    assert encoder.merged([]) == []
    assert encoder.timeline.position == encoder.timeline.known
