"""Merges alone: subword-nmt's codes, or a merges.txt without its vocabulary.

Such a file says what is merged and in which order, and nothing else. Merges that hold `</w>`, or come after a header,
are taken for subword-nmt's: words between spaces, their last character marked (by a symbol of its own in version 0.1).
Merges in GPT-2's byte characters are taken for GPT-2's. The user may say otherwise. There are no ids in the file; the
tokens are numbered as in training.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, CHAR_TO_BYTE, is_byte_level
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats import limits
from bpe_tui.formats.files import quoted, text_of
from bpe_tui.formats.model import TokenizerModel, assemble

TAKES: Final = ("preset", "pre_tokenizer", "pattern", "alphabet", "end_of_word", "end_of_word_style", "specials", "unk")
ENDING: Final = "</w>"
HEADER: Final = "#version"
"""How a header begins; the version follows after a colon."""
CLIP_HEADER: Final = '"bpe_simple_vocab_16e6.txt#version'
"""How the first line of the merges begins that OpenAI has published with CLIP."""
CLIP_MERGES: Final = 49152 - 256 - 2
"""So many of them CLIP uses, whatever its file holds."""
_UNSAYABLE: Final = re.compile(r"[ \n\r\t]")
_VERSION: Final = re.compile(r"#version:(?:.*\s)?\s0\.([12])(?:\.0+)*\s*")


def recognises(text: str) -> bool:
    """Whether `text` begins as merges do: with a header, or with two fields on a line."""
    first = text.split("\n", 1)[0].removesuffix("\r")
    return first.startswith((HEADER, CLIP_HEADER)) or (first.count(" ") == 1 and not first.startswith(" "))


def load(path: str, data_of: Callable[[str], bytes], given: Mapping[str, Any]) -> TokenizerModel:
    """Read a file. Raises TokenizerFileError naming the line at fault."""
    return read(text_of(data_of(path)), given)


def read(text: str, given: Mapping[str, Any]) -> TokenizerModel:
    """The model that the merges in `text` make with the options `given`. Raises TokenizerFileError."""
    found = parse_lines(text)
    if not found.pairs:
        raise TokenizerFileError(_("it holds no merges"))
    is_clip = (found.header or "").startswith(CLIP_HEADER)
    if is_clip:
        found = MergeLines(found.header, found.pairs[:CLIP_MERGES], found.numbers[:CLIP_MERGES])
    options, assumed = _options(found, given)
    theirs = options.end_of_word == ENDING and not is_clip
    lines, warnings = found.without_repeats(last_counts=not theirs)
    symbols = _symbols(lines, options)
    base = [*symbols, *options.specials] if options.raw_byte_ids else [*options.specials, *symbols]
    tokens = list(dict.fromkeys(base))
    known = set(tokens)
    for left, right in lines.pairs:
        if left + right not in known:
            known.add(left + right)
            tokens.append(left + right)
    ids = {token: number for number, token in enumerate(tokens)}
    merges = assemble(lines.pairs, ids, lambda place: _("line {line}").format(line=lines.numbers[place]))
    vocabulary = Vocabulary(tuple(tokens), options.specials, tuple(symbols), merges, ids)
    dialect = Dialect(
        open_alphabet=not is_byte_level(options) and "unk" not in given,
        at_once=theirs and _is_disorderly(merges),
    )
    if assumed:
        warnings.insert(0, assumed)
    return TokenizerModel(vocabulary, options.replace(merges=len(merges)), "token", tuple(warnings), dialect)


def _options(lines: MergeLines, given: Mapping[str, Any]) -> tuple[Options, str]:
    """The current options, and a note on those that were not given."""
    chosen = {name: value for name, value in given.items() if name != "preset"}
    preset = given.get("preset")
    if (lines.header or "").startswith(CLIP_HEADER):
        if not chosen.keys() >= {"alphabet", "end_of_word"} or not {"pattern", "pre_tokenizer"} & chosen.keys():
            raise TokenizerFileError(
                _(
                    "the merges of OpenAI's CLIP, which puts texts in lower case and cuts them by its own pattern; use "
                    "the tokenizer.json of the same model, or give --alphabet all-bytes, --end-of-word '</w>' "
                    "and --pattern"
                )
            )
        return make_options("subword-nmt", **{"specials": (), **chosen}), _(
            "CLIP's merges, of which it uses the first {count}, on texts in lower case"
        ).format(count=number(CLIP_MERGES))
    if any(ENDING in part for pair in lines.pairs for part in pair):
        chosen.setdefault("end_of_word", ENDING)
    theirs = chosen.get("end_of_word") == ENDING or (preset == "subword-nmt" and "end_of_word" not in chosen)
    if theirs:  # a file without a header is of version 0.1
        version = _VERSION.fullmatch(lines.header or "#version: 0.1")
        if version is None:
            raise TokenizerFileError(
                _("its header {header} names no version that is known").format(header=quoted(lines.header))
            )
        chosen.setdefault("end_of_word_style", "symbol" if version[1] == "1" else "suffix")
    if preset is not None:
        return make_options(preset, **chosen), ""
    chosen.setdefault("specials", ())
    if theirs or {"end_of_word", "pre_tokenizer", "pattern"} & chosen.keys():
        return make_options("subword-nmt", **{"end_of_word": "", **chosen}), ""
    texts = {char for pair in lines.pairs for part in pair for char in part}
    if texts <= CHAR_TO_BYTE.keys() and BYTE_TO_CHAR[ord(" ")] in texts:
        return make_options("huggingface", **chosen), (
            _(
                "taken for GPT-2's merges: pre-tokenizer gpt2, all bytes; "
                "say otherwise with --pre-tokenizer and --alphabet"
            )
        )
    version = _VERSION.fullmatch(lines.header or "")
    if version is not None and "alphabet" not in chosen:
        style = "symbol" if version[1] == "1" else "suffix"
        return make_options("subword-nmt", **{"end_of_word_style": style, **chosen}), (
            _(
                "assumed to be subword-nmt's because of its header: words between spaces, ending in </w>; override it "
                "with --pre-tokenizer, --alphabet and --end-of-word"
            )
        )
    return make_options("subword-nmt", **{"end_of_word": "", **chosen}), (
        _(
            "taken for merges of characters, in words between spaces, as subword-nmt has them without a header; say "
            "otherwise with --pre-tokenizer, --alphabet and --end-of-word"
        )
    )


def _symbols(lines: MergeLines, options: Options) -> list[str]:
    """The base vocabulary: what the merges begin with, and all bytes where that is the alphabet."""
    made = {left + right for left, right in lines.pairs}
    parts = dict.fromkeys(part for pair in lines.pairs for part in pair)
    ending = options.end_of_word
    symbols = set(_all_bytes(options)) if options.alphabet == "all-bytes" else set()
    for place, (left, right) in enumerate(lines.pairs):
        for part in (left, right):
            if _is_symbol(part, options):
                symbols.add(part)
            elif part not in made:
                raise TokenizerFileError(
                    _("line {line}, {left} + {right}: no line makes {part}").format(
                        line=lines.numbers[place], left=quoted(left), right=quoted(right), part=quoted(part)
                    )
                )
    if is_byte_level(options):
        odd = next((part for part in parts if not CHAR_TO_BYTE.keys() >= set(part.removesuffix(ending))), None)
        if odd is not None:
            raise TokenizerFileError(
                _("{odd} is not written in byte characters; say --alphabet characters").format(odd=quoted(odd))
            )
    return [*BYTE_TO_CHAR, *sorted(symbols - {*BYTE_TO_CHAR})] if options.raw_byte_ids else sorted(symbols)


def _all_bytes(options: Options) -> tuple[str, ...]:
    """The symbols of all bytes: also those at the end of a word, or the symbol that is there."""
    if not options.end_of_word:
        return BYTE_TO_CHAR
    if options.end_of_word_style == "symbol":
        return (*BYTE_TO_CHAR, options.end_of_word)
    return (*BYTE_TO_CHAR, *(char + options.end_of_word for char in BYTE_TO_CHAR))


def _is_symbol(part: str, options: Options) -> bool:
    ending = options.end_of_word
    if ending and options.end_of_word_style == "symbol":
        return len(part) == 1 or part == ending
    return len(part) == 1 or (bool(ending) and len(part.removesuffix(ending)) == 1)


def _is_disorderly(merges: Sequence[Merge]) -> bool:
    """Whether a merge uses a token that a later one makes (too)."""
    last_made = {merge.token: merge.rank for merge in merges}
    return any(last_made.get(part, -1) >= merge.rank for merge in merges for part in (merge.left, merge.right))


# -- the lines ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MergeLines:
    """The lines of a merges file."""

    header: str | None
    pairs: list[tuple[str, str]]
    numbers: list[int]
    """For each pair the number of its line, from 1."""

    def without_repeats(self, *, last_counts: bool) -> tuple[MergeLines, list[str]]:
        """The merges each once, and a warning for each that is there twice."""
        places = dict(zip(self.pairs, range(len(self.pairs)), strict=True))
        if len(places) == len(self.pairs):
            return self, []
        first: dict[tuple[str, str], int] = {}
        warnings = []
        counting = set(range(len(self.pairs)))
        for place, pair in enumerate(self.pairs):
            if pair in first:
                message = _("the merge on line {line} is the one on line {first} again; the first one counts")
                if last_counts:
                    message = _("the merge on line {line} is the one on line {first} again; the last one counts")
                warnings.append(message.format(line=self.numbers[place], first=self.numbers[first[pair]]))
                counting.discard(first[pair] if last_counts else place)
            if last_counts or pair not in first:
                first[pair] = place
        order = sorted(counting)
        found = MergeLines(self.header, [self.pairs[place] for place in order], [self.numbers[at] for at in order])
        return found, warnings


def parse_lines(text: str) -> MergeLines:
    """The merges in `text`. Raises TokenizerFileError with the number of the first line that is none."""
    lines = text.split("\n")
    header = lines[0].removesuffix("\r") if lines[0].startswith((HEADER, CLIP_HEADER)) else None
    first = 0 if header is None else 1
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines[:-1]] + lines[-1:]
    numbers = [number for number, line in enumerate(lines[first:], first + 1) if line]
    pairs = [(left, right) for left, _, right in (lines[number - 1].partition(" ") for number in numbers)]
    if any(not left or not right or " " in right for left, right in pairs) or "\t" in text or "\r" in "".join(lines):
        for number in numbers:
            _check_line(number, lines[number - 1])
    if f"\n{HEADER}" in text:
        number = next(number for number in numbers if lines[number - 1].startswith(HEADER))
        raise TokenizerFileError(
            _("line {number} begins with {header}: a header to some tools, a merge to others").format(
                number=number, header=HEADER
            )
        )
    return MergeLines(header, pairs, numbers)


def _check_line(number: int, line: str) -> None:
    """Raises TokenizerFileError if a line is no merge."""
    if "\t" in line:
        raise TokenizerFileError(
            _("line {number} holds a tab; a merge is two tokens with one space between them").format(number=number)
        )
    if "\r" in line:
        raise TokenizerFileError(
            _("line {number} holds a carriage return; a merge is two tokens on one line").format(number=number)
        )
    if line.endswith(" "):
        raise TokenizerFileError(_("line {number}, {line}, ends in a space").format(number=number, line=quoted(line)))
    fields = line.split(" ")
    if len(fields) != 2 or not fields[0]:
        count = len([field for field in fields if field])
        if count == 2:
            message = _("line {number}, {line}, has 2 fields and spaces too many")
            raise TokenizerFileError(message.format(number=number, line=quoted(line)))
        raise TokenizerFileError(
            plural(
                "line {number}, {line}, has {count} field; a merge is two tokens",
                "line {number}, {line}, has {count} fields; a merge is two tokens",
                count,
                number=number,
                line=quoted(line),
            )
        )


# -- writing ----------------------------------------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """Raises TokenizerFileError if merges alone make no sense with `options`."""
    limits.check_no_protected(options, _("a file of merges"))
    if options.pre_tokenizer == "file":
        raise TokenizerFileError(_("a file of merges cannot represent how the components of a tokenizer cut a text"))


def options_beside(model: TokenizerModel) -> dict[str, Any]:
    """The options with which the file that `files` makes has to be read: none for subword-nmt's own way."""
    options = model.options
    is_theirs = options.end_of_word == ENDING and options.pre_tokenizer == "spaces" and not is_byte_level(options)
    if is_theirs:
        return {}
    beside: dict[str, Any] = limits.cut_beside(options)
    beside["alphabet"] = options.alphabet
    holds_ending = any(ENDING in part for merge in model.vocabulary.merges for part in (merge.left, merge.right))
    if options.end_of_word or holds_ending:
        beside["end_of_word"] = options.end_of_word
    if options.end_of_word and options.end_of_word_style == "symbol":
        beside["end_of_word_style"] = options.end_of_word_style
    return beside


