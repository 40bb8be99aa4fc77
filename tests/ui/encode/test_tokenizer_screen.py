"""Tokenizers from files in the app: on the encode screen, with all their merges to go through."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.errors import EncodeError, TokenizerFileError
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import read_session, read_tokenizer, write_session, write_tokenizer
from bpe_tui.formats.session.file import SavedSession
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.encode.screen import EncodeScreen
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.tokenizer import read_tokenizer_session
from tests.formats import hf_files
from tests.formats.models import trained
from tests.ui.running import press, screen_name, text_of, train_screen, type_text

SPECIAL = ("<s>",)


def written(folder: Path, name: str = "t.json", model: TokenizerModel | None = None) -> str:
    """A tokenizer file."""
    path = str(folder / name)
    write_tokenizer(path, model or trained("huggingface", merges=40, specials=SPECIAL))
    return path


def app_on(path: str, **given: Any) -> BpeApp:
    """The app on a tokenizer file."""
    return BpeApp(None, None, tokenizer=read_tokenizer_session(path, given))


def encoding(app: BpeApp) -> EncodeScreen:
    """The encode screen, which has to be the one in view."""
    assert isinstance(app.screen, EncodeScreen)
    return app.screen


def status(app: BpeApp) -> str:
    """`merge 40/40  vocab 301  done: target reached`."""
    return encoding(app).status.text


def tokens(app: BpeApp) -> list[str]:
    """The tokens in the chips."""
    tokenized = encoding(app).chips.tokenized
    return [tokenized.token(index).text for index in range(len(tokenized))]


async def settle(app: BpeApp, pilot: Pilot[None]) -> None:
    """Wait until the text is read and replayed."""
    await app.workers.wait_for_complete()
    await pilot.pause()


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("t.json", "huggingface"),
        ("vocab.json", "huggingface"),
        ("t.merges", "subword-nmt"),
        ("t.tiktoken", "minbpe"),
        ("t.model", "minbpe"),
        ("t.bpe.json", "course"),
    ],
)
async def test_every_format_opens_on_the_encode_screen(name: str, preset: str, tmp_path: Path) -> None:
    path = written(tmp_path, name, trained(preset, merges=10))
    app = app_on(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await type_text(pilot, "the hello banana")
        await settle(app, pilot)
        model = read_tokenizer(path)
        assert tokens(app) == [
            token.text for token in model.encoder().encode("the hello banana", unknown=model.unknown)
        ]
        assert status(app) == f"merge 10/10  vocab {len(model.vocabulary)}  done: target reached"


async def test_merges_are_gone_through_with_the_keys_of_training(tmp_path: Path) -> None:
    app = app_on(written(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "escape")
        for keys, position in ((["u"], 39), (["U"], 29), (["N"], 39), (["r"], 0), (["space", "n"], 2), (["f"], 40)):
            await press(pilot, *keys)
            assert status(app).startswith(f"merge {position}/40  vocab {257 + position}")
        await press(pilot, "g", "1", "2", "enter")
        assert status(app) == "merge 12/40  vocab 269  merged"
        assert "This is the moment after merge 12" in text_of(encoding(app).facts)


async def test_the_text_falls_apart_as_the_merges_are_taken_back(tmp_path: Path) -> None:
    path = written(tmp_path)
    app = app_on(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await type_text(pilot, "banana hello")
        await press(pilot, "escape", "6")  # on the timeline the keys move through training
        encoder = read_tokenizer(path).encoder()
        for key, position in (("u", 39), ("r", 0), ("N", 10), ("space", 11)):
            await press(pilot, key)
            await settle(app, pilot)
            encoder.timeline.goto(position)
            assert tokens(app) == [token.text for token in encoder.encode("banana hello")]
        await press(pilot, "2", "r")  # elsewhere they replay the word looked at
        assert status(app).startswith("merge 11/40")


async def test_the_train_screen_says_why_there_is_nothing_on_it(tmp_path: Path) -> None:
    app = app_on(written(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "escape", "u", "escape")
        assert "t.json is a tokenizer without a corpus" in text_of(train_screen(app).board.explanation)
        await press(pilot, "space", "u", "N", "s", "g", "t", "y", "p", "f")  # nothing to move, and nothing breaks
        assert screen_name(app) == "TrainScreen"
        await press(pilot, "E")
        assert status(app).startswith("merge 39/40")
        await press(pilot, "escape", "escape")
        assert "t.json is a tokenizer without a corpus" in text_of(train_screen(app).board.explanation)


async def test_a_tokenizer_is_opened_from_the_train_screen(tmp_path: Path) -> None:
    path = written(tmp_path)
    app = BpeApp(*Request(("hug",)).find())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        train_screen(app).opener.open(Request((path,)))
        await settle(app, pilot)
        assert status(app).startswith("merge 40/40")
        await press(pilot, "escape", "escape")
        assert train_screen(app).board.status.text.startswith("merge 0/3")  # the training is still there
        (tmp_path / "broken.json").write_text('{"model": {"type": "Unigram"}}', encoding="utf-8")
        train_screen(app).opener.open(Request((str(tmp_path / "broken.json"),)))
        await settle(app, pilot)
        assert screen_name(app) == "TrainScreen"


async def test_what_is_written_is_the_tokenizer_of_the_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = app_on(written(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "escape", "U", "w", "enter", "ctrl+u")
        await type_text(pilot, "less.json")
        await press(pilot, "enter")
        await settle(app, pilot)
        less = read_tokenizer("less.json")
        assert len(less.vocabulary.merges) == 30
        assert len(less.vocabulary) == 287


async def test_special_tokens_are_text_until_they_are_allowed(tmp_path: Path) -> None:
    app = app_on(written(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await type_text(pilot, "<s>")
        await settle(app, pilot)
        assert "<s>" not in tokens(app)
        await press(pilot, "escape", "a")
        await settle(app, pilot)
        assert tokens(app) == ["<s>"]
        assert "<s> is a special token" in text_of(encoding(app).facts)
        await press(pilot, "a")
        await settle(app, pilot)
        assert "<s>" not in tokens(app)


async def test_tokens_that_every_text_begins_and_ends_with_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "bert.json"
    template = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "<s>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "<s>", "type_id": 0}},
        ],
        "pair": [],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]}},
    }
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "<s>": 2}, "merges": []}
    path.write_text(json.dumps({"model": model, "post_processor": template}), encoding="utf-8")
    app = app_on(str(path))
    async with app.run_test(size=(120, 40)) as pilot:
        await type_text(pilot, "ab")
        await settle(app, pilot)
        assert tokens(app) == ["<s>", "a", "b", "<s>"]
        await press(pilot, "escape", "home")
        assert encoding(app).here == 0
        await press(pilot, "right", "right", "right")
        assert encoding(app).here == 3


def test_a_session_without_a_corpus_opens_where_it_stood(tmp_path: Path) -> None:
    path = str(tmp_path / "t.bpe.json")
    write_session(path, SavedSession(trained(merges=20), 7, text="banana"))
    session = read_tokenizer_session(path)
    assert (session.timeline.position, session.timeline.known, session.text) == (7, 20, "banana")
    session.timeline.goto(9)
    write_session(path, session.saving()())
    assert read_session(path).position == 9


def test_a_file_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"model": {"type": "BPE", "vocab": {"a": "x"}, "merges": []}}', encoding="utf-8")
    with pytest.raises(TokenizerFileError, match="the id of token"):
        read_tokenizer_session(str(tmp_path / "t.json"))


@pytest.mark.parametrize("name", ["t.json", "t.bpe.json"])
def test_an_earlier_moment_is_written_as_it_encodes(name: str, tmp_path: Path) -> None:
    compared = 0
    for seed in range(7000, 7012):
        rng = random.Random(seed)
        (tmp_path / "source.json").write_text(json.dumps(hf_files.file(rng, foreign=not seed % 3)), encoding="utf-8")
        try:
            session = read_tokenizer_session(str(tmp_path / "source.json"))
            session.timeline.goto(rng.randrange(session.timeline.known + 1))
            model = session.taking_model()()
            write_tokenizer(str(tmp_path / name), model)
        except TokenizerFileError:
            continue
        compared += 1
        again = read_tokenizer(str(tmp_path / name))
        encoder = again.encoder()
        for text in hf_files.texts(rng, 20):
            ours, theirs = encoded(again, session.encoder, text), encoded(again, encoder, text)
            if model.notes and not isinstance(ours, str) and not isinstance(theirs, str):  # some ids are other ones
                assert [token for token, _ in theirs] == [token for token, _ in ours]
            else:
                assert theirs == ours
    assert compared > 8


def encoded(model: TokenizerModel, encoder: Encoder, text: str) -> list[tuple[str, int | None]] | str:
    """The tokens of a text, or why it is refused."""
    try:
        return [(token.text, token.id) for token in encoder.encode(text, unknown=model.unknown)]
    except EncodeError as error:
        return str(error)
