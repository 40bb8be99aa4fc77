"""Where the state of this program is kept; imported at the app's start, so it imports little."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_state_path

PROGRAM = "bpe-tui"


def state_folder() -> Path:
    """Where the system wants the state of this program; it need not exist yet."""
    return user_state_path(PROGRAM, appauthor=False)


def is_first_start() -> bool:
    """Was neither a session nor the progress in a lesson ever saved?"""
    try:
        return not any(
            any(part.iterdir()) for name in ("sessions", "lessons") if (part := state_folder() / name).is_dir()
        )
    except OSError:
        return False
