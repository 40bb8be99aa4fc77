"""What a page says of a pane is in view, in small terminals too.

The English lessons are read in the smallest usual terminal; `BPE_TUI_LONG=1` takes all languages, and a larger one too.
"""

from __future__ import annotations

import os
import re
from typing import Final

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from bpe_tui.core.i18n import LANGUAGES
from bpe_tui.lessons.lesson import Page, spans_of
from bpe_tui.lessons.library import all_entries
from bpe_tui.lessons.prose import Style
from bpe_tui.lessons.reading import parse_lesson
from bpe_tui.ui.board.arrangement import PANE_IDS
from bpe_tui.ui.lesson.screen import LessonScreen
from bpe_tui.ui.lesson.shown_blocks import PaneLink, pane_of
from bpe_tui.ui.widgets.virtual_list import VirtualList
from tests.ui.lessons import lesson_app, lesson_screen, tour
from tests.ui.running import lines

LONG: Final = bool(os.environ.get("BPE_TUI_LONG"))
SIZES: Final = ((80, 24), (100, 30)) if LONG else ((80, 24),)
NAMES: Final = {
    "en": ("corpus", "pairs?", "vocabulary", "merges?", "algorithm", "curve"),
    "fr": ("corpus", "paires", "vocabulaire", "fusions", "algorithme", "courbe"),
    "ru": ("корпус", "пары", "словарь", "слияния", "алгоритм", "кривая"),
}
"""How lessons call the panes."""
CALLED: Final = {"en": r"\b{name} pane\b", "fr": r"\bpanneau «? ?{name}\b", "ru": r"\bпанел\w+ «{name}»"}
SENTENCE: Final = re.compile(r"(?<=[.!?:])\s+")
LEAST_ROWS: Final = 3


def sentences(page: Page) -> list[str]:
    """The sentences of a page's prose, code between backticks."""
    texts = (
        "".join(f"`{span.text}`" if span.style is Style.CODE else span.text for span in spans_of(item))
        for item in page.items
    )
    return [sentence for text in texts for sentence in SENTENCE.split(text)]


def panes_in(text: str, language: str) -> list[str]:
    """The panes that a sentence names."""
    patterns = (CALLED[language].format(name=name) for name in NAMES[language])
    return [pane for pane, pattern in zip(PANE_IDS, patterns, strict=True) if re.search(pattern, text, re.IGNORECASE)]


def all_rows(pane: VirtualList[object]) -> str:
    """What a list would show if it were long enough."""
    source = pane.source
    rows = source.fetch(pane, 0, source.count(pane))
    source.measure(pane, rows)
    return "\n".join("".join(segment.text for segment in source.draw(pane, row)) for row in rows)


def plain(text: str) -> str:
    """Without the signs between tokens."""
    return re.sub(r"[·+ ]", "", text)


def body(pane: Widget) -> str:
    """What a pane shows inside its frame."""
    return "\n".join(lines(pane)[1:-1])


def faults(screen: LessonScreen) -> list[str]:
    """What this page says of panes and is not in view."""
    walk, board = screen.walk, screen.board
    panes = dict(zip(PANE_IDS, (screen.query_one(f"#{pane}") for pane in PANE_IDS), strict=True))
    named = {link.pane for link in screen.query(PaneLink)}
    found: list[str] = []
    for text in sentences(walk.page):
        about = panes_in(text, walk.lesson.language)
        named.update(about)
        for pane in about:
            view = panes[pane]
            if isinstance(view, VirtualList):
                there, shown = plain(all_rows(view)), plain(body(view))
                words = walk.trainer.words.words if pane == "corpus" else []
                found += [
                    f"{code!r} of {pane}"
                    for code in re.findall("`([^`]*)`", text)
                    if (plain(code) in there or code in words) and plain(code) not in shown
                ]
    for pane in named:
        view = panes[pane]
        if not view.display or not screen.region.contains_region(view.region):
            found.append(f"the pane {pane}")
        elif isinstance(view, VirtualList) and view.size.height - 2 < LEAST_ROWS:
            found.append(f"more of {pane}")
    if walk.selected is not None and "pairs" in named and board.session is not None:
        pair = board.session.pair_text(walk.selected)
        if plain(pair) not in plain(body(panes["pairs"])):
            found.append(f"the pair {pair}")
    if walk.selected_token is not None and "vocabulary" in named and board.session is not None:
        token = board.session.notation.token(walk.trainer.texts[walk.selected_token])
        if f" {token} " not in body(panes["vocabulary"]):
            found.append(f"the token {token}")
    return [f"page {walk.page.number}: {fault}" for fault in found]


async def faults_on_pages(pilot: Pilot[None], screen: LessonScreen) -> list[str]:
    """Those of all pages that name a pane."""
    found: list[str] = []
    lesson = screen.walk.lesson
    for place, page in enumerate(lesson.pages):
        if pane_of(page.commands) or any(panes_in(text, lesson.language) for text in sentences(page)):
            screen.turn_to(place)
            await pilot.pause()
            found += faults(screen)
    return found


LESSONS: Final = [entry for entry in all_entries() if LONG or entry.language == LANGUAGES[0]]


@pytest.mark.parametrize("size", SIZES)
async def test_what_a_page_says_of_a_pane_is_in_view(size: tuple[int, int]) -> None:
    app = lesson_app(tour())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        found: dict[str, list[str]] = {}
        for entry in LESSONS:
            lesson_screen(app).open_lesson(entry)
            await pilot.pause()
            assert lesson_screen(app).walk.lesson.path == entry.file.name
            if hidden := await faults_on_pages(pilot, lesson_screen(app)):
                found[f"{entry.language} {entry.slug}"] = hidden
        assert found == {}


async def test_what_is_below_the_fold_is_found() -> None:
    text = (
        "---\ntitle: x\nlanguage: en\ncorpus: banana\npanes: corpus vocabulary\n---\n\n"
        "The corpus pane ends with `sips`. The vocabulary pane has an `a`, the merges pane nothing.\n"
    )
    app = lesson_app(parse_lesson(text))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        found = await faults_on_pages(pilot, lesson_screen(app))
    assert found == ["page 1: 'sips' of corpus", "page 1: the pane merges"]
