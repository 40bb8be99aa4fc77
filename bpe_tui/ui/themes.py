"""The program's own themes, and the styles that the line-API panes take from the current theme.

The token colours follow the Okabe-Ito set (chosen so that people with any common colour vision can tell
them apart), lightened or darkened for the background. No pane relies on them: tokens have visible
boundaries, and the marked pair is bold, underlined and reversed.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _
from bpe_tui.formats.settings import DEFAULT, FILE, OPTION, settings_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.app import App

TOKEN_COLOURS: Final = 5
"""How many token colours a theme has."""

_DARK: Final = {
    "token-1": "#86b8ff",
    "token-2": "#55cfa0",
    "token-3": "#f2f09c",
    "token-4": "#ecb4de",
    "token-5": "#ff965c",
    "token-letter": "#b9c3d3",
    "token-separator": "#6d7b91",
    "mark": "#ffb454",
    "mark-text": "#14181f",
    "muted": "#93a0b4",
    "faint": "#465267",
    "strong": "#f3f6fa",
    "tie": "#ecb4de",
    "new": "#55cfa0",
    "gone": "#93a0b4",
    "changed": "#212a3a",
    "cursor": "#2b374d",
    "warn": "#ff965c",
}
_LIGHT: Final = {
    "token-1": "#1f55c4",
    "token-2": "#006650",
    "token-3": "#523d00",
    "token-4": "#ab2a8c",
    "token-5": "#a84800",
    "token-letter": "#454c5a",
    "token-separator": "#8b8677",
    "mark": "#ad4500",
    "mark-text": "#fffdf8",
    "muted": "#636471",
    "faint": "#c6c0b2",
    "strong": "#0c0f16",
    "tie": "#ab2a8c",
    "new": "#006650",
    "gone": "#636471",
    "changed": "#f0e8d6",
    "cursor": "#f4e2cb",
    "warn": "#a84800",
}
_CONTRAST: Final = {
    "token-1": "#86b9ff",
    "token-2": "#45e8ae",
    "token-3": "#f6f783",
    "token-4": "#f0b6e2",
    "token-5": "#ff9d5f",
    "token-letter": "#ffffff",
    "token-separator": "#c4c4c4",
    "mark": "#ffd60a",
    "mark-text": "#000000",
    "muted": "#d6d6d6",
    "faint": "#8a8a8a",
    "strong": "#ffffff",
    "tie": "#f0b6e2",
    "new": "#45e8ae",
    "gone": "#d6d6d6",
    "changed": "#2b2b2b",
    "cursor": "#3d3d3d",
    "warn": "#ff9d5f",
}

DEFAULT_VARIABLES: Final[Mapping[bool, Mapping[str, str]]] = {True: _DARK, False: _LIGHT}
"""The panes' variables for a theme that isn't ours, by whether it is dark (`App.get_theme_variable_defaults`)."""

THEMES: Final = (
    Theme(
        name="bpe-dark",
        primary="#7f93b2",
        secondary="#5c6c86",
        accent="#ffb454",
        warning="#f2f09c",
        error="#ff965c",
        success="#55cfa0",
        foreground="#dfe5ee",
        background="#0f131a",
        surface="#151a23",
        panel="#1d2431",
        dark=True,
        variables={
            **_DARK,
            "text-muted": _DARK["muted"],
            "border": "#ffb454",
            "border-blurred": "#37435a",
            "block-cursor-background": _DARK["cursor"],
            "block-cursor-foreground": "#f3f6fa",
            "block-cursor-blurred-background": "#212a3a",
            "footer-background": "#0f131a",
            "footer-key-foreground": "#ffb454",
            "input-selection-background": "#3a4a68",
            "scrollbar": "#37435a",
            "scrollbar-hover": "#4c5b78",
            "scrollbar-active": "#ffb454",
            "scrollbar-background": "#151a23",
            "scrollbar-background-hover": "#151a23",
            "scrollbar-background-active": "#151a23",
            "scrollbar-corner-color": "#151a23",
        },
    ),
    Theme(
        name="bpe-light",
        primary="#4d5d78",
        secondary="#7a869b",
        accent="#ad4500",
        warning="#523d00",
        error="#a84800",
        success="#006650",
        foreground="#1f2430",
        background="#f3f0e8",
        surface="#fffdf8",
        panel="#eae5d9",
        dark=False,
        variables={
            **_LIGHT,
            "text-muted": _LIGHT["muted"],
            "border": "#ad4500",
            "border-blurred": "#cdc6b6",
            "block-cursor-background": _LIGHT["cursor"],
            "block-cursor-foreground": "#0c0f16",
            "block-cursor-blurred-background": "#f0e8d6",
            "footer-background": "#f3f0e8",
            "footer-key-foreground": "#ad4500",
            "input-selection-background": "#f1d3ae",
            "input-cursor-background": "#1f2430",
            "input-cursor-foreground": "#fffdf8",
            "scrollbar": "#cdc6b6",
            "scrollbar-hover": "#b3ab99",
            "scrollbar-active": "#ad4500",
            "scrollbar-background": "#fffdf8",
            "scrollbar-background-hover": "#fffdf8",
            "scrollbar-background-active": "#fffdf8",
            "scrollbar-corner-color": "#fffdf8",
        },
    ),
    Theme(
        name="bpe-contrast",
        primary="#ffffff",
        secondary="#d6d6d6",
        accent="#ffd60a",
        warning="#f6f783",
        error="#ff9d5f",
        success="#45e8ae",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#161616",
        dark=True,
        text_alpha=1.0,
        variables={
            **_CONTRAST,
            "text": "auto 100%",
            "text-muted": _CONTRAST["muted"],
            "border": "#ffd60a",
            "border-blurred": "#9a9a9a",
            "block-cursor-background": _CONTRAST["cursor"],
            "block-cursor-foreground": "#ffffff",
            "block-cursor-blurred-background": "#2b2b2b",
            "footer-background": "#000000",
            "footer-key-foreground": "#ffd60a",
            "input-selection-background": "#4a4a4a",
            "scrollbar": "#9a9a9a",
            "scrollbar-hover": "#d6d6d6",
            "scrollbar-active": "#ffd60a",
            "scrollbar-background": "#000000",
            "scrollbar-background-hover": "#000000",
            "scrollbar-background-active": "#000000",
            "scrollbar-corner-color": "#000000",
        },
    ),
)
"""`bpe-dark` (the default), `bpe-light` and `bpe-contrast`; register them all with `App.register_theme`."""
DEFAULT_THEME: Final = THEMES[0].name


def no_theme(name: str) -> OptionError:
    """The complaint about a name that no theme has."""
    message = _("there is no theme {name!r}; choose one of {names}")
    return OptionError(message.format(name=name, names=", ".join(theme.name for theme in THEMES)))


def theme_in_force(asked: Sequence[tuple[str, str]]) -> tuple[str, str, list[str]]:
    """Of the themes asked for, each with what asks for it, the first one that there is, and what is wrong with others.

    The library's themes are there too. Raises `OptionError` for an option.
    """
    complaints: list[str] = []
    for name, origin in asked:
        if name in BUILTIN_THEMES or any(theme.name == name for theme in THEMES):
            return name, origin, complaints
        if origin == OPTION:
            raise no_theme(name)
        source = settings_path() if origin == FILE else origin
        complaints.append(_("{file}: {complaint}").format(file=source, complaint=no_theme(name)))
    return DEFAULT_THEME, DEFAULT, complaints


@dataclass(frozen=True, slots=True)
class Palette:
    """Ready Rich styles for the line-API panes; foreground only unless a field says otherwise."""

    tokens: tuple[Style, ...]
    """Styles of tokens made by merges, `TOKEN_COLOURS` of them."""
    letter: Style
    """A symbol that no merge has made."""
    separator: Style
    """The boundary between two tokens of a word."""
    marked: Style
    """The pair in question: bold, underlined, on the accent."""
    accent: Style
    """The one accent, for the current place."""
    muted: Style
    """Text of second rank."""
    faint: Style
    """Lines, rails and empty parts of bars; never text."""
    strong: Style
    """Text of first rank, bold."""
    tie: Style
    """The mark of tied leaders."""
    new: Style
    """What the last merge made or raised."""
    gone: Style
    """What the last merge removed or lowered."""
    changed: Style
    """Background of a row that the last merge changed."""
    warn: Style
    """Unknown symbols and other things to mind: bold."""
    status: Style
    """The program's name and the state of the training, in the theme's own accent: bold."""
    key: Style
    """A key that can be pressed: bold."""
    frame: Style
    """The frame of a pane."""
    focused_frame: Style
    """The frame of the pane with the focus, its name and its thumb."""
    thumb: Style
    """The thumb of a scroll bar."""
    cursor: Style
    """Background of the row under the cursor, in the pane with the focus."""
    blurred_cursor: Style
    """The same in a pane without the focus."""
    selected: Style
    """Background of rows that are marked to be copied."""
    raised: Style
    """Background of what stands out for the moment: under the mouse, or the current phase."""

    def token(self, tone: int) -> Style:
        """The style for a tone: 0 is a letter, above it the token colours in turn."""
        return self.letter if tone <= 0 else self.tokens[(tone - 1) % len(self.tokens)]

    def over(self, background: Style) -> Palette:
        """The same styles on a background, for lines that are drawn without any further styling."""
        changes: dict[str, object] = {"tokens": tuple(background + style for style in self.tokens)}
        for field in fields(self):
            style = getattr(self, field.name)
            if isinstance(style, Style):
                changes[field.name] = background + style
        return replace(self, **changes)  # type: ignore[arg-type]  # every field gets a value of its own kind


_NAMES: Final = (
    *_DARK,
    "accent",
    "surface",
    "panel",
    "border",
    "border-blurred",
    "scrollbar-hover",
    "block-cursor-blurred-background",
    "input-selection-background",
    "footer-key-foreground",
)
"""The variables of a theme that a palette is made of: ours, then the library's."""


