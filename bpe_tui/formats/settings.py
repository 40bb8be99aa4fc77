"""The user's settings: one small TOML file, read at the start, in which one value at a time is changed.

The file belongs to the user. What is wrong in it is said in one sentence and otherwise passed over; a change leaves
comments, order and all other lines as they are, and a file that cannot be understood is never written.

Every command reads it, for the language, so this module imports little. Names of themes and of keys are known further
up, and are judged there.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from platformdirs import user_config_path

from bpe_tui.core.errors import SettingsError, TokenizerFileError
from bpe_tui.core.i18n import LANGUAGES, _, reason_of, unreadable
from bpe_tui.formats.files import quoted, write_atomically

VARIABLE: Final = "BPE_TUI_CONFIG"
"""The environment variable that names another settings file; the null device means none."""
OPTION: Final = "--theme"
FILE: Final = "file"
DEFAULT: Final = "default"
"""Where a value comes from; variables are called by their own names."""
LARGEST: Final = 1 << 18
"""Bytes beyond which nothing is a settings file."""
BLANKS: Final = ("sign", "table", "plain")
"""How tokens are shown (`␣the`; `Ġthe`, as in files; ` the`): the names of `core.readable.TokenStyle`."""
HEAD: Final = "# Settings of bpe-tui; `bpe-tui settings` lists what is in force.\n"
"""How a file begins that the program makes."""


@dataclass(frozen=True, slots=True)
class UserSettings:
    """What the settings file says; None for what it leaves open."""

    theme: str | None = None
    """Name of a theme."""
    language: str | None = None
    """One of `LANGUAGES`."""
    blanks: str | None = None
    """One of `BLANKS`."""
    motion: bool | None = None
    """May anything move?"""
    speed: float | None = None
    """Merges a second while playing."""
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The keys of actions, both by their names."""
    complaints: tuple[str, ...] = ()
    """A sentence for each thing that is wrong with the file."""

    def themes(self, option: str | None, environment: Mapping[str, str]) -> list[tuple[str, str]]:
        """Names of themes asked for and by what, the one that comes first in front."""
        asked = [(option, OPTION), (environment.get("TEXTUAL_THEME"), "TEXTUAL_THEME"), (self.theme, FILE)]
        return [(name, origin) for name, origin in asked if name]

    def has_motion(self, environment: Mapping[str, str]) -> tuple[bool, str]:
        """May anything move, and by what is that so?"""
        if environment.get("NO_MOTION"):
            return False, "NO_MOTION"
        if environment.get("TEXTUAL_ANIMATIONS"):
            return environment["TEXTUAL_ANIMATIONS"].lower() == "full", "TEXTUAL_ANIMATIONS"
        return (True, DEFAULT) if self.motion is None else (self.motion, FILE)


class _Kind(NamedTuple):
    """What the value of a setting must be."""

    accepts: Callable[[Any], bool]
    wanted: Callable[[], str]
    """The same in words, in the current language."""


def _one_of(names: tuple[str, ...]) -> _Kind:
    listed = ", ".join(map(quoted, names))
    return _Kind(
        lambda value: isinstance(value, str) and value in names, lambda: _("one of {names}").format(names=listed)
    )


