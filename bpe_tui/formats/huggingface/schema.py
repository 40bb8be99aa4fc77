"""The fields of the components in a tokenizer.json: which there are, which must be there, and of what kind.

`tokenizers` ignores fields that it does not know, and so would hide a slip of the pen; here they are errors.
"""

from __future__ import annotations

from typing import Any, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.formats.files import quoted

_SCHEMES: Final = ("always", "first", "never")
BEHAVIORS: Final = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
_REQUIRED: Final = object()

_KINDS: Final[dict[str, dict[str, dict[str, tuple[Any, Any]]]]] = {
    "pre-tokenizer": {
        "ByteLevel": {
            "add_prefix_space": (bool, _REQUIRED),
            "trim_offsets": (bool, _REQUIRED),
            "use_regex": (bool, True),
        },
        "Whitespace": {},
        "WhitespaceSplit": {},
        "BertPreTokenizer": {},
        "Metaspace": {
            "replacement": ("character", _REQUIRED),
            "str_rep": (str, None),
            "add_prefix_space": (bool, None),
            "prepend_scheme": (_SCHEMES, "always"),
            "split": (bool, True),
        },
        "Split": {
            "pattern": ("pattern", _REQUIRED),
            "behavior": (BEHAVIORS, _REQUIRED),
            "invert": (bool, _REQUIRED),
        },
        "Digits": {"individual_digits": (bool, _REQUIRED)},
        "Punctuation": {"behavior": (BEHAVIORS, "Isolated")},
        "Sequence": {"pretokenizers": (list, _REQUIRED)},
    },
    "decoder": {
        "ByteLevel": {
            "add_prefix_space": (bool, _REQUIRED),
            "trim_offsets": (bool, _REQUIRED),
            "use_regex": (bool, True),
        },
        "Metaspace": {
            "replacement": ("character", _REQUIRED),
            "str_rep": (str, None),
            "add_prefix_space": (bool, None),
            "prepend_scheme": (_SCHEMES, "always"),
            "split": (bool, True),
        },
        "BPEDecoder": {"suffix": (str, _REQUIRED)},
        "Fuse": {},
        "ByteFallback": {},
        "Strip": {"content": ("character", _REQUIRED), "start": (int, _REQUIRED), "stop": (int, _REQUIRED)},
        "Replace": {"pattern": ("pattern", _REQUIRED), "content": (str, _REQUIRED)},
        "WordPiece": {"prefix": (str, _REQUIRED), "cleanup": (bool, _REQUIRED)},
        "Sequence": {"decoders": (list, _REQUIRED)},
    },
    "post-processor": {
        "ByteLevel": {
            "add_prefix_space": (bool, _REQUIRED),
            "trim_offsets": (bool, _REQUIRED),
            "use_regex": (bool, True),
        },
        "TemplateProcessing": {"single": (list, _REQUIRED), "pair": (list, _REQUIRED), "special_tokens": (dict, {})},
        "BertProcessing": {"sep": (list, _REQUIRED), "cls": (list, _REQUIRED)},
        "RobertaProcessing": {
            "sep": (list, _REQUIRED),
            "cls": (list, _REQUIRED),
            "trim_offsets": (bool, True),
            "add_prefix_space": (bool, True),
        },
        "Sequence": {"processors": (list, _REQUIRED)},
    },
}
"""By part of the file and type of component: each field's kind, and what it is if it is not there."""


def fields_of(component: Any, part: str) -> dict[str, Any]:
    """The component's fields, those that are not there included, and its type.

    A component that we have no code for is given back as it is. Raises TokenizerFileError for one that `tokenizers`
    would not accept.
    """
    if not isinstance(component, dict) or not isinstance(component.get("type"), str):
        raise TokenizerFileError(_("the {part} {component} has no type").format(part=part, component=quoted(component)))
    kind = component["type"]
    known = _KINDS[part].get(kind)
    if known is None:
        return component
    found = {"type": kind}
    for name, (wanted, default) in known.items():
        if name not in component:
            if default is _REQUIRED:
                raise TokenizerFileError(_("the {part} {kind} has no {name}").format(part=part, kind=kind, name=name))
            found[name] = default
            continue
        found[name] = component[name]
        if not _fits(component[name], wanted):
            raise TokenizerFileError(
                _("the {part} {kind} has {name} {value}, which it cannot be").format(
                    part=part, kind=kind, name=name, value=quoted(component[name])
                )
            )
    for name in component:
        if name not in known and name != "type":
            raise TokenizerFileError(
                _("the {part} {kind} has {name}, which is not known").format(part=part, kind=kind, name=quoted(name))
            )
    if kind == "Metaspace":
        _check_schemes(component, part)
    return found


def normalizer_of(file: dict[str, Any]) -> Any:
    """The normalizer of a file; None also for a Sequence without members, which does nothing."""
    normalizer = file.get("normalizer")
    return None if _is_empty(normalizer) else normalizer


def _is_empty(component: Any) -> bool:
    return (
        isinstance(component, dict)
        and component.keys() == {"type", "normalizers"}
        and component["type"] == "Sequence"
        and isinstance(component["normalizers"], list)
        and all(map(_is_empty, component["normalizers"]))
    )


def _fits(value: Any, wanted: Any) -> bool:
    if wanted == "character":
        return isinstance(value, str) and len(value) == 1
    if wanted == "pattern":
        return (
            isinstance(value, dict)
            and len(value) == 1
            and next(iter(value)) in ("String", "Regex")
            and isinstance(next(iter(value.values())), str)
        )
    if isinstance(wanted, tuple):
        return value in wanted
    if wanted is int:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, wanted)


def _check_schemes(component: dict[str, Any], part: str) -> None:
    """The older field must not say another thing than the newer one."""
    scheme = component.get("prepend_scheme", "always")
    if component.get("add_prefix_space") is False and scheme != "never":
        raise TokenizerFileError(
            _("the {part} Metaspace has add_prefix_space false, but prepend_scheme {scheme}").format(
                part=part, scheme=scheme
            )
        )
