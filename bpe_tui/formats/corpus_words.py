"""The words of a corpus as a tokenizer from a file cuts it, and the report on both.

Words are counted as for training, in blocks and by several processes, wherever options say how the tokenizer cuts a
text. Of a text that is cut by one of the GPT patterns the pieces between spaces are counted, from which the words
follow: such a pattern cuts `हिन्दी` in six, and what people call a word should be one. What only the components of the
tokenizer's file say is cut by these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from bpe_tui.core.corpus.chunking import PIECES, Chunker
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.types import Progress
from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _
from bpe_tui.core.teaching.report import CountedFile, Report, report_on
from bpe_tui.formats.huggingface.dialect import FileDialect
from bpe_tui.formats.huggingface.like import count_with
from bpe_tui.formats.sentencepiece.dialect import SentencePieceDialect

if TYPE_CHECKING:
    from bpe_tui.core.corpus.sources import Corpus
    from bpe_tui.core.corpus.types import OnProgress
    from bpe_tui.core.encoding.splitter import CorpusSplitter
    from bpe_tui.core.options import Options
    from bpe_tui.formats.model import TokenizerModel


def report_of(
    model: TokenizerModel,
    corpus: Corpus | None = None,
    documents: str | None = None,
    *,
    progress: OnProgress | None = None,
) -> Report:
    """The figures of a tokenizer, and of a corpus if one is given.

    `documents` is what a document is, by default as `documents_for` has it. Raises `BpeError`.
    """
    files = None if corpus is None else counted_files(model, corpus, documents, progress=progress)
    return report_on(model.encoder(), model.vocabulary, files, unknown=model.unknown, progress=progress)


def documents_for(model: TokenizerModel) -> str:
    """What a document is unless the user says otherwise.

    It is a file, as for `encode`, where a long text can be cut without changing a word, and otherwise a line with its
    end. It is a line without its end where a newline is unknown or no end of a word: so those tokenizers are trained.
    """
    options = model.options.replace(specials=())
    cuts_lines = options.pre_tokenizer == "spaces" or isinstance(model.dialect, SentencePieceDialect)
    if cuts_lines or any(token.unknown for token in model.encoder().encode("\n")):
        return "lines"
    return "files" if Chunker(options).cuts_at_spaces and _own_splitter(model) is None else "lines-keepends"


def counted_files(
    model: TokenizerModel, corpus: Corpus, documents: str | None = None, *, progress: OnProgress | None = None
) -> Iterator[CountedFile]:
    """The words of each file of a corpus, special tokens in it plain text as in `encode`. Raises `BpeError`."""
    options = model.options.replace(documents=documents or documents_for(model), specials=())
    if corpus.is_word_counts and _own_splitter(model) is not None:
        raise OptionError(
            _("{name} is a word-count table, and this tokenizer changes a text before it is cut; give the text").format(
                name=corpus.name
            )
        )
    sizes = [source.size for source in corpus.sources]
    total = 0 if None in sizes else sum(size or 0 for size in sizes)
    before = 0
    for source, size in zip(corpus.sources, sizes, strict=True):
        told = None if progress is None else _moved(progress, before, total)
        yield _counted(model, replace(corpus, name=source.name, sources=(source,)), options, told)
        before += size or 0


def _own_splitter(model: TokenizerModel) -> CorpusSplitter | None:
    """What cuts a text where options do not say it all; None if they do."""
    dialect = model.dialect
    if isinstance(dialect, SentencePieceDialect):
        return dialect.splitter_for(model.vocabulary.ids)
    if isinstance(dialect, FileDialect) and (
        model.options.pre_tokenizer == "file" or any(not token.special for token in dialect.added)
    ):
        return dialect.own_splitter
    return None


def _counted(model: TokenizerModel, corpus: Corpus, options: Options, progress: OnProgress | None) -> CountedFile:
    if (splitter := _own_splitter(model)) is not None and not corpus.is_word_counts:
        words, added = count_with(splitter, corpus, options, progress=progress)
        return CountedFile(corpus.name, words, added)
    if are_pieces := Chunker(options).cuts_like_gpt and not corpus.is_word_counts:
        options = options.replace(pattern=PIECES, pre_tokenizer="pattern")
    words = count_words(corpus, options, progress=progress, trains=False)
    return CountedFile(corpus.name, words, are_pieces=are_pieces)


def _moved(progress: OnProgress, before: int, total: int) -> OnProgress:
    """Progress of one file as that of all."""
    return lambda one: progress(Progress(one.phase, before + one.done, total or one.total))
