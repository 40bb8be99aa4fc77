"""Random command lines, spoiled sessions, random sizes of the terminal: whatever comes, the answer is one sentence.

Seeds are fixed; `BPE_TUI_LONG=1` tries many times as many.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Final

import pytest

from bpe_tui.core import options as presets
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.errors import BpeError
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.session import file as session
from bpe_tui.formats.session.training import resume, save
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from tests.cli.running import run
from tests.robustness.hostile import LONG, check_harmless, hostile
from tests.ui.running import make_app, press, status

COMMAND_LINES: Final = 4000 if LONG else 60
SPOILED: Final = 20_000 if LONG else 300
RESIZES: Final = 2000 if LONG else 8
COMMANDS: Final = ("train", "train", "encode", "decode", "convert", "diff", "count", "corpora", "open", "lesson", "")
NUMBERS: Final = ("0", "1", "2", "7", "-1", "99999999999999999999", "1.5", "", "x", "0x10", "\u0663")
VALUES: Final = {
    "--preset": presets.PRESETS,
    "--documents": presets.DOCUMENTS,
    "--pre-tokenizer": presets.PRE_TOKENIZERS,
    "--alphabet": presets.ALPHABETS,
    "--end-of-word-style": presets.END_OF_WORD_STYLES,
    "--ties": presets.TIE_RULES,
    "--specials-in-corpus": presets.SPECIALS_IN_CORPUS,
    "--pattern": (r"\w+", "(", "(?:)", "", "[[a]", r"(a|aa)+$", r"\p{L}+|.", "(?P<x>a){99999}", "\\", "(?R)", "a{4,2}"),
    "--end-of-word": ("</w>", "", "a", " ", "\n"),
    "--special": ("<|endoftext|>", "a", "", " ", "\u202e"),
    "--unk": ("[UNK]", "", "\x1b[31;13;7m"),
    "--min-frequency": NUMBERS,
    "--vocab-size": NUMBERS[:5],
    "--merges": NUMBERS[:5],
    "--encoding": ("utf-8", "latin-1", "utf-16", "nope", ""),
    "--max-memory": ("1", "2GB", "x", "-1"),
    "--top": NUMBERS,
    "--min-count": NUMBERS,
    "--unknown": ("token", "fuse", "drop", "bytes", "error", "x"),
    "--format": ("huggingface", "gpt2", "merges", "tiktoken", "minbpe", "session", "x"),
    "--from": ("huggingface", "gpt2", "session", "x"),
    "--text": ("thug", "", "\u200b"),
    "--like": ("t.bpe.json", "none.json"),
    "-o": (
        "o.json",
        "o.bpe.json",
        "o.model",
        "o.tsv",
        "o.tiktoken",
        "no/such/o.json",
        ".",
        "x.txt",
        "/dev/null",
        "/dev/full",
    ),
    "-t": ("t.bpe.json", "x.txt", "none", ".", "/dev/null"),
}
WIDTHS: Final = (1, 2, 5, 20, 39, 40, 80, 119, 200, 400)
HEIGHTS: Final = (1, 2, 5, 11, 12, 24, 40, 120)
RESIZED_KEYS: Final = ("space", "tab", "z", "e", "escape", "down", "s", "question_mark", "t", "o")
FLAGS: Final = ("--json", "--trace", "--word-counts", "--allow-special", "--exit-code", "--print", "--list", "--check")
WORDS: Final = (
    "hug",
    "banana",
    "x.txt",
    "t.bpe.json",
    "-",
    ".",
    "none.txt",
    "",
    "--",
    "5",
    "a b",
    "/dev/null",
    "e.txt",
)


def command_line(random: Random) -> list[str]:
    """A command with whatever behind it."""
    command = random.choice(COMMANDS)
    line = [command] if command else []
    line += random.choices(WORDS, k=random.randrange(4))
    for _ in range(random.randrange(5)):
        name = random.choice(list(VALUES))
        line += [name, random.choice(list(VALUES[name]))]
    if random.random() < 0.4:
        line.insert(random.randrange(len(line) + 1), random.choice(FLAGS))
    if command in ("encode", "decode") and random.random() < 0.8:
        line += ["-t", "t.bpe.json"]
    return line


def words_of(*names: str) -> WordCounts:
    """The words of a corpus."""
    return Session.load(*Request(names).find()).trainer.words


def test_command_lines_of_any_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    random, texts = Random(1), [one for one in hostile() if len(one.data) < 2000]
    (tmp_path / "e.txt").write_bytes(b"")
    for number in range(COMMAND_LINES):
        one = random.choice(texts)
        (tmp_path / "x.txt").write_bytes(one.data)
        if number % 20 == 0:
            run("train", "hug", "-o", "t.bpe.json")
        line = command_line(random)
        made = run(*line, stdin=one.data[: random.randrange(2000)])
        assert made.status in (0, 1, 2), line
        assert "Traceback" not in made.stderr, line
        check_harmless(made.stderr.encode(), one.planted)
        if made.status == 2:
            assert f"\n{made.stderr}".count("\nbpe-tui: ") == 1, line
            assert made.stderr.rstrip("\n").rsplit("\n", 1)[-1].startswith("bpe-tui: "), line


def walked() -> Trainer:
    """A training with an own choice, another rule, and merges undone."""
    trainer = Trainer(words_of("course-en"), Request(("course-en",)).find()[1])
    trainer.goto(4)
    row = trainer.pairs(2, 3)[0]
    trainer.choose(row.left_id, row.right_id)
    trainer.set_ties("lowest-id")
    trainer.goto(9)
    trainer.goto(6)
    return trainer


def spoiled(data: bytes, random: Random) -> bytes:
    """A session with a few faults: in its bytes, or in its values."""
    if random.random() < 0.5:
        value = json.loads(data)
        for _ in range(random.randrange(1, 4)):
            spoil(value, random)
        return json.dumps(value).encode()
    spoiled = bytearray(data)
    for _ in range(random.randrange(1, 6)):
        place = random.randrange(len(spoiled))
        kind = random.randrange(4)
        if kind == 0:
            spoiled[place] = random.randrange(256)
        elif kind == 1:
            del spoiled[place : place + random.randrange(1, 30)]
        elif kind == 2:
            spoiled[place:place] = bytes(spoiled[place : place + 10])
        else:
            spoiled[place:place] = random.choice((b"9", b"-", b'"', b"null", b"[", b"\\ud800", b"1e400", b"true"))
    return bytes(spoiled)


def spoil(value: object, random: Random) -> None:
    """Another value somewhere inside."""
    odd: tuple[object, ...] = (
        None,
        True,
        -1,
        0,
        10**30,
        1.5,
        "",
        "x",
        [],
        {},
        [1],
        "\u202e",
        [[1, "lowest-id"]],
        [0, 0],
    )
    while isinstance(value, dict | list) and value:
        key = random.choice(list(value)) if isinstance(value, dict) else random.randrange(len(value))
        inner = value[key]
        if not isinstance(inner, dict | list) or not inner or random.random() < 0.3:
            value[key] = random.choice(odd)
            return
        value = inner


def test_spoiled_sessions_are_refused_or_taken_up() -> None:
    random, words = Random(2), words_of("course-en")
    data = session.write(save(walked(), ["course-en"], text="[/] \u202e"))
    assert resume(session.read(data.decode()), words).position == 6
    read = taken = 0
    for _ in range(SPOILED):
        try:
            saved = session.read(spoiled(data, random).decode("utf-8", "replace"))
            read += 1
            trainer = resume(saved, words)
            taken += 1
        except BpeError as error:
            assert "\n" not in str(error)  # noqa: PT017 (what is raised is one sentence)
        else:
            assert trainer.position == saved.position
            assert session.read(session.write(saved).decode()) == saved
    assert read > taken > 0


async def test_any_size_at_any_moment() -> None:
    random = Random(3)
    app = make_app("course-en")
    async with app.run_test(size=(80, 24)) as pilot:
        for number in range(RESIZES):
            await pilot.resize_terminal(random.choice(WIDTHS), random.choice(HEIGHTS))
            await press(pilot, random.choice(RESIZED_KEYS))
            if number % 10 == 9:
                await press(pilot, *["escape"] * 5)
        await press(pilot, *["escape"] * 8)
        await pilot.resize_terminal(120, 40)
        await press(pilot, "r", "space")
        assert status(app).startswith("merge 1/")
