"""Reading and writing whole files: errors as sentences, and never half a file.

The sentences lack their subject: the registry, which knows what the user called the file, puts its name before them.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bpe_tui.core import system
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, reason_of

LARGEST: Final = 1 << 29
"""Bytes beyond which nothing is a tokenizer; devices have no end."""
_AROUND: Final = 20
"""Characters quoted either side of a place that an error names."""
TEMPORARY: Final = ".tmp"
"""The end of the name of a file that is being written."""


def read_bytes(path: str) -> bytes:
    """All bytes of `path`. Raises TokenizerFileError."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise TokenizerFileError(_("no such file; bpe-tui train CORPUS -o FILE writes a tokenizer")) from None
    except (OSError, ValueError) as error:
        raise _unreadable(error) from error
    if len(data) > LARGEST:
        raise TokenizerFileError(_("more than {size} MB, so no tokenizer").format(size=LARGEST >> 20))
    return data


def read_first_bytes(path: str, size: int = 1 << 12) -> bytes:
    """The first bytes of `path`. Raises TokenizerFileError."""
    try:
        with Path(path).open("rb") as file:
            return file.read(size)
    except (OSError, ValueError) as error:
        raise _unreadable(error) from error


def read_start(path: str) -> str:
    """The first characters of `path`, without a byte-order mark. Raises TokenizerFileError."""
    return read_first_bytes(path, 256).decode("utf-8-sig", "replace")


def read_text(path: str) -> str:
    """All of `path` as text; see `text_of`. Raises TokenizerFileError."""
    return text_of(read_bytes(path))


def text_of(data: bytes) -> str:
    """`data` as text from UTF-8, without a byte-order mark. Raises TokenizerFileError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TokenizerFileError(
            _("not a tokenizer file, byte {place} is not UTF-8 text").format(place=error.start + 1)
        ) from error


_MINUS_NOUGHT: Final = re.compile(r"-0(?![0-9.eE])")
_SURROGATE: Final = re.compile(r"\\u[dD][89abcdefABCDEF]")


def parse_json(text: str) -> Any:
    """The JSON value that `text` spells, as strictly as other tools' parsers have it. Raises TokenizerFileError.

    A key given twice is an error, and so are NaN, a lone surrogate, and -0 where a whole number is looked for: the
    tools disagree about them.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
            raise TokenizerFileError(_("the key {twice} occurs twice in one object").format(twice=quoted(twice)))
        return value

    whole = (lambda digits: -0.0 if digits == "-0" else int(digits)) if _MINUS_NOUGHT.search(text) else None
    try:
        value = json.loads(text, object_pairs_hook=once, parse_int=whole, parse_constant=_refuse_constant)
        if _SURROGATE.search(text):
            _refuse_surrogates(value)
    except json.JSONDecodeError as error:
        raise TokenizerFileError(
            _("not a tokenizer file, not even JSON: line {line}, column {column}, {reason}").format(
                line=error.lineno, column=error.colno, reason=error.msg.lower()
            )
        ) from error
    except RecursionError:
        raise TokenizerFileError(_("not a tokenizer file, its JSON is nested too deep")) from None
    except ValueError as error:  # a number of thousands of digits
        raise TokenizerFileError(_("not a tokenizer file, {reason}").format(reason=error)) from error
    return value


def _refuse_constant(name: str) -> None:
    raise TokenizerFileError(_("not a tokenizer file, not even JSON: it holds {name}").format(name=name))


def _refuse_surrogates(value: Any) -> None:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            around = value[max(0, error.start - _AROUND) : error.start + 1 + _AROUND]  # the whole one may be a page
            raise TokenizerFileError(
                _("the text {value!a} holds a lone surrogate, which is no character").format(value=around)
            ) from None
    elif isinstance(value, dict):
        for key, part in value.items():
            _refuse_surrogates(key)
            _refuse_surrogates(part)
    elif isinstance(value, list):
        for part in value:
            _refuse_surrogates(part)


def quoted(value: object) -> str:
    """`value` as an error names it: as JSON, cut when it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):  # nested too deep, or a number of more digits than Python writes
        return "..."
    return text if len(text) <= 60 else text[:57] + "..."


def target_of(path: str) -> Path:
    """The file that `path` stands for, behind its links. Raises TokenizerFileError where that is no place."""
    name = Path(path).name
    if system.is_reserved(name):
        message = _("cannot be written, the system keeps the name {name} for something else; choose another")
        raise TokenizerFileError(message.format(name=quoted(name)))
    try:
        target = Path(os.path.realpath(path))
    except (OSError, ValueError) as error:  # a current folder that is gone
        raise TokenizerFileError(_("cannot be written, {reason}").format(reason=reason_of(error).lower())) from error
    if target.is_symlink():
        raise TokenizerFileError(_("cannot be written, {reason}").format(reason=os.strerror(errno.ELOOP).lower()))
    return target


def write_atomically(path: str, data: bytes) -> None:
    """Put `data` in the file `path`, whole or not at all; see `write_all_atomically`."""
    write_all_atomically({path: data})


def write_all_atomically(files: Mapping[str, bytes]) -> None:
    """Put each data in its file, all of them whole or none at all; an older file keeps its permissions.

    A link is followed. What is no regular file (a pipe, a device) is written directly. Raises TokenizerFileError.
    """
    waiting: list[tuple[Path, Path]] = []
    try:
        for path, data in files.items():
            if Path(path).exists() and not Path(path).is_file():
                _write(os.open(path, os.O_WRONLY), data)
            else:
                target = target_of(path)
                waiting.append((_written_beside(target, data), target))
        while waiting:
            temporary, target = waiting[0]
            temporary.replace(target)
            del waiting[0]
            _settle(target.parent)
    except (OSError, ValueError) as error:
        raise TokenizerFileError(_("cannot be written, {reason}").format(reason=reason_of(error).lower())) from error
    finally:
        for temporary, _target in waiting:
            with contextlib.suppress(OSError):
                temporary.unlink()


def _written_beside(target: Path, data: bytes) -> Path:
    """A new file beside `target` that holds `data`; nothing if that fails."""
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    # A name that no process that was killed can have left behind.
    temporary = target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}{TEMPORARY}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        if mode is not None:
            temporary.chmod(mode)
        _write(descriptor, data)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    return temporary


def _settle(folder: Path) -> None:
    """Have the new name on the disk too, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fsync(descriptor)


def _unreadable(error: Exception) -> TokenizerFileError:
    return TokenizerFileError(_("cannot be read, {reason}").format(reason=reason_of(error).lower()))
