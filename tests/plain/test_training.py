"""`bpe-tui open --plain`: every step of free training as sentences, by lines that are typed or come from a pipe."""

import json
import re
from pathlib import Path

import pytest

from bpe_tui.core.display import width
from bpe_tui.core.options import TIE_RULES
from bpe_tui.core.teaching.explain import following_sentence, step_sentence
from bpe_tui.formats.registry import read_session, read_tokenizer
from bpe_tui.plain.training import BY_NAME, COMMANDS
from bpe_tui.plain.views import VIEWS
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from tests.cli.running import Result, run
from tests.robustness.hostile import Hostile, check_harmless, hostile

OPENING = "Every word starts as single letters. Enter merges the most frequent pair."
FIRST = "Next is u + g → ug: 20 times, 3 more than p + u."


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def typed(*lines: str, corpus: object = "hug", options: tuple[object, ...] = ()) -> Result:
    return run("open", corpus, "--plain", *options, stdin="".join(f"{line}\n" for line in lines).encode())


def answers(*lines: str, corpus: object = "hug", options: tuple[object, ...] = ()) -> list[list[str]]:
    """What is said to each line, in lines."""
    result = typed(*lines, corpus=corpus, options=options)
    assert result.status == 0, result.stderr
    told = re.split(r"^> .*\n", result.text, flags=re.MULTILINE)[1:-1]
    return [answer.splitlines() for answer in told]


def test_a_session_from_a_pipe() -> None:
    result = typed("n", "", "u")
    assert (result.status, result.stderr) == (0, "")
    assert result.text == (
        f"hug · toy · ties first-seen\n{OPENING}\n{FIRST}\nmerge 0/3, vocab 7.\n"
        "Type a command after the sign >; help lists them, quit leaves.\n"
        "> n\nMerged u + g → ug: 20 replacements in 3 words.\n"
        "Next is u + n → un: 16 times, one more than h + ug.\nmerge 1/3, vocab 8.\n"
        "> \nMerged u + n → un: 16 replacements in 2 words.\n"
        "Next is h + ug → hug: 15 times, 3 more than p + un.\nmerge 2/3, vocab 9.\n"
        "> u\nUndone: merge 2, u + n → un.\n"
        "Next is u + n → un: 16 times, one more than h + ug.\nmerge 1/3, vocab 8.\n"
        "> \n"
    )


def test_a_corpus_goes_under_a_tokenizer_as_in_the_app(tmp_path: Path) -> None:
    path = tmp_path / "hug.json"
    assert run("train", "hug", "--merges", "1", "-o", path).status == 0
    result = typed("n", "r", corpus="course-en", options=("--from", path))
    assert result.status == 0, result.stderr
    lines = result.text.splitlines()
    assert lines[0].startswith("course-en under hug.json · ")
    assert any(line.startswith("note: ") and "not in the alphabet of hug.json" in line for line in lines)
    assert "The 1 merge of hug.json is made; what follows is learned from this corpus." in lines
    assert "Next is u + g → ug, as hug.json has it: once." in lines


def test_no_line_begins_with_a_mark_in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    for cells in range(30, 50):
        monkeypatch.setenv("COLUMNS", str(cells))
        lines = typed("help", "n", options=("--lang", "fr")).text.splitlines()
        assert not [line for line in lines if line.lstrip()[:1] in (":", ";", "!", "?", "»")]


@pytest.mark.parametrize("corpus", ["hug", "banana", "course-en", "paper"])
def test_each_step_says_what_the_app_says(corpus: str) -> None:
    session = Session.load(*Request((corpus,)).find())
    steps = 9
    for number, told in enumerate(answers(*["n"] * steps, corpus=corpus), 1):
        step = session.trainer.step()
        trainer, notation = session.trainer, session.notation
        expected = [] if step is None else [step_sentence(trainer, notation)]
        size = trainer.vocab_size
        place = (
            f"{number}/{trainer.target}"
            if trainer.position <= trainer.target
            else f"{number} (target {trainer.target})"
        )
        if step is not None:
            assert told == [*expected, following_sentence(trainer, notation), f"merge {place}, vocab {size}."]
        else:
            assert told[0] == following_sentence(trainer, notation)


