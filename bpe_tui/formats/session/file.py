"""Session files, `.bpe.json`: a training or a tokenizer as the learner left it, to be taken up again.

A session holds the tokenizer with all merges known, and what the app needs beside it: where the learner is, which
merges were own choices and under which tie rules, the text to encode, and which corpus it was. The corpus itself is not
in the file; its digest shows whether it is still the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.core.options import TIE_RULES, Options
from bpe_tui.core.training.states import Phase
from bpe_tui.formats.files import parse_json, quoted, text_of
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.session.tokenizer import check_tokenizer, described, described_options, read_model, read_options

KIND: Final = "bpe-tui session"
VERSION: Final = 1
PIECE: Final = 256
"""Entries of a list that are spelled in one go."""
_PARTS: Final = {"format", "version", "corpus", "position", "choices", "rules", "text", "options", "tokenizer"}
_MAY_LACK: Final = {"phase", "walking", "selected", "from", "seeds"}
"""Parts that a file may leave out: no phase, no pair that was looked at, no tokenizer that is continued, no seeds."""


@dataclass(frozen=True, slots=True)
class SavedCorpus:
    """Which corpus it was."""

    names: tuple[str, ...]
    """What was opened: bundled corpora, or whole paths of files and folders."""
    word_counts: bool
    """Whether it was opened as a table of words and counts."""
    digest: str
    """`session_training.digest` of its words."""
    encoding: str | None = None
    """How its bytes spelled text, if not as UTF-8."""


@dataclass(frozen=True, slots=True)
class SavedStart:
    """The tokenizer that a training continues."""

    name: str
    """What the user called it."""
    model: TokenizerModel
    kept: int
    """How many of its merges are the first ones of the session; fewer than all if the learner chose another pair."""


@dataclass(frozen=True, slots=True)
class SavedSession:
    """A session as it is in a file."""

    model: TokenizerModel
    """The tokenizer with all merges known, those that were undone included, and the current options."""
    position: int
    """How many of the merges were applied."""
    choices: tuple[int, ...] = ()
    """Numbers, from 1, of the merges that the learner chose against the rule."""
    rules: tuple[tuple[int, str], ...] = ()
    """Tie rules, each with the number of the first merge that was picked under it."""
    text: str = ""
    """The text in the encode input."""
    corpus: SavedCorpus | None = None
    """None if a tokenizer was opened without a corpus."""
    phase: Phase = Phase.READY
    """`counted` and `picked` are between two merges."""
    walking: bool = False
    """The learner went phase by phase."""
    selected: tuple[int, int] | None = None
    """The pair that the learner looked at, by its ids."""
    start: SavedStart | None = None
    """The tokenizer that the training continues; None if it began with the corpus alone."""
    seeds: int = 0
    """How many of its first merges, after the tokenizer's, make seed tokens."""


# -- the file ---------------------------------------------------------------------------------------------------------


def check_options(options: Options) -> None:
    """A session can represent all options."""


def check_model(model: TokenizerModel) -> None:
    """Raises TokenizerFileError for a tokenizer that a session cannot represent."""
    check_tokenizer(model)


def load(path: str, data_of: Callable[[str], bytes], given: Mapping[str, Any]) -> TokenizerModel:
    """The tokenizer of a session file. Raises TokenizerFileError."""
    return read(text_of(data_of(path))).model


def files(model: TokenizerModel, path: str) -> tuple[dict[str, bytes], list[str]]:
    """A session of a tokenizer alone, and notes for the user."""
    return {path: write(SavedSession(model, len(model.vocabulary.merges)))}, []


def write(session: SavedSession) -> bytes:
    """The bytes of a session file. Raises TokenizerFileError naming a text that UTF-8 cannot say."""
    corpus, options = session.corpus, session.model.options
    value = {
        "format": KIND,
        "version": VERSION,
        "corpus": None
        if corpus is None
        else {
            "names": list(map(_name_as_json, corpus.names)),
            "word_counts": corpus.word_counts,
            "digest": corpus.digest,
            **({"encoding": corpus.encoding} if corpus.encoding is not None else {}),
        },
        "position": session.position,
        "phase": str(session.phase),
        "walking": session.walking,
        "selected": list(session.selected) if session.selected is not None else None,
        "choices": list(session.choices),
        "rules": [list(rule) for rule in session.rules],
        "text": session.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
        "options": described_options(options),
        "tokenizer": described(session.model),
    }
    if session.seeds:
        value["seeds"] = session.seeds
    if (start := session.start) is not None:
        value["from"] = {
            "name": start.name.encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
            "kept": start.kept,
            "options": described_options(start.model.options),
            "tokenizer": described(start.model),
        }
    lines = [f"  {json.dumps(key)}: {_spelled(part)}" for key, part in value.items()]
    try:
        return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    except UnicodeEncodeError as error:
        raise TokenizerFileError(
            _("UTF-8 cannot represent the lone surrogate {byte!a}").format(byte=error.object[error.start])
        ) from error


