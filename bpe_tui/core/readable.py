"""Tokens as people read them: the one way to show a token, a symbol or a word that is made of them.

Byte-level tokens are kept as text in GPT-2's byte-to-character table, where ` стол` is `ĠÑģÑĤÐ¾Ð»`. That is what files
and JSON hold, and what few can read. A `Notation` shows a token in one of three styles:

    style    ` the`   ` стол`     half of a `т`   line end   ` the` of an alphabet of characters
    SIGN     ␣the     ␣стол       ˣD1             ␊          ␣the
    TABLE    Ġthe     ĠÑģÑĤÐ¾Ð»   Ñ               Ċ          ␣the
    PLAIN     the      стол       ˣD1             ␊           the

Where bytes are whole characters of UTF-8, SIGN and PLAIN show the characters, and of every other byte its number: a
small raised x and two hexadecimal digits, which is narrow, needs no colour, and can be read in the dozens
that a word has at first. In PLAIN a space is a blank, but a token of nothing but spaces shows them: it would be
invisible.

A sign that the text itself holds never looks like what it stands for: a literal `␣` or `ˣ` is `⟨2423⟩` or `⟨2e3⟩`, in
TABLE the characters of its bytes; a literal `Ġ` is a `Ġ` in SIGN and PLAIN, where no space is, and two other characters
in TABLE. What is shown is safe for a terminal, and as wide as `display.width` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, bytes_to_chars, chars_to_bytes, is_byte_level, utf8
from bpe_tui.core.display import SPACE, unmistakable, visible
from bpe_tui.core.i18n import _, mark
from bpe_tui.core.options import Options

PLUS: Final = " + "
"""Between the halves of a pair."""
ARROW: Final = " → "
"""Between a pair and the token that it becomes."""
_MEANINGS: Final = {" ": mark("a space"), "\n": mark("a newline"), "\t": mark("a tab")}
"""Characters that are shown by a sign, in words."""
_PICTURES: Final = {"\n": "␊", "\t": "␉"}
_A_BYTE: Final = mark("a byte")
_HEX: Final = "ˣ"
"""Before the two digits of a byte."""
_LITERAL_HEX: Final = f"⟨{ord(_HEX):x}⟩"
_LONE_BYTES: Final = re.compile("([\udc80-\udcff]+)")
"""How Python decodes bytes that are no whole character: U+DC00 + the byte."""
_LONGEST_REMEMBERED: Final = 64
"""Code points of a token up to which it is remembered how it is shown."""


class TokenStyle(StrEnum):
    """How tokens are shown; the value is how ` the` begins."""

    SIGN = "␣"
    """As text, with `␣` for a space."""
    TABLE = "Ġ"
    """In the byte-to-character table, as in files."""
    PLAIN = " "
    """As text, with a blank for a space."""


@dataclass(frozen=True, slots=True)
class Notation:
    """Shows the tokens of one alphabet in one style."""

    byte_level: bool = False
    """Are tokens written in the byte-to-character table?"""
    style: TokenStyle = TokenStyle.SIGN
    specials: frozenset[str] = frozenset()
    """Special tokens: ordinary text in every alphabet."""

    @classmethod
    def of(cls, options: Options, style: TokenStyle = TokenStyle.SIGN) -> Notation:
        """The notation for tokens learned under `options`."""
        return cls(is_byte_level(options), style, frozenset((*options.specials, *options.protected)))

    def token(self, text: str) -> str:
        """A token, or a symbol or word in the form that tokens have."""
        if not self.byte_level or self.style is TokenStyle.TABLE or text in self.specials:
            return self.text(text)
        is_plain = self.style is TokenStyle.PLAIN
        return _remembered(text, is_plain) if len(text) <= _LONGEST_REMEMBERED else _decoded(text, is_plain)

    def shows_bytes(self, shown: str) -> bool:
        """Are there lone bytes in what shows a token, so that it can't be read?"""
        return self.byte_level and _HEX in shown

    def text(self, text: str) -> str:
        """Ordinary text, such as what the learner typed, shown like the tokens beside it."""
        return unmistakable(text) if self.style is TokenStyle.PLAIN and text.strip(" ") else visible(text)

    def pair(self, left: str, right: str) -> str:
        """`u + g`."""
        return self.token(left) + PLUS + self.token(right)

    def merge(self, left: str, right: str) -> str:
        """`u + g → ug`."""
        return self.pair(left, right) + ARROW + self.token(left + right)

    @property
    def symbol_name(self) -> str:
        """What a symbol of the alphabet is called: a byte is no letter."""
        return _("byte") if self.byte_level else _("letter")

    @property
    def next_style(self) -> TokenStyle:
        """The style that a key goes to from this one; of those that differ for this alphabet."""
        styles = list(TokenStyle) if self.byte_level else [TokenStyle.SIGN, TokenStyle.PLAIN]
        place = styles.index(self.style) + 1 if self.style in styles else 1
        return styles[place % len(styles)]

    def legend(self, texts: Iterable[str], *, spaces: bool = False) -> tuple[str, ...]:
        """What the signs mean that show these tokens: `Ġ = a space`, `ˣD1 = a byte`; empty if all are letters.

        `␣` explains itself beside words of a corpus; with `spaces` it is in the legend as well.
        """
        raw = [text for text in dict.fromkeys(texts) if text not in self.specials]
        if self.byte_level and self.style is TokenStyle.TABLE:
            joined = "".join(raw)
            signs = {BYTE_TO_CHAR[ord(char)]: meaning for char, meaning in _MEANINGS.items()}
            found = [(sign, meaning) for sign, meaning in signs.items() if sign in joined]
            others = (char for char in joined if not char.isascii() and char not in signs)
        else:
            joined = "".join(map(_with_lone_bytes, raw) if self.byte_level else raw)
            found = [(sign, _MEANINGS[char]) for char, sign in _PICTURES.items() if char in joined]
            if spaces and self.style is not TokenStyle.PLAIN and " " in joined:
                found.insert(0, (SPACE, _MEANINGS[" "]))
            others = (_byte(char) for char in joined if _LONE_BYTES.match(char) and self.byte_level)
        found += [(other, _A_BYTE) for other in [next(others, "")] if other]
        return tuple(f"{sign} = {_(meaning)}" for sign, meaning in found)


