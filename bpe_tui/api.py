"""For notebooks and scripts: train, step and undo, encode and explain, read and write, in a few names.

    >>> import bpe_tui as bpe
    >>> training = bpe.train("hug", merges=3)
    >>> [step.merge.token for step in training.merges]
    ['ug', 'un', 'hug']
    >>> print(training.encode("thug"))
    [UNK] hug

Names, parameters and fields listed here stay as they are within a major version. All of it is what the commands and the
app use, too. In a notebook tokens are shown in colours and tables as tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, overload

from bpe_tui.core.corpus.counting import count_words, without_protected
from bpe_tui.core.corpus.sources import Corpus, find_corpus, options_for, text_corpus
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.encoding.replay import Dropout, encode_with_dropout
from bpe_tui.core.encoding.replay import trace as trace_text
from bpe_tui.core.errors import BpeError, EncodeError, OptionError
from bpe_tui.core.options import Options
from bpe_tui.core.readable import Notation
from bpe_tui.core.teaching.report import Report
from bpe_tui.core.teaching.why_not import why_not_one_token
from bpe_tui.core.training.rows import PairRow
from bpe_tui.core.training.states import Step
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.continuing import Continuation, read_continuation
from bpe_tui.formats.corpus_words import report_of
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import read_tokenizer as read_model
from bpe_tui.formats.registry import write_tokenizer

__all__ = [
    "BpeError",
    "Encoding",
    "PairRow",
    "Report",
    "Step",
    "Table",
    "Token",
    "Tokenizer",
    "TraceRow",
    "Training",
    "TrainingWord",
    "open_corpus",
    "read_tokenizer",
    "report",
    "train",
]

Row = TypeVar("Row")
_Names = str | Path | Sequence[str | Path]
_COLOURS: Final = ("#d7e8ff", "#ffe3c2", "#d8f3d4", "#f3d9f0", "#fff3b8", "#d3f0f0")
"""Backgrounds of neighbouring tokens; a border tells them apart as well."""
_TOKEN_STYLE: Final = "color:#111;border-radius:3px;padding:0 2px;margin:1px;display:inline-block"


# -- values -----------------------------------------------------------------------------------------------------------


class Table(Sequence[Row], Generic[Row]):
    """Rows, printed as an aligned table, and shown as one in a notebook."""

    def __init__(self, heads: Sequence[str], rows: Sequence[Row], cells: Callable[[Row], Sequence[object]]) -> None:
        """`cells` are what a row shows, one for each of the `heads`."""
        self.heads = tuple(heads)
        self.rows = tuple(rows)
        self._cells = cells

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Table[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Table[Row]:
        return Table(self.heads, self.rows[index], self._cells) if isinstance(index, slice) else self.rows[index]

    def __repr__(self) -> str:
        lines = [self.heads, *(tuple(map(str, self._cells(row))) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{escape(head)}</th>" for head in self.heads)
        lines = (
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in self._cells(row)) + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


@dataclass(frozen=True)
class Encoding(Sequence[Token]):
    """A text in its tokens: a sequence of `Token` (text, id, start, end, unknown), with places in code points."""

    text: str
    tokens: tuple[Token, ...]
    notation: Notation
    """How tokens are shown: `␣the` for `Ġthe`."""

    @property
    def ids(self) -> list[int | None]:
        """The tokens' ids; None for an unknown symbol that has none."""
        return [token.id for token in self.tokens]

    @property
    def texts(self) -> list[str]:
        """The tokens' own texts, as files have them: in the byte-to-character table for byte alphabets."""
        return [token.text for token in self.tokens]

    def __len__(self) -> int:
        return len(self.tokens)

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> Encoding: ...
    def __getitem__(self, index: int | slice) -> Token | Encoding:
        if isinstance(index, slice):
            return Encoding(self.text, self.tokens[index], self.notation)
        return self.tokens[index]

    def __str__(self) -> str:
        return " ".join(self.notation.token(token.text) for token in self.tokens)

    def __repr__(self) -> str:
        return f"<Encoding: {len(self)} tokens: {self}>"

    def _repr_html_(self) -> str:
        return "".join(
            f'<span title="id {token.id}, {token.start}–{token.end}" style="background:{_COLOURS[place % 6]};'
            f'border:1px {"dashed #b00" if token.unknown else "solid #8888"};{_TOKEN_STYLE}">'
            f"{escape(self.notation.token(token.text))}</span>"
            for place, token in enumerate(self.tokens)
        )


