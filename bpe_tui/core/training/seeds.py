"""Seed tokens: texts whose merges are made before any is chosen by its count."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_tui.core.corpus.alphabet import alphabet_text
from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options


def seed_symbols(seed: str, options: Options, prefix: str = "") -> list[str]:
    """The symbols of a seed token; one that ends in the word ending stands at the end of a word.

    `prefix` is put before every symbol but the first. Raises `OptionError` if the pre-tokenizer cuts the seed.
    """
    ending = options.end_of_word
    ends = bool(ending) and seed.endswith(ending) and seed != ending
    text = seed.removesuffix(ending) if ends else seed
    _check_whole(seed, text, options)
    symbols = list(alphabet_text(text, options))
    symbols[1:] = [prefix + symbol for symbol in symbols[1:]]
    if ends and options.end_of_word_style == "symbol":
        symbols.append(ending)
    elif ends:
        symbols[-1] += ending
    return symbols


def _check_whole(seed: str, text: str, options: Options) -> None:
    if options.pre_tokenizer == "file":
        return
    words = make_pre_tokenizer(options).split(text)
    if len(words) != 1 or (words[0] != text and options.pre_tokenizer != "metaspace"):
        raise OptionError(
            _(
                "--seed-token {seed}: the pre-tokenizer {name} makes {words} of it, and no merge crosses words; give "
                "one of them, or another --pre-tokenizer"
            ).format(seed=repr(seed), name=options.pre_tokenizer, words=" + ".join(map(repr, words)) or _("nothing"))
        )


def merged(tokens: Sequence[int], pair: tuple[int, int], token: int) -> list[int]:
    """`tokens` with `pair` merged into `token`, left to right."""
    found: list[int] = []
    place = 0
    while place < len(tokens):
        if tuple(tokens[place : place + 2]) == pair:
            found.append(token)
            place += 2
        else:
            found.append(tokens[place])
            place += 1
    return found
