"""The formats by name, and which of them a file is in.

A format is a module with `recognises(text)`, `read(text)`, `check(options)` and `write(model)`; it is imported when a
file needs it. What it raises says what is wrong; which file it is wrong with is added here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats.files import read_text, write_atomically

if TYPE_CHECKING:
    from bpe_tui.core.presets import Options
    from bpe_tui.formats.model import TokenizerModel


@dataclass(frozen=True, slots=True)
class Format:
    """A file format, as it is called on the command line and told from others."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    """Ends of file names that stand for the format; the first is the usual one."""
    module: str

    def load(self) -> Any:
        """The module that reads and writes the format."""
        return import_module(self.module)


FORMATS: Final = (Format("huggingface", "Hugging Face tokenizer.json", (".json",), "bpe_tui.formats.huggingface"),)
"""All formats; where a name fits several, the first wins."""


def format_for(path: str, name: str | None = None) -> Format:
    """The format called `name`, or else the one that the name of the file says. Raises TokenizerFileError."""
    names = ", ".join(one.name for one in FORMATS)
    if name is not None:
        found = next((one for one in FORMATS if one.name == name), None)
        if found is None:
            raise TokenizerFileError(f"there is no format {name!r}; choose one of {names}")
        return found
    found = next((one for one in FORMATS if path.endswith(one.suffixes)), None)
    if found is None:
        endings = ", ".join(one.suffixes[0] for one in FORMATS)
        raise TokenizerFileError(
            f"{path}: the name does not say the format; end it in {endings}, or give --format ({names})"
        )
    return found


def recognise(path: str) -> Format | None:
    """The format of the tokenizer file `path`; None if it is no file, can't be read, or holds something else."""
    candidates = [one for one in FORMATS if path.endswith(one.suffixes)]
    if not candidates or not Path(path).is_file():
        return None
    try:
        text = read_text(path)
    except TokenizerFileError:
        return None
    return next((one for one in candidates if one.load().recognises(text)), None)


def read_tokenizer(path: str) -> TokenizerModel:
    """Read a tokenizer file of any format. Raises TokenizerFileError, which names the file and the entry at fault."""
    with _about(path):
        model: TokenizerModel = FORMATS[0].load().read(read_text(path))
    return replace(model, warnings=tuple(f"{path}: {warning}" for warning in model.warnings))


def check_writable(path: str, options: Options, name: str | None = None) -> None:
    """Find out before the work whether a model trained with `options` can be written to `path`.

    Raises TokenizerFileError if the format is not known or cannot say these options, or the folder does not exist.
    """
    chosen = format_for(path, name).load()
    with _about(path):
        chosen.check(options)
        if not Path(path).resolve().parent.is_dir():
            raise TokenizerFileError("cannot be written, its folder does not exist")
        if Path(path).is_dir():
            raise TokenizerFileError("a folder; name a file in it")


def write_tokenizer(path: str, model: TokenizerModel, name: str | None = None) -> tuple[str, ...]:
    """Write `model` to `path`, whole or not at all, and return notes for the user.

    The format is `name`, or else what the name of the file says. Raises TokenizerFileError with the reason if the
    format cannot say the model or the file cannot be written; nothing is written then.
    """
    chosen = format_for(path, name).load()
    with _about(path):
        chosen.check(model.options)
        data, notes = chosen.write(model)
        write_atomically(path, data)
    return tuple(notes)


@contextlib.contextmanager
def _about(path: str) -> Iterator[None]:
    """Name the file in the errors raised inside."""
    try:
        yield
    except TokenizerFileError as error:
        raise TokenizerFileError(f"{path}: {error}") from error
