"""The best that the learner has reached in each challenge, saved beside the progress in lessons."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import reason_of
from bpe_tui.core.runtime import policy
from bpe_tui.core.teaching.challenges import CHALLENGES
from bpe_tui.formats.files import write_atomically
from bpe_tui.formats.session.folder import state_folder

_KNOWN: Final = {challenge.name: challenge.best for challenge in CHALLENGES}


def bests_file() -> Path:
    """Where they are saved."""
    return state_folder() / "challenges.json"


def load_bests() -> dict[str, int]:
    """The best score by the name of the challenge; nothing where nothing may be saved, or none can be read."""
    if not policy().keeps_state:
        return {}
    try:
        return checked_bests(json.loads(bests_file().read_bytes()))
    except (OSError, ValueError, RecursionError):
        return {}


def checked_bests(value: object) -> dict[str, int]:
    """The scores in a file. Raises `ValueError` for anything that cannot have been reached."""
    if not isinstance(value, dict):
        raise ValueError("no object")
    for name, score in value.items():
        if not isinstance(score, int) or isinstance(score, bool) or score < _KNOWN.get(name, 0):
            raise ValueError(name)
    return {name: score for name, score in value.items() if name in _KNOWN}


def merged_bests(ours: Mapping[str, int], theirs: Mapping[str, int]) -> dict[str, int]:
    """The better score of each challenge; the lower one is."""
    both = (ours, theirs)
    return {
        name: min(each[name] for each in both if name in each) for name in _KNOWN if any(name in each for each in both)
    }


def save_bests(bests: Mapping[str, int]) -> None:
    """Save them, whole or not at all, if that may be. Raises `TokenizerFileError` with the reason."""
    if not policy().keeps_state:
        return
    file = bests_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise TokenizerFileError(f"{file.parent}: {reason_of(error)}") from error
    write_atomically(str(file), bests_bytes(bests))


def bests_bytes(bests: Mapping[str, int]) -> bytes:
    """What is in the file."""
    return json.dumps(dict(bests)).encode()
