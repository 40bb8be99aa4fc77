"""Models of SentencePiece: some trained by the package, and others written down piece by piece."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from functools import cache
from typing import Any

import sentencepiece

from tests.formats.hf_files import TEXT

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
"""Kinds of pieces."""
BPE = 2
CORPUS = [
    *(line for line in TEXT.split("\n") if line),
    "The quick brown fox jumps over the lazy dog, and the dog barks at the fox.",
    "Быстрая лиса прыгает через ленивую собаку, а собака лает на лису.",
    "速い茶色の狐がのろまな犬を飛び越える。犬は狐に吠える。 한국어 문장도 있습니다. 문장은 짧습니다.",
    "def f(x):        return x  +  1    # four    spaces    and    more",
]
TRAININGS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "identity": {"normalization_rule_name": "identity"},
    "case folded": {"normalization_rule_name": "nmt_nfkc_cf", "split_digits": True},
    "nfkc": {"normalization_rule_name": "nfkc", "add_dummy_prefix": False, "byte_fallback": True},
    "like Llama": {
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "byte_fallback": True,
        "split_digits": True,
        "allow_whitespace_only_pieces": True,
    },
    "symbols": {"user_defined_symbols": ["<x>", "an", "▁▁", "the b", "é", "anana"], "control_symbols": ["<ctl>"]},
    "symbols, identity": {
        "user_defined_symbols": ["<x>", "a b", " ", "\n", "▁the", "½"],
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "byte_fallback": True,
    },
    "suffixes": {"treat_whitespace_as_suffix": True},
    "suffixes, across words": {
        "treat_whitespace_as_suffix": True,
        "split_by_whitespace": False,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
    },
    "across words": {"split_by_whitespace": False, "add_dummy_prefix": False, "unk_surface": "??", "unk_piece": "[?]"},
    "few characters": {"character_coverage": 0.98, "split_by_unicode_script": False, "split_by_number": False},
}
"""Options of the trainer beside those in `trained`."""


@cache
def trained(name: str) -> bytes:
    """A model with 450 pieces, more with `byte_fallback`."""
    options = TRAININGS[name]
    made = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS),
        model_writer=made,
        model_type="bpe",
        num_threads=1,
        minloglevel=2,
        **{"vocab_size": 700 if options.get("byte_fallback") else 450, "hard_vocab_limit": False, **options},
    )
    return made.getvalue()


# -- piece by piece ---------------------------------------------------------------------------------------------------


def field(number: int, value: int | float | bytes | str) -> bytes:
    """A field of a message."""
    if isinstance(value, float):
        return _varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def model(
    pieces: Iterable[tuple[str | bytes, float, int]],
    *,
    trainer: bytes = field(3, BPE),
    normalizer: bytes = b"",
    more: bytes = b"",
) -> bytes:
    """A file with these pieces: a text, a score and a kind each."""
    made = b"".join(field(1, field(1, text) + field(2, score) + field(3, kind)) for text, score, kind in pieces)
    return made + field(2, trainer) + field(3, normalizer) + more
