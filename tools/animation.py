"""Screens of the app as one SVG picture that plays in a browser, or a single one as a picture that stands still.

Each line of the screen is drawn once for all scenes that show the same there, and is visible while one of them is:
keyframes of CSS do that, so the picture plays where scripts don't, as on a web page that embeds it. There are no
outside fonts: any monospace one is stretched to the cells that a text has. Without motion, because a reader asked for
none or the viewer has none, the last scene is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree
from xml.sax.saxutils import escape

FONT: Final = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
LINE: Final = 24.4
"""Height of a line of the screen in pixels, as the app's own pictures have it."""
CELL: Final = 12.2
"""Width of a cell."""
BASELINE: Final = 20
"""From the top of a line to the foot of its letters; the size of the letters as well."""
BAR: Final = 38
"""Height of the title bar."""
MARGIN: Final = 10
CAPTION: Final = 62
"""Height of the caption."""
WINDOW: Final = "#1d2431"
EDGE: Final = "#4a5568"
SOFT: Final = "#93a0b4"
BRIGHT: Final = "#f3f6fa"
ACCENT: Final = "#ffb454"
HIDDEN: Final = ' visibility="hidden"'
SVG: Final = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Scene:
    """The screen for a while, and what is said of it."""

    picture: str
    """The screen as the app exports it, an SVG picture."""
    seconds: float = 1.0
    key: str = ""
    """The key that has led here."""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class DrawnScreen:
    """A screen taken apart."""

    width: float
    height: float
    background: str
    """The commonest colour behind text."""
    lines: dict[int, tuple[str, ...]]
    """What each line consists of, as elements of SVG with their styles named `{fill:…}`."""


def still(picture: str, title: str) -> bytes:
    """One screen as a picture with a title. The same screen gives the same bytes."""
    return _written([Scene(picture)], title)


def animated(scenes: Sequence[Scene], title: str) -> bytes:
    """Scenes one after another, again and again, above their captions. All screens have one size."""
    return _written(scenes, title)


def _written(scenes: Sequence[Scene], title: str) -> bytes:
    screens = [_taken_apart(scene.picture) for scene in scenes]
    first = screens[0]
    has_captions = any(scene.caption for scene in scenes)
    width = first.width + 2 * MARGIN
    height = BAR + first.height + MARGIN + (CAPTION if has_captions else 0)
    styles, times = _Names("s"), _Names("t")
    total = sum(scene.seconds for scene in scenes)
    body = [
        f'<g transform="translate({MARGIN},{BAR})">',
        f'<rect fill="{first.background}" width="{first.width:g}" height="{first.height:g}"/>',
    ]
    for line in sorted({line for screen in screens for line in screen.lines}):
        body += _variants([screen.lines.get(line, ()) for screen in screens], styles, times)
    body.append("</g>")
    if has_captions:
        body.append(f'<g transform="translate({MARGIN},{BAR + first.height:g})">')
        body += _variants([_caption(scene) for scene in scenes], styles, times)
        body.append("</g>")
        body.append(
            f'<rect class="run" fill="{ACCENT}" x="{MARGIN}" y="{height - 5:g}" width="{first.width:g}" height="2"/>'
        )
    rules = [f"text{{font:{BASELINE}px {FONT};white-space:pre}}"]
    rules += [f".{name}{{{style}}}" for style, name in styles.items()]
    if has_captions:
        rules += _timing(scenes, times, total)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">\n'
        f"<title>{escape(title)}</title>\n<style>\n" + "\n".join(rules) + "\n</style>\n"
        f'<rect fill="{WINDOW}" stroke="{EDGE}" x=".5" y=".5" width="{width - 1:g}" height="{height - 1:g}" rx="8"/>\n'
        '<circle fill="#ff5f57" cx="22" cy="19" r="6"/><circle fill="#febc2e" cx="42" cy="19" r="6"/>'
        '<circle fill="#28c840" cx="62" cy="19" r="6"/>\n'
        f'<text fill="{SOFT}" x="{width / 2:g}" y="26" text-anchor="middle">{escape(title)}</text>\n'
    )
    return (head + "\n".join(body) + "\n</svg>\n").encode()


