"""What is good and bad about a tokenizer, by itself and for a corpus: all figures of `bpe-tui report`.

A corpus comes as counted words (pre-tokens), or as pieces of text that end where the pre-tokenizer cuts anyway, file by
file; each distinct one is encoded once, so the cost grows with the distinct ones. Kinds of words and scripts are those
of `fertility`. Where only pre-tokens are known, a word that the pre-tokenizer cuts (`2024` in `202` and `4`) is two.
Tokens that are put before or after every text are left out.

**How deep into the merges** a text goes is read from its tokens: each stands for the merges that make it. With the
first `k` merges alone a text needs one token more for each later merge in them.

**Unreachable** is a token that is in the vocabulary, but that no text is encoded to, because

- nothing makes it: it is no symbol, and no merge ends in it;
- the merges that make it never come to that: its own symbols become other tokens. If it was in any word, the merges
  inside it were made in the same order as in the token alone, so the token alone decides it for all words;
- the text is cut inside it before any merge, or changed by a normalizer, alone and beside letters, digits, signs and
  white space (a pattern that looks further than that could still let it through);
- its bytes can be no part of a text in UTF-8.

So a token that is listed is out of reach, and one that is not listed may be: of a part of a character it is not known
whether a merge takes it in each time.
"""

from __future__ import annotations

import codecs
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import category

from bpe_tui.core.corpus.alphabet import is_byte_level, utf8
from bpe_tui.core.corpus.memory import check_words
from bpe_tui.core.corpus.pretokenize import METASPACE, PlacedSpan
from bpe_tui.core.corpus.types import Progress
from bpe_tui.core.encoding.encoder import Token
from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.i18n import mark
from bpe_tui.core.teaching.fertility import WordClass, script_of, tokens_of_units, units_of
from bpe_tui.core.teaching.token_facts import token_bytes

if TYPE_CHECKING:
    from bpe_tui.core.corpus.pretokenize import Span
    from bpe_tui.core.corpus.types import OnProgress, WordCounts
    from bpe_tui.core.encoding.encoder import Encoder
    from bpe_tui.core.encoding.timeline import MergeTimeline
    from bpe_tui.core.training.vocabulary import Vocabulary

NO_LETTERS: Final = mark("no letters")
"""In place of a script: digits, signs and white space."""
PARTS: Final = mark("parts of characters")
"""In place of a script: tokens whose bytes are not whole characters."""
SPECIAL: Final = mark("special tokens")
"""In place of a script."""
DEPTHS: Final = (0.0, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
"""Shares of the merges for which it is said how far they go."""
USE_BANDS: Final = (0, 1, 2, 10, 100, 1_000, 10_000, 100_000)
"""How often a token is used, from each of these to below the next."""
LISTED: Final = 20
"""Most used tokens, costly words and unknown symbols that are kept, ..."""
LONGEST: Final = 10
"""... and longest tokens."""
_CONTEXTS: Final = tuple(
    before + "{}" + after for before in ("", "a", "1", ".", " ", "\n") for after in ("", "a", "1", ".", " ", "\n")
)
"""Where a token may be whole that is cut alone."""
_REPORTED: Final = 4096
"""Words between two reports of progress."""
_CACHED: Final = 1 << 14
"""Words of which it is remembered how they are encoded; the files of a corpus share their frequent ones."""


class UnreachableReason(StrEnum):
    """Why no text is encoded to a token."""

    NO_MERGE = "no-merge"
    MERGES = "merges"
    CUT = "cut"
    NOT_UTF8 = "not-utf8"


@dataclass(frozen=True, slots=True)
class UnreachableToken:
    """A token that no text is encoded to."""

    id: int
    text: str
    """As it is in files."""
    reason: UnreachableReason
    becomes: tuple[str, ...]
    """What its own text is encoded to; empty if that is no text."""


@dataclass(frozen=True, slots=True)
class TokenUse:
    """A token, and how often it is used."""

    id: int
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class VocabularyReport:
    """A vocabulary by itself."""

    size: int
    """Tokens in all: the sum of the next four."""
    specials: int
    """With the one for unknown symbols."""
    symbols: int
    """What words are split into before any merge."""
    merged: int
    """Tokens that only merges make."""
    others: int
    """Neither of these, such as words that were added."""
    merges: int
    by_length: Mapping[int, int]
    """Tokens by their length in characters, ascending; a byte that is no character counts as one. Without specials."""
    by_script: Mapping[str, int]
    """Tokens by the script of their first letter, most tokens first, and by `NO_LETTERS`, `PARTS` and `SPECIAL`."""
    longest: tuple[tuple[str, int], ...]
    """As they are in files, and their lengths, the longest first."""
    unreachable: tuple[UnreachableToken, ...]
    """By id."""


@dataclass(slots=True)
class FertilityGroup:
    """Words of one kind, and the tokens that they need."""

    words: int = 0
    tokens: int = 0

    @property
    def per_word(self) -> float:
        """Tokens per word."""
        return self.tokens / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True)
