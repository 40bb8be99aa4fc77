"""Training with another tokenizer's way to cut a text: the normalizer and pre-tokenizer of a tokenizer.json.

Only these two are taken from it, so its model may be of any kind. Where options of ours say the same, the usual way of
counting is taken; else every document goes through the file's own components.
"""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies

from bpe_tui.core.corpus.encodings import refuse_other_encodings
from bpe_tui.core.corpus.sources import Corpus, Source
from bpe_tui.core.corpus.tally import special_notes
from bpe_tui.core.corpus.types import OnProgress, Progress, ShouldStop, WordCounts, raise_if_stopped
from bpe_tui.core.encoding.splitter import CorpusSplitter
from bpe_tui.core.errors import CorpusError, OptionError, TokenizerFileError
from bpe_tui.core.i18n import _, number, unreadable
from bpe_tui.core.options import PRESETS, Options
from bpe_tui.core.training.vocabulary import Vocabulary
from bpe_tui.formats.files import read_text
from bpe_tui.formats.huggingface.added_tokens import AddedToken
from bpe_tui.formats.huggingface.components import options_for
from bpe_tui.formats.huggingface.decoders import BYTE_LEVEL, check_decoder
from bpe_tui.formats.huggingface.dialect import FileDialect, flat
from bpe_tui.formats.huggingface.foreign import INSTALL, canonical, is_installed
from bpe_tui.formats.huggingface.read import read_file
from bpe_tui.formats.huggingface.schema import normalizer_of
from bpe_tui.formats.model import TokenizerModel

_HUB_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Like:
    """How a tokenizer cuts a text."""

    name: str
    """What the user called it."""
    cut: dict[str, Any]
    """The options that say so; the pre-tokenizer `file` if none do."""
    byte_level: bool
    """Whether bytes are written as characters at the end."""
    dialect: FileDialect

    @property
    def is_plain(self) -> bool:
        """Whether options say all of it."""
        return self.cut.get("pre_tokenizer") != "file"

    def overrides(self, given: dict[str, Any], preset: str) -> dict[str, Any]:
        """The training options that follow, beside those `given` by the user.

        Raises OptionError where the two contradict each other.
        """
        for name in ("pre_tokenizer", "pattern"):
            if name in given:
                raise OptionError(
                    _("--like says how a text is cut; give it without --{name}").format(name=name.replace("_", "-"))
                )
        ours = given.get("alphabet")
        if ours is not None and (ours == "characters") == self.byte_level:
            kind = "bytes" if self.byte_level else "characters"
            raise OptionError(
                _("{name} has an alphabet of {kind}; give --like without --alphabet {ours}").format(
                    name=self.name, kind=kind, ours=ours
                )
            )
        return {**self.cut, "alphabet": ours or self._alphabet(preset)}

    def notes(self, given: dict[str, Any], preset: str) -> list[str]:
        """Sentences for the user about options of the preset that are others here."""
        usual, ours = PRESETS[preset].alphabet, self._alphabet(preset)
        if "alphabet" in given or ours == usual:
            return []
        return [
            _("the alphabet is {ours}, as in {name}, and not {usual}, as in the preset {preset}").format(
                ours=ours, name=self.name, usual=usual, preset=preset
            )
        ]

    def _alphabet(self, preset: str) -> str:
        """The preset's alphabet, or one of the kind that is trained on here."""
        usual = PRESETS[preset].alphabet
        if (usual == "characters") != self.byte_level:
            return usual
        return "seen-bytes" if self.byte_level else "characters"

    def model_with(self, vocabulary: Vocabulary, options: Options) -> TokenizerModel:
        """What was trained, with these components."""
        if self.is_plain:
            return TokenizerModel(vocabulary, options)
        added = [AddedToken(vocabulary.ids[text], text) for text in vocabulary.specials]
        added += [AddedToken(vocabulary.ids[text], text, special=False) for text in vocabulary.protected]
        return TokenizerModel(vocabulary, options, dialect=replace(self.dialect, added=tuple(added)))


def read_like(name: str) -> Like:
    """The components of a file or, by the package `tokenizers`, of a tokenizer on the Hugging Face Hub.

    Raises TokenizerFileError, which names it and the component at fault.
    """
    try:
        file = read_file(_text(name))
        normalizer, pre_tokenizer = normalizer_of(file), file.get("pre_tokenizer")
        cut, byte_level = options_for(normalizer, pre_tokenizer)
        decoder = _decoder(file.get("decoder"), pre_tokenizer, byte_level=byte_level)
        dialect = FileDialect(
            every_token_is_a_symbol=True,
            normalizer=normalizer,
            pre_tokenizer=pre_tokenizer,
            decoder_component=decoder,
            byte_level=byte_level,
        )
        dialect.own_splitter  # noqa: B018 - what cannot be run is found out now
    except TokenizerFileError as error:
        raise TokenizerFileError(_("{name}: {reason}").format(name=name, reason=error)) from error
    return Like(name, cut, byte_level, dialect)


_FREE_OF_THE_MODEL: Final = frozenset(("Replace", "ByteFallback", "Fuse", "Strip", "Metaspace"))
"""Decoders that need no prefix or suffix of the model's tokens."""


