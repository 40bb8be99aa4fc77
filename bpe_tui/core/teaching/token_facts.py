"""What there is to say about a token or a word of a text: facts, and what each unknown policy makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpe_tui.core.corpus.alphabet import chars_to_bytes, is_byte_level, utf8
from bpe_tui.core.corpus.pretokenize import Span
from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.encoding.tokenized_text import TokenizedWord
from bpe_tui.core.errors import EncodeError
from bpe_tui.core.i18n import _, ngettext, number
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
    """The text that the tokens decode to; unknown tokens stand as they are written."""
    loses: bool
    """Reading back gives another text, and nothing in the tokens tells."""


def compare_policies(encoder: Encoder, text: str, span: Span) -> list[PolicyResult]:
    """One word under every unknown policy."""
    results = []
    for policy in UNKNOWN_POLICIES:
        try:
            tokens = encoder.tokens_of([span], unknown=policy)
        except EncodeError as error:
            results.append(PolicyResult(policy, (), str(error), "", False))
            continue
        back = read_back(encoder, tokens)
        silent = not any(token.unknown for token in tokens)
        loses = silent and back.strip() != text[span[1] : span[2]].strip()
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


# -- facts about one token --------------------------------------------------------------------------------------


def token_facts(encoder: Encoder, cut: TokenizedWord, index: int, notation: Notation) -> list[str]:
    """Short facts about a token, fit to be shown in a row."""
    token = cut.token(index)
    covered = cut.text[token.start : token.end]
    facts = [_("token {index} of {total}").format(index=number(index + 1), total=number(len(cut)))]
    if token.unknown:
        facts.append(unknown_sentence(covered, notation))
    facts.append(_("no id") if token.id is None else _("id {id}").format(id=number(token.id)))
    (place,) = cut.trim(cut.text, [token], index)
    if place.end - place.start == 1:
        facts.append(_("character {place}").format(place=number(place.start)))
    else:
        facts.append(_("characters {start}–{end}").format(start=number(place.start), end=number(place.end)))
    data = token_bytes(encoder, token, covered)
    if data:
        facts.append(ngettext("byte {bytes}", "bytes {bytes}", len(data)).format(bytes=data.hex(" ").upper()))
    if covered and data != utf8(covered) and not token.unknown and is_byte_level(encoder.options):
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
    """The bytes that a token stands for."""
    if not token.unknown and is_byte_level(encoder.options):
        try:
            return chars_to_bytes(token.text.removesuffix(encoder.options.end_of_word))
        except UnicodeEncodeError:
            pass
    return utf8(covered)


def unknown_sentence(covered: str, notation: Notation) -> str:
    """`m is not in the alphabet`."""
    if not covered:
        return _("the word ending is not in the alphabet")
    return ngettext("{symbols} is not in the alphabet", "{symbols} are not in the alphabet", len(covered)).format(
        symbols=notation.text(covered)
    )
