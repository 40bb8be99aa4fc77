"""Added tokens of a tokenizer.json: those that are looked for in the text before anything else.

First the ones that are looked for in the text as it is, then, in what lies between them, the ones that are looked for
in the text after the normalizer; each time the longest at the leftmost place. The flags work as in `tokenizers`, down
to a token that is found and then given up, because it is not a word by itself: the search continues behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import regex

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.formats.files import quoted
from bpe_tui.formats.model import check_id

_WHITE: Final = frozenset(
    map(chr, (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))
)
"""All white space of Unicode."""
_WORD: Final = regex.compile(r"\w")


@dataclass(frozen=True, slots=True)
class AddedToken:
    """One added token."""

    id: int
    content: str
    single_word: bool = False
    """Found only where no word character is beside it."""
    lstrip: bool = False
    """Takes the white space before it along."""
    rstrip: bool = False
    """Takes the white space behind it along."""
    normalized: bool = False
    """Looked for after the normalizer, which also its own text goes through."""
    special: bool = True
    """Plain text, unless special tokens are allowed."""

    def as_dict(self) -> dict[str, Any]:
        """The entry of the file."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def is_plain(self) -> bool:
        """Whether it is what any tool takes for a special token."""
        return self.special and not (self.single_word or self.lstrip or self.rstrip)


def read_added(entries: Any, vocab: Mapping[str, int]) -> list[AddedToken]:
    """The added tokens of a file beside its model's vocabulary. Raises TokenizerFileError naming the entry at fault."""
    if not isinstance(entries, list):
        raise TokenizerFileError(_("its added_tokens are no list"))
    found: dict[str, AddedToken] = {}
    owners = {number: token for token, number in vocab.items()} if entries else {}
    highest = -1
    for entry in entries:
        token = _read_entry(entry)
        content, number = token.content, token.id
        if vocab.get(content, number) != number:
            raise TokenizerFileError(
                _("added token {content} has id {number}, but {id} in the vocab").format(
                    content=quoted(content), number=number, id=vocab[content]
                )
            )
        if owners.get(number, content) != content:
            raise TokenizerFileError(
                _("added token {content} has id {number}, as {owner} has").format(
                    content=quoted(content), number=number, owner=quoted(owners[number])
                )
            )
        if content in found:
            raise TokenizerFileError(_("added token {content} is there twice").format(content=quoted(content)))
        _check_flags(entry)
        # The package numbers them anew, whatever the file says.
        there = vocab.get(content, max(len(vocab), highest + 1))
        if there != number:
            raise TokenizerFileError(
                _("added token {content} has id {number}, but tokenizers would give it {there}").format(
                    content=quoted(content), number=number, there=there
                )
            )
        highest = max(highest, number)
        found[content] = token
        owners[number] = content
    return list(found.values())


def _read_entry(entry: Any) -> AddedToken:
    content = entry.get("content") if isinstance(entry, dict) else None
    if not isinstance(content, str) or not content:
        raise TokenizerFileError(_("added token {entry} has no content").format(entry=quoted(entry)))
    check_id(content, entry.get("id"))
    return AddedToken(**{field.name: entry.get(field.name, False) for field in fields(AddedToken)})


def _check_flags(entry: dict[str, Any]) -> None:
    names = [field.name for field in fields(AddedToken)]
    for name in names[2:]:
        if not isinstance(entry.get(name), bool):
            what = f"{name} {quoted(entry[name])}" if name in entry else f"no {name}"
            raise TokenizerFileError(
                _("added token {content} has {what}").format(content=quoted(entry["content"]), what=what)
            )
    for name in entry:
        if name not in names:
            raise TokenizerFileError(
                _("added token {content} has {name}, which is not known").format(
                    content=quoted(entry["content"]), name=quoted(name)
                )
            )


Found = tuple[int, int, int | None]
"""A part of a text: start, end, and the id of the added token that it is, or None."""


class Matcher:
    """Finds some of the added tokens in a text."""

    def __init__(self, tokens: Sequence[AddedToken], normalized: Mapping[int, str] | None = None) -> None:
        """`normalized` are the texts by which the tokens are looked for, by id, if these are not their own.

        Raises TokenizerFileError if it makes two of them one: which is found would be up to chance.
        """
        by_text: dict[str, AddedToken] = {}
        for token in tokens:
            text = normalized[token.id] if normalized else token.content
            if text in by_text:
                raise TokenizerFileError(
                    _("added tokens {one} and {other} are one and the same after the normalizer").format(
                        one=quoted(by_text[text].content), other=quoted(token.content)
                    )
                )
            if not text:
                raise TokenizerFileError(
                    _("of added token {content} nothing is left by the normalizer").format(
                        content=quoted(token.content)
                    )
                )
            by_text[text] = token
        self._tokens = by_text
        self._all = _pattern(by_text)
        self._looked_for = {True: bool(by_text), False: any(not token.special for token in by_text.values())}

    def parts(self, text: str, allow_special: bool) -> Iterator[Found]:
        """`text` cut at the tokens found; two of them may share white space."""
        if not self._looked_for[allow_special] or not text:
            yield 0, len(text), None
            return
        done = 0
        for match in self._all.finditer(text):
            start, end = match.span()
            token = self._tokens[match.group()]
            if token.special and not allow_special:
                continue
            if token.single_word and _beside_word(text, start, end):
                continue
            if token.lstrip:
                while start > done and text[start - 1] in _WHITE:
                    start -= 1
                start = max(start, done)
            while token.rstrip and end < len(text) and text[end] in _WHITE:
                end += 1
            if done < start:
                yield done, start, None
            yield start, end, token.id
            done = end
        if done != len(text):
            yield done, len(text), None


def _beside_word(text: str, start: int, end: int) -> bool:
    return any(0 <= place < len(text) and _WORD.match(text, place) is not None for place in (start - 1, end))


def _pattern(texts: Mapping[str, object]) -> re.Pattern[str]:
    """The longest of `texts` at the leftmost place."""
    return re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True))))
