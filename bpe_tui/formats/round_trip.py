"""Whether decoding gives a text back, for tokenizers that mark spaces.

`Metaspace` writes spaces as `▁`, a literal `▁` as well, and takes the first one away on decoding; ByteLevel with
`add_prefix_space` adds a space that decoding keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.i18n import _
from bpe_tui.formats.files import quoted
from bpe_tui.formats.huggingface.dialect import FileDialect, flat
from bpe_tui.formats.model import TokenizerModel

_AROUND: Final = 20
"""Characters shown on either side of the first difference."""


def note_on_decoding(model: TokenizerModel, encoder: Encoder, text: str, ids: Sequence[int]) -> str:
    """A sentence if `text`, of which these are all ids, is another text when it is decoded; else empty."""
    if not _marks_spaces(model):
        return ""
    before, after = len(model.dialect.before), len(model.dialect.after)
    decoded = encoder.decode(ids[before : len(ids) - after])
    if decoded == text:
        return ""
    same = next((place for place, (one, two) in enumerate(zip(text, decoded, strict=False)) if one != two), 0)
    first = max(0, same - _AROUND)
    here, there = (quoted(one[first : first + 2 * _AROUND]) for one in (text, decoded))
    return _("decoding does not give this text back: {there} instead of {here}").format(there=there, here=here)


def _marks_spaces(model: TokenizerModel) -> bool:
    dialect = model.dialect
    if not isinstance(dialect, FileDialect):
        return model.options.pre_tokenizer == "metaspace"
    return dialect.normalizer is None and any(map(_is_mark, flat(dialect.pre_tokenizer)))


def _is_mark(component: Any) -> bool:
    kind = component.get("type")
    return kind == "Metaspace" or (kind == "ByteLevel" and component.get("add_prefix_space") is True)
