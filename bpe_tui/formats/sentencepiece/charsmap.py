"""The rules by which a model of SentencePiece rewrites characters, out of the precompiled map in its file.

The map is the size of a trie, the trie, and texts that each end in a NUL. The trie is a double array of Darts-clone
(https://github.com/s-yata/darts-clone): units of 32 bits, each reached by a byte, and for those that end a key another
unit with the place of the text that the key becomes. Ends of keys are shared, so that 60,000 units hold the 225,000
rules of `nmt_nfkc`; they are followed from character to character, and never listed.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _

_LABEL: Final = 0x8000_00FF
_PLACE: Final = 0x7FFF_FFFF
_HAS_VALUE: Final = 1 << 8
_NONE: Final = -1
_NEVER: Final = 9
_BYTES: Final = np.arange(256)
_MISSING: Final = np.stack(
    [
        np.select([_BYTES < 0x80, _BYTES < 0xC0, _BYTES < 0xE0, _BYTES < 0xF0, _BYTES < 0xF8], [0, 9, 1, 2, 3], _NEVER),
        np.where((_BYTES & 0xC0) == 0x80, -1, _NEVER),
    ]
)
"""How a byte changes the number of bytes that a character lacks, between characters and inside of one."""
Node = int
"""Where the units that the next bytes reach are, but for these bytes."""
Numbers = npt.NDArray[np.int64]


class Charsmap:
    """Rewrites characters: of the rules that fit at a place the one with the longest key."""

    def __init__(self, data: bytes) -> None:
        """Set up for a precompiled map; without bytes it has no rules. Raises TokenizerFileError if it is broken."""
        size = int.from_bytes(data[:4], "little")
        if data and (len(data) <= 4 or size % 4 or not 4 <= size < len(data) - 4):
            raise _broken()
        units = np.frombuffer(data, "<u4", size // 4, 4).astype(np.int64) if data else np.zeros(0, np.int64)
        self._texts = data[4 + size :]
        if data:
            _check(units, self._texts)
        self._units: list[int] = units.tolist()
        self._root: Node = _offset(self._units[0]) if data else _NONE
        self._steps: dict[tuple[Node, str], tuple[Node, int]] = {}
        """What a character leads to from a node: the next node, and the place of the text of a key that ends there."""

    def __bool__(self) -> bool:
        """Has it any rules?"""
        return self._root != _NONE

    def find(self, text: str, place: int) -> tuple[int, str] | None:
        """Where the longest key at a place of `text` ends, and what it becomes; None if there is none."""
        steps, node, found, end = self._steps, self._root, _NONE, place
        size = len(text)
        while node != _NONE and place < size:
            char = text[place]
            node, made = steps.get((node, char)) or self._step(node, char)
            place += 1
            if made != _NONE:
                found, end = made, place
        if found == _NONE:
            return None
        return end, self._texts[found : self._texts.index(b"\0", found)].decode()

    def _step(self, node: Node, char: str) -> tuple[Node, int]:
        """What a character leads to; remembered, because texts repeat their characters."""
        here, unit = node, 0
        for byte in char.encode():
            place = here ^ byte
            unit = self._units[place]
            if unit & _LABEL != byte:
                step = (_NONE, _NONE)
                break
            here = place ^ _offset(unit)
        else:
            step = (here, self._units[here] & _PLACE if unit & _HAS_VALUE else _NONE)
        self._steps[node, char] = step
        return step


def _offset(unit: int) -> int:
    """How a unit is far from those that the next bytes reach."""
    return (unit >> 10) << ((unit & (1 << 9)) >> 6)


def _check(units: Numbers, texts: bytes) -> None:
    """Raises TokenizerFileError unless all that UTF-8 can reach is in the map, and is text.

    SentencePiece goes by bytes. A key that ends inside a character would change the text there, and cannot here.
    """
    labels = units & _LABEL
    offsets = (units >> 10) << ((units & (1 << 9)) >> 6)
    owners = np.arange(len(units)) ^ labels
    """The node from which its byte reaches each unit."""
    order = np.argsort(owners)
    owners = owners[order]
    values: set[int] = set()
    seen = np.zeros((4, len(units)), dtype=bool)
    nodes, missing = offsets[:1], np.zeros(1, np.int64)
    """Nodes that are new, and how many bytes the character that leads there still lacks."""
    while len(nodes):
        if (nodes | 0xFF).max() >= len(units):
            raise _broken()
        firsts = np.searchsorted(owners, nodes)
        counts = np.searchsorted(owners, nodes, "right") - firsts
        places = order[np.repeat(firsts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())]
        before = np.repeat(missing, counts)
        missing = before + _MISSING[np.minimum(before, 1), labels[places] & 0xFF]
        is_text = (labels[places] <= 0xFF) & (missing < _NEVER)
        places, missing = places[is_text], missing[is_text]
        nodes = places ^ offsets[places]
        if len(nodes) and nodes.max() >= len(units):
            raise _broken()
        has_value = (units[places] & _HAS_VALUE) > 0
        if (missing[has_value] > 0).any():
            raise TokenizerFileError(_("its map of characters has a rule for a part of a character"))
        values.update((units[nodes[has_value]] & _PLACE).tolist())
        is_new = ~seen[missing, nodes]
        nodes, missing = np.divmod(np.unique(4 * nodes[is_new] + missing[is_new]), 4)
        seen[missing, nodes] = True
    for value in values:
        end = texts.find(b"\0", value)
        if end == _NONE:
            raise _broken()
        try:
            texts[value:end].decode()
        except UnicodeDecodeError:
            raise TokenizerFileError(_("its map of characters makes what is no UTF-8 text")) from None


def _broken() -> TokenizerFileError:
    return TokenizerFileError(_("its map of characters is broken"))
