"""Pictures in French and Russian, whose words are longer: nothing that matters is cut, and nothing stays English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bpe_tui.core import i18n as language
from tests.snapshots.test_train_pictures import LARGE, SMALL, Compare, driven
from tests.ui.running import make_app


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    """Leave no other language behind."""
    yield
    language.use("en")


@pytest.mark.parametrize(
    ("code", "size", "keys"),
    [
        pytest.param("fr", SMALL, ["space", "space"], id="fr-two-merges"),
        pytest.param("ru", LARGE, ["space", "space", "s"], id="ru-counted"),
        pytest.param("ru", SMALL, ["t"], id="ru-tie-rules"),
        pytest.param("fr", (40, 12), ["question_mark"], id="fr-help-in-the-smallest-terminal"),
    ],
)
def test_screens(snap_compare: Compare, code: str, size: tuple[int, int], keys: list[str]) -> None:
    language.use(code)
    assert snap_compare(make_app(), terminal_size=size, run_before=driven(*keys))


def test_russian_text_reads_as_russian(snap_compare: Compare) -> None:
    language.use("ru")
    assert snap_compare(make_app("course-ru"), terminal_size=LARGE, run_before=driven(*["space"] * 5))
