"""`make pictures`: film the app and a lesson that plays by itself, for the README's moving picture and its stills."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from bpe_tui.formats.files import write_all_atomically
from bpe_tui.lessons.library import find
from bpe_tui.lessons.reading import read_lesson
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.recording import film_lesson, film_training, parse_keys
from bpe_tui.ui.session.request import Request
from tools.animation import Scene, animated, still

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
WALK_SIZE: Final = (80, 24)
"""Small, so that it can be read on a page."""
WALK: Final = (
    ("", 2.2, "", "Five words, letter by letter. Which pair of neighbours is most frequent?"),
    ("space", 1.8, "space", "u + g, 20 times: merge it into one token"),
    ("space", 1.5, "space", "count again, merge the next: u + n"),
    ("space", 1.6, "space", "and h + ug. That is the whole algorithm"),
    ("u", 1.6, "u", "undo, exactly"),
    ("2", 0.5, "2", "look at the pairs …"),
    ("down", 1.2, "↓", "what if p + un came first?"),
    ("enter", 1.9, "enter", "your own choice: the log marks it"),
    ("space", 1.6, "space", "from here, the rule again"),
    ("e", 0.6, "e", "now encode a word of your own"),
    ("t", 0.3, "t", "now encode a word of your own"),
    ("h", 0.3, "th", "now encode a word of your own"),
    ("u", 0.3, "thu", "now encode a word of your own"),
    ("g", 3.2, "thug", "becomes [UNK] and hug: no word of the corpus has a t"),
)
"""Key, seconds until the next, the key as it is shown, and what is said of what it does."""
STILLS: Final = {
    "ties": ("banana", "t", (90, 24)),
    "encode": (
        "course-en",
        "f E 'This' space 'is' space 'a' space 'tokenizer.' esc x down down down down enter",
        (90, 22),
    ),
}
"""Name of the file → corpus, keys, columns and rows."""
LESSONS: Final = {"lesson": ("1", "11-answer", (100, 35))}
"""Name of the file → lesson, pause, columns and rows: the page and its answer in one view."""


def opened(corpus: str) -> BpeApp:
    """The app on a bundled corpus."""
    return BpeApp(*Request((corpus,), None, {}, False, None).find())


async def walk() -> bytes:
    """The moving picture."""
    keys = [(key, False) for key, *_ in WALK if key]
    pauses = await film_training(opened("hug"), keys, WALK_SIZE)
    scenes = [
        Scene(pause.picture, seconds, shown, caption)
        for pause, (_key, seconds, shown, caption) in zip(pauses, WALK, strict=True)
    ]
    return animated(scenes, "bpe-tui")


async def main() -> None:
    """Write all pictures."""
    files = {"walk.svg": await walk()}
    for name, (corpus, keys, size) in STILLS.items():
        pauses = await film_training(opened(corpus), parse_keys(keys), size)
        files[f"{name}.svg"] = still(pauses[-1].picture, "bpe-tui")
    for name, (lesson, wanted, size) in LESSONS.items():
        pauses = await film_lesson(Walk(read_lesson(find(lesson, "en"))), size)
        (pause,) = (pause for pause in pauses if pause.name == wanted)
        files[f"{name}.svg"] = still(pause.picture, "bpe-tui")
    write_all_atomically({str(FOLDER / name): data for name, data in files.items()})


if __name__ == "__main__":
    asyncio.run(main())
