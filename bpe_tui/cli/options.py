"""The training options: declared once, the same words in every command that trains.

A command takes them by having a parameter `training: TrainingChoices` and the decorator `with_training`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

import typer

from bpe_tui.core import presets
from bpe_tui.core.language import _

if TYPE_CHECKING:
    from bpe_tui.core.corpus import Corpus
    from bpe_tui.core.presets import Options


def names_of(choices: Iterable[str]) -> Callable[[str], list[str]]:
    """Shell completion among `choices`."""
    offered = tuple(choices)
    return lambda incomplete: [choice for choice in offered if choice.startswith(incomplete)]


def _one_of(flag: str, what: str, choices: Iterable[str]) -> Any:
    offered = tuple(choices)
    return typer.Option(
        flag,
        metavar="NAME",
        help=_("{what}: {names}.").format(what=what, names=", ".join(offered)),
        autocompletion=names_of(offered),
        show_default=False,
    )


def _text(flag: str, what: str, metavar: str = "TEXT") -> Any:
    return typer.Option(flag, metavar=metavar, help=what, show_default=False)


def _number(flag: str, what: str) -> Any:
    return typer.Option(flag, metavar="N", help=what, show_default=False)


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
        bool, typer.Option("--word-counts", help=_("The input is a table of words and how often each occurs."))
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
    from bpe_tui.core.corpus import find_corpus

    corpus = find_corpus(names, word_counts=training.word_counts, encoding=training.encoding)
    return corpus, options_of(corpus, training)


def options_of(corpus: Corpus, training: TrainingChoices) -> Options:
    """The options for `corpus`, checked down to the pattern; raises OptionError."""
    from bpe_tui.core.corpus import options_for
    from bpe_tui.core.pretokenize import make_pre_tokenizer

    options = options_for(corpus, training.preset, **training.overrides())
    make_pre_tokenizer(options)
    return options


def with_training(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give `command` all training options on its command line, gathered into its parameter `training`.

    An option that the command declares itself, under the same name, stays the command's own.
    """
    return _gathering(command, tuple(field.name for field in fields(TrainingChoices)))


def with_counting(command: Callable[..., Any]) -> Callable[..., Any]:
    """Like `with_training`, for a command that counts words and trains nothing: only the options that matter there."""
    return _gathering(command, COUNTING_CHOICES)


COUNTING_CHOICES: Final = (
    "preset",
    "documents",
    "pre_tokenizer",
    "pattern",
    "specials",
    "specials_in_corpus",
    "word_counts",
    "encoding",
    "max_memory",
)
"""The training options that decide what the words of a text are, and how they are read."""


def with_reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Like `with_training`, for a command that reads a tokenizer: only the options that its file may not say."""
    return _gathering(command, READING_CHOICES)


READING_CHOICES: Final = (
    "preset",
    "pre_tokenizer",
    "pattern",
    "alphabet",
    "end_of_word",
    "end_of_word_style",
    "specials",
    "unk",
)
"""The training options that decide how a text is encoded."""


def _gathering(command: Callable[..., Any], names: tuple[str, ...]) -> Callable[..., Any]:
    hints = get_type_hints(command, include_extras=True)
    choices = get_type_hints(TrainingChoices, include_extras=True)
    own = inspect.signature(command).parameters
    offered = [field for field in fields(TrainingChoices) if field.name in names and field.name not in own]
    parameters = []
    for parameter in own.values():
        if parameter.name != "training":
            parameters.append(parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        parameters += [
            inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=choices[field.name]
            )
            for field in offered
        ]

    def gathered(**given: Any) -> Any:
        training = TrainingChoices(**{field.name: given.pop(field.name) for field in offered})
        if training.max_memory is None:
            return command(training=training, **given)
        from bpe_tui.core.memory import allow, parse_size

        allow(parse_size(training.max_memory))
        try:
            return command(training=training, **given)
        finally:
            allow(None)

    gathered.__name__ = command.__name__
    gathered.__doc__ = command.__doc__
    gathered.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    gathered.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # functions have no such slot
    return gathered


def complete_corpus(incomplete: str) -> list[str]:
    """Shell completion for a corpus: the bundled names; file names are the shell's own business."""
    from bpe_tui.core.bundled import bundled_corpora

    return [corpus.name for corpus in bundled_corpora() if corpus.name.startswith(incomplete)]


Corpora = Annotated[
    list[str],
    typer.Argument(
        metavar="CORPUS",
        help=_("A bundled corpus by name, text files, folders, a word-count table (.tsv, .json), or - for stdin."),
        autocompletion=complete_corpus,
        show_default=False,
    ),
]
"""The corpora of a command that needs at least one."""

TokenizerFile = Annotated[
    str,
    typer.Option(
        "--tokenizer",
        "-t",
        metavar="FILE",
        help=_("The tokenizer file to use; for files that do not say how a text is cut, --pre-tokenizer says it."),
        show_default=False,
    ),
]
ReadFormat = Annotated[
    str | None,
    typer.Option("--from", metavar="NAME", help=_("Format of the tokenizer, if it does not show."), show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help=_("Print one JSON value instead."))]
