"""tiktoken's rank files: a line for each token, its bytes in base64, a space, and its rank, which is its id too.

How a text is cut is not in the file, and neither are special tokens: tiktoken is given both beside it.

The files hold no pairs: of all neighbours, those whose joined bytes have the lowest rank are merged. Inside the bytes
of one token that goes the same way wherever they are, so at most one pair of neighbours can ever become it: the two
parts that are left last when its own bytes are merged by all other ranks. If more than two are left, no merging makes
the token; tiktoken then gives it for a whole pre-token only.

Replaying every token would take seconds for a large vocabulary. Where each token ranks above its parts, as in every
trained one, it is quicker to check, for a way to cut the token in two, whether any merge would go across the cut.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, bytes_to_chars, chars_to_bytes
from bpe_tui.core.corpus.pretokenize import TIKTOKEN_CL100K
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, plural
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats import limits
from bpe_tui.formats.files import quoted
from bpe_tui.formats.model import LARGEST_ID, TokenizerModel

TAKES: Final = ("pre_tokenizer", "pattern")
_BOM: Final = b"\xef\xbb\xbf"
Pair = tuple[int, int]
_LINE: Final = re.compile(rb"[A-Za-z0-9+/]+={0,2} [0-9]+\r?")


def recognises(text: str) -> bool:
    """Whether `text` begins as rank files do."""
    lines = [line for line in text[:2_000].split("\n")[:5] if line.strip()]
    return bool(lines) and all(_LINE.fullmatch(line.encode("utf-8", "replace")) for line in lines[:-1] or lines)


def load(path: str, data: bytes, given: Mapping[str, Any]) -> TokenizerModel:
    """Read a file. Raises TokenizerFileError naming the line at fault."""
    return read(data, given)


def read(data: bytes, given: Mapping[str, Any]) -> TokenizerModel:
    """The model of a rank file, cut as `given` says. Raises TokenizerFileError."""
    ranks = _parse(data)
    _check_bytes(ranks)
    in_order = sorted(ranks, key=ranks.__getitem__)
    texts = _texts(in_order)
    ids = {text: ranks[token] for text, token in zip(texts, in_order, strict=True)}
    merges, underived = _merges(in_order, texts, ranks)
    raw = all(ids[char] == byte for byte, char in enumerate(BYTE_TO_CHAR))
    cut = dict(given) or {"pattern": TIKTOKEN_CL100K}
    options = make_options("minbpe", **cut, raw_byte_ids=raw, merges=len(merges))
    vocabulary = Vocabulary(
        tokens=tuple(texts),
        specials=(),
        alphabet=tuple(text for text in texts if len(text) == 1),
        merges=merges,
        ids=ids,
    )
    warnings: tuple[str, ...] = ()
    if underived:
        message = plural(
            "one token is made by no merge, and stands for whole words only: {tokens}",
            "{count} tokens are made by no merge, and stand for whole words only: {tokens}",
            len(underived),
            tokens=limits.listed(underived),
        )
        warnings = (message,)
    return TokenizerModel(vocabulary, options, "token", warnings, Dialect(whole_words=bool(underived)))


def _parse(data: bytes) -> dict[bytes, int]:
    """The ranks of the tokens. Raises TokenizerFileError naming the line at fault."""
    ranks: dict[bytes, int] = {}
    lines = data.removeprefix(_BOM).split(b"\n")
    for number, line in enumerate(lines, start=1):
        if line.endswith(b"\r"):
            line = line[:-1]
        if not line:
            continue
        word, _space, figure = line.partition(b" ")
        if not figure.isdigit() or len(figure) > 10:
            raise TokenizerFileError(
                _("line {number}, {line}: {fault}").format(number=number, line=_shown(line), fault=_fault(line))
            )
        try:
            token = a2b_base64(word, strict_mode=True)
        except Base64Error:
            raise TokenizerFileError(
                _("line {number}, {line}: the token is no base64").format(number=number, line=_shown(line))
            ) from None
        if not token:
            raise TokenizerFileError(
                _("line {number}, {line}: the token is empty").format(number=number, line=_shown(line))
            )
        if token in ranks:
            raise TokenizerFileError(
                _("line {number}, {line}: the token has a rank already, {rank}").format(
                    number=number, line=_shown(line), rank=ranks[token]
                )
            )
        ranks[token] = int(figure)
    if len(set(ranks.values())) < len(ranks) or max(ranks.values(), default=0) > LARGEST_ID:
        _refuse_ranks(lines)
    return ranks


def _fault(line: bytes) -> str:
    fields = line.split()
    if len(fields) == 2 and fields[1].lstrip(b"+-").isdigit():
        figure = fields[1].decode()
        if figure.startswith("-"):
            return _("the rank {rank} is negative").format(rank=figure)
        if line.count(b" ") == 1 and figure.isdigit():
            return _("the rank {rank} is too large").format(rank=figure)
        return _("a token, one space and a rank are expected")
    return _("a token in base64, a space and a rank are expected")


def _refuse_ranks(lines: list[bytes]) -> None:
    owners: dict[int, int] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip(b"\r"):
            rank = int(line.split()[1])
            if rank > LARGEST_ID:
                raise TokenizerFileError(
                    _("line {number}, {line}: the rank is too large").format(number=number, line=_shown(line))
                )
            if rank in owners:
                raise TokenizerFileError(
                    _("line {number}, {line}: line {owner} has that rank already").format(
                        number=number, line=_shown(line), owner=owners[rank]
                    )
                )
            owners[rank] = number


def _shown(line: bytes) -> str:
    return quoted(line.decode("utf-8", "replace").rstrip("\r"))


def _check_bytes(ranks: Mapping[bytes, int]) -> None:
    missing = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if missing:
        message = plural(
            "it lacks the byte {byte}; not every text could be encoded",
            "it lacks {count} of the 256 bytes; not every text could be encoded",
            len(missing),
            byte=f"0x{missing[0]:02X}",
        )
        raise TokenizerFileError(message)


def _texts(tokens: list[bytes]) -> list[str]:
    """The tokens in byte characters."""
    whole = bytes_to_chars(b"".join(tokens))
    ends = list(accumulate(map(len, tokens)))
    return [whole[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _merges(tokens: list[bytes], texts: list[str], ranks: Mapping[bytes, int]) -> tuple[tuple[Merge, ...], list[str]]:
    """The merges that make the tokens, by rank, and the texts of the tokens that none makes."""
    singles_first = sorted(range(len(tokens)), key=lambda place: len(tokens[place]) > 1)
    pairs = derive([tokens[place] for place in singles_first])
    texts = [texts[place] for place in singles_first]
    numbers = [ranks[tokens[place]] for place in singles_first]
    made = [place for place, pair in enumerate(pairs) if pair is not None]
    lefts = [pair[0] for pair in pairs if pair is not None]
    rights = [pair[1] for pair in pairs if pair is not None]
    columns = (lefts, rights, made)
    left, right, token = ([texts[place] for place in column] for column in columns)
    left_ids, right_ids, ids = ([numbers[place] for place in column] for column in columns)
    merges = tuple(map(Merge, left, right, token, left_ids, right_ids, ids, range(len(made))))
    underived = [texts[place] for place, pair in enumerate(pairs) if pair is None and len(texts[place]) > 1]
    return merges, underived


# -- which two parts a token is merged from ----------------------------------------------------------------------------


def derive(tokens: Sequence[bytes]) -> list[Pair | None]:
    """For each token the places in `tokens` of its two parts; None for single bytes and for what no merging makes.

    `tokens` are distinct: first all the single bytes there are, then the others, ascending by rank.
    """
    places = {token: place for place, token in enumerate(tokens)}
    pairs, left_over = _by_cuts(tokens, places)
    if any(_replayed(tokens[place], places) for place in left_over):
        # Some token ranks below its parts, which the quick way knows nothing of.
        return [_replayed(token, places) if len(token) > 1 else None for token in tokens]
    return pairs


def _by_cuts(tokens: Sequence[bytes], places: Mapping[bytes, int]) -> tuple[list[Pair | None], list[int]]:
    """The pairs found by looking at all cuts into two tokens that rank lower, and the tokens without one.

    A cut holds if both sides are created side by side. That is checked backwards in time, by undoing the later of the
    two merges beside the cut: if at any time the two sides are a pair that merges before the next one is due, it goes
    across the cut. Of equal ranks the leftmost merge comes first: one in the left side before one across, and that
    before one in the right side.
    """
    never = len(tokens)
    singles = sum(len(token) == 1 for token in tokens)
    pairs: list[Pair | None] = [None] * never
    lefts, rights = list(range(never)), list(range(never))  # halves; a token without any is its own
    made: dict[Pair, int] = {}
    left_over = []
    find, merge = places.get, made.get
    for place in range(singles, never):
        token = tokens[place]
        for cut in range(len(token) - 1, 0, -1):
            left = find(token[:cut], never)
            if left >= place:
                continue
            right = find(token[cut:], never)
            if right >= place:
                continue
            one, other, due = left, right, never
            while merge((one, other), never) >= due:
                if one > other:
                    if rights[one] == one:  # a single byte, so that both are; or what only a whole pre-token can be
                        break
                    one, due = rights[one], one
                elif lefts[other] == other:
                    break
                else:
                    other, due = lefts[other], other + 1
            else:
                continue  # a merge goes across
            if max(one, other) >= singles:
                continue
            pairs[place] = made_of = (left, right)
            made[made_of] = place
            lefts[place], rights[place] = made_of
            break
        else:
            left_over.append(place)
    return pairs, left_over


def _replayed(token: bytes, places: Mapping[bytes, int]) -> Pair | None:
    """The two parts that are left last when the bytes of `token` are merged by all ranks; None if more are left."""
    never = len(places)
    parts = [token[place : place + 1] for place in range(len(token))]
    while len(parts) > 2:
        best, at = never, -1
        for place, (left, right) in enumerate(pairwise(parts)):
            made = places.get(left + right, never)
            if made < best:
                best, at = made, place
        if at < 0:
            return None
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    if not all(part in places for part in parts):
        return None
    return places[parts[0]], places[parts[1]]


# -- writing ----------------------------------------------------------------------------------------------------------


def check(options: Options) -> None:
    """Raises TokenizerFileError if ranks cannot say `options`."""
    limits.check_bytes(options, "tiktoken")


def files(model: TokenizerModel, path: str) -> tuple[dict[str, bytes], list[str]]:
    """The file, and notes for the user. Raises TokenizerFileError for a model that ranks cannot say."""
    check(model.options)
    notes = limits.check_dialect(model, _("a file of ranks"), whole_words=True)
    ranks, more = _ranks(model)
    notes += more
    options = model.options
    message = _("the file does not say how a text is cut; tell tiktoken the pattern {pattern}")
    name = "cl100k_base" if options.pattern == TIKTOKEN_CL100K else options.pre_tokenizer
    if not options.pattern or options.pattern == TIKTOKEN_CL100K:
        message = _("the file does not say how a text is cut; tell tiktoken the pattern of {pre_tokenizer}")
    notes.append(message.format(pattern=quoted(options.pattern or ""), pre_tokenizer=name))
    specials = limits.special_texts(model)
    if specials:
        message = _("left out: the special tokens {tokens}; tell tiktoken special_tokens")
        notes.append(message.format(tokens=limits.listed(specials)))
    lines = [b64encode(token) + b" %d\n" % rank for token, rank in sorted(ranks.items(), key=lambda entry: entry[1])]
    return {path: b"".join(lines)}, notes


def _ranks(model: TokenizerModel) -> tuple[dict[bytes, int], list[str]]:
    """The rank of each token: its id, if ids ascend as the merges do."""
    vocabulary, ids = model.vocabulary, model.vocabulary.ids
    tokens = list(dict.fromkeys([*BYTE_TO_CHAR, *(merge.token for merge in vocabulary.merges)]))
    notes = []
    if model.dialect.whole_words:
        others = set(vocabulary.tokens) - set(tokens) - model.dialect.outside - set(vocabulary.specials)
        tokens += sorted(others, key=ids.__getitem__)
    numbers = [ids[token] for token in tokens[256 : 256 + len(vocabulary.merges)]]
    if numbers == sorted(numbers):
        ranks = {chars_to_bytes(token): ids[token] for token in tokens}
    else:
        ranks = {chars_to_bytes(token): place for place, token in enumerate(tokens)}
        notes.append(_("the ids are numbered anew: ranks are ids, and these did not ascend as the merges do"))
    return ranks, notes + _where_tiktoken_differs(model, ranks)


def _where_tiktoken_differs(model: TokenizerModel, ranks: Mapping[bytes, int]) -> list[str]:
    """A note if tiktoken, which merges by joined bytes, makes something else of the ranks than the merges say."""
    tokens = sorted(ranks, key=lambda token: (len(token) > 1, ranks[token]))
    texts = _texts(tokens)
    derived = {
        texts[place]: (texts[pair[0]], texts[pair[1]]) for place, pair in enumerate(derive(tokens)) if pair is not None
    }
    for merge in model.vocabulary.merges:
        pair = derived.get(merge.token)
        if pair != (merge.left, merge.right):
            theirs = f"{quoted(pair[0])} + {quoted(pair[1])}" if pair is not None else _("nothing but a whole word")
            ours = f"{quoted(merge.left)} + {quoted(merge.right)}"
            message = _(
                "tiktoken encodes some texts otherwise: it makes {token} of {theirs}, not of {ours} as merge {number}"
            )
            return [message.format(token=quoted(merge.token), theirs=theirs, ours=ours, number=merge.rank + 1)]
    return []
