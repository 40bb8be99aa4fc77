"""The app filmed: driven without a terminal, at a fixed size, and caught at each pause; the same input, the same bytes.

What is caught is a whole screen at a time, never what a timer happens to repaint, and a pause lasts as long as reading
takes. So neither the machine nor the clock leaves a trace.
"""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rich.console import Console
from textual.geometry import Region
from textual.widgets import Input

from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.core.i18n import _, reason_of
from bpe_tui.formats.files import write_all_atomically, write_atomically
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.board.board import Board
from bpe_tui.ui.lesson.screen import LessonScreen
from bpe_tui.ui.session.export import picture_bytes
from bpe_tui.ui.themes import THEMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from textual.pilot import Pilot
    from textual.strip import Strip

    from bpe_tui.lessons.questions import Question
    from bpe_tui.lessons.walk import Walk

CAST: Final = ".cast"
"""The end of the names of asciinema recordings."""
LETTERS_PER_SECOND: Final = 11
"""How fast a narration is read: some 150 words per minute, the panes looked at meanwhile."""
LEAST: Final = 2.0
"""Seconds of the shortest pause on a page."""
THINKING: Final = 4.0
"""Further seconds for an open question."""
TYPING: Final = 0.15
"""Seconds per letter that is typed."""
MOVING: Final = 0.5
"""Seconds per choice that the marker passes."""
TYPED: Final = 1.0
"""Seconds for which an answer, typed or marked, is shown before it is given."""
PASSING: Final = 1.0
"""Seconds per merge of a page that makes several; fewer if there are many."""
ALL_PASSING: Final = 12.0
"""Seconds for all merges of a page."""
MOST_PASSING: Final = 24
"""Moments that are shown of them."""
PACE: Final = 1.5
"""Seconds for which free training is shown after each key, unless something else is asked for."""
NAMED_KEYS: Final = {
    "esc": "escape",
    **{
        name: name
        for name in (
            *("space", "enter", "escape", "tab", "backspace", "delete", "home", "end", "pageup", "pagedown"),
            *("up", "down", "left", "right", "shift+tab", "shift+left", "shift+right"),
        )
    },
}
"""Keys that are written by name, with the library's name of each; any other word is typed letter by letter."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The screen at one moment, and how long it is looked at."""

    name: str
    """`03`, `03-2` for a page that is scrolled, `03-answer`; empty for a moment that is no picture of its own."""
    lines: tuple[str, ...]
    """The lines of the screen, with the escape sequences of their colours."""
    picture: str
    """The same as SVG."""
    seconds: float


class Film:
    """Catches what an app shows."""

    def __init__(self, pilot: Pilot[None], size: tuple[int, int], title: str) -> None:
        self.pilot = pilot
        self._title = title
        self._console = Console(
            width=size[0],
            height=size[1],
            file=io.StringIO(),
            force_terminal=True,
            color_system="truecolor",
            legacy_windows=False,
            no_color=False,
        )

    async def settle(self) -> None:
        """Wait until all that was begun is done and shown."""
        app = self.pilot.app
        for _round in range(2):
            for field in app.screen.query(Input):
                field.cursor_blink = False
            await app.workers.wait_for_complete()
            await self.pilot.pause()

    def strips(self) -> list[Strip]:
        """The lines of the screen in view."""
        return self.pilot.app.screen._compositor.render_strips()  # what the library's own pictures are made of

    def catch(self, name: str, seconds: float) -> Pause:
        """The screen as it is now."""
        lines = tuple(strip.render(self._console) for strip in self.strips())
        return Pause(name, lines, self.pilot.app.export_screenshot(title=self._title), seconds)

    def letters(self, region: Region) -> int:
        """Letters shown in a region of the screen."""
        rows = self.strips()[region.y : region.bottom]
        return sum(len("".join(strip.crop(region.x, region.right).text.split())) for strip in rows)


@contextlib.asynccontextmanager
async def filming(app: BpeApp, size: tuple[int, int], title: str) -> AsyncIterator[Film]:
    """Run an app of `size` cells, columns first, without a terminal and without any animation."""
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        film = Film(pilot, size, title)
        await film.settle()
        yield film


# -- a lesson that plays by itself ---------------------------------------------------------------------------------


