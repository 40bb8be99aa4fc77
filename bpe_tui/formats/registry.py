"""The formats by name, and which of them a file is in.

A new format is a module with what a `Format` has, and an entry in `FORMATS`. What the functions of a format raise says
what is wrong; which file it is wrong with is added here.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.core.gc_paused import gc_paused
from bpe_tui.core.i18n import _, reason_of
from bpe_tui.core.options import Options, flag_of
from bpe_tui.core.system import names_folder
from bpe_tui.formats import gpt2, merges, minbpe, tiktoken, vocabularies
from bpe_tui.formats.files import (
    quoted,
    read_bytes,
    read_first_bytes,
    read_start,
    target_of,
    text_of,
    write_all_atomically,
)
from bpe_tui.formats.huggingface import read as huggingface_read
from bpe_tui.formats.huggingface import write as huggingface_write
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.sentencepiece import read as sentencepiece
from bpe_tui.formats.sentencepiece.beginning import recognises as begins_as_sentencepiece
from bpe_tui.formats.session import file as session
from bpe_tui.formats.session.file import SavedSession
from bpe_tui.formats.unsupported import START, refusal


def _nothing(model: TokenizerModel) -> Mapping[str, Any]:
    """Nothing needs to be given beside the file of a model."""
    return {}


@dataclass(frozen=True, slots=True)
class Format:
    """A file format, under its name on the command line."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    """Ends of file names that mean the format; the first is the usual one. Empty if it is not written."""
    load: Callable[[str, Callable[[str], bytes], Mapping[str, Any]], TokenizerModel]
    """Reads a file, given its path, what gives the bytes of a path, and the options given beside the file.

    Raises TokenizerFileError."""
    check_options: Callable[[Options], None]
    """Raises TokenizerFileError if the format cannot represent what is trained with these options."""
    check_model: Callable[[TokenizerModel], None]
    """Raises TokenizerFileError if the format cannot represent this model."""
    files: Callable[[TokenizerModel, str], tuple[dict[str, bytes], list[str]]] | None
    """The files that hold a model, by path, given the path of the first, and notes for the user.

    The model has passed `check_model`. Raises TokenizerFileError if the path is no name for the format. None if
    there is no way to write the format: then nothing passes the checks."""
    takes: tuple[str, ...] = ()
    """The options, by their names in `Options`, that may be given beside the file."""
    beside: Callable[[TokenizerModel], Mapping[str, Any]] = _nothing
    """Those of them with which a file that was written has to be read."""
    holds_merges: bool = True
    """Whether the file holds the pairs that are merged, and not only what they make."""
    recognises: Callable[[str], bool] | None = None
    """Whether a text begins as the format's files do; None for JSON, for what is no text, and where the name of the
    file decides."""

    @property
    def is_written(self) -> bool:
        """Whether there is a way to write the format at all."""
        return self.files is not None


HUGGINGFACE: Final = Format(
    "huggingface",
    "Hugging Face tokenizer.json",
    (".json",),
    huggingface_read.load,
    huggingface_write.check_options,
    huggingface_write.check_model,
    huggingface_write.files,
)
GPT2: Final = Format(
    "gpt2",
    "GPT-2's vocab.json and merges.txt",
    ("vocab.json", "encoder.json"),
    gpt2.load,
    gpt2.check_options,
    gpt2.check_model,
    gpt2.files,
    gpt2.TAKES,
    gpt2.options_beside,
)
MERGES: Final = Format(
    "merges",
    "merges alone",
    ("merges.txt", ".merges", ".codes", ".bpe"),
    merges.load,
    merges.check_options,
    merges.check_model,
    merges.files,
    merges.TAKES,
    merges.options_beside,
    recognises=merges.recognises,
)
TIKTOKEN: Final = Format(
    "tiktoken",
    "tiktoken's ranks",
    (".tiktoken",),
    tiktoken.load,
    tiktoken.check_options,
    tiktoken.check_model,
    tiktoken.files,
    tiktoken.TAKES,
    tiktoken.options_beside,
    holds_merges=False,
    recognises=tiktoken.recognises,
)
MINBPE: Final = Format(
    "minbpe",
    "minbpe's .model",
    (".model",),
    minbpe.load,
    minbpe.check_options,
    minbpe.check_model,
    minbpe.files,
    recognises=minbpe.recognises,
)
SENTENCEPIECE: Final = Format(
    "sentencepiece",
    "SentencePiece's .model",
    (),
    sentencepiece.load,
    sentencepiece.check_options,
    sentencepiece.check_model,
    None,
)
SESSION: Final = Format(
    "session",
    "session of bpe-tui",
    (".bpe.json",),
    session.load,
    session.check_options,
    session.check_model,
    session.files,
)

FORMATS: Final = (HUGGINGFACE, GPT2, MERGES, TIKTOKEN, MINBPE, SENTENCEPIECE, SESSION)
"""All formats; where a name fits several, the longest ending wins."""

TOKENIZER_JSON: Final = "tokenizer.json"
"""The file that a folder from Hugging Face holds."""
_SINGLE_FILES: Final = (TOKENIZER_JSON, "tokenizer.model", "tekken.json")
"""What a tokenizer of one file is called in a folder; the first that is there counts."""
_HAS_MODEL: Final = re.compile(r'"model"\s*:\s*\{')
_HAS_SESSION: Final = re.compile(r'\s*\{\s*"format"\s*:\s*"bpe-tui session"')


def format_for(path: str, name: str | None = None) -> Format:
    """The format called `name`, or else the one that the name of the file says. Raises TokenizerFileError."""
    _check_name(path)
    if name is not None:
        return format_called(name)
    found = format_by_name(path)
    if found is None:
        endings = ", ".join(one.suffixes[0] for one in FORMATS if one.is_written)
        names = ", ".join(one.name for one in FORMATS if one.is_written)
        raise TokenizerFileError(
            _("{path}: the name does not say the format; end it in {endings}, or give --format ({names})").format(
                path=path, endings=endings, names=names
            )
        )
    return found


def format_called(name: str) -> Format:
    """The format with this name. Raises TokenizerFileError if there is none."""
    found = next((one for one in FORMATS if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in FORMATS)
        raise TokenizerFileError(_("there is no format {name!r}; choose one of {names}").format(name=name, names=names))
    return found


def _check_name(path: str) -> None:
    """Raises TokenizerFileError for what can be no name of a file, or only by mistake."""
    if not path:
        raise TokenizerFileError(_("the name of a tokenizer file is empty"))
    if path == "-":
        raise TokenizerFileError(_("a tokenizer is a file, not stdin or stdout; a file that is called - is ./-"))


def format_by_name(path: str) -> Format | None:
    """The format that is written to `path`: GPT-2's for a folder; None if the ending of its name says nothing."""
    return GPT2 if names_folder(path) or Path(path).is_dir() else _by_name(path)


