"""The themes can be read by everyone: contrast, and token colours told apart without full colour vision."""

from __future__ import annotations

from itertools import combinations

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from bpe_tui.ui.themes import DEFAULT_VARIABLES, THEMES, TOKEN_COLOURS, palette_of

TEXT_VARIABLES = (
    "token-1",
    "token-2",
    "token-3",
    "token-4",
    "token-5",
    "token-letter",
    "mark",
    "muted",
    "strong",
    "tie",
)
MORE_TEXT_VARIABLES = ("new", "gone", "warn")

# Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
DEFICIENCIES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: Color) -> tuple[float, float, float]:
    def channel(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    return channel(colour.r), channel(colour.g), channel(colour.b)


def luminance(colour: Color) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(Color.parse(one)), luminance(Color.parse(other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(rgb: tuple[float, float, float]) -> tuple[float, float, float]:
    red, green, blue = (min(max(value, 0.0), 1.0) for value in rgb)
    white = (0.95047, 1.0, 1.08883)
    xyz = (
        0.4124 * red + 0.3576 * green + 0.1805 * blue,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        0.0193 * red + 0.1192 * green + 0.9505 * blue,
    )
    x, y, z = (
        (value / reference) ** (1 / 3) if value / reference > 0.008856 else 7.787 * value / reference + 16 / 116
        for value, reference in zip(xyz, white, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_text_contrast_is_at_least_aa(theme: object) -> None:
    chosen = next(one for one in THEMES if one is theme)
    assert chosen.foreground
    assert chosen.surface
    assert chosen.background
    assert chosen.panel
    for ground in (chosen.surface, chosen.background, chosen.panel, chosen.variables["changed"]):
        assert contrast(chosen.foreground, ground) >= 7
        for name in TEXT_VARIABLES + MORE_TEXT_VARIABLES:
            assert contrast(chosen.variables[name], ground) >= 4.5, (name, ground)
    for cursor in ("block-cursor-background", "block-cursor-blurred-background"):
        assert contrast(chosen.variables["block-cursor-foreground"], chosen.variables[cursor]) >= 7
        for name in TEXT_VARIABLES + MORE_TEXT_VARIABLES:
            assert contrast(chosen.variables[name], chosen.variables[cursor]) >= 4.5, (name, cursor)
    assert contrast(chosen.variables["mark-text"], chosen.variables["mark"]) >= 4.5
    assert contrast(chosen.variables["token-separator"], chosen.surface) >= 3


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("deficiency", [*DEFICIENCIES, "none"])
def test_token_colours_differ_for_every_colour_vision(theme: object, deficiency: str) -> None:
    chosen = next(one for one in THEMES if one is theme)
    seen = []
    for number in range(1, TOKEN_COLOURS + 1):
        rgb = linear(Color.parse(chosen.variables[f"token-{number}"]))
        if deficiency != "none":
            red, green, blue = (
                sum(factor * value for factor, value in zip(row, rgb, strict=True)) for row in DEFICIENCIES[deficiency]
            )
            rgb = (red, green, blue)
        seen.append(lab(rgb))
    for one, other in combinations(seen, 2):
        distance = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
        assert distance >= 12


async def test_a_theme_that_is_not_ours_has_all_the_styles() -> None:
    app: App[None] = App()
    async with app.run_test():
        app.theme = "textual-light"
        palette = palette_of(app)
        colour = palette.token(1).color
        assert colour is not None
        assert colour.name == DEFAULT_VARIABLES[False]["token-1"]
        assert palette.token(1) == palette.token(1 + TOKEN_COLOURS)
        assert palette.token(0) == palette.letter


async def test_panes_can_be_read_in_the_themes_of_the_library() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        for name in BUILTIN_THEMES:
            app.theme = name
            await pilot.pause()
            palette = palette_of(app)
            backgrounds = [style.bgcolor for style in (palette.cursor, palette.changed)]
            grounds = [ground.name for ground in backgrounds if ground is not None]
            surface = app.theme_variables["surface"]
            grounds += [surface] if surface.startswith("#") else []  # a terminal's own colours are not known here
            assert len(grounds) >= 2
            for style in (*palette.tokens, palette.letter, palette.muted, palette.strong, palette.new, palette.warn):
                assert style.color is not None
                for ground in grounds:
                    assert contrast(style.color.name, ground) >= 3, (name, style, ground)


async def test_all_themes_can_be_put_on() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        for theme in THEMES:
            app.register_theme(theme)
            app.theme = theme.name
            await pilot.pause()
            accent = palette_of(app).accent.color
            assert accent is not None
            assert accent.name == theme.variables["mark"]
