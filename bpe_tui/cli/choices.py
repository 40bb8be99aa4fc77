"""What the training options of a command line say, each declared once with its help.

The declarations are read when a command line is built from them (`options.py`); until then nothing of Typer is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

from bpe_tui.core import options as presets
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.options import Options


def names_of(choices: Iterable[str]) -> Callable[[str], list[str]]:
    """Shell completion among `choices`."""
    offered = tuple(choices)
    return lambda incomplete: [choice for choice in offered if choice.startswith(incomplete)]


def _one_of(flag: str, what: str, choices: Iterable[str]) -> Any:
    import typer

    offered = tuple(choices)
    return typer.Option(
        flag,
        metavar="NAME",
        help=_("{what}: {names}.").format(what=what, names=", ".join(offered)),
        autocompletion=names_of(offered),
        show_default=False,
    )


def _text(flag: str, what: str, metavar: str = "TEXT") -> Any:
    import typer

    return typer.Option(flag, metavar=metavar, help=what, show_default=False)


def _number(flag: str, what: str) -> Any:
    import typer

    return typer.Option(flag, metavar="N", help=what, show_default=False)


def _switch(flag: str, what: str) -> Any:
    import typer

    return typer.Option(flag, help=what)


@dataclass(frozen=True, slots=True)
class TrainingChoices:
    """What the training options of a command line say; None where the user said nothing."""

    preset: Annotated[
        str | None, _one_of("--preset", _("A tool's dialect; other options override parts of it"), presets.PRESETS)
    ] = None
    documents: Annotated[str | None, _one_of("--documents", _("What a document is"), presets.DOCUMENTS)] = None
    pre_tokenizer: Annotated[
        str | None, _one_of("--pre-tokenizer", _("How documents are cut into words"), presets.PRE_TOKENIZERS)
    ] = None
    pattern: Annotated[
        str | None,
        _text("--pattern", _("Cut documents by a regular expression: what it finds are the words."), "REGEX"),
    ] = None
    alphabet: Annotated[str | None, _one_of("--alphabet", _("What a symbol is"), presets.ALPHABETS)] = None
    end_of_word: Annotated[str | None, _text("--end-of-word", _("Text that marks the end of a word, as </w>."))] = None
    end_of_word_style: Annotated[
        str | None,
        _one_of("--end-of-word-style", _("Part of the last symbol, or one of its own"), presets.END_OF_WORD_STYLES),
    ] = None
    ties: Annotated[str | None, _one_of("--ties", _("Who wins when pairs are equally frequent"), presets.TIE_RULES)] = (
        None
    )
    specials: Annotated[
        list[str] | None, _text("--special", _("A special token, instead of the preset's; may be repeated."))
    ] = None
    specials_in_corpus: Annotated[
        str | None,
        _one_of("--specials-in-corpus", _("Special tokens in the corpus are"), presets.SPECIALS_IN_CORPUS),
    ] = None
    unk: Annotated[str | None, _text("--unk", _("How an unknown symbol is shown."))] = None
    min_frequency: Annotated[
        int | None, _number("--min-frequency", _("Stop when no pair occurs this many times any more."))
    ] = None
    vocab_size: Annotated[
        int | None, _number("--vocab-size", _("Stop at this many tokens, special tokens and alphabet included."))
    ] = None
    merges: Annotated[int | None, _number("--merges", _("Stop after this many merges."))] = None
    word_counts: Annotated[
        bool, _switch("--word-counts", _("The input is a table of words and how often each occurs."))
    ] = False

    encoding: Annotated[
        str | None, _text("--encoding", _("How the bytes of the corpus spell text, if not as UTF-8."), "NAME")
    ] = None

    max_memory: Annotated[
        str | None, _text("--max-memory", _("Hold no more memory than this, as 2GB; by default what is free."), "SIZE")
    ] = None

    def overrides(self) -> dict[str, Any]:
        """The options that were given, beside the preset, by the names that `Options` has for them."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        del given["preset"], given["word_counts"], given["encoding"], given["max_memory"]
        return {name: value for name, value in given.items() if value is not None and value != []}

    def reading(self) -> dict[str, Any]:
        """All that was given, the preset as well: for a file that does not say everything itself."""
        return self.overrides() if self.preset is None else {**self.overrides(), "preset": self.preset}


def find(names: Sequence[str], training: TrainingChoices) -> tuple[Corpus, Options]:
    """The corpus that `names` stand for, and the options for it; raises BpeError if either is not to be had."""
    from bpe_tui.core.corpus.sources import find_corpus

    corpus = find_corpus(names, word_counts=training.word_counts, encoding=training.encoding)
    return corpus, options_of(corpus, training)


def options_of(corpus: Corpus, training: TrainingChoices) -> Options:
    """The options for `corpus`, checked down to the pattern; raises OptionError."""
    from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
    from bpe_tui.core.corpus.sources import options_for

    options = options_for(corpus, training.preset, **training.overrides())
    make_pre_tokenizer(options)
    return options