def check_model(model: TokenizerModel) -> None:
    """Raises TokenizerFileError for a model that merges alone cannot represent."""
    options, merges = model.options, model.vocabulary.merges
    check_options(options)
    if not merges:
        raise TokenizerFileError(_("there are no merges to write"))
    if not (model.dialect.at_once and options.end_of_word == ENDING):
        limits.check_dialect(model, _("a file of merges"))
    pairs = [(merge.left, merge.right) for merge in merges]
    if len(set(pairs)) < len(pairs) and options.end_of_word == ENDING:
        raise TokenizerFileError(
            _("a merge is there twice, of which subword-nmt would take the first one, not the last")
        )
    made = {merge.token for merge in merges}
    for merge in merges:
        for part in (merge.left, merge.right):
            if part not in made and not _is_symbol(part, options):
                raise TokenizerFileError(
                    _("merge {number} uses {part}, which no merge makes; a file of merges has no other tokens").format(
                        number=merge.rank + 1, part=quoted(part)
                    )
                )
    limits.check_utf8(model)
    check_lines(merges)


def files(model: TokenizerModel, path: str) -> tuple[dict[str, bytes], list[str]]:
    """The file, and notes for the user."""
    options, merges = model.options, model.vocabulary.merges
    notes = limits.left_out(model)
    old = bool(options.end_of_word) and options.end_of_word_style == "symbol"
    if options.end_of_word == ENDING and not model.dialect.at_once and _is_disorderly(merges):
        notes.append(_("subword-nmt makes a merge in all places at once, which can matter here"))
    flags = limits.flags(options_beside(model))
    if flags:
        notes.append(_("the file holds merges only; read it with {options}").format(options=flags))
        if options.alphabet != "all-bytes":
            notes.append(_("symbols that are in no merge are outside the alphabet when it is read"))
    if limits.special_texts(model):
        message = _("left out: the special tokens {tokens}")
        notes.append(message.format(tokens=limits.listed(limits.special_texts(model))))
    header = "#version: 0.1" if old else "#version: 0.2"
    return {path: lines_of(merges, header)}, notes


def check_lines(merges: Sequence[Merge]) -> None:
    """Raises TokenizerFileError naming a merge that a line cannot represent."""
    for merge in merges:
        for part in (merge.left, merge.right):
            if _UNSAYABLE.search(part):
                raise TokenizerFileError(
                    _("a line of merges cannot represent merge {number}: {part} holds a space, tab or newline").format(
                        number=merge.rank + 1, part=quoted(part)
                    )
                )
        if merge.left.startswith(HEADER):
            raise TokenizerFileError(
                _("a line of merges cannot represent merge {number}: it would look like a header").format(
                    number=merge.rank + 1
                )
            )


def lines_of(merges: Sequence[Merge], header: str) -> bytes:
    """A merges file."""
    return ("\n".join([header, *(f"{merge.left} {merge.right}" for merge in merges)]) + "\n").encode()
