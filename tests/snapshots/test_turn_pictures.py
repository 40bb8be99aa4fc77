"""Pictures of your turn, the tie rules, and the paths and runs shown beside; each looked at before it was accepted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.snapshots.test_train_pictures import LARGE, SMALL, Compare, driven
from tests.ui.running import make_app


@pytest.mark.parametrize(
    ("corpus", "keys", "options"),
    [
        pytest.param("hug", ["y", "down"], {}, id="a-question"),
        pytest.param("banana", ["y", *["down"] * 8, "enter"], {"theme": "bpe-light"}, id="a-tied-guess"),
        pytest.param("banana", [*["down"] * 4], {}, id="a-run"),
    ],
)
def test_small(snap_compare: Compare, corpus: str, keys: list[str], options: dict[str, Any]) -> None:
    assert snap_compare(make_app(corpus, **options), terminal_size=SMALL, run_before=driven(*keys))


def test_a_wrong_guess_at_a_large_size(snap_compare: Compare) -> None:
    keys = ["space", "y", "enter"]
    assert snap_compare(make_app(), terminal_size=LARGE, run_before=driven(*keys))


def test_a_question_in_light_at_a_large_size(snap_compare: Compare) -> None:
    assert snap_compare(make_app("banana", theme="bpe-light"), terminal_size=LARGE, run_before=driven("y"))


def test_own_way_and_the_rules(snap_compare: Compare) -> None:
    keys = ["space", "down", "down", "down", "enter", "f"]
    assert snap_compare(make_app(), terminal_size=LARGE, run_before=driven(*keys))


def test_a_guess_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(make_app(), terminal_size=SMALL, run_before=driven("y", "enter"))


def test_a_guess_in_the_smallest_terminal(snap_compare: Compare) -> None:
    assert snap_compare(make_app("banana"), terminal_size=(40, 12), run_before=driven("y", "down", "enter"))
