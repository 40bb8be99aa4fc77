"""The commands of a `bpe` block, one a line: what they are, and how a line is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from bpe_tui.core.i18n import _
from bpe_tui.core.training.states import Phase
from bpe_tui.lessons.opening import Opening, checked_settings
from bpe_tui.lessons.statements import Claim, claim_of, policy_of, pre_tokenizers_of, tie_rule_of
from bpe_tui.lessons.words import Reader, words_of


@dataclass(frozen=True, slots=True)
class Command:
    """One line of a block."""

    line: int = field(compare=False)
    """Where it stands in the file."""
    text: str
    """As it is written there."""


# -- commands that move --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open(Command):
    """`open CORPUS [option=value …]`: train on this corpus, from the start."""

    opening: Opening


@dataclass(frozen=True, slots=True)
class Step(Command):
    """`step [N]`: merges forward."""

    count: int


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """`undo [N]`: merges back."""

    count: int


@dataclass(frozen=True, slots=True)
class Goto(Command):
    """`goto N`: to the moment after that many merges."""

    merges: int


@dataclass(frozen=True, slots=True)
class PhaseTo(Command):
    """`count` or `pick`: into the next merge, as far as this phase."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Choose(Command):
    """`choose LEFT RIGHT`: merge this pair, whatever the rule says."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Ties(Command):
    """`ties RULE`: another tie rule from here on."""

    rule: str


@dataclass(frozen=True, slots=True)
class Checkpoint(Command):
    """`checkpoint NAME`: give this moment a name."""

    name: str


@dataclass(frozen=True, slots=True)
class BackTo(Command):
    """`back to NAME`: to a moment that has a name, the corpus of that moment included."""

    name: str


# -- commands that look --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Select(Command):
    """`select LEFT RIGHT`: look at this pair, and where its count comes from."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Encode(Command):
    """`encode TEXT [unknown=POLICY]`: the tokens of a text at this moment."""

    words: str
    unknown: str


@dataclass(frozen=True, slots=True)
class Trace(Command):
    """`trace TEXT [unknown=POLICY]`: the merges that fire in a text, one after the other."""

    words: str
    unknown: str


@dataclass(frozen=True, slots=True)
class Why(Command):
    """`why TEXT`: why this word isn't one token."""

    words: str


@dataclass(frozen=True, slots=True)
class Show(Command):
    """`show WHAT …`: a table."""

    what: str
    limit: int | None = None
    """At most so many rows."""
    words: str = ""
    """The text that it is about."""
    pre_tokenizers: tuple[str, ...] = ()
    merges: tuple[int, ...] = ()
    """The moments that a curve is told for."""


@dataclass(frozen=True, slots=True)
class Expect(Command):
    """`expect SUBJECT: VALUE`: what must be true now."""

    claim: Claim


# -- reading -------------------------------------------------------------------------------------------------------

LISTS: Final = ("pairs", "words", "vocabulary", "merges")
"""What `show` tells of the training, as many rows as asked for."""
OF_TEXTS: Final = ("tokens", "bytes", "policies", "longest-match")
"""What `show` tells of a text."""
TABLES: Final = (*LISTS, *OF_TEXTS, "pre-tokens", "ties", "partings", "curve")
"""All that can follow `show`."""


def command_of(text: str, line: int) -> Command:
    """The command on a line. Raises `LessonSyntaxError`."""
    text = text.strip()
    reader = Reader(words_of(text, line), line)
    name = reader.text(_("a command"))
    read = _READERS.get(name)
    if read is None:
        told = _("there is no command {name!r}; commands are {names}")
        raise reader.fault(told.format(name=name, names=", ".join(_READERS)))
    command = read(reader, text)
    reader.end()
    return command


def _open(reader: Reader, text: str) -> Command:
    corpus = reader.text(_("the name of a corpus"))
    settings = []
    while reader.more:
        setting = reader.setting()
        if setting is None:
            told = _("options follow a corpus as name=value, not {word!r}")
            raise reader.fault(told.format(word=reader.text(_("an option"))))
        settings.append(setting)
    return Open(reader.line, text, Opening(corpus, checked_settings(settings, reader.line), reader.line))


def _step(reader: Reader, text: str) -> Command:
    return Step(reader.line, text, _count(reader))


def _undo(reader: Reader, text: str) -> Command:
    return Undo(reader.line, text, _count(reader))


def _count(reader: Reader) -> int:
    return reader.number(_("the number of merges"), 1) if reader.more else 1


def _goto(reader: Reader, text: str) -> Command:
    return Goto(reader.line, text, reader.number(_("the number of a merge")))


def _phase(phase: Phase) -> Callable[[Reader, str], Command]:
    return lambda reader, text: PhaseTo(reader.line, text, phase)


def _choose(reader: Reader, text: str) -> Command:
    return Choose(reader.line, text, *reader.pair())


def _ties(reader: Reader, text: str) -> Command:
    return Ties(reader.line, text, tie_rule_of(reader))


def _checkpoint(reader: Reader, text: str) -> Command:
    return Checkpoint(reader.line, text, reader.text(_("the name of a checkpoint")))


def _back(reader: Reader, text: str) -> Command:
    if not reader.literal("to"):
        raise reader.fault(_("write `back to NAME`, with the name of a checkpoint"))
    return BackTo(reader.line, text, reader.text(_("the name of a checkpoint")))


def _select(reader: Reader, text: str) -> Command:
    return Select(reader.line, text, *reader.pair())


def _encode(reader: Reader, text: str) -> Command:
    return Encode(reader.line, text, reader.text(_("the text to encode")), policy_of(reader))


def _trace(reader: Reader, text: str) -> Command:
    return Trace(reader.line, text, reader.text(_("the text to encode")), policy_of(reader))


def _why(reader: Reader, text: str) -> Command:
    return Why(reader.line, text, reader.text(_("a word")))


def _show(reader: Reader, text: str) -> Command:
    what = reader.text(_("what to show"))
    line = reader.line
    if what in LISTS:
        return Show(line, text, what, reader.number(_("the number of rows"), 1) if reader.more else None)
    if what in OF_TEXTS:
        return Show(line, text, what, words=reader.text(_("the text")))
    if what == "pre-tokens":
        return Show(line, text, what, words=reader.text(_("the text")), pre_tokenizers=pre_tokenizers_of(reader))
    if what == "curve":
        merges = []
        while reader.more:
            merges.append(reader.number(_("the number of merges")))
        return Show(line, text, what, merges=tuple(merges))
    if what in TABLES:
        return Show(line, text, what)
    told = _("{what!r} cannot be shown; what can is {names}")
    raise reader.fault(told.format(what=what, names=", ".join(TABLES)))


def _expect(reader: Reader, text: str) -> Command:
    return Expect(reader.line, text, claim_of(reader))


_READERS: Final[dict[str, Callable[[Reader, str], Command]]] = {
    "open": _open,
    "step": _step,
    "undo": _undo,
    "goto": _goto,
    "count": _phase(Phase.COUNTED),
    "pick": _phase(Phase.PICKED),
    "choose": _choose,
    "ties": _ties,
    "checkpoint": _checkpoint,
    "back": _back,
    "select": _select,
    "encode": _encode,
    "trace": _trace,
    "why": _why,
    "show": _show,
    "expect": _expect,
}
