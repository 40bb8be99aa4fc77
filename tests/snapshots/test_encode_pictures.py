"""Pictures of the encode screen: a text in its tokens, two tokenizers side by side, the vocabulary; and of writing."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from bpe_tui.ui.dialogs.compare import ComparisonChoice
from tests.snapshots.test_train_pictures import LARGE, SMALL, Compare, driven
from tests.ui.encoding import Encoding, settle
from tests.ui.running import make_app

SIZES: Final = [pytest.param(SMALL, id="80x24"), pytest.param(LARGE, id="120x40")]
SENTENCE: Final = "The mother of the other brother thought: unhappy thing!"
WORLD: Final = "हिन्दी में 🙂 et déjà vu\nтёплый 日本 👩‍👩‍👧"


def encoding(*keys: str, choice: ComparisonChoice | None = None) -> Callable[[Pilot[Any]], Coroutine[Any, Any, None]]:
    """Read the text, compare it with what is chosen, and press keys."""

    async def drive(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, Encoding)
        await settle(app, pilot)
        for field in (*app.screen.query(TextArea), *app.screen.query(Input)):
            field.cursor_blink = False
        if choice is not None:
            app.encoding.comparer.choose(choice)
            await app.workers.wait_for_complete()
            await settle(app, pilot)
        for key in keys:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()

    return drive


@pytest.mark.parametrize("size", SIZES)
def test_a_text_in_its_tokens(snap_compare: Compare, size: tuple[int, int]) -> None:
    keys = ["escape", "home", "right", "right", "right", "u"]
    assert snap_compare(Encoding(SENTENCE, "story"), terminal_size=size, run_before=encoding(*keys))


@pytest.mark.parametrize("theme", ["bpe-dark", "bpe-light", "bpe-contrast"])
def test_hindi_and_emoji(snap_compare: Compare, theme: str) -> None:
    app = Encoding(WORLD, "course-fr", alphabet="all-bytes", vocab_size=290)
    app.theme = theme
    assert snap_compare(app, terminal_size=LARGE, run_before=encoding("escape", "home"))


def test_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app("story")
    keys = [*["N"] * 9, "E", *"other", "escape", "home"]
    assert snap_compare(app, terminal_size=SMALL, run_before=driven(*keys))


@pytest.mark.parametrize("size", SIZES)
def test_two_tokenizers_side_by_side(snap_compare: Compare, size: tuple[int, int]) -> None:
    drive = encoding("escape", choice=ComparisonChoice(preset="huggingface"))
    assert snap_compare(Encoding(SENTENCE, "story"), terminal_size=size, run_before=drive)


@pytest.mark.parametrize("size", SIZES)
def test_dropout(snap_compare: Compare, size: tuple[int, int]) -> None:
    drive = encoding("escape", "d", "d", "d", "home", "right", "right", "right")
    assert snap_compare(Encoding(SENTENCE, "story"), terminal_size=size, run_before=drive)


@pytest.mark.parametrize("size", SIZES)
def test_the_vocabulary_by_length(snap_compare: Compare, size: tuple[int, int]) -> None:
    drive = encoding("escape", "V", "i", "i", "i")
    assert snap_compare(Encoding("", "story"), terminal_size=size, run_before=drive)


def test_writing_at_a_large_size(snap_compare: Compare) -> None:
    assert snap_compare(make_app(), terminal_size=LARGE, run_before=driven("space", "w"))