CHARACTERS: Final = Notation()
"""Tokens of characters, spaces as `␣`."""
AS_IN_FILES: Final = Notation(style=TokenStyle.TABLE)
"""Any tokens as they are in files and JSON: for the command line, and for lessons, which write them so."""


def spellings(query: str, *, byte_level: bool) -> tuple[str, ...]:
    """The token texts that may be meant by what somebody typed: as they are in files, or as any style shows them."""
    meant = query.replace(SPACE, " ")
    for char, sign in _PICTURES.items():
        meant = meant.replace(sign, char)
    ways = [query, meant, bytes_to_chars(utf8(meant))] if byte_level else [query, meant]
    return tuple(dict.fromkeys(ways))


def _with_lone_bytes(text: str) -> str:
    """The text that a byte-level token stands for; bytes that are no whole character as `_LONE_BYTES` finds them."""
    try:
        return chars_to_bytes(text).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a token that is no sequence of bytes, of a foreign tokenizer
        return text


def _decoded(text: str, is_plain: bool) -> str:
    """A byte-level token in the style PLAIN or SIGN."""
    whole = _with_lone_bytes(text)
    show = unmistakable if is_plain and whole.strip(" ") else visible
    parts = enumerate(_LONE_BYTES.split(whole))
    return "".join(
        ["".join(map(_byte, part)) if place % 2 else show(part).replace(_HEX, _LITERAL_HEX) for place, part in parts]
    )


@lru_cache(maxsize=1 << 14)
def _remembered(text: str, is_plain: bool) -> str:
    """The same tokens are shown again and again."""
    return _decoded(text, is_plain)


def _byte(char: str) -> str:
    return f"{_HEX}{ord(char) - 0xDC00:02X}"