class MergeDepth:
    """A text encoded with the first merges alone."""

    merges: int
    needed: int
    """Tokens that the text has with them."""
    made: int
    """Of the known tokens that it has with all merges, how many these merges suffice for."""


@dataclass(frozen=True, slots=True)
class TextUse:
    """How one file, or the whole corpus, is encoded."""

    name: str
    characters: int
    bytes: int
    """Of the words in UTF-8: what a pre-tokenizer leaves out between words is in neither."""
    words: int
    """Runs of letters and of digits."""
    tokens: int
    unknown: int
    """Tokens for symbols that are not in the vocabulary."""
    left_out: int
    """Characters that are in no token, as their symbols are unknown."""
    whole_words: int
    """Words for which one token at most counts."""
    half: int
    """With so many of the first merges half of the known tokens can be made, ..."""
    most: int
    """... and with so many nine tenths."""

    @property
    def per_word(self) -> float:
        """Tokens per word; those of white space and signs are counted too."""
        return self.tokens / self.words if self.words else 0.0

    @property
    def bytes_per_token(self) -> float:
        """Bytes per token."""
        return self.bytes / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, slots=True)
class CostlyWord:
    """A word (pre-token) that takes many tokens in all."""

    text: str
    count: int
    tokens: tuple[str, ...]
    """As they are in files."""


class UseBand(NamedTuple):
    """The tokens that are used from `least` to `most` times."""

    least: int
    most: int | None
    """None: without a limit."""
    tokens: int
    occurrences: int
    """Of all of them together."""


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """How a corpus is encoded."""

    total: TextUse
    files: tuple[TextUse, ...]
    """In the order of the corpus; empty if there is one only."""
    documents: int
    """0 for a word-count table."""
    pre_tokens: int
    distinct: int
    """Different pre-tokens."""
    by_tokens: Mapping[int, int]
    """Words by how many tokens count for them, ascending; 0 shares the token of the text before it."""
    by_class: Mapping[WordClass, FertilityGroup]
    """By kind of word, most tokens first; their tokens are all tokens."""
    by_script: Mapping[str, FertilityGroup]
    """By script and `NO_LETTERS`, most tokens first; their tokens are all tokens."""
    by_use: tuple[UseBand, ...]
    """The whole vocabulary without special tokens."""
    most_used: tuple[TokenUse, ...]
    never_used: tuple[TokenUse, ...]
    """By id; without special tokens, and without those that are unreachable anyway."""
    costly: tuple[CostlyWord, ...]
    """With letters or digits, those first that take the most tokens beyond one for each time that they occur."""
    unknown_symbols: tuple[tuple[str, int], ...]
    """The most frequent texts that are unknown, and how often."""
    depths: tuple[MergeDepth, ...]
    """From no merge to all."""


@dataclass(frozen=True, slots=True)
class Report:
    """A tokenizer, and how it treats a corpus."""

    vocabulary: VocabularyReport
    corpus: CorpusReport | None


class CountedFile(NamedTuple):
    """A file of a corpus in its words."""

    name: str
    words: WordCounts
    """Pre-tokens, or pieces of text."""
    added: Mapping[int, int] = {}
    """How often tokens occur that are found before any word is: by id."""
    are_pieces: bool = False
    """The words are pieces of text, which the pre-tokenizer is to cut."""


def report_on(
    encoder: Encoder,
    vocabulary: Vocabulary,
    files: Iterable[CountedFile] | None = None,
    *,
    unknown: str = "token",
    progress: OnProgress | None = None,
) -> Report:
    """All figures of a tokenizer, and of a corpus if there are `files`.

    `unknown` is the policy for unknown symbols; where it is `error`, they are counted as with `token`. The name of the
    whole corpus is that of its only file, or empty. Raises `CorpusError` if there is no memory for the distinct words,
    and what iterating over `files` raises.
    """
    policy = "token" if unknown == "error" else unknown
    own = describe_vocabulary(encoder, vocabulary, unknown=policy)
    if files is None:
        return Report(own, None)
    return Report(own, _CorpusTally(encoder, policy).report(files, vocabulary, own, progress))


