"""Random keys over several corpora and sizes: nothing breaks, and after undoing all the first state is there exactly.

The keys are told by a seed, and each corpus has its own, so that a failure names a run that can be had again. The usual
run is short; `BPE_TUI_RANDOM_KEYS=10000` presses that many keys.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random
from typing import Final

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from bpe_tui.formats.registry import write_tokenizer
from bpe_tui.ui.actions import ACTIONS
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.lesson.screen import LessonScreen
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from bpe_tui.ui.train.screen import TrainScreen
from bpe_tui.ui.widgets import file_picker
from bpe_tui.ui.widgets.file_picker import FileEntry
from tests.formats.models import trained
from tests.ui.running import app_on_text, make_app, train_screen

PRESSES: Final = int(os.environ.get("BPE_TUI_RANDOM_KEYS", "900"))
BATCH: Final = 50
"""Keys in a row without waiting for the screen, as from a keyboard that is held."""
SIZES: Final = ((80, 24), (120, 40), (40, 12), (200, 60), (72, 20), (300, 90), (109, 33), (20, 5))
RUNS: Final = "aaaa aaaab abab bababa aaa\n" * 3
STRANGE: Final = "[/] [b]x[/b] :cat: \x1b[31m \u202e \u200b e\u0301 日本 👩‍👧 \x00 \ufeff \U000e0041 [/]"
CORPORA: Final = ("hug", "banana", "course-en", "runs", "strange", "paper", "one letter", "hug", "continued")
STEPS: Final = ("space", "n", "n", "u", "u", "s", "S")
MOVES: Final = ("up", "down", "pageup", "pagedown", "home", "end", "left", "right", "enter", "escape", "backspace")
KEYS: Final = tuple(
    key
    for key in (
        *(key for action in ACTIONS for key in action.keys),
        *MOVES,
        *MOVES,
        "space",
        "n",
        "n",
        "u",
        "u",
        "s",
        "S",
    )
    if key != "q"
)


def open_corpus(name: str, folder: Path) -> BpeApp:
    """A new app on one of the corpora; one of them is under a tokenizer, which is written to the folder."""
    if name == "continued":
        path = str(folder / "t.json")
        write_tokenizer(path, trained("huggingface", merges=12))
        request = Request(("banana",), overrides={"merges": 20}, continued=path).with_session()
        return BpeApp(*request.find(), request=request)
    texts = {"runs": RUNS, "strange": STRANGE, "one letter": "a"}
    if name in texts:
        return app_on_text(texts[name], preset="toy" if name == "runs" else "course", merges=12)
    return make_app(name)


def write_text(path: Path) -> None:
    """A file to open."""
    path.write_text("low lower lowest new newer", encoding="utf-8")


def state(session: Session) -> tuple[object, ...]:
    """All that is counted at this moment."""
    trainer = session.trainer
    return (
        trainer.position,
        trainer.total_tokens,
        trainer.vocab_size,
        [trainer.word(index) for index in range(trainer.word_count)],
        trainer.pairs(0, trainer.pair_count),
        [trainer.token(token) for token in range(trainer.vocab_size)],
    )


def start_of(session: Session) -> Session:
    """The same training, opened anew and before its first merge."""
    anew = Session.load(session.corpus, session.options, session.continuation)
    anew.trainer.goto(0)
    return anew


async def quiet(pilot: Pilot[None], app: BpeApp) -> TrainScreen:
    """Leave all dialogs and lessons, and stop whatever moves."""
    for _ in range(30):
        await pilot.press("escape", *(["x"] if isinstance(app.screen, LessonScreen) else []))
        await app.workers.wait_for_complete()
        await pilot.pause()
        if isinstance(app.screen, TrainScreen) and app.screen.board.session is not None:
            return app.screen
    raise AssertionError(f"escape doesn't leave {app.screen}")


@pytest.mark.parametrize("number", range(len(CORPORA)))
async def test_random_keys_break_nothing(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path / "some.txt")
    monkeypatch.setattr(file_picker, "entries_of", lambda folder: [FileEntry("some.txt", is_folder=False, size=26)])
    random = Random(number)
    app = open_corpus(CORPORA[number], tmp_path)
    async with app.run_test(size=SIZES[number % len(SIZES)]) as pilot:
        await pilot.pause()
        for batch in range(PRESSES // len(CORPORA) // BATCH):
            if batch % 4 == 1:
                await pilot.resize_terminal(*random.choice(SIZES))
            for key in random.choices(KEYS, k=BATCH):
                char = key if len(key) == 1 else " " if key == "space" else None
                app.post_message(events.Key(_character_to_key(key) if len(key) == 1 else key, char))
            await pilot.pause()
            await asyncio.sleep(0)
        screen = await quiet(pilot, app)
        session = screen.board.session
        assert session is not None
        session.trainer.goto(0)
        assert state(session) == state(start_of(session))
        await pilot.press("space")
        assert train_screen(app).board.session is session
