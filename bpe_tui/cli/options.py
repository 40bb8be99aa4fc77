"""The training options on a command line: the same words in every command that trains.

A command takes them by having a parameter `training: TrainingChoices` and the decorator `with_training`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any, Final, get_type_hints

import typer

from bpe_tui.cli.choices import TrainingChoices, find, names_of, options_of
from bpe_tui.core.i18n import _

__all__ = [
    "AsJson",
    "Corpora",
    "ReadFormat",
    "TokenizerFile",
    "TrainingChoices",
    "complete_corpus",
    "find",
    "names_of",
    "options_of",
    "with_counting",
    "with_reading",
    "with_training",
]


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
        from bpe_tui.core.corpus.memory import limit_memory, parse_size

        limit_memory(parse_size(training.max_memory))
        try:
            return command(training=training, **given)
        finally:
            limit_memory(None)

    gathered.__name__ = command.__name__
    gathered.__doc__ = command.__doc__
    gathered.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    gathered.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # functions have no such slot
    return gathered


def complete_corpus(incomplete: str) -> list[str]:
    """Shell completion for a corpus: the bundled names; file names are the shell's own business."""
    from bpe_tui.core.corpus.sources import bundled_corpora

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
