"""tiktoken's rank files: a line for each token, its bytes in base64, a space, and its rank, which is its id too.

How a text is cut is not in the file, and neither are special tokens: tiktoken is given both beside it.

The files hold no pairs: of all neighbours, those whose joined bytes have the lowest rank are merged. Where no merging
makes a token, tiktoken gives it for a whole pre-token only.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Callable, Mapping, Sequence
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
from bpe_tui.formats.derivation import derive
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
