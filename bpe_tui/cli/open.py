"""`bpe-tui open`: the app on a corpus or a tokenizer."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import TrainingChoices, training_choices
from bpe_tui.core.i18n import _


def open_corpus(
    context: typer.Context,
    preset: opt.Preset = None,
    documents: opt.Documents = None,
    pre_tokenizer: opt.PreTokenizer = None,
    pattern: opt.Pattern = None,
    alphabet: opt.Alphabet = None,
    end_of_word: opt.EndOfWord = None,
    end_of_word_style: opt.EndOfWordStyle = None,
    ties: opt.Ties = None,
    specials: opt.Specials = None,
    specials_in_corpus: opt.SpecialsInCorpus = None,
    unk: opt.Unk = None,
    min_frequency: opt.MinFrequency = None,
    vocab_size: opt.VocabSize = None,
    merges: opt.Merges = None,
    word_counts: opt.IsWordCounts = False,
    encoding: opt.Encoding = None,
    max_memory: opt.MaxMemory = None,
    corpora: opt.AnyCorpora = None,
    theme: opt.Theme = None,
    from_name: opt.ReadFormat = None,
) -> None:
    """Open the app on a corpus (`hug` if none is named) or a tokenizer.

    Of a tokenizer it shows the merges, and any text in its tokens.

    With - the text comes from stdin, and the keys from the terminal. For a tokenizer that does not say how a text is
    cut, --pre-tokenizer and its like say it.
    """
    start_app(tuple(corpora or ()), training_choices(context), theme=theme, from_name=from_name)


def start_app(
    names: tuple[str, ...], training: TrainingChoices, *, theme: str | None, from_name: str | None = None
) -> None:
    """Check the request, then hand it to the app. Raises BpeError before the screen is taken, never after."""
    from bpe_tui.core.errors import BpeError, CorpusError
    from bpe_tui.ui.session.request import Request

    names = names or ("hug",)
    if "-" in names and len(names) > 1:
        raise CorpusError(_("- is stdin and must be the only corpus when the app opens; give the files without it"))
    if not output.has_screen(keys="-" not in names):
        if output.has_screen(keys=False):
            raise BpeError(_("keys come from the terminal; to open a text from a pipe, use bpe-tui open -"))
        raise BpeError(_("the app needs a terminal; without one, use bpe-tui train, or bpe-tui lesson NAME --print"))
    request = Request(
        names,
        training.preset,
        training.overrides(),
        training.word_counts,
        encoding=training.encoding,
        reading=training.reading(),
        format_name=from_name,
    )
    tokenizer = None
    if not request.is_large:  # else it is read behind the screen
        request = request.with_session()
        if request.is_tokenizer:
            tokenizer = request.read_tokenizer()
        else:
            request.find()
    if names == ("-",):
        request = replace(request, text=_take_stdin(training.encoding))
    from bpe_tui.ui.app import run_app

    run_app(request=request, theme=theme, tokenizer=tokenizer)


def _take_stdin(encoding: str | None) -> str:
    """All of stdin, after which the terminal takes its place, for the keys. Raises BpeError."""
    from bpe_tui.core.corpus.encodings import guess_encoding, not_utf8, other_encoding
    from bpe_tui.core.corpus.memory import read_all
    from bpe_tui.core.corpus.sources import Source
    from bpe_tui.core.errors import BpeError

    data = b"" if sys.stdin is None else read_all(Source("stdin", encoding=encoding).open(), "stdin")
    if (found := guess_encoding(data)) is not None:
        raise other_encoding("stdin", found)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise not_utf8("stdin", error.start, data[error.start], line) from None
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        message = _("the app needs a terminal for its keys; to train without one, use bpe-tui train -")
        raise BpeError(message) from None
    os.dup2(terminal, 0)
    os.close(terminal)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    return text


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("open", help=help_of(open_corpus))(open_corpus)
