"""Word-count tables: words with their frequencies instead of text.

One word a line, then a TAB or one space, then the count, the count being the last field (with a TAB, the word may hold
spaces); or a JSON object `{word: count}`. Repeated words are summed.

What is written here is read back to the very same words and counts, in the same order.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from bpe_tui.core.corpus.encodings import refuse_other_encodings
from bpe_tui.core.corpus.memory import check_table, read_all
from bpe_tui.core.corpus.sources import Source
from bpe_tui.core.corpus.types import ShouldStop, WordCounts, raise_if_stopped
from bpe_tui.core.errors import CorpusError, OptionError
from bpe_tui.core.i18n import _, number, plural, unreadable

_BYTE_ORDER_MARK: Final = "\ufeff"
_MANY_DIGITS: Final = 100
"""More of them are no count, and Python is slow to read thousands."""
_POLL_ROWS: Final = 1024
"""Rows between two checks of `should_stop`."""


def read_tables(sources: Sequence[Source], should_stop: ShouldStop | None = None) -> WordCounts:
    """The words of all tables, summed, in order of first appearance.

    Raises `CorpusError` naming file and line, and `Cancelled`.
    """
    counts: dict[str, int] = {}
    notes: list[str] = []
    for source in sources:
        check_table(source.name, source.size or 0)
        text = _text(source, should_stop)
        is_json = source.path is not None and source.path.suffix == ".json"
        entries = _json_entries(text, source.name) if is_json else _lines(text, source.name, notes)
        zeros = 0
        for row, (word, count) in enumerate(entries):
            if not row % _POLL_ROWS:
                raise_if_stopped(should_stop)
            if count == 0:
                zeros += 1
            else:
                counts[word] = counts.get(word, 0) + count
        if zeros:
            notes.append(
                plural(
                    "{name}: {count} word with a count of 0 left out",
                    "{name}: {count} words with a count of 0 left out",
                    zeros,
                    name=source.name,
                )
            )
    return WordCounts(list(counts), list(counts.values()), notes=tuple(notes))


def _text(source: Source, should_stop: ShouldStop | None) -> str:
    stream = source.open(should_stop)
    try:
        data = read_all(stream, source.name, should_stop)
    except OSError as error:
        raise CorpusError(unreadable(source.name, error)) from error
    finally:
        if source.path is not None:
            stream.close()
    refuse_other_encodings(data, source.name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CorpusError(
            _("{name}, line {line}: not UTF-8 (byte {place} of the file)").format(
                name=source.name, line=line, place=number(error.start)
            )
        ) from error


def _lines(text: str, name: str, notes: list[str]) -> Iterable[tuple[str, int]]:
    blank = 0
    ends_in_space: list[int] = []
    for place, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r\t ")
        if not line:
            blank += 1
            continue
        word, separator, figure = line.rpartition("\t") if "\t" in line else line.rpartition(" ")
        if separator == " " and word.endswith(" "):
            ends_in_space.append(place)
        if not separator:
            raise CorpusError(
                _("{name}, line {line}: no count behind the word; write the word, a TAB and the count").format(
                    name=name, line=place
                )
            )
        if not word:
            raise CorpusError(
                _("{name}, line {line}: no word before the count {count}").format(
                    name=name, line=place, count=figure.strip()
                )
            )
        yield word, _count(figure.strip(" "), _("{name}, line {line}").format(name=name, line=place))
    if text.endswith("\n") or not text:
        blank -= 1  # nothing follows the end of the last line
    if blank > 0:
        notes.append(
            plural("{name}: {count} blank line skipped", "{name}: {count} blank lines skipped", blank, name=name)
        )
    if ends_in_space:
        notes.append(
            plural(
                "{name}: {count} word ends in a space (line {line}): there are two spaces before its count",
                "{name}: {count} words end in a space (first on line {line}): there are two spaces before their counts",
                len(ends_in_space),
                name=name,
                line=ends_in_space[0],
            )
        )


def _json_entries(text: str, name: str) -> Iterable[tuple[str, int]]:
    try:
        pairs = json.loads(text, object_pairs_hook=_Object)
    except (ValueError, RecursionError) as error:  # ValueError: not JSON, or a number of thousands of digits
        where = name
        if isinstance(error, json.JSONDecodeError):
            where = _("{name}, line {line}").format(name=name, line=error.lineno)
        raise CorpusError(_("{where}: not JSON, so no word-count table").format(where=where)) from error
    if not isinstance(pairs, _Object):
        raise CorpusError(_("{name}: a word-count table in JSON is one object of words and counts").format(name=name))
    for word, value in pairs:
        if not word:
            raise CorpusError(_("{name}: the empty text is not a word").format(name=name))
        if any("\ud800" <= char <= "\udfff" for char in word):
            where = _("{name}, line {line}").format(name=name, line=_line_of(word, text))
            message = _("{where}: the word {word} holds a lone surrogate, which is no character")
            raise CorpusError(message.format(where=where, word=_named(word)))
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            where = _("{name}, line {line}, {word}").format(name=name, line=_line_of(word, text), word=_named(word))
            raise _no_count(json.dumps(value), where)
        yield word, value


class _Object(list[tuple[str, Any]]):
    """A JSON object with its names in order, repeated ones included."""


def _line_of(word: str, text: str) -> int:
    """The number of the line with a word's name in a JSON text."""
    names = (json.dumps(word, ensure_ascii=False), json.dumps(word))
    place = max(text.find(name) for name in names)
    return text.count("\n", 0, max(place, 0)) + 1


