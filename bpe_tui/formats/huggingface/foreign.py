"""Steps of a tokenizer.json that the package `tokenizers` runs: every normalizer, and some pre-tokenizers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.i18n import _
from bpe_tui.formats.huggingface import package as hf_package
from bpe_tui.formats.huggingface.pieces import Piece, within


class Foreign:
    """A pre-tokenizer that the package `tokenizers` runs."""

    def __init__(self, component: Any) -> None:
        """Raises TokenizerFileError if the package is not installed or does not accept the component."""
        self._runner = hf_package.component("pre_tokenizer", component)
        self._what = hf_package.described("pre_tokenizer", component)

    def pieces(self, piece: Piece) -> Iterable[Piece]:
        """See `Step`."""
        places = piece.all_places()
        for text, inside in hf_package.Places(piece.text, self._runner.pre_tokenize, self._what):
            found = within(places, inside)
            yield Piece(text, found[0][0], found)

    def words(self, text: str, at_start: bool) -> list[str]:
        """See `Step`."""
        try:
            return [word for word, _ in self._runner.pre_tokenize_str(text)]
        except BaseException as error:
            hf_package.raise_if_stopped(error)
            raise TokenizerFileError(
                _("{what} failed on a text: {reason}").format(what=self._what, reason=hf_package.one_line(error))
            ) from None


class Normalizer:
    """A normalizer, run by the package `tokenizers`."""

    def __init__(self, component: Any) -> None:
        """Raises TokenizerFileError if the package is not installed or does not accept the component."""
        self._runner = hf_package.component("normalizer", component)
        self._what = hf_package.described("normalizer", component)

    def text(self, text: str) -> str:
        """The normalized text. Raises TokenizerFileError if that fails."""
        try:
            normalized: str = self._runner.normalize_str(text)
        except BaseException as error:
            hf_package.raise_if_stopped(error)
            raise TokenizerFileError(
                _("{what} failed on a text: {reason}").format(what=self._what, reason=hf_package.one_line(error))
            ) from None
        return normalized

    def piece(self, piece: Piece) -> Piece | None:
        """The normalized piece; None if nothing is left of it."""

        def run(pieces: Any) -> None:
            pieces.normalize(self._runner.normalize)

        for text, inside in hf_package.Places(piece.text, run, self._what):
            places = within(piece.all_places(), inside)
            return Piece(text, places[0][0], places)
        return None
