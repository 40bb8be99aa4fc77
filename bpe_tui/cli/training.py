"""What `bpe-tui train` does: train without the app, print the log, write the tokenizer."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpe_tui.cli import output
from bpe_tui.cli.choices import TrainingChoices, find, options_of
from bpe_tui.cli.progress import progress_bar
from bpe_tui.core.i18n import _, plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import Progress, WordCounts
    from bpe_tui.core.options import Options
    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.formats.huggingface.like import Like


def carry_out_training(
    corpora: list[str],
    training: TrainingChoices,
    *,
    out: str | None = None,
    format_name: str | None = None,
    like: str | None = None,
    as_json: bool = False,
    verify: bool = False,
) -> int:
    """Train as the command `train` is asked to; returns the exit status. Raises BpeError."""
    corpus, options, cut_like = _found(corpora, training, like)
    with progress_bar() as progress, _counting(corpus, options, cut_like, progress) as words:
        _check(corpus, options, out, format_name, verify=verify)
        from bpe_tui.core.training.trainer import Trainer

        trainer = Trainer(words(), options, progress=progress)
        trainer.run(progress=progress)
    for line in _notes(trainer):
        output.note(line)
    if out is not None:
        for line in _written(out, format_name, trainer, cut_like, corpus):
            output.note(line)
        if (files := _files_in_folder(out)) is not None:
            output.note(_("wrote {vocabulary} and {merges}").format(vocabulary=files[0], merges=files[1]))
    verdict = None
    if verify:
        from bpe_tui.cli.verify import verify as compare

        verdict = compare(trainer, corpus)
    if as_json:
        output.write_json({**report(trainer), **({"verified": verdict.as_dict()} if verdict else {})})
    else:
        output.write(merge_log(trainer) + (f"{verdict.sentence}\n" if verdict else ""))
    return 0 if verdict is None or verdict.difference is None else 1


def _found(corpora: list[str], training: TrainingChoices, like: str | None) -> tuple[Corpus, Options, Like | None]:
    """The corpus, the options in force, and whose way to cut a text it is. Raises BpeError."""
    if like is None:
        return *find(corpora, training), None
    from bpe_tui.core.corpus.sources import find_corpus
    from bpe_tui.core.errors import OptionError
    from bpe_tui.formats.huggingface.like import read_like

    corpus = find_corpus(corpora, word_counts=training.word_counts, encoding=training.encoding)
    if corpus.is_word_counts:
        raise OptionError(_("--like says how a text is cut, and a table of words is cut already"))
    cut_like = read_like(like)
    overrides = cut_like.overrides(training.overrides(), training.preset or corpus.preset)
    if overrides.get("pre_tokenizer") == "file":
        from bpe_tui.core.corpus.sources import options_for

        return corpus, options_for(corpus, training.preset, **{**training.overrides(), **overrides}), cut_like
    return corpus, options_of(corpus, replace(training, **overrides)), cut_like


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
        from bpe_tui.cli.verify import check_verifiable

        if options.pre_tokenizer == "file":
            raise OptionError(_("--verify cannot be given with this --like: no option says how the text is cut"))
        check_verifiable(corpus, options)


def _counting(
    corpus: Corpus, options: Options, like: Like | None, progress: Callable[[Progress], None] | None
) -> AbstractContextManager[Callable[[], WordCounts]]:
    """Count the corpus, in part while other things are done; what it gives waits for the words."""
    if like is None or like.is_plain:
        from bpe_tui.core.corpus.aside import counted_aside

        return counted_aside(corpus, options, progress)
    from bpe_tui.formats.huggingface.like import count_words_like

    return nullcontext(partial(count_words_like, like, corpus, options, progress=progress))


def _written(out: str, format_name: str | None, trainer: Trainer, like: Like | None, corpus: Corpus) -> tuple[str, ...]:
    """Write what was trained, and return notes. Raises TokenizerFileError."""
    from bpe_tui.formats.model import TokenizerModel
    from bpe_tui.formats.registry import SESSION, format_for, write_session, write_tokenizer

    if like is None and corpus.names and format_for(out, format_name) is SESSION:
        from bpe_tui.formats.session.training import save

        return write_session(out, save(trainer, corpus.names, word_counts=corpus.is_word_counts))
    vocabulary, options = trainer.vocabulary(), trainer.options
    model = TokenizerModel(vocabulary, options) if like is None else like.model(vocabulary, options)
    return write_tokenizer(out, model, format_name)


def _files_in_folder(out: str) -> tuple[str, str] | None:
    """The two files of GPT-2's format, if they went into a folder that was named without them."""
    from bpe_tui.formats.gpt2 import both_files

    return both_files(out) if Path(out).is_dir() else None


def merge_log(trainer: Trainer) -> str:
    """The merges as an aligned table, then the sentence that says why training stopped."""
    from bpe_tui.cli.table import last_column, lines, number_column, shown, text_column
    from bpe_tui.core.teaching.explain import stop_sentence

    steps = trainer.steps
    sentence = stop_sentence(trainer) + "\n"
    if not steps:
        return sentence
    known, existed = shown(trainer.texts), _("token existed already")
    merges = [step.merge for step in steps]
    pairs = [(known[merge.left], known[merge.right]) for merge in merges]
    rows = lines(
        number_column("#", range(1, len(steps) + 1)),
        text_column(_("pair"), [(f"{left} + {right}", cells + 3 + more) for (left, cells), (right, more) in pairs]),
        text_column(_("token"), [known[merge.token] for merge in merges]),
        number_column(_("counted"), [step.counted for step in steps]),
        number_column(_("replaced"), [step.replaced for step in steps]),
        number_column(_("tied"), [step.tied if step.tied > 1 else "-" for step in steps]),
        last_column("", [existed if step.reused else "" for step in steps]),
    )
    return f"{rows}\n{sentence}"


def report(trainer: Trainer) -> dict[str, Any]:
    """The whole training as one JSON object; its fields are a contract."""
    from bpe_tui.core.corpus.alphabet import alphabet_text

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
