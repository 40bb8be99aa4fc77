"""The app: themes, the first screen, the command palette. All else is in screens and widgets."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import Monochrome
from textual.worker import WorkerFailed

from bpe_tui.core.corpus.patterns import TIME_LIMIT_FOR_KEYS, time_limit
from bpe_tui.core.display import displayable
from bpe_tui.core.errors import SettingsError
from bpe_tui.core.i18n import LANGUAGES, _
from bpe_tui.core.readable import TokenStyle
from bpe_tui.core.runtime import policy
from bpe_tui.formats.settings import FILE, UserSettings, read_settings
from bpe_tui.ui.actions import PROGRAM_ACTIONS, app_bindings, use_keys
from bpe_tui.ui.dialogs.dialog import ask
from bpe_tui.ui.gc_settling import claim
from bpe_tui.ui.palette import ActionPalette, commands, run_later
from bpe_tui.ui.player import USUAL_SPEED, Pace
from bpe_tui.ui.safety import ColourFilter, SafeFilter
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.settings_writer import SettingsWriter
from bpe_tui.ui.session.token_display import TokenDisplay
from bpe_tui.ui.session.training import SMALL, Session
from bpe_tui.ui.themes import DEFAULT_VARIABLES, THEMES, no_theme, theme_in_force
from bpe_tui.ui.train.screen import TrainScreen

if TYPE_CHECKING:
    from pathlib import PurePath

    from textual.driver import Driver
    from textual.filter import LineFilter
    from textual.screen import Screen

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.options import Options
    from bpe_tui.lessons.lesson import Lesson
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.served_driver import TextUploaded
    from bpe_tui.ui.session.tokenizer import EncodeSession


class Broken(Exception):
    """A bug ended the app; its cause says which."""


NAMES_OF_LANGUAGES: Final = {"en": "English", "fr": "français", "ru": "русский"}
"""Each in itself."""
TELLING = ("block-cursor-background", "mark", "input-selection-background")
"""Variables of themes: backgrounds that mean something."""
ENCODE_LAYOUT = "encode/encode.tcss"
FONT_FACES = re.compile(r"@font-face\s*\{[^}]*\}\s*")


class BpeApp(App[None]):
    """Watch byte-pair encoding learn, one merge at a time."""

    TITLE = "bpe-tui"
    # Of all screens with a board; the library wouldn't load the layout of a first screen by itself.
    CSS_PATH: ClassVar[list[str | PurePath]] = ["board/board.tcss", "lesson/lesson.tcss"]
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        *app_bindings(),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False),
    ]

    def __init__(
        self,
        corpus: Corpus | None,
        options: Options | None,
        *,
        theme: str | None = None,
        request: Request | None = None,
        saves: bool = False,
        walk: Walk | None = None,
        tokenizer: EncodeSession | None = None,
        settings: UserSettings | None = None,
    ) -> None:
        """Open on a corpus, or with a `walk` on its lesson, or without a corpus on a `tokenizer`.

        `request` may hold a session to resume; with it alone, what it names is found and read behind the screen.
        Sessions are saved by themselves if `saves`. With `settings` the app begins as they say, and what the learner
        changes is written to their file; without, nothing is read or written. Raises `BpeError` if a small corpus
        cannot be read, or there is no such theme.
        """
        super().__init__(css_path=None if tokenizer is None else [*self.CSS_PATH, ENCODE_LAYOUT])
        for own in THEMES:
            self.register_theme(own)
        self._writer = None if settings is None else SettingsWriter(self, self.warn)
        self._complaints: list[str] = []
        """What is wrong with the settings, to be said on the first screen."""
        self._begin_with(settings, theme)
        settings = settings or UserSettings()
        self.token_display = TokenDisplay(
            TokenStyle[(settings.blanks or "sign").upper()], lambda style: self._keep("blanks", style.name.lower())
        )
        """See `Navigator`."""
        self.pace = Pace(settings.speed or USUAL_SPEED, lambda speed: self._keep("speed", speed))
        """See `Navigator`."""
        self._tokenizer = tokenizer
        if tokenizer is not None:
            tokenizer.display = self.token_display
        self._request = request
        self.saves = saves
        """See `Navigator`."""
        self._walk = walk
        self._session: Session | None = None
        self._waiting: tuple[Corpus, Options] | None = None
        """A corpus that takes a while, to be read behind the screen."""
        if corpus is not None and options is not None and walk is None:
            if is_quick(corpus, options) and (request is None or request.saved is None):
                self._session = Session.load(corpus, options, request.under if request is not None else None)
            else:
                self._waiting = corpus, options
        self._trainings: list[TrainScreen] = []
        self._safe = SafeFilter()
        self._colourless = ColourFilter(self._telling_backgrounds)
        self.is_alone = False
        """Does the process live for the app only?"""
        self.first_action = ""
        """What the first screen does by itself."""
        self.fault: BaseException | None = None
        """The bug that ended the program, if one did."""

    def _begin_with(self, settings: UserSettings | None, theme: str | None) -> None:
        """Theme, motion and keys, as an option says, and the environment and the settings. Raises `OptionError`."""
        environment: Mapping[str, str] = {} if settings is None else os.environ  # recordings are the same everywhere
        settings = settings or UserSettings()
        self._complaints += settings.complaints
        name, _origin, complaints = theme_in_force(settings.themes(theme, environment))
        self._complaints += complaints
        self.use_theme(name)
        if settings.has_motion(environment) == (False, FILE):
            self.animation_level = "none"
        use_keys({})
        if settings.keys:
            from bpe_tui.ui.keymap import give_keys, textual_keymap  # only changed keys need the tables of all screens

            self._complaints += give_keys(settings.keys)
            self.set_keymap(textual_keymap())

    def _keep(self, name: str, value: str | bool | float) -> None:
        """Remember what the learner has chosen, if anything is remembered."""
        if self._writer is not None:
            self._writer.keep(name, value)

    def warn(self, sentence: str) -> None:
        """Say over any screen that something is wrong."""
        self.notify(displayable(sentence), severity="warning", markup=False, timeout=10)

    def choose_theme(self, name: str) -> None:
        """Show a theme from now on."""
        self.use_theme(name)
        self._keep("theme", name)

    def action_themes(self) -> None:
        """Choose a theme by looking at it."""
        from bpe_tui.ui.dialogs.themes import ThemesDialog  # when it opens, as all dialogs

        ask(self.screen, ThemesDialog(self.theme, self.use_theme), self._keep_theme)

    def _keep_theme(self, name: str | None) -> None:
        if name is not None:
            self.choose_theme(name)

    def action_motion(self) -> None:
        """Have nothing move, or as usual."""
        moves = self.animation_level == "none"
        self.animation_level = "full" if moves else "none"
        self._keep("motion", moves)
        message = _("Changes are carried by a short motion.") if moves else _("Nothing moves by itself any more.")
        self.notify(message, markup=False, timeout=4)

    def action_language(self, language: str) -> None:
        """Speak another language, from the next start on: the tables of texts are made at import."""
        self._keep("language", language)
        message = _("The language is {language} from the next start on.")
        self.notify(message.format(language=NAMES_OF_LANGUAGES[language]), markup=False, timeout=6)

    def use_theme(self, name: str) -> None:
        """Show a theme; raises `OptionError` if there is none of that name."""
        if name not in self.available_themes:
            raise no_theme(name)
        self.theme = name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The variables of our panes for themes that aren't ours."""
        return dict(DEFAULT_VARIABLES[self.current_theme.dark])

    def get_driver_class(self) -> type[Driver]:
        """What reads keys and writes to the terminal."""
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":
            return usual
        from bpe_tui.ui.terminal_driver import TerminalDriver  # on Windows there is no such module

        return TerminalDriver

    def get_line_filters(self) -> Sequence[LineFilter]:
        """All that is rendered passes the last gate; with `NO_COLOR` no colour does."""
        filters = [*super().get_line_filters(), self._safe]
        if self.no_color:
            return [*(one for one in filters if not isinstance(one, Monochrome)), self._colourless]
        return filters

    def _telling_backgrounds(self) -> frozenset[str]:
        """Backgrounds that mean something by themselves: without colours they are reversed."""
        variables = {**DEFAULT_VARIABLES[self.current_theme.dark], **self.theme_variables}
        return frozenset(variables[name].lower() for name in TELLING if name in variables)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The command palette."""
        yield from commands(screen, self.choose_theme)
        yield SystemCommand(
            _("Try the themes"), _("Colours of the program, seen at once"), partial(run_later, self, "app.themes")
        )
        motion = _("Motion on") if self.animation_level == "none" else _("Motion off")
        yield SystemCommand(motion, _("Whether changes are carried by a short motion"), self.action_motion)
        for language in LANGUAGES if self._writer is not None else ():
            name = _("Language {name}").format(name=NAMES_OF_LANGUAGES[language])
            yield SystemCommand(name, _("From the next start on"), partial(self.action_language, language))

    def action_command_palette(self) -> None:
        """The command palette, in our words."""
        if not isinstance(self.screen, ActionPalette):
            self.push_screen(ActionPalette())

    def action_help_quit(self) -> None:
        """Ctrl+C with nothing selected: say how to leave."""
        message = _("{quit} leaves the program; where letters are typed, ctrl+q does.")
        self.notify(message.format(quit=PROGRAM_ACTIONS[0].first_key), markup=False, timeout=4)

    def exit(self, *arguments: Any, **named: Any) -> None:
        """End the program; a search of the palette ends first, as it would miss its list while that is put away."""
        if isinstance(self.screen, ActionPalette):
            self.workers.cancel_node(self.screen)
        super().exit(*arguments, **named)

    def export_screenshot(self, *, title: str | None = None, simplify: bool = False) -> str:
        """The screen as an SVG picture that loads nothing from elsewhere: the viewer's own fonts will do."""
        return FONT_FACES.sub("", super().export_screenshot(title=title, simplify=simplify))

    def get_default_screen(self) -> Screen[Any]:
        """The train screen is the first one, or a lesson, or for a tokenizer the encode screen.

        Those two are imported when they are shown, as they take a fifth and a tenth of the time until the first paint.
        """
        if self._walk is not None:
            from bpe_tui.ui.lesson.screen import LessonScreen

            return LessonScreen(self._walk, self)
        if self._tokenizer is not None:
            from bpe_tui.ui.encode.screen import EncodeScreen

            return EncodeScreen(self._tokenizer, self.pace)
        return self._training(self._session)

    def _training(self, session: Session | None) -> TrainScreen:
        screen = TrainScreen(self, session, self._tokenizer)
        self._trainings.append(screen)
        return screen

    def action_to_training(self) -> None:
        """From a tokenizer to the train screen, which was not needed until now."""
        self.push_screen(self._training(None))

    def show_encode_screen(self, session: EncodeSession, then: Callable[[None], None]) -> None:
        """See `Navigator`."""
        from bpe_tui.ui.encode.screen import EncodeScreen  # see `get_default_screen`

        self.push_screen(EncodeScreen(session, self.pace), then)

    def open_lesson(self, walk: Walk) -> None:
        """See `Navigator`; a lesson that is the first screen stays for good."""
        from bpe_tui.ui.lesson.screen import LessonScreen  # see `get_default_screen`

        if isinstance(self.screen, LessonScreen) and len(self.screen_stack) > 1:
            self.switch_screen(LessonScreen(walk, self))
        else:
            self.push_screen(LessonScreen(walk, self))

    def leave_lesson(self, session: Session | None, request: Request | None = None) -> None:
        """See `Navigator`."""
        below = self.screen_stack[-2] if len(self.screen_stack) > 1 else None
        if isinstance(below, TrainScreen):
            training = below
            self.pop_screen()
        else:  # the lesson is the first screen, which stays for good
            training = self._training(session)
            self.push_screen(training)
        if request is not None:
            training.call_after_refresh(training.opener.open, request)

    def save_settings(self) -> None:
        """Write what was changed at last, if it can be written; the program ends."""
        if self._writer is not None:
            with contextlib.suppress(SettingsError):
                self._writer.write()

    def save_sessions(self) -> str:
        """Save what is not saved yet; the program ends. Where the last training can be resumed. Raises `BpeError`."""
        sentence = ""
        for screen in self._trainings:
            if screen.saver is not None:
                screen.saver.save_now()
                sentence = screen.saver.farewell or sentence
        return sentence

    def _handle_exception(self, error: Exception) -> None:
        """End the program, and leave the report to the caller.

        The library would print the values of all variables, and the user's text with them; it has no other hook.
        """
        if not self.is_alone:
            super()._handle_exception(error)
            return
        self.fault = self.fault or (error.error if isinstance(error, WorkerFailed) else error)
        self.panic()

    def on_text_uploaded(self, event: TextUploaded) -> None:
        """A browser sent a text: to the screen in view, if that has a use for it."""
        from bpe_tui.ui.served_driver import hand_over  # only served apps need it

        hand_over(self.screen, event)

    def on_mount(self) -> None:
        """What takes a while is read behind the screen."""
        # Back from ctrl+z the terminal is blank, and the library draws only what changes.
        self.app_resume_signal.subscribe(self, self._draw_again)
        for sentence in self._complaints:
            self.warn(sentence)
        if self.is_alone:
            self.call_after_refresh(claim)
            self.call_after_refresh(self._mind_signals)
        if isinstance(self.screen, TrainScreen) and self._session is None:
            opener = self.screen.opener
            if self._waiting is not None:
                self.screen.call_after_refresh(opener.load, *self._waiting, self._request)
            elif self._request is not None:
                self.screen.call_after_refresh(opener.open, self._request)
        if self.first_action:
            self.screen.call_after_refresh(self.screen.run_action, f"screen.{self.first_action}")

    def _draw_again(self, app: App[Any]) -> None:
        self.refresh(layout=True)

    def _mind_signals(self) -> None:
        """A terminal that is closed, or a system that shuts down, ends the program as `q` does."""
        loop = asyncio.get_running_loop()
        for name in ("SIGHUP", "SIGTERM"):
            with contextlib.suppress(AttributeError, NotImplementedError):  # Windows has neither
                loop.add_signal_handler(getattr(signal, name), self.exit)


