"""Post-processors of a tokenizer.json: the tokens that they put before and behind every text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _, number
from bpe_tui.formats.files import quoted
from bpe_tui.formats.huggingface.schema import fields_of
from bpe_tui.formats.model import LARGEST_ID

Around = tuple[tuple[int, ...], tuple[int, ...]]
"""Ids of tokens before the text, and of tokens behind it."""
MOST_AROUND: Final = 10_000
"""Tokens around a text: a small file could name millions."""


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
            _check_number(len(before) + len(after))
        return before, after
    if kind in ("BertProcessing", "RobertaProcessing"):
        return (_pair(kind, fields["cls"], ids),), (_pair(kind, fields["sep"], ids),)
    if kind == "TemplateProcessing":
        return _template(fields, ids)
    raise TokenizerFileError(_("the post-processor {kind} is not supported").format(kind=kind))


def offset_trims(component: Any) -> tuple[bool, ...]:
    """See `Dialect.offset_trims`, for a post-processor that `read_post_processor` takes."""
    if component is None:
        return ()
    fields = fields_of(component, "post-processor")
    if fields["type"] == "Sequence":
        return tuple(trim for part in fields["processors"] for trim in offset_trims(part))
    return (bool(fields["add_prefix_space"]),) if fields.get("trim_offsets") else ()


def _pair(kind: str, value: Any, ids: Mapping[str, int]) -> int:
    if len(value) != 2 or not isinstance(value[0], str) or ids.get(value[0]) != value[1] or isinstance(value[1], bool):
        raise TokenizerFileError(
            _("the post-processor {kind} has {value}, which is no token of the vocab").format(
                kind=kind, value=quoted(value)
            )
        )
    return ids[value[0]]


def _template(fields: dict[str, Any], ids: Mapping[str, int]) -> Around:
    specials = fields["special_tokens"]
    for entry in specials.values():
        _check_special(entry)
    for piece in (*fields["single"], *fields["pair"]):
        _check_piece(piece)
    parts: list[list[int]] = [[]]
    for piece in fields["single"]:
        ((kind, content),) = piece.items()
        if kind == "Sequence" and content["id"] == "A":
            parts.append([])
        elif kind == "SpecialToken":
            parts[-1] += _ids_of(specials, content["id"], ids)
            _check_number(sum(map(len, parts)))
    if len(parts) != 2 or any("Sequence" in piece and piece["Sequence"]["id"] != "A" for piece in fields["single"]):
        raise TokenizerFileError(_("the post-processor TemplateProcessing does not have the text once in its single"))
    return tuple(parts[0]), tuple(parts[1])


def _check_number(tokens: int) -> None:
    """Raises TokenizerFileError if so many tokens are too many to be put around each text."""
    if tokens > MOST_AROUND:
        message = _("the post-processor puts more than {count} tokens around every text")
        raise TokenizerFileError(message.format(count=number(MOST_AROUND)))


def _check_piece(piece: Any) -> None:
    if isinstance(piece, dict) and len(piece) == 1:
        ((kind, content),) = piece.items()
        if kind in ("Sequence", "SpecialToken") and isinstance(content, dict) and content.keys() == {"id", "type_id"}:
            name = content["id"]
            if (name in ("A", "B") if kind == "Sequence" else isinstance(name, str)) and _is_number(content["type_id"]):
                return
    raise TokenizerFileError(
        _("the post-processor TemplateProcessing has {piece}, which is not known").format(piece=quoted(piece))
    )


def _check_special(entry: Any) -> None:
    known = isinstance(entry, dict) and entry.keys() == {"id", "ids", "tokens"} and isinstance(entry["id"], str)
    numbers: Any = entry["ids"] if known else None
    tokens: Any = entry["tokens"] if known else None
    lists = isinstance(numbers, list) and isinstance(tokens, list) and len(numbers) == len(tokens)
    if not lists or not all(map(_is_number, numbers)) or not all(isinstance(token, str) for token in tokens):
        raise TokenizerFileError(
            _("the post-processor TemplateProcessing has {entry}, which is not known").format(entry=quoted(entry))
        )


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_ID


def _ids_of(specials: dict[str, Any], name: str, ids: Mapping[str, int]) -> list[int]:
    entry = specials.get(name)
    if entry is None:
        raise TokenizerFileError(
            _("the post-processor TemplateProcessing does not say what {name} is").format(name=quoted(name))
        )
    if any(ids.get(token) != number for token, number in zip(entry["tokens"], entry["ids"], strict=True)):
        raise TokenizerFileError(
            _("the post-processor TemplateProcessing has {entry}, which are no tokens of the vocab").format(
                entry=quoted(entry)
            )
        )
    return list(entry["ids"])
