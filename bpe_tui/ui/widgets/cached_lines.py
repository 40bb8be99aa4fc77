"""The drawn lines of a pane: drawn once, kept until they change, on the styles of the theme in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual.filter import Monochrome
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from bpe_tui.ui.themes import Palette, palette_of

if TYPE_CHECKING:
    from typing import Self


class CachedLines(ScrollView):
    """A pane on the line API that keeps its lines and its styles.

    A subclass draws a line in `render_line`, with `palette` and `style_of`.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "table--frame",
        "table--name",
        "table--figures",
        "table--header",
        "table--cursor",
        "table--hover",
        "table--changed",
        "table--thumb",
    }
    """
    | Class | What it styles |
    | :- | :- |
    | `table--frame` | the frame |
    | `table--name` | the name in the title line |
    | `table--figures` | figures in the title line, note and position in the closing line |
    | `table--header` | the names of the columns |
    | `table--cursor` | the row under the cursor |
    | `table--hover` | the row under the mouse |
    | `table--changed` | a row that the last merge changed |
    | `table--thumb` | the thumb of the scroll bar |
    """
    DEFAULT_CSS = """
    CachedLines {
        background: $surface;
        color: $foreground;
        overflow: hidden hidden;
        & > .table--frame { color: $border-blurred; }
        & > .table--name { color: $foreground; text-style: bold; }
        & > .table--figures { color: $text-muted; }
        & > .table--header { color: $text-muted; text-style: italic; }
        & > .table--cursor { background: $block-cursor-blurred-background; }
        & > .table--hover { background: $panel; }
        & > .table--changed { background: $changed; }
        & > .table--thumb { color: $scrollbar-hover; }
        &:focus > .table--frame { color: $border; }
        &:focus > .table--name { color: $border; text-style: bold; }
        &:focus > .table--thumb { color: $border; text-style: bold; }
        &:focus > .table--cursor { background: $block-cursor-background; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 (Textual's name)
        # Set first: the library asks for a style update while it sets up.
        self._base: Style | None = None
        self._styles: dict[tuple[str, bool], Style] = {}
        self._palettes: dict[Style, Palette] = {}
        self._row_palette: Palette | None = None
        self._strips: dict[int, Strip] = {}
        self._strips_for = Size()
        super().__init__(id=id, classes=classes)

    # -- styles -----------------------------------------------------------------------------------------------

    def style_of(self, part: str, *, on_base: bool = True) -> Style:
        """A component's style, on the list's own or only what it sets itself; kept until theme or focus change."""
        key = (part, on_base)
        found = self._styles.get(key)
        if found is None:
            found = self.get_component_rich_style(f"table--{part}", partial=True)
            if on_base:
                found = self.base + found
            self._styles[key] = found
        return found

    def notify_style_update(self) -> None:
        """Forget what depends on styles."""
        self._base = None
        self._styles.clear()
        self._palettes.clear()
        self._strips.clear()
        super().notify_style_update()

    @property
    def base(self) -> Style:
        """Foreground and background of the list."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    @property
    def palette(self) -> Palette:
        """Styles of the theme in force, on the background of the row that is being drawn."""
        return self._row_palette or self._palette_on(self.base)

    def _palette_on(self, row_style: Style) -> Palette:
        found = self._palettes.get(row_style)
        if found is None:
            found = self._palettes[row_style] = palette_of(self.app).over(row_style)
        return found

    # -- lines ------------------------------------------------------------------------------------------------

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Forget the drawn lines concerned, and have them drawn again."""
        if regions:
            for region in regions:
                for y in region.line_range:
                    self._strips.pop(y, None)
        elif repaint:
            self._strips.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a region, drawn once and kept.

        The list has no border, padding or opacity of its own, so the library's general path, which takes twice as
        long as drawing the line, has nothing to add.
        """
        size = self.outer_size
        if size != self._strips_for:
            self._strips.clear()
            self._strips_for = size
        strips = self._strips
        lines: list[Strip] = []
        for y in crop.line_range:
            strip = strips.get(y)
            if strip is None:
                strip = strips[y] = self._monochrome(self.render_line(y))
            lines.append(strip)
        if crop.column_span != (0, size.width):
            lines = [strip.crop(*crop.column_span) for strip in lines]
        return lines

    def _monochrome(self, strip: Strip) -> Strip:
        """Without colours, if the user's environment says so; no other filter applies to what is drawn here."""
        for line_filter in self.get_line_filters():
            if isinstance(line_filter, Monochrome):
                return strip.apply_filter(line_filter, self.background_colors[1])
        return strip