def _is_speed(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= sys.float_info.max


KINDS: Final[Mapping[str, _Kind]] = {
    "theme": _Kind(lambda value: isinstance(value, str) and bool(value), lambda: _("the name of a theme")),
    "language": _one_of(LANGUAGES),
    "blanks": _one_of(BLANKS),
    "motion": _Kind(lambda value: isinstance(value, bool), lambda: _("true or false")),
    "speed": _Kind(_is_speed, lambda: _("a number of merges per second, such as 2")),
}
"""The settings that are one value."""
KEYS: Final = "keys"
"""The table of keys."""


def settings_path() -> Path:
    """The settings file, which need not exist: where the system wants configuration, unless the variable names one."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else user_config_path("bpe-tui", appauthor=False) / "settings.toml"


def asked_language() -> str | None:
    """The language that the file asks for, without a word about anything that is wrong there."""
    try:
        language = _table(_text(settings_path())).get("language")
    except SettingsError:
        return None
    return language if isinstance(language, str) and language in LANGUAGES else None


def read_settings() -> UserSettings:
    """What the file says. What is wrong is in `complaints`, and never raised."""
    path = settings_path()
    try:
        table = _table(_text(path))
    except SettingsError as error:
        return UserSettings(complaints=(str(error),))
    complaints = []
    unknown = [name for name in table if name not in KINDS and name != KEYS]
    if unknown:
        message = _("{file}: there is no setting {names}; there are {known}")
        known = ", ".join([*KINDS, KEYS])
        complaints.append(message.format(file=path, names=", ".join(map(quoted, unknown)), known=known))
    values = {}
    for name, kind in KINDS.items():
        if name in table and kind.accepts(table[name]):
            values[name] = table[name]
        elif name in table:
            complaints.append(_wrong(path, name, table[name], kind.wanted()))
    keys: dict[str, tuple[str, ...]] = {}
    wanted = table.get(KEYS, {})
    if not isinstance(wanted, dict):
        complaints.append(_wrong(path, KEYS, wanted, _("a table of actions and their keys")))
        wanted = {}
    for action, given in wanted.items():
        listed = [given] if isinstance(given, str) else given
        if isinstance(listed, list) and listed and all(isinstance(key, str) and key for key in listed):
            keys[action] = tuple(listed)
        else:
            complaints.append(_wrong(path, f"{KEYS}.{action}", given, _('a key such as "j", or a list of keys')))
    return UserSettings(**values, keys=keys, complaints=tuple(complaints))


def write_settings(changes: Mapping[str, str | bool | float]) -> None:
    """Put values into the file; all else in it stays as it is now, whoever wrote it. Raises `SettingsError`."""
    import tomlkit  # a fiftieth of a second, which only a change should cost
    from tomlkit.exceptions import TOMLKitError

    path = settings_path()
    text = _text(path)
    if path.exists() and not path.is_file():
        return  # the null device
    before = _table(text)
    for name in changes:
        if isinstance(before.get(name), dict | list):  # with it would go what the user wrote inside
            raise SettingsError(_wrong(path, name, before[name], KINDS[name].wanted()))
    try:
        document = tomlkit.parse(text or HEAD)
        for name, value in changes.items():
            document[name] = value
        after = tomlkit.dumps(document)
        if tomllib.loads(after) != {**before, **changes}:
            raise SettingsError(_("{file} cannot be changed without changing more in it").format(file=path))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(str(path), after.encode())
    except (TOMLKitError, tomllib.TOMLDecodeError) as error:
        raise _not_toml(path, error) from error
    except TokenizerFileError as error:
        raise SettingsError(f"{path}: {error}") from error
    except OSError as error:
        message = _("{file} cannot be written: {reason}")
        raise SettingsError(message.format(file=path, reason=reason_of(error))) from error


def _text(path: Path) -> str:
    """The text of the file; empty if there is none. Raises `SettingsError`."""
    try:
        if not path.is_file() and not path.is_dir():
            return ""
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise SettingsError(unreadable(path, error)) from error
    if len(data) > LARGEST:
        raise SettingsError(
            _("{file} is larger than {size} kB, so no settings file").format(file=path, size=LARGEST >> 10)
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_toml(path, error) from error


def _table(text: str) -> dict[str, Any]:
    """A text of TOML as values. Raises `SettingsError`."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _not_toml(settings_path(), error) from error


def _not_toml(path: Path, error: Exception) -> SettingsError:
    message = _(
        "{file} is not TOML ({reason}): correct it; until then nothing in it counts, and nothing is written there"
    )
    return SettingsError(message.format(file=path, reason=" ".join(str(error).split())))


def _wrong(path: Path, name: str, value: object, wanted: str) -> str:
    message = _("{file}: {name} is {value}, but must be {wanted}; until then it does not count")
    return message.format(file=path, name=name, value=quoted(value), wanted=wanted)
