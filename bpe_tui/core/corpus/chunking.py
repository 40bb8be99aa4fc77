"""Where a text may be cut before it is pre-tokenized, without changing a single word.

Running a pattern over a hundred megabytes is slow; running it over the distinct pieces of that text is not. A piece
must begin and end where the pre-tokenizer cuts anyway, whatever the context:

- before a space that follows a non-space, for the GPT patterns: no alternative matches a space after anything but
  other white space, and none looks back;
- before a single space that follows other white space and precedes a non-space: the pattern leaves that space to the
  word after it, and takes the white space before it as one word, cut or not;
- at white space that the pre-tokenizer drops (`whitespace`, `spaces`), or that starts a word (`metaspace`);
- at the end of a document.

All of this works on UTF-8 bytes, in which 0xFF never occurs: it marks the cuts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.corpus.pretokenize import PATTERNS, TIKTOKEN_CL100K
from bpe_tui.core.options import Options

_CUT: Final = b"\xff"
_GPT: Final = ("gpt2", "cl100k", "o200k")
QWEN: Final = PATTERNS["cl100k"].replace(r"\p{N}{1,3}", r"\p{N}")
"""The pattern of Qwen: that of cl100k with each digit a word."""
PIECES: Final = (
    r"(?s:.+?(?=(?<=[\p{L}\p{N}])[\s,.;:!?)\]}\"]|(?<=\S\n)[\p{L}\p{N}]|\Z))(?#pieces)"  # the comment makes it ours
)
"""A pattern whose words are pieces between cuts that all GPT patterns have in common: where a letter or digit is before
white space or before a sign that no contraction begins with, and where a newline alone is before a letter or digit.
Runs of letters, of digits, of white space and of signs stay whole."""
_LIKE_GPT: Final = frozenset((*(PATTERNS[name] for name in _GPT), TIKTOKEN_CL100K, QWEN, PIECES))
"""Patterns that cut as those of GPT do: no alternative has a space but at its start or after other white space."""

_ASCII_WHITE: Final = (b"\t", b"\n", b"\x0b", b"\x0c", b"\r")
_OTHER_WHITE: Final = tuple(
    (lead, re.compile(b"(" + lead + rest + b")" + _CUT + b" "))
    for lead, rest in (
        (b"\xc2", rb"[\x85\xa0]"),
        (b"\xe1", rb"\x9a\x80"),
        (b"\xe2", rb"(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)"),
        (b"\xe3", rb"\x80\x80"),
    )
)
"""The other white space that Unicode and the patterns' `\\s` know, by its first byte, with a cut after it."""

_SURE_SPACE: Final = re.compile(rb"[0-9A-Za-z](?= [0-9A-Za-z])")
"""A space between two ASCII letters or digits: every pre-tokenizer that knows spaces cuts before it."""


@dataclass(frozen=True, slots=True)
class ByteRange:
    """A range of bytes of a file, counted by one worker."""

    file: str
    """A path; on a cluster any address that fsspec opens, such as `s3://bucket/file.txt`."""
    start: int
    end: int | None
    """The first byte behind the range; None: to the end of the file."""


class Chunker:
    """Cuts blocks of UTF-8 into chunks whose words are the text's words."""

    def __init__(self, options: Options) -> None:
        self._name = "gpt2" if options.pattern in _LIKE_GPT else options.pre_tokenizer
        self._lines = options.documents != "files"
        self._keepends = options.documents == "lines-keepends"
        self._specials_hold_space = any(" " in token for token in (*options.specials, *options.protected))

    @property
    def cuts_like_gpt(self) -> bool:
        """Whether the pieces are those of the GPT patterns, in which every run of characters but spaces is whole."""
        return self._name in _GPT

    @property
    def cuts_at_spaces(self) -> bool:
        """Whether a document can be cut at all."""
        return self._name not in ("none", "pattern") and not self._specials_hold_space

    def last_cut(self, block: bytes) -> int:
        """The last place where `block` may be cut; 0 if there is none."""
        if self._lines and (end := block.rfind(b"\n")) >= 0:
            return end + 1
        if self.cuts_at_spaces:
            for start in range(len(block) - 4096, -4096, -4096):
                found = [each.end() for each in _SURE_SPACE.finditer(block, max(start, 0), max(start, 0) + 4100)]
                if found:
                    return found[-1]
        return 0

    def first_cut(self, block: bytes) -> int:
        """The first place, after the start, where `block` may be cut; 0 if there is none."""
        if self._lines and (end := block.find(b"\n")) >= 0:
            return end + 1
        if self.cuts_at_spaces and (sure := _SURE_SPACE.search(block)):
            return sure.end()
        return 0

    def chunks(self, block: bytes) -> list[bytes]:
        """The chunks of `block`, in order; empty ones mean nothing."""
        if self._lines and not self._keepends and b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
        if self._name == "whitespace":
            return block.split()
        if self._lines:
            block = block.replace(b"\n", b"\n" + _CUT if self._keepends else _CUT)
        if self._name == "spaces":
            block = block.replace(b" ", _CUT)
        elif self._name == "metaspace":
            block = block.replace(b" ", _CUT + b" ")
        elif self._name in _GPT:
            block = self._cut_at_spaces(block)
        return block.split(_CUT)

    def _cut_at_spaces(self, block: bytes) -> bytes:
        """Mark a cut before every space where the GPT patterns allow it."""
        cut = block.replace(b" ", _CUT + b" ")
        if b"  " in block:  # runs of spaces stay together; the second pass joins what the first one left
            cut = cut.replace(b" \xff ", b"  ").replace(b" \xff ", b"  ")
        # A space after other white space stays with it. Looking for the white space alone first is fast.
        for each in _ASCII_WHITE:
            if each in block and each + b" " in block:
                cut = cut.replace(each + _CUT + b" ", each + b" ")
        for lead, pattern in _OTHER_WHITE:
            if lead in block:
                cut = pattern.sub(rb"\1 ", cut)
        return cut
