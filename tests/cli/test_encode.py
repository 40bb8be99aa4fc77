"""`bpe-tui encode`: what is printed for a text, and in JSON."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.formats.registry import read_tokenizer
from tests.cli.running import done, run
from tests.cli.test_train import CASES


@pytest.fixture
def hug(tmp_path: Path) -> Path:
    """A tokenizer of the corpus hug, after its three merges."""
    file = tmp_path / "hug.json"
    done("train", "hug", "-o", file)
    return file


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A tokenizer of the course's four English sentences."""
    file = tmp_path / "course.json"
    done("train", "course-en", "-o", file)
    return file


def typed(token: dict[str, Any], text: str) -> str:
    """The text that a token covers, with the ending where it ends a word."""
    ends_a_word = text[token["end"] : token["end"] + 1] in ("", " ")
    return text[token["start"] : token["end"]] + "</w>" * ends_a_word


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_texts_become_the_tokens_and_ids_of_the_tool(case: dict[str, Any], tmp_path: Path) -> None:
    corpus, tokenizer = tmp_path / "corpus.txt", tmp_path / "tokenizer.json"
    corpus.write_text(case["text"], encoding="utf-8", newline="")
    done("train", corpus, *case["arguments"], "-o", tokenizer)
    for example in case["encode"]:
        text = example["text"]
        tokens = done("encode", "-", "-t", tokenizer, "--json", stdin=text.encode()).json["tokens"]
        if case["made_by"].startswith("subword-nmt"):  # it has no unknown token: what it does not know stays as it is
            shown = [typed(token, text) if token["unknown"] else token["text"] for token in tokens]
        else:
            shown = [token["text"] for token in tokens]
        assert shown == example["tokens"]
        if "ids" in example:
            assert [token["id"] for token in tokens] == example["ids"]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("bug", "b ug"),
        ("mug", "[UNK] ug"),
        ("thug", "[UNK] hug"),
        ("unhug", "un hug"),
        ("hugs pug", "hug s p ug"),
        ("m", "[UNK]"),
        ("", ""),
    ],
)
def test_tokens_are_printed_on_one_line(hug: Path, text: str, printed: str) -> None:
    assert done("encode", text, "-t", hug).text == printed + "\n"


def test_the_course_sentence(course: Path) -> None:
    assert done("encode", "This is not a token.", "-t", course).text == "This Ġis Ġ n o t Ġa Ġtoken .\n"


def test_stdin_is_taken_as_it_is_with_its_last_newline(tmp_path: Path) -> None:
    tokenizer = tmp_path / "bytes.json"
    done("train", "hug", "--preset", "huggingface", "--word-counts", "--merges", "0", "-o", tokenizer)
    assert done("encode", "-", "-t", tokenizer, stdin=b"hi\n").text == "h i Ċ\n"
    assert done("encode", "-t", tokenizer, stdin=b"hi\r\n\n").text == "h i č Ċ Ċ\n"


def test_json_tells_text_id_place_and_unknown(hug: Path) -> None:
    assert done("encode", "mug", "-t", hug, "--json").json == {
        "tokens": [
            {"text": "[UNK]", "id": 10, "start": 0, "end": 1, "unknown": True},
            {"text": "ug", "id": 7, "start": 1, "end": 3, "unknown": False},
        ],
        "dropped": [],
    }


def without_unk(folder: Path) -> Path:
    """A tokenizer.json as `tokenizers` takes it that has no unknown token."""
    file = folder / "no-unk.json"
    vocab = {text: number for number, text in enumerate([*"nauvemg", "ug"])}
    model = {"type": "BPE", "vocab": vocab, "merges": ["u g"], "unk_token": None}
    file.write_text(json.dumps({"version": "1.0", "pre_tokenizer": {"type": "Whitespace"}, "model": model}))
    return file