async def film_lesson(
    walk: Walk,
    size: tuple[int, int],
    theme: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Pause]:
    """A lesson from its first page to its last: each page is read, each question shown and then answered rightly.

    `progress` gets the pages done, and how many there are.
    """
    app = BpeApp(walk.corpus, walk.trainer.options, theme=theme, walk=walk)
    total = len(walk.lesson.pages)
    pauses: list[Pause] = []
    async with filming(app, size, walk.lesson.title) as film:
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        while True:
            pauses += await _film_page(film, screen, f"{walk.page.number:0{len(str(total))}}")
            progress(walk.page.number, total)
            if not walk.can_next:
                return pauses
            trainer, position = walk.trainer, walk.trainer.position
            screen.action_next_page()
            await film.settle()
            pauses += await _film_merges(film, screen, position if walk.trainer is trainer else 0)


async def _film_merges(film: Film, screen: LessonScreen, start: int) -> list[Pause]:
    """The merges of a page that makes several, one after another, from the one that the page before has ended with.

    Not where the page withholds something of its moment, which the way there would show.
    """
    walk, trainer = screen.walk, screen.walk.trainer
    count = trainer.position - start
    if count < 2 or walk.withheld:
        return []
    shown = min(count, MOST_PASSING)
    moments = [start + count * step // shown for step in range(shown)]
    seconds = round(min(PASSING, ALL_PASSING / shown), 2)
    pauses = []
    with screen.passing():
        for moment in moments:
            trainer.goto(moment)
            screen.board.refresh_moment()
            await film.settle()
            pauses.append(film.catch("", seconds))
        walk.return_()
    screen.show_page()
    await film.settle()
    return pauses


async def _film_page(film: Film, screen: LessonScreen, name: str) -> list[Pause]:
    """The pauses of one page."""
    walk, narration = screen.walk, screen.narration
    pauses = [film.catch(name, _reading(film, screen))]
    while narration.scroll_offset.y < narration.max_scroll_y:
        narration.action_page_down()
        await film.settle()
        pauses.append(film.catch(f"{name}-{len(pauses) + 1}", _reading(film, screen)))
    question, key = walk.page.question, walk.visit.key
    if question is None or key is None:
        return pauses
    answer = _right_answer(question, key.right, key.is_right)
    field = narration.field
    if field is not None:
        screen.set_focus(field)
        for letter in answer:
            field.insert_text_at_cursor(letter)
            await film.settle()
            pauses.append(film.catch("", TYPING))
    else:
        right = next(place for place, choice in enumerate(question.choices) if choice.text == answer)
        while narration.cursor != right:
            narration.action_move(1 if right > narration.cursor else -1)
            await film.settle()
            pauses.append(film.catch("", MOVING))
    if pauses:
        pauses[-1] = replace(pauses[-1], seconds=round(pauses[-1].seconds + TYPED, 2))
    screen.give_answer(answer)
    await film.settle()
    return [*pauses, film.catch(f"{name}-answer", _reading(film, screen))]


def _right_answer(question: Question, shown: str, is_right: Callable[[str], bool]) -> str:
    """An answer as a learner would give it."""
    if question.choices:
        return next(choice.text for choice in question.choices if is_right(choice.text))
    return question.accepted[0] if question.accepted else shown


def _reading(film: Film, screen: LessonScreen) -> float:
    """Seconds to read what the narration shows now."""
    seconds = LEAST + film.letters(screen.narration.content_region) / LETTERS_PER_SECOND
    if screen.narration.is_asking:
        seconds += THINKING
    return round(seconds, 1)


# -- free training that plays by itself ------------------------------------------------------------------------------


def parse_keys(text: str) -> list[tuple[str, bool]]:
    """The keys in `space space e thug`, each with whether it is a letter of a word. Raises `OptionError`.

    A word is a key by its name (`NAMED_KEYS`, `ctrl+…`), a single character, or else typed letter by letter; in single
    quotes it is always typed.
    """
    keys: list[tuple[str, bool]] = []
    for word in text.split():
        quoted = word.startswith("'") and word.endswith("'") and len(word) > 2
        if not quoted and word.lower() in NAMED_KEYS:
            keys.append((NAMED_KEYS[word.lower()], False))
        elif not quoted and len(word) > 1 and "+" in word[1:-1]:
            message = _("--keys: there is no key {name!r}; keys are {names}, and single characters")
            raise OptionError(message.format(name=word, names=", ".join(NAMED_KEYS)))
        else:
            letters = word[1:-1] if quoted else word
            keys += [(letter, len(letters) > 1) for letter in letters]
    if not keys:
        raise OptionError(_("--keys needs at least one key, such as space"))
    return keys


async def film_training(
    app: BpeApp,
    keys: Sequence[tuple[str, bool]],
    size: tuple[int, int],
    *,
    pace: float = PACE,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Pause]:
    """What the app shows before the first key, and after each of them. Raises `OptionError` for a key that plays.

    `keys` are those of `parse_keys`, `pace` is in seconds per key; letters of a word follow one another faster.
    """
    pauses: list[Pause] = []
    digits = len(str(len(keys)))
    async with filming(app, size, app.title) as film:
        pauses.append(film.catch("0" * digits, pace))
        for place, (key, is_letter) in enumerate(keys, 1):
            await film.pilot.press(key)
            await film.settle()
            if not app.is_running or app.return_code is not None:
                break
            board = getattr(app.screen, "board", None)
            if isinstance(board, Board) and board.is_moving:
                raise OptionError(_("--keys: playing follows the clock; name the steps instead, such as space space"))
            is_last = place == len(keys) or not keys[place][1]
            seconds = TYPING if is_letter and not is_last else pace
            pauses.append(film.catch(f"{place:0{digits}}", seconds))
            progress(place, len(keys))
    return pauses


# -- files ---------------------------------------------------------------------------------------------------------


def cast(pauses: Sequence[Pause], size: tuple[int, int], title: str, theme: str) -> bytes:
    """The pauses as an asciinema recording, version 2: a line of JSON for the header, and one for each event."""
    colours = next(one for one in THEMES if one.name == theme) if theme in {one.name for one in THEMES} else THEMES[0]
    header = {
        "version": 2,
        "width": size[0],
        "height": size[1],
        "title": title,
        "env": {"TERM": "xterm-256color"},
        "theme": {
            "fg": colours.foreground,
            "bg": colours.background,
            "palette": ":".join(_palette(colours.variables, str(colours.foreground), str(colours.background))),
        },
    }
    events: list[list[float | str]] = []
    now, before = 0.0, [""] * size[1]
    opening = "\x1b[?25l\x1b[2J"
    for pause in pauses:
        changed = [
            f"\x1b[{row};1H{line}"
            for row, (line, old) in enumerate(zip(pause.lines, before, strict=True), 1)
            if line != old
        ]
        events.append([round(now, 3), "o", opening + "".join(changed)])
        opening, before = "", list(pause.lines)
        now += pause.seconds
    events.append([round(now, 3), "o", f"\x1b[0m\x1b[{size[1]};1H\x1b[?25h"])  # the last pause lasts, too
    rows = [header, *events]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "replace")


