"""`train --verify`: train with Hugging Face `tokenizers` as well, and compare what it learns.

That package breaks ties as the rule `lowest-id` does. It gets the same documents and cuts them itself, by the component
that corresponds to our pre-tokenizer; a table's words it gets as often as they occur.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, alphabet_text, is_byte_level, utf8
from bpe_tui.core.display import visible
from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.core.i18n import _, number, plural
from bpe_tui.core.readable import AS_IN_FILES
from bpe_tui.core.training.states import StopReason

if TYPE_CHECKING:
    from bpe_tui.core.corpus.sources import Corpus, Source
    from bpe_tui.core.corpus.types import WordCounts
    from bpe_tui.core.options import Options
    from bpe_tui.core.training.trainer import Trainer

MOST_REPEATED: Final = 200_000_000
"""Characters that a table's words may add up to, because they have to be written out one by one."""
_BATCH: Final = 1 << 16
"""Words that are handed over at a time."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What the comparison has shown."""

    version: str
    """Of `tokenizers`."""
    merges: int
    """How many merges were compared."""
    difference: str | None
    """Where the two diverge; None if they are equal."""

    @property
    def sentence(self) -> str:
        """The verification in words."""
        if self.difference is not None:
            return _("Not verified: tokenizers {version} {difference}.").format(
                version=self.version, difference=self.difference
            )
        return plural(
            "Verified: tokenizers {version} learns the same merge, and gives every token the same id.",
            "Verified: tokenizers {version} learns the same {count} merges, and gives every token the same id.",
            self.merges,
            version=self.version,
        )

    def as_dict(self) -> dict[str, Any]:
        """The verification as JSON has it."""
        return {
            "tokenizers": self.version,
            "equal": self.difference is None,
            "merges": self.merges,
            "difference": self.difference,
        }


def check_verifiable(corpus: Corpus, options: Options) -> None:
    """Find out before the work whether `tokenizers` could learn the same. Raises OptionError saying why not."""
    from bpe_tui.formats.huggingface.foreign import is_installed

    if not is_installed():
        raise OptionError(_("--verify needs the package tokenizers; in your clone of bpe-tui: pip install '.[hf]'"))
    if options.seed_tokens:
        raise OptionError(_("--verify cannot be given with --seed-token: the trainer of tokenizers knows no seeds"))
    if options.protected:
        raise OptionError(_("--verify cannot be given with --protect: the trainer of tokenizers knows no such words"))
    if options.ties != "lowest-id":
        raise OptionError(
            _(
                "--verify compares with tokenizers, which breaks ties by lowest-id, not by {rule}; add --ties lowest-id"
            ).format(rule=options.ties)
        )
    if options.raw_byte_ids:
        raise OptionError(
            _(
                "--verify compares with tokenizers, which does not number bytes by their values as this preset does; "
                "take --preset huggingface"
            )
        )
    if options.end_of_word:
        raise OptionError(
            _(
                "--verify compares with tokenizers, which numbers symbols with a word ending in no fixed order; "
                "train without --end-of-word"
            )
        )
    if any(source.size is None for source in corpus.sources):
        raise OptionError(_("--verify reads the corpus twice, and stdin or a pipe can be read once; save it to a file"))


def verify(trainer: Trainer, corpus: Corpus) -> Verification:
    """Train there what was trained here, and compare. Raises OptionError for what `tokenizers` cannot do."""
    options, words = trainer.options, trainer.words
    if corpus.is_word_counts:
        between = _unused(words)
        texts = _written_out(words, between)
        cutter: Any = {"type": "Split", "pattern": {"String": between}, "behavior": "Removed", "invert": False}
        cutter = _on_bytes(cutter) if is_byte_level(options) else cutter
    else:
        from bpe_tui.formats.huggingface.components import pre_tokenizer_for

        texts, cutter = _documents(corpus, options), pre_tokenizer_for(options)
    compared = _growing(trainer)
    model, version = _train(texts, cutter, options, _vocab_size(trainer))
    return Verification(version, compared, _difference(trainer, compared, model))


def _train(texts: Iterator[str], cutter: Any, options: Options, vocab_size: int) -> tuple[dict[str, Any], str]:
    """The model that the package learns, and its version."""
    from bpe_tui.formats.huggingface import foreign

    initial = alphabet_text(options.initial_alphabet, options)
    wanted: dict[str, Any] = {
        "vocab_size": vocab_size,
        "min_frequency": options.min_frequency,
        "special_tokens": list(options.specials),
        "initial_alphabet": list(BYTE_TO_CHAR) if options.alphabet == "all-bytes" else list(initial),
    }
    for name in ("max_token_length", "limit_alphabet"):
        if (value := getattr(options, name)) is not None:
            wanted[name] = value
    try:
        return foreign.train(texts, cutter, wanted)
    except TokenizerFileError as error:
        raise OptionError(f"--verify: {error}") from error


