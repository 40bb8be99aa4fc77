"""Reading the tokenizer that a command line names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_tui.cli import output

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
