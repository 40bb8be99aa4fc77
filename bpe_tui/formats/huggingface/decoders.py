"""Decoders of a Hugging Face `tokenizer.json`, as `tokenizers` runs them.

A decoder turns the tokens' texts into other texts, one after the other in a Sequence, and in the end they are put
together. Bytes that make no character become U+FFFD there, as many as that package makes of them; where the bytes
themselves are asked for, they travel through the chain as surrogate escapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import CHAR_TO_BYTE
from bpe_tui.core.encoding.token_table import TokenTable
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, number
from bpe_tui.formats.huggingface import oniguruma
from bpe_tui.formats.huggingface.foreign import ForeignDecoder, name_of
from bpe_tui.formats.huggingface.native import ALWAYS_ALLOWED, MOST_GROWTH
from bpe_tui.formats.huggingface.schema import fields_of

BYTE_LEVEL: Final = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}

Texts = list[str]
Stage = Callable[[Texts, bool], Texts]
"""Turns texts into texts; with True, bytes that make no character are kept as surrogate escapes."""

_BYTE_TOKEN: Final = re.compile(r"<0x([0-9A-Fa-f]{2})>|<0x\+([0-9A-Fa-f])>")
"""What Rust's parser of numbers takes for a byte; a plus sign is one of its liberties."""


class ChainDecoder:
    """Decodes as the `decoder` of a file says."""

    def __init__(self, table: TokenTable, component: Any, instead: Mapping[int, str]) -> None:
        """Set up for tokens of which some are decoded as if they had another text (`instead`, by id).

        Raises TokenizerFileError, naming the component, for one that cannot be run.
        """
        self._table = table
        self._instead = instead
        self._stage = None if component is None else make_stage(component)

    def decode(self, ids: Iterable[int]) -> bytes:
        """See `bpe_tui.core.encoding.decoder.Decoder`."""
        return self._put_together(ids, exact=True).encode("utf-8", "surrogateescape")

    def text(self, ids: Iterable[int]) -> str:
        """See `bpe_tui.core.encoding.decoder.Decoder`."""
        return self._put_together(ids, exact=False)

    def _put_together(self, ids: Iterable[int], *, exact: bool) -> str:
        texts = []
        for token in ids:
            text = self._table.text_of(token)
            texts.append(self._instead.get(token) or text)
        if self._stage is None:
            return " ".join(texts)
        return "".join(self._stage(texts, exact)) if texts else ""


def make_stage(component: Any) -> Stage:
    """What runs `component`. Raises TokenizerFileError, naming it, if it is malformed or nothing can run it."""
    stage = _stage_here(component)
    if stage is not None:
        return stage
    decoder = ForeignDecoder(component)
    return lambda texts, exact: [decoder.decode(texts)]


def _stage_here(component: Any) -> Stage | None:
    """What runs `component` without the package `tokenizers`, which would put all texts together; None if nothing."""
    fields = fields_of(component, "decoder")
    kind = fields["type"]
    if kind == "Sequence":
        stages = [_stage_here(part) for part in fields["decoders"]]
        found = [stage for stage in stages if stage is not None]
        return (lambda texts, exact: _through(found, texts, exact, component)) if len(found) == len(stages) else None
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    return _MADE[kind](fields) if kind in _MADE else None


def _through(stages: list[Stage], texts: Texts, exact: bool, component: Any) -> Texts:
    size = sum(map(len, texts))
    for stage in stages:
        texts = stage(texts, exact)
        _check_growth(component, size, sum(map(len, texts)))
    return texts


def _check_growth(component: Any, size: int, grown: int) -> None:
    """Raises TokenizerFileError if a decoder makes so much of texts of `size` characters that it can only be a trap."""
    if grown > max(ALWAYS_ALLOWED, MOST_GROWTH * size):
        raise TokenizerFileError(
            _("{what} makes a text of {length} characters more than {limit} times as long").format(
                what=name_of("decoder", component), length=number(size), limit=MOST_GROWTH
            )
        )