def test_the_merges_are_those_of_the_command_line() -> None:
    told = answers("f", "merges 100", corpus="course-en")[1]
    pairs = [(found[1], found[2]) for line in told if (found := re.match(r"\d+\. (.*) → .*: (.*)", line))]
    merges = run("train", "course-en", "--json").json["merges"]
    counts = {"once": 1, "twice": 2}
    shown = [pair.replace("␣", "Ġ") for pair, _count in pairs]
    assert shown == [f"{merge['left']} + {merge['right']}" for merge in merges]
    counted = [counts.get(often.partition(",")[0]) or int(often.split()[0]) for _pair, often in pairs]
    assert counted == [merge["counted"] for merge in merges]
    assert len(shown) == 19


def test_phases_one_after_another_and_back() -> None:
    counted, picked, merged, back = answers("s", "s", "s", "S")
    assert counted == ["Of 6 pairs the most frequent is u + g, which occurs 20 times."]
    assert picked == ["Picked u + g → ug: 20 times, 3 more than p + u."]
    assert merged[0] == "Merged u + g → ug: 20 replacements in 3 words."
    assert back == ["Picked u + g → ug: 20 times, 3 more than p + u.", "merge 0/3, vocab 7."]


def test_going_far() -> None:
    there, start, end, ten, back = answers("g 2", "r", "f", "N", "U")
    assert there[0] == "Merged u + n → un: 16 replacements in 2 words."
    assert start == [OPENING, FIRST, "merge 0/3, vocab 7."]
    assert end[1:] == ["Done: all 3 merges learned.", "merge 3/3, vocab 10."]
    assert ten[-2:] == ["Done: no pair is left, every word is one token.", "merge 7 (target 3), vocab 14."]
    assert len([line for line in ten if line.startswith("Merged")]) == 4
    assert back[-3:] == [
        "This is the start: there is no merge to undo.",
        "Next is u + g → ug: 20 times, 3 more than p + u.",
        "merge 0/3, vocab 7.",
    ]


@pytest.mark.parametrize("pair", ["p u", "p + u", "2"])
def test_a_pair_of_ones_own_choice(pair: str) -> None:
    told = answers(f"choose {pair}", "merges")
    assert told[0][0] == "Merged p + u → pu, your own choice: 17 replacements in 2 words."
    assert told[1] == ["1. p + u → pu: 17 times, your choice"]


def test_the_views() -> None:
    told = answers("n", "pairs 3", "words 2", "vocab", "merges", "encode thug", "why thug", "why bug", "status")[1:]
    assert told == [
        ["6 pairs, the most frequent first:", "1. u + n → un: 16 times",
         "2. h + ug → hug: 15 times, new since the last merge",
         "3. p + u → pu: 12 times, −5 by the last merge", "3 more: pairs 6 lists more."],
        ["The corpus has 5 different words.", "hug, 10 times: h ug", "pug, 5 times: p ug",
         "3 more: words 4 lists more."],
        ["The vocabulary has 8 tokens.", "Alphabet, 7 symbols: b g h n p s u", "7: ug, u + g by merge 1, now 20 times"],
        ["1. u + g → ug: 20 times"],
        ["3 tokens: [UNK] h ug", "t is not in the alphabet."],
        ["t is not in the alphabet. An unknown symbol is never merged, so this word cannot become one token."],
        ["The first merge missing is b + ug: the two never occur side by side in the corpus as it is split now."],
        ["hug · toy · ties first-seen", "merge 1/3, vocab 8."],
    ]  # fmt: skip