def _on_bytes(cutter: dict[str, Any]) -> dict[str, Any]:
    on_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    return {"type": "Sequence", "pretokenizers": [cutter, on_bytes]}


# -- the same texts ---------------------------------------------------------------------------------------------------


def _documents(corpus: Corpus, options: Options) -> Iterator[str]:
    """The documents of a text, or what special tokens leave of them."""
    specials = [special for special in options.specials if options.documents == "files" or "\n" not in special]
    longest_first = sorted(specials, key=len, reverse=True)
    cut = (
        re.compile("|".join(map(re.escape, longest_first)))
        if specials and options.specials_in_corpus == "cut"
        else None
    )
    for source in corpus.sources:
        for document in _documents_of(source, options):
            yield from filter(None, cut.split(document) if cut else [document])


def _documents_of(source: Source, options: Options) -> Iterator[str]:
    with source.open() as stream:
        if options.documents == "files":
            yield stream.read().decode("utf-8-sig")
            return
        encoding = "utf-8-sig"
        for line in stream:
            text = line.decode(encoding)
            encoding = "utf-8"
            if options.documents == "lines" and text.endswith("\n"):
                text = text[:-1].removesuffix("\r")
            yield text


def _unused(words: WordCounts) -> str:
    """A character that no word holds."""
    used = set().union(*words.words)
    return next(chr(code) for code in range(0x20, 0x110000) if chr(code) not in used)


def _written_out(words: WordCounts, between: str) -> Iterator[str]:
    """Every word as often as it occurs, many of them in one text. Raises OptionError if that is too much."""
    total = sum(len(word) * count for word, count in zip(words.words, words.counts, strict=True))
    if total > MOST_REPEATED:
        raise OptionError(
            _(
                "--verify has to write out the words of a table as often as they occur: {total} characters here, "
                "and up to {most} can be verified"
            ).format(total=number(total), most=number(MOST_REPEATED))
        )
    for word, count in zip(words.words, words.counts, strict=True):
        text = utf8(word).decode()
        for done in range(0, count, _BATCH):
            yield between.join([text] * min(_BATCH, count - done))


# -- the same merges --------------------------------------------------------------------------------------------------


def _growing(trainer: Trainer) -> int:
    """The merges up to the last one that added a token: `tokenizers` stops there when it has the tokens asked for."""
    steps, size = trainer.steps, len(trainer.steps)
    if trainer.stop in (StopReason.NO_PAIRS, StopReason.MIN_FREQUENCY):
        return size
    while size and steps[size - 1].reused:
        size -= 1
    return size


def _vocab_size(trainer: Trainer) -> int:
    """The size at which both end with the same merge."""
    if trainer.stop in (StopReason.NO_PAIRS, StopReason.MIN_FREQUENCY):
        return trainer.vocab_size + 1  # never reached there, either
    return trainer.vocab_size


def _difference(trainer: Trainer, compared: int, model: dict[str, Any]) -> str | None:
    """Where the two diverge, to be read after the name of the package; None if they don't."""
    numbers: dict[tuple[str, str], int] = {}
    for place in range(compared):
        merge = trainer.steps[place].merge
        numbers.pop((merge.left, merge.right), None)  # of a pair that is merged again, that package keeps the last rank
        numbers[merge.left, merge.right] = place + 1
    ours = list(numbers)
    theirs = [(left, right) for left, right in model["merges"]]
    for here, there in zip(ours, theirs, strict=False):
        if here != there:
            return _("merges {theirs} where merge {number} here is {ours}").format(
                theirs=_pair(there), number=number(numbers[here]), ours=_pair(here)
            )
    if len(ours) != len(theirs):
        return _("makes {theirs} merges, not {ours}; as far as both go they are the same").format(
            theirs=number(len(theirs)), ours=number(len(ours))
        )
    tokens = {trainer.texts[token]: token for token in range(trainer.vocab_size)}
    for text in {**tokens, **model["vocab"]}:
        if tokens.get(text) != model["vocab"].get(text):
            mine, its = (str(ids.get(text, "none")) for ids in (tokens, model["vocab"]))
            return _("learns the same merges, but the id of {token} is {theirs} there and {ours} here").format(
                token=visible(text), theirs=its, ours=mine
            )
    return None


def _pair(pair: tuple[str, str]) -> str:
    return AS_IN_FILES.pair(*pair)