def _count(figure: str, where: str) -> int:
    if figure.isascii() and figure.isdigit() and len(figure) <= _MANY_DIGITS:
        return int(figure)
    raise _no_count(figure, where)


def _no_count(figure: str, where: str) -> CorpusError:
    return CorpusError(
        _("{where}: the count {count!r} is not a whole number of 0 or more").format(where=where, count=figure[:40])
    )


# -- writing ----------------------------------------------------------------------------------------------------------


def bounded(words: WordCounts, *, top: int | None = None, min_count: int = 1) -> WordCounts:
    """The words that occur at least `min_count` times, and of these the `top` most frequent ones.

    Where several words share the count at which the table is cut, those that appeared first stay. The words that stay
    keep their order. Raises `OptionError` for bounds below 1.
    """
    if top is not None and top < 1:
        raise OptionError(_("--top {value} must be 1 or more").format(value=top))
    if min_count < 1:
        raise OptionError(_("--min-count {value} must be 1 or more").format(value=min_count))
    counts = words.counts
    kept = [index for index, count in enumerate(counts) if count >= min_count]
    if top is not None and len(kept) > top:
        kept = sorted(sorted(kept, key=lambda index: -counts[index])[:top])  # sorting keeps the order among equals
    lost = len(counts) - len(kept)
    if not lost:
        return words
    occurrences = sum(counts) - sum(counts[index] for index in kept)
    left_out = plural("{count} occurrence", "{count} occurrences", occurrences)
    note = plural(
        "{count} word with {occurrences} left out",
        "{count} words with {occurrences} left out",
        lost,
        occurrences=left_out,
    )
    return dataclasses.replace(
        words,
        words=[words.words[index] for index in kept],
        counts=[counts[index] for index in kept],
        notes=(*words.notes, note),
    )


def as_tsv(words: WordCounts) -> bytes:
    """The table as lines of word, TAB, count. Raises `CorpusError` naming a word that such a line cannot hold."""
    for word in words.words:
        held = next((name for sign, name in (("\t", _("a TAB")), ("\n", _("a newline"))) if sign in word), None)
        if held is not None:
            raise CorpusError(
                _("the word {word} holds {held}, which a .tsv cannot represent; write a .json instead").format(
                    word=_named(word), held=held
                )
            )
    text = "".join([f"{word}\t{count}\n" for word, count in zip(words.words, words.counts, strict=True)])
    if text.startswith(_BYTE_ORDER_MARK):
        text = _BYTE_ORDER_MARK + text  # a reader drops one at the start of a file, and this one belongs to a word
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        word = text[text.rfind("\n", 0, error.start) + 1 : error.start + 1]
        raise CorpusError(
            _("the word {word!a} holds a lone surrogate; write a .json instead of a .tsv").format(word=word)
        ) from error


def as_json(words: WordCounts) -> bytes:
    """The table as one JSON object, one word per line; it can hold any word."""
    lines = [f"  {_quoted(word)}: {count}" for word, count in zip(words.words, words.counts, strict=True)]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _quoted(word: str) -> str:
    quoted = json.dumps(word, ensure_ascii=False)
    try:
        quoted.encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can represent
        return json.dumps(word)
    return quoted


def _named(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:37] + "...")
