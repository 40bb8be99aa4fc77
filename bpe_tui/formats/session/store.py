"""Sessions that are saved by themselves, in the folder that the system has for the state of programs.

Each corpus or tokenizer has one file there, named by what was opened and with which options; so what is opened again in
the same way finds its own session, and no other.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from bpe_tui.core import system
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, reason_of
from bpe_tui.core.options import Options
from bpe_tui.formats.files import TEMPORARY, write_atomically
from bpe_tui.formats.session.folder import state_folder

if TYPE_CHECKING:
    from bpe_tui.formats.session.file import SavedSession

MOST: Final = 100
"""Sessions that are stored; of more, the oldest are deleted."""
SUFFIX: Final = ".bpe.json"
BEFORE: Final = ".before" + SUFFIX
"""The end of the name of a session that another training of the same corpus has replaced."""

Version = tuple[int, int, int]
"""Of a file: its time in nanoseconds, its size, its number in the file system."""


@dataclass(frozen=True, slots=True)
class SessionSlot:
    """The file for the session of one corpus, opened in one way."""

    path: Path

    @classmethod
    def of(cls, names: Sequence[str], word_counts: bool, options: Options) -> SessionSlot:
        """The slot for what is opened by these names with these options."""
        opened = json.dumps([list(names), word_counts, options.preset, options.as_dict()])
        return cls(state_folder() / "sessions" / f"{hashlib.sha256(opened.encode()).hexdigest()[:32]}{SUFFIX}")

    def load(self) -> SavedSession | None:
        """The session that is stored here; None if there is none. Raises TokenizerFileError if it cannot be read."""
        if self.version() is None:
            return None
        from bpe_tui.formats.registry import read_session  # an app that starts anew paints a frame sooner without it

        return read_session(str(self.path))

    def version(self) -> Version | None:
        """What changes whenever something else is stored here; None if nothing is."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def save(self, data: bytes) -> None:
        """Store a session here, whole or not at all. Raises TokenizerFileError with the reason."""
        folder = self.path.parent
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            is_new = not self.path.exists()
        except OSError as error:
            raise TokenizerFileError(
                _("{folder}: cannot be made, {reason}").format(folder=folder, reason=reason_of(error).lower())
            ) from error
        try:
            write_atomically(str(self.path), data)
        except TokenizerFileError as error:
            raise TokenizerFileError(_("{path}: {reason}").format(path=self.path, reason=error)) from error
        if is_new:
            _tidy(self.path)

    def set_aside(self) -> Path:
        """Rename what is stored here, so that another session can be stored. Returns its new path. Raises OSError."""
        place = next(place for place in map(self._path_before, count(1)) if not place.exists())
        self.path.replace(place)
        return place

    def _path_before(self, number: int) -> Path:
        name = self.path.name.removesuffix(SUFFIX)
        return self.path.with_name(f"{name}{BEFORE}" if number == 1 else f"{name}.{number}{BEFORE}")

    def beside(self) -> Iterator[SessionSlot]:
        """This slot, and then those that are used while it has another writer."""
        name = self.path.name.removesuffix(SUFFIX)
        yield self
        for number in range(2, MOST):
            yield SessionSlot(self.path.with_name(f"{name}.{number}{SUFFIX}"))


class SessionWriter:
    """The only one that writes to a slot, as long as it is open."""

    def __init__(self, slot: SessionSlot, continued: Version | None) -> None:
        """Take a slot, or if it has another writer one beside it.

        What is stored there is renamed unless it is the version `continued`. Raises TokenizerFileError.
        """
        try:
            self._lock, self.slot = next(
                (lock, place) for place in slot.beside() if (lock := _lock_of(place)) is not None
            )
            self.is_beside = self.slot != slot
            found = self.slot.version()
            self.renamed = None if found in (None, continued) else self.slot.set_aside()
            """Where that is now what was stored."""
        except (OSError, StopIteration) as error:
            reason = reason_of(error).lower() if isinstance(error, OSError) else ""
            raise TokenizerFileError(
                _("{folder}: cannot be made, {reason}").format(folder=slot.path.parent, reason=reason)
            ) from error

    def save(self, data: bytes) -> None:
        """Store a session, whole or not at all. Raises TokenizerFileError with the reason."""
        self.slot.save(data)

    def close(self) -> None:
        """Let others write there."""
        with contextlib.suppress(OSError):  # Windows deletes no open file; an empty one stays
            _lock_path(self.slot).unlink()
        self._lock.close()


def _lock_path(slot: SessionSlot) -> Path:
    return slot.path.parent.parent / "locks" / f"{slot.path.name}.lock"


def _lock_of(slot: SessionSlot) -> IO[bytes] | None:
    """A lock that the system takes back when its holder ends, however that ends; None if another process has it.

    Raises OSError.
    """
    path = _lock_path(slot)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    while True:
        file = path.open("ab")
        try:
            system.lock(file)
            if path.exists() and path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                return file
            file.close()  # its holder deleted it meanwhile
        except BlockingIOError:
            file.close()
            return None
        except OSError:  # no locks in this folder: then everybody may write
            return file


def _tidy(written: Path) -> None:
    """Delete the oldest of too many sessions, but not the one just `written`; and what a killed process left."""
    with contextlib.suppress(OSError):
        aged = sorted((one.stat().st_mtime, one) for one in written.parent.iterdir() if one != written)
        sessions = [one for _, one in aged if one.name.endswith(SUFFIX)]
        stale = [one for age, one in aged if one.name.endswith(TEMPORARY) and age < time.time() - 3600]
        for one in [*sessions[: max(0, len(sessions) + 1 - MOST)], *stale]:
            with contextlib.suppress(OSError):
                one.unlink()
