"""The half of `bpe-tui diff` that compares two tokenizer files on a text: tokens, fertility, and first differences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bpe_tui.cli import output
from bpe_tui.cli.options import corpus_of
from bpe_tui.cli.progress import progress_bar
from bpe_tui.cli.reading import read_model
from bpe_tui.cli.table import last_column, lines, number_column, text_column
from bpe_tui.core.display import visible, width
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.readable import AS_IN_FILES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bpe_tui.cli.options import TrainingChoices
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import Progress
    from bpe_tui.core.teaching.fertility import Fertility, FoundDifference, TextComparison
    from bpe_tui.core.teaching.side_by_side import ComparedTokenizer
    from bpe_tui.formats.model import TokenizerModel

LONGEST_SHOWN: Final = 40
"""Characters of a difference that the table shows."""


def tokenizers_among(names: list[str]) -> list[str]:
    """The names of tokenizers, known by what is in the files."""
    from bpe_tui.formats.unsupported import may_be_tokenizer

    possible = [name for name in names if may_be_tokenizer(name)]
    if not possible:
        return []
    from bpe_tui.formats.registry import recognise

    return [name for name in possible if recognise(name) is not None]


def diff_tokenizers(
    tokenizers: list[str],
    corpora: list[str],
    texts: list[str],
    training: TrainingChoices,
    *,
    refused: Mapping[str, bool],
    as_json: bool,
) -> bool:
    """Compare two tokenizers on texts and corpora, and print that; True if they give the same tokens.

    `refused` are the options that only make sense for trainings, and whether they were given. Raises `BpeError`, and
    UnicodeDecodeError for a corpus that is not UTF-8.
    """
    from bpe_tui.core.errors import OptionError
    from bpe_tui.core.teaching.fertility import TextComparison

    if len(tokenizers) != 2:
        message = plural(
            "two tokenizer files can be compared on a text; {count} was named",
            "two tokenizer files can be compared on a text; {count} were named",
            len(tokenizers),
        )
        raise OptionError(message)
    for flag, is_given in refused.items():
        if is_given:
            message = _("{flag} is for comparing ways to train; two tokenizers are compared as they are")
            raise OptionError(message.format(flag=flag))
    if not corpora and not texts:
        raise OptionError(_("there is no text to compare the two on; give --text, or a text file after them"))
    corpus = corpus_of(corpora, training) if corpora else None
    if corpus is not None and corpus.is_word_counts:
        raise OptionError(_("{name} is a word-count table; compare tokenizers on a text").format(name=corpus.name))
    models = [read_model(path, training) for path in tokenizers]
    first, second = _names(tokenizers)
    comparison = TextComparison((_side(first, models[0]), _side(second, models[1])))
    for text in texts:
        comparison.add(text)
    if corpus is not None:
        with progress_bar() as progress:
            for piece in _pieces(corpus, progress):
                comparison.add(piece)
    if as_json:
        output.write_json(report(comparison, models))
    else:
        output.write(described(comparison, models))
    return comparison.equal


def _names(paths: list[str]) -> tuple[str, str]:
    """What the two are called: their files' names, or as they were given where these are the same."""
    first, second = (Path(path).name or path for path in paths)
    if first == second:
        first, second = paths
    return visible(first), visible(second) if first != second else f"{visible(second)} (2)"


def _side(name: str, model: TokenizerModel) -> ComparedTokenizer:
    from bpe_tui.core.teaching.side_by_side import ComparedTokenizer

    return ComparedTokenizer(name, model.encoder(), AS_IN_FILES, model.unknown)


def _pieces(corpus: Corpus, progress: Callable[[Progress], None] | None) -> Iterator[str]:
    """The texts of a corpus, piece by piece."""
    from bpe_tui.core.corpus.types import Progress
    from bpe_tui.core.teaching.fertility import pieces_of

    total = sum(source.size or 0 for source in corpus.sources)
    done = 0

    def add(count: int) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(Progress("comparing", done, total))

    for source in corpus.sources:
        with source.open() as stream:
            yield from pieces_of(stream, add)


# -- as text ----------------------------------------------------------------------------------------------------------


