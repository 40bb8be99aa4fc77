"""What a lesson trains on, and how: a corpus by its name with options, and how both are found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.corpus.sources import (
    BundledCorpus,
    Corpus,
    Source,
    bundled_corpora,
    find_corpus,
    open_bundled,
    options_for,
    text_corpus,
)
from bpe_tui.core.corpus.word_tables import read_tables
from bpe_tui.core.errors import BpeError, CorpusError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options
from bpe_tui.lessons.document import NUMBERS, OPTIONS
from bpe_tui.lessons.syntax import LessonSyntaxError


@dataclass(frozen=True, slots=True)
class EmbeddedCorpus:
    """A corpus in the lesson file itself."""

    name: str
    text: str
    is_words: bool
    """A table of words and counts, not a text."""
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class TrainingSetup:
    """A corpus by its name, and the options to train on it; two that are equal mean the same training."""

    corpus: str
    settings: tuple[tuple[str, str], ...]
    """Options as they are written: `("ties", "lowest-id")`; `special` may be there several times."""
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class CorpusLookup:
    """Where the names of corpora are looked up."""

    embedded: Mapping[str, EmbeddedCorpus]
    folder: Path | None
    """That of the lesson file; None if it is in no file."""

    def check(self) -> None:
        """Can the word tables of the lesson be read? Raises `LessonSyntaxError`."""
        for corpus in self.embedded.values():
            if corpus.is_words:
                try:
                    read_tables([Source(corpus.name, text=corpus.text)])
                except BpeError as error:
                    raise LessonSyntaxError(corpus.line, str(error)) from error

    def find(self, setup: TrainingSetup) -> tuple[Corpus, Options]:
        """The corpus (one in the lesson, a bundled one, or a file beside it), and the options.

        Raises `LessonSyntaxError`.
        """
        try:
            corpus = self._corpus(setup.corpus)
            return corpus, _options(corpus, setup)
        except BpeError as error:
            raise LessonSyntaxError(setup.line, str(error)) from error

    def _corpus(self, name: str) -> Corpus:
        embedded = self.embedded.get(name)
        if embedded is not None:
            if embedded.is_words:
                return Corpus(name, "toy", (Source(name, text=embedded.text),), is_word_counts=True)
            return text_corpus(embedded.text, name)
        bundled = _bundled().get(name)
        if bundled is not None:
            return open_bundled(bundled)
        if self.folder is None or not (self.folder / name).is_file():
            message = _("there is no corpus {name!r}: no block of this lesson, no bundled one, no file beside it")
            raise CorpusError(message.format(name=name))
        return replace(find_corpus([str(self.folder / name)]), name=name)


@cache
def _bundled() -> dict[str, BundledCorpus]:
    """The bundled corpora by name."""
    return {corpus.name: corpus for corpus in bundled_corpora()}


def _options(corpus: Corpus, setup: TrainingSetup) -> Options:
    given: dict[str, Any] = {}
    for name, value in setup.settings:
        if name == "special":
            given["specials"] = (*given.get("specials", ()), value)
        else:
            given[name.replace("-", "_")] = int(value) if name in NUMBERS else value
    preset = given.pop("preset", None)
    options = options_for(corpus, preset, **given)
    make_pre_tokenizer(options)  # raises where the pattern is none
    return options


def checked_settings(settings: Iterable[tuple[str, str]], line: int) -> tuple[tuple[str, str], ...]:
    """Settings with right names and numbers; values are checked with the corpus. Raises `LessonSyntaxError`."""
    found: list[tuple[str, str]] = []
    for name, value in settings:
        if name not in OPTIONS:
            message = _("there is no option {name!r}; options are {names}")
            raise LessonSyntaxError(line, message.format(name=name, names=", ".join(OPTIONS)))
        if name in NUMBERS and not re.fullmatch(r"[0-9]{1,9}", value):
            raise LessonSyntaxError(line, _("{name} is a whole number, not {value!r}").format(name=name, value=value))
        if name != "special" and any(name == other for other, _value in found):
            raise LessonSyntaxError(line, _("{name} is given twice").format(name=name))
        found.append((name, value))
    return tuple(found)
