"""`bpe-tui decode`: ids back to text."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import training_choices
from bpe_tui.cli.reading import read_model, read_stdin
from bpe_tui.core.i18n import _


def decode(
    context: typer.Context,
    ids: Annotated[
        list[str], typer.Argument(metavar="ID", help=_("Token ids, or - to read them from stdin."), show_default=False)
    ],
    tokenizer: opt.TokenizerFile,
    preset: opt.Preset = None,
    pre_tokenizer: opt.PreTokenizer = None,
    pattern: opt.Pattern = None,
    alphabet: opt.Alphabet = None,
    end_of_word: opt.EndOfWord = None,
    end_of_word_style: opt.EndOfWordStyle = None,
    specials: opt.Specials = None,
    unk: opt.Unk = None,
    from_name: opt.ReadFormat = None,
) -> None:
    """Decode ids to the text that they stand for.

    Spaces, newlines or commas may separate ids. Into a file or a pipe go the exact bytes, with nothing added. On
    a terminal, control characters have visible stand-ins, a character cut in the middle is shown as U+FFFD, and the
    text ends in a newline.
    """
    numbers = parse_ids(read_stdin() if ids == ["-"] else " ".join(ids))
    encoder = read_model(tokenizer, training_choices(context), from_name).encoder()
    if output.is_terminal(sys.stdout):
        output.write(for_terminal(encoder.decode(numbers)))
    else:
        output.write_bytes(encoder.decode_bytes(numbers))


def parse_ids(text: str) -> list[int]:
    """The whole numbers in `text`, with spaces, newlines or commas between them; raises EncodeError."""
    from bpe_tui.core.errors import EncodeError

    numbers = []
    for word in text.replace(",", " ").split():
        if not (word.isascii() and word.isdigit()) or len(word) > 18:
            raise EncodeError(_("{word!r} is not a token id; ids are whole numbers from 0 up").format(word=word))
        numbers.append(int(word))
    return numbers


def for_terminal(text: str) -> str:
    """`text` with stand-ins for what a terminal must not see, its lines kept, a newline at the end."""
    from bpe_tui.core.display import displayable

    shown = "\n".join("\t".join(map(displayable, line.split("\t"))) for line in text.split("\n"))
    return shown if shown.endswith("\n") else shown + "\n"


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("decode", help=help_of(decode))(decode)
