"""Files that are taken for tokenizers and that we don't read: known by their content, each with what to do instead."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from bpe_tui.core.i18n import _
from bpe_tui.formats import vocabularies
from bpe_tui.formats.sentencepiece import beginning as sentencepiece

START: Final = 1 << 12
"""Bytes that are enough to know what a file is."""
FILES_IN_FOLDERS: Final = ("tokenizer.json", "merges.txt", "vocab.bpe", "tokenizer.model", "tekken.json")
"""What the tokenizer in a folder is called."""
_ENDINGS: Final = (".json", ".model", ".tiktoken", ".merges", ".codes", ".bpe", "merges.txt")
_HEADER: Final = re.compile(rb'(?:\xef\xbb\xbf)?(?:"bpe_simple_vocab_16e6\.txt)?#version')
_LFS_POINTER: Final = re.compile(rb"version https://git-lfs\S*\n(ext-\S* .*\n)*oid sha256:")
_WEB_PAGE: Final = re.compile(rb"(?i)\s*(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body)\b", re.DOTALL)
_ARCHIVES: Final = {b"PK\x03\x04": "zip", b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}
_TEKKEN: Final = re.compile(rb'\s*\{.*"token_bytes"\s*:', re.DOTALL)
_SETTINGS: Final = re.compile(rb'\s*\{.*"tokenizer_class"\s*:', re.DOTALL)


def may_be_tokenizer(path: str) -> bool:
    """Whether it is worth the time to find out if `path` is a tokenizer; most corpora it is not."""
    place = Path(path)
    try:
        if place.is_dir():
            return any((place / name).is_file() for name in FILES_IN_FOLDERS)
        if not place.is_file():
            return vocabularies.called(path) is not None
        with place.open("rb") as file:
            start = file.read(START)
    except (OSError, ValueError):
        return False
    if place.name.endswith(_ENDINGS) or _HEADER.match(start) is not None or sentencepiece.recognises(start):
        return True
    return refusal(start, as_corpus=True) != ""


def refusal(start: bytes, *, as_corpus: bool = False) -> str:
    """Why a file that begins so is not read, and what to do; empty for any other file.

    With `as_corpus` only for what is no text to train on either, as a web page is.
    """
    start = start.removeprefix(b"\xef\xbb\xbf")
    if _LFS_POINTER.match(start):
        return _("a git-lfs pointer, not the file itself; fetch that with git lfs pull, or download it again")
    for magic, name in _ARCHIVES.items():
        if start.startswith(magic):
            return _("a {kind} archive; unpack it and name a file in it").format(kind=name)
    if as_corpus:
        return ""
    if _WEB_PAGE.match(start):
        return _("a web page, not a tokenizer file; download the file itself (on the Hugging Face Hub, its raw form)")
    if _TEKKEN.match(start):
        return _("a tekken.json of Mistral, which is not read; use the tokenizer.json of the same model")
    if _SETTINGS.match(start) and b'"model"' not in start:
        return _("the settings of a tokenizer, not the tokenizer itself; name the tokenizer.json beside it")
    return ""
