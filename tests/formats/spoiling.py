"""Small changes to files that are whole: of bytes and lines, and of the values in a JSON file."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

SNIPPETS = (
    b'\xff|\xed\xa0\x80|\\ud800|\r|\t| |\n|-|0|999999999999|1e5|"|null|true|{}|[]|,|:|#|\x00|\xe2\x80\xa8'
    b"|\xef\xbb\xbf|NaN|=|+|/|Lowercase|ByteLevel|false|\\u0000|#version|</w>|256|1|(|*|\\"
).split(b"|")
"""What is put into a file."""


def spoiled(rng: random.Random, data: bytes) -> bytes:
    """The file with one to three small changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        place = rng.randrange(len(data) + 1)
        end = min(len(data), place + rng.choice((1, 1, 2, 5, 40)))
        lines = data.split(b"\n")
        change = rng.randrange(8)
        if change == 0:
            data = data[:place] + data[end:]
        elif change == 1:
            data = data[:place] + rng.choice(SNIPPETS) + data[place:]
        elif change == 2:
            data = data[:place] + rng.choice(SNIPPETS) + data[end:]
        elif change == 3:
            data = data[:place] + data[place:end] * 2 + data[end:]
        elif change == 4:
            data = data[:place]
        elif change == 5 and len(lines) > 1:
            one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[one]
            data = b"\n".join(lines)
        elif change == 6:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            data = b"\n".join(lines)
        elif place < len(data):
            data = data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
    return data


def flipped(rng: random.Random, data: bytes) -> bytes:
    """The file with one to three bytes changed; it stays as long as it says it is."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        changed[rng.randrange(len(changed))] = rng.choice((rng.randrange(256), rng.randrange(0x61, 0x7B)))
    return bytes(changed)


VALUES: list[Any] = [None, True, False, 0, 1, -1, 255, 2**40, 1.5, "", "a", "Ġ", "[UNK]", "a b", "#version", "é"]
VALUES += [[], {}, [["a", "b"]]]
"""What a value in a JSON file is replaced by."""


def altered(rng: random.Random, data: bytes) -> bytes:
    """A JSON file with one to three values changed, gone, or there twice; it stays JSON."""
    value = json.loads(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(value))
        parent, key = rng.choice(places)
        change = rng.randrange(5)
        old = parent[key]
        if change == 0:
            parent[key] = deepcopy(rng.choice(VALUES))
        elif change == 1 and isinstance(old, (int, str)) and not isinstance(old, bool):
            parent[key] = old + 1 if isinstance(old, int) else old + rng.choice(("a", " ", "\u0301", ""))
        elif change == 2:
            del parent[key]
        elif change == 3 and isinstance(parent, list):
            parent.insert(rng.randrange(len(parent) + 1), old)
        else:
            other, name = rng.choice(places)
            if name in other if isinstance(other, dict) else name < len(other):
                parent[key] = deepcopy(other[name])
        if not list(_places(value)):
            break
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value inside a JSON value, by what holds it and its key there; of long lists and objects a part."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    for key in keys[:30] + keys[-5:] if len(keys) > 35 else keys:
        yield value, key
        yield from _places(value[key])