def is_quick(corpus: Corpus, options: Options) -> bool:
    """Can it be opened in the blink of an eye? A pattern of the user's own may take any time."""
    sizes = [source.size for source in corpus.sources]
    return None not in sizes and sum(size or 0 for size in sizes) <= SMALL and options.pre_tokenizer != "pattern"


def run_app(
    *,
    request: Request | None = None,
    theme: str | None = None,
    first_action: str = "",
    tokenizer: EncodeSession | None = None,
) -> str:
    """Open the app: on the tokenizer if there is one, else on what is requested, else on the hug corpus.

    Returns a sentence for the time after, on what was saved; empty if nothing was.
    Raises `BpeError` before the screen is taken.
    """
    saves, settings = policy().keeps_state, _settings()
    request = request or Request()
    if tokenizer is not None:
        app = BpeApp(None, None, theme=theme, saves=saves, tokenizer=tokenizer, settings=settings)
    elif request.is_large:
        app = BpeApp(None, None, theme=theme, request=request, saves=saves, settings=settings)
    else:
        app = BpeApp(*request.find(), theme=theme, request=request, saves=saves, settings=settings)
    app.is_alone = True
    app.first_action = first_action
    return _run(app)


def run_lesson(lesson: Lesson, *, theme: str | None = None) -> str:
    """Open the app on a lesson; returns what `run_app` does. Raises `BpeError` before the screen is taken."""
    from bpe_tui.lessons.walk import Walk  # see `get_default_screen`

    with time_limit(TIME_LIMIT_FOR_KEYS):
        walk = Walk(lesson)
    saves, settings = policy().keeps_state, _settings()
    app = BpeApp(walk.corpus, walk.trainer.options, theme=theme, saves=saves, walk=walk, settings=settings)
    app.is_alone = True
    return _run(app)


def _settings() -> UserSettings | None:
    """The user's settings; None where nothing is kept."""
    return read_settings() if policy().keeps_state else None


def _run(app: BpeApp) -> str:
    """Run the app, and save its sessions whatever happens; returns what to say of that.

    Raises `Broken` if a bug ended it, and `BpeError`.
    """
    # A key or a change of size that comes while the app leaves is never answered, which is no fault.
    warnings.filterwarnings("ignore", message="coroutine .* was never awaited", category=RuntimeWarning)
    with time_limit(TIME_LIMIT_FOR_KEYS):
        app.run()
    app.save_settings()
    if app.fault is None:
        return app.save_sessions()
    with contextlib.suppress(Exception):
        app.save_sessions()
    raise Broken from app.fault
