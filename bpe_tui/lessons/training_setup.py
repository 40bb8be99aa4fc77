"""Which corpus a lesson trains on, and how: the words for it, and the trainer that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _
from bpe_tui.lessons.faults import LessonSyntaxError

if TYPE_CHECKING:
    from bpe_tui.core.corpus.bundled import Bundled
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.options import Options

NUMBERS: Final = ("min-frequency", "vocab-size", "merges")
OPTIONS: Final = (
    "preset",
    "documents",
    "pre-tokenizer",
    "pattern",
    "alphabet",
    "end-of-word",
    "end-of-word-style",
    "ties",
    "special",
    "specials-in-corpus",
    "unk",
    *NUMBERS,
)
"""The training options of the command line, in the same words."""


@dataclass(frozen=True, slots=True)
class OwnCorpus:
    """A corpus that stands in the lesson file itself."""

    name: str
    text: str
    is_words: bool
    """A table of words and counts, not a text."""
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Opening:
    """A corpus by its name, and the options to train on it; two that are equal stand for the same training."""

    corpus: str
    settings: tuple[tuple[str, str], ...]
    """Options as they are written: `("ties", "lowest-id")`; `special` may be there several times."""
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the names of corpora are looked up."""

    own: Mapping[str, OwnCorpus]
    folder: Path | None
    """That of the lesson file; None if it is in no file."""

    def check(self) -> None:
        """The tables of the lesson can be read. Raises `LessonSyntaxError`."""
        from bpe_tui.core.corpus.sources import Source
        from bpe_tui.core.corpus.word_tables import read_tables

        for own in self.own.values():
            if own.is_words:
                try:
                    read_tables([Source(own.name, text=own.text)])
                except BpeError as error:
                    raise LessonSyntaxError(own.line, str(error)) from error

    def find(self, opening: Opening) -> tuple[Corpus, Options]:
        """The corpus (the lesson's own, a bundled one, or a file beside it), and the options.

        Raises `LessonSyntaxError`.
        """
        try:
            corpus = self._corpus(opening.corpus)
            return corpus, _options(corpus, opening)
        except BpeError as error:
            raise LessonSyntaxError(opening.line, str(error)) from error

    def _corpus(self, name: str) -> Corpus:
        from bpe_tui.core.corpus.sources import Corpus, Source, bundled_corpus, find_corpus, text_corpus
        from bpe_tui.core.errors import CorpusError

        own = self.own.get(name)
        if own is not None:
            if own.is_words:
                return Corpus(name, "toy", (Source(name, text=own.text),), is_word_counts=True)
            return text_corpus(own.text, name)
        bundled = _bundled().get(name)
        if bundled is not None:
            return bundled_corpus(bundled)
        if self.folder is None or not (self.folder / name).is_file():
            told = _("there is no corpus {name!r}: no block of this lesson, no bundled one, no file beside it")
            raise CorpusError(told.format(name=name))
        return replace(find_corpus([str(self.folder / name)]), name=name)


@cache
def _bundled() -> dict[str, Bundled]:
    """The bundled corpora by name."""
    from bpe_tui.core.corpus.bundled import bundled_corpora

    return {corpus.name: corpus for corpus in bundled_corpora()}


def _options(corpus: Corpus, opening: Opening) -> Options:
    from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
    from bpe_tui.core.corpus.sources import options_for

    given: dict[str, Any] = {}
    for name, value in opening.settings:
        if name == "special":
            given["specials"] = (*given.get("specials", ()), value)
        else:
            given[name.replace("-", "_")] = int(value) if name in NUMBERS else value
    preset = given.pop("preset", None)
    options = options_for(corpus, preset, **given)
    make_pre_tokenizer(options)
    return options


def checked_settings(settings: Iterable[tuple[str, str]], line: int) -> tuple[tuple[str, str], ...]:
    """Settings with right names and numbers; values are checked with the corpus. Raises `LessonSyntaxError`."""
    found: list[tuple[str, str]] = []
    for name, value in settings:
        if name not in OPTIONS:
            told = _("there is no option {name!r}; options are {names}")
            raise LessonSyntaxError(line, told.format(name=name, names=", ".join(OPTIONS)))
        if name in NUMBERS and not re.fullmatch(r"[0-9]{1,9}", value):
            raise LessonSyntaxError(line, _("{name} is a whole number, not {value!r}").format(name=name, value=value))
        if name != "special" and any(name == other for other, _ in found):
            raise LessonSyntaxError(line, _("{name} is given twice").format(name=name))
        found.append((name, value))
    return tuple(found)
