"""What a tokenizer.json does to a text before and after the merges, as the dialect of an encoder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bpe_tui.core.corpus.pretokenize import PlacedSpan, Span
from bpe_tui.core.encoding.decoder import Decoder
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.encoding.splitter import PreTokenSplitter
from bpe_tui.core.encoding.token_table import TokenTable
from bpe_tui.formats.huggingface.added_tokens import AddedToken, Matcher
from bpe_tui.formats.huggingface.aligned_text import AlignedText
from bpe_tui.formats.huggingface.decoders import ChainDecoder
from bpe_tui.formats.huggingface.foreign import ForeignNormalizer
from bpe_tui.formats.huggingface.schema import fields_of
from bpe_tui.formats.huggingface.steps import MetaspaceStep, NamedStep, PreTokenizerStep, steps_of


@dataclass(frozen=True)
class FileDialect(Dialect):
    """The components of a file, as its JSON has them."""

    normalizer: Any = None
    pre_tokenizer: Any = None
    post_processor: Any = None
    decoder_component: Any = None
    added: tuple[AddedToken, ...] = ()
    unk_token: str | None = None
    """The unknown token that the file names. If its vocabulary lacks it, an unknown symbol is an error."""
    byte_level: bool = False
    """The last pre-tokenizer writes bytes as characters, which the alphabet does here."""

    @cached_property
    def own_splitter(self) -> FileSplitter:
        """What splits a text. Raises TokenizerFileError, naming the component, for one that cannot be run."""
        return FileSplitter(self)

    def splitter(self, table: TokenTable) -> PreTokenSplitter:
        """See `Dialect`."""
        return self.own_splitter

    def decoder(self, table: TokenTable) -> Decoder:
        """See `Dialect`."""
        return ChainDecoder(table, self.decoder_component, self.own_splitter.normalized_texts)


class FileSplitter:
    """Cuts at added tokens, normalizes, cuts at the added tokens that are looked for then, and runs the steps."""

    def __init__(self, dialect: FileDialect) -> None:
        """Raises TokenizerFileError, naming the component, for one that cannot be run."""
        self._normalizer = ForeignNormalizer(dialect.normalizer) if dialect.normalizer is not None else None
        self._steps = steps_of(flat(dialect.pre_tokenizer), bytes_follow=dialect.byte_level)
        normalize = self._normalizer.text if self._normalizer is not None else None
        self._matcher = Matcher([token for token in dialect.added if not token.normalized])
        later = [token for token in dialect.added if token.normalized]
        self._later_matcher = Matcher(later, normalize)
        self.normalized_texts = {token.id: normalize(token.content) for token in later} if normalize else {}
        """The texts of the tokens that are looked for after the normalizer, by id, as it leaves them."""
        at_starts = [isinstance(step, MetaspaceStep) and step.scheme == "first" for step in self._steps]
        self._needs_places = any(at_starts[1:]) or (any(at_starts) and self._normalizer is not None)

    def spans(self, text: str, allow_special: bool = False) -> list[Span]:
        """See `PreTokenSplitter`."""
        spans: list[Span] = []
        for piece, token in self._pieces(text, allow_special):
            if token is not None:
                places = piece.all_places()
                span = (piece.text, places[0][0], places[-1][1])
                spans.append(PlacedSpan(*span, token=token, places=places))
            elif piece.places is None and len(self._steps) == 1 and isinstance(self._steps[0], NamedStep):
                spans += self._steps[0].spans(piece.text, piece.start)
            else:
                spans += map(_span, through(self._steps, [piece]))
        return spans

    def words(self, text: str, allow_special: bool = False) -> Iterator[list[str] | int]:
        """See `PreTokenSplitter`."""
        if self._needs_places:
            for span in self.spans(text, allow_special):
                token = span.token if isinstance(span, PlacedSpan) else None
                yield [span[0]] if token is None else token
            return
        for begin, end, token in self._matcher.parts(text, allow_special):
            if token is not None:
                yield token
                continue
            piece = text[begin:end]
            if self._normalizer is not None:
                piece = self._normalizer.text(piece)
            for first, last, later in self._later_matcher.parts(piece, allow_special):
                if later is not None:
                    yield later
                elif first < last:
                    yield self._words(piece[first:last], begin + first == 0)

    def _words(self, text: str, at_start: bool) -> list[str]:
        words = [text]
        for step in self._steps:
            if len(words) == 1:
                words = step.words(words[0], at_start)
            else:
                words = [part for word in words for part in step.words(word, at_start)]
        return words

    def _pieces(self, text: str, allow_special: bool) -> Iterator[tuple[AlignedText, int | None]]:
        """The text between added tokens, normalized, and the added tokens with their ids."""
        whole = AlignedText(text, 0)
        for begin, end, token in self._matcher.parts(text, allow_special):
            if begin == end:
                continue
            piece = whole.slice(begin, end)
            if token is not None:
                yield piece, token
                continue
            if self._normalizer is not None:
                normalized = self._normalizer.aligned(piece)
                if normalized is None:
                    continue
                piece = normalized
            for first, last, later in self._later_matcher.parts(piece.text, allow_special):
                if first < last:
                    yield piece.slice(first, last), later


def through(steps: Sequence[PreTokenizerStep], pieces: Sequence[AlignedText]) -> Sequence[AlignedText]:
    """The pieces that the steps, one after the other, leave of these."""
    for step in steps:
        pieces = [part for piece in pieces for part in step.split(piece)]
    return pieces


def flat(component: Any) -> list[Any]:
    """A pre-tokenizer as its parts: those of a Sequence, else itself. Raises TokenizerFileError if it is malformed."""
    if component is None:
        return []
    fields = fields_of(component, "pre-tokenizer")
    if fields["type"] != "Sequence":
        return [component]
    return [part for member in fields["pretokenizers"] for part in flat(member)]


def _span(piece: AlignedText) -> Span:
    if piece.places is None:
        return piece.text, piece.start, piece.start + len(piece.text)
    start, end = piece.places[0][0], max(end for _, end in piece.places)
    return PlacedSpan(piece.text, start, end, places=piece.places, token=None)
