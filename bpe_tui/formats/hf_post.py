"""Post-processors of a tokenizer.json: the tokens that they put before and behind every text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats.files import quoted
from bpe_tui.formats.hf_fields import fields_of

Around = tuple[tuple[int, ...], tuple[int, ...]]
"""Ids of tokens before the text, and of tokens behind it."""


def read_post_processor(component: Any, ids: Mapping[str, int]) -> Around:
    """What `component` puts around a text. Raises TokenizerFileError for one that does something else."""
    if component is None:
        return (), ()
    fields = fields_of(component, "post-processor")
    kind = fields["type"]
    if kind == "ByteLevel":  # it only moves offsets
        return (), ()
    if kind == "Sequence":
        before: tuple[int, ...] = ()
        after: tuple[int, ...] = ()
        for part in fields["processors"]:
            first, last = read_post_processor(part, ids)
            before, after = first + before, after + last
        return before, after
    if kind in ("BertProcessing", "RobertaProcessing"):
        return (_pair(kind, fields["cls"], ids),), (_pair(kind, fields["sep"], ids),)
    if kind == "TemplateProcessing":
        return _template(fields, ids)
    raise TokenizerFileError(f"the post-processor {kind} is not supported")


def _pair(kind: str, value: Any, ids: Mapping[str, int]) -> int:
    if len(value) != 2 or not isinstance(value[0], str) or ids.get(value[0]) != value[1] or isinstance(value[1], bool):
        raise TokenizerFileError(f"the post-processor {kind} has {quoted(value)}, which is no token of the vocab")
    return ids[value[0]]


def _template(fields: dict[str, Any], ids: Mapping[str, int]) -> Around:
    parts: list[list[int]] = [[]]
    for piece in fields["single"]:
        if not isinstance(piece, dict) or len(piece) != 1:
            raise _unknown(piece)
        ((kind, content),) = piece.items()
        if not isinstance(content, dict) or content.keys() != {"id", "type_id"}:
            raise _unknown(piece)
        if kind == "Sequence" and content["id"] == "A":
            parts.append([])
        elif kind == "SpecialToken":
            parts[-1] += _special(fields["special_tokens"], content["id"], ids)
        else:
            raise _unknown(piece)
    if len(parts) != 2:
        raise TokenizerFileError("the post-processor TemplateProcessing does not have the text once in its single")
    return tuple(parts[0]), tuple(parts[1])


def _special(specials: dict[str, Any], name: Any, ids: Mapping[str, int]) -> list[int]:
    entry = specials.get(name) if isinstance(name, str) else None
    if not isinstance(entry, dict) or entry.keys() != {"id", "ids", "tokens"}:
        raise TokenizerFileError(f"the post-processor TemplateProcessing does not tell what {quoted(name)} is")
    numbers, tokens = entry["ids"], entry["tokens"]
    fits = isinstance(numbers, list) and isinstance(tokens, list) and len(numbers) == len(tokens)
    if not fits or any(
        not isinstance(token, str) or isinstance(number, bool) or ids.get(token) != number
        for token, number in zip(tokens, numbers, strict=True)
    ):
        raise TokenizerFileError(
            f"the post-processor TemplateProcessing has {quoted(entry)}, which are no tokens of the vocab"
        )
    return list(numbers)


def _unknown(piece: Any) -> TokenizerFileError:
    return TokenizerFileError(f"the post-processor TemplateProcessing has {quoted(piece)}, which is not known")
