"""Patterns from options and files: hostile ones end in one sentence, wherever they run."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.patterns import Pattern, time_limit
from bpe_tui.core.corpus.pretokenize import PATTERNS, TIKTOKEN_CL100K
from bpe_tui.core.errors import PatternError, PatternSyntaxError
from bpe_tui.formats.huggingface import oniguruma
from tests.cli.running import done, run

ENDLESS: Final = "(?:a|aa)+x"
VICTIM: Final = "a" * 60 + "bx"
SAYS: Final = "did not finish on a text of 62 characters within"


@pytest.fixture(autouse=True)
def _little_time() -> Iterator[None]:
    with time_limit(0.05):
        yield


# -- one pattern ------------------------------------------------------------------------------------------------------

pieces = st.sampled_from([*"ab.|+*?(", "(?:", ")", "[ab]", "[^a]", r"\w", r"\(", "{2}", "{0,3}"])


@given(st.lists(pieces, max_size=8).map("".join), st.text("ab(x ", max_size=12))
def test_a_pattern_finds_what_regex_finds(source: str, text: str) -> None:
    try:
        plain = regex.compile(source)
    except regex.error:
        with pytest.raises(PatternSyntaxError):
            Pattern(source)
        return
    pattern = Pattern(source)
    places = [match.span() for match in plain.finditer(text)]
    assert pattern.spans(text) == places
    assert pattern.findall(text) == [text[start:end] for start, end in places]


@pytest.mark.parametrize("source", [*PATTERNS.values(), TIKTOKEN_CL100K, r"(?:[\w{9999}]{1,400}|\{9999}){200}"])
def test_no_ordinary_pattern_is_too_large(source: str) -> None:
    Pattern(source)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("((a{1000}){1000}){1000}", "repeats its parts too often"),
        ("a{100000000}", "repeats its parts too often"),
        ("(?:(?:(?:abc|[^d]){60}x){60}){60}", "repeats its parts too often"),
        ("(" * 100_000, "nested too deep"),
        ("a{1,99999999999999999999}", "too big"),
    ],
)
def test_a_pattern_that_would_take_all_memory_is_refused(source: str, reason: str) -> None:
    with pytest.raises(PatternSyntaxError, match=reason):
        Pattern(source)


@pytest.mark.parametrize("call", ["spans", "findall"])
@pytest.mark.parametrize("source", [ENDLESS, "((?:a|aa)+)x"])
def test_an_endless_pattern_is_given_up(call: str, source: str) -> None:
    with pytest.raises(PatternError, match=SAYS):
        getattr(Pattern(source), call)(VICTIM)


def test_the_limit_is_for_all_searches_of_a_text_together() -> None:
    # Each search takes long enough, and none takes too long.
    pattern = oniguruma.compile_pattern({"Regex": "(?:(?:a|aa)+x)?"}, "Split")
    assert pattern is not None
    with pytest.raises(PatternError, match=r"the pattern '.*' did not finish on a text of 4,200 characters"):
        list(oniguruma.matches(pattern, ("a" * 20 + "b") * 200))


def test_a_long_pattern_is_cut_in_the_sentence() -> None:
    with pytest.raises(PatternError) as caught:
        Pattern(ENDLESS + "|" + "y" * 500).spans(VICTIM)
    assert "'(?:a|aa)+x|yyy" in str(caught.value)
    assert len(str(caught.value)) < 250


# -- every way into the program -----------------------------------------------------------------------------------


def tokenizer_json(source: str, behavior: str = "Isolated") -> str:
    """A tokenizer of Hugging Face that splits by a pattern."""
    split = {"type": "Split", "pattern": {"Regex": source}, "behavior": behavior, "invert": False}
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "x": 2}, "merges": []}
    return json.dumps({"version": "1.0", "added_tokens": [], "pre_tokenizer": split, "model": model})


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a text and tokenizers, hostile to each other."""
    (tmp_path / "x.txt").write_text(VICTIM, encoding="utf-8")
    (tmp_path / "split.json").write_text(tokenizer_json(ENDLESS), encoding="utf-8")
    (tmp_path / "removed.json").write_text(tokenizer_json(ENDLESS, "Removed"), encoding="utf-8")
    decoder: dict[str, Any] = json.loads(tokenizer_json("a"))
    decoder["decoder"] = {"type": "Replace", "pattern": {"Regex": ENDLESS}, "content": ""}
    decoder["model"]["vocab"][VICTIM] = 3
    (tmp_path / "decoder.json").write_text(json.dumps(decoder), encoding="utf-8")
    (tmp_path / "m.model").write_text(f"minbpe v1\n{ENDLESS}\n0\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "x.txt", "--pattern", ENDLESS),
        ("count", "x.txt", "--pattern", ENDLESS),
        ("train", "x.txt", "--like", "split.json"),
        ("train", "x.txt", "--like", "removed.json"),
        ("diff", "x.txt", "--pattern", ENDLESS, "--ties", "first-seen", "--ties", "lowest-id"),
        ("encode", VICTIM, "-t", "split.json"),
        ("encode", VICTIM, "-t", "removed.json"),
        ("encode", VICTIM, "-t", "m.model"),
        ("decode", "3", "-t", "decoder.json"),
    ],
    ids=" ".join,
)
def test_every_command_gives_an_endless_pattern_up(arguments: tuple[str, ...], files: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(files)
    error = run(*arguments).error
    assert SAYS in error
    assert "'(?:a|aa)+x'" in error


def test_ordinary_texts_pass(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    assert done("encode", "aax", "-t", "split.json", "--json").json["tokens"]


def test_a_pattern_that_calls_itself_is_blamed_not_the_corpus() -> None:
    command = (sys.executable, "-m", "bpe_tui", "train", "-", "--pattern", "(?R)?a")
    size = 600 << 20
    report = subprocess.run(
        command,
        input=b"aaa",
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
    )
    assert report.returncode == 2
    assert b"the pattern '(?R)?a' needs too much memory on a text of 3 characters" in report.stderr
