"""Reading what a command line names: a tokenizer, a text from stdin."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bpe_tui.cli import output
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from bpe_tui.cli.options import TrainingChoices
    from bpe_tui.formats.model import TokenizerModel


def read_model(path: str, training: TrainingChoices, name: str | None = None) -> TokenizerModel:
    """The tokenizer in `path`, and its warnings as notes. Raises TokenizerFileError.

    The options given say what the file does not; `name` is its format, if that does not show.
    """
    from bpe_tui.formats.registry import read_tokenizer

    model = read_tokenizer(path, training.reading(), name)
    for line in model.warnings:
        output.note(line)
    return model


def read_stdin() -> str:
    """All of stdin as it is, from UTF-8; raises UnicodeDecodeError."""
    if output.is_terminal(sys.stdin):
        output.note(_("reading from the terminal; end with ctrl+d on a line of its own"))
    from bpe_tui.core.corpus.memory import read_all

    return "" if sys.stdin is None else read_all(sys.stdin.buffer, "stdin").decode()
