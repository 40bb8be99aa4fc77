"""Texts that students open by mistake, and that attackers write: made anew by each run, the same each time.

Each has what must never reach a terminal in it (`planted`), and may be opened under its own name or as the content of a
file. `check_harmless` judges what a terminal got.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

LONG: Final = bool(os.environ.get("BPE_TUI_LONG"))
"""Take the time to try everything."""
ESC: Final = "\x1b"
MARKUP: Final = (
    "[/]",
    "[b]bold[/b]",
    "[@click=app.quit]x[/]",
    "[@click=app.bell()]x",
    "[UNK]",
    "[link=https://example.org]x[/link]",
    "[red on blue]x",
    "[[",
    "]]",
    "[",
    "\\[b]",
    "[/b][/b]",
    "[$primary]x[/]",
    "[bold",
    "[ ]",
    "[not a tag at all]",
    "$text {0} %s {name}",
    ":smile: :cat: :+1:",
    "<b>&amp;</b> <script>",
    "`rm -rf ~` $(id) ${HOME}",
)
ESCAPES: Final = (  # with parameters that the app itself has no use for, so that they can be told from its own
    "[31;13;7m",
    "[0;13m",
    "[2;13J",
    "[13;13;13H",
    "[999;999H",
    "[?1049;13l",
    "[?25;13l",
    "[?1003;13h",
    "[6;13n",
    "[13c",
    "[5;13i",
    "[!p",
    "[8;1;1t",
    "[200;13~",
    "[1000000b",
    "c",
    "7",
    "#8",
    "(0",
    "N",
    "]0;owned\x07",
    "]2;owned\x1b\\",
    "]8;;http://owned\x07x\x1b]8;;\x07",
    "]52;c;b3duZWQ=\x07",
    "]11;?\x07",
    "]1337;File=inline=1:AAAA\x07",
    'P$q"p\x1b\\',
    "P1000;1|owned\x1b\\",
    "_Ga=T,f=24;AAAA\x1b\\",
    "^owned\x1b\\",
    "Xowned\x1b\\",
    "",
)
HIDDEN: Final = (
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029",
    *"\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2064\u2066\u2067\u2068\u2069\u206a\u206f\u2800\u3164",
    *"\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffc\ufffd\uffff\U0001f3fb\U0001f1e6\U000e0001\U000e0041\U000e0100",
    *"\ue000\U000f0000\U0010ffff\u0378\U0001d173\U000110bd\u070f\u06dd\u0600\u08e2",
)
WIDE: Final = (
    "日本語のテキスト",
    "👩‍👩‍👧‍👦 👍🏽 🇫🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ 1️⃣",
    "שלום עולם مرحبا بالعالم",
    "नमस्ते क्षि ไทย ម្តង",
    "e\u0301 a\u0308\u0304\u0323 Z\u0351\u036b\u0343\u036a",
    "ﬁ Ǆ İ ı ß ẞ ſ Å K",
    "㋿㍿𠀀䷀☰⚊𝌆",
    "\u1100\u1161\u11a8 \uac00 \u3131",
)
SAFE_CONTROLS: Final = "\n"


@dataclass(frozen=True)
class Hostile:
    """One input."""

    name: str
    data: bytes
    planted: tuple[bytes, ...] = ()
    """Sequences that no terminal may get."""

    @property
    def is_text(self) -> bool:
        """Is it UTF-8?"""
        try:
            self.data.decode()
        except UnicodeDecodeError:
            return False
        return True


def hostile() -> list[Hostile]:
    """All inputs that are small, by name; more than two hundred."""
    return list(_all())


def _all() -> Iterator[Hostile]:
    for number, text in enumerate(MARKUP):
        yield _text(f"markup-{number}", text)
    for number, text in enumerate(ESCAPES):
        yield _text(f"escape-{number}", f"{ESC}{text}", *([f"{ESC}{text}"] if len(text) > 2 else []))
    for code in (*range(0x20), *range(0x7F, 0xA0)):
        planted = () if chr(code) in "\n\r\x1b\x08\x0e\x0f" else (chr(code),)
        yield _text(f"control-{code:02x}", chr(code), *(one for one in planted if code not in (0x07, 0x09)))
    for char in HIDDEN:
        yield _text(f"hidden-{ord(char):x}", char, *([char] if _is_forbidden(char) else []))
    for number, text in enumerate(WIDE):
        yield _text(f"wide-{number}", text)
    yield from _files()
    yield from _mixtures()


def _text(name: str, text: str, *planted: str) -> Hostile:
    """A text in which the hostile part is a word, is inside words, opens and ends lines, and is often a pair."""
    lines = [text, f"a{text}b", f"{text} {text}", f"low {text}{text} lower{text}", f"{text}x y{text}"]
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    return Hostile(name, data, tuple(one.encode("utf-8", "surrogatepass") for one in planted))


def _files() -> Iterator[Hostile]:
    yield Hostile("empty", b"")
    yield Hostile("newlines", b"\n" * 50)
    yield Hostile("spaces", b" " * 300)
    yield Hostile("one-letter", b"a")
    yield Hostile("one-letter-often", b"a" * 20_000)
    yield Hostile("bom", b"\xef\xbb\xbflow lower")
    yield Hostile("bom-inside", b"low \xef\xbb\xbf lower", (b"\xef\xbb\xbf",))
    yield Hostile("bom-alone", b"\xef\xbb\xbf")
    for coding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-7", "latin-1", "cp1252", "cp037"):
        yield Hostile(coding, "déjà vu, low lower".encode(coding))
    yield Hostile("shift-jis", "日本語".encode("shift-jis"))
    yield Hostile("koi8-r", "привет мир".encode("koi8-r"))
    yield Hostile("surrogate", b"low \xed\xa0\x80 lower", (b"\xed\xa0\x80",))
    yield Hostile("surrogate-pair", b"low \xed\xa0\xbd\xed\xb8\x80 lower", (b"\xed\xa0\xbd",))
    yield Hostile("overlong", b"low \xc0\xaf \xe0\x80\xaf lower", (b"\xc0\xaf",))
    yield Hostile("too-large", b"low \xf4\x90\x80\x80 lower", (b"\xf4\x90",))
    yield Hostile("cut-off", "low é".encode()[:-1])
    yield Hostile("byte-ff", b"low lower\n\xff\n", (b"\xff",))
    yield Hostile("png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    yield Hostile("pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Type/Catalog>>")
    yield Hostile("elf", b"\x7fELF\x02\x01\x01" + bytes(64))
    yield Hostile("gzip", b"\x1f\x8b\x08\x00" + bytes(20))
    yield Hostile("zip", b"PK\x03\x04" + bytes(30))
    yield Hostile("zeros", bytes(5_000))
    yield Hostile(
        "log", b"\x1b[32mINFO\x1b[0m ok\r\x1b[K\x1b[31mERROR\x1b[0m no\r\n" * 40, (b"\x1b[32mINFO", b"\x1b[K\x1b")
    )
    yield Hostile("crlf", b"low\r\nlower\r\n\rlowest\r")
    yield Hostile("marks", b"a" + "\u0301".encode() * 10_000)
    yield Hostile("marks-alone", "\u0301\u0489\u20dd".encode() * 300)
    yield Hostile("long-word", b"ab" * 20_000)
    yield Hostile("long-line", b"low lower lowest " * 5_000)
    yield Hostile("many-words", " ".join(f"w{number:x}" for number in range(5_000)).encode())
    yield Hostile("looks-like-option", b"--help -o /etc/passwd\n--version")
    yield Hostile("looks-like-special", b"<|endoftext|> [UNK] <unk> </w> <0x41> \xc4\xa0the")
    yield Hostile("looks-like-json", b'{"model": {"type": "BPE"}}')
    yield Hostile("looks-like-merges", b"#version: 0.2\n# #\n")
    yield Hostile("deep-json", b"[" * 10_000)


def _mixtures() -> Iterator[Hostile]:
    pools = (MARKUP, tuple(ESC + one for one in ESCAPES), HIDDEN, WIDE, tuple(map(chr, range(32))), tuple("ab \n"))
    for seed in range(40):
        random = Random(seed)
        parts = [random.choice(random.choice(pools)) for _ in range(random.randrange(5, 60))]
        planted = tuple(one.encode() for one in parts if one in pools[1] and len(one) > 3)
        yield Hostile(f"mixture-{seed}", "".join(parts).encode(), planted)


def long_line() -> bytes:
    """Ten million bytes without an end of line, controls among them."""
    part = "low lower \x1b[31mlowest\x07 [/] \u202e " * 1000
    return (part * (10_000_000 // len(part.encode()) + 1)).encode()[:10_000_000]


def distinct_words(count: int = 1_000_000) -> bytes:
    """That many words, each once."""
    return "\n".join(f"{number:x}q{number * 7919 % 99991:x}" for number in range(count)).encode()


# -- what a terminal got ----------------------------------------------------------------------------------------------

SEQUENCE: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[P_][^\x1b]*\x1b\\|[ -/]*[0-~])"
)
"""One escape sequence of any kind."""


def _is_forbidden(char: str) -> bool:
    """Would it be invisible, or steer the terminal?"""
    return (
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
        or char in "\u034f\u115f\u1160\u2800\u3164\uffa0"
    )


def shape(sequence: str) -> str:
    """An escape sequence without its numbers: sequences of one shape steer one thing."""
    return re.sub(r"[0-9;:]+", "N", sequence) if sequence[1:2] == "[" else sequence[:2] + sequence[2:4]


def shapes(output: bytes) -> set[str]:
    """The shapes of all escape sequences that a terminal got."""
    return {shape(found) for found in SEQUENCE.findall(output.decode("utf-8", "surrogateescape"))}


def check_harmless(output: bytes, planted: tuple[bytes, ...], known: set[str] | None = None) -> None:
    """A terminal got nothing planted, no character that steers or hides, and of sequences only `known` shapes.

    Without `known` (plain output) there may be no sequence at all. Raises AssertionError.
    """
    for one in planted:
        assert one not in output, f"{one!r} is in the output"
    text = output.decode()
    strange = shapes(output) - (known or set())
    assert not strange, f"escape sequences {strange} reach the terminal"
    rest = SEQUENCE.sub("", text)
    allowed = "\n\t" if known is None else "\n\r\x1b\x07\x0f\x0e\x08"
    found = {char for char in rest if char not in allowed and _is_forbidden(char)}
    assert not found, f"characters {found!a} reach the terminal"