def _decoder(component: Any, pre_tokenizer: Any, *, byte_level: bool) -> Any:
    """What undoes the normalizer and pre-tokenizer: the file's own decoder, unless that belongs to its model.

    Raises TokenizerFileError if the decoder is malformed.
    """
    if byte_level:
        return BYTE_LEVEL
    if component is not None and _kinds(component) <= _FREE_OF_THE_MODEL:
        check_decoder(component)
        return component
    metaspace = next((part for part in flat(pre_tokenizer) if part["type"] == "Metaspace"), None)
    return metaspace or {"type": "Fuse"}


def _kinds(component: Any) -> set[Any]:
    """The types of a decoder, or of the members of a Sequence."""
    if not isinstance(component, dict):
        return {None}
    if component.get("type") == "Sequence" and isinstance(component.get("decoders"), list):
        return set().union(*map(_kinds, component["decoders"]))
    return {str(component.get("type"))}


def _text(name: str) -> str:
    """The text of a tokenizer.json: a file, one in a folder, or one on the Hub."""
    place = Path(name)
    if place.is_dir():
        return read_text(str(place / "tokenizer.json"))
    if place.exists() or name.endswith(".json") or not _HUB_NAME.fullmatch(name):
        return read_text(name)
    if not is_installed():
        raise TokenizerFileError(
            _("no such file; to look it up on the Hugging Face Hub, in your clone of bpe-tui: {install}").format(
                install=INSTALL
            )
        )
    for variable in ("HF_HUB_ETAG_TIMEOUT", "HF_HUB_DOWNLOAD_TIMEOUT"):
        os.environ.setdefault(variable, "10")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        _find_the_hub()
        import huggingface_hub  # heavy; it comes with tokenizers

        found = huggingface_hub.hf_hub_download(name, "tokenizer.json")
    except Exception as error:
        reason = _("there is no network") if isinstance(error, socket.gaierror) else " ".join(str(error).split())
        raise TokenizerFileError(
            _("no such file, and not available from the Hugging Face Hub either: {reason}").format(reason=reason[:160])
        ) from None
    return canonical(read_text(found))


def _find_the_hub() -> None:
    """Raise `OSError` at once where there is no network: the library would try for half a minute, reporting each."""
    logging.getLogger("huggingface_hub").setLevel(logging.CRITICAL)
    if getproxies():
        return  # then names need not be known here
    from huggingface_hub import constants

    address = urlsplit(constants.ENDPOINT)
    socket.getaddrinfo(address.hostname, address.port or address.scheme)


# -- counting ---------------------------------------------------------------------------------------------------------


def count_words_like(
    dialect: FileDialect,
    corpus: Corpus,
    options: Options,
    *,
    should_stop: ShouldStop | None = None,
    progress: OnProgress | None = None,
) -> WordCounts:
    """Count the words that the components of a file make of a corpus.

    Raises CorpusError, TokenizerFileError if they fail, and `Cancelled`.
    """
    return count_with(dialect.own_splitter, corpus, options, should_stop=should_stop, progress=progress)[0]


def count_with(
    splitter: CorpusSplitter,
    corpus: Corpus,
    options: Options,
    *,
    should_stop: ShouldStop | None = None,
    progress: OnProgress | None = None,
) -> tuple[WordCounts, dict[int, int]]:
    """The words that a splitter makes of a corpus, and how often it finds tokens before it cuts words, by id.

    Raises like `count_words_like`.
    """
    words: dict[str, int] = {}
    tokens: dict[int, int] = {}
    documents = specials = done = 0
    sizes = [source.size for source in corpus.sources]
    total = 0 if None in sizes else sum(size or 0 for size in sizes)
    looked_for = sorted(options.specials, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, looked_for))) if looked_for else None
    cut_out = sorted(options.cut_out, key=len, reverse=True)
    cut = re.compile("|".join(map(re.escape, cut_out))) if cut_out else None

    def pieces() -> Iterator[str]:
        nonlocal documents, specials, done
        for source in corpus.sources:
            for document, size in _documents(source, options.documents):
                documents += 1
                done += size
                found = len(pattern.findall(document)) if pattern is not None else 0
                specials += found
                if cut is not None:
                    yield from cut.split(document)
                else:
                    yield document
                if not documents % 1024:
                    raise_if_stopped(should_stop)
                    if progress is not None:
                        progress(Progress("counting", done, total))

    for run in splitter.words_of(pieces()):
        if isinstance(run, int):
            tokens[run] = tokens.get(run, 0) + 1
            continue
        for word in run:
            words[word] = words.get(word, 0) + 1
    return WordCounts(list(words), list(words.values()), documents, special_notes(specials, options)), tokens


def _documents(source: Source, kind: str) -> Iterator[tuple[str, int]]:
    """The documents of a source, and their sizes in bytes. Raises CorpusError for anything but UTF-8."""
    stream = source.open()
    try:
        begin = 0
        for line in [stream.read()] if kind == "files" else stream:
            text = line
            if begin == 0:
                refuse_other_encodings(line, source.name)
                text = line.removeprefix(_BOM)
            if kind == "lines":
                text = text.removesuffix(b"\n").removesuffix(b"\r")
            try:
                yield text.decode(), len(line)
            except UnicodeDecodeError as error:
                byte = begin + line.index(text) + error.start
                raise CorpusError(
                    _("{name} is not UTF-8: byte {byte} is 0x{char}").format(
                        name=source.name, byte=number(byte), char=format(text[error.start], "02X")
                    )
                ) from error
            begin += len(line)
    except OSError as error:
        raise CorpusError(unreadable(source.name, error)) from error
    finally:
        if source.path is not None:
            stream.close()
