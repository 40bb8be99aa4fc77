"""How much memory a corpus needs, estimated before it is taken, and how much there is.

The figures are measured upper bounds (see `docs/limits.md`). Counting needs memory for each distinct word; training for
each symbol of the distinct words, with all that undo needs.
"""

from __future__ import annotations

import re
from math import log2
from typing import BinaryIO, Final

from bpe_tui.core import system
from bpe_tui.core.corpus.types import ShouldStop, raise_if_stopped
from bpe_tui.core.errors import CorpusError, OptionError
from bpe_tui.core.i18n import _, number

WHILE_COUNTING: Final = 300
"""Bytes for each distinct word, half of which are in use when the last one has been read."""
WHILE_TRAINING: Final = 90
"""Bytes for each symbol of the distinct words."""
WHILE_WHOLE: Final = 8
"""Bytes for each byte of a text that must be read into memory at once."""
CHUNKS_PER_WORD: Final = 2
"""Distinct pieces between spaces for each distinct word, which has punctuation cut off."""
WHILE_READING: Final = 25
"""Bytes for each byte of a table of words."""
BYTES_PER_ROW: Final = 12
"""Bytes of one word in a table."""
SYMBOLS_PER_WORD: Final = 9
"""Symbols of a distinct word, where only the words' number is known."""
SAMPLE: Final = 1 << 20
"""Bytes of a large text from which the number of its distinct words is guessed."""
LARGE: Final = 64 << 20
"""From this many bytes on the memory for a text is estimated before it is read."""
ALWAYS_THERE: Final = 32 << 20
"""Bytes that are taken without a check whether they are free."""
SHARE: Final = 0.9
"""Of the memory that is free, what we may take."""
_UNITS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}

_limit: int | None = None


class TooLarge(CorpusError):
    """A corpus needs more memory than there is, or than was allowed."""


def parse_size(text: str) -> int:
    """Bytes of `500MB`, `2G` or `800000000`. Raises `OptionError`."""
    found = re.fullmatch(r"\s*([0-9]{1,15}(?:\.[0-9]{1,3})?)\s*([kmgt]?)i?b?\s*", text, re.IGNORECASE | re.ASCII)
    if found is None or (size := int(float(found[1]) * _UNITS[found[2].lower()])) <= 0:
        sentence = _("--max-memory {text!r} is no size; write it as 500MB or 2GB")
        raise OptionError(sentence.format(text=text))
    return size


def limit_memory(limit: int | None) -> None:
    """Let this process hold that many bytes in all from now on; None: what is free."""
    global _limit  # noqa: PLW0603 (a process has one)
    _limit = limit


def memory_limit() -> int | None:
    """The limit set by `limit_memory`."""
    return _limit


def check_words(name: str, words: int) -> None:
    """Check that counting can continue with this many distinct words in memory. Raises `TooLarge`."""
    _check(name, words, words * WHILE_COUNTING // 2)


def check_table(name: str, size: int) -> None:
    """Check that a table of words of `size` bytes can be read. Raises `TooLarge`."""
    _check(name, size // BYTES_PER_ROW, size * WHILE_READING)


def check_training(name: str, words: int, symbols: int) -> None:
    """Check that distinct words of that many symbols in all can be trained on. Raises `TooLarge`."""
    _check(name, words, symbols * WHILE_TRAINING)


def check_estimate(name: str, size: int, sample: int, half: int, whole: int, *, trains: bool) -> None:
    """Check that a text of `size` bytes can be counted and trained on. Raises `TooLarge`.

    `half` and `whole` are the numbers of distinct chunks in half a `sample` of it and in all of the sample. Distinct
    words grow with a power of the text's length (Heaps' law) that falls with the length, so the estimate is an upper
    bound for texts whose start is typical.
    """
    power = min(1.0, max(0.3, log2(max(whole, 1) / max(half, 1))))
    chunks = int(whole * (size / sample) ** power)
    words = chunks // CHUNKS_PER_WORD
    needed = max(chunks * WHILE_COUNTING, words * SYMBOLS_PER_WORD * WHILE_TRAINING if trains else 0)
    _check(name, words, needed, estimated=True)


def read_all(stream: BinaryIO, name: str, should_stop: ShouldStop | None = None) -> bytes:
    """All bytes of a stream, as long as there is memory for what becomes of them.

    Raises `TooLarge`, `OSError`, and `Cancelled`.
    """
    parts: list[bytes] = []
    size = 0
    while part := stream.read(SAMPLE):
        parts.append(part)
        size += len(part)
        check_whole(name, size)
        raise_if_stopped(should_stop)
    return b"".join(parts)


def check_whole(name: str, size: int) -> None:
    """Check that a text that must be read into memory at once, and has `size` bytes so far, fits. Raises `TooLarge`."""
    needed, there = _needed(size * WHILE_WHOLE)
    if needed > there:
        sentence = _(
            "{name} must be read into memory at once, and {size} of it or more need about {needed}; {there} is "
            "available; use a smaller excerpt, or give --max-memory"
        )
        sizes = {"size": size_text(size), "needed": size_text(needed), "there": size_text(there)}
        raise TooLarge(sentence.format(name=name, **sizes))


def _needed(more: int) -> tuple[int, int]:
    """The bytes that are needed in all with `more`, and those that are there."""
    if _limit is not None:
        return memory_in_use() + more, _limit
    if more < ALWAYS_THERE:
        return 0, 0
    return more, int((free_memory() or more * 2) * SHARE)  # where the system does not report what is free, assume room


def _check(name: str, words: int, more: int, *, estimated: bool = False) -> None:
    """Check that there is room for `more` bytes. Raises `TooLarge`."""
    needed, there = _needed(more)
    if needed <= there:
        return
    values = {"name": name, "needed": size_text(needed), "there": size_text(there), "words": number(words)}
    if estimated:
        sentence = _(
            "{name} needs about {needed} of memory (some {words} distinct words, by its first megabyte), and {there} "
            "is available; use a smaller excerpt, or give --max-memory if you know better"
        )
    else:
        sentence = _(
            "{name} needs about {needed} of memory ({words} distinct words), and {there} is available; count it first "
            "and keep the frequent words (bpe-tui count --min-count 2 -o words.tsv), or give --max-memory"
        )
    raise TooLarge(sentence.format(**values))


def memory_in_use() -> int:
    """Bytes that this process holds; 0 if the system does not report it."""
    try:
        return system.memory_taken()[1]
    except (OSError, ValueError):
        return 0


def free_memory() -> int | None:
    """Bytes that this process may still take, by the machine, its container and its limits; None if none is known."""
    found = [each for each in (_of_machine(), _of_container(), _of_limits()) if each is not None]
    return min(found) if found else None


def _of_machine() -> int | None:
    try:
        data = system.told("/proc/meminfo")
    except OSError:
        return None
    available = re.search(rb"^MemAvailable:\s*(\d+) kB", data, re.MULTILINE)
    return int(available[1]) * 1024 if available is not None else None


def _of_container() -> int | None:
    for folder, limit, used in (
        ("/sys/fs/cgroup", "memory.max", "memory.current"),
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ):
        try:
            return max(0, int(system.told(f"{folder}/{limit}")) - int(system.told(f"{folder}/{used}")))
        except (OSError, ValueError):  # no such file, or no limit
            continue
    return None


def _of_limits() -> int | None:
    limit = system.address_space_limit()
    try:
        return None if limit is None else max(0, limit - system.memory_taken()[0])
    except (OSError, ValueError):
        return None


def size_text(size: float) -> str:
    """`3.2 GB`."""
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 10 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} GB"
