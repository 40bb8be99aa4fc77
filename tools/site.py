"""`make docs`: the documentation site, of docs/, the lessons as they are printed, and the reference of the Python API.

All pages are collected in build/docs, with their links leading to one another; Zensical builds build/site from them and
checks links and anchors. At last the built site is read: it must load nothing from elsewhere, and hold what it names.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from bpe_tui.core.i18n import LANGUAGES, use
from bpe_tui.lessons.library import LessonEntry, all_entries
from bpe_tui.lessons.printing import MarkdownText, print_to
from bpe_tui.lessons.reading import read_lesson

CHECKOUT: Final = Path(__file__).parents[1]
COLLECTED: Final = CHECKOUT / "build" / "docs"
SITE: Final = CHECKOUT / "build" / "site"
CONFIGURATION: Final = CHECKOUT / "zensical.toml"
ELSEWHERE: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "corpora/README.md": "corpora.md",
}
"""Pages that are not in docs/, by their places in the repository, with those on the site."""
PICTURES: Final = "pictures"
FILES: Final = "files"
"""The folder for other files of the repository that pages link to."""
REFERENCE: Final = {
    "Train": ("train", "open_corpus", "Training"),
    "Encode": ("read_tokenizer", "Tokenizer", "Encoding", "Token"),
    "Report": ("report", "Report"),
    "Rows and tables": ("Table", "PairRow", "Step", "TrainingWord", "TraceRow"),
    "Errors": ("BpeError",),
}
"""All names of the Python API, by subject."""
LINK: Final = re.compile(r"(?<=\]\()([^)#\s]+)")
"""The target of a link or picture, without its anchor."""
ROW: Final = re.compile(r"^\|.*$", re.MULTILINE)
CODE: Final = re.compile(r"`[^`\n]+`")
FENCE: Final = re.compile(r"^(`{3,})[^\n]*\n.*?^\1`*$", re.MULTILINE | re.DOTALL)


# -- pages -------------------------------------------------------------------------------------------------------------


def pages() -> dict[str, Callable[[], str]]:
    """Every page of the site by its place there, with what writes it as Markdown."""
    found = {place: partial(moved, source) for source, place in _sources().items()}
    written: dict[str, Callable[[], str]] = {**found, "reference.md": _reference}
    for entry in all_entries():
        written[f"lessons/{entry.language}/{entry.file.path.name}"] = partial(_lesson, entry)
    return written


def _sources() -> dict[str, str]:
    """Pages by their places in the repository, with those on the site."""
    own = {path.relative_to(CHECKOUT).as_posix(): path.name for path in sorted(CHECKOUT.glob("docs/*.md"))}
    return {**ELSEWHERE, **own}


def moved(source: str) -> str:
    """A page of the repository as it has to be on the site: its links, and bars in code in tables.

    On code hosts such a bar needs a backslash, which this flavour of Markdown shows.
    """
    text = (CHECKOUT / source).read_text(encoding="utf-8")
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [_converted(text[end : fence.start()], source), fence.group()]
        end = fence.end()
    return "".join([*parts, _converted(text[end:], source)])


def _converted(text: str, source: str) -> str:
    text = LINK.sub(lambda found: _target(found[1], source), text)
    return ROW.sub(lambda row: CODE.sub(lambda code: code.group().replace("\\|", "|"), row.group()), text)


def _target(link: str, source: str) -> str:
    """Where a link of a page leads on the site."""
    if urlsplit(link).scheme:
        return link
    named = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    if named.startswith(f"docs/{PICTURES}/"):
        return named.removeprefix("docs/")
    return _sources().get(named) or f"{FILES}/{posixpath.basename(named)}.txt"


def _files() -> Iterator[tuple[str, Path]]:
    """What is no page, by its place on the site: pictures, and files that pages link to."""
    for path in sorted((CHECKOUT / "docs" / PICTURES).glob("*.svg")):
        yield f"{PICTURES}/{path.name}", path
    for source in _sources():
        text = FENCE.sub("", (CHECKOUT / source).read_text(encoding="utf-8"))
        for link in LINK.findall(text):
            if not urlsplit(link).scheme and _target(link, source).startswith(f"{FILES}/"):
                yield _target(link, source), (CHECKOUT / source).parent / link


def _reference() -> str:
    """The page that mkdocstrings fills in."""
    parts = [
        "# Python reference\n",
        "What `import bpe_tui as bpe` offers. [In notebooks and scripts](api.md) shows it at work.\n",
    ]
    for subject, names in REFERENCE.items():
        parts += [f"## {subject}\n", *(f"::: bpe_tui.api.{name}\n" for name in names)]
    return "\n".join(parts)


def _lesson(entry: LessonEntry) -> str:
    use(entry.language)
    try:
        writer = MarkdownText()
        print_to(writer, read_lesson(entry.file))
    finally:
        use(LANGUAGES[0])
    return writer.text()


def collect() -> None:
    """Write all pages and files anew. Raises `OSError`, and `LessonError` for a lesson that cannot be read."""
    shutil.rmtree(COLLECTED, ignore_errors=True)
    for place, write in pages().items():
        path = COLLECTED / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write(), encoding="utf-8")
    for place, source in _files():
        path = COLLECTED / place
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)


# -- the built site ----------------------------------------------------------------------------------------------------


class BuiltPage(HTMLParser):
    """What one page of the site loads and links to, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses in a tag."""
        named = dict(attrs)
        self.anchors.update(filter(None, (named.get("id"), named.get("name"))))
        for name in ("src", "href", "data", "srcset", "poster"):
            address = named.get(name)
            if address:
                (self.linked if tag == "a" else self.loaded).append(address)


def faults(site: Path) -> list[str]:
    """What is wrong with a built site, a line each: files from elsewhere, links and anchors that lead nowhere."""
    built = {path: BuiltPage(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in built.items():
        name = path.relative_to(site).as_posix()
        if name == "404.html":  # shown at any depth, so its links are absolute
            continue
        found += [f"{name} loads {address}" for address in page.loaded if _is_elsewhere(address)]
        for address in (*page.loaded, *page.linked):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment)
            if not target.is_file():
                found.append(f"{name} links to {address}, which is not there")
            elif anchor and target in built and anchor not in built[target].anchors and anchor != "__skip":
                found.append(f"{name} links to {address}, but that page has no such anchor")
    for path in sorted(site.rglob("*.css")):
        addresses = re.findall(r"url\(['\"]?([^)'\"]+)|@import\s+['\"]([^'\"]+)", path.read_text(encoding="utf-8"))
        found += [
            f"{path.relative_to(site)} loads {one or other}" for one, other in addresses if _is_elsewhere(one + other)
        ]
    return found


def _is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def main() -> int:
    """Collect, build, check; the exit status."""
    collect()
    shutil.rmtree(SITE, ignore_errors=True)
    zensical = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", str(CONFIGURATION)]
    status = subprocess.run(zensical, cwd=CHECKOUT, check=False).returncode
    if status:
        return status
    found = faults(SITE)
    for line in found:
        sys.stderr.write(f"{line}\n")
    built = len(list(SITE.rglob("*.html")))
    sys.stdout.write(f"{built} pages in {SITE.relative_to(CHECKOUT)}, {len(found)} faults\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