def _parse_colour(value: str) -> Color:
    """A colour as themes write it, perhaps with its opacity behind it: `#81a1c1 35%`."""
    name, _space, opacity = value.partition(" ")
    colour = Color.parse(name)
    return colour.multiply_alpha(float(opacity.rstrip("%")) / 100) if opacity else colour


@lru_cache(maxsize=32)
def _make_palette(values: tuple[str, ...]) -> Palette:
    given = {name: _parse_colour(value) for name, value in zip(_NAMES, values, strict=True)}
    # A colour may let the background shine through, which no terminal can do; without a background it sets nothing.
    mixed = {name: given["surface"] + value for name, value in given.items()}
    colour = {name: value.rich_color if value.a else None for name, value in mixed.items()}
    return Palette(
        tokens=tuple(Style(color=colour[f"token-{n + 1}"]) for n in range(TOKEN_COLOURS)),
        letter=Style(color=colour["token-letter"]),
        separator=Style(color=colour["token-separator"]),
        marked=Style(color=colour["mark-text"], bgcolor=colour["mark"], bold=True, underline=True),
        accent=Style(color=colour["mark"], bold=True),
        muted=Style(color=colour["muted"]),
        faint=Style(color=colour["faint"]),
        strong=Style(color=colour["strong"], bold=True),
        tie=Style(color=colour["tie"]),
        new=Style(color=colour["new"]),
        gone=Style(color=colour["gone"]),
        changed=Style(bgcolor=colour["changed"]),
        warn=Style(color=colour["warn"], bold=True),
        status=Style(color=colour["accent"], bold=True),
        key=Style(color=colour["footer-key-foreground"], bold=True),
        frame=Style(color=colour["border-blurred"]),
        focused_frame=Style(color=colour["border"]),
        thumb=Style(color=colour["scrollbar-hover"]),
        cursor=Style(bgcolor=colour["cursor"]),
        blurred_cursor=Style(bgcolor=colour["block-cursor-blurred-background"]),
        selected=Style(bgcolor=colour["input-selection-background"]),
        raised=Style(bgcolor=colour["panel"]),
    )


def palette_of(app: App[Any]) -> Palette:
    """The palette of the theme that `app` shows now; cheap enough to ask at every render."""
    variables = app.theme_variables
    defaults = DEFAULT_VARIABLES[app.current_theme.dark]
    return _make_palette(tuple(variables.get(name) or defaults[name] for name in _NAMES))