def without_bytes(folder: Path) -> Path:
    """The same in bytes, of which it lacks most."""
    file = folder / "no-bytes.json"
    vocab = {text: number for number, text in enumerate([*"nauvemgĠÃ", "ug"])}
    pre_tokenizer = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    model = {"type": "BPE", "vocab": vocab, "merges": ["u g"]}
    file.write_text(json.dumps({"version": "1.0", "pre_tokenizer": pre_tokenizer, "model": model}))
    return file


def of_characters(folder: Path) -> Path:
    """A folder as GPT-2's, which says nothing of unknown symbols."""
    (folder / "vocab.json").write_text(json.dumps({text: number for number, text in enumerate([*" nauvemg", "ug"])}))
    (folder / "merges.txt").write_text("#version: 0.2\nu g\n")
    return folder


@pytest.mark.parametrize(
    ("made", "options", "printed"),
    [
        (without_unk, [], "n a v e m ug"),
        (without_bytes, [], "n a Ã v e Ġ m ug"),
        (of_characters, ["--alphabet", "characters"], "n a v e ␣ m ug"),
    ],
)
def test_characters_that_are_lost_are_named(
    made: Callable[[Path], Path], options: list[str], printed: str, tmp_path: Path
) -> None:
    tokenizer = made(tmp_path)
    for show in ([], ["--ids"], ["--table"], ["--trace"], ["--json"], ["--json", "--trace"]):
        result = done("encode", "naïve mug日", "-t", tokenizer, *options, *show)
        assert result.stderr.splitlines()[-1] == ("note: 2 characters are in no token and left out: ï at 2, 日 at 9")
        if "--json" in show:
            assert result.json["dropped"] == [
                {"text": "ï", "start": 2, "end": 3},
                {"text": "日", "start": 9, "end": 10},
            ]
        elif not show:
            assert result.text == printed + "\n"
    assert "left out" not in done("encode", "nave mug", "-t", tokenizer, *options).stderr


def test_what_a_pattern_leaves_out_is_named(tmp_path: Path) -> None:
    tokenizer = tmp_path / "letters.bpe.json"
    done("train", "hug", "--pattern", "[a-z]+", "--pre-tokenizer", "pattern", "-o", tokenizer)
    result = done("encode", "hug 1 hug", "-t", tokenizer)
    assert (result.text, result.stderr) == (
        "hug hug\n",
        "note: 1 character is in no token and left out: 1 at 4\n",
    )


def test_many_lost_characters_are_named_in_one_line(hug: Path) -> None:
    note = done("encode", "hAg" * 30 + "Z" * 50, "-t", hug, "--unknown", "drop").stderr.splitlines()[-1]
    assert note.startswith("note: 80 characters are in no token and left out: A at 1, A at 4")
    assert note.endswith("A at 22, …")


def test_a_long_trace_says_so_first_and_remembers_places_only(tmp_path: Path) -> None:
    tokenizer = tmp_path / "one-word.json"
    done("train", "hug", "--pre-tokenizer", "none", "--documents", "lines", "--alphabet", "characters", "-o", tokenizer)
    text = "hugspun" * 22_000
    result = done("encode", "-", "-t", tokenizer, "--trace", stdin=text.encode())
    size = len(result.stdout) / 1e6
    assert f"note: the trace has 3 rows, about {size:.0f} MB of text\n" in result.stderr
    encoder = read_tokenizer(str(tokenizer)).encoder()
    (symbols,) = [encoder.symbols_of(span) for span in encoder.spans(text)]
    places = sum(len(places) for _, places in encoder.trace_word(symbols))
    assert places == len(text) - len(encoder.encode(text))


def test_json_with_trace_tells_every_merge_that_fired(hug: Path) -> None:
    value = done("encode", "unhug", "-t", hug, "--json", "--trace").json
    assert [token["text"] for token in value["tokens"]] == ["un", "hug"]
    assert value["trace"] == [
        {"rank": 0, "left": "u", "right": "g", "token": "ug", "tokens": ["u", "n", "h", "ug"]},
        {"rank": 1, "left": "u", "right": "n", "token": "un", "tokens": ["un", "h", "ug"]},
        {"rank": 2, "left": "h", "right": "ug", "token": "hug", "tokens": ["un", "hug"]},
    ]


