"""What is written when the program breaks: where in the code, with which versions, and nothing of the user's.

Messages of errors, values of variables, command lines and names of files may hold a private text;
types of errors, and lines of the program's own code, do not.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bpe_tui.core.runtime import policy
from bpe_tui.formats.session.folder import state_folder
from bpe_tui.version import __version__

PACKAGES: Final = ("textual", "rich", "numpy", "regex", "typer")
"""Packages whose versions are listed."""
MOST_FRAMES: Final = 60
"""Of a longer way down, the middle is left out."""


def written(error: BaseException) -> Path | None:
    """Write a report of `error` into the state folder; None if that is not allowed, or fails."""
    if not policy().keeps_state:
        return None
    with contextlib.suppress(Exception):
        folder = state_folder() / "crashes"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.txt"
        path.write_text(report(error), encoding="utf-8", newline="\n")
        return path
    return None


def report(error: BaseException) -> str:
    """The report as text."""
    lines = [
        f"bpe-tui {__version__}",
        f"time: {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
        f"python: {platform.python_version()} on {platform.system()} {platform.machine()}",
        *(f"{name}: {_version(name)}" for name in PACKAGES if name in sys.modules),
        f"terminal: {os.environ.get('TERM', 'none')[:40]}",
    ]
    one: BaseException | None = error
    seen: set[int] = set()
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        lines += ["", f"{type(one).__module__}.{type(one).__qualname__}", *_places(one)]
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return "\n".join(lines) + "\n"


def _places(error: BaseException) -> list[str]:
    """Where it came from, the innermost place last."""
    frames = [
        f"  {_inside(frame.f_code.co_filename)}:{line} in {frame.f_code.co_qualname}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    if len(frames) > MOST_FRAMES:
        half = MOST_FRAMES // 2
        frames = [*frames[:half], f"  … {len(frames) - MOST_FRAMES} more …", *frames[-half:]]
    return frames


def _inside(file: str) -> str:
    """The part of a path inside the package or library: what is before it is the user's."""
    parts = Path(file).parts
    for place in range(len(parts) - 1, -1, -1):
        if parts[place] in ("site-packages", "dist-packages") or parts[place].startswith("python3"):
            return "/".join(parts[place + 1 :])
        if parts[place] == "bpe_tui":
            return "/".join(parts[place:])
    return parts[-1] if parts else file


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
