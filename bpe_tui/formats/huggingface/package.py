"""Running components of a tokenizer.json through the package `tokenizers`, where it is installed.

It is the extra `hf`: only files with components that we have no code for need it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _

INSTALL: Final = "pip install '.[hf]'"

_MODEL: Final = {"type": "BPE", "vocab": {}, "merges": []}


def component(part: str, value: Any) -> Any:
    """The normalizer, pre_tokenizer or decoder that `value` describes, ready to run.

    Raises TokenizerFileError, naming the component, if the package is not installed or does not accept it.
    """
    name = described(part, value)
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise TokenizerFileError(
            _("{name} needs the package tokenizers: {install}").format(name=name, install=INSTALL)
        ) from None
    try:
        made = Tokenizer.from_str(json.dumps({"version": "1.0", part: value, "model": _MODEL}))
    except BaseException as error:
        raise_if_stopped(error)
        raise TokenizerFileError(
            _("{name} is not one that tokenizers accepts: {reason}").format(name=name, reason=one_line(error))
        ) from None
    return getattr(made, part)


def described(part: str, value: Any) -> str:
    """A component as a sentence names it."""
    names = {
        "normalizer": _("the normalizer {kind}"),
        "pre_tokenizer": _("the pre-tokenizer {kind}"),
        "decoder": _("the decoder {kind}"),
        "post_processor": _("the post-processor {kind}"),
    }
    return names[part].format(kind=kind_of(value))


def kind_of(value: Any) -> str:
    """What a component is called in an error."""
    if isinstance(value, dict) and value.get("type") == "Sequence":
        members = next((part for part in value.values() if isinstance(part, list)), [])
        return " + ".join(map(kind_of, members)) or "Sequence"
    return str(value["type"]) if isinstance(value, dict) and isinstance(value.get("type"), str) else _("without a type")


def raise_if_stopped(error: BaseException) -> None:
    """Raise `error` if it is a wish to stop; the package's panics are no Exceptions either, but are only failures."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit | MemoryError):
        raise error


def one_line(error: BaseException) -> str:
    """What the package says, on one line."""
    return " ".join(str(error).split())


class Places:
    """A text as a component leaves it: pieces, each with the places where its characters stood in the text."""

    def __init__(self, text: str, run: Any, what: str) -> None:
        """`run` is given the package's `PreTokenizedString` of `text`. Raises TokenizerFileError if it fails."""
        from tokenizers import PreTokenizedString

        pieces = PreTokenizedString(text)
        try:
            run(pieces)
            pieces.tokenize(_characters)
            encoding = pieces.to_encoding()
        except BaseException as error:
            raise_if_stopped(error)
            raise TokenizerFileError(
                _("{what} failed on a text: {reason}").format(what=what, reason=one_line(error))
            ) from None
        self._parts = (encoding.tokens, encoding.offsets, encoding.word_ids)

    def __iter__(self) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """The pieces that hold anything, and for each of their characters its start and end."""
        piece: list[str] = []
        places: list[tuple[int, int]] = []
        last = None
        for char, place, word in zip(*self._parts, strict=True):
            if word != last and piece:
                yield "".join(piece), places
                piece, places = [], []
            last = word
            piece.append(char)
            places.append(place)
        if piece:
            yield "".join(piece), places


def _characters(text: str) -> list[Any]:
    """`text` as one token a character; places count in bytes here."""
    from tokenizers import Token

    tokens, begin = [], 0
    for char in text:
        end = begin + len(char.encode())
        tokens.append(Token(0, char, (begin, end)))
        begin = end
    return tokens
