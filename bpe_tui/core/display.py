"""Any text, made visible and safe to print, with a width that is known.

A corpus may hold anything: escape sequences that would repaint the screen, marks that reverse the reading
direction, characters that cannot be seen at all. `displayable` is the one gate between such text and a terminal. What
it lets through has three properties:

- it is safe: no control, format, bidirectional or otherwise invisible character is left in it;
- it is honest: whatever was taken out has a visible stand-in, a control picture such as `␉` or the code point in
  brackets such as `⟨200b⟩`, so two texts that differ rarely look alike;
- its width is known: every character that stays takes the same number of cells in the terminals we know of. Where they
  disagree (emoji joiners and skin tones, flags, symbols that became wide in a late version of Unicode) the stand-in is
  shown instead: one wrong cell shifts everything right of it.

Marks stay with the letter that they belong to: accents, and the vowel signs of Indic scripts. Of these, some take a
cell of their own (`ि`), as the C library and with it most terminals have it. A mark without a letter, such as a token
that is one vowel sign, sits on a dotted circle: `◌ि`.

A plain space stays a space; where spaces matter, as in words, `visible` shows them too. There a `␣`, `␉` or `␊` that
the text itself holds is shown by its code point, `⟨2423⟩`: the bare sign always is a space, tab or newline. Tokens have
more to them than that: see `readable`. The text in files and in JSON never passes through here.
"""

from functools import lru_cache
from itertools import chain
from typing import Final
from unicodedata import category, east_asian_width

MARKS_THAT_JOIN: Final = 3
"""How many marks one character may carry: enough for Vietnamese, Thai, Hindi and pointed Hebrew."""

CARRIER: Final = "◌"
"""What a mark sits on that has no letter before it."""

SPACE: Final = "␣"
"""What `visible` shows for a space."""

ELLIPSIS: Final = "…"
"""What `clip` puts where it cut; one cell wide."""

# General categories of which no character may reach a terminal as it is: controls, formats, surrogates, private use,
# unassigned, line and paragraph separators, marks that enclose.
_NEVER_SHOWN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"})
_MARKS: Final = frozenset({"Mn", "Mc"})

# Further ones, by code point: printable by their category, but invisible, or of disputed width.
_STAND_IN_RANGES: Final = (
    (0x034F, 0x034F),  # combining grapheme joiner: invisible
    (0x115F, 0x11FF),  # Hangul fillers, and vowels and finals, which have no width of their own
    (0x17B4, 0x17B5),  # Khmer inherent vowels: invisible
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0x2630, 0x2637),  # trigrams: wide since Unicode 16
    (0x268A, 0x268F),  # monograms and digrams: likewise
    (0x1B44, 0x1B44),  # Balinese adeg adeg: no cell or one, like the other spacing viramas below
    (0x2800, 0x2800),  # the braille pattern without dots looks like a space
    (0x302E, 0x302F),  # Hangul tone marks: two cells in some terminals
    (0x3164, 0x3164),  # Hangul filler
    (0x3248, 0x324F),  # circled numbers on black squares: one cell or two
    (0x4DC0, 0x4DFF),  # hexagrams: wide since Unicode 16
    (0xA9C0, 0xA9C0),  # Javanese pangkon
    (0xD7B0, 0xD7FF),  # more Hangul vowels and finals
    (0xFE00, 0xFE0F),  # variation selectors: they turn a narrow sign into a wide emoji, in some terminals
    (0xFFA0, 0xFFA0),  # half-width Hangul filler
    (0xFFFC, 0xFFFC),  # object replacement character
    (0x111C0, 0x111C0),  # Sharada virama
    (0x11235, 0x11235),  # Khojki virama
    (0x1134D, 0x1134D),  # Grantha virama
    (0x116B6, 0x116B6),  # Takri virama
    (0x16FF0, 0x16FF1),  # Vietnamese alternate reading marks: one cell or two
    (0x1D300, 0x1D376),  # Tai Xuan Jing symbols and counting rods: wide since Unicode 16
    (0x1F1E6, 0x1F1FF),  # regional indicators: two make a flag, in some terminals
    (0x1F3FB, 0x1F3FF),  # skin tones: they melt into the emoji before them, in some terminals
    (0xE0000, 0xE0FFF),  # tags and the rest of the variation selectors
)
_STAND_INS: Final = frozenset(chain.from_iterable(range(first, last + 1) for first, last in _STAND_IN_RANGES))

