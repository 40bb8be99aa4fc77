"""The table: what was measured, the bar it is held to, and whether it is reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """One figure."""

    name: str
    value: str
    bar: str
    verdict: str
    """`ok`, `short`, or nothing where there is no bar."""


@dataclass(slots=True)
class Bars:
    """All figures of a run, in the order in which they were measured."""

    rows: list[Row] = field(default_factory=list)

    def at_most(self, name: str, value: float, bar: float | None, unit: str = "", digits: int = 2) -> None:
        """A figure that should not be above `bar`; None: there is no bar, the figure itself is what matters."""
        shown = f"{value:,.{digits}f}{unit}"
        if bar is None:
            self.rows.append(Row(name, shown, "", ""))
        else:
            self.rows.append(Row(name, shown, f"≤ {bar:,.{digits}f}{unit}", "ok" if value <= bar else "short"))

    def table(self) -> str:
        """The figures as aligned columns."""
        cells = [("figure", "measured", "bar", ""), *((row.name, row.value, row.bar, row.verdict) for row in self.rows)]
        return aligned(cells, right={1, 2})

    @property
    def short(self) -> int:
        """How many bars are not reached."""
        return sum(row.verdict == "short" for row in self.rows)


def aligned(cells: Sequence[Sequence[str]], right: set[int]) -> str:
    """Rows of cells in columns, those of `right` aligned to the right."""
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    lines = []
    for row in cells:
        padded = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)
