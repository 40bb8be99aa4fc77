"""Style sheets are parsed once for all apps of a test process: a seventh of what an app costs to start.

Textual keeps what it has parsed for one app, until the theme changes. Once parsed, rules are only read, and they depend
on their text and the theme's variables alone.
"""

from __future__ import annotations

from typing import Any, Final

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

parse_now: Final = Stylesheet._parse_rules
parsed: Final[dict[tuple[object, ...], list[RuleSet]]] = {}


def _parse_once(sheet: Stylesheet, css: str, *more: Any, **named: Any) -> list[RuleSet]:
    key = (css, more, *sorted(named.items()), *sorted(sheet._variables.items()))
    if key not in parsed:
        parsed[key] = parse_now(sheet, css, *more, **named)
    return parsed[key]


def install() -> None:
    """Let every app parse this way."""
    Stylesheet._parse_rules = _parse_once  # type: ignore[method-assign, assignment]
