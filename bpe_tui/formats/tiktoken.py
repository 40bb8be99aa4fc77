"""tiktoken's rank files: a line for each token, its bytes in base64, a space, and its rank, which is its id too.

How a text is cut is not in the file, and neither are special tokens: tiktoken is given both beside it.

The files hold no pairs: of all neighbours, those whose joined bytes have the lowest rank are merged. Inside the bytes
of one token that goes the same way wherever they are, so at most one pair of neighbours can ever become it: the two
parts that are left last when its own bytes are merged by all other ranks. If more than two are left, no merging makes
the token; tiktoken then gives it for a whole pre-token only.

Where each token ranks above its parts, as in every trained vocabulary, it is quicker to check, for a way to cut the
token in two, whether any merge would go across the cut: 0.8 s for the 100,000 tokens of cl100k_base, where replaying
takes 1.4 s.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, pairwise
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, bytes_to_chars, chars_to_bytes
from bpe_tui.core.corpus.chunking import QWEN
from bpe_tui.core.corpus.pretokenize import PATTERNS, TIKTOKEN_CL100K, make_pre_tokenizer
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.encoding.merge_ranks import MergeRanks
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats import limits
from bpe_tui.formats.files import quoted
from bpe_tui.formats.model import LARGEST_ID, TokenizerModel

TAKES: Final = ("pre_tokenizer", "pattern")
_BOM: Final = b"\xef\xbb\xbf"
_LINE: Final = re.compile(rb"[A-Za-z0-9+/]+={0,2} [0-9]+\r?")
_KNOWN: Final[dict[int, tuple[str, dict[str, str]]]] = {
    50_256: ("GPT-2", {"pre_tokenizer": "gpt2"}),
    50_257: ("Whisper", {"pre_tokenizer": "gpt2"}),
    50_280: ("p50k_base", {"pre_tokenizer": "gpt2"}),
    100_256: ("cl100k_base", {"pattern": TIKTOKEN_CL100K}),
    128_000: ("Llama 3", {"pre_tokenizer": "cl100k"}),
    151_643: ("Qwen", {"pattern": QWEN}),
    199_998: ("o200k_base", {"pre_tokenizer": "o200k"}),
}
"""Files that are known by how many tokens they have: what they are, and how their tools cut a text."""
Pair = tuple[int, int]


def recognises(text: str) -> bool:
    """Whether `text` begins as rank files do."""
    lines = [line for line in text[:2_000].split("\n")[:5] if line.strip()]
    return bool(lines) and all(_LINE.fullmatch(line.encode("utf-8", "replace")) for line in lines[:-1] or lines)


def load(path: str, data_of: Callable[[str], bytes], given: Mapping[str, Any]) -> TokenizerModel:
    """Read a file. Raises TokenizerFileError naming the line at fault."""
    return read(data_of(path), given)


def read(data: bytes, given: Mapping[str, Any]) -> TokenizerModel:
    """The model of a rank file, cut as `given` says. Raises TokenizerFileError."""
    ranks = _parse(data)
    _check_bytes(ranks)
    in_order = sorted(ranks, key=ranks.__getitem__)
    texts = _texts(in_order)
    ids = {text: ranks[token] for text, token in zip(texts, in_order, strict=True)}
    merges, underived = _merges([token for token in in_order if token], ranks)
    raw = all(ids[char] == byte for byte, char in enumerate(BYTE_TO_CHAR))
    warnings = []
    cut: Mapping[str, Any] = given
    if not given:
        cut, assumed = _assumed_cut(ranks)
        warnings.append(assumed)
    options = make_options("minbpe", **cut, raw_byte_ids=raw, merges=len(merges))
    vocabulary = Vocabulary(
        tokens=tuple(texts),
        specials=(),
        alphabet=tuple(text for text in texts if len(text) == 1),
        merges=merges,
        ids=ids,
    )
    if underived:
        warnings.append(
            plural(
                "one token is made by no merge, and stands for whole words only: {tokens}",
                "{count} tokens are made by no merge, and stand for whole words only: {tokens}",
                len(underived),
                tokens=limits.listed(underived),
            )
        )
    return TokenizerModel(vocabulary, options, "token", tuple(warnings), Dialect(whole_words=bool(underived)))


def _assumed_cut(ranks: Mapping[bytes, int]) -> tuple[dict[str, str], str]:
    """How a text is cut if nobody says so, as options, and a sentence about it."""
    known = _KNOWN.get(len(ranks))
    if known is not None and max(ranks.values()) == len(ranks) - 1:
        return known[1], _(
            "assumed to be {name}, because it has {count} tokens, and cut as there; override it with --pre-tokenizer "
            "or --pattern"
        ).format(count=number(len(ranks)), name=known[0])
    return {"pattern": TIKTOKEN_CL100K}, _(
        "it does not say how a text is cut; the pattern of cl100k_base is assumed; override it with --pre-tokenizer "
        "or --pattern"
    )


def _parse(data: bytes) -> dict[bytes, int]:
    """The ranks of the tokens. Raises TokenizerFileError naming the line at fault."""
    ranks: dict[bytes, int] = {}
    lines = data.removeprefix(_BOM).split(b"\n")
    for place, line in enumerate(lines, start=1):
        if line.endswith(b"\r"):
            line = line[:-1]
        if not line:
            continue
        word, _space, figure = line.partition(b" ")
        if not figure.isdigit() or len(figure) > 10:
            raise TokenizerFileError(
                _("line {number}, {line}: {fault}").format(number=place, line=_shown(line), fault=_fault(line))
            )
        try:  # an empty token is written `=`, as in Whisper's multilingual.tiktoken
            token = a2b_base64(word, strict_mode=True) if word.strip(b"=") else b""
        except Base64Error:
            raise TokenizerFileError(
                _("line {number}, {line}: the token is no base64").format(number=place, line=_shown(line))
            ) from None
        if not word:
            raise TokenizerFileError(
                _("line {number}, {line}: the token is empty").format(number=place, line=_shown(line))
            )
        if token in ranks:
            raise TokenizerFileError(
                _("line {number}, {line}: the token has a rank already, {rank}").format(
                    number=place, line=_shown(line), rank=ranks[token]
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
    for place, line in enumerate(lines, start=1):
        if line.strip(b"\r"):
            rank = int(line.split()[1])
            if rank > LARGEST_ID:
                raise TokenizerFileError(
                    _("line {number}, {line}: the rank is too large").format(number=place, line=_shown(line))
                )
            if rank in owners:
                raise TokenizerFileError(
                    _("line {number}, {line}: line {owner} has that rank already").format(
                        number=place, line=_shown(line), owner=owners[rank]
                    )
                )
            owners[rank] = place


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


def _texts(tokens: Sequence[bytes]) -> list[str]:
    """The tokens in byte characters."""
    whole = bytes_to_chars(b"".join(tokens))
    ends = list(accumulate(map(len, tokens)))
    return [whole[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _merges(tokens: Sequence[bytes], ranks: Mapping[bytes, int]) -> tuple[tuple[Merge, ...], list[str]]:
    """The merges that make the tokens, by rank, and the texts of the tokens that none makes."""
    singles_first = sorted(tokens, key=lambda token: len(token) > 1)
    pairs = derive(singles_first)
    texts = _texts(singles_first)
    numbers = [ranks[token] for token in singles_first]
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
    size = len(token)
    ends = list(range(1, size + 1))
    """Where the part that starts at a byte ends; 0 where none starts any more."""
    starts = list(range(-1, size - 1))
    """Where the part starts that ends at a byte."""
    rank = places.get
    due = [
        (made, start, start + 2) for start in range(size - 1) if (made := rank(token[start : start + 2])) is not None
    ]
    heapify(due)
    parts = size
    while parts > 2:
        if not due:
            return None
        _rank, start, end = heappop(due)
        middle = ends[start]
        if not middle or middle >= end or ends[middle] != end:
            continue  # one of the two parts has been merged since
        ends[start], ends[middle] = end, 0
        parts -= 1
        if (before := starts[start]) >= 0 and (made := rank(token[before:end])) is not None:
            heappush(due, (made, before, end))
        if end < size:
            starts[end] = start
            if (made := rank(token[start : ends[end]])) is not None:
                heappush(due, (made, start, ends[end]))
    left, right = rank(token[: ends[0]]), rank(token[ends[0] :])
    return None if left is None or right is None else (left, right)


# -- writing ----------------------------------------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """Raises TokenizerFileError if ranks cannot say `options`."""
    limits.check_bytes(options, "tiktoken")


def options_beside(model: TokenizerModel) -> dict[str, Any]:
    """The options with which the file that `files` makes has to be read."""
    return limits.cut_beside(model.options)


def check_model(model: TokenizerModel) -> None:
    """Raises TokenizerFileError for a model that ranks cannot represent."""
    check_options(model.options)
    limits.check_dialect(model, _("a file of ranks"), whole_words=True)


def files(model: TokenizerModel, path: str) -> tuple[dict[str, bytes], list[str]]:
    """The file, and notes for the user."""
    notes = limits.left_out(model)
    ranks, renumbered = _ranks(model)
    if renumbered:
        notes.append(_("the ids are numbered anew: ranks are ids, and these did not ascend as the merges do"))
    difference = _difference(model, ranks)
    if difference is not None:
        text, theirs, ours = difference
        notes.append(
            _("tiktoken encodes some texts differently: {text} as {theirs}, not as {ours}").format(
                text=quoted(text), theirs=" + ".join(map(quoted, theirs)), ours=" + ".join(map(quoted, ours))
            )
        )
    notes.append(_("the file does not say how a text is cut; give tiktoken {how}").format(how=_pattern(model.options)))
    specials = limits.special_texts(model)
    if specials:
        message = _("left out: the special tokens {tokens}; give tiktoken special_tokens")
        notes.append(message.format(tokens=limits.listed(specials)))
    in_order = sorted(ranks, key=ranks.__getitem__)
    return {path: b"".join((b64encode(token) or b"=") + b" %d\n" % ranks[token] for token in in_order)}, notes


def _pattern(options: Options) -> str:
    """The argument of tiktoken's `Encoding` that cuts a text as `options` do, as Python spells it."""
    pattern = options.pattern or PATTERNS.get(options.pre_tokenizer, "(?s:.+)")
    return f"pat_str={pattern!r}"


