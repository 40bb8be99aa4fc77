"""Random tokenizer.json files, each a way that `tokenizers` can be set up, and texts to try them on."""

from __future__ import annotations

import json
import random
from typing import Any

from tokenizers import Tokenizer, trainers

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR

TEXT = (
    "This is the Hugging Face Course, isn't it? THE END.\n\nnaïve café — ½ €5 日本語の文章 日本語\n"
    "हिन्दी ภาษาไทย 😀😀 e\u0301 tab\there  two  spaces   three 12345 12,345 (a+b)=c! <s>x</s> [MASK] hello-world ##x\n"
    "aaaa aaa aa a banana bananas We'll HTTPServer's ▁x the then there these ①② ﬁne ² \u200d_x_\r\n"
)
PIECES = [
    *"abcethnis .,!'-_()\n\r\t1280éÉ日本😀①²½▁Ġ#\u0301\u200d\u200c\u00a0\u0085\u3000İßﬁ´ﾞ\x01\u200b",
    *(
        "the",
        "The",
        " is",
        "  ",
        "'s",
        "12",
        "<s>",
        "</s>",
        "[MASK]",
        "hello",
        "x",
        "<s> ",
        " <0x41>",
        "</w>",
        "banana",
    ),
]


def texts(rng: random.Random, count: int) -> list[str]:
    """Random texts: of telling pieces, of all of Unicode, and lines of the text that was trained on."""
    found = TEXT.splitlines(keepends=True)
    for _ in range(count):
        if rng.random() < 0.7:
            found.append("".join(rng.choices(PIECES, k=rng.randint(0, 12))))
        else:
            codes = (rng.choice((0x80, 0x800, 0x10000, 0x110000)) for _ in range(rng.randint(0, 12)))
            found.append("".join(chr(code) for code in map(rng.randrange, codes) if not 0xD800 <= code < 0xE000))
    return found


def byte_level(rng: random.Random) -> dict[str, Any]:
    """A ByteLevel pre-tokenizer."""
    flags = {name: rng.random() < 0.5 for name in ("add_prefix_space", "use_regex", "trim_offsets")}
    return {"type": "ByteLevel", **flags}


def metaspace(rng: random.Random) -> dict[str, Any]:
    """A Metaspace pre-tokenizer or decoder."""
    return {
        "type": "Metaspace",
        "replacement": rng.choice("▁▁▁_"),
        "prepend_scheme": rng.choice(("always", "first", "never")),
        "split": rng.random() < 0.7,
    }


BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
REGEXES = (
    r"\s+",
    r"\p{L}+",
    r"\w+",
    r"\W",
    r"\p{N}{1,3}",
    r" ?\p{L}+| ?\p{N}+",
    r"(?=[A-Z])",
    r"\s*",
    r"[^\s\p{L}\p{N}]+[\r\n]*",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
)
ODD_REGEXES = (r"^\w", r"\b", r"(?i)[a-m]+", r"(?<=a)b", r"[[:punct:]]", r"[a-z&&[^aeiou]]+")
"""Patterns that only Oniguruma itself is trusted with."""


def cutter(rng: random.Random, *, foreign: bool) -> dict[str, Any]:
    """Any other pre-tokenizer; with `foreign` also those that only the package runs."""
    regexes = REGEXES + ODD_REGEXES * foreign
    pattern = {"Regex": rng.choice(regexes)} if rng.random() < 0.7 else {"String": rng.choice((" ", "a", "the", "."))}
    made: list[dict[str, Any]] = [
        {"type": "Whitespace"},
        {"type": "WhitespaceSplit"},
        {"type": "Digits", "individual_digits": rng.random() < 0.5},
        {"type": "Punctuation", "behavior": rng.choice(BEHAVIORS)},
        {"type": "Split", "pattern": pattern, "behavior": rng.choice(BEHAVIORS), "invert": rng.random() < 0.3},
        metaspace(rng),
        {"type": "BertPreTokenizer"},
    ]
    if foreign:
        made += [
            {"type": "UnicodeScripts"},
            {"type": "CharDelimiterSplit", "delimiter": "e"},
            byte_level(rng),
        ]
    return rng.choice([*made, made[4]])


def pre_tokenizer(rng: random.Random, *, foreign: bool) -> dict[str, Any] | None:
    """A pre-tokenizer, often a Sequence, half of them with ByteLevel at the end."""
    parts = [cutter(rng, foreign=foreign) for _ in range(rng.choice((0, 1, 1, 1, 2, 3)))]
    if rng.random() < 0.5:
        parts.append(byte_level(rng))
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else {"type": "Sequence", "pretokenizers": parts}