_DELETE: Final = 0x7F
_FIRST_PICTURE: Final = 0x2400
_DELETE_PICTURE: Final = "␡"
_SIGNS: Final = frozenset({SPACE, _DELETE_PICTURE, *map(chr, range(_FIRST_PICTURE, _FIRST_PICTURE + 0x20))})
"""Characters that stand for others here, and so never for themselves in what `visible` shows."""


def is_plain(text: str) -> bool:
    """Whether `text` is printable ASCII and therefore passes `displayable` unchanged, one cell a character."""
    return text.isascii() and text.isprintable()


def displayable(text: str) -> str:
    """Return `text` with everything invisible, unsafe or of unknown width replaced by a visible stand-in.

    Marks stay with the character they follow, up to `MARKS_THAT_JOIN` of them; a mark that follows nothing (at the
    start, after a space, after a stand-in) sits on `CARRIER`. The result is unchanged by a second pass, and the
    results for two texts can be put side by side without one altering the other.
    """
    if is_plain(text):
        return text
    return _displayable_token(text) if len(text) <= 64 else _displayable(text)


def _displayable(text: str) -> str:
    shown: list[str] = []
    room = 0
    for char in text:
        alone = _alone(char)
        if alone:
            shown.append(alone)
            room = MARKS_THAT_JOIN if alone == char and char != " " else 0
            continue
        if not room:
            shown.append(CARRIER)
            room = MARKS_THAT_JOIN
        shown.append(char)
        room -= 1
    return "".join(shown)


@lru_cache(maxsize=1 << 14)
def _displayable_token(text: str) -> str:
    """Tokens are shown again and again: of letters beyond ASCII this is ten times as fast."""
    return _displayable(text)


def visible(text: str) -> str:
    """`displayable` text with its spaces visible too, as `␣`: for names, words and all that is shown in one piece.

    Not for what went through here before: the signs that it puts in are code points the second time.
    """
    return unmistakable(text).replace(" ", SPACE)


def unmistakable(text: str) -> str:
    """`displayable` text in which a sign such as `␣` or `␊` that the text itself holds is shown by its code point."""
    if is_plain(text) or _SIGNS.isdisjoint(text):
        return displayable(text)
    return displayable("".join([_code_point(char) if char in _SIGNS else char for char in text]))


def is_mark(char: str) -> bool:
    """Is this a mark that `displayable` lets stay with the character before it?"""
    return _alone(char) == ""


def is_shown(char: str) -> bool:
    """Does `displayable` let a character through as it is, by itself or as a mark on another?"""
    return _alone(char) in (char, "")


def width(text: str) -> int:
    """Return how many terminal cells `text` takes; it must come from `displayable`."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def clip(text: str, cells: int) -> str:
    """Cut `text`, which must come from `displayable`, to at most `cells` cells, ending in `…` where something was cut.

    Marks go with their character. Where a wide character would not fit whole, the result is one cell shorter. The
    cost grows with `cells`, not with the length of the text.
    """
    if cells <= 0:
        return ""
    if text.isascii():
        return text if len(text) <= cells else text[: cells - 1] + ELLIPSIS
    used = end = 0
    for index, char in enumerate(text):
        if used < cells and category(char) not in _MARKS:
            end = index
        used += _cells(char)
        if used > cells:
            return text[:end] + ELLIPSIS
    return text


@lru_cache(maxsize=1 << 16)
def _alone(char: str) -> str:
    """Return what is shown for `char` by itself; an empty string if it is a mark that may join the one before."""
    code = ord(char)
    if code < ord(" "):
        return chr(_FIRST_PICTURE + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    kind = category(char)
    if kind in _NEVER_SHOWN or code in _STAND_INS or (kind == "Zs" and char != " "):
        return _code_point(char)
    return "" if kind in _MARKS else char


def _code_point(char: str) -> str:
    """Return the stand-in that names `char` by its number, in hexadecimal."""
    return f"⟨{ord(char):x}⟩"


@lru_cache(maxsize=1 << 16)
def _cells(char: str) -> int:
    """Return the cells that `char` takes, given that `displayable` let it through."""
    if category(char) == "Mn":
        return 0
    return 2 if east_asian_width(char) in {"W", "F"} else 1
