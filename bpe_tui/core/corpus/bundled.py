"""The corpora that come with the program: where they are, and what each is for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CATALOGUE: Final = "corpora.toml"
"""The file in the corpora folder with one table for each corpus."""


@dataclass(frozen=True, slots=True)
class Bundled:
    """One bundled corpus."""

    name: str
    """What the user calls it, as in `bpe-tui open hug`."""
    path: Path
    """The file with its text or its word counts."""
    preset: str
    """The preset it brings unless the user asks for another."""
    description: str
    """One line for lists."""
    options: dict[str, object]
    """Training options that differ from the preset, by their names in `Options`."""
    source: str
    """Where the text comes from."""
    licence: str
    """On which terms it may be passed on."""


def corpora_folder() -> Path:
    """Return the folder with the corpora: inside the package once installed, beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    installed = package / "corpora"
    return installed if (installed / CATALOGUE).is_file() else package.parent / "corpora"


def bundled_corpora() -> list[Bundled]:
    """Return all bundled corpora, in the order of the catalogue."""
    import tomllib  # a corpus that is a file needs no catalogue

    folder = corpora_folder()
    tables: dict[str, dict[str, Any]] = tomllib.loads((folder / CATALOGUE).read_text(encoding="utf-8"))
    return [
        Bundled(
            name=name,
            path=folder / table["file"],
            preset=table["preset"],
            description=table["description"],
            options=table.get("options", {}),
            source=table["source"],
            licence=table["licence"],
        )
        for name, table in tables.items()
    ]


def find_bundled(name: str) -> Bundled | None:
    """Return the bundled corpus called `name`, or None if there is none."""
    return next((corpus for corpus in bundled_corpora() if corpus.name == name), None)
