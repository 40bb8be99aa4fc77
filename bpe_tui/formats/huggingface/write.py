"""Hugging Face `tokenizer.json` with a BPE model, as the `tokenizers` package reads and writes it.

What is written gives the same tokens and ids there, for every text without special tokens in it: that package always
takes special tokens in a text for themselves, as we do under `--allow-special`. What is read but can't be followed
exactly is refused by name.
"""

from __future__ import annotations

import json
import re
from itertools import combinations
from json.encoder import encode_basestring
from typing import Any, Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import Options
from bpe_tui.formats import limits
from bpe_tui.formats.files import quoted
from bpe_tui.formats.huggingface import oniguruma
from bpe_tui.formats.huggingface.added_tokens import AddedToken
from bpe_tui.formats.huggingface.components import decoder_for, pre_tokenizer_for
from bpe_tui.formats.huggingface.dialect import FileDialect
from bpe_tui.formats.huggingface.like_sentencepiece import check_dialect, components_for
from bpe_tui.formats.model import TokenizerModel, in_id_order
from bpe_tui.formats.sentencepiece.dialect import SentencePieceDialect

_POSSESSIVE: Final = re.compile(r"\{\d*,?\d*\}\+")


def check_options(options: Options) -> None:
    """Raises TokenizerFileError if the format has no way to represent `options`."""
    if options.end_of_word and options.end_of_word_style == "symbol":
        raise TokenizerFileError(
            _(
                "tokenizer.json cannot represent that {end_of_word} is a symbol of its own at the end of a "
                "word; train with --end-of-word-style suffix"
            ).format(end_of_word=options.end_of_word),
        )
    if options.pre_tokenizer == "pattern" and _POSSESSIVE.search(options.pattern or ""):
        raise TokenizerFileError(_("tokenizer.json reads }+ in a pattern as repetition, not as possessive"))


def check_model(model: TokenizerModel) -> None:
    """Raises TokenizerFileError for a model that the format cannot represent."""
    vocabulary = model.vocabulary
    check_options(model.options)
    if model.dialect.at_once:
        raise TokenizerFileError(
            _("tokenizers would make some of these merges in another order: one makes a token that an earlier one uses")
        )
    if isinstance(model.dialect, SentencePieceDialect):
        check_dialect(model.dialect, model.options.unk)
    texts = vocabulary.texts
    if texts is not None and len(set(texts.values())) < len(texts):
        twice = next(text for number, text in texts.items() if vocabulary.ids[text] != number)
        raise TokenizerFileError(
            _("two tokens have the text {twice}, and a vocab can have it once").format(twice=quoted(twice))
        )
    unk = _unknown_token(model)
    if unk is not None and any(unk in (merge.left, merge.right) for merge in vocabulary.merges):
        raise TokenizerFileError(
            _("tokenizers would merge the unknown token {unk}, which is part of a merge").format(unk=quoted(unk))
        )
    limits.check_utf8(model)


def files(model: TokenizerModel, path: str) -> tuple[dict[str, bytes], list[str]]:
    """The file, and notes for the user."""
    data, notes = write(model)
    return {path: data}, notes


