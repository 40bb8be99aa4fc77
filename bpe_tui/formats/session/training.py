"""A training as a session, and a session as a training again: to the same state exactly, or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from bpe_tui.core.corpus.types import OnProgress, ShouldStop, WordCounts, raise_if_stopped
from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.core.training.states import Origin, Phase
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.continuing import Continuation
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.session.file import SavedCorpus, SavedSession, SavedStart


class CorpusChanged(TokenizerFileError):
    """The corpus is not the one any more that the session was made with."""


def digest(words: WordCounts) -> str:
    """A fingerprint of words, their counts and their order."""
    found = hashlib.sha256()
    for word, count in zip(words.words, words.counts, strict=True):
        found.update(word.encode("utf-8", "surrogatepass") + b"\0%d\n" % count)
    return f"sha256:{found.hexdigest()}"


def save(
    trainer: Trainer,
    names: Sequence[str],
    *,
    word_counts: bool = False,
    text: str = "",
    continuation: Continuation | None = None,
) -> SavedSession:
    """The session of a training, which may continue a tokenizer; `names` are what was opened."""

    def corpus() -> SavedCorpus:
        return SavedCorpus(tuple(names), word_counts, digest(trainer.counted_words))

    return saving(trainer, corpus, text=text, continuation=continuation)()


def saving(
    trainer: Trainer,
    corpus: Callable[[], SavedCorpus],
    *,
    text: str = "",
    walking: bool = False,
    selected: tuple[int, int] | None = None,
    continuation: Continuation | None = None,
) -> Callable[[], SavedSession]:
    """The saving of this moment, for a thread: it looks at nothing that training changes, `corpus()` included."""
    log, vocabulary = tuple(trainer.steps), trainer.taking_vocabulary(trainer.known)
    options, position, phase = trainer.options, trainer.position, trainer.phase

    def session() -> SavedSession:
        rules = [
            (number, made.rule)
            for number, (before, made) in enumerate(zip([None, *log], log, strict=False), start=1)
            if before is None or before.rule != made.rule
        ]
        start, model = None, TokenizerModel(vocabulary(), options)
        if continuation is not None:
            kept = sum(made.origin is Origin.TOKENIZER for made in log)
            start = SavedStart(continuation.name, continuation.model, kept)
            model = continuation.model_with(model.vocabulary, options)
        return SavedSession(
            model,
            position,
            tuple(number for number, made in enumerate(log, start=1) if made.own_choice),
            tuple(rules),
            text,
            corpus(),
            phase,
            walking,
            selected,
            start,
            sum(made.origin is Origin.SEED for made in log),
        )

    return session


def continuation_of(saved: SavedSession) -> Continuation | None:
    """The tokenizer that the training of a session continues."""
    return None if saved.start is None else Continuation(saved.start.name, saved.start.model)


def resume(
    saved: SavedSession,
    words: WordCounts,
    should_stop: ShouldStop | None = None,
    progress: OnProgress | None = None,
) -> Trainer:
    """Train on `words` as it was done in the session, and go to where it was.

    Raises `CorpusChanged` if these are not the words of the session, TokenizerFileError if its merges come out
    otherwise, and `Cancelled`.
    """
    if saved.corpus is not None and digest(words) != saved.corpus.digest:
        raise CorpusChanged(_("the corpus is not the one of the session any more"))
    options, start, continuation = saved.model.options, saved.start, continuation_of(saved)
    first = options.replace(ties=dict(saved.rules).get(1, options.ties))  # seeds follow it
    if start is None or continuation is None:
        trainer = Trainer(words, first, should_stop=should_stop, progress=progress)
    else:
        trainer = continuation.trainer(words, first, should_stop=should_stop, progress=progress)
    given = saved.seeds + (start.kept if start is not None else 0)
    if given < trainer.given:
        trainer.goto(given)
        trainer.set_ties(trainer.options.ties)  # drops the merges that another choice has replaced
    _replay(saved, trainer, should_stop, progress)
    merges, choices = saved.model.vocabulary.merges, set(saved.choices)
    for number, (merge, made) in enumerate(zip(merges, trainer.steps, strict=True), start=1):
        if merge != made.merge or made.own_choice != (number in choices):
            raise TokenizerFileError(_("merge {number} comes out otherwise than in the session").format(number=number))
    if trainer.options.ties != saved.model.options.ties:
        trainer.set_ties(saved.model.options.ties)
    trainer.goto(saved.position)
    if saved.phase in (Phase.COUNTED, Phase.PICKED):
        trainer.step_phase()
        if saved.phase is Phase.PICKED and trainer.step_phase() is not Phase.PICKED:
            raise TokenizerFileError(_("no pair can be picked where it was"))
    return trainer


def _replay(saved: SavedSession, trainer: Trainer, should_stop: ShouldStop | None, progress: OnProgress | None) -> None:
    """All merges of the session again, under its rules, own choices included."""
    merges, rules, choices = saved.model.vocabulary.merges, dict(saved.rules), set(saved.choices)
    turns = sorted({*rules, *choices, len(merges) + 1}, reverse=True)
    passed = [number for number in rules if number <= trainer.position]
    if passed:
        trainer.set_ties(rules[max(passed)])
    while trainer.position < len(merges):
        number = trainer.position + 1
        while turns[-1] < number:
            turns.pop()
        if number in rules:
            trainer.set_ties(rules[number])
        if number not in choices:
            end = turns[-2] if turns[-1] == number else turns[-1]
            trainer.goto(end - 1, should_stop, progress)
            raise_if_stopped(should_stop)
        if trainer.position < number:  # an own choice, or a pair that is too rare for the rule
            merge = merges[number - 1]
            try:
                trainer.choose(merge.left_id, merge.right_id)
            except OptionError:
                sentence = _("merge {number} of the session cannot be made on this corpus")
                raise TokenizerFileError(sentence.format(number=number)) from None


def corpus_names(saved: SavedCorpus, path: str) -> tuple[str, ...]:
    """What to open to have the corpus of the session in the file `path`.

    A file that is not where it was is looked for beside the session, so that both can be handed on together.
    """
    folder = Path(path).absolute().parent

    def found(name: str) -> str:
        beside = folder / Path(name).name
        moved = Path(name).name != name and not Path(name).exists() and beside.exists()
        inside = not Path(name).is_absolute() and (folder / name).exists()
        return str(beside) if moved else str(folder / name) if inside else name

    return tuple(map(found, saved.names))
