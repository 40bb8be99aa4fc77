"""The app: themes, the first screen, the command palette. All else is in screens and widgets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import BindingType

from bpe_tui.core.errors import OptionError
from bpe_tui.core.policy import policy
from bpe_tui.ui.actions import PROGRAM_ACTIONS, Place, bindings
from bpe_tui.ui.memory import claim
from bpe_tui.ui.palette import commands
from bpe_tui.ui.safety import SafeFilter
from bpe_tui.ui.screens.train import TrainScreen
from bpe_tui.ui.session import SMALL, Request, Session
from bpe_tui.ui.themes import DEFAULT_VARIABLES, THEMES

if TYPE_CHECKING:
    from textual.filter import LineFilter
    from textual.screen import Screen

    from bpe_tui.core.corpus import Corpus
    from bpe_tui.core.presets import Options

DEFAULT_THEME = "bpe-dark"
FONT_FACES = re.compile(r"@font-face\s*\{[^}]*\}\s*")


class BpeApp(App[None]):
    """Watch byte-pair encoding learn, one merge at a time."""

    TITLE = "bpe-tui"
    CSS_PATH = "screens/train.tcss"  # the library doesn't load the layout of a first screen by itself
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PROGRAM_ACTIONS, Place.ALL)]

    def __init__(
        self,
        corpus: Corpus,
        options: Options,
        *,
        theme: str | None = None,
        request: Request | None = None,
        keeps: bool = False,
    ) -> None:
        """`request` may hold a session to take up; sessions are kept if `keeps`.

        Raises `BpeError` if a small corpus cannot be read, or there is no such theme.
        """
        super().__init__()
        for own in THEMES:
            self.register_theme(own)
        self.use_theme(theme or DEFAULT_THEME)
        self._corpus = corpus
        self._options = options
        self._request = request or Request()
        self.keeps = keeps
        """Are sessions kept by themselves?"""
        is_ready = is_small(corpus) and self._request.saved is None
        self._session = Session.load(corpus, options) if is_ready else None
        self._trainings: list[TrainScreen] = []
        self._safe = SafeFilter()
        self.is_alone = False
        """Does the process live for the app only?"""

    def use_theme(self, name: str) -> None:
        """Show a theme; raises `OptionError` if there is none of that name."""
        if name not in self.available_themes:
            raise OptionError(f"there is no theme {name!r}; choose one of {', '.join(theme.name for theme in THEMES)}")
        self.theme = name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The variables of our panes for themes that aren't ours."""
        return dict(DEFAULT_VARIABLES[self.current_theme.dark])

    def get_line_filters(self) -> Sequence[LineFilter]:
        """All that is rendered passes the last gate."""
        return [*super().get_line_filters(), self._safe]

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The command palette."""
        return commands(self, screen)

    def export_screenshot(self, *, title: str | None = None, simplify: bool = False) -> str:
        """The screen as an SVG picture that loads nothing from elsewhere: the viewer's own fonts will do."""
        return FONT_FACES.sub("", super().export_screenshot(title=title, simplify=simplify))

    def get_default_screen(self) -> Screen[Any]:
        """The train screen is the first one."""
        screen = TrainScreen(self._session)
        self._trainings.append(screen)
        return screen

    def keep_sessions(self) -> None:
        """Keep what is not kept yet; the program ends. Raises `BpeError`."""
        for screen in self._trainings:
            if screen.keeper is not None:
                screen.keeper.save_now()

    def on_mount(self) -> None:
        """A large corpus is read behind the screen."""
        if self.is_alone:
            self.call_after_refresh(claim)
        if self._session is None and isinstance(self.screen, TrainScreen):
            self.screen.call_after_refresh(self.screen.load, self._corpus, self._options, self._request)


def is_small(corpus: Corpus) -> bool:
    """Can it be opened in the blink of an eye?"""
    sizes = [source.size for source in corpus.sources]
    return None not in sizes and sum(size or 0 for size in sizes) <= SMALL


def run_app(
    *,
    names: tuple[str, ...] = (),
    preset: str | None = None,
    overrides: Mapping[str, object] | None = None,
    theme: str | None = None,
    word_counts: bool = False,
    stdin_text: str | None = None,
) -> None:
    """Open the app; without names on the hug corpus. Raises `BpeError` before the screen is taken."""
    request = Request(names or ("hug",), preset, dict(overrides or {}), word_counts, stdin_text).with_session()
    corpus, options = request.find()
    app = BpeApp(corpus, options, theme=theme, request=request, keeps=policy().keeps_state)
    app.is_alone = True
    app.run()
    app.keep_sessions()