NORMALIZERS: tuple[dict[str, Any], ...] = (
    {"type": "NFC"},
    {"type": "NFKD"},
    {"type": "Lowercase"},
    {"type": "Strip", "strip_left": True, "strip_right": True},
    {"type": "Prepend", "prepend": "▁"},
    {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]},
    {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
)
DECODERS: tuple[dict[str, Any], ...] = (
    {"type": "BPEDecoder", "suffix": "</w>"},
    {"type": "WordPiece", "prefix": "##", "cleanup": True},
    {"type": "Fuse"},
    {"type": "ByteFallback"},
    {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
    {"type": "Replace", "pattern": {"Regex": r"</w>\z"}, "content": ""},
    {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
)


def decoder(rng: random.Random) -> dict[str, Any] | None:
    """A decoder, or a Sequence of some."""
    parts = [rng.choice((*DECODERS, metaspace(rng))) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else {"type": "Sequence", "decoders": parts}


def added_tokens(rng: random.Random, vocab: dict[str, int]) -> list[dict[str, Any]]:
    """Added tokens, some of them in the vocabulary as well."""
    contents = rng.sample(
        ("<s>", "</s>", "<s></s>", "[MASK]", "hello", "the", " x", "a", "The", "①"), rng.randint(0, 5)
    )
    made: list[dict[str, Any]] = []
    for content in contents:
        highest = max((entry["id"] for entry in made), default=-1)
        flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
        made.append(
            {
                "id": vocab.get(content, max(len(vocab), highest + 1)),
                "content": content,
                **{flag: rng.random() < 0.3 for flag in flags},
                "special": rng.random() < 0.6,
            }
        )
    return made


def post_processor(rng: random.Random, added: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Sometimes one that puts tokens around the text."""
    if not added or rng.random() < 0.6:
        return None
    first, last = rng.choice(added), rng.choice(added)
    if rng.random() < 0.3:
        return {"type": "BertProcessing", "sep": [last["content"], last["id"]], "cls": [first["content"], first["id"]]}
    special = {
        entry["content"]: {"id": entry["content"], "ids": [entry["id"]], "tokens": [entry["content"]]}
        for entry in added
    }
    single: list[dict[str, Any]] = [
        {"SpecialToken": {"id": first["content"], "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": last["content"], "type_id": 0}},
    ]
    single = single[rng.randint(0, 1) : rng.randint(2, 3)]
    return {"type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": special}


def file(rng: random.Random, *, foreign: bool = False) -> dict[str, Any]:
    """A tokenizer.json whose model was trained by `tokenizers` on the words that its own pre-tokenizer makes."""
    cut = pre_tokenizer(rng, foreign=foreign)
    value: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": rng.choice(NORMALIZERS) if foreign and rng.random() < 0.5 else None,
        "pre_tokenizer": cut,
        "post_processor": None,
        "decoder": decoder(rng),
        "model": {"type": "BPE", "vocab": {}, "merges": []},
    }
    blank = Tokenizer.from_str(json.dumps(value))
    affixes: dict[str, Any] = {"continuing_subword_prefix": "##"} if rng.random() < 0.25 else {}
    affixes |= {"end_of_word_suffix": "</w>"} if rng.random() < 0.25 else {}
    initial = list(BYTE_TO_CHAR) if rng.random() < 0.4 else []
    specials = ["<unk>", "<s>"][: rng.randint(0, 2)]
    blank.train_from_iterator(
        TEXT.splitlines(keepends=True) * 2,
        trainers.BpeTrainer(
            vocab_size=rng.choice((60, 150, 400)),
            show_progress=False,
            special_tokens=specials,
            initial_alphabet=initial,
            **affixes,
        ),
    )
    model = json.loads(blank.to_str())["model"]
    if rng.random() < 0.2:
        for byte in range(256):
            model["vocab"][f"<0x{byte:02X}>"] = len(model["vocab"])
        model["byte_fallback"] = True
    model["unk_token"] = "<unk>" if "<unk>" in model["vocab"] else None
    model["fuse_unk"] = rng.random() < 0.5
    model["ignore_merges"] = rng.random() < 0.3
    if rng.random() < 0.2:  # words that no merge makes
        model["ignore_merges"] = True
        for word in ("banana", "these", "Ġthe", "isn"):
            model["vocab"].setdefault(word, len(model["vocab"]))
    if rng.random() < 0.3:
        rng.shuffle(model["merges"])
    value["model"] = model
    value["added_tokens"] = added_tokens(rng, model["vocab"])
    value["post_processor"] = post_processor(rng, value["added_tokens"])
    return value
