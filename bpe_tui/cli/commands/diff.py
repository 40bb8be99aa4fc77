"""`bpe-tui diff`: one corpus, two ways to train on it, and where they diverge; or two tokenizers on one text."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.commands.encode import on_one_line
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import TrainingChoices, choice_option, corpus_of, options_of, text_option, training_choices
from bpe_tui.cli.progress import progress_bar
from bpe_tui.cli.table import last_column, lines, number_column, text_column
from bpe_tui.core.display import visible, width
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.options import PRESETS, TIE_RULES
from bpe_tui.core.readable import AS_IN_FILES

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import Progress, WordCounts
    from bpe_tui.core.encoding.encoder import Token
    from bpe_tui.core.options import Options
    from bpe_tui.core.teaching.comparison import Comparison, Tie
    from bpe_tui.core.training.rows import PairRow
    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.formats.model import TokenizerModel

DIFFERENT: Final = 1
"""Exit status of `--exit-code` when the two are not the same."""
SHOWN_PAIRS: Final = 12
SHOWN_TOKENS: Final = 8


def diff(
    context: typer.Context,
    corpora: opt.Corpora,
    documents: opt.Documents = None,
    pre_tokenizer: opt.PreTokenizer = None,
    pattern: opt.Pattern = None,
    alphabet: opt.Alphabet = None,
    end_of_word: opt.EndOfWord = None,
    end_of_word_style: opt.EndOfWordStyle = None,
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
    tie_rules: Annotated[
        list[str] | None, choice_option("--ties", _("A tie rule; give two to compare them: {names}."), TIE_RULES)
    ] = None,
    presets: Annotated[
        list[str] | None,
        choice_option("--preset", _("A tool's dialect; give two to compare them: {names}."), PRESETS),
    ] = None,
    sample: Annotated[
        str | None, text_option("--sample", metavar="TEXT", what=_("The text to encode by both."))
    ] = None,
    texts: Annotated[
        list[str] | None, text_option("--text", metavar="TEXT", what=_("The text to compare two tokenizers on."))
    ] = None,
    as_json: opt.AsJson = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help=_("Exit with status 1 if the two differ."))] = False,
) -> None:
    """Train under two tie rules or presets, or compare two tokenizer files on a text.

    Of two ways to train it shows the first merge in which they differ, the pairs that were tied there, how many tokens
    both vocabularies share, and a sample text encoded by both.

    Of two tokenizers (`diff A.json B.tiktoken --text TEXT`, or text files after them) it shows how many tokens either
    needs, per kind of word and per script, and explains the first differences.
    """
    from bpe_tui.cli.commands.diff_tokenizers import diff_tokenizers, tokenizers_among
    from bpe_tui.core.teaching.comparison import compare, sample_text

    if (found := tokenizers_among(corpora)) or texts:
        is_equal = diff_tokenizers(
            found,
            [name for name in corpora if name not in found],
            texts or [],
            training_choices(context),
            refused={"--ties": bool(tie_rules), "--preset": bool(presets), "--sample": sample is not None},
            as_json=as_json,
        )
        if exit_code and not is_equal:
            raise typer.Exit(DIFFERENT)
        return
    training = training_choices(context)
    choices = _two_of(training, tie_rules or [], presets or [])
    labels = _labels(tie_rules or [], presets or [])
    corpus = _readable_twice(corpora, training)
    options = (options_of(corpus, choices[0]), options_of(corpus, choices[1]))
    with progress_bar() as progress:
        words = _count(corpus, options, progress)
        trainers = (_trained(words[0], options[0], progress), _trained(words[1], options[1], progress))
    comparison = compare(*trainers)
    text = sample if sample is not None else sample_text(*trainers, comparison)
    sides = (side_of(labels[0], trainers[0], text), side_of(labels[1], trainers[1], text))
    for line in dict.fromkeys((*words[0].notes, *words[1].notes)):
        output.note(line)
    if as_json:
        output.write_json(report(comparison, sides, text))
    else:
        output.write(described(comparison, sides, text))
    if exit_code and not comparison.equal:
        raise typer.Exit(DIFFERENT)


def _two_of(training: TrainingChoices, ties: list[str], presets: list[str]) -> tuple[TrainingChoices, TrainingChoices]:
    """The choices of either side. Raises OptionError unless two tie rules or two presets are compared."""
    from bpe_tui.core.errors import OptionError

    for flag, names in (("--ties", ties), ("--preset", presets)):
        if len(names) > 2:
            message = plural(
                "{flag} is given {count} time; two ways can be compared",
                "{flag} is given {count} times; two ways can be compared",
                len(names),
                flag=flag,
            )
            raise OptionError(message)
        if len(names) == 2 and names[0] == names[1] and not (flag == "--preset" and len(ties) == 2):
            message = _("{flag} {name} twice is one way to train; give two different ones")
            raise OptionError(message.format(flag=flag, name=names[0]))
    if len(ties) < 2 and len(presets) < 2:
        raise OptionError(_("there is nothing to compare; give --ties twice, or --preset twice"))
    first, second = (
        replace(
            training,
            ties=ties[min(place, len(ties) - 1)] if ties else None,
            preset=presets[min(place, len(presets) - 1)] if presets else None,
        )
        for place in (0, 1)
    )
    return first, second


def _labels(ties: list[str], presets: list[str]) -> tuple[str, str]:
    if len(presets) < 2 or presets[0] == presets[1]:
        return ties[0], ties[1]
    if len(ties) < 2:
        return presets[0], presets[1]
    return f"{presets[0]} with {ties[0]}", f"{presets[1]} with {ties[1]}"  # also a name in JSON


def _readable_twice(names: list[str], training: TrainingChoices) -> Corpus:
    """The corpus, standard input read to its end. Raises BpeError and UnicodeDecodeError."""
    from bpe_tui.core.corpus.memory import read_all
    from bpe_tui.core.corpus.sources import STDIN, Source

    corpus = corpus_of(names, training)
    if STDIN not in names or sys.stdin is None:
        return corpus
    text = read_all(Source("stdin", encoding=corpus.sources[0].encoding).open(), "stdin").decode("utf-8-sig")
    sources = tuple(
        source if source.path is not None or source.text is not None else replace(source, text=text)
        for source in corpus.sources
    )
    return replace(corpus, sources=sources)


def _count(
    corpus: Corpus, options: tuple[Options, Options], progress: Callable[[Progress], None] | None
) -> tuple[WordCounts, WordCounts]:
    """The words of either side, counted once if both cut the text alike."""
    from bpe_tui.core.corpus.counting import count_words

    first = count_words(corpus, options[0], progress=progress)
    if corpus.is_word_counts or _cutting(options[0]) == _cutting(options[1]):
        return first, first
    return first, count_words(corpus, options[1], progress=progress)


def _cutting(options: Options) -> tuple[object, ...]:
    """What decides about the words of a text."""
    return (
        options.documents,
        options.pre_tokenizer,
        options.pattern,
        options.specials,
        options.specials_in_corpus,
        options.protected,
    )


def _trained(words: WordCounts, options: Options, progress: Callable[[Progress], None] | None) -> Trainer:
    from bpe_tui.core.training.trainer import Trainer

    trainer = Trainer(words, options, progress=progress)
    trainer.run(progress=progress)
    return trainer


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two ways."""

    label: str
    """What the user called it: its tie rule, its preset, or both."""
    trainer: Trainer
    model: TokenizerModel
    tokens: list[Token]
    """Of the sample text."""


