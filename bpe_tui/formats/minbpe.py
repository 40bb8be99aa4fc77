"""minbpe's `.model` files, and the `.vocab` beside them for people to look at.

Bytes have the ids 0 to 255, and the merges, each a pair of ids, make the ids from 256 on, in order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, utf8
from bpe_tui.core.corpus.patterns import Pattern
from bpe_tui.core.corpus.pretokenize import PATTERNS
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.errors import PatternSyntaxError, TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats import limits
from bpe_tui.formats.files import quoted, text_of
from bpe_tui.formats.model import CHECKED_FROM, LARGEST_ID, TokenizerModel, check_size

VERSION: Final = "minbpe v1"
_GPT4: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)
_NAMES: Final = {_GPT4: "cl100k", "": "none", **{source: name for name, source in PATTERNS.items()}}
_PAIR: Final = re.compile(r"([0-9]{1,10}) ([0-9]{1,10})")


@dataclass(frozen=True)
class MinbpeDialect(Dialect):
    """Keeps the pattern as the file spells it."""

    pattern: str = ""


def recognises(text: str) -> bool:
    """Whether `text` begins as the files do."""
    return text.split("\n", 1)[0].rstrip("\r") == VERSION


def load(path: str, data_of: Callable[[str], bytes], given: Mapping[str, Any]) -> TokenizerModel:
    """Read a file. Raises TokenizerFileError naming the line at fault."""
    return read(text_of(data_of(path)))


def read(text: str) -> TokenizerModel:
    """The model that `text` spells. Raises TokenizerFileError."""
    lines = text.replace("\r\n", "\n").split("\n")
    if "\r" in text.replace("\r\n", "\n"):
        number = next(number for number, line in enumerate(lines, start=1) if "\r" in line)
        raise TokenizerFileError(_("line {number} holds a carriage return that ends no line").format(number=number))
    if lines and not lines[-1]:
        lines.pop()
    if not lines or lines[0] != VERSION:
        raise TokenizerFileError(_("it does not begin with {version}").format(version=VERSION))
    if len(lines) < 3:
        raise TokenizerFileError(_("it ends before its pattern and the number of its special tokens"))
    pattern = lines[1]
    if not lines[2].isascii() or not lines[2].isdigit() or len(lines[2]) > 10:
        raise TokenizerFileError(_("line 3, {line}, is not the number of special tokens").format(line=quoted(lines[2])))
    first = 3 + int(lines[2])
    if first > len(lines):
        raise TokenizerFileError(
            _("line 3 promises {line} special tokens, and the file ends before").format(line=lines[2])
        )
    pairs = _pairs(lines, first)
    specials = _specials(lines[3:first], 256 + len(pairs))
    return _model(pattern, specials, pairs, first)


def _pairs(lines: list[str], first: int) -> list[tuple[int, int]]:
    pairs = []
    for place, line in enumerate(lines[first:]):
        match = _PAIR.fullmatch(line)
        if match is None:
            raise TokenizerFileError(
                _("line {number}, {line}, is not two ids").format(number=first + place + 1, line=quoted(line))
            )
        pair = int(match[1]), int(match[2])
        if max(pair) >= 256 + place:
            raise TokenizerFileError(
                _("line {number}, {line}: merge {merge} makes id {id}, and can only use ids below").format(
                    number=first + place + 1, line=quoted(line), merge=place + 1, id=256 + place
                )
            )
        pairs.append(pair)
    return pairs


def _specials(lines: list[str], taken: int) -> dict[str, int]:
    """The special tokens; ids below `taken` are those of bytes and merges."""
    specials: dict[str, int] = {}
    for number, line in enumerate(lines, start=4):
        special, _space, figure = line.rpartition(" ")
        if not special or not figure.isascii() or not figure.isdigit() or len(figure) > 10:
            raise TokenizerFileError(
                _("line {number}, {line}, is not a special token and its id").format(number=number, line=quoted(line))
            )
        if special in specials:
            raise TokenizerFileError(
                _("line {number}: the special token {special} is there twice").format(
                    number=number, special=quoted(special)
                )
            )
        token = int(figure)
        if token < taken or token in specials.values():
            raise TokenizerFileError(
                _("line {number}: the special token {special} has id {token}, as another has").format(
                    number=number, special=quoted(special), token=token
                )
            )
        if token > LARGEST_ID:
            raise TokenizerFileError(
                _("line {number}: the id of the special token {special} is too large").format(
                    number=number, special=quoted(special)
                )
            )
        specials[special] = token
    return specials


def _model(pattern: str, specials: dict[str, int], pairs: list[tuple[int, int]], first: int) -> TokenizerModel:
    last = {pair: place for place, pair in enumerate(pairs)}
    gone = {256 + place for place, pair in enumerate(pairs) if last[pair] != place}
    warnings = [
        _("the merge on line {line} is the one on line {first} again; the last one counts").format(
            line=first + last[pairs[token - 256]] + 1, first=first + token - 255
        )
        for token in sorted(gone)
    ]
    texts: dict[int, str] = dict(enumerate(BYTE_TO_CHAR))
    merges: list[Merge] = []
    characters = 0
    for place, (left, right) in enumerate(pairs):
        token = 256 + place
        if token in gone:
            continue
        if left in gone or right in gone:
            raise TokenizerFileError(
                _(
                    "line {number} uses id {gone}, which is lost: its merge is there again later, with another id"
                ).format(number=first + place + 1, gone=left if left in gone else right)
            )
        characters += len(texts[left]) + len(texts[right])
        if characters > CHECKED_FROM:
            check_size(characters, _("line {line}").format(line=first + place + 1))
        texts[token] = texts[left] + texts[right]
        merges.append(Merge(texts[left], texts[right], texts[token], left, right, token, len(merges)))
    texts.update((token, special) for special, token in specials.items())
    ids: dict[str, int] = {}
    for token, text in texts.items():
        ids.setdefault(text, token)
    vocabulary = Vocabulary(
        tokens=tuple(texts[token] for token in sorted(texts)),
        specials=tuple(specials),
        alphabet=BYTE_TO_CHAR,
        merges=tuple(merges),
        ids=ids,
        texts=texts,
    )
    options = make_options("minbpe", **_cut(pattern), specials=tuple(specials), merges=len(merges))
    dialect = MinbpeDialect(specials_in_order=tuple(specials.items()), pattern=pattern)
    return TokenizerModel(vocabulary, options, "token", tuple(warnings), dialect)


def _cut(pattern: str) -> dict[str, str]:
    """The options for the pattern. Raises TokenizerFileError for one that minbpe could not use."""
    if pattern in _NAMES:
        return {"pre_tokenizer": _NAMES[pattern]}
    try:
        compiled = Pattern(pattern).compiled
    except PatternSyntaxError as error:
        raise TokenizerFileError(
            _("its pattern {pattern} is not a regular expression: {reason}").format(
                pattern=quoted(pattern), reason=error
            )
        ) from error
    if compiled.groups:
        raise TokenizerFileError(
            _("its pattern {pattern} has a group, which minbpe would take for the word").format(pattern=quoted(pattern))
        )
    return {"pattern": pattern}


# -- writing ----------------------------------------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """Raises TokenizerFileError if the format cannot say `options`."""
    limits.check_bytes(options, "minbpe")
    _pattern(options)


def _pattern(options: Options) -> str:
    if options.pre_tokenizer == "none":
        return ""
    pattern = options.pattern or PATTERNS[options.pre_tokenizer]
    if "\n" in pattern or "\r" in pattern:
        raise TokenizerFileError(_("minbpe has its pattern on one line, and this one holds a line break"))
    if Pattern(pattern).compiled.groups:
        raise TokenizerFileError(
            _("minbpe would take the group in the pattern {pattern} for the word").format(pattern=quoted(pattern))
        )
    return pattern if pattern == pattern.strip() else f"(?:{pattern})"  # minbpe strips the line


def check_model(model: TokenizerModel) -> None:
    """Raises TokenizerFileError for a model that minbpe cannot represent."""
    check_options(model.options)
    limits.check_dialect(model, "minbpe")
    limits.check_utf8(model)
    _numbered(model)
    for text in _specials_of(model):
        if not text or len(text.split()) != 1 or text != text.strip():
            raise TokenizerFileError(
                _("minbpe cannot read the special token {text} back: it holds white space").format(text=quoted(text))
            )


def _numbered(model: TokenizerModel) -> tuple[dict[int, int], list[tuple[int, int]]]:
    """minbpe's id for each of our ids, and the merges as pairs of its ids.

    Raises TokenizerFileError for merges that are not those of minbpe.
    """
    numbers = {model.vocabulary.ids[char]: byte for byte, char in enumerate(BYTE_TO_CHAR)}
    pairs: list[tuple[int, int]] = []
    for merge in model.vocabulary.merges:
        for part, text in ((merge.left_id, merge.left), (merge.right_id, merge.right)):
            if part not in numbers:
                raise TokenizerFileError(
                    _("merge {number} uses {text} before it is made, and minbpe's merges use earlier ones").format(
                        number=merge.rank + 1, text=quoted(text)
                    )
                )
        if merge.id in numbers:
            raise TokenizerFileError(
                _(
                    "merge {number} makes {token}, which is there already; minbpe gives each merge an id of its own"
                ).format(number=merge.rank + 1, token=quoted(merge.token))
            )
        numbers[merge.id] = 256 + len(pairs)
        pairs.append((numbers[merge.left_id], numbers[merge.right_id]))
    return numbers, pairs


def files(model: TokenizerModel, path: str) -> tuple[dict[str, bytes], list[str]]:
    """The model, the vocab beside it, and notes for the user."""
    notes = limits.left_out(model)
    numbers, pairs = _numbered(model)
    if any(token != number for token, number in numbers.items()):
        notes.append(_("the ids are numbered anew: minbpe's are the bytes, and then the merges in order"))
    specials = _specials_from(model, 256 + len(pairs))
    notes += _how_to_load(model, specials)
    pattern = model.dialect.pattern if isinstance(model.dialect, MinbpeDialect) else _pattern(model.options)
    lines = [VERSION, pattern, str(len(specials)), *(f"{text} {token}" for text, token in specials.items())]
    lines += [f"{left} {right}" for left, right in pairs]
    data = ("\n".join(lines) + "\n").encode()
    beside = str(Path(path).with_suffix(".vocab"))
    return {path: data, beside: _vocab(pairs, specials)}, notes


def _how_to_load(model: TokenizerModel, specials: Mapping[str, int]) -> list[str]:
    """A note if minbpe has to be given the pattern: its `load` keeps the one that the tokenizer was made with."""
    if model.options.pre_tokenizer == "cl100k":
        return []
    if model.options.pre_tokenizer == "none" and not specials:
        return [_("minbpe does not take the pattern of a file; load it with BasicTokenizer()")]
    pattern = model.options.pattern or PATTERNS.get(model.options.pre_tokenizer, "(?s:.+)")
    return [
        _("minbpe does not take the pattern of a file; load it with {tokenizer}").format(
            tokenizer=f"RegexTokenizer({pattern!r})"
        )
    ]


def _specials_of(model: TokenizerModel) -> dict[str, int]:
    return dict(model.dialect.specials_in_order) or {
        text: model.vocabulary.ids[text] for text in limits.special_texts(model)
    }


def _specials_from(model: TokenizerModel, first: int) -> dict[str, int]:
    """The special tokens with their ids, or new ones from `first` on if those are taken."""
    specials = _specials_of(model)
    if any(token < first for token in specials.values()):
        return {text: first + place for place, text in enumerate(specials)}
    return specials


def _vocab(pairs: list[tuple[int, int]], specials: Mapping[str, int]) -> bytes:
    """What minbpe writes for people: each token as text, as far as it is text, and what it is made of."""
    tokens = [bytes([byte]) for byte in range(256)]
    lines = [f"[{_rendered(token)}] {number}\n" for number, token in enumerate(tokens)]
    for left, right in pairs:
        token = tokens[left] + tokens[right]
        parts = f"[{_rendered(tokens[left])}][{_rendered(tokens[right])}]"
        lines.append(f"{parts} -> [{_rendered(token)}] {len(tokens)}\n")
        tokens.append(token)
    lines += [f"[{_rendered(utf8(text))}] {number}\n" for text, number in specials.items()]
    return "".join(lines).encode()


def _rendered(token: bytes) -> str:
    text = token.decode("utf-8", "replace")
    return "".join(char if unicodedata.category(char)[0] != "C" else f"\\u{ord(char):04x}" for char in text)
