"""`bpe-tui train`: training without the app."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bpe_tui.cli import output
from bpe_tui.cli.options import AsJson, Corpora, TrainingChoices, find, with_training
from bpe_tui.cli.progress import progress_bar

if TYPE_CHECKING:
    from bpe_tui.core.trainer import Trainer


@with_training
def train(
    corpora: Corpora,
    training: TrainingChoices,
    out: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the trained tokenizer to this file.", show_default=False
        ),
    ] = None,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help="Format of FILE, if its name does not say it.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Train with the package tokenizers as well, and say whether it learns the same."),
    ] = False,
) -> None:
    """Train on a corpus and print the merge log.

    A line of the log tells the number of the merge, the pair, the token made, how often the pair was counted and how
    often replaced, and how many pairs shared the highest count (- where none did).
    """
    from bpe_tui.core.corpus import count_words
    from bpe_tui.core.errors import OptionError

    corpus, options = find(corpora, training)
    if out is not None:
        from bpe_tui.formats.registry import check_writable

        check_writable(out, options, format_name)
        if any(source.path is not None and source.path.resolve() == Path(out).resolve() for source in corpus.sources):
            raise OptionError(f"{out} is the corpus itself; name another file to write to")
    elif format_name is not None:
        raise OptionError("--format says how to write a tokenizer; name its file with -o")
    if verify:
        from bpe_tui.cli.verify import check_verifiable

        check_verifiable(corpus, options)
    from bpe_tui.core.trainer import Trainer

    with progress_bar() as progress:
        words = count_words(corpus, options, progress=progress)
        trainer = Trainer(words, options, progress=progress)
        trainer.run(progress=progress)
    for line in _notes(trainer):
        output.note(line)
    if out is not None:
        from bpe_tui.formats.model import TokenizerModel
        from bpe_tui.formats.registry import write_tokenizer

        for line in write_tokenizer(out, TokenizerModel(trainer.vocabulary(), options), format_name):
            output.note(line)
    verdict = None
    if verify:
        from bpe_tui.cli.verify import verify as compare

        verdict = compare(trainer, corpus)
    if as_json:
        output.write_json({**report(trainer), **({"verified": verdict.as_dict()} if verdict else {})})
    else:
        output.write(merge_log(trainer) + (f"{verdict.sentence}\n" if verdict else ""))
    if verdict is not None and verdict.difference is not None:
        raise typer.Exit(1)


def merge_log(trainer: Trainer) -> str:
    """The merges as an aligned table, then the sentence that says why training stopped."""
    from bpe_tui.cli.table import last_column, lines, number_column, shown, text_column
    from bpe_tui.core.explain import stop_sentence

    steps = list(trainer.steps)
    sentence = stop_sentence(trainer) + "\n"
    if not steps:
        return sentence
    tokens = shown(text for step in steps for text in (step.merge.left, step.merge.right, step.merge.token))
    pairs = [(tokens[step.merge.left], tokens[step.merge.right]) for step in steps]
    rows = lines(
        number_column("#", range(1, len(steps) + 1)),
        text_column("pair", [(f"{left[0]} + {right[0]}", left[1] + 3 + right[1]) for left, right in pairs]),
        text_column("token", [tokens[step.merge.token] for step in steps]),
        number_column("counted", [step.counted for step in steps]),
        number_column("replaced", [step.replaced for step in steps]),
        number_column("tied", [step.tied if step.tied > 1 else "-" for step in steps]),
        last_column("", ["token existed already" if step.reused else "" for step in steps]),
    )
    return f"{rows}\n{sentence}"


def report(trainer: Trainer) -> dict[str, Any]:
    """The whole training as one JSON object; its fields are a contract."""
    from bpe_tui.core.alphabet import shown

    options, words, vocabulary = trainer.options, trainer.words, trainer.vocabulary()
    return {
        "preset": options.preset,
        "options": options.as_dict(),
        "words": [[shown(word, options), count] for word, count in zip(words.words, words.counts, strict=True)],
        "alphabet": list(vocabulary.alphabet),
        "vocab": list(vocabulary.tokens),
        "merges": [
            {
                "left": step.merge.left,
                "right": step.merge.right,
                "token": step.merge.token,
                "id": step.merge.id,
                "counted": step.counted,
                "replaced": step.replaced,
                "tied": step.tied,
            }
            for step in trainer.steps
        ],
        "stopped": trainer.stop.value if trainer.stop is not None else None,
    }


def _notes(trainer: Trainer) -> list[str]:
    lines = list(trainer.words.notes)
    reused = sum(step.reused for step in trainer.steps)
    if reused:
        count = "1 merge makes a token" if reused == 1 else f"{reused:,} merges make tokens"
        lines.append(f"{count} that existed already; the vocabulary does not grow by it")
    return lines


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("train")(train)