def side_of(label: str, trainer: Trainer, text: str) -> Side:
    """One of the two ways, and the text as it encodes it."""
    from bpe_tui.formats.model import TokenizerModel

    model = TokenizerModel(trainer.vocabulary(), trainer.options)
    return Side(label, trainer, model, model.encoder().encode(text))


# -- as text ----------------------------------------------------------------------------------------------------------


def described(comparison: Comparison, sides: tuple[Side, Side], text: str) -> str:
    """The comparison in plain words, tables where there are pairs and tokens."""
    return "\n".join((_where_they_part(comparison, sides), _what_they_share(comparison, sides), _samples(sides, text)))


def _where_they_part(comparison: Comparison, sides: tuple[Side, Side]) -> str:
    difference = comparison.first_difference
    first, second = sides
    if difference is None:
        return (
            plural(
                "{first} and {second} make the same {count} merge.",
                "{first} and {second} make the same {count} merges.",
                len(first.trainer.steps),
                first=first.label,
                second=second.label,
            )
            + "\n"
        )
    names = {"first": first.label, "second": second.label, "number": number(difference.number)}
    if difference.number == 1:
        message = _("{first} and {second} diverge at merge {number}.").format(**names)
    else:
        message = plural(
            "{first} and {second} diverge at merge {number}, after {count} merge that is the same.",
            "{first} and {second} diverge at merge {number}, after {count} merges that are the same.",
            difference.number - 1,
            **names,
        )
    sentences = [message]
    if difference.same_state and all(tie.picked for tie in difference.ties):
        tie = difference.ties[0]
        sentences.append(
            plural(
                "There {count} pair occurs {times}, and the tie rules differ:",
                "There {count} pairs occur {times} each, and the tie rules differ:",
                tie.total,
                times=_times(tie.pairs[0].count),
            )
        )
        return "\n".join(sentences) + "\n\n" + _tie_table(_joined(difference.ties), tie.total, sides)
    for side, tie in zip(sides, difference.ties, strict=True):
        sentences.append(_fate(side, tie))
    return "\n".join(sentences) + "\n"


