"""What becomes of a text before it is cut, as SentencePiece's `Normalizer` does it.

User-defined symbols stay as they are, everything else is rewritten by the model's map of characters; then spaces that
are too many are dropped, one is put before or behind the text, and all become `▁`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from bpe_tui.core.corpus.pretokenize import METASPACE
from bpe_tui.formats.sentencepiece.charsmap import Charsmap

Place = tuple[int, int]
"""Start and end in a text, in code points."""
_Part = tuple[str, int, int]
"""A text, and the start and end of what it was made of; if both are equally long, each character of its own."""
_SPACES: Final = re.compile("  +")


@dataclass(frozen=True)
class Normalizer:
    """The settings of a model's `normalizer_spec`, and of its `trainer_spec` where they matter."""

    charsmap: bytes = b""
    """The precompiled map; empty for `identity`."""
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True
    treat_whitespace_as_suffix: bool = False
    """The space that is added comes behind the text."""
    user_symbols: tuple[str, ...] = ()

    @cached_property
    def rules(self) -> Charsmap:
        """The map. Raises TokenizerFileError if it is broken."""
        return Charsmap(self.charsmap)

    @property
    def mark(self) -> str:
        """What a space becomes."""
        return METASPACE if self.escape_whitespaces else " "

    def text(self, text: str) -> str:
        """`text` as it is cut."""
        parts = self._without_extra(text)
        if parts is None:
            return ""
        made, before, after = self._around("".join([part for part, _, _ in parts]))
        return before + made + after

    def aligned(self, text: str) -> tuple[str, list[Place]]:
        """`text` as it is cut, and for each character where it was in `text`."""
        parts = self._without_extra(text)
        if parts is None:
            return "", []
        places: list[Place] = []
        for part, start, end in parts:
            if len(part) == end - start:
                places += zip(range(start, end), range(start + 1, end + 1), strict=True)
            else:
                places += [(start, end)] * len(part)
        made, before, after = self._around("".join([part for part, _, _ in parts]))
        del places[len(made) :]
        first = parts[0][1] if parts else len(text)
        last = places[-1][1] if places else first
        return before + made + after, [(first, first)] * len(before) + places + [(last, last)] * len(after)

    def _around(self, made: str) -> tuple[str, str, str]:
        """A text with marks for spaces, without those at its end that are too many; what is before and behind it."""
        mark = self.mark
        made = made.replace(" ", mark)
        added = mark if self.add_dummy_prefix else ""
        before, after = ("", added) if self.treat_whitespace_as_suffix else (added, "")
        if self.remove_extra_whitespaces:
            made = made.rstrip(mark)
            before = before if made else ""
        return made, before, after

    def _without_extra(self, text: str) -> list[_Part] | None:
        """The parts of a text without spaces at its start, and behind other spaces; None if it is spaces only."""
        parts = self._rewritten(text)
        if not self.remove_extra_whitespaces:
            return [(part, start, end) for part, start, end, _ in parts] or None
        kept: list[_Part] = []
        after_space, is_empty = True, True
        for part, start, end, is_plain in parts:
            is_empty = is_empty and (not part.strip(" ") if is_plain else part == " ")
            if after_space:
                left = part.lstrip(" ")
                start += len(part) - len(left) if is_plain else 0
                part = left
            if not part:
                continue
            after_space = part.endswith(" ")
            if not is_plain or "  " not in part:
                kept.append((part, start, end))
                continue
            begin = 0
            for match in _SPACES.finditer(part):
                kept.append((part[begin : match.start() + 1], start + begin, start + match.start() + 1))
                begin = match.end()
            kept.append((part[begin:], start + begin, end))
        return None if is_empty else kept

    def _rewritten(self, text: str) -> Iterator[tuple[str, int, int, bool]]:
        """The parts of a text, each with its place, and whether it is plain: neither a symbol nor a rule made it."""
        symbols, rules = matcher(self.user_symbols), self.rules
        if not rules:
            begin = 0
            for symbol in symbols.finditer(text) if symbols else ():
                if begin < symbol.start():
                    yield text[begin : symbol.start()], begin, symbol.start(), True
                yield symbol.group(), *symbol.span(), False
                begin = symbol.end()
            if begin < len(text):
                yield text[begin:], begin, len(text), True
            return
        begin = place = 0
        size = len(text)
        while place < size:
            match = symbols.match(text, place) if symbols else None
            found = rules.find(text, place) if match is None else (match.end(), match.group())
            if found is None:
                place += 1
                continue
            if begin < place:
                yield text[begin:place], begin, place, True
            begin = found[0]
            yield found[1], place, begin, False
            place = begin
        if begin < size:
            yield text[begin:], begin, size, True


def matcher(texts: Collection[str]) -> re.Pattern[str] | None:
    """Finds one of `texts`, the longest where several fit; None if there are none."""
    if not texts:
        return None
    return re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True))))
