"""`bpe-tui convert`: a tokenizer from one format to another."""

from __future__ import annotations

from typing import Annotated

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import name_option, training_choices
from bpe_tui.cli.reading import read_model
from bpe_tui.cli.text import as_file_name
from bpe_tui.core.i18n import _


def convert(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help=_("A tokenizer file, or the folder it is in."),
            parser=as_file_name,
            show_default=False,
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help=_("The file to write; its name says the format: x.json, x.tiktoken."),
            show_default=False,
        ),
    ],
    preset: opt.Preset = None,
    pre_tokenizer: opt.PreTokenizer = None,
    pattern: opt.Pattern = None,
    alphabet: opt.Alphabet = None,
    end_of_word: opt.EndOfWord = None,
    end_of_word_style: opt.EndOfWordStyle = None,
    specials: opt.Specials = None,
    unk: opt.Unk = None,
    format_name: Annotated[
        str | None, name_option("--format", metavar="NAME", what=_("Format of OUT, if its name does not say."))
    ] = None,
    from_name: opt.ReadFormat = None,
) -> None:
    """Write a tokenizer in another format.

    What is written encodes as what was read, in the tool that the format is of; where a format cannot represent a
    tokenizer, nothing is written and the reason is shown. Notes say what its tool needs beside the file.

    Formats: huggingface (.json), gpt2 (vocab.json with merges.txt, or a folder), merges (merges.txt, .codes), tiktoken
    (.tiktoken), minbpe (.model), session (.bpe.json). Models of SentencePiece (sentencepiece) are only read.
    """
    from bpe_tui.formats.registry import check_writable, format_for, write_tokenizer

    format_for(target, format_name)
    model = read_model(source, training_choices(context), from_name)
    check_writable(target, model.options, format_name)
    for line in write_tokenizer(target, model, format_name):
        output.note(line)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("convert", help=help_of(convert))(convert)