# -- the vocabulary ---------------------------------------------------------------------------------------------------


def describe_vocabulary(encoder: Encoder, vocabulary: Vocabulary, *, unknown: str = "token") -> VocabularyReport:
    """A vocabulary by itself."""
    specials = specials_of(encoder, vocabulary)
    symbols = set(vocabulary.alphabet) - specials
    lengths: Counter[int] = Counter()
    scripts: Counter[str] = Counter()
    found: Counter[str] = Counter()
    by_length: list[tuple[int, int, str]] = []
    for token, text in _tokens_of(vocabulary):
        if text in specials:
            found["specials"] += 1
            scripts[SPECIAL] += 1
            continue
        found["symbols" if text in symbols else "merged" if encoder.timeline.made_by(token) else "others"] += 1
        meant = meant_by(encoder, text)
        lengths[len(meant)] += 1
        scripts[_script_in(meant)] += 1
        by_length.append((-len(meant), token, text))
    return VocabularyReport(
        size=len(vocabulary),
        specials=found["specials"],
        symbols=found["symbols"],
        merged=found["merged"],
        others=found["others"],
        merges=len(vocabulary.merges),
        by_length=dict(sorted(lengths.items())),
        by_script=dict(scripts.most_common()),
        longest=tuple((text, -length) for length, _id, text in heapq.nsmallest(LONGEST, by_length)),
        unreachable=tuple(unreachable_tokens(encoder, vocabulary, unknown=unknown)),
    )


def specials_of(encoder: Encoder, vocabulary: Vocabulary) -> set[str]:
    """The special tokens, and the one for unknown symbols."""
    specials, unk = set(vocabulary.specials), encoder.options.unk
    token = vocabulary.ids.get(unk)
    is_unknown = token is not None and unk not in vocabulary.alphabet and encoder.timeline.made_by(token) is None
    return specials | {unk} if is_unknown else specials


def _tokens_of(vocabulary: Vocabulary) -> list[tuple[int, str]]:
    """Ids and texts, by id."""
    texts = vocabulary.by_id()
    return sorted(texts.items()) if isinstance(texts, Mapping) else list(enumerate(texts))


def meant_by(encoder: Encoder, token: str) -> str:
    """The text that a token stands for, without the signs for where in a word it is.

    Bytes that are no whole character are lone surrogates, as Python's `surrogateescape` has them.
    """
    return token_bytes(encoder, Token(token, None, 0, 0), "").decode("utf-8", "surrogateescape")


def _is_whole(text: str) -> bool:
    return not any("\udc80" <= char <= "\udcff" for char in text)


def _script_in(text: str) -> str:
    if not _is_whole(text):
        return PARTS
    letter = next((char for char in text if category(char)[0] in "LM"), None)
    return NO_LETTERS if letter is None else script_of(letter)


def unreachable_tokens(
    encoder: Encoder, vocabulary: Vocabulary, *, unknown: str = "token"
) -> Iterator[UnreachableToken]:
    """The tokens that no text is encoded to, by id, as the head of this file defines them; special tokens left out."""
    specials = specials_of(encoder, vocabulary)
    symbols = set(vocabulary.alphabet)
    for token, text in _tokens_of(vocabulary):
        if text in specials:
            continue
        meant = meant_by(encoder, text)
        is_text = bool(meant) and _is_whole(meant)
        ids = encoder.encode_ids(meant, unknown=unknown) if is_text else []
        if token in ids:
            continue
        reason = _obstacle(encoder, token, text, meant, symbols)
        if reason is not None:
            tokens = encoder.tokens_of(encoder.spans(meant), unknown=unknown) if is_text else []
            yield UnreachableToken(token, text, reason, tuple(each.text for each in tokens))


