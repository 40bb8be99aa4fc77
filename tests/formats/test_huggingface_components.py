"""tokenizer.json with every component that `tokenizers` has: the same tokens, ids and texts as there."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
import regex
from tokenizers import Regex, Tokenizer, pre_tokenizers

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats.huggingface import oniguruma
from bpe_tui.formats.huggingface.foreign import ForeignPreTokenizer
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.huggingface.steps import NUMERIC, PUNCTUATION, steps_of
from bpe_tui.formats.huggingface.write import write as write_json
from tests.code_points import code_points
from tests.core.encoders import merged_in_steps
from tests.formats import hf_files


@cache
def every() -> str:
    """Characters of every kind."""
    return "".join(code_points())


@cache
def first_planes() -> str:
    """Those of the planes that hold more than one kind of character."""
    return "".join(char for char in every() if char < "\U00020000")


def agree(file: dict[str, Any], texts: list[str]) -> bool:
    """Hold the file, as we read it and as we write it again, to what `tokenizers` makes of it; False if refused."""
    content = json.dumps(file)
    theirs = Tokenizer.from_str(content)
    try:
        model = read_json(content)
    except TokenizerFileError as error:
        if "byte_fallback" in str(error) or "one and the same" in str(error):
            return False
        raise
    again = Tokenizer.from_str(write_json(model)[0].decode())
    encoder = model.encoder()
    for text in texts:
        for special in (True, False):
            theirs.encode_special_tokens = again.encode_special_tokens = not special
            how: dict[str, Any] = {"unknown": model.unknown, "allow_special": special}
            encoding = theirs.encode(text)
            tokens = encoder.encode(text, **how)
            ids = [token.id for token in tokens]
            assert ids == encoding.ids, (text, [token.text for token in tokens], encoding.tokens)
            assert encoder.encode_ids(text, **how) == ids
            assert encoder.ids_and_dropped(text, **how) == (ids, encoder.dropped(text, **how))
            assert again.encode(text).ids == ids
            assert encoder.decode(encoding.ids) == theirs.decode(encoding.ids, skip_special_tokens=False)
            assert merged_in_steps(encoder, text, **how) == tokens
            assert all(0 <= token.start <= token.end <= len(text) for token in tokens)
    return True


@pytest.mark.parametrize("seed", range(60))
def test_random_files_of_components_that_run_here(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    file = hf_files.file(rng)
    texts = hf_files.texts(rng, 15)
    monkeypatch.setattr("bpe_tui.formats.huggingface.foreign.ForeignComponent.__init__", _not_needed)
    agree(file, texts)


def _not_needed(self: object, part: str, value: Any) -> None:
    raise AssertionError(f"{part} {value} is run by the package")


@pytest.mark.parametrize("seed", range(100, 160))
def test_random_files_of_any_components(seed: int) -> None:
    rng = random.Random(seed)
    agree(hf_files.file(rng, foreign=True), hf_files.texts(rng, 15))


def test_few_of_the_random_files_are_refused() -> None:
    agreed = [agree(hf_files.file(random.Random(seed), foreign=True), []) for seed in range(1000, 1040)]
    assert sum(agreed) > 30


# -- components, each on every character ------------------------------------------------------------------------------


def isolated(component: dict[str, Any], text: str) -> list[str]:
    """The pieces that our step makes."""
    (step,) = steps_of([component])
    assert not isinstance(step, ForeignPreTokenizer)
    return step.words(text, True)


@pytest.mark.parametrize("pattern", [r"\w", r"\W", r"\s", r"\d", r"\p{N}", r"\p{L}", r"\p{M}", r"[^\s\p{L}\p{N}]"])
def test_classes_of_oniguruma(pattern: str) -> None:
    compiled = oniguruma.compile_pattern({"Regex": pattern}, "Split")
    assert compiled is not None
    theirs = pre_tokenizers.Split(Regex(pattern), "removed").pre_tokenize_str(every())
    assert "".join(word for word, _ in theirs) == compiled.compiled.sub("", every())


def test_numbers_and_punctuation_on_every_character() -> None:
    text = "a" + "a".join(first_planes())
    cases: list[tuple[dict[str, Any], Any, str]] = [
        ({"type": "Digits", "individual_digits": True}, pre_tokenizers.Digits(True), NUMERIC),
        ({"type": "Punctuation"}, pre_tokenizers.Punctuation(), PUNCTUATION),
    ]
    for component, theirs, pattern in cases:
        words = [word for word, _ in theirs.pre_tokenize_str(text)]
        assert isolated(component, text) == words
        assert {word for word in words if word[0] != "a"} == set(regex.findall(pattern, first_planes()))


def test_white_space_and_words_on_every_character() -> None:
    for component, theirs in [
        ({"type": "WhitespaceSplit"}, pre_tokenizers.WhitespaceSplit()),
        ({"type": "Whitespace"}, pre_tokenizers.Whitespace()),
        ({"type": "BertPreTokenizer"}, pre_tokenizers.BertPreTokenizer()),
    ]:
        words = [word for word, _ in theirs.pre_tokenize_str(every())]
        assert isolated(component, every()) == words


def test_single_words_on_every_character() -> None:
    token = {"id": 1, "content": "ab", "single_word": True}
    token |= dict.fromkeys(("lstrip", "rstrip", "normalized"), False) | {"special": False}
    file = {"version": "1.0", "added_tokens": [token], "model": {"type": "BPE", "vocab": {"x": 0}, "merges": []}}
    text = "".join(f" ab{char}" for char in first_planes())
    theirs = Tokenizer.from_str(json.dumps(file)).encode(text)
    ours = read_json(json.dumps(file)).encoder().encode(text, unknown="drop")
    assert [token.start for token in ours if token.id == 1] == [
        start for number, (start, _) in zip(theirs.ids, theirs.offsets, strict=True) if number == 1
    ]


# -- patterns ---------------------------------------------------------------------------------------------------------

ATOMS = [
    *(r"\p{L}", r"\p{N}", r"\s", r"\S", r"\w", r"\W", r"\d", "[a-c]", r"[^\s\p{L}\p{N}]", r"[\r\n]"),
    *"ab '.é日-#",
]
ATOMS += [r"\.", r"\n", r"\u00e9", "[^ab]", "[a-]", r"\-", "(?i:'s|'t|'re|'ve|'m|'ll|'d)", r"\z"]
REPEATS = [
    "",
    "",
    "",
    "?",
    "*",
    "+",
    "??",
    "*?",
    "+?",
    "?+",
    "*+",
    "++",
    "{2}",
    "{1,3}",
    "{2,}",
    "{,2}",
    "{2}+",
    "{2}?",
]


def random_pattern(rng: random.Random, depth: int = 0) -> str:
    """A pattern of parts that Oniguruma knows, not all of which go together."""
    ways = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        parts = []
        for _ in range(rng.randint(1, 3)):
            if depth < 2 and rng.random() < 0.25:
                group = rng.choice(("(?:", "(", "(?>", "(?=", "(?!"))
                parts.append(f"{group}{random_pattern(rng, depth + 1)}){rng.choice(REPEATS)}")
            else:
                parts.append(rng.choice(ATOMS) + rng.choice(REPEATS))
        ways.append("".join(parts))
    return "|".join(ways)


def test_patterns_match_as_oniguruma_matches_them() -> None:
    rng = random.Random(3)
    compared = 0
    for _ in range(1500):
        source = random_pattern(rng)
        compiled = oniguruma.compile_pattern({"Regex": source}, "Split")
        if compiled is None:
            continue
        theirs = pre_tokenizers.Split(Regex(source), "isolated")
        for _ in range(5):
            text = "".join(rng.choices(hf_files.PIECES, k=rng.randint(0, 8)))
            expected = [place for _, place in theirs.pre_tokenize_str(text)]
            found, last = [], 0
            for start, end in [*oniguruma.matches(compiled, text), (len(text), len(text))]:
                found += [place for place in ((last, start), (start, end)) if place[0] < place[1]]
                last = end
            assert found == expected, (source, text)
            compared += 1
    assert compared > 1500


@pytest.mark.parametrize("source", [r"\w+|\W", r"\p{L}{2}", "[a-z]+"])
def test_our_patterns_mean_the_same_when_they_are_written(source: str) -> None:
    written = oniguruma.spelt(source)
    assert written is not None
    theirs = pre_tokenizers.Split(Regex(written), "removed", invert=True)
    pieces = [word for word, _ in theirs.pre_tokenize_str(first_planes())]
    assert pieces == regex.findall(source, first_planes())
    compiled = oniguruma.compile_pattern({"Regex": written}, "Split")
    assert compiled is not None
    assert compiled.compiled.pattern == source