def _palette(variables: dict[str, str], foreground: str, background: str) -> list[str]:
    """Eight colours for players that ask for them; the screen itself names its colours in full."""
    names = ("warn", "new", "mark", "token-1", "token-4", "token-2")
    return [background, *(variables[name] for name in names), foreground]


def pictures(pauses: Sequence[Pause]) -> dict[str, bytes]:
    """File names of the pictures, with what is in them."""
    return {f"{pause.name}.svg": picture_bytes(pause.picture) for pause in pauses if pause.name}


def write(path: Path, pauses: Sequence[Pause], size: tuple[int, int], title: str, theme: str) -> list[Path]:
    """Write a recording: a `.cast` file, or a folder of pictures, one per named pause; whole or not at all.

    A folder may be there already; pictures in it that are not of this recording stay, and are returned. Raises
    `TokenizerFileError` with the reason.
    """
    if path.suffix == CAST:
        write_atomically(str(path), cast(pauses, size, title, theme))
        return []
    wanted = pictures(pauses)
    is_new = not path.exists()
    try:
        path.mkdir(exist_ok=True)
        others = sorted(one for one in path.glob("*.svg") if one.name not in wanted)
    except OSError as error:
        raise TokenizerFileError(_("cannot be made, {reason}").format(reason=reason_of(error).lower())) from error
    try:
        write_all_atomically({str(path / name): data for name, data in wanted.items()})
    except BaseException:
        if is_new:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise
    return others
