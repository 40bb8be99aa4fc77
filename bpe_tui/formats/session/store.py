"""Sessions that are kept by themselves, in the folder that the system has for the state of programs.

Each thing that can be opened has a place of its own there, told by what was opened and with which options; so a corpus
that is opened again in the same way finds its own session, and no other.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, reason_of
from bpe_tui.formats.files import TEMPORARY, write_atomically

if TYPE_CHECKING:
    from bpe_tui.core.options import Options
    from bpe_tui.formats.session.file import SavedSession

PROGRAM: Final = "bpe-tui"
MOST: Final = 100
"""Sessions that are kept; of more, the oldest go."""
SUFFIX: Final = ".bpe.json"
BEFORE: Final = ".before" + SUFFIX
"""The end of the name of a session that another training of the same corpus has followed."""


def state_folder() -> Path:
    """Where the system wants the state of this program; it need not exist yet."""
    from platformdirs import user_state_path

    return user_state_path(PROGRAM, appauthor=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the session of one corpus, opened in one way, is kept."""

    path: Path

    @classmethod
    def of(cls, names: Sequence[str], word_counts: bool, options: Options) -> Place:
        """The place for what is opened by these names with these options."""
        told = json.dumps([list(names), word_counts, options.preset, options.as_dict()])
        return cls(state_folder() / "sessions" / f"{hashlib.sha256(told.encode()).hexdigest()[:32]}{SUFFIX}")

    def look(self) -> SavedSession | None:
        """The session that is kept here; None if there is none, or none that can be read."""
        try:
            if not self.path.exists():
                return None
            from bpe_tui.formats.registry import read_session

            return read_session(str(self.path))
        except (TokenizerFileError, OSError):
            return None

    def keep(self, data: bytes) -> None:
        """Put a session here, whole or not at all. Raises TokenizerFileError with the reason."""
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
        """What is kept here is followed by another training: it stays beside that."""
        with contextlib.suppress(OSError):
            self.path.replace(self.path.with_name(self.path.name.removesuffix(SUFFIX) + BEFORE))


def _tidy(folder: Path) -> None:
    """Drop the oldest of too many, and what a killed process was still writing."""
    with contextlib.suppress(OSError):
        aged = sorted((one.stat().st_mtime, one) for one in folder.iterdir())
        newest = aged[-1][0]
        kept = [one for _, one in aged if one.name.endswith(SUFFIX)]
        stale = [one for age, one in aged if one.name.endswith(TEMPORARY) and age < newest - 3600]
        for one in [*kept[:-MOST], *stale]:
            with contextlib.suppress(OSError):
                one.unlink()
