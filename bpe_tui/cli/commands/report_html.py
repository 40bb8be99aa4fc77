"""A report as one HTML page that needs no other file: styles and pictures (SVG) are in it, scripts are not.

Bars are in the tables, beside their numbers; a picture that stands by itself has a table with the same numbers below.
All texts come from `report_tables`, fit to be shown, and are escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bpe_tui.core.i18n import _, number, plural

if TYPE_CHECKING:
    from bpe_tui.cli.commands.report_tables import ReportRow, ReportSection, ReportText
    from bpe_tui.core.teaching.report import CorpusReport

STYLES: Final = Path(__file__).with_name("report.css")
WIDTH: Final = 480
HEIGHT: Final = 220
LEFT: Final = 44
RIGHT: Final = 16
TOP: Final = 14
BOTTOM: Final = 24
"""Of the picture of a curve, and of the margins in it."""


def page(said: ReportText, language: str, corpus: CorpusReport | None) -> str:
    """The whole page; `language` is the code of the one that the report is in, `corpus` is for the curve."""
    title = escape(said.title)
    parts = [
        f'<!DOCTYPE html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f"<title>{title}</title>\n<style>\n{STYLES.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n<main>\n",
        f"<h1>{title}</h1>\n<p>{escape(' '.join(said.summary))}</p>\n",
        _figures(said.figures),
    ]
    for section in said.sections:
        picture = _curve(corpus) if section.name == "depth" and corpus is not None else ""
        parts.append(_section(section, picture))
    if said.legend:
        parts.append(f'<p class="legend">{escape(said.legend)}</p>\n')
    parts.append("</main>\n</body>\n</html>\n")
    return "".join(parts)


def _figures(rows: Sequence[ReportRow]) -> str:
    if not rows:
        return ""
    cards = [
        f"<div><dt>{_text(row.cells[0])}</dt><dd>{_text(row.cells[1])}</dd><dd>{_text(row.cells[2])}</dd></div>\n"
        for row in rows
    ]
    return f'<dl class="figures">\n{"".join(cards)}</dl>\n'


def _section(section: ReportSection, picture: str) -> str:
    name = escape(section.name)
    text = f'<section aria-labelledby="{name}">\n<h2 id="{name}">{escape(section.title)}</h2>\n'
    if section.sentence:
        text += f"<p>{escape(section.sentence)}</p>\n"
    text += picture
    if section.rows:
        text += _table(section)
    if section.tokens:
        text += f'<p class="t">{_tokens(section.tokens)}</p>\n'
    if section.left_out:
        text += f"<p>{escape(plural('… and {count} more', '… and {count} more', section.left_out))}</p>\n"
    return text + "</section>\n"


def _table(section: ReportSection) -> str:
    has_bars = any(row.bar is not None for row in section.rows)
    heads = "".join(
        f'<th scope="col"{_class(place, section)}>{escape(head)}</th>' for place, head in enumerate(section.heads)
    )
    if has_bars:
        heads += '<td class="b"></td>'
    lines = []
    for row in section.rows:
        cells = []
        for place, cell in enumerate(row.cells):
            start, end = ('th scope="row"', "th") if place == 0 else ("td", "td")
            cells.append(f"<{start}{_class(place, section)}>{_text(cell)}</{end}>")
        if has_bars:
            cells.append(f'<td class="b">{_bar(row.bar or 0)}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>\n")
    name = escape(section.name)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{name}">\n<table aria-labelledby="{name}">\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{''.join(lines)}</tbody>\n</table>\n</div>\n"
    )


def _class(place: int, section: ReportSection) -> str:
    if place in section.numeric:
        return ' class="n"'
    return ' class="t"' if place in section.token_columns else ""


def _text(cell: str | tuple[str, ...]) -> str:
    return escape(cell) if isinstance(cell, str) else _tokens(cell)


def _tokens(tokens: Sequence[str]) -> str:
    return "".join(f"<b>{escape(token)}</b>" for token in tokens)


def _bar(share: float) -> str:
    length = max(100 * share, 0.5) if share > 0 else 0
    return (
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{length:.2f}" height="8"></rect></svg>'
    )


def _curve(corpus: CorpusReport) -> str:
    """Tokens per word after so many merges; the table below has the same numbers."""
    words = corpus.total.words
    if not words or len(corpus.depths) < 2:
        return ""
    values = [depth.needed / words for depth in corpus.depths]
    merges = corpus.depths[-1].merges
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    end = number(values[-1], ".2f")
    points = [
        (LEFT + across * depth.merges / merges, TOP + down * (1 - value / values[0]))
        for depth, value in zip(corpus.depths, values, strict=True)
    ]
    path = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"></circle>' for x, y in points)
    base = TOP + down
    label = escape(
        _("From {first} tokens per word without merges to {last} with all {merges}.").format(
            first=number(values[0], ".2f"), last=end, merges=number(merges)
        )
    )
    return (
        f'<figure>\n<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">\n'
        f'<line x1="{LEFT}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}"></line>'
        f'<line x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{base}"></line>\n'
        f'<path d="{path}"></path>{dots}\n'
        f'<text x="{LEFT - 6}" y="{TOP + 4}" text-anchor="end">{number(values[0], ".1f")}</text>'
        f'<text x="{LEFT - 6}" y="{base + 4}" text-anchor="end">0</text>'
        f'<text x="{points[-1][0]:.1f}" y="{points[-1][1] - 8:.1f}" text-anchor="end">{end}</text>'
        f'<text x="{LEFT}" y="{HEIGHT - 6}">0</text>'
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{number(merges)}</text>\n'
        f"</svg>\n<figcaption>{label}</figcaption>\n</figure>\n"
    )
