"""`bpe-tui report`: what is good and bad about a tokenizer, by itself and for a text."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bpe_tui.cli import options as opt
from bpe_tui.cli import output
from bpe_tui.cli.language import help_of
from bpe_tui.cli.options import TrainingChoices, complete_corpus, corpus_of, name_option, text_option, training_choices
from bpe_tui.cli.progress import progress_bar
from bpe_tui.cli.reading import read_model
from bpe_tui.cli.table import lines, number_column, text_column
from bpe_tui.cli.text import as_file_name
from bpe_tui.core.display import clip, width
from bpe_tui.core.i18n import _, current_language, plural, unbroken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bpe_tui.cli.commands.report_tables import ReportRow, ReportSection, ReportText
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.teaching.report import CorpusReport, FertilityGroup, Report, TextUse, VocabularyReport

COLUMNS: Final = 80
"""Of a terminal that does not say how wide it is, or of a file."""
WIDEST: Final = 100
"""Columns that are used at most: longer lines are harder to read."""
LISTED: Final = 10
"""Rows of a list on the screen, ..."""
LISTED_IN_HTML: Final = 100
"""... and in HTML."""
LONGEST_BAR: Final = 30
LEAST_BAR: Final = 6
INDENT: Final = "  "
BLOCKS: Final = " ▏▎▍▌▋▊▉█"
"""Eighths of a cell."""


def report(
    context: typer.Context,
    tokenizer: Annotated[
        str,
        typer.Argument(
            metavar="TOKENIZER", help=_("The tokenizer file, of any format."), parser=as_file_name, show_default=False
        ),
    ],
    corpora: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CORPUS]...",
            help=_("A bundled corpus by name, text files, folders, a word-count table (.tsv, .json), or - for stdin."),
            parser=as_file_name,
            autocompletion=complete_corpus,
            show_default=False,
        ),
    ] = None,
    preset: opt.Preset = None,
    documents: opt.Documents = None,
    pre_tokenizer: opt.PreTokenizer = None,
    pattern: opt.Pattern = None,
    alphabet: opt.Alphabet = None,
    end_of_word: opt.EndOfWord = None,
    end_of_word_style: opt.EndOfWordStyle = None,
    specials: opt.Specials = None,
    unk: opt.Unk = None,
    word_counts: opt.IsWordCounts = False,
    encoding: opt.Encoding = None,
    max_memory: opt.MaxMemory = None,
    text: Annotated[
        str | None, text_option("--text", metavar="TEXT", what=_("A text to report on instead of a corpus."))
    ] = None,
    as_json: opt.AsJson = False,
    html: Annotated[
        str | None,
        name_option(
            "--html", metavar="FILE", what=_("Also write the report to this file, as one page that needs no other.")
        ),
    ] = None,
    from_name: opt.ReadFormat = None,
) -> None:
    """Report on a tokenizer: its vocabulary, and how well it fits a text.

    Of the vocabulary it shows the lengths and scripts of the tokens, and those that no text can ever be encoded to. Of
    a text, tokens per word by kind of word and script, the words that cost most, unknown symbols, how many of the
    merges the text needs, and which tokens it uses often, seldom or never.
    """
    from bpe_tui.core.errors import OptionError
    from bpe_tui.formats.corpus_words import documents_for, report_of

    choices = training_choices(context)
    if text is not None and corpora:
        raise OptionError(_("--text and a corpus are two things to report on; give one of them"))
    if html is not None:
        _check_writable(html)
    model = read_model(tokenizer, replace(choices, documents=None), from_name)
    corpus = _corpus(corpora or [], text, choices)
    if html is not None:
        _refuse_overwriting(html, tokenizer, corpus)
    with progress_bar() as progress:
        found = report_of(model, corpus, choices.documents, progress=progress)
    unit = choices.documents or documents_for(model)
    if html is not None:
        _write(html, _page(found, tokenizer, corpus, unit, model.options))
    if as_json:
        output.write_json(as_json_value(found, tokenizer, corpus, unit))
        return
    output.write(as_text(_described(found, tokenizer, corpus, unit, model.options, LISTED), _columns(), _blocks()))


def _corpus(names: list[str], text: str | None, choices: TrainingChoices) -> Corpus | None:
    from bpe_tui.core.corpus.sources import text_corpus

    if text is not None:
        return text_corpus(text, _("a text"))
    return corpus_of(names, choices) if names else None


def _described(
    found: Report, tokenizer: str, corpus: Corpus | None, documents: str, options: Any, most: int
) -> ReportText:
    from bpe_tui.cli.commands.report_tables import described
    from bpe_tui.core.readable import Notation

    is_text = corpus is not None and not corpus.is_word_counts
    return described(
        found,
        Path(tokenizer).name or tokenizer,
        "" if corpus is None else corpus.name,
        Notation.of(options),
        most=most,
        documents=documents if is_text else "",
    )


# -- the file ---------------------------------------------------------------------------------------------------------


def _page(found: Report, tokenizer: str, corpus: Corpus | None, documents: str, options: Any) -> str:
    from bpe_tui.cli.commands.report_html import page

    said = _described(found, tokenizer, corpus, documents, options, LISTED_IN_HTML)
    return page(said, current_language(), found.corpus)


def _check_writable(path: str) -> None:
    """Find out before the work whether a file can be written. Raises OptionError."""
    from bpe_tui.core.errors import OptionError, TokenizerFileError
    from bpe_tui.formats.files import target_of

    if not path or path == "-":
        raise OptionError(_("--html needs the name of a file"))
    if Path(path).is_dir():
        raise OptionError(_("{name} is a folder; name a file in it").format(name=path))
    try:
        folder = target_of(path).parent
    except TokenizerFileError as error:
        raise OptionError(f"{path} {error}") from error
    if not folder.is_dir():
        raise OptionError(_("{name} cannot be written, its folder does not exist").format(name=path))


def _refuse_overwriting(path: str, tokenizer: str, corpus: Corpus | None) -> None:
    """Raises OptionError where the report would take the place of what it is on."""
    from bpe_tui.core.errors import OptionError

    is_tokenizer = Path(path).exists() and Path(tokenizer).exists() and Path(path).samefile(tokenizer)
    if is_tokenizer or (corpus is not None and corpus.comes_from(path)):
        raise OptionError(_("{name} is one of the inputs; name another file to write to").format(name=path))


def _write(path: str, page: str) -> None:
    from bpe_tui.core.errors import OptionError, TokenizerFileError
    from bpe_tui.formats.files import write_atomically

    try:
        write_atomically(path, page.encode())
    except TokenizerFileError as error:
        raise OptionError(f"{path} {error}") from error


# -- as text ----------------------------------------------------------------------------------------------------------


def _columns() -> int:
    return min(shutil.get_terminal_size((COLUMNS, 24)).columns, WIDEST) if output.is_terminal(sys.stdout) else COLUMNS


def _blocks() -> str:
    """What bars are drawn with: eighths of a block, or # where the encoding lacks them."""
    try:
        BLOCKS.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return " #"
    return BLOCKS