def _spelled(value: Any) -> str:
    """`value` as JSON; long lists piece by piece, so that other threads need not wait."""
    if isinstance(value, dict):
        return "{" + ", ".join([f"{json.dumps(key)}: {_spelled(part)}" for key, part in value.items()]) + "}"
    if isinstance(value, list) and len(value) > PIECE:
        pieces = [value[start : start + PIECE] for start in range(0, len(value), PIECE)]
        return "[" + ", ".join([json.dumps(piece, ensure_ascii=False)[1:-1] for piece in pieces]) + "]"
    return json.dumps(value, ensure_ascii=False)


def read(text: str) -> SavedSession:
    """The session that `text` spells. Raises TokenizerFileError naming the entry at fault."""
    value = parse_json(text)
    if not isinstance(value, dict) or value.get("format") != KIND:
        raise TokenizerFileError(_("not a session of bpe-tui"))
    if value.get("version") != VERSION:
        raise TokenizerFileError(
            _("its version is {version}, and this bpe-tui knows version {known}").format(
                version=quoted(value.get("version")), known=VERSION
            )
        )
    if odd_ones := (_PARTS - value.keys()) | (value.keys() - _PARTS - _MAY_LACK):
        odd = min(odd_ones)
        raise TokenizerFileError(
            (_("{entry} is not known") if odd in value else _("{entry} is missing")).format(entry=quoted(odd))
        )
    options = read_options(value["options"])
    model = read_model(value["tokenizer"], options)
    known = len(model.vocabulary.merges)
    position, choices, text_typed = value["position"], value["choices"], value["text"]
    if type(position) is not int or not 0 <= position <= known:
        raise TokenizerFileError(
            _("its position is {position}, and it has {known} merges").format(position=quoted(position), known=known)
        )
    if not isinstance(choices, list) or not all(type(one) is int and 1 <= one <= known for one in choices):
        raise TokenizerFileError(_("its choices are no list of numbers of merges"))
    if not isinstance(text_typed, str):
        raise TokenizerFileError(_("its text is no text"))
    rules = _read_rules(value["rules"], known)
    phase, walking = value.get("phase", "ready"), value.get("walking", False)
    if phase not in list(Phase) or not isinstance(walking, bool):
        raise TokenizerFileError(_("its phase is {phase}, which it cannot be").format(phase=quoted(phase)))
    return SavedSession(
        model,
        position,
        tuple(choices),
        rules,
        text_typed,
        _read_corpus(value["corpus"]),
        Phase(phase),
        walking,
        _read_pair(value.get("selected")),
        _read_start(value["from"], known) if "from" in value else None,
        _read_seeds(value.get("seeds", 0), known),
    )


def _read_seeds(value: Any, known: int) -> int:
    if type(value) is not int or not 0 <= value <= known:
        raise TokenizerFileError(_("its seeds are {value}, not a number of merges").format(value=quoted(value)))
    return value


def _read_start(value: Any, known: int) -> SavedStart:
    if not isinstance(value, dict) or value.keys() != {"name", "kept", "options", "tokenizer"}:
        raise TokenizerFileError(_("what it continues is not given by name, kept, options and tokenizer"))
    name, kept = value["name"], value["kept"]
    model = read_model(value["tokenizer"], read_options(value["options"]))
    merges = len(model.vocabulary.merges)
    if not isinstance(name, str) or type(kept) is not int or not 0 <= kept <= min(known, merges):
        raise TokenizerFileError(_("what it continues has a name or a number of merges that cannot be"))
    return SavedStart(name, model, kept)


def _read_pair(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(type(one) is int and one >= 0 for one in value):
        raise TokenizerFileError(
            _("the pair that it looks at is {value}, not two ids of tokens").format(value=quoted(value))
        )
    return value[0], value[1]


def _read_rules(value: Any, known: int) -> tuple[tuple[int, str], ...]:
    if not isinstance(value, list):
        raise TokenizerFileError(_("its rules are no list"))
    for entry in value:
        fits = isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int and 1 <= entry[0] <= known
        if not fits or entry[1] not in TIE_RULES:
            raise TokenizerFileError(
                _("its rule {entry} is not the number of a merge and a tie rule").format(entry=quoted(entry))
            )
    return tuple((number, rule) for number, rule in value)


def _read_corpus(value: Any) -> SavedCorpus | None:
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() - {"encoding"} != {"names", "word_counts", "digest"}:
        raise TokenizerFileError(_("its corpus is not given by names, word_counts and digest"))
    names = value["names"]
    if not isinstance(names, list):
        raise TokenizerFileError(_("the names of its corpus are no list of texts"))
    if not isinstance(value["word_counts"], bool) or not isinstance(value["digest"], str):
        raise TokenizerFileError(_("its corpus has a word_counts or a digest that cannot be"))
    encoding = value.get("encoding")
    if encoding is not None and not isinstance(encoding, str):
        raise TokenizerFileError(_("the encoding of its corpus is no text"))
    return SavedCorpus(tuple(map(_name_from_json, names)), value["word_counts"], value["digest"], encoding)


def _name_as_json(name: str) -> str | dict[str, str]:
    """A name of a file as JSON: one that is no UTF-8 by its bytes, in hexadecimal."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return {"bytes": os.fsencode(name).hex()}
    return name


def _name_from_json(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return os.fsdecode(bytes.fromhex(value["bytes"]))
    except (TypeError, KeyError, ValueError):
        raise TokenizerFileError(_("the names of its corpus are no list of texts")) from None
