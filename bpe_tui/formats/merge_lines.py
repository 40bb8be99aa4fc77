"""The lines of a merges file: two tokens a line, with one space between them.

Only the first line can be a header; `# #` is a merge. Lines end in `\\n`, or in `\\r\\n`; every other separator that
Unicode knows is text like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, plural
from bpe_tui.core.training.vocabulary import Merge
from bpe_tui.formats.files import quoted

HEADER: Final = "#version"
"""How a header begins; the version follows after a colon."""
_UNSAYABLE: Final = re.compile(r"[ \n\r\t]")


@dataclass(frozen=True, slots=True)
class MergeLines:
    """A merges file as it stands."""

    header: str | None
    pairs: list[tuple[str, str]]
    numbers: list[int]
    """For each pair the number of its line, from 1."""

    def without_repeats(self, *, last_counts: bool) -> tuple[MergeLines, list[str]]:
        """The merges each once, and a warning for each that is there twice."""
        places = dict(zip(self.pairs, range(len(self.pairs)), strict=True))
        if len(places) == len(self.pairs):
            return self, []
        first: dict[tuple[str, str], int] = {}
        warnings = []
        kept = set(range(len(self.pairs)))
        for place, pair in enumerate(self.pairs):
            if pair in first:
                told = _("the merge on line {line} is the one on line {first} again; the first one counts")
                if last_counts:
                    told = _("the merge on line {line} is the one on line {first} again; the last one counts")
                warnings.append(told.format(line=self.numbers[place], first=self.numbers[first[pair]]))
                kept.discard(first[pair] if last_counts else place)
            if last_counts or pair not in first:
                first[pair] = place
        order = sorted(kept)
        found = MergeLines(self.header, [self.pairs[place] for place in order], [self.numbers[at] for at in order])
        return found, warnings


def parse(text: str) -> MergeLines:
    """The merges in `text`. Raises TokenizerFileError with the number of the first line that is none."""
    lines = text.split("\n")
    header = lines[0].removesuffix("\r") if lines[0].startswith(HEADER) else None
    first = 0 if header is None else 1
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines[:-1]] + lines[-1:]
    numbers = [number for number, line in enumerate(lines[first:], first + 1) if line]
    pairs = [(left, right) for left, _, right in (lines[number - 1].partition(" ") for number in numbers)]
    if any(not left or not right or " " in right for left, right in pairs) or "\t" in text or "\r" in "".join(lines):
        for number in numbers:
            _check(number, lines[number - 1])
    if f"\n{HEADER}" in text:
        number = next(number for number in numbers if lines[number - 1].startswith(HEADER))
        raise TokenizerFileError(
            _("line {number} begins with {header}: a header to some tools, a merge to others").format(
                number=number, header=HEADER
            )
        )
    return MergeLines(header, pairs, numbers)


def _check(number: int, line: str) -> None:
    """Raises TokenizerFileError if a line is no merge."""
    if "\t" in line:
        raise TokenizerFileError(
            _("line {number} holds a tab; a merge is two tokens with one space between them").format(number=number)
        )
    if "\r" in line:
        raise TokenizerFileError(
            _("line {number} holds a carriage return; a merge is two tokens on one line").format(number=number)
        )
    if line.endswith(" "):
        raise TokenizerFileError(_("line {number}, {line}, ends in a space").format(number=number, line=quoted(line)))
    fields = line.split(" ")
    if len(fields) != 2 or not fields[0]:
        count = len([field for field in fields if field])
        if count == 2:
            told = _("line {number}, {line}, has 2 fields and spaces too many")
            raise TokenizerFileError(told.format(number=number, line=quoted(line)))
        raise TokenizerFileError(
            plural(
                "line {number}, {line}, has {count} field; a merge is two tokens",
                "line {number}, {line}, has {count} fields; a merge is two tokens",
                count,
                number=number,
                line=quoted(line),
            )
        )


def written(merges: Sequence[Merge], header: str) -> bytes:
    """A merges file. Raises TokenizerFileError naming a merge that its lines cannot say."""
    for merge in merges:
        for part in (merge.left, merge.right):
            if _UNSAYABLE.search(part):
                raise TokenizerFileError(
                    _("a line of merges cannot say merge {number}: {part} holds a space, tab or newline").format(
                        number=merge.rank + 1, part=quoted(part)
                    )
                )
        if merge.left.startswith(HEADER):
            raise TokenizerFileError(
                _("a line of merges cannot say merge {number}: it would look like a header").format(
                    number=merge.rank + 1
                )
            )
    lines = [header, *(f"{merge.left} {merge.right}" for merge in merges)]
    try:
        return ("\n".join(lines) + "\n").encode()
    except UnicodeEncodeError:
        raise TokenizerFileError(_("UTF-8 cannot say the lone surrogate in a merge")) from None
