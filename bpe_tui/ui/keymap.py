"""The keys that users give to actions: whether they can be, and how Textual hears of them.

A key is written in the settings as people write it (`j`, `?`, `space`, `ctrl+t`), or by Textual's name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from textual.keys import Keys, _character_to_key  # the latter has no public name

from bpe_tui.core.i18n import _
from bpe_tui.formats.files import quoted
from bpe_tui.formats.settings import settings_path
from bpe_tui.ui.actions import ACTIONS, APP, FIXED, PROGRAM_ACTIONS, TRAIN, Action, key_name, keymap, use_keys
from bpe_tui.ui.encode.actions import ENCODE, ENCODE_ACTIONS, VOCABULARY, VOCABULARY_ACTIONS
from bpe_tui.ui.lesson.actions import ALL, LESSON

TABLES: Final[Mapping[str, Sequence[Action]]] = {
    TRAIN: ACTIONS,
    LESSON: ALL,
    ENCODE: (*ENCODE_ACTIONS, *PROGRAM_ACTIONS),
    VOCABULARY: (*VOCABULARY_ACTIONS, *PROGRAM_ACTIONS),
    APP: PROGRAM_ACTIONS,
}
"""What each screen does by keys."""


def _changeable() -> dict[str, Action]:
    named: dict[str, Action] = {}
    for action in (action for actions in TABLES.values() for action in actions if action.setting):
        named.setdefault(action.setting, action)
    return named


CHANGEABLE: Final[Mapping[str, Action]] = _changeable()
"""For each name in the settings the first action of that name."""
_NEEDED: Final = FIXED | {
    *("pageup", "pagedown", "home", "end", "backspace", "delete", "less_than_sign", "greater_than_sign"),
    *(f"shift+{key}" for key in ("up", "down", "left", "right", "home", "end")),
    *("ctrl+c", "ctrl+p", "ctrl+z", "super+c"),
    # To most terminals these are tab, enter and escape.
    *("ctrl+i", "ctrl+j", "ctrl+m", "ctrl+left_square_bracket"),
}
"""Keys that mean the same everywhere: to lists, inputs, dialogs and the library."""
_WRITTEN: Final = re.compile(r"((?:(?:ctrl|alt|shift|super|hyper|meta)\+)*)(.|[^+]+)")
"""Modifiers, and a character or a name."""
_NAMED: Final = frozenset(key.value for key in Keys if key.value.isalnum()) - {"return"}  # Textual says enter


def key_of(text: str) -> str | None:
    """Textual's name of a key that a user has written; None if there is no such key."""
    parts = _WRITTEN.fullmatch(text)
    if parts is None:
        return None
    modifiers, key = parts[1].split("+")[:-1], parts[2]
    if len(key) == 1 and key.isprintable():
        key = "space" if key == " " else _character_to_key(key)
    elif key == "esc":
        key = "escape"
    elif len(key) == 1 or (key not in _NAMED and len(key_name(key)) != 1):
        return None
    if modifiers == ["shift"] and len(key) == 1:  # terminals send the capital
        return key.upper()
    return "+".join([*modifiers, key])


def give_keys(wanted: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Give actions their keys, by the names in the settings; those that cannot be given stay as usual.

    Returns a sentence for each of these.
    """
    complaints = []
    given: dict[str, tuple[str, ...]] = {}
    for name, written in wanted.items():
        keys = [key_of(key) for key in written]
        complaint = _complaint(name, written, keys)
        if complaint:
            complaints.append(_("{file}: {complaint}").format(file=settings_path(), complaint=complaint))
        else:
            given[name] = tuple(dict.fromkeys(key for key in keys if key is not None))
    use_keys(given)
    while (clash := _clash()) is not None:
        key, *both = clash
        message = _("{file}: {key} would be a key of both {action} and {other}; give one of them another key")
        action, other = (quoted(one.setting) if one.setting else f"“{_(one.help)}”" for one in both)
        complaints.append(message.format(file=settings_path(), key=key_name(key), action=action, other=other))
        given = {name: keys for name, keys in given.items() if name not in (both[0].setting, both[1].setting)}
        use_keys(given)
    return complaints


def textual_keymap() -> dict[str, str]:
    """The keys that are not the usual ones, as `App.set_keymap` takes them."""
    return {binding: keys for actions in TABLES.values() for binding, keys in keymap(actions).items()}


def _complaint(name: str, written: Sequence[str], keys: Sequence[str | None]) -> str:
    """What is wrong with the keys of one action by themselves; empty if nothing is."""
    if name not in CHANGEABLE:
        near = ", ".join(get_close_matches(name, CHANGEABLE))
        message = _("keys has no action {name}; there is {near}")
        if not near:
            message = _("keys has no action {name}; bpe-tui settings --keys lists all")
        return message.format(name=quoted(name), near=near)
    for key, text in zip(keys, written, strict=True):
        if key is None:
            message = _("keys.{name}: there is no key {key}; write a character, or a name such as space, f5 or ctrl+t")
            return message.format(name=name, key=quoted(text))
        if key in _NEEDED:
            message = _("keys.{name}: {key} means the same everywhere in the program; choose another key")
            return message.format(name=name, key=key_name(key))
    return ""


def _clash() -> tuple[str, Action, Action] | None:
    """A key that two actions of one screen have, and both; also the last key of one that is lost to the other."""
    for actions in TABLES.values():
        seen: dict[str, Action] = {}
        for action in actions:
            if not action.keys_now:
                other = action.yields_to[0]
                return other.keys_now[0], other, action
            for key in action.keys_now:
                if key in seen:
                    return key, seen[key], action
                seen[key] = action
    return None