def write(model: TokenizerModel) -> tuple[bytes, list[str]]:
    """The bytes of the file, and notes for the user; the model has passed `check_model`."""
    options, vocabulary, dialect = model.options, model.vocabulary, model.dialect
    ids = {text: number for text, number in vocabulary.ids.items() if text not in dialect.outside}
    if _would_be_renumbered(ids, dialect):
        ids = dict(vocabulary.ids)
    notes = []
    unk = _unknown_token(model)
    if unk is not None and unk not in ids:
        ids[unk] = max(vocabulary.ids.values(), default=-1) + 1
        message = _("in the file, {unk} has an id too, {id}: this format needs one for unknown symbols")
        notes.append(message.format(unk=unk, id=ids[unk]))
    if isinstance(dialect, FileDialect) and dialect.unk_token is not None:
        unk = dialect.unk_token
    if dialect.open_alphabet:
        notes.append(_("symbols outside the alphabet become the unknown token there; here they stayed themselves"))
    components, more = _components(model)
    fields = {
        "type": "BPE",
        "dropout": None,
        "unk_token": unk,
        "continuing_subword_prefix": dialect.continuing_prefix or None,
        "end_of_word_suffix": options.end_of_word or None,
        "fuse_unk": model.unknown == "fuse",
        "byte_fallback": model.unknown == "bytes",
        "ignore_merges": dialect.whole_words,
    }
    entries = ",\n".join([f"      {encode_basestring(token)}: {ids[token]}" for token in in_id_order(ids)])
    merges = ",\n".join(
        [f"      [{encode_basestring(merge.left)}, {encode_basestring(merge.right)}]" for merge in vocabulary.merges]
    )
    body = [*_lines(fields, "    "), f'    "vocab": {{\n{entries}\n    }}', f'    "merges": [\n{merges}\n    ]']
    head = {"version": "1.0", "truncation": None, "padding": None, **components}
    text = "{\n" + ",\n".join([*_lines(head, "  "), '  "model": {\n' + ",\n".join(body) + "\n  }"]) + "\n}\n"
    return text.encode(), notes + more


def _would_be_renumbered(ids: dict[str, int], dialect: Dialect) -> bool:
    """Whether `tokenizers` would give added tokens other ids because they do not follow all others, which are `ids`.

    Those of a training that was continued do not: new tokens come after them. In the vocabulary they keep their ids.
    """
    expected = len(ids)
    for token in dialect.added if isinstance(dialect, FileDialect) else ():
        number = ids.get(token.content, expected)
        if number != token.id:
            return True
        expected = max(expected, number + 1)
    return False


def _unknown_token(model: TokenizerModel) -> str | None:
    """What an unknown symbol becomes, where it becomes a token and there can be one."""
    options, outside = model.options, model.dialect.outside
    if model.unknown not in ("token", "fuse"):
        return None
    known = options.unk in model.vocabulary.ids and options.unk not in outside
    return options.unk if known or _meets_unknowns(model) else None


def _components(model: TokenizerModel) -> tuple[dict[str, Any], list[str]]:
    """The parts of the file around the model, and notes for the user."""
    options, dialect, ids = model.options, model.dialect, model.vocabulary.ids
    if isinstance(dialect, FileDialect):
        return {
            "added_tokens": [token.as_dict() for token in dialect.added],
            "normalizer": dialect.normalizer,
            "pre_tokenizer": dialect.pre_tokenizer,
            "post_processor": dialect.post_processor,
            "decoder": dialect.decoder_component,
        }, []
    specials = dict(dialect.specials_in_order) or {text: ids[text] for text in model.vocabulary.specials}
    protected = [AddedToken(ids[text], text, special=False) for text in model.vocabulary.protected]
    added = [*(AddedToken(number, text) for text, number in specials.items()), *protected]
    as_dicts = [token.as_dict() for token in added]
    if isinstance(dialect, SentencePieceDialect):
        note = _("tokenizers decodes some ids of a model of SentencePiece in another way, as {unk}")
        return {"added_tokens": as_dicts, **components_for(dialect.normalizer)}, [note.format(unk=options.unk)]
    notes = []
    if any(longer.startswith(text) for text, longer in combinations(dict(dialect.specials_in_order), 2)):
        notes.append(_("of two special tokens in one place tokenizers takes the longer one, not the first"))
    if options.pre_tokenizer == "pattern" and oniguruma.spelt(options.pattern or "") is None:
        notes.append(_("the pattern is written as it is; tokenizers reads it as an Oniguruma regular expression"))
    return {
        "added_tokens": as_dicts,
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer_for(options),
        "post_processor": None,
        "decoder": decoder_for(options),
    }, notes


def _lines(fields: dict[str, Any], indent: str) -> list[str]:
    return [f"{indent}{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]


def _meets_unknowns(model: TokenizerModel) -> bool:
    options, ids = model.options, model.vocabulary.ids
    if options.alphabet == "characters":
        return True
    endings = ("", options.end_of_word) if options.end_of_word else ("",)
    return any(char + ending not in ids for char in BYTE_TO_CHAR for ending in endings)
