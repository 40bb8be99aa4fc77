"""`bpe-tui train`: train without the app, print the log, write the tokenizer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import (
    TrainingChoices,
    corpus_of,
    file_option,
    find,
    name_option,
    options_of,
    training_choices,
)
from bpe_tui.cli.progress import progress_bar
from bpe_tui.cli.table import last_column, lines, number_column, shown, text_column
from bpe_tui.core.i18n import _, plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import Progress, WordCounts
    from bpe_tui.core.options import Options
    from bpe_tui.core.training.states import Step
    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.formats.continuing import Continuation
    from bpe_tui.formats.huggingface.like import Like

DIFFERENT: Final = 1
"""Exit status of `--verify` when `tokenizers` learns something else."""


def train(
    context: typer.Context,
    corpora: opt.Corpora,
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
    protected: opt.Protected = None,
    seed_tokens: opt.SeedTokens = None,
    unk: opt.Unk = None,
    min_frequency: opt.MinFrequency = None,
    max_token_length: opt.MaxTokenLength = None,
    limit_alphabet: opt.LimitAlphabet = None,
    initial_alphabet: opt.InitialAlphabet = None,
    vocab_size: opt.VocabSize = None,
    merges: opt.Merges = None,
    word_counts: opt.IsWordCounts = False,
    encoding: opt.Encoding = None,
    max_memory: opt.MaxMemory = None,
    out: Annotated[
        str | None, name_option("--output", "-o", metavar="FILE", what=_("Write the trained tokenizer to this file."))
    ] = None,
    format_name: Annotated[
        str | None, name_option("--format", metavar="NAME", what=_("Format of FILE, if its name does not say it."))
    ] = None,
    like: Annotated[
        str | None,
        file_option(
            "--like",
            metavar="TOKENIZER",
            what=_(
                "Cut the text as this tokenizer.json does, its normalizer included; with the package tokenizers also "
                "a name on the Hugging Face Hub."
            ),
        ),
    ] = None,
    continued: opt.FromTokenizer = None,
    as_json: opt.AsJson = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help=_("Train with the package tokenizers as well, and say whether it learns the same.")
        ),
    ] = False,
) -> None:
    """Train on a corpus and print the merge log.

    A line of the log shows the number of the merge, the pair, the token made, how often the pair was counted and how
    often replaced, and how many pairs shared the highest count (- where none did).
    """
    training = training_choices(context)
    if continued is not None:
        _refuse_beside_from(like, verify=verify)
        corpus, options, continuation = _under(continued, corpora, training)
        cut_like = None
    else:
        corpus, options, cut_like = _found(corpora, training, like)
        continuation = None
    _check(corpus, options, out, format_name, verify=verify)
    if continuation is not None and out is not None:
        _check_format(continuation, out, format_name)
    from bpe_tui.core.training.trainer import Trainer

    with progress_bar() as progress:
        if continuation is not None:
            words = continuation.count(corpus, options, progress=progress)
            trainer = continuation.trainer(words, options, progress=progress)
        else:
            trainer = Trainer(_count(corpus, options, cut_like, progress), options, progress=progress)
        trainer.run(progress=progress)
    for line in [*(cut_like.notes(training.overrides(), options.preset) if cut_like else ()), *_notes(trainer)]:
        output.note(line)
    if out is not None:
        for line in _written(out, format_name, trainer, corpus, cut_like, continuation):
            output.note(line)
        if (files := _files_in_folder(out)) is not None:
            output.note(_("wrote {vocabulary} and {merges}").format(vocabulary=files[0], merges=files[1]))
    verification = None
    if verify:
        from bpe_tui.cli.commands.verify import verify as compare

        verification = compare(trainer, corpus)
    if as_json:
        more: dict[str, Any] = {"verified": verification.as_dict()} if verification else {}
        if continuation is not None:
            more["from"] = {"name": continuation.name, "merges": trainer.inherited}
        output.write_json({**report(trainer), **more})
    else:
        output.write(merge_log(trainer) + (f"{verification.sentence}\n" if verification else ""))
    if verification is not None and verification.difference is not None:
        raise typer.Exit(DIFFERENT)


def _found(corpora: list[str], training: TrainingChoices, like: str | None) -> tuple[Corpus, Options, Like | None]:
    """The corpus, the current options, and whose way to cut a text it is. Raises BpeError."""
    if like is None:
        return *find(corpora, training), None
    from bpe_tui.core.errors import OptionError
    from bpe_tui.formats.huggingface.like import read_like

    corpus = corpus_of(corpora, training)
    if corpus.is_word_counts:
        raise OptionError(_("--like says how a text is cut, and a table of words is cut already"))
    cut_like = read_like(like)
    overrides = cut_like.overrides(training.overrides(), training.preset or corpus.preset)
    if overrides.get("pre_tokenizer") == "file":
        from bpe_tui.core.corpus.sources import options_for

        return corpus, options_for(corpus, training.preset, **{**training.overrides(), **overrides}), cut_like
    return corpus, options_of(corpus, replace(training, **overrides)), cut_like


def _refuse_beside_from(like: str | None, *, verify: bool) -> None:
    """Raises OptionError for what cannot be given with --from."""
    from bpe_tui.core.errors import OptionError

    if like is not None:
        raise OptionError(_("--from and --like both say how a text is cut; give one of them"))
    if verify:
        raise OptionError(_("--verify cannot be given with --from: the trainer of tokenizers begins anew"))


def _under(path: str, corpora: list[str], training: TrainingChoices) -> tuple[Corpus, Options, Continuation]:
    """The corpus, the current options, and the tokenizer that the training continues. Raises BpeError."""
    from bpe_tui.formats.continuing import read_continuation

    corpus = corpus_of(corpora, training)
    continuation = read_continuation(path, training.overrides(), training.preset)
    for warning in continuation.model.warnings:
        output.note(warning)
    return corpus, continuation.options(training.overrides(), training.preset), continuation


def _check(corpus: Corpus, options: Options, out: str | None, format_name: str | None, *, verify: bool) -> None:
    """Find out before the work what cannot be done after it. Raises BpeError."""
    from bpe_tui.core.errors import OptionError

    if out is not None:
        from bpe_tui.formats.registry import check_writable

        check_writable(out, options, format_name)
        if corpus.comes_from(out):
            raise OptionError(_("{name} is the corpus itself; name another file to write to").format(name=out))
    elif format_name is not None:
        raise OptionError(_("--format says how to write a tokenizer; name its file with -o"))
    if verify:
        from bpe_tui.cli.commands.verify import check_verifiable

        if options.pre_tokenizer == "file":
            raise OptionError(_("--verify cannot be given with this --like: no option says how the text is cut"))
        check_verifiable(corpus, options)


def _check_format(continuation: Continuation, out: str, format_name: str | None) -> None:
    """Find out before the work whether a format can hold all of the tokenizer. Raises TokenizerFileError."""
    from bpe_tui.formats.registry import SESSION, format_for, tokenizer_files

    if format_for(out, format_name) is not SESSION:
        tokenizer_files(out, continuation.model, format_name)


def _count(
    corpus: Corpus, options: Options, like: Like | None, progress: Callable[[Progress], None] | None
) -> WordCounts:
    if like is None or like.is_plain:
        from bpe_tui.core.corpus.counting import count_words

        return count_words(corpus, options, progress=progress)
    from bpe_tui.formats.huggingface.like import count_words_like

    return count_words_like(like.dialect, corpus, options, progress=progress)


def _written(
    out: str,
    format_name: str | None,
    trainer: Trainer,
    corpus: Corpus,
    like: Like | None,
    continuation: Continuation | None,
) -> tuple[str, ...]:
    """Write what was trained, with the parts of another tokenizer, and return notes. Raises TokenizerFileError."""
    from bpe_tui.formats.model import TokenizerModel
    from bpe_tui.formats.registry import SESSION, format_for, write_session, write_tokenizer

    if like is None and corpus.names and format_for(out, format_name) is SESSION:
        from bpe_tui.formats.session.training import save

        tables = corpus.is_word_counts
        return write_session(out, save(trainer, corpus.names, word_counts=tables, continuation=continuation))
    parts = like or continuation
    vocabulary, options = trainer.vocabulary(), trainer.options
    model = TokenizerModel(vocabulary, options) if parts is None else parts.model_with(vocabulary, options)
    return write_tokenizer(out, model, format_name)


def _files_in_folder(out: str) -> tuple[str, str] | None:
    """The two files of GPT-2's format, if they went into a folder that was named without them."""
    from bpe_tui.formats.gpt2 import both_files

    return both_files(out) if Path(out).is_dir() else None