def test_ties() -> None:
    pairs, ties, changed, wrong = typed("pairs 2", "ties", "ties lowest-id", "ties best", corpus="banana").text.split(
        "\n> "
    )[1:5]
    assert "\n1. a + n → an: 30 times, wins the tie under first-seen\n2. n + a → na: 30 times, tied\n" in pairs
    named = re.findall(r"^- ([\w-]+)(?:, the current rule)?: ", ties, re.MULTILINE)
    assert named == list(TIE_RULES)
    assert "- first-seen, the current rule: a + n. It prefers the pair first in the corpus" in ties
    assert "From here on ties are decided by lowest-id.\nNext is a + n → an" in changed
    assert "Not done: ties 'best' is not one of first-seen, lowest-id, greatest-pair, shortest-first." in wrong


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("hug.json", "hug.bpe.json")]
    result = typed("n", f"save {files[0]}", "n", f"w {files[1]}")
    assert result.status == 0
    assert f"Written: {files[0]}." in result.text
    assert [merge.token for merge in read_tokenizer(str(files[0])).vocabulary.merges] == ["ug"]
    saved = read_session(str(files[1]))
    assert [merge.token for merge in saved.model.vocabulary.merges] == ["ug", "un"]
    resumed = typed("status", corpus=files[1])
    assert "merge 2/3, vocab 9." in resumed.text
    assert json.loads(files[0].read_bytes())["model"]["type"] == "BPE"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nxt", "there is no command 'nxt'; did you mean next?"),
        ("zzz", "there is no command 'zzz'; help lists them."),
        ("n 3", "next stands alone, without 3."),
        ("g", "go needs the number of a merge, such as go 12."),
        ("g -1", "go needs the number of a merge, such as go 12."),
        ("choose", "a pair is two tokens, such as u g, or its number in pairs."),
        ("choose u g n", "a pair is two tokens, such as u g, or its number in pairs."),
        ("choose x y", "there is no token x here."),
        ("choose u u", "this pair does not occur in the corpus as it is split now."),
        ("choose 7", "there is no pair 7 here."),
        ("choose 0", "there is no pair 0 here."),
        ("pairs many", "many is not a number of lines."),
        ("words 0", "0 is not a number of lines."),
        ("encode", "a text to encode is missing: encode hugs."),
        ("save", "save needs the name of a file, such as save hug.json."),
        ("save nowhere/at/all.json", "There is no folder nowhere/at."),
        ("save x.doc", "x.doc: the name does not say the format; end it in "),
    ],
)  # fmt: skip
def test_a_bad_command_is_answered_in_one_sentence(line: str, reason: str) -> None:
    result = typed(line, "status")
    told = result.text.split("\n> ")[1].splitlines()[1:]
    assert len(told) == 1
    assert told[0].startswith(f"Not done: {reason}")
    assert "merge 0/3, vocab 7.\n> \n" in result.text, "the session goes on"
    assert result.status == 2, "but a script has failed"
    assert result.stderr == "bpe-tui: 1 command could not be carried out; the output says which and why\n"


def test_a_line_that_is_no_text_is_ignored() -> None:
    result = run("open", "hug", "--plain", stdin=b"encode \xff\nn\x1b[D\nstatus\n")
    assert "This line is not UTF-8 text, and was ignored." in result.text
    assert "This line holds control characters, perhaps from an arrow key, and was ignored." in result.text
    assert "\x1b" not in result.text
    assert "merge 0/3" in result.text.rpartition("status")[2]


def test_the_letters_are_those_of_the_app() -> None:
    meant = {
        "next": "step", "undo": "undo", "phase": "phase", "back": "phase_back", "ten": "step_ten",
        "undo-ten": "undo_ten", "go": "go_to", "finish": "run", "restart": "reset", "ties": "ties",
        "encode": "encode", "style": "token_style", "save": "write", "quit": "quit", "help": "help",
    }  # fmt: skip
    keys = {key: action.id for action in ACTIONS for key in action.keys}
    keys["?"] = "help"
    told = {command.name: keys[command.key] for command in COMMANDS if command.key}
    assert told == meant
    assert keys["b"] == "undo"
    assert BY_NAME["b"].name == "undo"


