"""What a tokenizer file holds, whatever its format, and how a reader puts it together from ids and pairs of texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bpe_tui.core.corpus.memory import memory_in_use, memory_limit
from bpe_tui.core.encoding.dialect import PLAIN, Dialect
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.timeline import FixedTimeline
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, number
from bpe_tui.core.options import Options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats.files import quoted

LARGEST_ID: Final = 2**32 - 1
MOST_CHARACTERS: Final = 1 << 26
"""Of all tokens of a file together, as far as merges make them; some hundred times those of the largest known."""
CHECKED_FROM: Final = 1 << 22
"""Fewer characters are no question."""
_BYTES_PER_CHARACTER: Final = 4


@dataclass(frozen=True, slots=True)
class TokenizerModel:
    """A trained tokenizer: all that encoding and decoding need."""

    vocabulary: Vocabulary
    options: Options
    """Pre-tokenizer, alphabet, word ending and unknown token are the model's own; a file does not say how it was
    trained, so the rest is what its tool does by default."""
    unknown: str = "token"
    """The policy for unknown symbols unless the user asks for another; one of `UNKNOWN_POLICIES`."""
    warnings: tuple[str, ...] = ()
    """Sentences for the user about what reading the file could not take over."""
    dialect: Dialect = PLAIN
    """How it encodes beside the options."""
    notes: tuple[str, ...] = ()
    """Sentences for the user about what was changed to write it to a file."""

    def encoder(self) -> Encoder:
        """An encoder for all merges of the model."""
        return Encoder(FixedTimeline(self.vocabulary, self.options), self.dialect)


# -- putting a model together ----------------------------------------------------------------------------------------


def check_ids(vocab: Mapping[Any, Any]) -> dict[str, int]:
    """`vocab`, if it gives every token a whole number of its own. Raises TokenizerFileError naming the entry."""
    ids = list(vocab.values())
    plain = all(type(number) is int for number in ids)
    if not plain or len(set(ids)) < len(ids) or (ids and not 0 <= min(ids) <= max(ids) <= LARGEST_ID):
        owners: dict[int, str] = {}
        for token, token_id in vocab.items():
            check_id(token, token_id)
            if token_id in owners:
                raise TokenizerFileError(
                    _("tokens {owner} and {token} have the same id {number}").format(
                        owner=quoted(owners[token_id]), token=quoted(token), number=token_id
                    )
                )
            owners[token_id] = token
    return dict(vocab)


def check_id(token: str, number: Any) -> None:
    """Raises TokenizerFileError if `number` cannot be the id of `token`."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= LARGEST_ID:
        raise TokenizerFileError(
            _("the id of token {token} is {number}, not a whole number").format(
                token=quoted(token), number=quoted(number)
            )
        )


def assemble(
    pairs: Sequence[tuple[str, str]], ids: Mapping[str, int], where: Callable[[int], str], prefix: str = ""
) -> tuple[Merge, ...]:
    """The merges of `pairs`, ranked in their order. Raises TokenizerFileError naming an entry that `ids` lacks.

    `where(place)` says where in the file the pair of that place is; `prefix` is cut from the right part.
    """
    total = sum([len(left) + len(right) for left, right in pairs])
    if total > CHECKED_FROM:
        check_size(total, where(len(pairs) - 1))
    lefts = [left for left, _ in pairs]
    rights = [right for _, right in pairs]
    tokens = [left + right for left, right in pairs]
    if prefix:
        for place, (left, right) in enumerate(pairs):
            if not right.startswith(prefix):
                raise TokenizerFileError(
                    _(
                        "{where}, {left} + {right}: the right part does not begin with the "
                        "continuing_subword_prefix {prefix}"
                    ).format(where=where(place), left=quoted(left), right=quoted(right), prefix=quoted(prefix))
                )
            tokens[place] = left + right[len(prefix) :]
    try:
        parts = [[ids[text] for text in texts] for texts in (lefts, rights, tokens)]
    except KeyError as error:
        missing = error.args[0]
        place = next(place for place, trio in enumerate(zip(lefts, rights, tokens, strict=True)) if missing in trio)
        raise TokenizerFileError(
            _("{where}, {left} + {right}: {missing} is not in the vocab").format(
                where=where(place), left=quoted(lefts[place]), right=quoted(rights[place]), missing=quoted(missing)
            )
        ) from None
    return tuple(map(Merge, lefts, rights, tokens, *parts, range(len(pairs))))


def check_size(characters: int, where: str) -> None:
    """Raises TokenizerFileError if tokens of so many characters in all are too much, or more than --max-memory lets in.

    `where` says where in the file they become so many: a few merges, each of the token before with itself, suffice.
    """
    limit = memory_limit()
    most = MOST_CHARACTERS
    if limit is not None:
        most = min(most, max(0, limit - memory_in_use()) // _BYTES_PER_CHARACTER)
    if characters > most:
        raise TokenizerFileError(
            _("{where}: the tokens made so far have more than {most} characters in all").format(
                where=where, most=number(most)
            )
        )


def in_id_order(ids: Mapping[str, int]) -> list[str]:
    """The tokens by id."""
    return sorted(ids, key=ids.__getitem__)


def tokens_without_merge(tokens: Iterable[str], merges: Sequence[Merge], alphabet: Collection[str]) -> list[str]:
    """The tokens that are neither symbols nor made by a merge."""
    made = {merge.token for merge in merges}
    made.update(alphabet)
    return [token for token in tokens if token not in made]
