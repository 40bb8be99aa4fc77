"""The syntax of one line in a block: operands, which may be quoted, and punctuation between them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.i18n import _

ARROW: Final = "→"
_MARKS: Final = {"+": "+", ":": ":", ",": ",", ARROW: ARROW, "->": ARROW}
_WORD: Final = re.compile(r'(?P<bare>[^\s"=]+=)?"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>[^\s"]+)')


class LessonSyntaxError(Exception):
    """A line of a lesson that cannot be read; becomes a `LessonError` where the file's name is known."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(line, sentence)
        self.line = line
        """1 for the first line of the file."""
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line."""

    text: str
    quoted: bool = False
    """It was in quotes, so it is never punctuation or anything else that has a meaning of its own."""
    mark: bool = False
    """It is punctuation: `+`, `→`, `:` or `,`."""


def split_words(text: str, line: int) -> list[Word]:
    """The words of a line. Raises `LessonSyntaxError` for quotes that do not close, or close inside a word.

    A `:` or `,` at the end of a word is punctuation, and so is `+` or `→` (or `->`) alone; in quotes, with the escapes
    of JSON, they are text.
    """
    words: list[Word] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _WORD.match(text, at)
        if found is None:
            raise LessonSyntaxError(
                line, _('a quote is open; write "…" around the whole text, and \\" for a quote inside')
            )
        at = found.end()
        if found["quoted"] is not None:
            if at < len(text) and not text[at].isspace() and text[at] not in ":,":
                raise LessonSyntaxError(
                    line, _('after a closing quote comes a space; inside quotes write \\" for a quote')
                )
            value = _unquoted(found["quoted"], line)
            words.append(Word((found["bare"] or "") + value, quoted=not found["bare"]))
            continue
        if text[at : at + 1] == '"':
            message = _('{word!r} runs into a quote; write "…" around the whole text')
            raise LessonSyntaxError(line, message.format(word=found["plain"]))
        words += _plain_words(found["plain"])
    return words


def _plain_words(text: str) -> list[Word]:
    if text in _MARKS:
        return [Word(_MARKS[text], mark=True)]
    if text[-1] in ":,":
        return [Word(text[:-1]), Word(text[-1], mark=True)]
    return [Word(text)]


def _unquoted(inside: str, line: int) -> str:
    try:
        text = json.loads(f'"{inside}"', strict=False)
    except ValueError:
        message = _('"{text}" holds an escape that JSON does not know; a backslash is written \\\\')
        raise LessonSyntaxError(line, message.format(text=inside)) from None
    assert isinstance(text, str)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise LessonSyntaxError(line, _('"{text}" holds half a character (a lone surrogate)').format(text=inside))
    return text


def quoted(text: str) -> str:
    """`text` as an operand, in quotes where it needs them: the inverse of `split_words` for one word."""
    bare = text and not any(char.isspace() or char == '"' for char in text) and text[-1] not in ":,"
    if bare and text not in _MARKS and text.isprintable():
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


class LineParser:
    """Takes the words of one line one by one; each method raises `LessonSyntaxError` if the next word is not that."""

    def __init__(self, text: str, line: int) -> None:
        self._words = split_words(text, line)
        self.line = line
        """The number of the line in the file."""

    def error(self, sentence: str) -> LessonSyntaxError:
        """An error in this line."""
        return LessonSyntaxError(self.line, sentence)

    @property
    def more(self) -> bool:
        """Is there another word?"""
        return bool(self._words)

    def word(self, what: str) -> Word:
        """The next word, which is no punctuation; `what` names it in the error."""
        if not self._words:
            raise self.error(_("{what} is missing").format(what=what))
        word = self._words.pop(0)
        if word.mark:
            message = _('{what} is missing before {mark!r}; if it is a text itself, write "{mark}"')
            raise self.error(message.format(what=what, mark=word.text))
        return word

    def text(self, what: str) -> str:
        """The next word's text."""
        return self.word(what).text

    def number(self, what: str, least: int = 0) -> int:
        """The next word as a whole number of at least `least`."""
        text = self.text(what)
        if not (text.isascii() and text.isdigit() and len(text) <= 18) or int(text) < least:
            message = _("{what} is a whole number of {least} or more, written in digits only, not {text!r}")
            raise self.error(message.format(what=what, least=least, text=text))
        return int(text)

    def mark_is_next(self, mark: str) -> bool:
        """Is the next word this punctuation?"""
        return bool(self._words) and self._words[0].mark and self._words[0].text == mark

    def mark(self, mark: str) -> bool:
        """Take the next word if it is this punctuation; whether it was."""
        if self.mark_is_next(mark):
            self._words.pop(0)
            return True
        return False

    def keyword(self, text: str) -> bool:
        """Take the next word if it is `text` without quotes; whether it was."""
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
        name, _equals, value = self._words.pop(0).text.partition("=")
        return name, value

    def end(self) -> None:
        """Nothing may follow."""
        if self._words:
            raise self.error(_("{word!r} is one word too many").format(word=self._words[0].text))