def _fate(side: Side, tie: Tie) -> str:
    """What one side does where the two diverge, if they do not choose among the same pairs."""
    from bpe_tui.core.teaching.explain import stop_sentence

    if tie.picked is None:
        ends = _("{side} ends there.").format(side=side.label)
        return f"{ends} {stop_sentence(side.trainer)}"
    known = {"side": side.label, "pair": _pair(tie.picked), "times": _times(tie.picked.count)}
    if tie.total == 1:
        return _("{side} merges {pair}, which occurs {times}, more often than any other pair.").format(**known)
    others = [_pair(row) for row in tie.pairs if row is not tie.picked][:SHOWN_TOKENS]
    more = ", …" if tie.total - 1 > len(others) else ""
    return plural(
        "{side} merges {pair}, which occurs {times}, tied with {count} more: {pairs}.",
        "{side} merges {pair}, which occurs {times}, tied with {count} more: {pairs}.",
        tie.total - 1,
        pairs=", ".join(others) + more,
        **known,
    )


def _joined(ties: tuple[Tie, Tie]) -> list[tuple[PairRow, tuple[bool, bool]]]:
    """The tied pairs, those that were picked first, each with who picked it."""
    picked = [(tie.picked.left, tie.picked.right) if tie.picked else None for tie in ties]
    rows = {(row.left, row.right): row for tie in ties for row in tie.pairs}
    order = sorted(rows, key=lambda pair: (pair != picked[0], pair != picked[1]))
    return [(rows[pair], (pair == picked[0], pair == picked[1])) for pair in order]


def _tie_table(rows: list[tuple[PairRow, tuple[bool, bool]]], total: int, sides: tuple[Side, Side]) -> str:
    listed = rows[:SHOWN_PAIRS]
    pairs = [_pair(row) for row, _flags in listed]
    tokens = [visible(row.token) for row, _flags in listed]
    picked_by = [", ".join(side.label for side, its in zip(sides, flags, strict=True) if its) for _row, flags in listed]
    table = lines(
        text_column(_("pair"), [(pair, width(pair)) for pair in pairs]),
        text_column(_("token"), [(token, width(token)) for token in tokens]),
        number_column(_("count"), [row.count for row, _flags in listed]),
        last_column(_("picked by"), picked_by),
    )
    if total == len(listed):
        return table
    return table + plural("… and {count} more", "… and {count} more", total - len(listed)) + "\n"


def _what_they_share(comparison: Comparison, sides: tuple[Side, Side]) -> str:
    sentences = [
        plural(
            "At the end both vocabularies share {count} token.",
            "At the end both vocabularies share {count} tokens.",
            comparison.shared,
        )
    ]
    for side, only in zip(sides, comparison.only, strict=True):
        if only:
            learned = [visible(token) for token in only[:SHOWN_TOKENS]]
            more = " …" if len(only) > SHOWN_TOKENS else ""
            message = plural(
                "Only {side} has {count}: {tokens}",
                "Only {side} has {count}: {tokens}",
                len(only),
                side=side.label,
                tokens=" ".join(learned) + more,
            )
            sentences.append(message)
    return "\n".join(sentences) + "\n"


def _samples(sides: tuple[Side, Side], text: str) -> str:
    table = lines(
        text_column("", [(side.label, len(side.label)) for side in sides]),
        number_column(_("tokens"), [len(side.tokens) for side in sides]),
        last_column("", [on_one_line(side.tokens, side.model) for side in sides]),
    )
    return _("Sample: {text}").format(text=visible(text)) + f"\n\n{table}"


def _pair(row: PairRow) -> str:
    return AS_IN_FILES.pair(row.left, row.right)


def _times(count: int) -> str:
    from bpe_tui.core.teaching.explain import times

    return times(count)


# -- as JSON ----------------------------------------------------------------------------------------------------------


def report(comparison: Comparison, sides: tuple[Side, Side], text: str) -> dict[str, Any]:
    """The comparison as one JSON object."""
    difference = comparison.first_difference
    return {
        "equal": comparison.equal,
        "sides": [_described_side(side) for side in sides],
        "parting": None
        if difference is None
        else {
            "merge": difference.number,
            "same_state": difference.same_state,
            "sides": [_described_tie(tie) for tie in difference.ties],
        },
        "shared": comparison.shared,
        "only": [list(tokens) for tokens in comparison.only],
        "sample": {
            "text": text,
            "sides": [
                [
                    {
                        "text": token.text,
                        "id": token.id,
                        "start": token.start,
                        "end": token.end,
                        "unknown": token.unknown,
                    }
                    for token in side.tokens
                ]
                for side in sides
            ],
        },
    }


def _described_side(side: Side) -> dict[str, Any]:
    trainer = side.trainer
    return {
        "name": side.label,
        "preset": trainer.options.preset,
        "options": trainer.options.as_dict(),
        "merges": len(trainer.steps),
        "vocab_size": trainer.vocab_size,
        "stopped": trainer.stop.value if trainer.stop is not None else None,
    }


def _described_tie(tie: Tie) -> dict[str, Any]:
    return {
        "picked": _described_pair(tie.picked) if tie.picked is not None else None,
        "tied": tie.total,
        "pairs": [_described_pair(row) for row in tie.pairs],
    }


def _described_pair(row: PairRow) -> dict[str, Any]:
    return {"left": row.left, "right": row.right, "token": row.token, "count": row.count}


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("diff", help=help_of(diff))(diff)