def described(comparison: TextComparison, models: list[TokenizerModel]) -> str:
    """The comparison in tables and sentences."""
    by_class = {_(kind): group for kind, group in sorted(comparison.by_class.items(), key=_most_words)}
    parts = [_totals(comparison, models), _fertility(_("kind of word"), by_class, comparison)]
    if len(comparison.by_script) > 1:
        by_script = dict(sorted(comparison.by_script.items(), key=_most_words))
        parts.append(_fertility(_("script"), by_script, comparison))
    parts.append(_differences(comparison))
    return "\n".join(parts)


def _most_words(item: tuple[Any, Fertility]) -> int:
    return -item[1].words


def _totals(comparison: TextComparison, models: list[TokenizerModel]) -> str:
    sides = comparison.sides
    head = plural("{count} character", "{count} characters", comparison.characters)
    head += ", " + plural("{count} byte", "{count} bytes", comparison.bytes)
    head += ", " + plural("{count} word", "{count} words", comparison.words)
    words = max(1, comparison.words)
    table = lines(
        text_column("", [(side.name, width(side.name)) for side in sides]),
        number_column(_("vocabulary"), [len(model.vocabulary) for model in models]),
        number_column(_("tokens"), comparison.tokens),
        number_column(_("tokens per word"), [f"{count / words:.2f}" for count in comparison.tokens]),
        number_column(_("bytes per token"), [f"{comparison.bytes / max(1, count):.2f}" for count in comparison.tokens]),
        number_column(_("unknown"), comparison.unknown),
        number_column(_("left out"), comparison.left_out),
    )
    return f"{head}\n\n{table}"


def _fertility(title: str, groups: Mapping[str, Fertility], comparison: TextComparison) -> str:
    """Words, and tokens per word of either side, in a row for each group."""
    names = [side.name for side in comparison.sides]
    return lines(
        text_column(title, [(name, width(name)) for name in groups]),
        number_column(_("words"), [group.words for group in groups.values()]),
        *(
            text_column(name, [(text := f"{group.per_word(side):.2f}", len(text)) for group in groups.values()])
            for side, name in enumerate(names)
        ),
    )


def _differences(comparison: TextComparison) -> str:
    if comparison.equal:
        return _("Both cut this text into the same tokens.") + "\n"
    head = plural(
        "{count} place differs, of {spans}. The first:",
        "{count} places differ, of {spans}. The first:",
        comparison.differing,
        spans=number(comparison.spans),
    )
    rows = comparison.differences
    table = lines(
        number_column(_("place"), [row.start for row in rows]),
        *(text_column(side.name, [_tokens(row, place) for row in rows]) for place, side in enumerate(comparison.sides)),
        last_column(_("why"), [" ".join(row.sentences) for row in rows]),
    )
    return f"{head}\n\n{table}"


def _tokens(row: FoundDifference, side: int) -> tuple[str, int]:
    shown = " ".join(AS_IN_FILES.token(token) for token in row.tokens[side]) or "–"
    shown = shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 1] + "…"
    return shown, width(shown)


# -- as JSON ----------------------------------------------------------------------------------------------------------


def report(comparison: TextComparison, models: list[TokenizerModel]) -> dict[str, Any]:
    """The comparison as one JSON object."""
    return {
        "equal": comparison.equal,
        "text": {"characters": comparison.characters, "bytes": comparison.bytes, "words": comparison.words},
        "sides": [
            {
                "name": side.name,
                "vocab_size": len(model.vocabulary),
                "merges": len(model.vocabulary.merges),
                "tokens": comparison.tokens[place],
                "unknown": comparison.unknown[place],
                "left_out": comparison.left_out[place],
            }
            for place, (side, model) in enumerate(zip(comparison.sides, models, strict=True))
        ],
        "fertility": {
            "class": [_group(str(kind), group) for kind, group in comparison.by_class.items()],
            "script": [_group(script, group) for script, group in comparison.by_script.items()],
        },
        "spans": comparison.spans,
        "differing": comparison.differing,
        "differences": [
            {
                "start": row.start,
                "text": row.text,
                "tokens": [list(tokens) for tokens in row.tokens],
                "kind": row.kind,
                "why": list(row.sentences),
            }
            for row in comparison.differences
        ],
    }


def _group(name: str, group: Fertility) -> dict[str, Any]:
    return {"name": name, "words": group.words, "tokens": list(group.tokens)}
