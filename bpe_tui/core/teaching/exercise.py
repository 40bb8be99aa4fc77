"""An exercise: write byte-pair encoding yourself, in three functions, judged step by step against the textbook.

The functions see what the textbook (`reference`) sees at the same step, so that no mistake is blamed on
another function.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise, zip_longest
from typing import Any, Final

from bpe_tui.core.i18n import _
from bpe_tui.core.teaching import reference
from bpe_tui.core.teaching.reference import Pair, Word

FUNCTIONS: Final = ("count_pairs", "pick", "merge_all")
RUNS: Final = ("runs", {"aaa": 3, "aaaa": 5, "aab": 2, "baaab": 1, "abab": 3, "aaaaa": 1})
"""A table of words full of runs, where overlaps and the direction of a merge matter."""
LONGEST_SHOWN: Final = 200
"""Characters of a value that a finding shows."""


@dataclass(frozen=True, slots=True)
class ExerciseCorpus:
    """A corpus that the functions are run on."""

    name: str
    words: tuple[str, ...]
    counts: tuple[int, ...]


class FindingKind(StrEnum):
    """What was found."""

    RIGHT = "right"
    DIFFERS = "differs"
    """A function returned another value than the textbook."""
    ORDER = "order"
    """The counts are right, but their order picks another pair of a tie."""
    TYPE = "type"
    """A value of another type was returned."""
    NOTHING = "nothing"
    """None was returned."""
    MISSING = "missing"
    """There is no such function."""
    RAISED = "raised"
    SYNTAX = "syntax"
    EXITED = "exited"
    """The program was left, as by `sys.exit`."""
    TIME = "time"
    """It did not end."""
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of running the functions; the texts are the learner's, and untrusted."""

    kind: FindingKind
    passed: tuple[tuple[str, int], ...] = ()
    """The corpora without a difference, and how many merges each has."""
    function: str = ""
    """The one that differs, or in which something happened; empty for the top of the file."""
    corpus: str = ""
    merge: int = 0
    """The step, from 1."""
    given: str = ""
    """What the function was called with."""
    expected: str = ""
    got: str = ""
    error: str = ""
    """An exception's name and message."""
    line: int = 0
    """The learner's line in which it happened; 0 if it is not known."""
    code: str = ""
    """What is written in that line."""
    printed: str = ""
    """What the functions have printed, up to a bound."""


class Unlike(Exception):
    """A function returned what it must not."""

    def __init__(self, kind: FindingKind, expected: str, got: str, given: str = "") -> None:
        super().__init__(kind)
        self.kind, self.expected, self.got, self.given = kind, expected, got, given


_SHOWN: Final = reprlib.Repr()
_SHOWN.maxlist = _SHOWN.maxtuple = _SHOWN.maxdict = 6
_SHOWN.maxstring = _SHOWN.maxother = 60


def judge(
    functions: Mapping[str, Any],
    corpora: Sequence[ExerciseCorpus],
    at: Callable[[str, str, int], None] = lambda function, corpus, merge: None,
) -> Finding:
    """Run the functions on each corpus until no pair is left, up to the first difference.

    `at` hears which function is called next. What the functions raise is not caught.
    """
    for name in FUNCTIONS:
        if not callable(functions.get(name)):
            return Finding(FindingKind.MISSING, function=name)
    passed: list[tuple[str, int]] = []
    for corpus in corpora:
        words: list[Word] = [list(word) for word in corpus.words]
        counts, merges = list(corpus.counts), 0
        while True:
            pairs = reference.count_pairs(words, counts)
            name = FUNCTIONS[0]
            try:
                at(name, corpus.name, merges + 1)
                own = functions[name](_copy(words), list(counts))
                _check_counts(own, pairs, words, counts)
                if not pairs:
                    break
                best = reference.pick(pairs, {}, "first-seen")
                name = FUNCTIONS[1]
                at(name, corpus.name, merges + 1)
                _check_pick(functions[name](dict(pairs)), best, pairs)
                if reference.pick(dict(own), {}, "first-seen") != best:
                    name = FUNCTIONS[0]
                    raise Unlike(FindingKind.ORDER, _pair(best), _pair(reference.pick(dict(own), {}, "first-seen")))
                name = FUNCTIONS[2]
                at(name, corpus.name, merges + 1)
                merged = functions[name](_copy(words), best)
                before = _copy(words)
                reference.merge_all(words, counts, best)
                _check_merged(merged, words, before, best)
            except Unlike as unlike:
                return Finding(
                    unlike.kind,
                    tuple(passed),
                    name,
                    corpus.name,
                    merges + 1,
                    unlike.given,
                    unlike.expected,
                    unlike.got,
                )
            merges += 1
        passed.append((corpus.name, merges))
    return Finding(FindingKind.RIGHT, tuple(passed))


