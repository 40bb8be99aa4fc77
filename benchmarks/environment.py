"""An environment for the peers, so that what they need never mixes with what we need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

CONSTRAINTS: Final = Path(__file__).with_name("constraints.txt")
PEERS: Final = ("tokenizers", "rustbpe", "gigabpe")


def peers_python(folder: Path) -> Path:
    """The Python of the environment in `folder`, made now if it is missing, or was made from other pins."""
    python = folder / "bin" / "python"
    stamp = folder / ".installed"
    pins = CONSTRAINTS.read_text(encoding="utf-8")
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != pins:
        print(f"Making an environment for {', '.join(PEERS)} in {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        install = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "-c", str(CONSTRAINTS)]
        done = subprocess.run([*install, *PEERS], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        stamp.write_text(pins, encoding="utf-8")
    return python