def _obstacle(encoder: Encoder, token: int, text: str, meant: str, symbols: set[str]) -> UnreachableReason | None:
    """Why no text is encoded to a token that its own text is not encoded to; None if there may be one."""
    timeline, dialect = encoder.timeline, encoder.dialect
    byte_level = is_byte_level(encoder.options)
    is_symbol = (text in symbols and timeline.ids[text] == token) or (text in BYTE_TOKENS and not byte_level)
    is_made = is_symbol or timeline.made_by(token) is not None
    merges_to_itself = is_made and encoder.merged(_symbols_in(timeline, token)) == [token]
    if not merges_to_itself and not dialect.whole_words:
        return UnreachableReason.MERGES if is_made else UnreachableReason.NO_MERGE
    if not _may_be_in_utf8(meant):
        return UnreachableReason.NOT_UTF8
    if not meant or not _is_whole(meant):
        return None
    if text in BYTE_TOKENS and not byte_level:  # its character is in the vocabulary
        return UnreachableReason.MERGES
    written = meant if byte_level else text.removesuffix(encoder.options.end_of_word)
    forms = {meant, meant.replace(" ", METASPACE), written.removeprefix(dialect.continuing_prefix)}
    for context in _CONTEXTS:
        words = [span[0] for span in encoder.spans(context.replace("{}", meant))]
        if any(form in word if merges_to_itself else form == word for form in forms for word in words):
            return None
    return UnreachableReason.CUT


def _symbols_in(timeline: MergeTimeline, token: int) -> list[int]:
    """The symbols that the merges of a token begin with."""
    symbols: list[int] = []
    waiting = [token]
    while waiting:
        part = waiting.pop()
        merge = timeline.made_by(part)
        if merge is None or part in (merge.left_id, merge.right_id):  # `a` + a bare prefix is `a`
            symbols.append(part)
        else:
            waiting += (merge.right_id, merge.left_id)
    return symbols


def _may_be_in_utf8(text: str) -> bool:
    """Whether a text, with lone bytes as surrogates, can be somewhere in a text in UTF-8."""
    data = text.encode("utf-8", "surrogateescape")
    head = len(data) - len(data.lstrip(bytes(range(0x80, 0xC0))))
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data[head:])  # lets an end pass that is not complete
    except UnicodeDecodeError:
        return False
    return head <= 3


# -- the corpus -------------------------------------------------------------------------------------------------------


class _WordUse(NamedTuple):
    """How a word is encoded."""

    characters: int
    bytes: int
    tokens: int
    ids: tuple[int, ...]
    """Of the tokens that are known."""
    unknown: tuple[str, ...]
    """What is covered by those that are not."""
    left_out: int
    units: tuple[tuple[WordClass, str, bool, int], ...]
    """Class, script, whether it is a word, and how many tokens count for it."""
    pre_tokens: tuple[tuple[str, int], ...]
    """The pre-tokens, and how many tokens each becomes."""


@dataclass(slots=True)
class _Sums:
    """What the words of a file, or of all files, add up to."""

    characters: int = 0
    bytes: int = 0
    tokens: int = 0
    left_out: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    uses: Counter[int] = field(default_factory=Counter)
    units: Counter[tuple[WordClass, str, bool, int]] = field(default_factory=Counter)

    def add(self, use: _WordUse, count: int) -> None:
        """Add a word that occurs so often."""
        self.characters += use.characters * count
        self.bytes += use.bytes * count
        self.tokens += use.tokens * count
        self.left_out += use.left_out * count
        for token in use.ids:
            self.uses[token] += count
        for unit in use.units:
            self.units[unit] += count
        for text in use.unknown:
            self.unknown[text] += count

    def add_all(self, other: _Sums) -> None:
        """Add another file."""
        self.characters += other.characters
        self.bytes += other.bytes
        self.tokens += other.tokens
        self.left_out += other.left_out
        self.unknown.update(other.unknown)
        self.uses.update(other.uses)
        self.units.update(other.units)

    def text_use(self, name: str, depth_of: Mapping[int, int]) -> TextUse:
        """The figures; `depth_of` says after how many merges there is a token."""
        words = {unit: count for unit, count in self.units.items() if unit[2]}
        made: Counter[int] = Counter()
        for token, count in self.uses.items():
            made[depth_of.get(token, 0)] += count
        return TextUse(
            name=name,
            characters=self.characters,
            bytes=self.bytes,
            words=sum(words.values()),
            tokens=self.tokens,
            unknown=self.unknown.total(),
            left_out=self.left_out,
            whole_words=sum(count for unit, count in words.items() if unit[3] <= 1),
            half=_reached(made, 1, 2),
            most=_reached(made, 9, 10),
        )


def _reached(made: Mapping[int, int], share: int, of: int) -> int:
    """The least number of merges that makes a share of the tokens."""
    depths = sorted(made)
    sums = accumulate(made[depth] for depth in depths)
    total = sum(made.values())
    return next((depth for depth, so_far in zip(depths, sums, strict=True) if so_far * of >= total * share), 0)


