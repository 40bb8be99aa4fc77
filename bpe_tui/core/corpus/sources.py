"""Corpora: what a name on the command line refers to, the bundled ones, and how each is opened."""

from __future__ import annotations

import io
import os
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from bpe_tui.core.corpus.encodings import check_encoding, transcoded
from bpe_tui.core.corpus.pipes import OpenPipe, PipeStream, open_fifo
from bpe_tui.core.corpus.types import ShouldStop
from bpe_tui.core.errors import CorpusError, OptionError
from bpe_tui.core.i18n import _, plural, unreadable
from bpe_tui.core.options import DEFAULT_MERGES, Options, make_options
from bpe_tui.core.runtime import policy

STDIN: Final = "-"
STDIN_NAME: Final = "stdin"
"""What standard input is called in titles and sentences."""
TABLE_SUFFIXES: Final = (".tsv", ".json")
"""Files with these endings are word-count tables."""
CATALOGUE: Final = "corpora.toml"
"""The file in the folder of bundled corpora with one table for each of them."""


@dataclass(frozen=True, slots=True)
class Source:
    """One thing to read: a file, an open pipe, text in memory, or if it is none of these standard input."""

    name: str
    path: Path | None = None
    text: str | None = None
    encoding: str | None = None
    """The encoding of a file or a pipe, if not UTF-8."""
    pipe: OpenPipe | None = None
    """It can be read once only."""

    def open(self, should_stop: ShouldStop | None = None) -> BinaryIO:
        """A stream of bytes, in UTF-8 if the source is in its `encoding`.

        A pipe is waited for until `should_stop()`. Raises `CorpusError` if it cannot be opened, and `Cancelled`.
        """
        if self.text is not None:
            return io.BytesIO(self.text.encode("utf-8", "surrogatepass"))
        if self.encoding is None:
            return self._open(should_stop)
        return transcoded(self._open(should_stop), self.encoding, self.name)

    def _open(self, should_stop: ShouldStop | None) -> BinaryIO:
        if self.pipe is not None:
            return io.BufferedReader(PipeStream(self.pipe, should_stop or _never))
        if self.path is None:
            return io.BytesIO() if sys.stdin is None else sys.stdin.buffer
        try:
            if should_stop is not None and self.path.is_fifo():
                return io.BufferedReader(PipeStream(open_fifo(self.path), should_stop))
            return self.path.open("rb")
        except OSError as error:
            raise CorpusError(unreadable(self.name, error)) from error

    @property
    def size(self) -> int | None:
        """Bytes, if known before reading; None for pipes and devices."""
        if self.text is not None:
            return len(self.text) if self.text.isascii() else len(self.text.encode("utf-8", "surrogatepass"))
        if self.path is None or not self.path.is_file():
            return None
        return self.path.stat().st_size


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the names on the command line refer to."""

    name: str
    """For titles: `hug`, `x.txt`, `3 files`, `stdin`."""
    preset: str
    """The preset that it brings."""
    sources: tuple[Source, ...]
    is_word_counts: bool = False
    bundled_options: dict[str, object] = field(default_factory=dict)
    """Options that a bundled corpus brings beside its preset."""
    is_bundled: bool = False
    names: tuple[str, ...] = ()
    """What to open to have it again: its name if bundled, else whole paths; empty for stdin and text in memory."""

    def comes_from(self, path: str | Path) -> bool:
        """Is `path` one of the files that are read?"""
        place = _place(path)
        return any(source.path is not None and _place(source.path) == place for source in self.sources)


def _place(path: str | Path) -> str:
    """What two names of one file have in common."""
    return os.path.normcase(os.path.realpath(path))


@dataclass(frozen=True, slots=True)
class BundledCorpus:
    """A corpus that comes with the program, as the catalogue describes it."""

    name: str
    """What the user calls it, as in `bpe-tui open hug`."""
    path: Path
    """The file with its text or its word counts."""
    preset: str
    """The preset that it brings unless the user asks for another."""
    description: str
    """One line for lists."""
    options: dict[str, object]
    """Training options that differ from the preset, by their names in `Options`."""
    source: str
    """Where the text comes from."""
    licence: str
    """On which terms it may be passed on."""


# -- finding ----------------------------------------------------------------------------------------------------------


def find_corpus(names: Sequence[str], *, word_counts: bool = False, encoding: str | None = None) -> Corpus:
    """The corpus that `names` refer to.

    A name is a text file, a folder (all its files, sorted by path, hidden ones left out), `-` for standard input, a
    word-count table (`.tsv`, `.json`, or any file with `word_counts`), or the name of a bundled corpus; a file of that
    name goes first. The files of a folder are texts, unless all of them are tables. Raises `CorpusError` if a name
    refers to nothing, or tables and texts are mixed, and `OptionError` for an `encoding` that does not exist. Where no
    file may be reached, bundled corpora are all there is.
    """
    if not names:
        raise CorpusError(_("no corpus was named; give a file, a folder, - or a bundled corpus such as hug"))
    if len(names) == 1 and (bundled := _find_bundled(names[0])) is not None:
        corpus = open_bundled(bundled)
        if word_counts and not corpus.is_word_counts:
            raise CorpusError(_("{name} is a bundled text, not a word-count table").format(name=names[0]))
        if encoding is not None:
            raise OptionError(_("{name} is bundled, and in UTF-8; leave out --encoding").format(name=names[0]))
        return corpus
    if not policy().reaches_files:
        raise CorpusError(_("files are out of reach here; open a bundled corpus, or paste or upload a text"))
    sources: list[Source] = []
    tables: list[bool] = []
    for name in names:
        if _find_bundled(name) is not None:
            raise CorpusError(_("{name} is a bundled corpus; name it alone, or give a file").format(name=name))
        found = _sources(name)
        sources += found
        tables += [word_counts or all(map(_is_table, found))] * len(found)
    if any(tables) and not all(tables):
        text = sources[tables.index(False)].name
        table = sources[tables.index(True)].name
        raise CorpusError(
            _("{table} is a word-count table and {text} is a text; give one kind at a time").format(
                table=table, text=text
            )
        )
    name = Path(sources[0].name).name if len(sources) == 1 else plural("{count} file", "{count} files", len(sources))
    if encoding is not None:
        coding = check_encoding(encoding)
        sources = [replace(source, encoding=None if coding == "utf-8" else coding) for source in sources]
    places = () if STDIN in names else tuple(map(os.path.abspath, names))
    return Corpus(name, "toy" if all(tables) else "course", tuple(sources), all(tables), names=places)


def _find_bundled(name: str) -> BundledCorpus | None:
    """The bundled corpus of that name, if no file has the same one."""
    if not policy().reaches_files:
        return find_bundled(name)
    try:
        there = name == STDIN or os.path.lexists(name)  # a link that leads nowhere is a file that cannot be read
    except OSError:  # such as a name that is too long; opening the file raises the error again
        there = True
    return None if there else find_bundled(name)


def text_corpus(text: str, name: str = "text", *, word_counts: bool = False) -> Corpus:
    """A corpus in memory: a text, or a word-count table with a word, a TAB and its count on each line."""
    return Corpus(name, "toy" if word_counts else "course", (Source(name, text=text),), word_counts)


def pipe_corpus(
    pipe: OpenPipe, name: str = STDIN_NAME, *, word_counts: bool = False, encoding: str | None = None
) -> Corpus:
    """A corpus that comes through an open pipe. Raises `OptionError` for an `encoding` that does not exist."""
    source = Source(name, encoding=None if encoding is None else check_encoding(encoding), pipe=pipe)
    return Corpus(name, "toy" if word_counts else "course", (source,), word_counts)


def _sources(name: str) -> list[Source]:
    if name == STDIN:
        return [Source(STDIN_NAME)]
    if not name:
        raise CorpusError(_("the name of a corpus is empty"))
    path = Path(name)
    try:
        if path.is_dir():
            files = _files_in(path)
            if not files:
                raise CorpusError(_("the folder {name} holds no files").format(name=name))
            return [Source(str(each), each) for each in files]
        if not os.path.lexists(path):
            raise CorpusError(
                _("there is no file or bundled corpus {name}; `bpe-tui corpora` lists the bundled ones").format(
                    name=name
                )
            )
        path.stat()  # a link that leads nowhere, or in a circle, raises its error here
    except OSError as error:
        raise CorpusError(unreadable(name, error)) from error
    except ValueError as error:
        raise CorpusError(_("{name!r} is not a file name: {reason}").format(name=name, reason=error)) from error
    return [Source(name, path)]


def _files_in(folder: Path) -> list[Path]:
    """All files of a folder and those in it, sorted by path, hidden ones left out. Raises `CorpusError`."""

    def complain(error: OSError) -> NoReturn:
        raise CorpusError(unreadable(error.filename, error)) from error

    found: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=complain):
        folders[:] = [each for each in folders if not each.startswith(".")]
        found += [Path(place, each) for each in files if not each.startswith(".")]
    return sorted(each for each in found if each.is_file())


def _is_table(source: Source) -> bool:
    return source.path is not None and source.path.suffix in TABLE_SUFFIXES


def _never() -> bool:
    return False


# -- bundled corpora --------------------------------------------------------------------------------------------------


def corpora_folder() -> Path:
    """The folder with the corpora: inside the package once installed, beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    installed = package / "corpora"
    return installed if (installed / CATALOGUE).is_file() else package.parent / "corpora"