def _text_of(data: bytes, exact: bool) -> str:
    return data.decode("utf-8", "surrogateescape" if exact else "replace")


def _byte_level(texts: Texts, exact: bool) -> Texts:
    data = bytearray()
    for text in texts:
        try:
            data += bytes([CHAR_TO_BYTE[char] for char in text])
        except KeyError:  # a token that is not written in byte characters stands for its text
            data += text.encode("utf-8", "surrogateescape")
    return [_text_of(bytes(data), exact)]


def _fuse(texts: Texts, exact: bool) -> Texts:
    return ["".join(texts)]


def _byte_fallback(texts: Texts, exact: bool) -> Texts:
    made: Texts = []
    waiting = bytearray()

    def flush() -> None:
        if waiting:
            try:
                made.append(waiting.decode())
            except UnicodeDecodeError:
                made.extend([_text_of(bytes(waiting), True)] if exact else ["\ufffd"] * len(waiting))
            waiting.clear()

    for text in texts:
        match = _BYTE_TOKEN.fullmatch(text)
        if match:
            waiting.append(int(match[1] or match[2], 16))
        else:
            flush()
            made.append(text)
    flush()
    return made


def _metaspace(fields: dict[str, Any]) -> Stage:
    replacement, drops_first = fields["replacement"], fields["prepend_scheme"] != "never"

    def stage(texts: Texts, exact: bool) -> Texts:
        first = texts[0].replace(replacement, "" if drops_first else " ")
        return [first, *(text.replace(replacement, " ") for text in texts[1:])]

    return stage


def _bpe(fields: dict[str, Any]) -> Stage:
    suffix = fields["suffix"]

    def stage(texts: Texts, exact: bool) -> Texts:
        return [*(text.replace(suffix, " ") for text in texts[:-1]), texts[-1].replace(suffix, "")]

    return stage


def _strip(fields: dict[str, Any]) -> Stage:
    content, most_before, most_after = fields["content"], fields["start"], fields["stop"]

    def stage(texts: Texts, exact: bool) -> Texts:
        made = []
        for text in texts:
            start = min(most_before, len(text) - len(text.lstrip(content)))
            stop = min(most_after, len(text) - len(text.rstrip(content)))
            made.append(text[start : len(text) - stop])
        return made

    return stage


def _replace(fields: dict[str, Any]) -> Stage | None:
    pattern, content = oniguruma.compile_pattern(fields["pattern"], "Replace"), fields["content"]
    if pattern is None:
        return None

    def stage(texts: Texts, exact: bool) -> Texts:
        made = []
        size = sum(map(len, texts))
        grown = 0
        for text in texts:
            parts, last = [], 0
            for start, end in oniguruma.matches(pattern, text):
                parts += [text[last:start], content]
                last = end
                grown += len(content)
                _check_growth(fields, size, grown)
            made.append("".join([*parts, text[last:]]))
        return made

    return stage


_CLEANED: Final = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)


def _word_piece(fields: dict[str, Any]) -> Stage:
    prefix, cleans = fields["prefix"], fields["cleanup"]

    def stage(texts: Texts, exact: bool) -> Texts:
        made = []
        for place, text in enumerate(texts):
            if place:
                text = text.removeprefix(prefix) if text.startswith(prefix) else f" {text}"
            for old, new in _CLEANED if cleans else ():
                text = text.replace(old, new)
            made.append(text)
        return made

    return stage


_SIMPLE: Final[dict[str, Stage]] = {"ByteLevel": _byte_level, "Fuse": _fuse, "ByteFallback": _byte_fallback}
_MADE: Final[dict[str, Callable[[dict[str, Any]], Stage | None]]] = {
    "Metaspace": _metaspace,
    "BPEDecoder": _bpe,
    "Strip": _strip,
    "Replace": _replace,
    "WordPiece": _word_piece,
}


def check_decoder(component: Any) -> None:
    """Raises TokenizerFileError, naming the component, if the decoder of a file cannot be run."""
    if component is not None:
        make_stage(component)
