"""`make pictures`: drive the app without a terminal and keep what it shows, for the README."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from textual.widgets import Input

from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.session import Request

FOLDER: Final = Path(__file__).parent
PICTURES: Final = {
    "train": ("hug", (100, 32), ("space", "space", "e", *"thug")),
    "ties": ("banana", (100, 32), ("space", "t")),
}
"""Name of the file → corpus, size in cells, keys."""


async def picture(corpus: str, size: tuple[int, int], keys: tuple[str, ...]) -> str:
    """What the screen shows after `keys`, as SVG."""
    app = BpeApp(*Request((corpus,), None, {}, False, None).find())
    async with app.run_test(size=size) as pilot:
        for key in keys:
            await pilot.press(key)
            for field in app.screen.query(Input):
                field.cursor_blink = False
            await app.workers.wait_for_complete()
            await pilot.pause()
        return app.export_screenshot()


def main() -> None:
    """Write all pictures."""
    for name, (corpus, size, keys) in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(asyncio.run(picture(corpus, size, keys)), encoding="utf-8")


if __name__ == "__main__":
    main()
