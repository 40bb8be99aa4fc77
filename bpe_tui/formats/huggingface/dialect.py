"""What a tokenizer.json does to a text before and after the merges, as the dialect of an encoder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Final

from bpe_tui.core.corpus.pretokenize import PlacedSpan, Span
from bpe_tui.core.encoding.decoder import Decoder
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.encoding.splitter import PreTokenSplitter
from bpe_tui.core.encoding.token_table import TokenTable
from bpe_tui.formats.huggingface.added_tokens import AddedToken, Matcher
from bpe_tui.formats.huggingface.aligned_text import AlignedText
from bpe_tui.formats.huggingface.decoders import ChainDecoder
from bpe_tui.formats.huggingface.foreign import BATCH, ForeignNormalizer, ForeignPreTokenizer
from bpe_tui.formats.huggingface.schema import fields_of
from bpe_tui.formats.huggingface.steps import MetaspaceStep, NamedStep, Step, steps_of

_END: Final = itemgetter(1)


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
        self._matcher = Matcher([token for token in dialect.added if not token.normalized])
        later = [token for token in dialect.added if token.normalized]
        self.normalized_texts: dict[int, str] = {}
        """The texts of the tokens that are looked for after the normalizer, by id, as it leaves them."""
        if self._normalizer is not None:
            texts = self._normalizer.texts([token.content for token in later])
            self.normalized_texts = {token.id: text for token, text in zip(later, texts, strict=True)}
        self._later_matcher = Matcher(later, self.normalized_texts)
        only = self._steps[0] if len(self._steps) == 1 else None
        self._named = only if isinstance(only, NamedStep) else None
        at_starts = [isinstance(step, MetaspaceStep) and step.scheme == "first" for step in self._steps]
        self._needs_places = any(at_starts[1:]) or (any(at_starts) and self._normalizer is not None)

    def spans(self, text: str, allow_special: bool = False) -> list[Span]:
        """See `PreTokenSplitter`."""
        spans: list[Span] = []
        waiting: list[AlignedText] = []
        for piece, token in self._pieces(text, allow_special):
            if token is None and not (piece.places is None and self._named is not None):
                waiting.append(piece)
                continue
            spans += map(_span, through(self._steps, waiting))
            waiting = []
            if token is not None:
                places = piece.all_places()
                span = (piece.text, places[0][0], places[-1][1])
                spans.append(PlacedSpan(*span, token=token, places=places))
            elif self._named is not None:
                spans += self._named.spans(piece.text, piece.start)
        return [*spans, *map(_span, through(self._steps, waiting))]

    def words(self, text: str, allow_special: bool = False) -> Iterator[list[str] | int]:
        """See `PreTokenSplitter`."""
        return self.words_of([text], allow_special)

    def words_of(self, texts: Iterable[str], allow_special: bool = False) -> Iterator[list[str] | int]:
        """The words of several texts, one after the other, as `words` has them; many are normalized together."""
        if self._needs_places:
            for text in texts:
                for span in self.spans(text, allow_special):
                    token = span.token if isinstance(span, PlacedSpan) else None
                    yield [span[0]] if token is None else token
            return
        parts: list[tuple[str, int, int | None]] = []
        size = 0
        for text in texts:
            for begin, end, token in self._matcher.parts(text, allow_special):
                parts.append((text[begin:end], begin, token))
                size += end - begin
            if size >= BATCH:
                yield from self._words_of(parts, allow_special)
                parts, size = [], 0
        yield from self._words_of(parts, allow_special)

    def _words_of(self, parts: Sequence[tuple[str, int, int | None]], allow_special: bool) -> Iterator[list[str] | int]:
        """The words of parts, each with its place in its text, and the added token that it is if it is one."""
        if self._normalizer is not None:
            normalized = iter(self._normalizer.texts([text for text, _, token in parts if token is None]))
            parts = [(next(normalized) if token is None else text, begin, token) for text, begin, token in parts]
        pieces: list[tuple[str, bool] | int] = []
        for text, begin, token in parts:
            if token is not None:
                pieces.append(token)
                continue
            for first, last, later in self._later_matcher.parts(text, allow_special):
                if later is not None:
                    pieces.append(later)
                elif first < last:
                    pieces.append((text[first:last], begin + first == 0))
        runs = iter(self._runs([piece for piece in pieces if not isinstance(piece, int)]))
        for piece in pieces:
            yield piece if isinstance(piece, int) else next(runs)

    def _runs(self, texts: Sequence[tuple[str, bool]]) -> list[list[str]]:
        """The words that the steps leave of each text, given with whether it begins the whole text."""
        runs = [[text] for text, _ in texts]
        length = sum(len(text) for text, _ in texts)
        for step in self._steps:
            if isinstance(step, ForeignPreTokenizer):
                words = step.words([word for run in runs for word in run])
                step.check_growth(sum(sum(map(len, each)) for each in words), length)
                found = iter(words)
                runs = [[part for _ in run for part in next(found)] for run in runs]
            else:
                runs = [
                    step.words(run[0], at_start)
                    if len(run) == 1
                    else [part for word in run for part in step.words(word, at_start)]
                    for run, (_, at_start) in zip(runs, texts, strict=True)
                ]
        return runs

    def _pieces(self, text: str, allow_special: bool) -> Iterator[tuple[AlignedText, int | None]]:
        """The text between added tokens, normalized, and the added tokens with their ids."""
        whole = AlignedText(text, 0)
        parts: list[tuple[AlignedText | None, int | None]] = [
            (whole.slice(begin, end), token)
            for begin, end, token in self._matcher.parts(text, allow_special)
            if begin < end
        ]
        if self._normalizer is not None:
            normalized = iter(
                self._normalizer.aligned([piece for piece, token in parts if piece is not None and token is None])
            )
            parts = [(next(normalized) if token is None else piece, token) for piece, token in parts]
        for piece, token in parts:
            if token is not None and piece is not None:
                yield piece, token
            elif piece is not None:
                for first, last, later in self._later_matcher.parts(piece.text, allow_special):
                    if first < last:
                        yield piece.slice(first, last), later


def through(steps: Sequence[Step], pieces: Sequence[AlignedText]) -> Sequence[AlignedText]:
    """The pieces that the steps, one after the other, leave of these."""
    length = sum(len(piece.text) for piece in pieces)
    for step in steps:
        if isinstance(step, ForeignPreTokenizer):
            pieces = step.split(pieces)
            step.check_growth(sum(len(piece.text) for piece in pieces), length)
        else:
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
    start, end = piece.places[0][0], max(map(_END, piece.places))
    return PlacedSpan(piece.text, start, end, places=piece.places, token=None)
