"""Challenges: tasks for the learner's own choices of merges and texts, judged at the moment of a training.

Each has a score, the lower the better, and the best one that is known. On the corpora `hug` and `banana` that was found
by trying all merges, so it cannot be beaten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.options import TIE_RULES, make_options
from bpe_tui.core.readable import AS_IN_FILES
from bpe_tui.core.teaching.divergence import winners
from bpe_tui.core.teaching.longest_match import longest_match
from bpe_tui.core.training.trainer import Trainer

LETTERS: Final = 20
"""Letters that a text of three tokens must have."""
LIMIT: Final = 3
"""Merges with which the rule is to be beaten."""
UNUSED: Final = 3
"""Tokens that must have gone out of use."""
LONGEST: Final = 200
"""Characters of a text that is judged."""


@dataclass(frozen=True, slots=True)
class ChallengeVerdict:
    """What a moment and a text are worth."""

    sentence: str
    """What was found, or what is still missing; a text of the learner's in it is untrusted."""
    score: int | None = None
    """None if the task is not done."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A task."""

    name: str
    title: str
    """Like the other texts to be translated."""
    task: str
    corpus: str
    """The bundled corpus that it is about; empty if the text alone matters."""
    best: int
    """The best score that is known."""
    unit: Callable[[int], str]
    """A score with its unit."""
    judge: Callable[[Trainer, str], ChallengeVerdict]
    """Judges a training on that corpus, and the text to encode."""
    has_text: bool = False
    """Does the text to encode matter?"""


def _merges(count: int) -> str:
    return plural("{count} merge", "{count} merges", count)


def _tokens(count: int) -> str:
    return plural("{count} token", "{count} tokens", count)


def _letters(count: int) -> str:
    return plural("{count} letter", "{count} letters", count)


def _row(texts: Sequence[str]) -> str:
    return " ".join(map(AS_IN_FILES.token, texts))


def _one_token(trainer: Trainer, text: str) -> ChallengeVerdict:
    tokens = Encoder(trainer).encode("banana")
    shown = _row([token.text for token in tokens])
    message = _("{merges} so far, and banana is {tokens}.")
    sentence = message.format(merges=_merges(trainer.position), tokens=shown)
    return ChallengeVerdict(sentence, trainer.position if len(tokens) == 1 else None)


def _twenty_letters(trainer: Trainer, text: str) -> ChallengeVerdict:
    text = "".join(text.split())
    if not text:
        return _no_text()
    tokens = Encoder(trainer).encode(text)
    message = _("{merges} so far; your text has {letters}, in {tokens}.")
    sentence = message.format(
        merges=_merges(trainer.position), letters=_letters(len(text)), tokens=_tokens(len(tokens))
    )
    if any(token.unknown for token in tokens):
        return ChallengeVerdict(_("Your text holds a letter that is not in the alphabet."))
    is_done = len(text) >= LETTERS and len(tokens) <= 3
    return ChallengeVerdict(sentence, trainer.position if is_done else None)


def _beat_the_rule(trainer: Trainer, text: str) -> ChallengeVerdict:
    by_rule = Trainer(trainer.counted_words, trainer.options, trainer.start)
    by_rule.goto(LIMIT)
    rule, own = by_rule.total_tokens, trainer.total_tokens
    if trainer.position != LIMIT:
        message = _("{merges} so far; make it {limit}. The rule gets the corpus down to {tokens}.")
        return ChallengeVerdict(
            message.format(merges=_merges(trainer.position), limit=number(LIMIT), tokens=_tokens(rule))
        )
    message = _("With your merges the corpus has {own}, with the rule's {rule}.")
    sentence = message.format(own=_tokens(own), rule=number(rule))
    return ChallengeVerdict(sentence, own if own < rule else None)


def _scaffolding(trainer: Trainer, text: str) -> ChallengeVerdict:
    made = dict.fromkeys(trainer.merge_at(rank).id for rank in range(trainer.position))
    unused = [row.text for row in map(trainer.token, made) if not row.count]
    found = ", ".join(map(AS_IN_FILES.token, unused)) or "—"
    message = _("{merges} so far; out of use: {tokens}.")
    sentence = message.format(merges=_merges(trainer.position), tokens=found)
    return ChallengeVerdict(sentence, trainer.position if len(unused) >= UNUSED else None)