def _ranks(model: TokenizerModel) -> tuple[dict[bytes, int], bool]:
    """The rank of each token: its id, if ids ascend as the merges do; and whether it is another number."""
    vocabulary, ids = model.vocabulary, model.vocabulary.ids
    tokens = list(dict.fromkeys([*BYTE_TO_CHAR, *(merge.token for merge in vocabulary.merges)]))
    if model.dialect.whole_words:
        others = set(vocabulary.tokens) - set(tokens) - model.dialect.outside - set(vocabulary.specials)
        tokens += sorted(others, key=ids.__getitem__)
    elif "" in ids:
        tokens.append("")
    numbers = [ids[token] for token in tokens[256 : 256 + len(vocabulary.merges)]]
    if numbers == sorted(numbers):
        return {chars_to_bytes(token): ids[token] for token in tokens}, False
    return {chars_to_bytes(token): place for place, token in enumerate(tokens)}, True


_MOST_DIFFERENT: Final = 50
"""Tokens of other pairs than tiktoken's for which a text is looked for that shows it."""


def _difference(model: TokenizerModel, ranks: Mapping[bytes, int]) -> tuple[str, list[str], list[str]] | None:
    """A text that tiktoken, which merges by joined bytes, encodes otherwise than the merges say: its tokens, and ours.

    None if none is found. Texts are looked for only where a token comes from another pair there; they are the token,
    the token beside its own parts, and the tokens that contain it.
    """
    vocabulary, options = model.vocabulary, model.options
    in_order = sorted(filter(None, ranks), key=lambda token: (len(token) > 1, ranks[token]))
    texts = _texts(in_order)
    theirs = {
        texts[place]: (texts[pair[0]], texts[pair[1]])
        for place, pair in enumerate(derive(in_order))
        if pair is not None
    }
    different = [merge for merge in vocabulary.merges if theirs.get(merge.token) != (merge.left, merge.right)]
    if not different:
        return None
    own = MergeRanks()
    own.learn((merge.left_id, merge.right_id, merge.id) for merge in vocabulary.merges)
    names = {vocabulary.ids[token]: token for token in texts}
    cut = make_pre_tokenizer(options)
    for merge in different[:_MOST_DIFFERENT]:
        token, left, right = merge.token, merge.left, merge.right
        beside = [token, token + token, left + token, token + left, right + token, token + right]
        for word in dict.fromkeys([*beside, *(text for text in texts if token in text)]):
            data = chars_to_bytes(word)
            text = data.decode("utf-8", "replace")
            if text.encode() != data or cut.split(text) != [text]:
                continue
            if model.dialect.whole_words and word in vocabulary.ids:
                continue  # one token in both
            ours = [names[number] for number in own.merge([vocabulary.ids[char] for char in word])[0]]
            there = [bytes_to_chars(part) for part in _encoded(data, ranks)]
            if ours != there:
                return text, there, ours
    return None


def _encoded(word: bytes, ranks: Mapping[bytes, int]) -> list[bytes]:
    """A pre-token as tiktoken encodes it."""
    if word in ranks:
        return [word]
    never = 1 << 40
    parts = [word[place : place + 1] for place in range(len(word))]
    while len(parts) > 1:
        best, at = min((ranks.get(left + right, never), place) for place, (left, right) in enumerate(pairwise(parts)))
        if best == never:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts
