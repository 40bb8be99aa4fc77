"""Every choice that byte-pair encoding leaves open, in one frozen value, and the named presets.

The presets reproduce the dialects of the tools they are named after (see docs/semantics.md). `Options` is the
only way a choice travels through the program.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final

from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _
from bpe_tui.core.tie_rules import RULES

TIE_RULES: Final = tuple(RULES)
DOCUMENTS: Final = ("lines", "lines-keepends", "files")
PRE_TOKENIZERS: Final = ("gpt2", "cl100k", "o200k", "whitespace", "spaces", "metaspace", "none")
ALPHABETS: Final = ("characters", "seen-bytes", "all-bytes")
END_OF_WORD_STYLES: Final = ("suffix", "symbol")
SPECIALS_IN_CORPUS: Final = ("cut", "text")
UNKNOWN_POLICIES: Final = ("token", "fuse", "drop", "bytes", "error")

DEFAULT_MERGES: Final = 100
"""The target for a text of the user's own when neither a preset nor a target is named."""

END_OF_TEXT: Final = "<|endoftext|>"


@dataclass(frozen=True, slots=True)
class Options:
    """All choices for one training. Build one with `make_options`, vary one with `replace`."""

    preset: str = "course"
    documents: str = "lines"
    pre_tokenizer: str = "gpt2"
    """One of `PRE_TOKENIZERS`; `pattern` when `pattern` holds a regular expression of the user's own; `file` when the
    components of a tokenizer file cut the text."""
    pattern: str | None = None
    alphabet: str = "seen-bytes"
    raw_byte_ids: bool = False
    """Base ids are the byte values 0–255 in numeric order, before any special token (minbpe, tiktoken)."""
    end_of_word: str = ""
    end_of_word_style: str = "suffix"
    ties: str = "first-seen"
    specials: tuple[str, ...] = ()
    specials_in_corpus: str = "cut"
    protected: tuple[str, ...] = ()
    """Strings that are tokens from the start and never split: cut out of the corpus, and found in any text."""
    seed_tokens: tuple[str, ...] = ()
    """Texts that are tokens from the start: the merges that make them come before any by count."""
    unk: str = "[UNK]"
    min_frequency: int = 1
    max_token_length: int | None = None
    """A merge makes a token of fewer symbols than this, or one of two, as in `tokenizers`."""
    limit_alphabet: int | None = None
    """Only this many characters are symbols, the most frequent ones; others are cut out of the corpus."""
    initial_alphabet: str = ""
    """Characters that are symbols whether they occur or not."""
    vocab_size: int | None = None
    merges: int | None = None

    def replace(self, **changes: Any) -> Options:
        """The same options with `changes`, checked; raises `OptionError` like `make_options`."""
        return _checked(self, changes)

    def as_dict(self) -> dict[str, object]:
        """All current choices, ready for JSON, without the preset's name."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        del values["preset"]
        values["specials"] = list(self.specials)
        values["protected"] = list(self.protected)
        values["seed_tokens"] = list(self.seed_tokens)
        return values

    @property
    def cut_out(self) -> tuple[str, ...]:
        """The tokens that are cut out of the corpus before anything else, and learned from no side."""
        return (*self.protected, *(self.specials if self.specials_in_corpus == "cut" else ()))


PRESETS: Final[dict[str, Options]] = {
    "toy": Options(preset="toy", pre_tokenizer="spaces", alphabet="characters", merges=3),
    "course": Options(preset="course", specials=(END_OF_TEXT,), vocab_size=50),
    "huggingface": Options(
        preset="huggingface",
        documents="lines-keepends",
        alphabet="all-bytes",
        ties="lowest-id",
        specials=(END_OF_TEXT,),
        specials_in_corpus="text",
        vocab_size=1000,
    ),
    "minbpe": Options(
        preset="minbpe",
        documents="files",
        pre_tokenizer="cl100k",
        alphabet="all-bytes",
        raw_byte_ids=True,
        vocab_size=512,
    ),
    "paper": Options(
        preset="paper",
        pre_tokenizer="spaces",
        alphabet="characters",
        end_of_word="</w>",
        end_of_word_style="symbol",
        merges=10,
    ),
    "subword-nmt": Options(
        preset="subword-nmt",
        pre_tokenizer="spaces",
        alphabet="characters",
        end_of_word="</w>",
        ties="greatest-pair",
        min_frequency=2,
        merges=1000,
    ),
}
"""The named presets, in the order in which they are listed to the user."""

_LISTS: Final = {"specials", "protected", "seed_tokens"}
"""The options that hold several texts."""
_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "documents": DOCUMENTS,
    "pre_tokenizer": (*PRE_TOKENIZERS, "pattern", "file"),
    "alphabet": ALPHABETS,
    "end_of_word_style": END_OF_WORD_STYLES,
    "ties": TIE_RULES,
    "specials_in_corpus": SPECIALS_IN_CORPUS,
}


def make_options(preset: str, **overrides: Any) -> Options:
    """The preset with `overrides`; an override of None is as if it were not given.

    A `vocab_size` clears the preset's `merges` and the other way round; a `pattern` sets the pre-tokenizer.
    Raises `OptionError` for an unknown preset, an unknown name or a value that is not among the choices.
    """
    if preset not in PRESETS:
        raise OptionError(
            _("there is no preset {preset!r}; choose one of {names}").format(preset=preset, names=", ".join(PRESETS))
        )
    return _checked(PRESETS[preset], {name: value for name, value in overrides.items() if value is not None})


def _checked(options: Options, changes: dict[str, Any]) -> Options:
    known = {field.name for field in dataclasses.fields(Options)}
    for name in changes:
        if name not in known:
            raise OptionError(_("there is no option {flag}").format(flag=flag_of(name)))
    if changes.get("vocab_size") is not None and changes.get("merges") is not None:
        raise OptionError(_("--vocab-size and --merges are two ways to say the same thing; give one of them"))
    if changes.get("vocab_size") is not None:
        changes = {**changes, "merges": None}
    elif changes.get("merges") is not None:
        changes = {**changes, "vocab_size": None}
    if changes.get("pattern") is not None:
        changes = {**changes, "pre_tokenizer": changes.get("pre_tokenizer", "pattern")}
        if changes["pre_tokenizer"] != "pattern":
            raise OptionError(_("--pattern is a pre-tokenizer of its own; give it without --pre-tokenizer"))
    elif changes.get("pre_tokenizer", "pattern") != "pattern":
        changes = {**changes, "pattern": None}
    for name in _LISTS & changes.keys():
        changes = {**changes, name: tuple(changes[name])}
    if changes.get("alphabet", "all-bytes") != "all-bytes":
        changes = {**changes, "raw_byte_ids": False}  # byte values are ids only while every byte has one
    made = dataclasses.replace(options, **changes)
    _check_values(made)
    return made


def _check_values(options: Options) -> None:
    for name, choices in _CHOICES.items():
        if getattr(options, name) not in choices:
            raise OptionError(
                _("{flag} {value!r} is not one of {names}").format(
                    flag=flag_of(name), value=getattr(options, name), names=", ".join(choices)
                )
            )
    if options.pre_tokenizer == "pattern" and not options.pattern:
        raise OptionError(_("the pre-tokenizer 'pattern' needs a regular expression; give one with --pattern"))
    if options.min_frequency < 1:
        raise OptionError(_("--min-frequency {value} must be 1 or more").format(value=options.min_frequency))
    if options.max_token_length is not None and options.max_token_length < 1:
        raise OptionError(
            _("{flag} {value} must be 1 or more").format(flag="--max-token-length", value=options.max_token_length)
        )
    _check_alphabet(options)
    for name in ("vocab_size", "merges"):
        value = getattr(options, name)
        if value is not None and value < 0:
            raise OptionError(_("{flag} {value} must be 0 or more").format(flag=flag_of(name), value=value))
    if any(not special for special in options.specials):
        raise OptionError(_("--special needs a text that is not empty"))
    if len(set(options.specials)) != len(options.specials):
        raise OptionError(_("--special names the same token twice"))
    _check_protected(options)


def _check_protected(options: Options) -> None:
    seen: set[str] = set()
    for text in options.protected:
        if not text:
            raise OptionError(_("--protect needs a text that is not empty"))
        if text in seen:
            raise OptionError(_("--protect {text} is given twice; give it once").format(text=repr(text)))
        if text in options.specials:
            raise OptionError(
                _("{text} is a special token too; give it with --special or with --protect, not both").format(
                    text=repr(text)
                )
            )
        seen.add(text)
    for place, text in enumerate(options.seed_tokens):
        if not text:
            raise OptionError(_("--seed-token needs a text that is not empty"))
        if text in options.seed_tokens[:place]:
            raise OptionError(_("--seed-token {text} is given twice; give it once").format(text=repr(text)))
        if text in (*options.specials, *options.protected):
            raise OptionError(
                _("--seed-token {text} is a special or protected token already; leave it out").format(text=repr(text))
            )


def _check_alphabet(options: Options) -> None:
    limit, initial = options.limit_alphabet, len(set(options.initial_alphabet))
    if limit is None:
        return
    if options.alphabet != "characters":
        raise OptionError(_("--limit-alphabet is for --alphabet characters; of bytes there are only 256"))
    if options.end_of_word:
        raise OptionError(_("--limit-alphabet and --end-of-word cannot be combined"))
    if limit < 1 or limit < initial:
        raise OptionError(
            _("--limit-alphabet {value} must be {least} or more").format(value=limit, least=max(1, initial))
            if not initial
            else _("--limit-alphabet {value} must be {least} or more, because --initial-alphabet names so many").format(
                value=limit, least=initial
            )
        )


def flag_of(name: str) -> str:
    """The option on the command line for a field of `Options`."""
    return "--" + {"specials": "special", "protected": "protect", "seed_tokens": "seed-token"}.get(name, name).replace(
        "_", "-"
    )
