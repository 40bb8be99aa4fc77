"""Pictures of lessons, each looked at before it was accepted (CONTRIBUTING tells how)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bpe_tui.core import i18n as language
from tests.snapshots.test_train_pictures import LARGE, SMALL, driven
from tests.ui.lessons import lesson_app, tour

Compare = Callable[..., bool]
GUESS = ("right", "right", "u", "space", "g", "enter")

IN_ENGLISH = "Read *this*, and **that**: `h u g`."
IN_RUSSIAN = "Читайте *это* и **то**: `h u g`. Какая пара самая частая, такая и сливается."


@pytest.fixture
def russian() -> Iterator[None]:
    language.use("ru")
    yield
    language.use("en")


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("keys", [("right",), ("right", "right"), GUESS], ids=["prose", "a-question", "answered"])
def test_a_page(snap_compare: Compare, keys: tuple[str, ...], size: tuple[int, int]) -> None:
    assert snap_compare(lesson_app(tour()), terminal_size=size, run_before=driven(*keys))


@pytest.mark.parametrize(
    ("keys", "theme", "size"),
    [
        pytest.param(("c", "right", "right", "right", "A", "space"), "bpe-light", SMALL, id="choices-and-away"),
        pytest.param(("right",) * 4, "bpe-contrast", SMALL, id="what-does-not-hold"),
        pytest.param(("c",), "bpe-dark", (40, 12), id="the-smallest-terminal"),
    ],
)
def test_more(snap_compare: Compare, keys: tuple[str, ...], theme: str, size: tuple[int, int]) -> None:
    assert snap_compare(lesson_app(tour(), theme=theme), terminal_size=size, run_before=driven(*keys))


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
def test_the_end(snap_compare: Compare, size: tuple[int, int]) -> None:
    keys = (*GUESS, "right", "A", "B", "right", "end")
    assert snap_compare(lesson_app(tour()), terminal_size=size, run_before=driven(*keys))


@pytest.mark.usefixtures("russian")
def test_in_russian(snap_compare: Compare) -> None:
    app = lesson_app(tour(IN_ENGLISH, IN_RUSSIAN))
    assert snap_compare(app, terminal_size=SMALL, run_before=driven("right", "left"))