def test_trace_shows_the_symbols_first_then_each_merge(hug: Path) -> None:
    assert done("encode", "thug", "-t", hug, "--trace").text.splitlines() == [
        "#  merge   tokens",
        "-  -       [UNK] h u g",
        "1  u + g   [UNK] h ug",
        "3  h + ug  [UNK] hug",
    ]


def test_ids_and_table(hug: Path) -> None:
    assert done("encode", "mug", "-t", hug, "--ids").text == "10 7\n"
    assert done("encode", "mug", "-t", hug, "--table").text.splitlines() == [
        "id  start  end  token",
        "10      0    1  [UNK]  unknown",
        " 7      1    3  ug",
    ]


@pytest.mark.parametrize(
    ("policy", "printed"),
    [("token", "h [UNK] [UNK] ug"), ("fuse", "h [UNK] ug"), ("drop", "hug")],
)
def test_unknown_policies(hug: Path, policy: str, printed: str) -> None:
    assert done("encode", "hXYug", "-t", hug, "--unknown", policy).text == printed + "\n"


def test_the_policy_error_names_the_symbol(hug: Path) -> None:
    assert "X" in run("encode", "hXug", "-t", hug, "--unknown", "error").error


def test_a_policy_that_does_not_exist(hug: Path) -> None:
    assert run("encode", "x", "-t", hug, "--unknown", "guess").error == (
        "--unknown 'guess' is not one of token, fuse, drop, bytes, error"
    )


def test_special_tokens_are_plain_text_unless_allowed(course: Path) -> None:
    text = "This<|endoftext|>This"
    plain = done("encode", text, "-t", course, "--json").json["tokens"]
    assert 0 not in [token["id"] for token in plain]
    allowed = done("encode", text, "-t", course, "--allow-special").text
    assert allowed == "This <|endoftext|> This\n"


def test_a_space_or_newline_inside_a_token_is_visible(tmp_path: Path) -> None:
    corpus, tokenizer = tmp_path / "c.tsv", tmp_path / "t.json"
    corpus.write_text("a b\t5\n", encoding="utf-8")
    done("train", corpus, "--pre-tokenizer", "none", "--merges", "2", "-o", tokenizer)
    assert done("encode", "a b", "-t", tokenizer).text == "a␣b\n"
    assert done("encode", "a b", "-t", tokenizer, "--json").json["tokens"][0]["text"] == "a b"


def test_a_token_that_only_looks_unknown_is_told_apart(tmp_path: Path) -> None:
    corpus, tokenizer = tmp_path / "c.tsv", tmp_path / "t.json"
    corpus.write_text("[U]\t5\n", encoding="utf-8")
    done("train", corpus, "--unk", "[U]", "--merges", "2", "-o", tokenizer)
    assert done("encode", "[U] x", "-t", tokenizer).text == "\\[U] [U]\n"
    tokens = done("encode", "[U] x", "-t", tokenizer, "--json").json["tokens"]
    assert [token["unknown"] for token in tokens] == [False, True]


def test_typing_the_unknown_token_is_no_unknown(hug: Path) -> None:
    tokens = done("encode", "[UNK]", "-t", hug, "--json", "--allow-special").json["tokens"]
    assert [(token["start"], token["end"]) for token in tokens] == [(place, place + 1) for place in range(5)]


def test_a_special_token_that_was_typed_differs_from_an_unknown_symbol(tmp_path: Path) -> None:
    corpus, tokenizer = tmp_path / "c.tsv", tmp_path / "t.json"
    corpus.write_text("ab\t5\n", encoding="utf-8")
    done("train", corpus, "--special", "[UNK]", "--merges", "1", "-o", tokenizer)
    assert done("encode", "[UNK] x", "-t", tokenizer, "--allow-special").text == "\\[UNK] [UNK]\n"


