"""Texts in other encodings than UTF-8: transcoded while they stream, and recognised where none was given."""

from __future__ import annotations

import codecs
import io
from typing import Any, BinaryIO, Final

from bpe_tui.core.errors import CorpusError, OptionError
from bpe_tui.core.i18n import _, number, unreadable

BLOCK: Final = 1 << 20
"""Bytes that are decoded at a time."""
_MARKS: Final = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_SAMPLE: Final = 4096
"""Bytes from which an encoding is guessed."""


def check_encoding(name: str) -> str:
    """The name of an encoding as Python has it. Raises `OptionError` if there is none of that name."""
    try:
        found = codecs.lookup(name)
        "".encode(found.name)  # refuses what turns text into text, or bytes into bytes
    except (LookupError, ValueError, TypeError):
        sentence = _("there is no encoding {name!r}; name one that Python knows, as latin-1, cp1252 or utf-16")
        raise OptionError(sentence.format(name=name)) from None
    return found.name


def guess_encoding(data: bytes) -> str | None:
    """The encoding that the start of a text looks like, by its byte-order mark or its zeros; None if like none."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    start = data[:_SAMPLE]
    if start.count(0) * 3 < len(start) or len(start) < 8:
        return None
    shares = [start[place::4].count(0) * 4 / len(start) for place in range(4)]
    for encoding, zeros in (("utf-32-le", (1, 2, 3)), ("utf-32-be", (0, 1, 2))):
        if all((share > 0.8) == (place in zeros) for place, share in enumerate(shares)):
            return encoding
    for encoding, pair in (("utf-16-le", (1, 3)), ("utf-16-be", (0, 2))):
        if all(share > 0.7 if place in pair else share < 0.1 for place, share in enumerate(shares)):
            return encoding
    return None


def refuse_other_encodings(data: bytes, name: str) -> None:
    """Raises `CorpusError` if the start of a text looks like UTF-16 or UTF-32."""
    if b"\0" in data[:_SAMPLE] or data[:1] in (b"\xff", b"\xfe"):
        encoding = guess_encoding(data)
        if encoding is not None:
            raise other_encoding(name, encoding)


def other_encoding(name: str, encoding: str) -> CorpusError:
    """The error of a text that is not UTF-8, and looks like another encoding."""
    sentence = _("{name} is not UTF-8 (it looks like {encoding}); give --encoding {option}, or save it as UTF-8")
    shown = encoding.upper().removesuffix("-LE").removesuffix("-BE")
    return CorpusError(sentence.format(name=name, encoding=shown, option=encoding))


def not_utf8(name: str, place: int, byte: int, line: int | None) -> CorpusError:
    """The error of a text that is not UTF-8 at a byte (from 0), in a line (from 1) if that is known."""
    values = {"name": name, "place": number(place), "byte": format(byte, "02X")}
    if line is None:
        sentence = _("{name} is not UTF-8: byte {place} is 0x{byte}; save it as UTF-8, or give its --encoding")
        return CorpusError(sentence.format(**values))
    sentence = _(
        "{name}, line {line}, is not UTF-8: byte {place} is 0x{byte}; save it as UTF-8, or give its --encoding"
    )
    return CorpusError(sentence.format(line=number(line), **values))


class TranscodedStream(io.RawIOBase):
    """A stream of bytes in some encoding, as UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str, name: str) -> None:
        self._stream = stream
        self._encoding = encoding
        self._name = name
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._done = 0
        self._ready = b""
        self._ended = False

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer`; 0 at the end. Raises `CorpusError` naming the byte that is not in the encoding."""
        view = memoryview(buffer).cast("B")
        while not self._ready and not self._ended:
            data = self._read()
            self._ended = not data
            self._ready = self._decoded(data).encode("utf-8", "replace")
            self._done += len(data)
        size = min(len(view), len(self._ready))
        view[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _read(self) -> bytes:
        try:
            return self._stream.read(BLOCK)
        except OSError as error:
            raise CorpusError(unreadable(self._name, error)) from error

    def _decoded(self, data: bytes) -> str:
        waiting = len(self._decoder.getstate()[0])
        try:
            return self._decoder.decode(data, final=not data)
        except UnicodeError as error:
            start = error.start if isinstance(error, UnicodeDecodeError) else 0
            sentence = _("{name} is not {encoding} at byte {place}; is it another encoding?")
            place = number(self._done - waiting + start)
            raise CorpusError(sentence.format(name=self._name, encoding=self._encoding, place=place)) from error

    def close(self) -> None:
        """Close the stream below."""
        self._stream.close()
        super().close()


def transcoded(stream: BinaryIO, encoding: str, name: str) -> BinaryIO:
    """`stream`, which is in `encoding`, as a stream of UTF-8; `name` is for errors."""
    return io.BufferedReader(TranscodedStream(stream, encoding, name), BLOCK)
