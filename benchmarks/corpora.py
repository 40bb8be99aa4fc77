"""The texts that are trained on: large ones from Debian's documentation packages, small ones as parts of them."""

from __future__ import annotations

import gzip
import html
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PIECE: Final = 1 << 20

ENGLISH: Final = (
    ("dict-gcide", "gcide.dict.dz"),
    ("linux-doc-6.1", "*.rst.gz"),
    ("linux-doc-6.1", "*.txt.gz"),
    ("wordnet-base", "data.*"),
    ("miscfiles", "*.gz"),
)
"""Packages, and which of their files are English text: a dictionary, the kernel's documents, WordNet, oddments."""
MIXED: Final = (
    ("manpages-fr", "*.gz"),
    ("manpages-de", "*.gz"),
    ("manpages-ru", "*.gz"),
    ("manpages-ja", "*.gz"),
    ("debian-handbook", "*.html"),
    ("debian-reference-en", "*.txt.gz"),
    ("debian-reference-fr", "*.txt.gz"),
    ("debian-reference-ja", "*.txt.gz"),
)
"""Likewise for French, German, Russian, Japanese and more."""


@dataclass(frozen=True, slots=True)
class Corpora:
    """The texts of one run."""

    text: Path
    """About 1.1 MB."""
    english: Path
    """About 95 MB."""
    mixed: Path
    """About 73 MB, several languages."""
    parts: Path
    """A folder for parts and for what the programs write."""

    def part(self, megabytes: float) -> Path:
        """A text of that many million bytes: the English one's beginning, or both large ones if that is not enough."""
        path = self.parts / f"part-{megabytes:g}.txt"
        if not path.is_file():
            _cut(path, (self.english, self.mixed), round(megabytes * 1e6))
        return path


def prepare(folder: Path, text: Path | None, *, quick: bool) -> Corpora:
    """Find the texts in `folder`, or make them there. `quick`: the large ones are parts of themselves."""
    folder.mkdir(parents=True, exist_ok=True)
    english, mixed = folder / "en.txt", folder / "ml.txt"
    if not english.is_file() or not mixed.is_file():
        _collect(folder / "packages", english, mixed)
    parts = folder / "parts"
    parts.mkdir(exist_ok=True)
    whole = Corpora(text or english, english, mixed, parts)
    if quick:
        whole = Corpora(whole.text, whole.part(10), parts / "mixed-10.txt", parts)
        _cut(whole.mixed, (mixed,), 10_000_000)
    return whole if text else Corpora(whole.part(1.1), whole.english, whole.mixed, parts)


def _cut(path: Path, sources: Iterable[Path], size: int) -> None:
    """The first `size` bytes of the sources, to the end of a line."""
    temporary = path.with_suffix(".making")
    with temporary.open("wb") as out:
        for source in sources:
            with source.open("rb") as stream:
                while size > 0 and (data := stream.read(min(PIECE, size))):
                    out.write(data)
                    size -= len(data)
                if size <= 0:
                    out.write(stream.readline())
                    break
    temporary.rename(path)


# -- from the archive --------------------------------------------------------------------------------------------------


def _collect(folder: Path, english: Path, mixed: Path) -> None:
    packages = sorted({package for package, _ in (*ENGLISH, *MIXED)})
    print(f"Collecting {len(packages)} documentation packages in {folder}", file=sys.stderr)
    folder.mkdir(exist_ok=True)
    missing = [package for package in packages if not list(folder.glob(f"{package}_*.deb"))]
    if missing:
        try:
            subprocess.run(["apt-get", "download", "-qq", *missing], cwd=folder, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise SystemExit(
                f"The packages cannot be fetched ({error}). On another system, put an English text of about 95 MB into "
                f"{english} and one in many languages of about 73 MB into {mixed}."
            ) from error
    for package in folder.glob("*.deb"):
        target = folder / package.name.partition("_")[0]
        if not target.is_dir():
            subprocess.run(["dpkg", "-x", package, target], check=True)
    _write(english, _texts(folder, ENGLISH))
    _write(mixed, _texts(folder, MIXED))


def _write(path: Path, texts: Iterator[str]) -> None:
    temporary = path.with_suffix(".making")
    with temporary.open("w", encoding="utf-8", newline="") as out:
        for number, text in enumerate(texts):
            out.write("\n" * bool(number) + text)
    temporary.rename(path)


def _texts(folder: Path, wanted: Iterable[tuple[str, str]]) -> Iterator[str]:
    for package, pattern in wanted:
        clean: Callable[[str], str] = _without_markup if pattern.endswith(".html") else str
        for path in sorted((folder / package).rglob(pattern)):
            if path.is_file():
                yield clean(_text(path))


def _text(path: Path) -> str:
    data = path.read_bytes()
    if path.suffix in (".gz", ".dz"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError):
            return ""
    return data.decode("utf-8", "replace")


def _without_markup(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", text))