def _copy(words: Sequence[Word]) -> list[Word]:
    return [list(word) for word in words]


def _check_type(value: object, types: tuple[type, ...], expected: str) -> None:
    if value is None:
        raise Unlike(FindingKind.NOTHING, expected, "")
    if not isinstance(value, types):
        raise Unlike(FindingKind.TYPE, expected, f"{type(value).__name__}: {shown(value)}")


def _check_counts(own: Any, pairs: dict[Pair, int], words: Sequence[Word], counts: Sequence[int]) -> None:
    """The first pair whose count differs."""
    _check_type(own, (dict,), "dict")
    for pair, count in pairs.items():
        if own.get(pair, 0) != count:
            holding = [(word, times) for word, times in zip(words, counts, strict=True) if _holds(word, pair)]
            given = " · ".join(f"{' '.join(word)} ×{times}" for word, times in holding)
            got = f"{_pair(pair)}: {shown(own[pair])}" if pair in own else f"{_pair(pair)}: —"
            raise Unlike(FindingKind.DIFFERS, f"{_pair(pair)}: {count}", got, given)
    for pair, count in own.items():
        if pair not in pairs:
            raise Unlike(FindingKind.DIFFERS, f"{shown(pair)}: —", f"{shown(pair)}: {shown(count)}")


def _holds(word: Word, pair: Pair) -> bool:
    return any((left, right) == pair for left, right in pairwise(word))


def _check_pick(own: object, best: Pair, pairs: dict[Pair, int]) -> None:
    _check_type(own, (tuple, list), "tuple")
    assert isinstance(own, tuple | list)
    if tuple(own) != best:
        top = sorted(pairs.items(), key=lambda item: -item[1])[:4]
        given = ", ".join(f"{_pair(pair)}: {count}" for pair, count in top) + (", …" if len(pairs) > len(top) else "")
        raise Unlike(FindingKind.DIFFERS, _pair(best), shown(own), f"{{{given}}}")


def _check_merged(own: Any, words: Sequence[Word], before: Sequence[Word], best: Pair) -> None:
    """The first word that differs."""
    _check_type(own, (list, tuple), "list")
    for mine, right, word in zip_longest(own, words, before):
        if mine is None or right is None:
            raise Unlike(FindingKind.DIFFERS, f"{len(words)} × list", f"{len(own)} × list", _pair(best))
        _check_type(mine, (list, tuple), "list")
        if list(mine) != right:
            raise Unlike(FindingKind.DIFFERS, shown(right), shown(list(mine)), f"{shown(word)}, {_pair(best)}")


def _pair(pair: Pair) -> str:
    return f"({pair[0]!r}, {pair[1]!r})"


def shown(value: object) -> str:
    """A value as Python writes it, cut where it is long."""
    text = _SHOWN.repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def skeleton() -> str:
    """The file to begin with: three functions that say what they must return, and return nothing yet."""
    about = _(
        "Byte-pair encoding in three functions. Replace each `...`, save, and see what `bpe-tui exercise` says of it."
    )
    data = _("`words` is a list of words, each of them a list of tokens; `counts` says how often each word occurs:")
    counting = _("Return how often each pair of neighbours occurs, as a dict; a word counts as often as it occurs:")
    order = _(
        "Put the pairs in the order in which they first occur: words from first to last, each from left to right.\n"
        "Overlaps count: a, a, a holds the pair a, a twice."
    )
    picking = _("Return the pair with the highest count; of several, the one that comes first in the dict.")
    merging = _("Return all words, with the pair joined into one token wherever it occurs, from left to right:")
    overlaps = _("Tokens are used once: of a, a, a remains aa, a.")
    return f'''\
"""{about}

{data}

    words = [["h", "u", "g"], ["p", "u", "g"]]
    counts = [10, 5]
"""


def count_pairs(words, counts):
    """{counting}

        {{("h", "u"): 10, ("u", "g"): 15, ("p", "u"): 5}}

{_indented(order)}
    """
    ...


def pick(pairs):
    """{picking}

        ("u", "g")
    """
    ...


def merge_all(words, pair):
    """{merging}

        [["h", "ug"], ["p", "ug"]]

{_indented(overlaps)}
    """
    ...
'''


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
