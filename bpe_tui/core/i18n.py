"""The language that the program speaks: English, as in the source, or one of its translations.

A sentence for the user is written `_("Next is {pair}.").format(pair=…)`: whole, with named placeholders, so that a
translator may put them where the language wants them. What depends on a number goes through `ngettext`, for languages
have other plurals than English; a text in a table that is made at import through `mark`, and through `_` where it is
shown. Numbers that people read are written by `number`.

English costs nothing: no catalogue is loaded. What machines read (fields of JSON, file formats, names of options, rules
and states, `merge K/TARGET`, `vocab V`) is the same in every language and never passes through here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from gettext import GNUTranslations
from pathlib import Path
from typing import Final

from bpe_tui.core.errors import OptionError

LANGUAGES: Final = ("en", "fr", "ru")
"""The languages, by their codes; the first is that of the source."""
DOMAIN: Final = "bpe_tui"
FOLDER: Final = Path(__file__).parents[1] / "locale"
"""Where the catalogues are: `fr/LC_MESSAGES/bpe_tui.mo`."""
_LOCALE_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""As gettext reads them: the first that is set decides."""
_GLUED: Final = re.compile(r" (?=[:;!?»%])|(?<=«) ")
"""Spaces that belong to a mark in French, and to the sign of per cent in Russian as well."""
_MARKS: Final = {"fr": str.maketrans(",.", " ,"), "ru": str.maketrans(",.", " ,")}
"""How numbers in the English form are written elsewhere: thousands apart by a space, a decimal comma."""

_language = LANGUAGES[0]
_catalogue: GNUTranslations | None = None


def use(language: str) -> None:
    """Speak a language from now on. Raises `OptionError` if it is none of `LANGUAGES`.

    Tables that are made at import keep the language of that moment, so this comes before the screens are imported.
    """
    global _language, _catalogue  # noqa: PLW0603 - one program speaks one language
    if language not in LANGUAGES:
        raise OptionError(
            _("there is no language {name!r} here; choose one of {names}").format(
                name=language, names=", ".join(LANGUAGES)
            )
        )
    _language = language
    _catalogue = None if language == LANGUAGES[0] else _load(language)


def _load(language: str) -> GNUTranslations:
    with (FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as stream:
        return GNUTranslations(stream)


def unbroken(text: str) -> str:
    """A sentence with no-break spaces before marks that the language sets apart: no line may begin with the mark."""
    return text if _language == "en" else _GLUED.sub("\u00a0", text)


def current_language() -> str:
    """The code of the language spoken now."""
    return _language


def locale_language(environment: Mapping[str, str]) -> str:
    """The language of the locale: as with gettext, the first variable that is set decides. English, if we lack it."""
    for name in _LOCALE_VARIABLES:
        if environment.get(name):
            return next(filter(None, map(known_language, environment[name].split(":"))), LANGUAGES[0])
    return LANGUAGES[0]


def known_language(locale: str) -> str | None:
    """`fr` for `fr_CA.UTF-8`; None for a language that we don't speak."""
    code = locale.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return code if code in LANGUAGES else None


# -- sentences ------------------------------------------------------------------------------------------------------


def _(message: str) -> str:
    """`message` in the current language."""
    return message if _catalogue is None or not message else _catalogue.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a message that `count` asks for in the current language; the caller fills in the number."""
    if _catalogue is None:
        return one if count == 1 else many
    return _catalogue.ngettext(one, many, count)


def plural(one: str, many: str, count: int, **texts: object) -> str:
    """`ngettext` with `{count}` filled in as people write it, and `texts` for the other placeholders."""
    return ngettext(one, many, count).format(count=number(count), **texts)


def reason_of(error: Exception) -> str:
    """The operating system's reason for an error, on one line; translated where it is one of `REASONS`."""
    return _(getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__)


def unreadable(name: object, error: Exception) -> str:
    """The sentence about a file or folder that the operating system does not let us read."""
    return _("{name} cannot be read: {reason}").format(name=name, reason=reason_of(error))


def mark(message: str) -> str:
    """`message` itself: it only gets into the catalogue, and is translated by `_` where it is shown."""
    return message


def number(value: float, form: str = ",") -> str:
    """A number as people write it: 1,234.5 or 1 234,5; `form` is a format specification."""
    marks = _MARKS.get(_language)
    return format(value, form) if marks is None else format(value, form).translate(marks)


REASONS: Final = (
    mark("No such file or directory"),
    mark("Permission denied"),
    mark("Is a directory"),
    mark("Not a directory"),
    mark("File name too long"),
    mark("No space left on device"),
    mark("Read-only file system"),
)
"""The most common reasons that operating systems give; all others stay English."""
