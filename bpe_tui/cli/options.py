"""Options and arguments that several commands share, each declared once.

A command lists the ones it takes among its parameters (`merges: Merges = None`), and gathers those of training with
`training_choices(context)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bpe_tui.cli.text import as_file_name, as_text
from bpe_tui.core import options as presets
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.options import Options


# -- kinds of options -------------------------------------------------------------------------------------------------


def names_of(choices: Iterable[str]) -> Callable[[str], list[str]]:
    """Shell completion among `choices`."""
    offered = tuple(choices)
    return lambda incomplete: [choice for choice in offered if choice.startswith(incomplete)]


def complete_corpus(incomplete: str) -> list[str]:
    """Shell completion for a corpus: the bundled names; file names are the shell's own business."""
    from bpe_tui.core.corpus.sources import bundled_corpora

    return [corpus.name for corpus in bundled_corpora() if corpus.name.startswith(incomplete)]


def choice_option(flag: str, what: str, choices: Iterable[str]) -> Any:
    """An option with one of `choices` as its value, which `what` shows as `{names}`, or else at its end."""
    offered = tuple(choices)
    names = ", ".join(offered)
    listed = what.format(names=names) if "{names}" in what else _("{what}: {names}.").format(what=what, names=names)
    return typer.Option(flag, metavar="NAME", help=listed, autocompletion=names_of(offered))


def text_option(*flags: str, what: str, metavar: str = "TEXT") -> Any:
    """An option with any text as its value."""
    return typer.Option(*flags, metavar=metavar, help=what, parser=as_text)


def name_option(*flags: str, what: str, metavar: str = "NAME") -> Any:
    """An option with a name as its value: of a file to write, of a format, of a computer."""
    return typer.Option(*flags, metavar=metavar, help=what)


def file_option(*flags: str, what: str, metavar: str = "FILE") -> Any:
    """An option with a file to read as its value."""
    return typer.Option(*flags, metavar=metavar, help=what, parser=as_file_name)


def number_option(
    flag: str,
    what: str,
    *,
    metavar: str = "N",
    kind: type[int] | type[float] = int,
    least: float | None = None,
    most: float | None = None,
) -> Any:
    """An option with a number as its value, which the help shows with its bounds."""
    bounds = "" if least is None else f"x>={least}" if most is None else f"{least}<=x<={most}"

    def parse(value: str) -> float:
        try:
            parsed = kind(value)
        except ValueError:
            reason = _("{value} is not a valid integer") if kind is int else _("{value} is not a valid number")
            raise typer.BadParameter(reason.format(value=repr(value))) from None
        if (least is not None and parsed < least) or (most is not None and parsed > most):
            raise typer.BadParameter(_("{value} is not in the range {range}").format(value=parsed, range=bounds))
        return parsed

    return typer.Option(flag, metavar=metavar, help=f"{what}  [{bounds}]" if bounds else what, parser=parse)


# -- what a command works on ------------------------------------------------------------------------------------------

_corpora: Any = typer.Argument(
    metavar="CORPUS",
    help=_("A bundled corpus by name, text files, folders, a word-count table (.tsv, .json), or - for stdin."),
    parser=as_file_name,
    autocompletion=complete_corpus,
    show_default=False,
)
Corpora = Annotated[list[str], _corpora]
"""The corpora of a command that needs at least one."""
AnyCorpora = Annotated[list[str] | None, _corpora]

TokenizerFile = Annotated[
    str,
    file_option(
        "--tokenizer",
        "-t",
        metavar="FILE",
        what=_("The tokenizer file to use; for files that do not say how a text is cut, --pre-tokenizer says it."),
    ),
]
ReadFormat = Annotated[
    str | None, name_option("--from", metavar="NAME", what=_("Format of the tokenizer, if it does not show."))
]
FromFormatOrTokenizer = Annotated[
    str | None,
    name_option(
        "--from",
        metavar="TOKENIZER",
        what=_(
            "Put the corpus under this tokenizer: its merges first, then new ones. For a tokenizer that is opened "
            "itself: the name of its format, if it does not show."
        ),
    ),
]
FromTokenizer = Annotated[
    str | None,
    file_option(
        "--from",
        metavar="TOKENIZER",
        what=_(
            "Go on from this tokenizer: its merges first, then new ones; all its tokens keep their ids, and --merges "
            "counts the new merges."
        ),
    ),
]
Theme = Annotated[str | None, name_option("--theme", metavar="NAME", what=_("Colours of the app."))]
Record = Annotated[
    str | None,
    name_option(
        "--record",
        metavar="FILE.cast|FOLDER",
        what=_(
            "Let it play by itself, and write that: an asciinema recording, or a folder of SVG pictures, one per pause."
        ),
    ),
]
RecordingSize = Annotated[
    str | None, name_option("--size", metavar="WxH", what=_("With --record: columns x rows; 100x30 if not given."))
]
Plain = Annotated[
    bool,
    typer.Option(
        "--plain", help=_("No screen: sentences and typed lines, for screen readers, any terminal, and pipes.")
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help=_("Print one JSON value instead."))]


# -- how to train -----------------------------------------------------------------------------------------------------

