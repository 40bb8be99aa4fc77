"""Components of a tokenizer.json that cut and decode as a model of SentencePiece does, where there are such.

They are those that `transformers` gives Llama: spaces become `▁` in the normalizer, and no pre-tokenizer cuts, so that
merges are made in the whole text.
"""

from __future__ import annotations

from typing import Any

from bpe_tui.core.corpus.pretokenize import METASPACE
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.formats.files import quoted
from bpe_tui.formats.sentencepiece.dialect import SentencePieceDialect
from bpe_tui.formats.sentencepiece.normalizer import Normalizer


def check_dialect(dialect: SentencePieceDialect, unk: str) -> None:
    """Raises TokenizerFileError, with the reason, if `tokenizers` would encode some texts otherwise."""
    normalizer = dialect.normalizer
    if normalizer.charsmap:
        raise TokenizerFileError(
            _("tokenizers goes through a text by grapheme clusters where SentencePiece rewrites characters")
        )
    if normalizer.user_symbols:
        raise TokenizerFileError(
            _("tokenizers treats the text beside user-defined symbols, as {symbol}, as texts of their own").format(
                symbol=quoted(normalizer.user_symbols[0])
            )
        )
    if normalizer.treat_whitespace_as_suffix and normalizer.add_dummy_prefix:
        raise TokenizerFileError(_("tokenizers cannot put a space behind a text"))
    if len(unk) == 1:
        raise TokenizerFileError(
            _("tokenizers would take the unknown token {unk} for a character").format(unk=quoted(unk))
        )


def components_for(normalizer: Normalizer) -> dict[str, Any]:
    """The components, for what `check_dialect` allows."""
    mark, steps = normalizer.mark, []
    if normalizer.remove_extra_whitespaces:
        steps += [_replaced({"Regex": r"\A +"}, ""), _replaced({"Regex": " {2,}"}, " ")]
    if normalizer.add_dummy_prefix:
        steps.append({"type": "Prepend", "prepend": mark})
    if mark != " ":
        steps.append(_replaced({"String": " "}, mark))
    if normalizer.remove_extra_whitespaces:
        steps.append(_replaced({"Regex": rf"{mark}+\z"}, ""))
    decoders = [_replaced({"String": METASPACE}, " "), {"type": "ByteFallback"}, {"type": "Fuse"}]
    if normalizer.add_dummy_prefix or normalizer.remove_extra_whitespaces:
        decoders.append({"type": "Strip", "content": " ", "start": 1, "stop": 0})
    return {
        "normalizer": {"type": "Sequence", "normalizers": steps} if steps else None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {"type": "Sequence", "decoders": decoders},
    }


def _replaced(pattern: dict[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}
