"""What there is to say about a token or a word of a text: facts, and what each unknown policy makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.corpus.alphabet import chars_to_bytes, is_byte_level, utf8
from bpe_tui.core.corpus.pretokenize import METASPACE, Span
from bpe_tui.core.display import visible
from bpe_tui.core.encoding.encoder import Dropped, Encoder, Token
from bpe_tui.core.encoding.symbols import BYTE_TOKENS
from bpe_tui.core.encoding.tokenized_text import TokenizedText
from bpe_tui.core.errors import EncodeError
from bpe_tui.core.i18n import _, ngettext, number, plural
from bpe_tui.core.options import UNKNOWN_POLICIES
from bpe_tui.core.readable import Notation
from bpe_tui.core.teaching.canonical_equivalents import code_points, twin_of

# -- unknown policies, side by side -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """What one unknown policy makes of a word."""

    policy: str
    tokens: tuple[Token, ...]
    error: str
    """Why it refuses, if it does."""
    read_back: str
    """The text that the tokens decode to; unknown tokens as they are written."""
    loses: bool
    """Some of the word is in no token, and the tokens do not show it."""


def compare_policies(encoder: Encoder, span: Span) -> list[PolicyResult]:
    """One word under every unknown policy."""
    results = []
    for policy in UNKNOWN_POLICIES:
        try:
            tokens = encoder.tokens_of([span], unknown=policy)
        except EncodeError as error:
            results.append(PolicyResult(policy, (), str(error), "", False))
            continue
        back = read_back(encoder, tokens)
        loses = policy == "drop" and bool(encoder.unknown_places(span))
        results.append(PolicyResult(policy, tuple(tokens), "", back, loses))
    return results


def read_back(encoder: Encoder, tokens: Sequence[Token]) -> str:
    """What tokens decode to, unknown ones as they are written."""
    parts: list[str] = []
    known: list[int] = []
    for token in tokens:
        if not token.unknown and token.id is not None:
            known.append(token.id)
            continue
        parts += [encoder.decode(known), token.text]
        known = []
    return "".join([*parts, encoder.decode(known)])


# -- characters that are lost ------------------------------------------------------------------------------------

MOST_NAMED: Final = 8
"""Runs of characters left out that a sentence names, ..."""
LONGEST_NAMED: Final = 20
"""... each with up to so many characters."""


def dropped_sentence(dropped: Sequence[Dropped]) -> str:
    """Which characters of a text are in no token; without a full stop."""
    named = [
        _("{text} at {place}").format(text=visible(run.text[:LONGEST_NAMED]), place=number(run.start))
        for run in dropped[:MOST_NAMED]
    ]
    return plural(
        "{count} character is in no token and left out: {characters}",
        "{count} characters are in no token and left out: {characters}",
        sum(len(run.text) for run in dropped),
        characters=", ".join([*named, "…"] if len(dropped) > len(named) else named),
    )


# -- facts about one token --------------------------------------------------------------------------------------


def token_facts(encoder: Encoder, tokenized: TokenizedText, index: int, notation: Notation) -> list[str]:
    """Short facts about a token, fit to be shown in a row."""
    token = tokenized.token(index)
    covered = tokenized.text[token.start : token.end]
    facts = [_("token {index} of {total}").format(index=number(index + 1), total=number(len(tokenized)))]
    if token.unknown:
        facts.append(unknown_sentence(encoder, covered, notation))
    facts.append(_("no id") if token.id is None else _("id {id}").format(id=number(token.id)))
    (place,) = tokenized.trim(tokenized.text, [token], index)
    if place.end - place.start == 1:
        facts.append(_("character {place}").format(place=number(place.start)))
    else:
        facts.append(_("characters {start}–{end}").format(start=number(place.start), end=number(place.end)))
    data = token_bytes(encoder, token, covered)
    if data:
        facts.append(ngettext("byte {bytes}", "bytes {bytes}", len(data)).format(bytes=data.hex(" ").upper()))
    if data != utf8(covered) and data in utf8(covered):
        facts.append(
            _("part of {character} ({code_points})").format(
                character=notation.text(covered), code_points=code_points(covered)
            )
        )
    elif len(covered) == 1 and not covered.isascii():
        facts.append(code_points(covered))
    twin = twin_of(covered) if covered and len(covered) <= 4 else ""
    if twin:
        facts.append(_("looks like {code_points}").format(code_points=code_points(twin)))
    return facts


def token_bytes(encoder: Encoder, token: Token, covered: str) -> bytes:
    """The bytes that a token stands for: its own, which a normalizer may have made other than those it covers."""
    if token.unknown:
        return utf8(covered)
    if token.text in BYTE_TOKENS and token.text != covered:
        return bytes([BYTE_TOKENS[token.text]])
    text = token.text.removesuffix(encoder.options.end_of_word)
    if is_byte_level(encoder.options):
        try:
            return chars_to_bytes(text)
        except UnicodeEncodeError:  # a special token, or one of a foreign vocabulary that is not written in bytes
            return utf8(text)
    if not covered.startswith(encoder.dialect.continuing_prefix):
        text = text.removeprefix(encoder.dialect.continuing_prefix)
    return utf8(text if METASPACE in covered else text.replace(METASPACE, " "))


def unknown_sentence(encoder: Encoder, covered: str, notation: Notation) -> str:
    """`m is not in the alphabet`, of the characters that an unknown symbol covers."""
    if not covered:
        if encoder.options.end_of_word:
            return _("the word ending is not in the alphabet")
        return _("the space put before the text is not in the alphabet")
    return ngettext("{symbols} is not in the alphabet", "{symbols} are not in the alphabet", len(covered)).format(
        symbols=notation.text(covered)
    )