Preset = Annotated[
    str | None, choice_option("--preset", _("A tool's dialect; other options override parts of it"), presets.PRESETS)
]
Documents = Annotated[str | None, choice_option("--documents", _("What a document is"), presets.DOCUMENTS)]
PreTokenizer = Annotated[
    str | None, choice_option("--pre-tokenizer", _("How documents are cut into words"), presets.PRE_TOKENIZERS)
]
Pattern = Annotated[
    str | None,
    text_option(
        "--pattern", metavar="REGEX", what=_("Cut documents by a regular expression: what it finds are the words.")
    ),
]
Alphabet = Annotated[str | None, choice_option("--alphabet", _("What a symbol is"), presets.ALPHABETS)]
EndOfWord = Annotated[str | None, text_option("--end-of-word", what=_("Text that marks the end of a word, as </w>."))]
EndOfWordStyle = Annotated[
    str | None,
    choice_option("--end-of-word-style", _("Part of the last symbol, or one of its own"), presets.END_OF_WORD_STYLES),
]
Ties = Annotated[str | None, choice_option("--ties", _("Who wins when pairs are equally frequent"), presets.TIE_RULES)]
Specials = Annotated[
    list[str] | None, text_option("--special", what=_("A special token, instead of the preset's; may be repeated."))
]
Protected = Annotated[
    list[str] | None,
    text_option(
        "--protect", what=_("A text that is one token and never split, wherever it is found; may be repeated.")
    ),
]
SeedTokens = Annotated[
    list[str] | None,
    text_option(
        "--seed-token", what=_("A text that is a token from the start, made by merges of its own; may be repeated.")
    ),
]
SpecialsInCorpus = Annotated[
    str | None, choice_option("--specials-in-corpus", _("Special tokens in the corpus are"), presets.SPECIALS_IN_CORPUS)
]
Unk = Annotated[str | None, text_option("--unk", what=_("How an unknown symbol is shown."))]
MinFrequency = Annotated[
    int | None, number_option("--min-frequency", _("Stop when no pair occurs this many times any more."))
]
MaxTokenLength = Annotated[
    int | None,
    number_option(
        "--max-token-length", _("Make only tokens of fewer symbols than this, or of two, as tokenizers does.")
    ),
]
LimitAlphabet = Annotated[
    int | None,
    number_option("--limit-alphabet", _("Take only this many characters, the most frequent ones; cut out all others.")),
]
InitialAlphabet = Annotated[
    str | None,
    text_option("--initial-alphabet", what=_("Characters that are in the vocabulary whether they occur or not.")),
]
VocabSize = Annotated[
    int | None, number_option("--vocab-size", _("Stop at this many tokens, special tokens and alphabet included."))
]
Merges = Annotated[int | None, number_option("--merges", _("Stop after this many merges."))]
IsWordCounts = Annotated[
    bool, typer.Option("--word-counts", help=_("The input is a table of words and how often each occurs."))
]
Encoding = Annotated[
    str | None,
    name_option("--encoding", metavar="NAME", what=_("How the bytes of the corpus spell text, if not as UTF-8.")),
]
MaxMemory = Annotated[
    str | None,
    name_option(
        "--max-memory", metavar="SIZE", what=_("Hold no more memory than this, as 2GB; by default what is free.")
    ),
]


@dataclass(frozen=True, slots=True)
class TrainingChoices:
    """What the training options of a command line say; None, or no specials, where the user said nothing."""

    preset: str | None = None
    documents: str | None = None
    pre_tokenizer: str | None = None
    pattern: str | None = None
    alphabet: str | None = None
    end_of_word: str | None = None
    end_of_word_style: str | None = None
    ties: str | None = None
    specials: tuple[str, ...] = ()
    specials_in_corpus: str | None = None
    protected: tuple[str, ...] = ()
    seed_tokens: tuple[str, ...] = ()
    unk: str | None = None
    min_frequency: int | None = None
    max_token_length: int | None = None
    limit_alphabet: int | None = None
    initial_alphabet: str | None = None
    vocab_size: int | None = None
    merges: int | None = None
    word_counts: bool = False
    encoding: str | None = None
    max_memory: str | None = None

    def overrides(self) -> dict[str, Any]:
        """The options that were given, beside the preset, by the names that `Options` has for them."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        del given["preset"], given["word_counts"], given["encoding"], given["max_memory"]
        return {name: value for name, value in given.items() if value is not None and value != ()}

    def reading(self) -> dict[str, Any]:
        """All that was given, the preset as well: for a file that does not say everything itself."""
        return self.overrides() if self.preset is None else {**self.overrides(), "preset": self.preset}


def training_choices(context: typer.Context) -> TrainingChoices:
    """Gather the training options that a command takes; --max-memory applies until the command ends."""
    given = {
        field.name: context.params[field.name] for field in fields(TrainingChoices) if field.name in context.params
    }
    choices = TrainingChoices(**given)
    if choices.max_memory is not None:
        from bpe_tui.core.corpus.memory import limit_memory, parse_size

        limit_memory(parse_size(choices.max_memory))
        context.call_on_close(partial(limit_memory, None))
    return choices


def find(names: Sequence[str], training: TrainingChoices) -> tuple[Corpus, Options]:
    """The corpus that `names` stand for, and the options for it; raises BpeError if either is not available."""
    corpus = corpus_of(names, training)
    return corpus, options_of(corpus, training)


def corpus_of(names: Sequence[str], training: TrainingChoices) -> Corpus:
    """The corpus that `names` stand for; raises BpeError if there is none, or if one of them is a tokenizer."""
    from bpe_tui.core.corpus.sources import find_corpus
    from bpe_tui.formats.unsupported import may_be_tokenizer

    for name in names if not training.word_counts else ():
        if may_be_tokenizer(name):
            from bpe_tui.formats.registry import refuse_as_corpus

            refuse_as_corpus(name)
    return find_corpus(names, word_counts=training.word_counts, encoding=training.encoding)


def options_of(corpus: Corpus, training: TrainingChoices) -> Options:
    """The options for `corpus`, checked down to the pattern; raises OptionError."""
    from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
    from bpe_tui.core.corpus.sources import options_for

    options = options_for(corpus, training.preset, **training.overrides())
    make_pre_tokenizer(options)
    return options
