"""The counts that the encode screen tells of a text and of its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_tui.core.i18n import _, number, plural

if TYPE_CHECKING:
    from bpe_tui.core.encoding.tokenized_text import Figures


def text_figures(figures: Figures) -> list[str]:
    """How long the text is."""
    return [
        plural("{count} character", "{count} characters", figures.characters),
        plural("{count} byte", "{count} bytes", figures.bytes),
        plural("{count} word", "{count} words", figures.words),
    ]


def token_figures(figures: Figures | None, count: int) -> list[str]:
    """What `count` tokens for the text mean, the most important first; nothing for no text."""
    if figures is None or not figures.characters:
        return []
    parts = [plural("{count} token", "{count} tokens", count)]
    if figures.words:
        parts.append(_("{tokens} a word").format(tokens=number(count / figures.words, ",.2f")))
    if figures.unknown:
        parts.append(plural("{count} unknown", "{count} unknown", figures.unknown))
    change = count / figures.bytes - 1
    template = _("{share} fewer than one a byte") if change <= 0 else _("{share} more than one a byte")
    return [*parts, template.format(share=f"{abs(change):.0%}")]