class _Names(dict[str, str]):
    """Short names for texts, in the order in which they are first met."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        self._letter = letter

    def __missing__(self, text: str) -> str:
        self[text] = f"{self._letter}{len(self)}"
        return self[text]


def _variants(contents: Sequence[tuple[str, ...]], styles: _Names, times: _Names) -> list[str]:
    """A line in each of its forms, each with the name of the scenes in which it is visible."""
    shown: dict[tuple[str, ...], list[int]] = {}
    for scene, content in enumerate(contents):
        shown.setdefault(content, []).append(scene)
    drawn = []
    for content, scenes in shown.items():
        elements = "".join(re.sub(r"\{([^}]*)\}", lambda found: styles[found[1]], element) for element in content)
        if not elements:
            continue
        if len(scenes) == len(contents):
            drawn.append(f"<g>{elements}</g>")
        else:
            name = times[",".join(map(str, scenes))]
            is_last = scenes[-1] == len(contents) - 1
            drawn.append(f'<g class="t {name}"{"" if is_last else HIDDEN}>{elements}</g>')
    return drawn


def _timing(scenes: Sequence[Scene], times: _Names, total: float) -> list[str]:
    """The rules that show each form of a line while its scenes are."""
    starts = [sum(scene.seconds for scene in scenes[:place]) / total for place in range(len(scenes))]
    rules = [f".t{{animation:{total:g}s step-end infinite}}"]
    for listed, name in times.items():
        visible = set(map(int, listed.split(",")))
        frames = [
            f"{100 * start:.3f}%{{visibility:{'visible' if place in visible else 'hidden'}}}"
            for place, start in enumerate(starts)
            if place == 0 or (place in visible) != (place - 1 in visible)
        ]
        rules.append(f".{name}{{animation-name:{name}}}@keyframes {name}{{{''.join(frames)}}}")
    rules.append(f".run{{transform-origin:{MARGIN}px 0;animation:run {total:g}s linear infinite}}")
    rules.append("@keyframes run{from{transform:scaleX(0)}to{transform:scaleX(1)}}")
    rules.append("@media (prefers-reduced-motion:reduce){.t,.run{animation:none}}")
    return rules


def _caption(scene: Scene) -> tuple[str, ...]:
    """The key as it is on a keyboard, and the sentence beside it."""
    left, elements = CELL, []
    if scene.key:
        width = CELL * (len(scene.key) + 2)
        box = f'x="{left:g}" y="13" width="{width:g}" height="32" rx="6"'
        elements.append(f'<rect fill="none" stroke="{ACCENT}" stroke-width="2" {box}/>')
        elements.append(_text(scene.key, left + CELL, 36, f"fill:{ACCENT};font-weight:bold"))
        left += width + CELL
    if scene.caption:
        elements.append(_text(scene.caption, left, 36, f"fill:{BRIGHT}"))
    return tuple(elements)


def _text(text: str, x: float, y: float, style: str, width: float | None = None) -> str:
    width = CELL * len(text) if width is None else width
    return f'<text class="{{{style}}}" x="{x:g}" y="{y:g}" textLength="{width:g}">{escape(text)}</text>'


# -- the app's own pictures taken apart --------------------------------------------------------------------------------


def _taken_apart(picture: str) -> DrawnScreen:
    root = ElementTree.fromstring(picture)
    styles = {name: _style(rule) for name, rule in re.findall(r"\.([\w-]+-r\d+) \{([^}]*)\}", picture)}
    clip = root.find(f".//{SVG}clipPath/{SVG}rect")
    assert clip is not None  # the first one is that of the whole screen
    lines: dict[int, list[str]] = {}
    behind = [each for each in root.iter(f"{SVG}rect") if "shape-rendering" in each.attrib]
    area: dict[str, float] = {}
    for each in behind:
        area[each.attrib["fill"]] = area.get(each.attrib["fill"], 0) + float(each.attrib["width"])
    background = max(area, key=lambda colour: area[colour])
    for row, fill, left, right in _joined(behind):
        if fill != background:
            lines.setdefault(row, []).append(
                f'<rect class="{{fill:{fill}}}" x="{left:g}" y="{row * LINE + 1.5:g}" width="{right - left:g}" '
                f'height="{LINE + 0.3:g}"/>'
            )
    for each in root.iter(f"{SVG}text"):
        style = styles.get(each.attrib["class"])
        text = (each.text or "").replace("\xa0", " ")
        if style is None or not text.strip():
            continue
        y = float(each.attrib["y"])
        row = round((y - BASELINE) / LINE)
        lines.setdefault(row, []).append(
            _text(text, float(each.attrib["x"]), y, style, float(each.attrib["textLength"]))
        )
    rows = max(lines) + 1
    return DrawnScreen(
        round(float(clip.attrib["width"]) + 1),
        round(rows * LINE + 3),
        background,
        {k: tuple(v) for k, v in lines.items()},
    )


def _style(rule: str) -> str:
    return ";".join(part.strip() for part in rule.split(";") if part.strip()).replace(": ", ":")


def _joined(rectangles: Iterable[ElementTree.Element]) -> list[tuple[int, str, float, float]]:
    """Line, colour, left and right edge of what is behind the text; neighbours of one colour are one."""
    joined: list[tuple[int, str, float, float]] = []
    for each in rectangles:
        row = round((float(each.attrib["y"]) - 1.5) / LINE)
        fill, left = each.attrib["fill"], float(each.attrib["x"])
        right = left + float(each.attrib["width"])
        if joined and joined[-1][:2] == (row, fill) and abs(joined[-1][3] - left) < 0.5:
            left = joined.pop()[2]
        joined.append((row, fill, left, right))
    return joined
