"""Lessons on the screen, for tests: opened, and looked at."""

from __future__ import annotations

from pathlib import Path

from bpe_tui.lessons.lesson import Lesson
from bpe_tui.lessons.reading import parse_lesson, read_lesson
from bpe_tui.lessons.walk import Walk
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.lesson.screen import LessonScreen
from tests.ui.running import text_of

TOUR = """---
title: A tour
language: en
summary: All that a lesson can hold.
corpus: hug
---

Read *this*, and **that**: `h u g`.

```note
Wait for the last people.
```

## Letters

- one letter, one token
- [another](https://example.org) way

```bpe
show vocabulary
expect vocabulary: 7
```

## A guess

```ask
Which pair is merged next?

answer: next
hint: Look at `hug`.
explain: It stands in three words.
```

## Merged

```bpe
step
encode thug
expect merge 1: u + g → ug, 20 times
```

```ask
Which token is new?

- `h`
- [x] `ug`
- `un`
```

## Elsewhere

```bpe
open banana
step
select a nan
show bytes é
expect merges: 7
```
"""
"""Five pages; the last one states what is not true."""


def tour(old: str = "", new: str = "") -> Lesson:
    """The tour, with `new` in the place of `old`."""
    return parse_lesson(TOUR.replace(old, new) if old else TOUR, "tour.md")


def file_with(folder: Path) -> Path:
    """The tour in a file."""
    path = folder / "tour.md"
    path.write_text(TOUR, encoding="utf-8")
    return path


def lesson_app(lesson: Lesson | Path, *, theme: str | None = None, saves: bool = False) -> BpeApp:
    """The app on a lesson; progress is saved if it `saves`."""
    walk = Walk(read_lesson(lesson) if isinstance(lesson, Path) else lesson)
    return BpeApp(walk.corpus, walk.trainer.options, theme=theme, walk=walk, saves=saves)


def lesson_screen(app: BpeApp) -> LessonScreen:
    """The lesson screen, which has to be the one in view."""
    screen = app.screen
    assert isinstance(screen, LessonScreen)
    return screen


def told(app: BpeApp) -> str:
    """What the narration tells, in one line."""
    parts = [text_of(widget) for widget in lesson_screen(app).narration.query("*") if not widget.children]
    return " ".join(" ".join(parts).split())


def everything(app: BpeApp) -> str:
    """What stands on the screen."""
    return "\n".join(text_of(widget) for widget in app.screen.query("*") if widget.display and not widget.children)