def as_text(said: ReportText, columns: int = COLUMNS, blocks: str = BLOCKS) -> str:
    """The report as lines of at most `columns` cells, the bars drawn with `blocks`."""
    parts = [f"{said.title}\n"]
    if said.summary:
        parts.append(_paragraph(" ".join(said.summary), columns, ""))
    if said.figures:
        parts.append(_table(("", "", ""), frozenset((1,)), said.figures, columns, blocks, heads=False))
    parts += [_section(section, columns, blocks) for section in said.sections]
    if said.legend:
        parts.append(_paragraph(said.legend, columns, ""))
    return "\n".join(parts)


def _section(section: ReportSection, columns: int, blocks: str) -> str:
    text = f"{section.title}\n"
    if section.sentence:
        text += _paragraph(section.sentence, columns, INDENT)
    if section.rows:
        text += _table(section.heads, section.numeric, section.rows, columns, blocks)
    if section.tokens:
        text += _paragraph(" ".join(section.tokens), columns, INDENT)
    if section.left_out:
        text += INDENT + plural("… and {count} more", "… and {count} more", section.left_out) + "\n"
    return text


def _table(
    titles: Sequence[str],
    numeric: frozenset[int],
    rows: Sequence[ReportRow],
    columns: int,
    blocks: str,
    *,
    heads: bool = True,
) -> str:
    made = []
    for place, title in enumerate(titles):
        texts = [_joined(row.cells[place]) for row in rows]
        if place in numeric:
            made.append(number_column(title, texts))
        else:
            made.append(text_column(title, [(text, width(text)) for text in texts]))
    drawn = lines(*made).splitlines()
    room = min(columns - len(INDENT) - max(map(width, drawn)) - 2, LONGEST_BAR)
    if rows and rows[0].bar is not None and room >= LEAST_BAR:
        across = max(map(width, drawn))
        bars = ["", *(bar(row.bar or 0, room, blocks) for row in rows)]
        drawn = [
            f"{line}{' ' * (across - width(line))}  {drawn_bar}".rstrip()
            for line, drawn_bar in zip(drawn, bars, strict=True)
        ]
    return "".join(f"{INDENT}{clip(line, columns - len(INDENT))}\n" for line in drawn[0 if heads else 1 :])


