"""Messages of protobuf as their fields: as much of the wire format as a tokenizer file needs, read strictly.

A message is a sequence of fields, each of them a number, a kind of value and the value; what the numbers mean is not in
the file. See https://protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

import struct
from typing import Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _

Value = int | float | bytes
"""A varint as a whole number, four bytes as a float; texts, bytes and messages as bytes."""
Fields = dict[int, list[Value]]
"""The values of a message by the numbers of their fields, in order."""

_LARGEST_NUMBER: Final = (1 << 29) - 1
_LONGEST_VARINT: Final = 10
_FLOAT: Final = struct.Struct("<f")


def fields_of(data: bytes) -> Fields:
    """The fields of a message. Raises TokenizerFileError, naming the byte, for what is no message of these values."""
    fields: Fields = {}
    place, size = 0, len(data)
    while place < size:
        begin = place
        tag, place = _varint(data, place)
        number, kind = tag >> 3, tag & 7
        value: Value
        if not 1 <= number <= _LARGEST_NUMBER:
            raise _broken(begin)
        if kind == 0:
            value, place = _varint(data, place)
        elif kind == 2:
            length, place = _varint(data, place)
            value, place = data[place : place + length], place + length
        elif kind == 5:
            value, place = (_FLOAT.unpack_from(data, place)[0] if place + 4 <= size else 0.0), place + 4
        else:
            raise _broken(begin)
        if place > size:
            raise _broken(begin)
        fields.setdefault(number, []).append(value)
    return fields


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A whole number, seven bits a byte from the lowest on, and the place behind it."""
    if place < len(data) and data[place] < 0x80:  # most are one byte
        return data[place], place + 1
    value = 0
    for count, byte in enumerate(data[place : place + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << 7 * count
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, place + count + 1
    raise _broken(place)


def _broken(place: int) -> TokenizerFileError:
    message = _("not a tokenizer file, no field of protobuf is at byte {place}")
    return TokenizerFileError(message.format(place=place + 1))