class _CorpusTally:
    """Encodes the words of a corpus, file by file, and adds up."""

    def __init__(self, encoder: Encoder, unknown: str) -> None:
        self._encoder = encoder
        self._unknown = unknown
        self._has_metaspace = encoder.options.pre_tokenizer in ("metaspace", "file")

    def report(
        self,
        files: Iterable[CountedFile],
        vocabulary: Vocabulary,
        own: VocabularyReport,
        progress: OnProgress | None,
    ) -> CorpusReport:
        """See `report_on`."""
        depth_of, first_merges = _depths_of(self._encoder.timeline)
        total, parts = _Sums(), []
        documents = pre_tokens = 0
        costs: dict[str, int] = {}
        use_of = lru_cache(_CACHED)(self.use_of)
        for file in files:
            sums = _Sums()
            counts = file.words.counts
            for done, (word, count) in enumerate(zip(file.words.words, counts, strict=True)):
                use = use_of(word, file.are_pieces)
                sums.add(use, count)
                pre_tokens += count * len(use.pre_tokens)
                for pre_token, size in use.pre_tokens:
                    costs[pre_token] = costs.get(pre_token, 0) + count * max(size - 1, 0)
                if progress is not None and not done % _REPORTED:
                    progress(Progress("encoding", done, len(counts)))
            for token, count in file.added.items():
                sums.add(self._use_of_added(token), count)
                pre_tokens += count
            check_words(file.name, len(costs))
            documents += file.words.documents
            parts.append(sums.text_use(file.name, depth_of))
            total.add_all(sums)
        texts = dict(_tokens_of(vocabulary))
        specials = specials_of(self._encoder, vocabulary)
        plain = {token: text for token, text in texts.items() if text not in specials}
        gone = {token.id for token in own.unreachable}
        name = parts[0].name if len(parts) == 1 else ""
        return CorpusReport(
            total=total.text_use(name, depth_of),
            files=tuple(parts) if len(parts) > 1 else (),
            documents=documents,
            pre_tokens=pre_tokens,
            distinct=len(costs),
            by_tokens=_by_tokens(total),
            by_class=_by_class(total),
            by_script=_by_script(total),
            by_use=_by_use(total.uses, plain),
            most_used=tuple(
                TokenUse(token, texts[token], count)
                for token, count in heapq.nsmallest(LISTED, total.uses.items(), key=lambda item: (-item[1], item[0]))
            ),
            never_used=tuple(
                TokenUse(token, text, 0)
                for token, text in plain.items()
                if token not in total.uses and token not in gone
            ),
            costly=self._costly(costs),
            unknown_symbols=tuple(total.unknown.most_common(LISTED)),
            depths=_depths(total, depth_of, first_merges),
        )

    def use_of(self, text: str, is_piece: bool) -> _WordUse:
        """How a word, or a piece of text, is encoded."""
        spans: list[Span] = [(text, 0, len(text))]
        if is_piece:  # without the tokens that are put before and after every text
            spans = [span for span in self._encoder.spans(text) if not is_token(span)]
        tokens = self._encoder.tokens_of(spans, unknown=self._unknown)
        left_out = 0
        if self._unknown == "drop" and not _cover(tokens, len(text)):
            left_out = sum(last - first for span in spans for first, last in self._encoder.unknown_places(span))
        if self._has_metaspace:
            text = text.replace(METASPACE, " ")
        return self._use(text, tokens, left_out, _sizes(spans, tokens))

    def _use_of_added(self, token: int) -> _WordUse:
        text = self._encoder.text_of(token)
        return self._use(text, [Token(text, token, 0, len(text))], 0, ())

    def _use(self, text: str, tokens: list[Token], left_out: int, pre_tokens: tuple[tuple[str, int], ...]) -> _WordUse:
        units = units_of(text)
        *counts, beyond = tokens_of_units(text, units, tokens)
        if counts:
            counts[-1] += beyond
        return _WordUse(
            len(text),
            len(utf8(text)),
            len(tokens),
            tuple(token.id for token in tokens if token.id is not None and not token.unknown),
            tuple(text[token.start : token.end] for token in tokens if token.unknown),
            left_out,
            tuple((u.word_class, u.script, u.is_word, count) for u, count in zip(units, counts, strict=True)),
            pre_tokens,
        )

    def _costly(self, costs: Mapping[str, int]) -> tuple[CostlyWord, ...]:
        found = []
        worded = ((word, cost) for word, cost in costs.items() if cost and any(map(str.isalnum, word)))
        for word, cost in heapq.nlargest(LISTED, worded, key=lambda item: item[1]):
            tokens = self._encoder.tokens_of([(word, 0, len(word))], unknown=self._unknown)
            found.append(CostlyWord(word, cost // (len(tokens) - 1), tuple(token.text for token in tokens)))
        return tuple(found)


def _cover(tokens: Sequence[Token], length: int) -> bool:
    """Whether each of the first `length` characters is in one of the tokens."""
    covered = 0
    for _text, _id, start, end, _unknown in tokens:
        if start > covered:
            return False
        covered = max(covered, end)
    return covered >= length


def is_token(span: Span) -> bool:
    """Whether a span is a token by itself, and no word to be encoded."""
    return isinstance(span, PlacedSpan) and span.token is not None


def _sizes(spans: Sequence[Span], tokens: Sequence[Token]) -> tuple[tuple[str, int], ...]:
    """The words, and how many tokens each becomes."""
    if len(spans) == 1:
        return ((spans[0][0], len(tokens)),)
    counts = [0] * len(spans)
    place = 0
    for _text, _id, start, end, _unknown in tokens:
        while start >= spans[place][2] and not start == end == spans[place][2]:
            place += 1
        counts[place] += 1
    return tuple((span[0], count) for span, count in zip(spans, counts, strict=True))


def _depths_of(timeline: MergeTimeline) -> tuple[dict[int, int], list[tuple[int, int, int, int]]]:
    """For each token that only merges make after how many merges there is one, and the merges that make them first.

    These are given by their depth and three ids; longer tokens come first.
    """
    depth_of: dict[int, int] = {}
    first: list[tuple[int, int, int, int]] = []
    for index in range(timeline.known):
        merge = timeline.merge_at(index)
        if merge.id not in depth_of and timeline.made_by(merge.id) is not None:
            depth_of[merge.id] = index + 1
            first.append((index + 1, merge.id, merge.left_id, merge.right_id))
    sizes: dict[int, int] = {}
    for _depth, token, _left, _right in first:
        sizes[token] = len(_symbols_in(timeline, token))
    first.sort(key=lambda merge: -sizes[merge[1]])
    return depth_of, first


def _depths(
    total: _Sums, depth_of: Mapping[int, int], first: list[tuple[int, int, int, int]]
) -> tuple[MergeDepth, ...]:
    """How far the first merges go, for `DEPTHS`."""
    weights: Counter[int] = Counter(total.uses)
    fired: Counter[int] = Counter()
    for depth, token, left, right in first:
        if count := weights[token]:
            fired[depth] = count
            if token not in (left, right):
                weights[left] += count
                weights[right] += count
    made: Counter[int] = Counter()
    for token, count in total.uses.items():
        made[depth_of.get(token, 0)] += count
    known = max(depth_of.values(), default=0)
    found = []
    for merges in sorted({round(share * known) for share in DEPTHS}):
        later = sum(count for depth, count in fired.items() if depth > merges)
        there = sum(count for depth, count in made.items() if depth <= merges)
        found.append(MergeDepth(merges, total.tokens + later, there))
    return tuple(found)


def _by_tokens(total: _Sums) -> dict[int, int]:
    found: Counter[int] = Counter()
    for (_class, _script, is_word, tokens), count in total.units.items():
        if is_word:
            found[tokens] += count
    return dict(sorted(found.items()))


def _by_class(total: _Sums) -> dict[WordClass, FertilityGroup]:
    found: dict[WordClass, FertilityGroup] = {}
    for (word_class, _script, _is_word, tokens), count in total.units.items():
        group = found.setdefault(word_class, FertilityGroup())
        group.words += count
        group.tokens += tokens * count
    return dict(sorted(found.items(), key=lambda item: -item[1].tokens))


def _by_script(total: _Sums) -> dict[str, FertilityGroup]:
    found: dict[str, FertilityGroup] = {}
    for (_class, script, _is_word, tokens), count in total.units.items():
        group = found.setdefault(script or NO_LETTERS, FertilityGroup())
        group.words += count
        group.tokens += tokens * count
    return dict(sorted(found.items(), key=lambda item: -item[1].tokens))


def _by_use(uses: Mapping[int, int], plain: Mapping[int, str]) -> tuple[UseBand, ...]:
    bands = []
    for least, following in pairwise((*USE_BANDS, None)):
        assert least is not None
        inside = [
            count
            for token in plain
            if (count := uses.get(token, 0)) >= least and (following is None or count < following)
        ]
        bands.append(UseBand(least, None if following is None else following - 1, len(inside), sum(inside)))
    while len(bands) > 1 and not bands[-1].tokens:
        bands.pop()
    return tuple(bands)
