"""Reading and writing whole files: errors as sentences, and never half a file.

The sentences lack their subject: the registry, which knows what the user called the file, puts its name before them.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections import Counter
from pathlib import Path
from typing import Any

from bpe_tui.core.errors import TokenizerFileError


def read_bytes(path: str) -> bytes:
    """All bytes of `path`. Raises TokenizerFileError."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise TokenizerFileError("no such file; bpe-tui train CORPUS -o FILE writes a tokenizer") from None
    except (OSError, ValueError) as error:
        raise TokenizerFileError(f"cannot be read, {_reason(error)}") from error


def read_text(path: str) -> str:
    """All of `path` as text from UTF-8, without a byte-order mark. Raises TokenizerFileError."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TokenizerFileError(f"not a tokenizer file, byte {error.start + 1} is not UTF-8 text") from error


def parse_json(text: str) -> Any:
    """The JSON value that `text` spells; a key given twice is an error. Raises TokenizerFileError."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
            raise TokenizerFileError(f"the key {quoted(twice)} stands twice in one object")
        return value

    try:
        return json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise TokenizerFileError(
            f"not a tokenizer file, not even JSON: line {error.lineno}, column {error.colno}, {error.msg.lower()}"
        ) from error
    except RecursionError:
        raise TokenizerFileError("not a tokenizer file, its JSON is nested too deep") from None
    except ValueError as error:  # a number of thousands of digits
        raise TokenizerFileError(f"not a tokenizer file, {error}") from error


def quoted(value: object) -> str:
    """`value` as an error names it: as JSON, cut when it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def write_atomically(path: str, data: bytes) -> None:
    """Put `data` in the file `path`, whole or not at all; an older file keeps its permissions.

    A link is followed. What is no regular file (a pipe, a device) is written directly. Raises TokenizerFileError.
    """
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            _write(os.open(target, os.O_WRONLY), data)
        else:
            _replace(target, data)
    except (OSError, ValueError) as error:
        raise TokenizerFileError(f"cannot be written, {_reason(error)}") from error


def _replace(target: Path, data: bytes) -> None:
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        _write(descriptor, data, mode)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _write(descriptor: int, data: bytes, mode: int | None = None) -> None:
    with open(descriptor, "wb") as file:
        if mode is not None:
            os.fchmod(descriptor, mode)
        file.write(data)
        file.flush()
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fsync(descriptor)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
