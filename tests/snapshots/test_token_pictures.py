"""Pictures of a token's tree, of writing, and of opening; each looked at before it was accepted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.snapshots.test_train_pictures import driven
from tests.ui.running import make_app

SMALL, LARGE = (80, 24), (120, 40)
Compare = Callable[..., bool]
TREE = ["f", "3", "enter"]
UNUSED = ["f", "3", "up", "up", "up"]


@pytest.mark.parametrize(
    ("keys", "options", "size"),
    [
        pytest.param(TREE, {}, SMALL, id="tree-80x24"),
        pytest.param(TREE, {}, (40, 12), id="tree-40x12"),
        pytest.param(UNUSED, {"theme": "bpe-light"}, LARGE, id="why-a-letter-stays-light"),
        pytest.param([*UNUSED, "enter"], {"theme": "bpe-contrast"}, SMALL, id="unused-high-contrast"),
        pytest.param(["space", "w"], {}, SMALL, id="write-80x24"),
        pytest.param(["space", "w"], {}, (40, 12), id="write-40x12"),
    ],
)
def test_dialogs(snap_compare: Compare, keys: list[str], options: dict[str, Any], size: tuple[int, int]) -> None:
    assert snap_compare(make_app(**options), terminal_size=size, run_before=driven(*keys))