def _by_name(path: str) -> Format | None:
    fitting = [(len(suffix), one) for one in FORMATS for suffix in one.suffixes if path.endswith(suffix)]
    return max(fitting, key=lambda entry: entry[0])[1] if fitting else None


# -- reading ----------------------------------------------------------------------------------------------------------


def recognise(path: str) -> Format | None:
    """The format of a tokenizer; None if `path` is none, can't be read, or might as well be a corpus.

    Merges alone are two words a line, as a corpus may be: they need a header.
    """
    packaged = vocabularies.called(path)
    if packaged is not None:
        return format_called(packaged.format)
    place = Path(path)
    if place.is_dir():
        inside = _in_folder(path)
        return None if inside is None else GPT2 if inside == path else recognise(inside)
    named = _by_name(path)
    try:
        if place.is_file() and begins_as_sentencepiece(read_first_bytes(path)):
            return SENTENCEPIECE
        if not place.is_file() or (named is None and place.suffix != ".txt"):
            return None
        if named in (None, MERGES):
            if _is_pair(path):
                return GPT2
            return MERGES if read_start(path).startswith((merges.HEADER, merges.CLIP_HEADER)) else None
        if named is TIKTOKEN:
            return TIKTOKEN
        if named is MINBPE:  # Llama 3's tokenizer.model holds ranks
            start = read_start(path)
            return MINBPE if minbpe.recognises(start) else TIKTOKEN if tiktoken.recognises(start) else None
        found = _sniff(path, text := text_of(read_bytes(path)))
    except TokenizerFileError:
        return None
    if found is HUGGINGFACE:  # found without parsing: a word-count table has no such entry
        return found if _HAS_MODEL.search(text) else None
    return found if found.recognises is None or found.recognises(text) else None