def bundled_corpora() -> list[BundledCorpus]:
    """All bundled corpora, in the order of the catalogue."""
    folder = corpora_folder()
    tables: dict[str, dict[str, Any]] = tomllib.loads((folder / CATALOGUE).read_text(encoding="utf-8"))
    return [
        BundledCorpus(
            name=name,
            path=folder / table["file"],
            preset=table["preset"],
            description=table["description"],
            options=table.get("options", {}),
            source=table["source"],
            licence=table["licence"],
        )
        for name, table in tables.items()
    ]


def find_bundled(name: str) -> BundledCorpus | None:
    """The bundled corpus called `name`, or None if there is none."""
    return next((corpus for corpus in bundled_corpora() if corpus.name == name), None)


def open_bundled(bundled: BundledCorpus) -> Corpus:
    """A bundled corpus, ready to be counted."""
    source = Source(bundled.name, bundled.path)
    is_table = bundled.path.suffix in TABLE_SUFFIXES
    return Corpus(
        bundled.name,
        bundled.preset,
        (source,),
        is_table,
        dict(bundled.options),
        is_bundled=True,
        names=(bundled.name,),
    )


# -- options ----------------------------------------------------------------------------------------------------------


def options_for(corpus: Corpus, preset: str | None = None, **overrides: Any) -> Options:
    """The options for `corpus`: those of `preset`, else those that it brings, with `overrides` (None is not given).

    A text or table of the user's own gets a target of 100 merges unless a preset or a target is named.
    """
    if preset is None:
        given = {name for name, value in overrides.items() if value is not None}
        brought = dict(corpus.bundled_options)
        if not corpus.is_bundled:
            brought["merges"] = DEFAULT_MERGES
        if given & {"merges", "vocab_size"}:
            brought = {name: value for name, value in brought.items() if name not in ("merges", "vocab_size")}
        if given & {"pattern", "pre_tokenizer"}:
            brought = {name: value for name, value in brought.items() if name not in ("pattern", "pre_tokenizer")}
        overrides = {**brought, **{name: overrides[name] for name in given}}
    return make_options(preset or corpus.preset, **overrides)
