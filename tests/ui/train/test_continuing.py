"""A corpus under a tokenizer: from the encode screen of a tokenizer, and from the open dialog."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Static

from bpe_tui.cli.commands.open import request_for
from bpe_tui.cli.options import TrainingChoices
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.tokenizer import read_tokenizer_session
from tests.formats.models import trained
from tests.ui.running import press, screen_name, status, text_of, train_screen

HUG = "hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5


def tokenizer_in(folder: Path) -> str:
    """A tokenizer with 40 merges."""
    path = str(folder / "t.json")
    write_tokenizer(path, trained("huggingface", merges=40))
    return path


async def test_a_corpus_goes_under_a_tokenizer_with_a_key(tmp_path: Path) -> None:
    path = tokenizer_in(tmp_path)
    app = BpeApp(None, None, tokenizer=read_tokenizer_session(path))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "escape", "O")
        await pilot.pause()
        assert screen_name(app) == "OpenScreen"
        choice = app.screen.query_one("#open-under", Static)
        assert "[x] under t.json" in text_of(choice)
        await press(pilot, "ctrl+t")
        assert "[ ] under t.json" in text_of(choice)
        await press(pilot, "ctrl+t", *"course-en", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        board = train_screen(app).board
        session = board.session
        assert session is not None
        assert session.titles[0].startswith("course-en under t.json")
        assert status(app) == "merge 40/140  vocab 297  merged"
        assert "All 40 merges of t.json are made" in board.explanation.sentences[0]
        await press(pilot, "space")
        step = session.trainer.last_step
        assert step is not None
        assert (step.number, step.merge.id) == (41, 297)
        await press(pilot, "u", "u")
        assert status(app).startswith("merge 39/140")
        assert "as t.json has it" in board.explanation.sentences[1]
        assert "  given" in text_of(board.merges)
        await press(pilot, "r")
        assert status(app).startswith("merge 0/140  vocab 257")
        await press(pilot, "space")
        assert "as t.json has it" in board.explanation.sentences[0]
        old = read_tokenizer(path).encoder()
        session.trainer.goto(40)
        assert session.encoder.encode_ids("the hello banana") == old.encode_ids("the hello banana")
        assert session.taking_model()().vocabulary.ids == read_tokenizer(path).vocabulary.ids


async def test_a_corpus_opens_by_itself_unless_one_says_so(tmp_path: Path) -> None:
    app = BpeApp(None, None, tokenizer=read_tokenizer_session(tokenizer_in(tmp_path)))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "escape", "escape", "o")
        assert "[ ] under t.json" in text_of(app.screen.query_one("#open-under", Static))
        await press(pilot, *"hug", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert status(app) == "merge 0/3  vocab 7  ready"


async def test_a_request_names_the_tokenizer(tmp_path: Path) -> None:
    request = Request(("course-en",), overrides={"merges": 5}, continued=tokenizer_in(tmp_path)).with_session()
    app = BpeApp(*request.find(), request=request)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "f")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert status(app).startswith("merge 45/45  vocab 302  done")


async def test_without_a_tokenizer_there_is_no_choice() -> None:
    app = BpeApp(*Request(("hug",)).find())
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "O")
        assert "No tokenizer is open" in train_screen(app).board.explanation.sentences[0]
        await press(pilot, "o")
        assert not app.screen.query_one("#open-under", Static).display


async def test_what_a_tokenizer_does_not_know_is_told_and_its_unknown_token_is_no_letter(tmp_path: Path) -> None:
    path = str(tmp_path / "hug.json")
    write_tokenizer(path, trained("toy", HUG, merges=3))
    assert "Tokens: 11. Symbols: 7. Merges: 3. Special tokens: 1." in read_tokenizer_session(path).settings
    request = Request(("course-en",), continued=path).with_session()
    app = BpeApp(*request.find(), request=request)
    async with app.run_test(size=(200, 50)) as pilot:
        await pilot.pause()
        board = train_screen(app).board
        assert "1 special + 7 letters + 3 merged" in text_of(board.vocabulary)
        await press(pilot, "f")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert board.explanation.sentences[1] == "Done: no pair is left that could be merged."


def test_a_vocabulary_with_the_name_of_a_format_is_the_vocabulary_before_a_corpus(tmp_path: Path) -> None:
    path = tokenizer_in(tmp_path)
    assert request_for(("story",), TrainingChoices(), "gpt2").continued == "gpt2"
    assert request_for((path,), TrainingChoices(), "gpt2").format_name == "gpt2"
    assert request_for(("story",), TrainingChoices(), "tiktoken").format_name == "tiktoken"
    assert request_for(("story",), TrainingChoices(), path).continued == path