def _longest_match(trainer: Trainer, text: str) -> ChallengeVerdict:
    if not text.strip():
        return _no_text()
    encoder = Encoder(trainer)
    tokens, longest = encoder.encode(text), longest_match(encoder, text)
    if any(token.unknown for token in tokens):
        return ChallengeVerdict(_("Your text holds a letter that is not in the alphabet."))
    ours, theirs = ([token.text for token in each] for each in (tokens, longest))
    message = _("{merges} so far; by merges {ours}, by longest match {theirs}.")
    sentence = message.format(merges=_merges(trainer.position), ours=_row(ours), theirs=_row(theirs))
    return ChallengeVerdict(sentence, trainer.position if ours != theirs else None)


def _four_ways(trainer: Trainer, text: str) -> ChallengeVerdict:
    if not text.strip():
        return _no_text()
    options = make_options("paper", pre_tokenizer="spaces")
    try:
        fresh = Trainer(count_words(text_corpus(text), options), options)
    except BpeError as error:
        return ChallengeVerdict(str(error))
    found = {rule: (leader.left, leader.right) for rule, leader in winners(fresh).items() if leader is not None}
    sentence = ", ".join(f"{rule}: {AS_IN_FILES.pair(*found[rule])}" for rule in TIE_RULES if rule in found)
    is_done = len(set(found.values())) == len(TIE_RULES)
    return ChallengeVerdict(f"{sentence}.", len("".join(text.split())) if is_done else None)


def _no_text() -> ChallengeVerdict:
    return ChallengeVerdict(_("Type a text in the line Encode of the board."))


CHALLENGES: Final = (
    Challenge(
        "one-token",
        mark("banana in one token"),
        mark("Make banana one token in the fewest merges. Choose pairs of your own with enter in the Pairs pane."),
        "banana",
        4,
        _merges,
        _one_token,
    ),
    Challenge(
        "twenty-letters",
        mark("20 letters, 3 tokens"),
        mark("With the fewest merges, have a text of 20 letters or more encoded in 3 tokens; spaces do not count."),
        "banana",
        4,
        _merges,
        _twenty_letters,
        has_text=True,
    ),
    Challenge(
        "beat-the-rule",
        mark("Beat the rule"),
        mark("BPE takes the most frequent pair each time. Choose 3 merges that make the corpus shorter than its 3 do."),
        "banana",
        165,
        _tokens,
        _beat_the_rule,
    ),
    Challenge(
        "scaffolding",
        mark("Scaffolding"),
        mark("With the fewest merges, make 3 tokens that no word of the corpus is split into any more."),
        "hug",
        5,
        _merges,
        _scaffolding,
    ),
    Challenge(
        "longest-match",
        mark("Merges against longest match"),
        mark("With the fewest merges, find a text that the merges split otherwise than longest match does."),
        "hug",
        2,
        _merges,
        _longest_match,
        has_text=True,
    ),
    Challenge(
        "four-ways",
        mark("Four rules, four ways"),
        mark(
            "Type the shortest text on which the four tie rules take four different pairs at merge 1. Words are split "
            "at spaces and end in </w>, as in the paper."
        ),
        "",
        4,
        _letters,
        _four_ways,
        has_text=True,
    ),
)
"""In the order in which they are listed."""


def judge(challenge: Challenge, corpus: str, trainer: Trainer | None, text: str) -> ChallengeVerdict:
    """What this moment of a training on the bundled corpus of this name is worth, with a text to encode."""
    if challenge.corpus and (trainer is None or corpus != challenge.corpus):
        return ChallengeVerdict(_("Press enter to open {corpus}.").format(corpus=challenge.corpus))
    if trainer is None:
        return ChallengeVerdict(_("Open a corpus first."))
    if len(text) > LONGEST:
        return ChallengeVerdict(_("Your text is too long: {most} characters are judged.").format(most=number(LONGEST)))
    return challenge.judge(trainer, text)
