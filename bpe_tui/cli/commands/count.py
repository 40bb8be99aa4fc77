"""`bpe-tui count`: a table of words and how often each occurs, which is all that training needs of a corpus."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import (
    TrainingChoices,
    complete_corpus,
    find,
    name_option,
    number_option,
    options_of,
    training_choices,
)
from bpe_tui.cli.progress import progress_bar
from bpe_tui.cli.text import as_file_name
from bpe_tui.core.display import visible
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import Progress, WordCounts

STDOUT: Final = "-"
SUFFIXES: Final = (".tsv", ".json")


def count(
    context: typer.Context,
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT",
            help=_(
                "Text files, folders, - for stdin, a bundled corpus, or word-count tables to be added up; "
                "with --dask also addresses such as s3://bucket/part-*.txt."
            ),
            parser=as_file_name,
            autocompletion=complete_corpus,
            show_default=False,
        ),
    ],
    preset: opt.Preset = None,
    documents: opt.Documents = None,
    pre_tokenizer: opt.PreTokenizer = None,
    pattern: opt.Pattern = None,
    specials: opt.Specials = None,
    specials_in_corpus: opt.SpecialsInCorpus = None,
    word_counts: opt.IsWordCounts = False,
    encoding: opt.Encoding = None,
    max_memory: opt.MaxMemory = None,
    out: Annotated[
        str,
        name_option(
            "--output",
            "-o",
            metavar="FILE",
            what=_("Write the table to this file, .tsv or .json; - is stdout, as .tsv."),
        ),
    ] = STDOUT,
    top: Annotated[int | None, number_option("--top", _("Keep only the N most frequent words."))] = None,
    min_count: Annotated[int, number_option("--min-count", _("Keep only words that occur at least N times."))] = 1,
    dask: Annotated[
        str | None,
        name_option(
            "--dask",
            metavar="ADDRESS",
            what=_("Count on the Dask cluster with this scheduler; local starts one on this machine."),
        ),
    ] = None,
) -> None:
    """Count the words of a text, in order of first appearance.

    `train` and `open` read the table, and learn from it what they would learn from the text. A .tsv has a line for
    each word, a TAB and its count; a .json can also hold words with TABs and newlines. Where --top cuts through words
    of the same count, those that appear first stay.
    """
    from bpe_tui.core.corpus.word_tables import as_json, as_tsv

    if out != STDOUT:
        _check_writable(out)
    words = _counted(inputs, training_choices(context), top, min_count, dask, out)
    if out == STDOUT:
        output.write(_for_terminal(words)) if output.is_terminal(sys.stdout) else output.write_bytes(as_tsv(words))
    else:
        _write(out, as_json(words) if out.endswith(".json") else as_tsv(words))
    for line in words.notes:
        output.note(line)
    if not words.words:
        output.note(_("no words found in {names}").format(names=", ".join(inputs)))


def _counted(
    inputs: list[str], training: TrainingChoices, top: int | None, min_count: int, dask: str | None, out: str
) -> WordCounts:
    from bpe_tui.core.corpus.counting import count_words
    from bpe_tui.core.corpus.types import WordCounts
    from bpe_tui.core.corpus.word_tables import bounded
    from bpe_tui.core.errors import CorpusError

    bounded(WordCounts([], []), top=top, min_count=min_count)  # bounds that make no sense are refused before the work
    addresses = [name for name in inputs if "://" in name]
    if addresses and dask is None:
        raise CorpusError(
            _("{name} is an address; to read it, count on a cluster with --dask").format(name=addresses[0])
        )
    if dask is not None and training.encoding is not None:
        raise CorpusError(_("--encoding is not for a cluster; save the texts as UTF-8, or count without --dask"))
    with progress_bar() as progress:
        if dask is not None:
            return _counted_on_cluster(inputs, training, top, min_count, dask, out, progress)
        corpus, options = find(inputs, training)
        _refuse_overwriting(corpus, out)
        return bounded(count_words(corpus, options, progress=progress, trains=False), top=top, min_count=min_count)


def _counted_on_cluster(
    inputs: list[str],
    training: TrainingChoices,
    top: int | None,
    min_count: int,
    dask: str,
    out: str,
    progress: Callable[[Progress], None] | None,
) -> WordCounts:
    from bpe_tui.cluster.counting import count_on_cluster, is_address
    from bpe_tui.core.corpus.sources import Source, find_corpus, text_corpus
    from bpe_tui.core.errors import CorpusError

    read: list[Source | str] = []
    for name in inputs:
        if is_address(name):
            read.append(name)
            is_table = name.endswith(SUFFIXES)
        else:
            corpus = find_corpus([name], word_counts=training.word_counts)
            _refuse_overwriting(corpus, out)
            read += corpus.sources
            is_table = corpus.is_word_counts
        if is_table:
            message = _("{name} is a word-count table, which is counted already; --dask is for texts")
            raise CorpusError(message.format(name=name))
    return count_on_cluster(
        read, options_of(text_corpus(""), training), dask, top=top, min_count=min_count, progress=progress
    )


def _check_writable(out: str) -> None:
    """Find out before the work whether a table can be written there. Raises CorpusError."""
    from bpe_tui.core.errors import CorpusError, TokenizerFileError
    from bpe_tui.formats.files import target_of

    if not out:
        raise CorpusError(_("-o needs the name of a file that is not empty"))
    if not out.endswith(SUFFIXES):
        raise CorpusError(_("{name}: a table of words ends in .tsv or .json; name the file so").format(name=out))
    if Path(out).is_dir():
        raise CorpusError(_("{name} is a folder; name a file in it").format(name=out))
    try:
        folder = target_of(out).parent
    except TokenizerFileError as error:
        raise CorpusError(f"{out} {error}") from error
    if not folder.is_dir():
        raise CorpusError(_("{name} cannot be written, its folder does not exist").format(name=out))


def _refuse_overwriting(corpus: Corpus, out: str) -> None:
    from bpe_tui.core.errors import OptionError

    if corpus.comes_from(out):
        raise OptionError(_("{name} is one of the inputs; name another file to write to").format(name=out))


def _write(out: str, data: bytes) -> None:
    from bpe_tui.core.errors import CorpusError, TokenizerFileError
    from bpe_tui.formats.files import write_atomically

    try:
        write_atomically(out, data)
    except TokenizerFileError as error:
        raise CorpusError(f"{out} {error}") from error


def _for_terminal(words: WordCounts) -> str:
    """The table with stand-ins for what a terminal must not see."""
    lines = zip(words.words, words.counts, strict=True)
    return "".join([f"{visible(word)}\t{occurrences}\n" for word, occurrences in lines])


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("count", help=help_of(count))(count)
