"""How tokens are shown: the learner's choice, shared by all that shows the tokens of one training or tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_tui.core.i18n import mark
from bpe_tui.core.readable import Notation, TokenStyle

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.core.options import Options

STYLE_SENTENCES: Final = {
    TokenStyle.SIGN: mark("Tokens are shown as text, spaces as ␣."),
    TokenStyle.TABLE: mark("Tokens are shown as in files: one sign per byte, Ġ for a space."),
    TokenStyle.PLAIN: mark("Tokens are shown as text, spaces as blanks."),
}
"""Said when the learner goes to a style."""


class TokenDisplay:
    """The style of tokens on a screen. The app has one for all trainings and tokenizers; each lesson has its own."""

    def __init__(
        self, style: TokenStyle = TokenStyle.SIGN, chosen: Callable[[TokenStyle], object] = lambda style: None
    ) -> None:
        """`chosen` hears of each change."""
        self.style = style
        """Changed by `use_next` alone."""
        self._chosen = chosen

    def notation(self, options: Options) -> Notation:
        """Shows tokens that were learned under `options`."""
        return Notation.of(options, self.style)

    def use_next(self, options: Options) -> TokenStyle:
        """Go to the next style of those that differ for these tokens."""
        self.style = self.notation(options).next_style
        self._chosen(self.style)
        return self.style
