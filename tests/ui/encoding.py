"""The encode screen in tests: on a bundled corpus, read as text."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.pilot import Pilot

from bpe_tui.ui.encode.screen import EncodeScreen
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from bpe_tui.ui.themes import DEFAULT_VARIABLES, THEMES


class Encoding(App[None]):
    """The encode screen on a bundled corpus, trained to its target."""

    def __init__(self, text: str = "", corpus: str = "hug", merges: int | None = None, **overrides: object) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "bpe-dark"
        self.session = Session.load(*Request((corpus,), overrides=overrides).find())
        if merges is None:
            self.session.trainer.run()
        else:
            self.session.trainer.goto(merges)
        self.session.text = text

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DEFAULT_VARIABLES[True])

    def on_mount(self) -> None:
        self.push_screen(EncodeScreen(self.session))

    @property
    def encoding(self) -> EncodeScreen:
        screen = self.screen
        assert isinstance(screen, EncodeScreen)
        return screen

    @property
    def words(self) -> list[str]:
        """The tokens in the chips, by word: `un·hug`."""
        tokenized = self.encoding.chips.tokenized
        return ["·".join(token.text for token in tokenized.word(word)) for word in range(len(tokenized.spans))]

    def lines(self, pane: str) -> list[str]:
        widget = self.encoding.query_one(f"#{pane}")
        return [widget.render_line(y).text for y in range(widget.size.height)]

    def text_of(self, pane: str) -> str:
        return "\n".join(self.lines(pane))


async def settle(app: Encoding, pilot: Pilot[Any]) -> None:
    """Wait until the text is read and replayed."""
    await pilot.pause()
    for _ in range(500):
        if not (app.encoding.reader.is_running or app.encoding.replayer.is_running):
            break
        await pilot.pause(0.01)
    await pilot.pause()
