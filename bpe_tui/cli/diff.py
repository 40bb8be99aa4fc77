"""`bpe-tui diff`: one corpus, two ways to train on it, and where they part."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import AsJson, Corpora, TrainingChoices, names_of, options_of, with_training
from bpe_tui.cli.progress import progress_bar
from bpe_tui.core.i18n import _, plural
from bpe_tui.core.options import PRESETS, TIE_RULES

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import Progress, WordCounts
    from bpe_tui.core.options import Options
    from bpe_tui.core.training.trainer import Trainer

DIFFERENT: Final = 1
"""Exit status of `--exit-code` when the two are not the same."""


@with_training
def diff(
    corpora: Corpora,
    training: TrainingChoices,
    ties: Annotated[
        list[str] | None,
        typer.Option(
            "--ties",
            metavar="NAME",
            help=_("A tie rule; give two to compare them: {names}.").format(names=", ".join(TIE_RULES)),
            autocompletion=names_of(TIE_RULES),
            show_default=False,
        ),
    ] = None,
    preset: Annotated[
        list[str] | None,
        typer.Option(
            "--preset",
            metavar="NAME",
            help=_("A tool's dialect; give two to compare them: {names}.").format(names=", ".join(PRESETS)),
            autocompletion=names_of(PRESETS),
            show_default=False,
        ),
    ] = None,
    sample: Annotated[
        str | None,
        typer.Option("--sample", metavar="TEXT", help=_("The text to encode by both."), show_default=False),
    ] = None,
    as_json: AsJson = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help=_("Exit with status 1 if the two differ."))] = False,
) -> None:
    """Train under two tie rules or presets, and show where they part.

    Told are the first merge in which the two are not the same, the pairs that were tied there, how many tokens both
    vocabularies share at the end, and a sample text encoded by both.
    """
    from bpe_tui.cli.diff_report import described, report, side_of
    from bpe_tui.core.teaching.comparison import compare, sample_text

    choices = _two_of(training, ties or [], preset or [])
    labels = _labels(ties or [], preset or [])
    corpus = _readable_twice(corpora, training)
    options = (options_of(corpus, choices[0]), options_of(corpus, choices[1]))
    with progress_bar() as progress:
        words = _count(corpus, options, progress)
        trainers = (_trained(words[0], options[0], progress), _trained(words[1], options[1], progress))
    comparison = compare(*trainers)
    text = sample if sample is not None else sample_text(*trainers, comparison)
    sides = (side_of(labels[0], trainers[0], text), side_of(labels[1], trainers[1], text))
    for line in dict.fromkeys((*words[0].notes, *words[1].notes)):
        output.note(line)
    if as_json:
        output.write_json(report(comparison, sides, text))
    else:
        output.write(described(comparison, sides, text))
    if exit_code and not comparison.equal:
        raise typer.Exit(DIFFERENT)


def _two_of(training: TrainingChoices, ties: list[str], presets: list[str]) -> tuple[TrainingChoices, TrainingChoices]:
    """The choices of either side. Raises OptionError unless two tie rules or two presets are compared."""
    from bpe_tui.core.errors import OptionError

    for flag, names in (("--ties", ties), ("--preset", presets)):
        if len(names) > 2:
            told = plural(
                "{flag} is given {count} time; two ways can be compared",
                "{flag} is given {count} times; two ways can be compared",
                len(names),
                flag=flag,
            )
            raise OptionError(told)
        if len(names) == 2 and names[0] == names[1] and not (flag == "--preset" and len(ties) == 2):
            told = _("{flag} {name} twice is one way to train; give two different ones")
            raise OptionError(told.format(flag=flag, name=names[0]))
    if len(ties) < 2 and len(presets) < 2:
        raise OptionError(_("there is nothing to compare; give --ties twice, or --preset twice"))
    first, second = (
        replace(
            training,
            ties=ties[min(place, len(ties) - 1)] if ties else None,
            preset=presets[min(place, len(presets) - 1)] if presets else None,
        )
        for place in (0, 1)
    )
    return first, second


def _labels(ties: list[str], presets: list[str]) -> tuple[str, str]:
    if len(presets) < 2 or presets[0] == presets[1]:
        return ties[0], ties[1]
    if len(ties) < 2:
        return presets[0], presets[1]
    return f"{presets[0]} with {ties[0]}", f"{presets[1]} with {ties[1]}"  # also a name in JSON


def _readable_twice(names: list[str], training: TrainingChoices) -> Corpus:
    """The corpus, standard input read to its end. Raises BpeError and UnicodeDecodeError."""
    from bpe_tui.core.corpus.memory import read_all
    from bpe_tui.core.corpus.sources import STDIN, Source, find_corpus

    corpus = find_corpus(names, word_counts=training.word_counts, encoding=training.encoding)
    if STDIN not in names or sys.stdin is None:
        return corpus
    text = read_all(Source("stdin", encoding=corpus.sources[0].encoding).open(), "stdin").decode("utf-8-sig")
    sources = tuple(
        source if source.path is not None or source.text is not None else replace(source, text=text)
        for source in corpus.sources
    )
    return replace(corpus, sources=sources)


def _count(
    corpus: Corpus, options: tuple[Options, Options], progress: Callable[[Progress], None] | None
) -> tuple[WordCounts, WordCounts]:
    """The words of either side, counted once if both cut the text alike."""
    from bpe_tui.core.corpus.counting import count_words

    first = count_words(corpus, options[0], progress=progress)
    if corpus.is_word_counts or _cutting(options[0]) == _cutting(options[1]):
        return first, first
    return first, count_words(corpus, options[1], progress=progress)


def _cutting(options: Options) -> tuple[object, ...]:
    """What decides about the words of a text."""
    return options.documents, options.pre_tokenizer, options.pattern, options.specials, options.specials_in_corpus


def _trained(words: WordCounts, options: Options, progress: Callable[[Progress], None] | None) -> Trainer:
    from bpe_tui.core.training.trainer import Trainer

    trainer = Trainer(words, options, progress=progress)
    trainer.run(progress=progress)
    return trainer


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("diff", help=help_of(diff))(diff)
