"""Two tokenizers on one text: spans by characters, and the reasons of their differences."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.readable import Notation
from bpe_tui.core.teaching.side_by_side import ComparedTokenizer, DifferenceKind, SideBySide, aligned_spans
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.huggingface.read import read
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session


def trained(corpus: str, merges: int | None = None, *, name: str = "", **overrides: object) -> ComparedTokenizer:
    session = Session.load(*Request((corpus,), overrides=overrides).find())
    if merges is None:
        session.trainer.run()
    else:
        session.trainer.goto(merges)
    return ComparedTokenizer(name or corpus, Encoder(session.trainer), Notation.of(session.options))


def reasons(text: str, first: ComparedTokenizer, second: ComparedTokenizer) -> list[tuple[str, str, str]]:
    """Of each difference the text, the kind and the sentences."""
    compared = SideBySide(text, (first, second))
    found = map(compared.explain, compared.differing)
    return [(text[one.span.start : one.span.end], str(one.kind), " ".join(one.sentences)) for one in found]


# -- spans -----------------------------------------------------------------------------------------------------------

cuts = st.lists(st.integers(0, 24), unique=True).map(sorted)


def pieces(ends: list[int], length: int) -> list[Token]:
    places = [0, *(end for end in ends if 0 < end < length), length]
    return [Token("x", 0, start, end) for start, end in itertools.pairwise(places) if end > start]


@given(cuts, cuts, st.integers(1, 24))
def test_spans_are_the_shortest_between_common_boundaries(ours: list[int], theirs: list[int], length: int) -> None:
    first, second = pieces(ours, length), pieces(theirs, length)
    common = [0, *sorted({token.end for token in first} & {token.end for token in second})]
    spans = aligned_spans(first, second)
    assert [(span.start, span.end) for span in spans] == list(itertools.pairwise(common))
    for span in spans:
        for side, tokens in enumerate((first, second)):
            own = tokens[span.tokens[side].start : span.tokens[side].stop]
            assert (own[0].start, own[-1].end) == (span.start, span.end)
        assert span.differs == (len(span.tokens[0]) > 1 or len(span.tokens[1]) > 1)


def test_tokens_that_cover_nothing_and_characters_left_out_have_spans_of_their_own() -> None:
    first = [Token("<s>", 0, 0, 0), Token("a", 1, 0, 1), Token("c", 2, 2, 3)]
    second = [Token("a", 1, 0, 1), Token("b", 3, 1, 2), Token("c", 2, 2, 3), Token("</s>", 4, 3, 3)]
    spans = aligned_spans(first, second)
    assert [(span.start, span.end, *span.tokens, span.differs) for span in spans] == [
        (0, 0, range(1), range(0), True),
        (0, 1, range(1, 2), range(1), False),
        (1, 2, range(2, 2), range(1, 2), True),
        (2, 3, range(2, 3), range(2, 3), False),
        (3, 3, range(3, 3), range(3, 4), True),
    ]


# -- reasons ---------------------------------------------------------------------------------------------------------


def test_a_merge_that_one_has_learned() -> None:
    now, before = trained("hug", name="now"), trained("hug", 1, name="before")
    assert reasons("hug pun", now, before) == [
        (
            "hug",
            "merges",
            "now learned h + ug (merge 3). before has seen it too, but so far never as the most frequent pair.",
        ),
        (
            "un",
            "merges",
            "now learned u + n (merge 2). before has seen it too, but so far never as the most frequent pair.",
        ),
    ]


def test_a_merge_that_is_learned_later() -> None:
    now, before = trained("hug", name="now"), trained("hug", name="before")
    assert isinstance(before.encoder.timeline, Trainer)
    before.encoder.timeline.goto(1)
    assert reasons("hug", before, now) == [
        ("hug", "merges", "now learned h + ug (merge 3). before learns it later, as merge 3.")
    ]


def test_a_merge_whose_token_one_training_has_never_seen() -> None:
    first, second = trained("banana", name="fruit"), trained("hug", name="hug")
    kinds = {kind for _text, kind, _why in reasons("hug bun", first, second)}
    assert kinds == {"unknown"}
    first = trained("banana", name="fruit", alphabet="all-bytes", pre_tokenizer="gpt2")
    second = trained("hug", name="pets", alphabet="all-bytes", pre_tokenizer="gpt2")
    assert reasons("hug", first, second) == [
        ("hug", "merges", "pets learned h + ug (merge 3). fruit has not seen hug in one word.")
    ]


def test_another_merge_comes_first() -> None:
    sides = []
    for ties in ("first-seen", "lowest-id"):
        overrides = {"ties": ties, "alphabet": "characters", "merges": 3}
        session = Session.load(*Request(text="banana", overrides=overrides).find())
        session.trainer.run()
        sides.append(ComparedTokenizer(ties, session.encoder, session.notation))
    learned = "first-seen learned ban + an (merge 3). "
    instead = "lowest-id never learned it; there an + a → ana comes first (merge 3)."
    assert reasons("banana", sides[0], sides[1]) == [("banana", "merges", learned + instead)]


def test_the_pre_tokenizers_cut_in_different_places() -> None:
    gpt4 = trained("story", 400, name="GPT-4's", pre_tokenizer="cl100k", alphabet="all-bytes")
    spaces = trained("story", 400, name="spaces", pre_tokenizer="spaces", alphabet="all-bytes")
    found = [one for one in reasons("Here, there.", gpt4, spaces) if one[1] == "pre-tokenizer"]
    assert [why for _text, _kind, why in found] == [
        "spaces: the pre-tokenizer cuts ␣ | there., and no merge crosses a cut; GPT-4's has ␣there in one word."
    ]


def test_added_tokens_and_characters_left_out() -> None:
    tool = Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    tool.pre_tokenizer = pre_tokenizers.Split(Regex("[a-z]+"), "removed", invert=True)
    tool.add_tokens(["bb"])
    model = read(tool.to_str())
    theirs = ComparedTokenizer("file", model.encoder(), Notation.of(model.options))
    ours = trained("hug", name="hug")
    kinds = [(text, kind) for text, kind, _why in reasons("bb1", theirs, ours)]
    assert DifferenceKind.ADDED_TOKEN in [kind for _text, kind in kinds]
    assert ("1", "left-out") in kinds


# -- the tokens are those of the tools -----------------------------------------------------------------------------


@given(st.text("abc 'tT1é", max_size=20))
def test_the_tokens_are_those_of_tokenizers(text: str) -> None:
    tool = Tokenizer(models.BPE(TABLE, [("a", "b"), ("ab", "c"), ("t", "T")]))
    tool.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False)
    model = read(tool.to_str())
    theirs = ComparedTokenizer("file", model.encoder(), Notation.of(model.options))
    compared = SideBySide(text, (theirs, BYTES))
    assert [token.id for token in compared.tokens[0]] == tool.encode(text).ids
    spelled = [[], []]  # type: list[list[Token]]
    for span in compared.spans:
        for side in (0, 1):
            spelled[side] += compared.tokens_of(side, span)
        if span.differs:
            assert all(compared.explain(span).sentences)
    assert spelled == list(compared.tokens)


TABLE = {char: place for place, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))} | {
    "ab": 256,
    "abc": 257,
    "tT": 258,
}
BYTES = trained("banana", name="bytes", alphabet="all-bytes", pre_tokenizer="none")
