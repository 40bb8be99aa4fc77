"""Sessions that are saved by themselves, in the folder that the system has for the state of programs.

Each corpus or tokenizer has one file there, named by what was opened and with which options; so what is opened again in
the same way finds its own session, and no other.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, reason_of
from bpe_tui.core.options import Options
from bpe_tui.formats.files import TEMPORARY, write_atomically
from bpe_tui.formats.registry import read_session
from bpe_tui.formats.session.file import SavedSession
from bpe_tui.formats.session.folder import state_folder

MOST: Final = 100
"""Sessions that are stored; of more, the oldest are deleted."""
SUFFIX: Final = ".bpe.json"
BEFORE: Final = ".before" + SUFFIX
"""The end of the name of a session that another training of the same corpus has replaced."""


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
        """The session that is stored here; None if there is none, or none that can be read."""
        try:
            return read_session(str(self.path)) if self.path.exists() else None
        except (TokenizerFileError, OSError):
            return None

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
            _tidy(folder)

    def set_aside(self) -> None:
        """Rename what is stored here, so that the session of another training can be stored beside it."""
        with contextlib.suppress(OSError):
            self.path.replace(self.path.with_name(self.path.name.removesuffix(SUFFIX) + BEFORE))


def _tidy(folder: Path) -> None:
    """Delete the oldest of too many sessions, and what a killed process was still writing."""
    with contextlib.suppress(OSError):
        aged = sorted((one.stat().st_mtime, one) for one in folder.iterdir())
        newest = aged[-1][0]
        sessions = [one for _, one in aged if one.name.endswith(SUFFIX)]
        stale = [one for age, one in aged if one.name.endswith(TEMPORARY) and age < newest - 3600]
        for one in [*sessions[:-MOST], *stale]:
            with contextlib.suppress(OSError):
                one.unlink()