def merge_log(trainer: Trainer) -> str:
    """The merges as an aligned table, then why training stopped."""
    from bpe_tui.core.teaching.explain import stop_sentence

    steps = trainer.steps
    sentence = stop_sentence(trainer) + "\n"
    if not steps:
        return sentence
    merges = [step.merge for step in steps]
    known = shown(text for merge in merges for text in (merge.left, merge.right, merge.token))
    pairs = [(known[merge.left], known[merge.right]) for merge in merges]
    rows = lines(
        number_column("#", range(1, len(steps) + 1)),
        text_column(_("pair"), [(f"{left} + {right}", cells + 3 + more) for (left, cells), (right, more) in pairs]),
        text_column(_("token"), [known[merge.token] for merge in merges]),
        number_column(_("counted"), [step.counted for step in steps]),
        number_column(_("replaced"), [step.replaced for step in steps]),
        number_column(_("tied"), [step.tied if step.tied > 1 else "-" for step in steps]),
        last_column("", [_remark(step) for step in steps]),
    )
    return f"{rows}\n{sentence}"


def _remark(step: Step) -> str:
    """What is special about a merge."""
    from bpe_tui.core.training.states import Origin

    origin = {Origin.TOKENIZER: _("from the tokenizer"), Origin.SEED: _("seed")}.get(step.origin, "")
    existed = _("token existed already") if step.reused else ""
    return ", ".join(filter(None, (origin, existed)))


def report(trainer: Trainer) -> dict[str, Any]:
    """The whole training as one JSON object; its fields are a contract."""
    from bpe_tui.core.corpus.alphabet import alphabet_text
    from bpe_tui.core.training.states import Origin

    options, words, vocabulary = trainer.options, trainer.words, trainer.vocabulary()
    return {
        "preset": options.preset,
        "options": options.as_dict(),
        "words": [[alphabet_text(word, options), count] for word, count in zip(words.words, words.counts, strict=True)],
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
                **({"origin": step.origin.value} if step.origin is not Origin.COUNT else {}),
            }
            for step in trainer.steps
        ],
        "stopped": trainer.stop.value if trainer.stop is not None else None,
    }


def _notes(trainer: Trainer) -> list[str]:
    lines = list(trainer.words.notes)
    reused = sum(step.reused for step in trainer.steps)
    if reused:
        lines.append(
            plural(
                "{count} merge makes a token that existed already; the vocabulary does not grow by it",
                "{count} merges make tokens that existed already; the vocabulary does not grow by it",
                reused,
            )
        )
    return lines


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("train", help=help_of(train))(train)
