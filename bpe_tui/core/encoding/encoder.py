"""Encoding text with learned merges, and decoding ids.

A text is split into words and these into symbols exactly as in training. Symbols that the base vocabulary lacks become
unknown before any merge; then, in each word, the pair with the lowest rank is merged, leftmost first, until no learned
pair is left. Words are cached, since texts repeat them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, Literal, NamedTuple, TypeVar
from unicodedata import normalize

import regex

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, alphabet_text
from bpe_tui.core.corpus.pretokenize import METASPACE, PlacedSpan, Span
from bpe_tui.core.encoding.dialect import PLAIN, Dialect
from bpe_tui.core.encoding.merge_ranks import UNKNOWN, Pieces
from bpe_tui.core.encoding.symbols import Symbols, SymbolSplitter
from bpe_tui.core.encoding.timeline import MergeTimeline
from bpe_tui.core.encoding.token_table import TokenTable
from bpe_tui.core.errors import EncodeError, OptionError
from bpe_tui.core.gc_paused import gc_paused
from bpe_tui.core.i18n import _, number
from bpe_tui.core.options import UNKNOWN_POLICIES, Options
from bpe_tui.core.training.vocabulary import Merge

_CACHED_WORDS: Final = 1 << 16
_LONGEST_CACHED: Final = 1_000
"""Words of more characters than this are not cached: they seldom come again."""
_NOT_BLANK: Final = re.compile(r"\S+")
_MARK: Final[regex.Pattern[str]] = regex.compile(r"\p{M}")
_SPACES: Final = (
    BYTE_TO_CHAR[ord(" ")]
    + "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    + "".join(map(chr, range(0x2000, 0x200B)))
)
"""Unicode's white space, and the space of byte alphabets."""


class Token(NamedTuple):
    """One token of an encoded text."""

    text: str
    """As it is shown; the unknown token's text for an unknown symbol."""
    id: int | None
    """None for an unknown symbol whose stand-in is not in the vocabulary."""
    start: int
    end: int
    """Its place in the text, in code points. A byte-level token may cover part of a character."""
    unknown: bool = False


class Dropped(NamedTuple):
    """Characters of a text that are in none of its tokens."""

    text: str
    start: int
    end: int


WordTokens = list[tuple[str, int | None, int, int, bool]]
"""The tokens of a word as the fields of a `Token` each, their places counted from the start of the word."""
_Encoded = TypeVar("_Encoded")


class WordCache(dict[str, _Encoded]):
    """Words as they are encoded at one moment; one that is missing is encoded when it is asked for."""

    def __init__(self, encode: Callable[[str], _Encoded]) -> None:
        super().__init__()
        self._encode = encode

    def __missing__(self, word: str) -> _Encoded:
        encoded = self._encode(word)
        if len(word) <= _LONGEST_CACHED:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[word] = encoded
        return encoded