def test_the_help_names_every_command() -> None:
    told = "\n".join(answers("help")[0])
    for command in COMMANDS:
        assert f"- {command.usage}" in told
    assert {view.name for view in VIEWS} <= {command.name for command in COMMANDS}


@pytest.mark.parametrize("cells", [20, 40])
def test_lines_fit_a_narrow_terminal(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(cells))
    script = ("?", "N", "pairs", "words", "vocab", "merges", "ties", "encode unhappiness", "why tokens", "bogus")
    text = typed(*script, corpus="course-en").text
    assert max(width(line) for line in text.splitlines() if not line.startswith("> ")) <= cells
    assert len(text.splitlines()) > 100


def test_a_terminal_without_our_signs_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    result = run("open", "course-fr", "--plain", stdin=b"n\npairs\nvocab\nmerges\n", encoding="ascii")
    text = result.stdout.decode("ascii")
    assert "Next is <space> + d -> <space>d: 6" in text
    assert "\\u" not in text
    assert max(map(len, text.splitlines())) <= 40


@pytest.mark.parametrize("one", [one for one in hostile()[::25] if one.is_text], ids=lambda one: str(one.name))
def test_hostile_texts_are_harmless(one: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    path = tmp_path / "x.txt"
    path.write_bytes(one.data)
    script = b"n\nN\npairs\nwords\nvocab\nmerges\nG\nwords\nencode x\nwhy x\nchoose 1\nu\n" + one.data[:200] + b"\n"
    for options in ((), ("--alphabet", "characters", "--pre-tokenizer", "none")):
        result = run("open", path, "--plain", "--merges", "5", *options, stdin=script)
        check_harmless(result.stdout, one.planted)
        assert result.status in (0, 2)
        assert "Traceback" not in result.stderr


def test_without_plain_there_must_be_a_screen() -> None:
    assert run("open", "hug").error == (
        "the app needs a terminal; without one, use open --plain, bpe-tui train, or bpe-tui lesson NAME --print"
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("open", "hug", "--plain", "--theme", "bpe-dark"), "--plain shows no screen; leave --theme"),
        (("open", "hug", "--plain", "--record", "x.cast", "--keys", "n"), "--plain shows no screen; leave --theme"),
        (("open", "nope.txt", "--plain"), "there is no file or bundled corpus nope.txt"),
        (("open", "-", "hug", "--plain"), "- is stdin and must be the only corpus"),
    ],
)
def test_what_cannot_be_opened(arguments: tuple[str, ...], reason: str) -> None:
    assert run(*arguments).error.startswith(reason)


def test_a_tokenizer_is_no_training(tmp_path: Path) -> None:
    path = tmp_path / "hug.json"
    assert typed(f"save {path}").status == 0
    assert run("open", path, "--plain").error == (
        f"{path} is a tokenizer, and --plain steps through a training; use bpe-tui encode -t {path}"
    )


def test_a_cyrillic_keyboard_works_by_place() -> None:
    step, back = answers("т", "и")
    assert step[-1] == "merge 1/3, vocab 8."
    assert back[-1] == "merge 0/3, vocab 7."


def test_what_is_said_of_a_long_token_is_not_cut_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    path = tmp_path / "long.txt"
    path.write_text("a" * 4096, encoding="utf-8")
    script = ("f", "merges 1", "words", "vocab 1")
    options = ("--pre-tokenizer", "none", "--alphabet", "characters", "--merges", "12")
    _run, merges, words, vocabulary = answers(*script, corpus=path, options=options)
    assert merges[0].startswith("12. aaa")
    assert merges[0].endswith("…: once")
    assert words[1].endswith("…, once: one token")
    assert vocabulary[3].endswith("… by merge 12, now once")
    assert max(map(len, (*merges, *words, *vocabulary))) < 300