@dataclass(frozen=True, slots=True)
class TraceRow:
    """A merge that fires while a text is encoded."""

    rank: int
    """Of the merge, from 0."""
    left: str
    right: str
    token: str
    places: int
    """How often it is made; 0 if dropout left it out everywhere."""
    tokens: tuple[str, ...]
    """All tokens of the text after it."""


@dataclass(frozen=True, slots=True)
class TrainingWord:
    """A word of the corpus, as it is split now."""

    text: str
    count: int
    tokens: tuple[str, ...]


# -- what encodes -----------------------------------------------------------------------------------------------------


class Tokenizer:
    """A tokenizer of any kind that can be read: encodes, decodes, explains, and is written to any format that fits."""

    def __init__(self, model: TokenizerModel) -> None:
        """See `read_tokenizer` and `Training.tokenizer`."""
        self._model = model
        self._encoder = model.encoder()
        self._notation = Notation.of(model.options)

    @property
    def vocabulary(self) -> dict[str, int]:
        """Ids by token."""
        return dict(self._model.vocabulary.ids)

    @property
    def merges(self) -> list[tuple[str, str]]:
        """The pairs that are merged, the first learned first."""
        return [(merge.left, merge.right) for merge in self._model.vocabulary.in_order()]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What of the file could not be taken over."""
        return self._model.warnings

    def encode(
        self,
        text: str,
        *,
        unknown: str | None = None,
        allow_special: bool = False,
        dropout: float = 0.0,
        seed: int = 0,
    ) -> Encoding:
        """The tokens of `text`.

        Args:
            unknown: What becomes of unknown symbols: `token`, `fuse`, `drop`, `bytes` or `error`; the tokenizer's own
                way by default.
            allow_special: Special tokens in the text are themselves instead of plain text.
            dropout: The probability with which each merge is left out (BPE-dropout), with random numbers from `seed`.

        Raises `BpeError`: for an unknown symbol if `unknown` is `error`, or for a value that makes no sense.
        """
        policy = unknown or self._model.unknown
        return _encoding(self._encoder, self._notation, text, policy, allow_special, dropout, seed)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`; bytes that make no character become U+FFFD. Raises `BpeError` for an unknown id."""
        return self._encoder.decode(ids)

    def trace(self, text: str, *, unknown: str | None = None, dropout: float = 0.0, seed: int = 0) -> Table[TraceRow]:
        """The merges that fire in `text`, in order, with the tokens after each; see `encode` for the parameters."""
        return _trace(self._encoder, self._notation, text, unknown or self._model.unknown, dropout, seed)

    def why(self, word: str) -> str:
        """Why `word` is not one token, in sentences."""
        return _why(self._encoder, self._notation, word, self._model.unknown)

    def save(self, path: str | Path, format: str | None = None) -> tuple[str, ...]:  # noqa: A002 - the field's word
        """Write it to a file whose name, or `format`, says the format. Returns notes on what was changed.

        Raises `BpeError` if the format cannot hold this tokenizer; then nothing is written.
        """
        return write_tokenizer(str(path), self._model, format)

    def __repr__(self) -> str:
        return f"<Tokenizer: {len(self._model.vocabulary.ids)} tokens, {len(self._model.vocabulary.merges)} merges>"


def read_tokenizer(path: str | Path, format: str | None = None, **options: Any) -> Tokenizer:  # noqa: A002
    """The tokenizer in a file: tokenizer.json, GPT-2's pair, subword-nmt's codes, tiktoken's ranks, minbpe's model.

    `format` names the format if it does not show; `options` say what the file does not, such as
    `pre_tokenizer="cl100k"`. Raises `BpeError` if it cannot be read.
    """
    return Tokenizer(read_model(str(path), options, format))


def report(
    tokenizer: Tokenizer, corpus: _Names = (), *, text: str | None = None, documents: str | None = None
) -> Report:
    """What is good and bad about a tokenizer, by itself, and for a corpus or a text if one is given.

    Args:
        tokenizer: A tokenizer from a file, or `training.tokenizer`.
        corpus: A bundled corpus by name, files, folders or a word-count table by path.
        text: A text in memory instead.
        documents: What is encoded by itself: `files`, `lines` or `lines-keepends`; by default a file if the tokenizer
            knows newlines and cuts at spaces, else a line.

    Raises `BpeError` for a corpus that cannot be read.
    """
    model = tokenizer._model
    return report_of(model, _found(corpus, text) if corpus or text is not None else None, documents)


# -- what trains ------------------------------------------------------------------------------------------------------