def bar(share: float, cells: int, blocks: str = BLOCKS) -> str:
    """A bar of at most `cells` cells; more than nothing is at least its smallest part."""
    parts = len(blocks) - 1
    length = round(share * cells * parts)
    if share > 0:
        length = max(length, 1)
    whole, rest = divmod(length, parts)
    return blocks[-1] * whole + (blocks[rest] if rest else "")


def _joined(cell: str | tuple[str, ...]) -> str:
    return cell if isinstance(cell, str) else " ".join(cell)


def _paragraph(text: str, columns: int, indent: str) -> str:
    from bpe_tui.lessons.results import wrap

    lines = wrap(unbroken(text), indent, indent, columns)
    return "".join(f"{clip(line, columns)}\n" for line in lines)


# -- as JSON ----------------------------------------------------------------------------------------------------------


def as_json_value(found: Report, tokenizer: str, corpus: Corpus | None, documents: str) -> dict[str, Any]:
    """The report as one JSON object; tokens as they are in files."""
    value: dict[str, Any] = {"tokenizer": tokenizer, "vocabulary": _vocabulary(found.vocabulary), "corpus": None}
    if corpus is not None and found.corpus is not None:
        value["corpus"] = _corpus_value(found.corpus, corpus, documents)
    return value


def _vocabulary(own: VocabularyReport) -> dict[str, Any]:
    return {
        "size": own.size,
        "specials": own.specials,
        "symbols": own.symbols,
        "merged": own.merged,
        "others": own.others,
        "merges": own.merges,
        "by_length": [{"length": length, "tokens": tokens} for length, tokens in own.by_length.items()],
        "by_script": [{"name": script, "tokens": tokens} for script, tokens in own.by_script.items()],
        "longest": [{"text": text, "length": length} for text, length in own.longest],
        "unreachable": [
            {"id": token.id, "text": token.text, "reason": str(token.reason), "becomes": list(token.becomes)}
            for token in own.unreachable
        ],
    }


def _corpus_value(found: CorpusReport, corpus: Corpus, documents: str) -> dict[str, Any]:
    return {
        **_text_use(found.total),
        "name": corpus.name,
        "documents": found.documents,
        "document": None if corpus.is_word_counts else documents,
        "pre_tokens": found.pre_tokens,
        "distinct": found.distinct,
        "by_tokens": [{"tokens": tokens, "words": words} for tokens, words in found.by_tokens.items()],
        "by_class": _groups((str(kind), group) for kind, group in found.by_class.items()),
        "by_script": _groups(found.by_script.items()),
        "by_use": [
            {"least": band.least, "most": band.most, "tokens": band.tokens, "occurrences": band.occurrences}
            for band in found.by_use
        ],
        "most_used": [{"id": use.id, "text": use.text, "count": use.count} for use in found.most_used],
        "never_used": [{"id": use.id, "text": use.text} for use in found.never_used],
        "costly": [{"text": word.text, "count": word.count, "tokens": list(word.tokens)} for word in found.costly],
        "unknown_symbols": [{"text": text, "count": count} for text, count in found.unknown_symbols],
        "depths": [{"merges": depth.merges, "needed": depth.needed, "made": depth.made} for depth in found.depths],
        "files": [_text_use(file) for file in found.files],
    }


def _text_use(use: TextUse) -> dict[str, Any]:
    return {
        "name": use.name,
        "characters": use.characters,
        "bytes": use.bytes,
        "words": use.words,
        "tokens": use.tokens,
        "unknown": use.unknown,
        "left_out": use.left_out,
        "whole_words": use.whole_words,
        "merges_for_half": use.half,
        "merges_for_nine_tenths": use.most,
    }


def _groups(groups: Iterable[tuple[str, FertilityGroup]]) -> list[dict[str, Any]]:
    return [{"name": name, "words": group.words, "tokens": group.tokens} for name, group in groups]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("report", help=help_of(report))(report)
