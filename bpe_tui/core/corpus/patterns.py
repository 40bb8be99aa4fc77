"""Regular expressions from an option or a file: compiled within bounds, and run under one time limit.

Such a pattern may backtrack without end, call itself, or repeat repetitions a million times. Whatever it does, the
program continues after `TIME_LIMIT`, with one sentence for all patterns.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from bpe_tui.core.corpus.types import ShouldStop
from bpe_tui.core.errors import PatternError, PatternSyntaxError
from bpe_tui.core.i18n import _, number

if TYPE_CHECKING:
    import regex

TIME_LIMIT: Final = 20.0
"""Seconds of processor time that a pattern may spend on one text before it is given up as endless."""
TIME_LIMIT_FOR_KEYS: Final = 1.0
"""The same where keys wait for the result."""
LARGEST: Final = 100_000
"""Parts of a pattern, each counted as often as it must be repeated. `regex` compiles a million in a second."""
_LONGEST_SHOWN: Final = 80

_should_stop: ContextVar[ShouldStop | None] = ContextVar("should_stop", default=None)
_limit: ContextVar[float] = ContextVar("limit", default=TIME_LIMIT)
_TOKEN: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,\d*)?\}|.", re.DOTALL)


class Pattern:
    """A compiled pattern whose every use is limited in time."""

    def __init__(self, source: str, *, name: str | None = None) -> None:
        """Raises `PatternSyntaxError`. `name` is the pattern as its author wrote it, if `source` is a translation."""
        self.compiled = compiled(source)
        self._name = source if name is None else name

    def findall(self, text: str) -> list[str]:
        """The texts of all matches, whatever groups there are. Raises `PatternError`."""
        if self.compiled.groups:
            return [text[start:end] for start, end in self.spans(text)]
        try:
            found: list[str] = self.compiled.findall(text, timeout=_limit.get())
        except (TimeoutError, MemoryError) as error:
            raise self._given_up(error, text) from None
        return found

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The places of all matches. Raises `PatternError`."""
        try:
            return [match.span() for match in self.compiled.finditer(text, timeout=_limit.get())]
        except (TimeoutError, MemoryError) as error:
            raise self._given_up(error, text) from None

    @contextmanager
    def limited(self, text: str) -> Iterator[Callable[[], float]]:
        """Search `text` several times within one limit; what is yielded returns the seconds left, for `timeout`.

        Raises `PatternError`.
        """
        end = time.process_time() + _limit.get()  # `regex` measures processor time, too
        try:
            yield lambda: max(0.001, end - time.process_time())
        except (TimeoutError, MemoryError) as error:
            raise self._given_up(error, text) from None

    def _given_up(self, error: Exception, text: str) -> PatternError:
        if isinstance(error, MemoryError):
            sentence = _(
                "the pattern {source} needs too much memory on a text of {length} characters; "
                "it probably calls itself without end"
            )
        else:
            sentence = _(
                "the pattern {source} did not finish on a text of {length} characters within {seconds} s; "
                "it probably backtracks without end"
            )
        name = self._name if len(self._name) <= _LONGEST_SHOWN else self._name[: _LONGEST_SHOWN - 1] + "…"
        seconds = format(_limit.get(), ".0f")
        return PatternError(sentence.format(source=repr(name), length=number(len(text)), seconds=seconds))


def current_should_stop() -> ShouldStop | None:
    """What says whether the work of this thread is still wanted; None if nobody can change their mind."""
    return _should_stop.get()


@contextmanager
def stoppable(should_stop: ShouldStop) -> Iterator[None]:
    """Whatever is run here meanwhile, and can be stopped, stops soon after `should_stop()` returns true."""
    token = _should_stop.set(should_stop)
    try:
        yield
    finally:
        _should_stop.reset(token)


def current_time_limit() -> float:
    """The current limit in seconds."""
    return _limit.get()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Another limit for all patterns that are run here meanwhile."""
    token = _limit.set(seconds)
    try:
        yield
    finally:
        _limit.reset(token)


def compiled(source: str) -> regex.Pattern[str]:
    """The pattern itself, whose use nothing limits. Raises `PatternSyntaxError`."""
    # Not at the top: it takes 14 of 200 ms until a command answers, and most texts in ASCII need none of it.
    import regex

    if _size(source) > LARGEST:
        raise PatternSyntaxError(_("it repeats its parts too often"))
    try:
        return regex.compile(source)
    except RecursionError:
        raise PatternSyntaxError(_("nested too deep")) from None
    except (regex.error, OverflowError, MemoryError) as error:
        raise PatternSyntaxError(str(error)) from None


def _size(source: str) -> int:
    """The number of parts of a pattern, each counted as often as it must be repeated: `regex` copies it as often."""
    sizes = [0]
    """Of the open groups, the whole pattern first."""
    last = 0
    for token in _TOKEN.finditer(source):
        text = token[0]
        if text == "(":
            sizes.append(0)
            last = 0
        elif text == ")" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        elif token[1] is not None:
            extra = last * (max(int(token[1][:9]), 1) - 1)
            sizes[-1] += extra
            last += extra
        else:
            last = 1
            sizes[-1] += 1
    return sum(sizes)
