"""Components of a tokenizer.json that the package `tokenizers` runs: every normalizer, and what we have no code for.

The package is the extra `hf`; only files with such components need it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.formats.huggingface.aligned_text import AlignedText, Place, to_cluster_ends, within

INSTALL: Final = "pip install '.[hf]'"

_EMPTY_MODEL: Final = {"type": "BPE", "vocab": {}, "merges": []}


class ForeignNormalizer:
    """A normalizer, run by the package `tokenizers`."""

    def __init__(self, component: Any) -> None:
        """Raises TokenizerFileError if the package is not installed or does not accept the component."""
        self._runner = load_component("normalizer", component)
        self._name = name_of("normalizer", component)

    def text(self, text: str) -> str:
        """The normalized text. Raises TokenizerFileError if that fails."""
        normalized: str = _run(self._name, lambda: self._runner.normalize_str(text))
        return normalized

    def aligned(self, text: AlignedText) -> AlignedText | None:
        """The normalized text; None if nothing is left of it. Raises TokenizerFileError if that fails."""

        def normalize(pieces: Any) -> None:
            pieces.normalize(self._runner.normalize)

        for normalized, inside in _aligned(text.text, normalize, self._name):
            places = within(text.all_places(), to_cluster_ends(inside, text.text))
            return AlignedText(normalized, places[0][0], places)
        return None


class ForeignPreTokenizer:
    """A pre-tokenizer that the package `tokenizers` runs."""

    def __init__(self, component: Any) -> None:
        """Raises TokenizerFileError if the package is not installed or does not accept the component."""
        self._runner = load_component("pre_tokenizer", component)
        self._name = name_of("pre_tokenizer", component)

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """See `PreTokenizerStep`."""
        places = text.all_places()
        for word, inside in _aligned(text.text, self._runner.pre_tokenize, self._name):
            found = within(places, inside)
            yield AlignedText(word, found[0][0], found)

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `PreTokenizerStep`."""
        return [word for word, _place in _run(self._name, lambda: self._runner.pre_tokenize_str(text))]


def load_component(part: str, component: Any) -> Any:
    """The normalizer, pre_tokenizer or decoder that `component` describes, as an object of the package.

    Raises TokenizerFileError, naming the component, if the package is not installed or does not accept it.
    """
    name = name_of(part, component)
    try:
        from tokenizers import Tokenizer  # heavy, and needed by few files
    except ImportError:
        raise TokenizerFileError(
            _("{name} needs the package tokenizers; in your clone of bpe-tui: {install}").format(
                name=name, install=INSTALL
            )
        ) from None
    try:
        made = Tokenizer.from_str(json.dumps({"version": "1.0", part: component, "model": _EMPTY_MODEL}))
    except BaseException as error:
        raise_if_stopped(error)
        raise TokenizerFileError(
            _("{name} is not one that tokenizers accepts: {reason}").format(name=name, reason=one_line(error))
        ) from None
    return getattr(made, part)


def name_of(part: str, component: Any) -> str:
    """A component as a sentence names it."""
    names = {
        "normalizer": _("the normalizer {kind}"),
        "pre_tokenizer": _("the pre-tokenizer {kind}"),
        "decoder": _("the decoder {kind}"),
        "post_processor": _("the post-processor {kind}"),
    }
    return names[part].format(kind=_kind_of(component))


def _kind_of(component: Any) -> str:
    if isinstance(component, dict) and component.get("type") == "Sequence":
        members = next((part for part in component.values() if isinstance(part, list)), [])
        return " + ".join(map(_kind_of, members)) or "Sequence"
    has_type = isinstance(component, dict) and isinstance(component.get("type"), str)
    return str(component["type"]) if has_type else _("without a type")


def raise_if_stopped(error: BaseException) -> None:
    """Raise `error` if it is a wish to stop; the package's panics are no Exceptions either, but are only failures."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit | MemoryError):
        raise error


def one_line(error: BaseException) -> str:
    """What the package says, on one line."""
    return " ".join(str(error).split())


def _run(name: str, work: Callable[[], Any]) -> Any:
    """The outcome of `work` on a text. Raises TokenizerFileError, naming the component, if it fails."""
    try:
        return work()
    except BaseException as error:
        raise_if_stopped(error)
        raise TokenizerFileError(
            _("{what} failed on a text: {reason}").format(what=name, reason=one_line(error))
        ) from None


def _aligned(text: str, run: Callable[[Any], None], name: str) -> Iterator[tuple[str, list[Place]]]:
    """The words that a component leaves of a text, each with the places of its characters in the text.

    `run` is given the package's `PreTokenizedString`. Raises TokenizerFileError, naming the component, if it fails.
    """
    from tokenizers import PreTokenizedString

    pieces = PreTokenizedString(text)

    def encoding() -> Any:
        run(pieces)
        pieces.tokenize(_one_token_per_character)
        return pieces.to_encoding()

    done = _run(name, encoding)
    word: list[str] = []
    places: list[Place] = []
    last = None
    for char, place, number in zip(done.tokens, done.offsets, done.word_ids, strict=True):
        if number != last and word:
            yield "".join(word), places
            word, places = [], []
        last = number
        word.append(char)
        places.append(place)
    if word:
        yield "".join(word), places


def _one_token_per_character(text: str) -> list[Any]:
    """The tokens of a text, with offsets in bytes, as the package wants them."""
    from tokenizers import Token

    tokens, begin = [], 0
    for char in text:
        end = begin + len(char.encode())
        tokens.append(Token(0, char, (begin, end)))
        begin = end
    return tokens