def refuse_as_corpus(path: str) -> None:
    """Raises TokenizerFileError if `path` is a tokenizer, or another file that is known to hold no text to train on."""
    file = path
    if Path(path).is_dir():
        file = _in_folder(path) or path
    if Path(file).is_file():
        with _about(file):
            start = read_first_bytes(file)
            is_failed_download = start.lstrip().startswith(b"<") and _by_name(file) is not None  # no format begins so
            as_corpus = Path(file).name not in _SINGLE_FILES and not is_failed_download
            reason = refusal(start, as_corpus=as_corpus)
            if reason:
                raise TokenizerFileError(reason)
    found = recognise(path)
    if found is not None:
        raise TokenizerFileError(
            _(
                "{path} is a tokenizer ({title}), not a corpus; open it, or encode with it; to train on its bytes all "
                "the same, give them on stdin"
            ).format(path=path, title=_(found.title))
        )


def is_session(path: str) -> bool:
    """Whether the first bytes of a file are those of a session."""
    try:
        return Path(path).is_file() and _HAS_SESSION.match(read_start(path)) is not None
    except (TokenizerFileError, OSError, ValueError):
        return False


def _in_folder(path: str) -> str | None:
    """The file of the tokenizer in a folder, or the folder itself for GPT-2's two files; None if there is none."""
    if gpt2.both_files(path) is not None and not (Path(path) / TOKENIZER_JSON).is_file():
        return path
    return next((str(Path(path) / name) for name in _SINGLE_FILES if (Path(path) / name).is_file()), None)


def _is_pair(path: str) -> bool:
    """Whether `path` is called as one of GPT-2's two files, and the other one is there."""
    pair = gpt2.both_files(path)
    return pair is not None and all(Path(file).is_file() for file in pair)


def _sniff(path: str, text: str) -> Format:
    """The format that a file's text, and where that does not decide its name, is in. Raises TokenizerFileError."""
    if text.lstrip()[:1] in ("{", "["):
        if _HAS_SESSION.match(text):
            return SESSION
        return GPT2 if _is_pair(path) and not _HAS_MODEL.search(text) else HUGGINGFACE
    if _is_pair(path):
        return GPT2
    named = _by_name(path)
    if minbpe.recognises(text):
        return MINBPE
    if tiktoken.recognises(text) and named in (None, MINBPE, TIKTOKEN):
        return TIKTOKEN
    if named is not None:
        return named
    if merges.recognises(text):
        return MERGES
    raise TokenizerFileError(
        _("no tokenizer file of a kind that is known: {names}").format(names=", ".join(one.name for one in FORMATS))
    )


def options_taken(path: str) -> tuple[str, ...]:
    """The options that may be given beside the tokenizer file at `path`, by their names in `Options`.

    Raises TokenizerFileError if it cannot be read, or is of no known format.
    """
    _check_name(path)
    with _about(path):
        return _located(path, None)[2].takes


@gc_paused
def read_tokenizer(path: str, given: Mapping[str, Any] | None = None, name: str | None = None) -> TokenizerModel:
    """Read a tokenizer file of any format, or of the one called `name`; or a vocabulary that a package holds.

    `given` are options that the file does not say itself, by their names in `Options`. Raises TokenizerFileError, which
    names the file and the entry at fault.
    """
    chosen = format_for(path, name) if name is not None else None
    _check_name(path)
    with _about(path):
        file, data, chosen = _located(path, chosen)
        options = {option: value for option, value in (given or {}).items() if value is not None}
        for option in options:
            if option not in chosen.takes:
                flag = flag_of(option).removeprefix("--")
                raise TokenizerFileError(
                    _("--{flag} is not for this format, {title}: leave it out").format(flag=flag, title=chosen.title)
                )
        try:
            model = chosen.load(file, lambda name: data if name == file else read_bytes(name), options)
        except OptionError as error:
            raise TokenizerFileError(str(error)) from error
    return replace(model, warnings=tuple(f"{path}: {warning}" for warning in model.warnings))


def _located(path: str, chosen: Format | None) -> tuple[str, bytes, Format]:
    """The file of the tokenizer that `path` names, what is in it, and its format, if that is not `chosen` already.

    GPT-2's two files are their folder, with nothing in it. Raises TokenizerFileError.
    """
    file = vocabularies.file_of(path)
    vocabularies.check_is_there(file)
    if Path(path).is_dir() and chosen is not GPT2:
        inside = _in_folder(path)
        if inside is None or (chosen is not None and inside == path):
            raise TokenizerFileError(_("a directory without tokenizer.json, or vocab.json and merges.txt"))
        file = inside
    if Path(file).is_dir():
        return file, b"", GPT2
    data = read_bytes(file)
    reason = refusal(data[:START])
    if reason:
        raise TokenizerFileError(reason)
    if chosen is None and begins_as_sentencepiece(data):
        chosen = SENTENCEPIECE
    return file, data, chosen or _sniff(file, data.decode("utf-8-sig", "replace"))