def test_a_note_says_if_decoding_gives_another_text(tmp_path: Path) -> None:
    corpus, tokenizer = tmp_path / "c.txt", tmp_path / "t.json"
    corpus.write_text("a b ab\n", encoding="utf-8")
    how = ("--alphabet", "characters", "--pre-tokenizer", "metaspace", "--merges", "1")
    done("train", corpus, *how, "-o", tokenizer)
    for kind in ((), ("--ids",), ("--table",), ("--json",)):
        assert done("encode", "a b", "-t", tokenizer, *kind).stderr == ""
        noted = done("encode", " a b", "-t", tokenizer, *kind).stderr
        assert noted == 'note: decoding does not give this text back: "a b" instead of " a b"\n'


def test_text_that_holds_escapes_cannot_reach_the_terminal(tmp_path: Path) -> None:
    corpus, tokenizer = tmp_path / "c.json", tmp_path / "t.json"
    corpus.write_text('{"\\u001b\\u202e": 5}', encoding="utf-8")
    done("train", corpus, "--merges", "1", "-o", tokenizer)
    assert done("encode", "\x1b\u202e", "-t", tokenizer).text == "␛⟨202e⟩\n"


def test_stdin_that_is_no_text(hug: Path) -> None:
    error = run("encode", "-", "-t", hug, stdin=b"ab\xff").error
    assert error == "the input is not UTF-8 text: byte 3 is 0xff"


@pytest.mark.parametrize("pair", [("--ids", "--table"), ("--ids", "--json"), ("--table", "--trace")])
def test_two_kinds_of_output_at_once_are_refused(hug: Path, pair: tuple[str, str]) -> None:
    assert "each print another thing" in run("encode", "x", "-t", hug, *pair).error


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_thousand_million_times_begin_at_once(form: tuple[str, ...], hug: Path) -> None:
    command = [sys.executable, "-m", "bpe_tui", "encode", "unhug", "-t", str(hug), "--dropout", "1", *form]
    with subprocess.Popen([*command, "--times", "1000000000"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == ("{\n" if form else "u n h u g\n")
        process.kill()


def test_dropout_gives_other_tokens_by_seed_and_the_same_again(hug: Path) -> None:
    many = done("encode", "unhug", "-t", hug, "--dropout", "0.4", "--times", "6").text.splitlines()
    assert len(many) == 6
    assert len(set(many)) > 1
    assert all(line.replace(" ", "") == "unhug" for line in many)
    assert done("encode", "unhug", "-t", hug, "--dropout", "0.4", "--seed", "4").text.splitlines() == many[4:5]
    assert done("encode", "unhug", "-t", hug, "--dropout", "0").text == "un hug\n"
    assert done("encode", "unhug", "-t", hug, "--dropout", "1").text == "u n h u g\n"


def test_the_trace_shows_dropped_merges(hug: Path) -> None:
    printed = done("encode", "ugug hug", "-t", hug, "--dropout", "1", "--trace").text.splitlines()
    assert printed[2].split() == ["1", "u", "+", "g", "(dropped)", "u", "g", "u", "g", "h", "u", "g"]
    runs = done("encode", "unhug", "-t", hug, "--dropout", "0.5", "--times", "3", "--json", "--trace").json["encodings"]
    assert [encoding["seed"] for encoding in runs] == [0, 1, 2]
    for encoding in runs:
        made = sum(row["made"] for row in encoding["trace"])
        assert len(encoding["tokens"]) == len("unhug") - made


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--dropout", "1.5"], "1.5 is not in the range 0<=x<=1"),
        (["--seed", "3"], "--seed only has a meaning with --dropout"),
        (["--times", "3"], "--times only has a meaning with --dropout"),
        (["--dropout", "0.1", "--times", "0"], "0 is not in the range x>=1"),
        (["--dropout", "0.1", "--table"], "--table cannot be combined with --dropout"),
    ],
)
def test_dropout_options_that_make_no_sense(hug: Path, given: list[str], sentence: str) -> None:
    assert sentence in run("encode", "hug", "-t", hug, *given).error
