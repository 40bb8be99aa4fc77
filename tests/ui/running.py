"""Running the app in tests: opened on a corpus, driven by keys, read as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import events
from textual.geometry import Region
from textual.keys import _character_to_key, key_to_character
from textual.pilot import Pilot
from textual.widget import Widget

from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.options import make_options
from bpe_tui.ui.app import BpeApp
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.train.screen import TrainScreen


def make_app(*names: str, theme: str | None = None, preset: str | None = None, **overrides: Any) -> BpeApp:
    """The app on bundled corpora or files."""
    return BpeApp(*Request(names or ("hug",), preset, overrides).find(), theme=theme)


def app_on_text(text: str, preset: str = "course", **overrides: Any) -> BpeApp:
    """The app on a text."""
    return BpeApp(text_corpus(text), make_options(preset, **overrides))


def train_screen(app: BpeApp) -> TrainScreen:
    """The train screen, which has to be the one in view."""
    screen = app.screen
    assert isinstance(screen, TrainScreen)
    return screen


def status(app: BpeApp) -> str:
    """`merge 1/3  vocab 8  merged`."""
    return train_screen(app).board.status.text


def focused(app: BpeApp) -> str | None:
    """Id of the widget with the focus."""
    return app.focused.id if app.focused is not None else None


def screen_name(app: BpeApp) -> str:
    """Class of the screen in view."""
    return type(app.screen).__name__


def lines(widget: Widget) -> list[str]:
    """What a widget shows, line by line."""
    return [strip.text for strip in widget.render_lines(Region(0, 0, *widget.outer_size))]


def text_of(widget: Widget) -> str:
    """What a widget shows."""
    return "\n".join(lines(widget))


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys one after another, and wait until all is shown."""
    for key in keys:
        await pilot.press(key)
    await pilot.pause()


async def until(pilot: Pilot[None], happened: Callable[[], bool]) -> None:
    """Wait until it has happened, which is soon."""
    for _ in range(200):
        await pilot.pause(0.02)
        if happened():
            return
    raise AssertionError("it does not happen")


async def press_fast(pilot: Pilot[None], *keys: str) -> None:
    """Press keys so fast that the screen is drawn only after all of them, and wait until it is."""
    for key in keys:
        char = key if len(key) == 1 else key_to_character(key)
        pilot.app.post_message(events.Key(_character_to_key(key) if len(key) == 1 else key, char))
    await pilot.pause()


async def type_text(pilot: Pilot[None], text: str) -> None:
    """Type a text into what has the focus."""
    await press_fast(pilot, *text)
