"""Pictures of the train screen, each looked at before it was accepted (CONTRIBUTING tells how)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.ui.board.test_corpus_follows import long_text
from tests.ui.running import app_on_text, make_app

SMALL, LARGE = (80, 24), (120, 40)
Compare = Callable[..., bool]

HOSTILE = "[/] [b]x[/b] a\u200bb \u202eabc\u202c \x1b[31mred \u0e01\u0e33 नमस्ते 👩‍👩‍👧 日本語 日本語"


def driven(*keys: str) -> Callable[[Pilot[None]], Coroutine[Any, Any, None]]:
    """Press keys, with no blinking cursor and nothing left to do at the end."""

    async def drive(pilot: Pilot[None]) -> None:
        for key in ("", *keys):
            for field in pilot.app.screen.query(Input):
                field.cursor_blink = False
            if key:
                await pilot.press(key)
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()

    return drive


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("theme", ["bpe-dark", "bpe-light"])
def test_hug_after_two_merges(snap_compare: Compare, theme: str, size: tuple[int, int]) -> None:
    assert snap_compare(make_app(theme=theme), terminal_size=size, run_before=driven("space", "space"))


@pytest.mark.parametrize(
    ("corpus", "keys", "options"),
    [
        pytest.param("banana", [], {}, id="a-tie"),
        pytest.param("hug", ["space", "down"], {}, id="a-pair-looked-at"),
        pytest.param("hug", ["s", "s", "5"], {}, id="picked-beside-the-algorithm"),
        pytest.param("hug", ["f", "u", "down", "enter", "e", "t", "h", "u", "g"], {}, id="own-choice-and-encode"),
        pytest.param("hug", ["space", "z"], {"theme": "bpe-contrast"}, id="zoomed-in-high-contrast"),
        pytest.param("banana", ["t"], {}, id="tie-rules"),
        pytest.param("hug", ["g"], {}, id="go-to"),
        pytest.param("hug", ["question_mark"], {}, id="help"),
        pytest.param("paper", ["f", "1", "slash", "e"], {}, id="a-filter"),
    ],
)
def test_small(snap_compare: Compare, corpus: str, keys: list[str], options: dict[str, Any]) -> None:
    assert snap_compare(make_app(corpus, **options), terminal_size=SMALL, run_before=driven(*keys))


def test_prose_at_a_large_size(snap_compare: Compare) -> None:
    assert snap_compare(make_app("story"), terminal_size=LARGE, run_before=driven("N", "N", "N"))


def test_hostile_text(snap_compare: Compare) -> None:
    app = app_on_text(HOSTILE, alphabet="characters")
    assert snap_compare(app, terminal_size=LARGE, run_before=driven("N"))


def test_what_was_merged_and_what_is_next_in_repeats(snap_compare: Compare) -> None:
    assert snap_compare(make_app("banana"), terminal_size=SMALL, run_before=driven(*["space"] * 10))


def test_corpus_over_pairs_in_a_narrow_terminal(snap_compare: Compare) -> None:
    assert snap_compare(make_app("banana"), terminal_size=(60, 20), run_before=driven("space", "space"))


def test_the_algorithm_in_one_line(snap_compare: Compare) -> None:
    assert snap_compare(make_app(), terminal_size=(100, 30), run_before=driven("space", "5", "5"))


def test_many_scripts(snap_compare: Compare) -> None:
    assert snap_compare(make_app("unicode"), terminal_size=LARGE, run_before=driven("N", "N", "N", "N", "v"))


def test_the_smallest_terminal(snap_compare: Compare) -> None:
    assert snap_compare(make_app(), terminal_size=(40, 12), run_before=driven("space"))


def test_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(make_app(), terminal_size=SMALL, run_before=driven("space"))


@pytest.mark.parametrize("size", [SMALL, LARGE, (200, 60)], ids=["80x24", "120x40", "200x60"])
def test_a_megabyte_after_a_hundred_merges(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = app_on_text(long_text(150_000), merges=200)
    assert snap_compare(app, terminal_size=size, run_before=driven(*["N"] * 10))
