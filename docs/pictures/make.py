"""`make pictures`: film the app and a lesson that plays by itself, and keep single pictures of that for the README."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from bpe_tui.formats.files import write_all_atomically
from bpe_tui.lessons.library import find
from bpe_tui.lessons.reading import read_lesson
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.recording import film_lesson, filming, pictures
from bpe_tui.ui.session.export import picture_bytes
from bpe_tui.ui.session.request import Request

FOLDER: Final = Path(__file__).parent
SIZE: Final = (100, 32)
LESSON_SIZE: Final = (100, 35)
"""The page and its answer in one view."""
KEYS: Final = {
    "train": ("hug", ("space", "space", "e", *"thug")),
    "ties": ("banana", ("space", "t")),
}
"""Name of the file → corpus, keys."""
LESSONS: Final = {"lesson": ("1", "11-answer")}
"""Name of the file → lesson, pause."""


async def picture(corpus: str, keys: tuple[str, ...]) -> bytes:
    """What the screen shows after `keys`, as SVG."""
    app = BpeApp(*Request((corpus,), None, {}, False, None).find())
    async with filming(app, SIZE, app.title) as film:
        for key in keys:
            await film.pilot.press(key)
            await film.settle()
        return picture_bytes(film.catch("", 0).picture)


async def main() -> None:
    """Write all pictures."""
    files = {f"{name}.svg": await picture(*what) for name, what in KEYS.items()}
    for name, (lesson, pause) in LESSONS.items():
        pauses = await film_lesson(Walk(read_lesson(find(lesson, "en"))), LESSON_SIZE)
        files[f"{name}.svg"] = pictures(pauses)[f"{pause}.svg"]
    write_all_atomically({str(FOLDER / name): data for name, data in files.items()})


if __name__ == "__main__":
    asyncio.run(main())