# -- writing ----------------------------------------------------------------------------------------------------------


def check_writable(path: str, options: Options, name: str | None = None) -> None:
    """Find out before the work whether a model trained with `options` can be written to `path`.

    Raises TokenizerFileError if the format is not known or cannot say these options, or the folder does not exist.
    """
    chosen = format_for(path, name)
    with _about(path):
        chosen.check_options(options)
        if not target_of(path).parent.is_dir():
            raise TokenizerFileError(_("cannot be written, its folder does not exist"))
        if Path(path).is_dir() and chosen is not GPT2:
            raise TokenizerFileError(_("a folder; name a file in it"))


def write_tokenizer(path: str, model: TokenizerModel, name: str | None = None) -> tuple[str, ...]:
    """Write `model` to `path`, whole or not at all, and return notes for the user.

    The format is `name`, or else what the name of the file says. Raises TokenizerFileError with the reason if the
    format cannot say the model or the file cannot be written; nothing is written then.
    """
    files, notes = tokenizer_files(path, model, name)
    with _about(path):
        is_new = names_folder(path) and _make_folder(path)
        try:
            write_all_atomically(files)
        except BaseException:
            if is_new:
                with contextlib.suppress(OSError):
                    Path(path).rmdir()
            raise
    return notes


@gc_paused
def tokenizer_files(
    path: str, model: TokenizerModel, name: str | None = None
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The files that hold `model`, by path, and notes for the user; nothing is written.

    Raises TokenizerFileError if the format cannot say the model.
    """
    chosen = format_for(path, name)
    with _about(path):
        chosen.check_model(model)
        assert chosen.files is not None  # else the check has refused
        files, notes = chosen.files(model, path)
        _read_back(chosen, files, model)
    return files, (*model.notes, *notes)


def obstacle(model: TokenizerModel, name: str) -> str:
    """Why a model cannot be written in the format called `name`, in a sentence; empty if it can."""
    try:
        format_called(name).check_model(model)
    except TokenizerFileError as error:
        return str(error)
    return ""


def _read_back(chosen: Format, files: Mapping[str, bytes], model: TokenizerModel) -> None:
    """Read what is to be written. Raises TokenizerFileError unless it holds the tokens and merges of `model`."""
    try:
        again = chosen.load(next(iter(files)), files.__getitem__, chosen.beside(model))
    except (TokenizerFileError, OptionError) as error:
        raise TokenizerFileError(_("not written: reading it back failed, {reason}").format(reason=error)) from error
    wanted = {(merge.left, merge.right): merge.token for merge in model.vocabulary.merges}
    there = {(merge.left, merge.right): merge.token for merge in again.vocabulary.merges}
    if chosen.holds_merges and wanted != there:
        odd = next(pair for pair in {**wanted, **there} if wanted.get(pair) != there.get(pair))
        raise TokenizerFileError(
            _("not written: it would be read back with other merges, see {left} + {right}").format(
                left=quoted(odd[0]), right=quoted(odd[1])
            )
        )
    lost = next((token for token in wanted.values() if token not in again.vocabulary.ids), None)
    if lost is not None:
        raise TokenizerFileError(_("not written: it would be read back without {token}").format(token=quoted(lost)))


def write_session(path: str, saved: SavedSession) -> tuple[str, ...]:
    """Write a session, whole or not at all. Raises TokenizerFileError with the reason if that fails."""
    with _about(path):
        data = session.write(saved)
        try:
            session.read(text_of(data))
        except TokenizerFileError as error:
            raise TokenizerFileError(_("not written: reading it back failed, {reason}").format(reason=error)) from error
        write_all_atomically({path: data})
    return ()


def read_session(path: str) -> SavedSession:
    """Read a session. Raises TokenizerFileError, which names the file and the entry at fault."""
    with _about(path):
        return session.read(text_of(read_bytes(path)))


def _make_folder(path: str) -> bool:
    """Make a folder; was there none before?"""
    try:
        is_new = not Path(path).exists()
        Path(path).mkdir(exist_ok=True)
        return is_new
    except OSError as error:
        raise TokenizerFileError(_("cannot be made, {reason}").format(reason=reason_of(error).lower())) from error


@contextlib.contextmanager
def _about(path: str) -> Iterator[None]:
    """Name the file in the errors raised inside."""
    try:
        yield
    except TokenizerFileError as error:
        raise TokenizerFileError(_("{path}: {reason}").format(path=path, reason=error)) from error
