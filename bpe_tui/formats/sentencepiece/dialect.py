"""How SentencePiece cuts a text and puts pieces together, as the dialect of an encoder.

SentencePiece merges in the whole text. A merge never goes from one character to the next where no piece has the two
side by side, so that the text may be cut there: it is, before each `▁` behind something else (behind it, if spaces are
suffixes), which makes words that repeat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from bpe_tui.core.corpus.pretokenize import METASPACE, PlacedSpan, Span
from bpe_tui.core.encoding.decoder import Decoder
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.encoding.splitter import PreTokenSplitter
from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.encoding.token_table import TokenTable
from bpe_tui.formats.sentencepiece.normalizer import Normalizer, matcher

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_REPLACEMENT: Final = "\ufffd"


@dataclass(frozen=True)
class SentencePieceDialect(Dialect):
    """The settings of a model."""

    normalizer: Normalizer = field(default_factory=Normalizer)
    byte_fallback: bool = False
    """Unknown characters become pieces of their bytes."""
    unk_surface: str = " \u2047 "
    """What the unknown piece is decoded to."""
    cuts_words: bool = True
    """A text is cut at its marks. It can't be if the mark itself is unknown: of unknown characters a run is one."""
    joined: str = ""
    """Characters that a piece has right before a mark (behind it, if spaces are suffixes): there is no cut there."""

    def splitter(self, table: TokenTable) -> PreTokenSplitter:
        """See `Dialect`."""
        return SentencePieceSplitter(self, table.specials, table.timeline.ids)

    def splitter_for(self, ids: Mapping[str, int]) -> SentencePieceSplitter:
        """What cuts a corpus, in which control symbols are text; `ids` are those of the pieces."""
        return SentencePieceSplitter(self, {}, ids)

    def decoder(self, table: TokenTable) -> Decoder:
        """See `Dialect`."""
        return SentencePieceDecoder(self, table)

    @cached_property
    def words(self) -> re.Pattern[str]:
        """What matches the words of a text that is normalized, one after the other."""
        if not self.cuts_words:
            return re.compile(".+", re.DOTALL)
        mark, joined = re.escape(self.normalizer.mark), re.escape(self.joined)
        if self.normalizer.treat_whitespace_as_suffix:
            along = f"|[{joined}]" if joined else ""
            return re.compile(f"(?s:.)(?:(?<!{mark})[^{mark}]|{mark}{along})*")
        return re.compile(f"(?s:.)(?:[^{mark}]|(?<=[{mark}{joined}]){mark})*")


class SentencePieceSplitter:
    """Normalizes a text, and cuts it at user-defined symbols and marks.

    If special tokens are allowed, control symbols are found first, and the text between them is treated as if each part
    were given to SentencePiece by itself, which has no way to find them.
    """

    def __init__(self, dialect: SentencePieceDialect, controls: Mapping[str, int], ids: Mapping[str, int]) -> None:
        self._normalizer = dialect.normalizer
        self._words = dialect.words
        self._controls = matcher(controls)
        self._symbols = matcher(dialect.normalizer.user_symbols)
        self._ids = ids

    def spans(self, text: str, allow_special: bool = False) -> list[Span]:
        """See `PreTokenSplitter`."""
        spans: list[Span] = []
        for begin, end, control in self._parts(text, allow_special):
            if control is not None:
                spans.append(PlacedSpan(text[begin:end], begin, end, token=control))
                continue
            made, within = self._normalizer.aligned(_valid(text[begin:end]))
            places = [(begin + first, begin + last) for first, last in within]
            for first, last, symbol in self._pieces(made):
                if symbol is not None:
                    span = (made[first:last], places[first][0], places[last - 1][1])
                    spans.append(PlacedSpan(*span, places=places[first:last], token=symbol))
                    continue
                for match in self._words.finditer(made, first, last):
                    one, other = match.span()
                    span = (match.group(), places[one][0], places[other - 1][1])
                    spans.append(PlacedSpan(*span, places=places[one:other], token=None))
        return spans

    def words(self, text: str, allow_special: bool = False) -> Iterator[list[str] | int]:
        """See `PreTokenSplitter`."""
        for begin, end, control in self._parts(text, allow_special):
            if control is not None:
                yield control
                continue
            made = self._normalizer.text(_valid(text[begin:end]))
            for first, last, symbol in self._pieces(made):
                yield self._words.findall(made, first, last) if symbol is None else symbol

    def words_of(self, texts: Iterable[str], allow_special: bool = False) -> Iterator[list[str] | int]:
        """See `CorpusSplitter`."""
        for text in texts:
            yield from self.words(text, allow_special)

    def _parts(self, text: str, allow_special: bool) -> Iterator[tuple[int, int, int | None]]:
        """The control symbols that are looked for, with their ids, and the text between them."""
        yield from self._cut(text, self._controls if allow_special else None)

    def _pieces(self, text: str) -> Iterator[tuple[int, int, int | None]]:
        """The user-defined symbols of a normalized text, with their ids, and the text between them."""
        yield from self._cut(text, self._symbols)

    def _cut(self, text: str, matcher: re.Pattern[str] | None) -> Iterator[tuple[int, int, int | None]]:
        begin = 0
        for match in matcher.finditer(text) if matcher is not None else ():
            if begin < match.start():
                yield begin, match.start(), None
            yield *match.span(), self._ids[match.group()]
            begin = match.end()
        if begin < len(text):
            yield begin, len(text), None


def _valid(text: str) -> str:
    """The text that UTF-8 can represent: lone surrogates are U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub(_REPLACEMENT, text)


class SentencePieceDecoder:
    """Decodes pieces: control symbols are nothing, marks are spaces, and the first one is dropped if it was added."""

    def __init__(self, dialect: SentencePieceDialect, table: TokenTable) -> None:
        self._table = table
        self._unk_surface = dialect.unk_surface
        self._controls = set(table.specials.values())
        self._bytes: dict[int, int] = {}
        if dialect.byte_fallback:
            self._bytes = {table.timeline.ids[text]: byte for text, byte in BYTE_TOKENS.items()}
        normalizer = dialect.normalizer
        self._drops_first = normalizer.add_dummy_prefix or normalizer.remove_extra_whitespaces
        self._drops_all = normalizer.remove_extra_whitespaces

    def decode(self, ids: Iterable[int]) -> bytes:
        """See `bpe_tui.core.encoding.decoder.Decoder`."""
        return self._put_together(ids).encode("utf-8", "surrogateescape")

    def text(self, ids: Iterable[int]) -> str:
        """See `bpe_tui.core.encoding.decoder.Decoder`; each byte that makes no character becomes U+FFFD."""
        return _SURROGATE.sub(_REPLACEMENT, self._put_together(ids))

    def _put_together(self, ids: Iterable[int]) -> str:
        """The text, bytes that make no character as surrogate escapes."""
        made: list[str] = []
        waiting = bytearray()
        at_start = self._drops_first
        for token in ids:
            text = self._table.text_of(token)
            if token in self._bytes:
                waiting.append(self._bytes[token])
                continue
            if waiting:
                made.append(waiting.decode("utf-8", "surrogateescape"))
                waiting.clear()
            if made:
                at_start = False
            if token in self._controls:
                continue
            if token == self._table.unknown_id:
                part = self._unk_surface
            else:
                dropped = at_start and text.startswith(METASPACE)
                if dropped:
                    text = text[1:]
                    at_start = self._drops_all
                part = text.replace(METASPACE, " ")
            if part:
                made.append(part)
        return "".join(made) + waiting.decode("utf-8", "surrogateescape")