class Training:
    """A training that can be stepped, undone and steered; see `train` and `open_corpus`."""

    def __init__(self, trainer: Trainer, continuation: Continuation | None = None) -> None:
        self._trainer = trainer
        self._continuation = continuation
        self._encoder = Encoder(trainer) if continuation is None else Encoder(trainer, continuation.model.dialect)
        self._notation = Notation.of(trainer.options)

    @property
    def position(self) -> int:
        """How many merges are made now."""
        return self._trainer.position

    @property
    def vocabulary(self) -> dict[str, int]:
        """Ids by token, at this moment."""
        return dict(self._trainer.vocabulary().ids)

    @property
    def size(self) -> int:
        """How many tokens the corpus has now."""
        return self._trainer.total_tokens

    @property
    def options(self) -> Options:
        """All current choices."""
        return self._trainer.options

    @property
    def merges(self) -> Table[Step]:
        """The merges made so far: `Step`s with number, merge, counted, replaced, tied and own_choice."""
        steps = self._trainer.steps[: self.position]
        pair, token = self._notation.pair, self._notation.token
        return Table(
            ("#", "pair", "token", "counted", "replaced", "tied"),
            steps,
            lambda step: (
                step.number,
                pair(step.merge.left, step.merge.right),
                token(step.merge.token),
                step.counted,
                step.replaced,
                step.tied if step.tied > 1 else "-",
            ),
        )

    def pairs(self, limit: int | None = 20) -> Table[PairRow]:
        """The pairs of this moment, the best first: rows with left, right, token, count, change, leads and wins."""
        pair, token = self._notation.pair, self._notation.token
        return Table(
            ("#", "pair", "makes", "count", ""),
            self._trainer.pairs(0, limit),
            lambda row: (row.place, pair(row.left, row.right), token(row.token), row.count, "next" if row.wins else ""),
        )

    def words(self, limit: int | None = 20) -> Table[TrainingWord]:
        """The words of the corpus, in order of appearance, as they are split now."""
        trainer = self._trainer
        count = trainer.word_count if limit is None else min(limit, trainer.word_count)
        rows = [trainer.word(index) for index in range(count)]
        return Table(
            ("count", "tokens"),
            [TrainingWord(row.text, row.count, tuple(trainer.texts[token] for token in row.tokens)) for row in rows],
            lambda word: (word.count, " ".join(map(self._notation.token, word.tokens))),
        )

    def step(self) -> Step | None:
        """One merge forward; None if no pair is left."""
        return self._trainer.step()

    def undo(self) -> Step | None:
        """One merge back; None at the start."""
        return self._trainer.undo()

    def goto(self, merges: int) -> Training:
        """Go to the moment after that many merges, forward or back."""
        self._trainer.goto(merges)
        return self

    def run(self) -> Training:
        """Train to the target."""
        self._trainer.run()
        return self

    def choose(self, left: str, right: str) -> Step:
        """Merge this pair, whatever the rule says. Raises `BpeError` if it does not occur now."""
        ids = [self._trainer.id_of(text) for text in (left, right)]
        for text, token in zip((left, right), ids, strict=True):
            if token is None:
                raise OptionError(f"{text!r} is no token at this moment")
        return self._trainer.choose(*(token for token in ids if token is not None))

    def encode(self, text: str, *, unknown: str = "token", dropout: float = 0.0, seed: int = 0) -> Encoding:
        """The tokens of `text` with the merges made so far; see `Tokenizer.encode`."""
        return _encoding(self._encoder, self._notation, text, unknown, False, dropout, seed)

    def trace(self, text: str, *, unknown: str = "token", dropout: float = 0.0, seed: int = 0) -> Table[TraceRow]:
        """The merges that fire in `text`; see `Tokenizer.trace`."""
        return _trace(self._encoder, self._notation, text, unknown, dropout, seed)

    def why(self, word: str) -> str:
        """Why `word` is not one token, in sentences."""
        return _why(self._encoder, self._notation, word, "token")

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of this moment, which later steps do not change."""
        vocabulary, options, continuation = self._trainer.vocabulary(), self._trainer.options, self._continuation
        if continuation is not None:
            return Tokenizer(continuation.model_with(vocabulary, options))
        return Tokenizer(TokenizerModel(vocabulary, options))

    def save(self, path: str | Path, format: str | None = None) -> tuple[str, ...]:  # noqa: A002
        """Write the tokenizer of this moment; see `Tokenizer.save`."""
        return self.tokenizer.save(path, format)

    def __repr__(self) -> str:
        return f"<Training: {self.position} merges, {self._trainer.vocab_size} tokens, {self._trainer.state}>"


def open_corpus(
    corpus: _Names | Mapping[str, int] = (),
    *,
    text: str | None = None,
    preset: str | None = None,
    under: Tokenizer | str | Path | None = None,
    **options: Any,
) -> Training:
    """A training before its first merge, or after those of a tokenizer.

    Args:
        corpus: A bundled corpus by name, files, folders or a word-count table by path, or words with their counts.
        text: A text in memory instead.
        preset: A tool's dialect (`course`, `huggingface`, `minbpe`, …); the corpus's own by default.
        under: A tokenizer to go on from: its merges first, then new ones; all its tokens keep their ids.
        options: Other choices, as on the command line: `merges=3`, `vocab_size=1000`, `ties="lowest-id"`, …

    Raises `BpeError` for a corpus that cannot be read or an option that makes no sense.
    """
    if under is not None:
        return _continued(corpus, text, preset, under, options)
    if isinstance(corpus, Mapping):
        choices = options_for(text_corpus("", word_counts=True), preset, **options)
        words = without_protected(_table(corpus), choices)
        return Training(Trainer(words, choices))
    found = _found(corpus, text)
    choices = options_for(found, preset, **options)
    return Training(Trainer(count_words(found, choices), choices))


def train(
    corpus: _Names | Mapping[str, int] = (),
    *,
    text: str | None = None,
    preset: str | None = None,
    under: Tokenizer | str | Path | None = None,
    **options: Any,
) -> Training:
    """A training that has reached its target; the parameters are those of `open_corpus`."""
    return open_corpus(corpus, text=text, preset=preset, under=under, **options).run()


# -- shared -----------------------------------------------------------------------------------------------------------


def _table(corpus: Mapping[str, int]) -> WordCounts:
    counts = {word: count for word, count in corpus.items() if word}
    if any(count < 1 for count in counts.values()):
        raise OptionError("the count of a word is a whole number from 1 on")
    return WordCounts(list(counts), list(counts.values()))


def _continued(
    corpus: _Names | Mapping[str, int],
    text: str | None,
    preset: str | None,
    under: Tokenizer | str | Path,
    options: dict[str, Any],
) -> Training:
    """A training after the merges of a tokenizer; see `open_corpus`."""
    if isinstance(under, Tokenizer):
        continuation = Continuation("the tokenizer", under._model)
    else:
        continuation = read_continuation(str(under), options, preset)
    choices = continuation.options(options, preset)
    if isinstance(corpus, Mapping):
        words = _table(corpus)
    else:
        words = continuation.count(_found(corpus, text), choices)
    return Training(continuation.trainer(words, choices), continuation)


def _found(corpus: _Names, text: str | None) -> Corpus:
    names = [str(corpus)] if isinstance(corpus, str | Path) else [str(name) for name in corpus]
    if (text is None) == (not names):
        raise OptionError("give a corpus by name or path, or a text in memory")
    return find_corpus(names) if text is None else text_corpus(text)


def _encoding(
    encoder: Encoder, notation: Notation, text: str, unknown: str, allow_special: bool, dropout: float, seed: int
) -> Encoding:
    if dropout:
        tokens = encode_with_dropout(encoder, text, Dropout(dropout, seed), unknown=unknown)
    else:
        tokens = encoder.encode(text, unknown=unknown, allow_special=allow_special)
    return Encoding(text, tuple(tokens), notation)


def _trace(encoder: Encoder, notation: Notation, text: str, unknown: str, dropout: float, seed: int) -> Table[TraceRow]:
    words, replay = trace_text(encoder, text, unknown=unknown, dropout=Dropout(dropout, seed) if dropout else None)
    rows = []
    for place, fired in enumerate(replay.rows, 1):
        merge, tokens = fired.merge, words.with_distinct(replay.all_tokens(place)).tokens()
        texts = tuple(token.text for token in tokens)
        rows.append(TraceRow(merge.rank, merge.left, merge.right, merge.token, fired.places, texts))
    return Table(
        ("merge", "pair", "tokens"),
        rows,
        lambda row: (row.rank + 1, notation.pair(row.left, row.right), " ".join(map(notation.token, row.tokens))),
    )


def _why(encoder: Encoder, notation: Notation, word: str, unknown: str) -> str:
    spans = encoder.spans(word)
    if not spans:
        raise EncodeError("there is no word to explain")
    return " ".join(
        sentence for span in spans for sentence in why_not_one_token(encoder, word, span, notation, unknown=unknown)
    )
