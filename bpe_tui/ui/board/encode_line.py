"""The one-line encode pane: type a text, and see its tokens with the merges learned at the moment shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static

from bpe_tui.core.display import displayable
from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, ngettext, plural
from bpe_tui.core.readable import Notation
from bpe_tui.ui.text import SEPARATOR, cells, segments_width, tone_of
from bpe_tui.ui.themes import Palette, palette_of
from bpe_tui.ui.widgets.safe_input import SafeInput

if TYPE_CHECKING:
    from bpe_tui.core.encoding.encoder import Token
    from bpe_tui.ui.session.training import Session

LABEL: Final = mark("Encode")
PLACEHOLDER: Final = mark("type any word")
MOST: Final = 2_000
"""Characters of a pasted text that the one line looks at; the encode screen shows all of it."""


class TokenStrip(Widget):
    """Tokens in a row, and a remark at the end of the line."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    TokenStrip { height: 1; width: 2fr; background: $surface; color: $foreground; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._shown: tuple[tuple[Token, ...], str, int, Notation] = ((), "", 0, Notation())

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens shown."""
        return self._shown[0]

    @property
    def remark(self) -> str:
        """The text at the end of the line."""
        return self._shown[1]

    def show(self, tokens: Sequence[Token], remark: str, base_size: int, notation: Notation) -> None:
        """Show tokens and a remark (safe text); ids below `base_size` are letters."""
        shown = (tuple(tokens), remark, base_size, notation)
        if shown != self._shown:
            self._shown = shown
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line: the remark keeps its place if half of the room is enough for it."""
        tokens, remark, base_size, notation = self._shown
        base, palette, width = self.rich_style, palette_of(self.app), self.size.width
        segments = chips(tokens, palette, base_size, width, notation)
        if cells(remark) + 2 > width // 2 and segments_width(segments) + cells(remark) + 2 > width:
            remark = ""
        room = width - (cells(remark) + 2 if remark else 0)
        strip = Strip(segments)
        if strip.cell_length > room:
            strip = Strip([*strip.crop(0, max(0, room - 1)), Segment("›", palette.muted)])
        strip = Strip(
            [*strip.adjust_cell_length(room), *([Segment("  "), Segment(remark, palette.muted)] if remark else [])]
        )
        return strip.apply_style(base)


class EncodeLine(Horizontal):
    """Input on the left, tokens on the right."""

    DEFAULT_CSS = """
    EncodeLine { height: 1; background: $surface; }
    EncodeLine > Static { width: auto; height: 1; color: $accent; text-style: bold; }
    EncodeLine > SafeInput { width: 1fr; min-width: 15; max-width: 48; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(id=id)
        self._session: Session | None = None
        self.input = SafeInput(_(PLACEHOLDER), hands_over_lines=True, id="encode-input")
        """Where the text is typed."""
        self.tokens = TokenStrip(id="encode-tokens")

    def compose(self) -> ComposeResult:
        """Label, input, tokens."""
        yield Static(Content(f" {_(LABEL)} ▸ "))
        yield self.input
        yield self.tokens

    def show_session(self, session: Session) -> None:
        """Encode with another training; the text stays."""
        self._session = session
        session.text = self.input.value
        self.reload()

    def take_text(self) -> None:
        """The text was changed elsewhere; a long one stays there."""
        if self._session is not None and len(self._session.text) <= MOST:
            with self.prevent(Input.Changed):
                self.input.value = self._session.text
        self.reload()

    def reload(self) -> None:
        """Encode again: the moment or the text changed."""
        session = self._session
        if session is None:
            return
        text = self.input.value[:MOST]
        base_size, notation = session.trainer.base_size, session.notation
        if not text:
            self.tokens.show((), "", base_size, notation)
            return
        try:
            tokens = session.encoder.encode(text, unknown=session.unknown)
        except BpeError as error:
            self.tokens.show((), displayable(str(error)), base_size, notation)
            return
        policy = "" if session.unknown == "token" else f" · {session.unknown}"
        self.tokens.show(tokens, remark_on(tokens, text, notation) + policy, base_size, notation)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Follow the typing."""
        event.stop()
        if self._session is not None:
            self._session.text = event.value
        self.reload()


def chips(tokens: Sequence[Token], palette: Palette, base_size: int, width: int, notation: Notation) -> list[Segment]:
    """The tokens that fit in `width`, separated by `·`; an unknown is in brackets."""
    segments: list[Segment] = []
    room = width + 1
    for place, token in enumerate(tokens):
        if place:
            segments.append(Segment(SEPARATOR, palette.separator))
        if token.unknown:
            text, style = f"⟦{notation.text(token.text)}⟧", palette.warn
        else:
            text = notation.token(token.text)
            style = palette.token(0 if token.id is None else tone_of(token.id, base_size))
        segments.append(Segment(text, style))
        room -= cells(text) + 1
        if room < 0:
            break
    return segments


def remark_on(tokens: Sequence[Token], text: str, notation: Notation) -> str:
    """Why something is unknown, else how many tokens there are."""
    unknown = list(dict.fromkeys(text[token.start : token.end] for token in tokens if token.unknown))
    if unknown:
        named = ", ".join(notation.text(symbol) for symbol in unknown[:3]) + (", …" if len(unknown) > 3 else "")
        return ngettext("{symbols} is not in the alphabet", "{symbols} are not in the alphabet", len(unknown)).format(
            symbols=named
        )
    return plural("{count} token", "{count} tokens", len(tokens))
