"""Continuing the training of a tokenizer on another corpus: its merges first, then new ones.

Every token keeps its id, and new ones get ids after the highest; so a text that no new merge touches is encoded as
before. The corpus is cut by the tokenizer's own pre-tokenizer, in its own alphabet and word ending.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import is_byte_level
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import Corpus
from bpe_tui.core.corpus.types import OnProgress, ShouldStop, WordCounts
from bpe_tui.core.encoding.continuing import Continued
from bpe_tui.core.encoding.splitter import CorpusSplitter
from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _, number
from bpe_tui.core.options import DEFAULT_MERGES, PRESETS, Options, flag_of, make_options
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.core.training.vocabulary import Vocabulary
from bpe_tui.formats.huggingface.dialect import FileDialect
from bpe_tui.formats.huggingface.like import count_with
from bpe_tui.formats.limits import how_cut
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import options_taken, read_tokenizer
from bpe_tui.formats.sentencepiece.dialect import SentencePieceDialect

_ITS_OWN: Final = ("pre_tokenizer", "pattern", "alphabet", "end_of_word", "end_of_word_style", "specials", "unk")
"""Options that are the tokenizer's; given ones have to be the same."""
_OF_A_NEW_ALPHABET: Final = ("limit_alphabet", "initial_alphabet")
_OF_TRAINING: Final = ("preset", "documents", "ties", "specials_in_corpus", "min_frequency")
"""What a preset says beside them."""


@dataclass(frozen=True)
class Continuation:
    """A tokenizer whose training is continued."""

    name: str
    """What the user called it."""
    model: TokenizerModel

    @cached_property
    def fingerprint(self) -> str:
        """What tells it from other tokenizers: its name, and a digest of its tokens and merges."""
        vocabulary = self.model.vocabulary
        found = hashlib.sha256(repr([*vocabulary.ids.items()]).encode("utf-8", "surrogatepass"))
        found.update(repr([merge[3:6] for merge in vocabulary.merges]).encode())
        return f"{self.name} {found.hexdigest()}"

    @cached_property
    def start(self) -> Continued:
        """Where training begins."""
        model = self.model
        return Continued(self.name, model.vocabulary, model.dialect, falls_back=model.unknown == "bytes")

    def options(self, given: Mapping[str, Any], preset: str | None = None) -> Options:
        """The options of the training: the tokenizer's, those of its tool or of `preset`, and those `given`.

        Raises OptionError for one that contradicts the tokenizer.
        """
        own = self.model.options
        for name in _ITS_OWN:
            if name in given and given[name] != getattr(own, name):
                raise OptionError(
                    _("{name} has its own {flag}: {theirs}; leave {flag} {ours} out, or train without --from").format(
                        name=self.name, flag=flag_of(name), theirs=_shown(own, name), ours=_as_typed(given[name])
                    )
                )
        for name in _OF_A_NEW_ALPHABET:
            if name in given:
                raise OptionError(
                    _("{name} has its own alphabet; leave {flag} out, or train without --from").format(
                        name=self.name, flag=flag_of(name)
                    )
                )
        if "protected" in given:
            raise OptionError(
                _("--protect cannot be given with --from: the tokens of {name} are what they are").format(
                    name=self.name
                )
            )
        if preset is not None:
            self._check_preset(preset)  # first, because it may not exist
        training = {name: getattr(PRESETS[preset], name) for name in _OF_TRAINING} if preset is not None else {}
        changes = {name: value for name, value in given.items() if name not in _ITS_OWN}
        if not changes.keys() & {"merges", "vocab_size"}:
            changes["merges"] = DEFAULT_MERGES
        options = own.replace(
            **{**training, **dict.fromkeys(_OF_A_NEW_ALPHABET), "initial_alphabet": "", "seed_tokens": (), **changes}
        )
        size = len(self.model.vocabulary)
        if options.vocab_size is not None and options.vocab_size < size:
            raise OptionError(
                _("--vocab-size {wanted}: {name} has {size} tokens already; ask for more, or give --merges").format(
                    wanted=number(options.vocab_size), name=self.name, size=number(size)
                )
            )
        return options

    def _check_preset(self, preset: str) -> None:
        own, theirs = self.model.options, make_options(preset)
        for name in ("pre_tokenizer", "end_of_word"):
            if getattr(own, name) != getattr(theirs, name):
                break
        else:
            if is_byte_level(own) == is_byte_level(theirs):
                return
            name = "alphabet"
        raise OptionError(
            _(
                "the preset {preset} has {flag} {theirs}, and {name} has {ours}; leave --preset {preset} out, or train "
                "without --from"
            ).format(
                preset=preset, flag=flag_of(name), theirs=_shown(theirs, name), name=self.name, ours=_shown(own, name)
            )
        )

    def count(
        self,
        corpus: Corpus,
        options: Options,
        *,
        should_stop: ShouldStop | None = None,
        progress: OnProgress | None = None,
    ) -> WordCounts:
        """The words of a corpus, cut as the tokenizer cuts a text. Raises BpeError."""
        dialect = self.model.dialect
        splitter: CorpusSplitter | None = None
        if isinstance(dialect, SentencePieceDialect):
            splitter = dialect.splitter_for(self.model.vocabulary.ids)
        elif isinstance(dialect, FileDialect):
            is_plain = dialect.normalizer is None and all(token.is_plain for token in dialect.added)
            splitter = dialect.own_splitter if options.pre_tokenizer == "file" or not is_plain else None
        if splitter is not None and not corpus.is_word_counts:
            return count_with(splitter, corpus, options, should_stop=should_stop, progress=progress)[0]
        return count_words(corpus, options, should_stop=should_stop, progress=progress)

    def trainer(
        self,
        words: WordCounts,
        options: Options,
        *,
        should_stop: ShouldStop | None = None,
        progress: OnProgress | None = None,
    ) -> Trainer:
        """The training after the tokenizer's merges. Raises BpeError."""
        return Trainer(words, options, self.start, should_stop=should_stop, progress=progress)

    def model_with(self, vocabulary: Vocabulary, options: Options) -> TokenizerModel:
        """What was trained, with all else of the tokenizer."""
        return replace(self.model, vocabulary=vocabulary, options=options, warnings=(), notes=())


def read_continuation(path: str, given: Mapping[str, Any], preset: str | None = None) -> Continuation:
    """The tokenizer in a file; of the training options `given`, those that its format needs are used to read it.

    Raises TokenizerFileError.
    """
    taken = options_taken(path)
    reading = {name: value for name, value in given.items() if name in taken}
    if preset is not None and "preset" in taken:
        reading["preset"] = preset
    return Continuation(Path(path).name or path, read_tokenizer(path, reading))


def _shown(options: Options, name: str) -> str:
    if name in ("pre_tokenizer", "pattern"):
        return how_cut(options)
    return _as_typed(getattr(options, name))


def _as_typed(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or _("none")
    return str(value) or _("none")
