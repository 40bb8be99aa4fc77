"""One line of a block, as words: operands that may be quoted, and punctuation between them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.i18n import _
from bpe_tui.lessons.faults import LessonSyntaxError

ARROW: Final = "→"
_MARKS: Final = {"+": "+", ":": ":", ",": ",", ARROW: ARROW, "->": ARROW}
_WORD: Final = re.compile(r'(?P<bare>[^\s"=]+=)?"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>[^\s"]+)')


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line."""

    text: str
    quoted: bool = False
    """It stood in quotes, so it is never punctuation nor anything else that has a meaning of its own."""
    mark: bool = False
    """It is punctuation: `+`, `→`, `:` or `,`."""


def words_of(text: str, line: int) -> list[Word]:
    """The words of a line. Raises `LessonSyntaxError` for quotes that do not close, or close inside a word.

    A `:` or `,` at the end of a word is punctuation, and so are `+` and `→` (or `->`) that stand alone; in quotes, with
    the escapes of JSON, they are text.
    """
    words: list[Word] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        found = _WORD.match(text, place)
        if found is None:
            raise LessonSyntaxError(
                line, _('a quote is open; write "…" around the whole text, and \\" for a quote inside')
            )
        place = found.end()
        if found["quoted"] is not None:
            if place < len(text) and not text[place].isspace() and text[place] not in ":,":
                raise LessonSyntaxError(
                    line, _('after a closing quote comes a space; inside quotes write \\" for a quote')
                )
            value = _unquoted(found["quoted"], line)
            words.append(Word((found["bare"] or "") + value, quoted=not found["bare"]))
            continue
        if text[place : place + 1] == '"':
            told = _('{word!r} runs into a quote; write "…" around the whole text')
            raise LessonSyntaxError(line, told.format(word=found["plain"]))
        words += _plain(found["plain"])
    return words


def _plain(text: str) -> list[Word]:
    if text in _MARKS:
        return [Word(_MARKS[text], mark=True)]
    if text[-1] in ":,":
        return [Word(text[:-1]), Word(text[-1], mark=True)]
    return [Word(text)]


def _unquoted(inside: str, line: int) -> str:
    try:
        text = json.loads(f'"{inside}"', strict=False)
    except ValueError:
        told = _('"{text}" holds an escape that JSON does not know; a backslash is written \\\\')
        raise LessonSyntaxError(line, told.format(text=inside)) from None
    assert isinstance(text, str)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise LessonSyntaxError(line, _('"{text}" holds half a character (a lone surrogate)').format(text=inside))
    return text


def written(text: str) -> str:
    """`text` as a lesson writes it: in quotes where it needs them. The inverse of `words_of` for one operand."""
    bare = text and not any(char.isspace() or char == '"' for char in text) and text[-1] not in ":,"
    if bare and text not in _MARKS and text.isprintable():
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


class Reader:
    """Takes the words of one line one by one; each method raises `LessonSyntaxError` if the next word is another."""

    def __init__(self, words: Sequence[Word], line: int) -> None:
        self._words = list(words)
        self.line = line

    def fault(self, sentence: str) -> LessonSyntaxError:
        """A fault of this line."""
        return LessonSyntaxError(self.line, sentence)

    @property
    def more(self) -> bool:
        """Is there another word?"""
        return bool(self._words)

    def mark_is_next(self, mark: str) -> bool:
        """Is the next word this punctuation?"""
        return bool(self._words) and self._words[0].mark and self._words[0].text == mark

    def word(self, what: str) -> Word:
        """The next word, which is no punctuation; `what` names it for the fault."""
        if not self._words:
            raise self.fault(_("{what} is missing").format(what=what))
        word = self._words.pop(0)
        if word.mark:
            told = _('{what} is missing before {mark!r}; if it is a text itself, write "{mark}"')
            raise self.fault(told.format(what=what, mark=word.text))
        return word

    def text(self, what: str) -> str:
        """The next word's text."""
        return self.word(what).text

    def number(self, what: str, least: int = 0) -> int:
        """The next word as a whole number."""
        text = self.text(what)
        return self.as_number(text, what, least)

    def as_number(self, text: str, what: str, least: int = 0) -> int:
        """`text` as a whole number of at least `least`."""
        if not (text.isascii() and text.isdigit() and len(text) <= 18) or int(text) < least:
            told = _("{what} is a whole number of {least} or more, written in digits only, not {text!r}")
            raise self.fault(told.format(what=what, least=least, text=text))
        return int(text)

    def mark(self, mark: str) -> bool:
        """Take the next word if it is this punctuation; whether it was."""
        if self.mark_is_next(mark):
            self._words.pop(0)
            return True
        return False

    def literal(self, text: str) -> bool:
        """Take the next word if it is `text`; whether it was."""
        if self._words and self._words[0] == Word(text):
            self._words.pop(0)
            return True
        return False

    def pair(self) -> tuple[str, str]:
        """Two operands, with or without `+` between them."""
        left = self.text(_("the left half of a pair"))
        self.mark("+")
        return left, self.text(_("the right half of a pair"))

    def setting(self) -> tuple[str, str] | None:
        """The next word as `name=value`, if it is one; None, and nothing taken, otherwise."""
        if not self._words or self._words[0].quoted or self._words[0].mark or "=" not in self._words[0].text:
            return None
        name, _, value = self._words.pop(0).text.partition("=")
        return name, value

    def end(self) -> None:
        """Nothing may follow."""
        if self._words:
            raise self.fault(_("{word!r} is one word too many").format(word=self._words[0].text))