class Encoder:
    """Encodes with the merges of the moment that a timeline shows, and decodes."""

    def __init__(self, timeline: MergeTimeline, dialect: Dialect = PLAIN) -> None:
        """An encoder that follows `timeline`, a `Trainer` or the `FixedTimeline` of a finished vocabulary."""
        self.timeline = timeline
        self._table = table = TokenTable(timeline, dialect)
        self.dialect = dialect
        self._splitter = dialect.splitter(table)
        self._symbols = SymbolSplitter(table.letters, table.byte_tokens, table.options, dialect.continuing_prefix)
        self._decoder = dialect.decoder(table)
        self._words = {policy: WordCache(partial(self._word_tokens, policy)) for policy in UNKNOWN_POLICIES}
        self._word_ids = {policy: WordCache(partial(self._ids_of, policy)) for policy in UNKNOWN_POLICIES}

    @property
    def options(self) -> Options:
        """The options that it encodes with."""
        return self.timeline.options

    # -- encoding ------------------------------------------------------------------------------------------------

    def encode(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[Token]:
        """The tokens of `text`. Special tokens in it are plain text unless `allow_special`.

        Raises `OptionError` for an unknown policy that does not exist, and `EncodeError` where the policy `error`
        meets an unknown symbol. The policy `bytes` leaves symbols unknown whose byte tokens the vocabulary lacks.
        """
        return self.trimmed(text, self.tokens_of(self.spans(text, allow_special=allow_special), unknown=unknown))

    def encode_ids(self, text: str, *, unknown: str = "token", allow_special: bool = False) -> list[int]:
        """The ids of `encode`; `UNKNOWN` for an unknown symbol that has none. Raises alike.

        Ids alone are made in half the time: 1.1 MB of English take 0.33 s instead of 0.63 s.
        """
        if unknown == "error":
            tokens = self.encode(text, unknown=unknown, allow_special=allow_special)
            return [UNKNOWN if token.id is None else token.id for token in tokens]
        return self._ids(self._splitter.words(text, allow_special), unknown)

    def ids_and_dropped(
        self, text: str, *, unknown: str = "token", allow_special: bool = False
    ) -> tuple[list[int], list[Dropped]]:
        """What `encode_ids` and `dropped` return, with the text split once. Raises like `encode`."""
        if unknown == "error":
            ids = self.encode_ids(text, unknown=unknown, allow_special=allow_special)
            return ids, self.dropped(text, allow_special=allow_special)
        words = list(self._splitter.words(text, allow_special))
        ids = self._ids(words, unknown)
        if unknown != "drop" and self._keeps_all(words, text):
            return ids, []
        return ids, self.dropped(text, unknown=unknown, allow_special=allow_special)

    def _ids(self, runs: Iterable[list[str] | int], unknown: str) -> list[int]:
        """The ids of words, and ids between them as they are."""
        self._catch_up(unknown)
        word_ids = self._word_ids[unknown]
        ids = list(self.dialect.before)
        for words in runs:
            if isinstance(words, int):
                ids.append(words)
            else:
                for word in words:
                    ids += word_ids[word]
        ids += self.dialect.after
        return ids

    @gc_paused
    def spans(self, text: str, *, allow_special: bool = False) -> list[Span]:
        """The words of `text` and their places; a special token is a word of its own if `allow_special`.

        Tokens that the dialect puts before or after every text are words that cover nothing.
        """
        before, after = self.dialect.before, self.dialect.after
        spans = self._splitter.spans(text, allow_special)
        if before or after:
            end = len(text)
            spans[:0] = [PlacedSpan("", 0, 0, token=token) for token in before]
            spans += [PlacedSpan("", end, end, token=token) for token in after]
        return spans

    @gc_paused
    def tokens_of(self, spans: Iterable[Span], *, unknown: str = "token") -> list[Token]:
        """The tokens of words of a text, with their places in the text; a word that the policy drops has none.

        Raises like `encode`.
        """
        self._catch_up(unknown)
        words = self._words[unknown]
        make = tuple.__new__  # what Token() does; 1.1 MB of English take 0.63 s instead of 0.77 s
        tokens: list[Token] = []
        for span in spans:
            word, begin, end = span
            if not isinstance(span, PlacedSpan):
                for text, token, first, last, is_unknown in words[word]:
                    tokens.append(make(Token, (text, token, begin + first, begin + last, is_unknown)))
            elif span.token is not None:
                tokens.append(Token(self._table.texts[span.token], span.token, begin, end))
            else:
                tokens += map(Token._make, _placed(words[word], span.places))
        if unknown == "error":
            self._refuse_unknown(tokens)
        return tokens

    @gc_paused
    def dropped(
        self, text: str, *, unknown: str = "token", allow_special: bool = False, spans: Iterable[Span] | None = None
    ) -> list[Dropped]:
        """What is lost of `text`: characters that are in no token, or only in part. `spans` are its words, if known.

        The policy `drop` loses unknown symbols; a pattern may leave characters out between words, and a normalizer
        deletes some. White space between words is not counted as lost.
        """
        drops = unknown == "drop"
        if not drops and self.options.pre_tokenizer not in ("pattern", "file"):
            return []
        lost: list[tuple[int, int]] = []
        seen = 0
        for span in self.spans(text, allow_special=allow_special) if spans is None else spans:
            places = span.places if isinstance(span, PlacedSpan) else ()
            for first, last in places or (span[1:],):
                if first > seen:
                    lost += (match.span() for match in _NOT_BLANK.finditer(text, seen, first))
                seen = max(seen, last)
            if drops:
                lost += self.unknown_places(span)
        lost += (match.span() for match in _NOT_BLANK.finditer(text, seen))
        return [Dropped(text[start:end], start, end) for start, end in _joined(lost)]

    def _keeps_all(self, runs: Iterable[list[str] | int], text: str) -> bool:
        """Whether words surely keep all of a text but blanks; False if only their places show it.

        Places of a normalized text cost several times as much as its words. A normalizer may change case, write
        characters in another way, and take accents off letters.
        """
        if self.options.pre_tokenizer not in ("pattern", "file"):
            return True
        if METASPACE in text:
            return False
        texts = self._table.texts
        kept = "".join([texts[run] if isinstance(run, int) else "".join(run) for run in runs]).replace(METASPACE, " ")
        if _folded(kept, "NFKD") == _folded(text, "NFKD"):
            return True
        if _MARK.search(text):  # one by itself could be lost
            return False
        return bool(_MARK.sub("", _folded(kept, "NFD")) == _MARK.sub("", _folded(text, "NFD")))

    def unknown_places(self, span: Span) -> list[tuple[int, int]]:
        """Where in the text a word has unknown symbols: start and end of each, in code points."""
        word, begin, _end = span
        if isinstance(span, PlacedSpan):
            if span.token is not None or self._whole_word(word) is not None:
                return []
            places = span.places
            return [(places[first][0], places[last - 1][1]) for first, last in self._symbols.unknown_places(word)]
        if self._whole_word(word) is not None:
            return []
        return [(begin + first, begin + last) for first, last in self._symbols.unknown_places(word)]

    def trimmed(self, text: str, tokens: list[Token], number: int = 0) -> list[Token]:
        """Tokens of `text`, from the one of that number on, with places as `Dialect.offset_trims` has them."""
        trims, first = self.dialect.offset_trims, len(self.dialect.before)
        return (
            [_trimmed(text, token, place == first, trims) for place, token in enumerate(tokens, number)]
            if trims
            else tokens
        )

    def symbols_of(self, span: Span, *, unknown: str = "token", dropout: bool = False) -> list[Token]:
        """The symbols of a word before any merge, placed in the text; the policy `error` leaves unknown ones.

        A word that is a token whatever the merges would make of it is that one symbol, but not with `dropout`, where
        `tokenizers` has no such words either.
        """
        self._catch_up(unknown)
        word, begin, end = span
        if isinstance(span, PlacedSpan) and span.token is not None:
            return [Token(self._table.texts[span.token], span.token, begin, end)]
        symbols = self._symbols.split(word, unknown)
        whole = None if dropout else self._whole_word(word)
        if whole is not None and self._table.merges.merge(symbols[0])[0] != [whole]:
            symbols = [whole], [(0, len(word))]
        tokens = self._in_tokens(symbols, (symbols[0], range(len(symbols[0]))), word, unknown)
        if isinstance(span, PlacedSpan):
            return list(map(Token._make, _placed(tokens, span.places)))
        return [Token(text, token, begin + first, begin + last, unk) for text, token, first, last, unk in tokens]

    def trace_word(
        self, symbols: Sequence[Token], dropout: tuple[float, Callable[[], float]] | None = None
    ) -> Iterator[tuple[Merge, list[int]]]:
        """How the symbols of one word merge: each merge that fires, and the places where it does.

        A place is the number of the first symbol that the new token covers; the places of one row ascend. A merge is
        made in all its places at once, unless it makes a token with which an earlier one can fire.

        With `dropout`, a rate and what gives random numbers, merges are dropped as in `MergeRanks.trace_with_dropout`;
        one without places was dropped.
        """
        self._catch_up()
        ids = [UNKNOWN if symbol.unknown or symbol.id is None else symbol.id for symbol in symbols]
        merges = self._table.merges
        rows = merges.trace(ids) if dropout is None else merges.trace_with_dropout(ids, *dropout)
        return ((self.timeline.merge_at(rank), places) for rank, places in rows)

    def merged(self, symbols: Sequence[int]) -> list[int]:
        """The tokens that known symbols side by side in one word, given by their ids, become."""
        self._catch_up()
        return list(self._table.merges.merge(symbols)[0])

    def _catch_up(self, unknown: str = "token") -> None:
        """Go to the moment of the timeline. Raises `OptionError` if there is no such policy for unknown symbols."""
        if unknown not in UNKNOWN_POLICIES:
            raise OptionError(
                _("{flag} {value!r} is not one of {names}").format(
                    flag="--unknown", value=unknown, names=", ".join(UNKNOWN_POLICIES)
                )
            )
        if self._table.catch_up():
            for policy in UNKNOWN_POLICIES:
                self._words[policy].clear()
                self._word_ids[policy].clear()

    def _word_tokens(self, unknown: str, word: str) -> WordTokens:
        whole = self._whole_word(word)
        if whole is not None:
            return [(self._table.texts[whole], whole, 0, len(word), False)]
        symbols = self._symbols.split(word, unknown)
        return self._in_tokens(symbols, self._table.merges.merge(symbols[0]), word, unknown)

    def _ids_of(self, unknown: str, word: str) -> Sequence[int]:
        whole = self._whole_word(word)
        if whole is not None:
            return (whole,)
        ids, _firsts = self._table.merges.merge(self._symbols.ids(word, unknown))
        own = self._table.unknown_id
        return tuple(ids if own is None else [own if token == UNKNOWN else token for token in ids])

    def _whole_word(self, word: str) -> int | None:
        """The token that a word is whatever the merges say, if it is one."""
        return self._table.whole_word(alphabet_text(word, self.options)) if self.dialect.whole_words else None

    def _in_tokens(self, symbols: Symbols, pieces: Pieces, word: str, unknown: str) -> WordTokens:
        """The tokens that `pieces` of a word's symbols are."""
        ids, firsts = pieces
        symbol_ids, places = symbols
        texts = self._table.texts
        tokens: WordTokens = []
        for token, first, after in zip(ids, firsts, [*firsts[1:], len(symbol_ids)], strict=False):
            start, end = (first, after) if places is None else (places[first][0], places[after - 1][1])
            if token != UNKNOWN:
                tokens.append((texts[token], token, start, end, False))
            elif unknown == "error" or (self.dialect.open_alphabet and unknown == "token"):
                tokens.append((self._symbols.text(word, start, end), None, start, end, True))
            else:
                tokens.append((self.options.unk, self._table.unknown_id, start, end, True))
        return tokens

    def _refuse_unknown(self, tokens: Iterable[Token]) -> None:
        """Raises `EncodeError` for the first unknown symbol."""
        ending = self.options.end_of_word
        for token in tokens:
            if token.unknown:
                raise EncodeError(
                    _("{what!r} at character {place} is not in the alphabet").format(
                        what=token.text.removesuffix(ending) or ending, place=number(token.start)
                    )
                )

    # -- tokens of this moment -----------------------------------------------------------------------------------

    def id_of(self, text: str) -> int | None:
        """The id of a token at this moment, if there is one with this text."""
        return self._table.id_of(text)

    def id_of_joined(self, tokens: Iterable[Token]) -> int | None:
        """The id of the token that some tokens, known ones side by side in one word, are together; None if none is."""
        first, *others = [token.text for token in tokens]
        prefix = self.dialect.continuing_prefix
        return self._table.id_of(first + "".join(text.removeprefix(prefix) for text in others))

    def merge_of(self, left_id: int, right_id: int) -> Merge | None:
        """The merge of two neighbours that is known, used at this moment or not; None if there is none."""
        self._catch_up()
        rank = self._table.merges.rank(left_id, right_id)
        return None if rank is None else self.timeline.merge_at(rank)

    def later_merge(self, left_id: int, right_id: int) -> Merge | None:
        """The merge of two neighbours that is known, but not used yet at this moment; None if there is none."""
        merge = self.merge_of(left_id, right_id)
        return None if merge is None or merge.rank < self.timeline.position else merge

    def text_of(self, token: int) -> str:
        """The text of a token. Raises `EncodeError` for an id that no token has at this moment."""
        return self._table.text_of(token)

    def is_special(self, token: int) -> bool:
        """Whether this id is that of a special token."""
        return token in self._table.specials.values()

    # -- decoding ------------------------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`; bytes that make no character become U+FFFD. Raises `EncodeError` for an unknown id."""
        return self._decoder.text(ids)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of the text of `ids`, exactly. Raises like `decode`."""
        return self._decoder.decode(ids)


def _folded(text: str, form: Literal["NFD", "NFKD"]) -> str:
    """A text without blanks and case, in a normal form."""
    return "".join(normalize(form, text.casefold()).split())


def _joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places in order, those that touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _trimmed(text: str, token: Token, is_first: bool, trims: Sequence[bool]) -> Token:
    """The token with a place that leaves out the spaces at its ends, as `process_offsets` of `tokenizers` does it."""
    content, covered = token.text, text[token.start : token.end]
    if covered.strip(_SPACES).casefold() == content.casefold():
        content = covered  # an added token may take the spaces beside it along
    leading = len(content) - len(content.lstrip(_SPACES))
    trailing = len(content) - len(content.rstrip(_SPACES))
    if not leading and not trailing:
        return token
    start, end = token.start, token.end
    for keeps_one in trims:
        if leading > 1 or not (keeps_one and (is_first or start == 0)):
            start = min(start + leading, end)
        if end >= trailing:
            end = max(end - trailing, start)
    return token._replace(start=start, end=end)


def _placed(tokens: WordTokens, places: Sequence[tuple[int, int]]) -> WordTokens:
    """The tokens of a word in a text that has `places` for each character of the word."""
    moved = []
    for text, token, start, end, is_unknown in tokens:
        first = places[start][0] if start < len(places) else places[-1][1]
        moved.append((text, token, first, places[end - 1][1] if end > start else first, is_unknown))
    return moved
